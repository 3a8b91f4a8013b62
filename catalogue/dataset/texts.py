"""The files of a dataset that people read first: README.md and CITATION.cff."""

import yaml
from django.template.loader import render_to_string

from catalogue.citations.this_catalogue import release
from catalogue.dataset.described import DESCRIPTION, TITLE, name_in_words


def readme(version: str, date: str) -> str:
    authors = ", ".join(name_in_words(one) for one in release().authors)
    words = {"title": TITLE, "version": version, "date": date, "description": DESCRIPTION, "authors": authors}
    return render_to_string("dataset/README.md", {**words, "year": date[:4]})


def citation(version: str, date: str) -> str:
    """In the Citation File Format 1.2.0."""
    authors = [
        {"name": one["literal"]} if "literal" in one else {"family-names": one["family"], "given-names": one["given"]}
        for one in release().authors
    ]
    document = {
        "cff-version": "1.2.0",
        "message": "If you use this dataset, please cite it with its version.",
        "title": TITLE,
        "type": "dataset",
        "version": version,
        "date-released": date,
        "license": "CC-BY-4.0",
        "authors": authors,
        "abstract": DESCRIPTION,
    }
    text: str = yaml.safe_dump(document, sort_keys=False, allow_unicode=True, width=110)
    return text
