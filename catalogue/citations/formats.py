"""The forms a citation is given in: what each is called, where it is had, and how it is made of a CSL-JSON item."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from catalogue.citations.bibtex import bibtex
from catalogue.citations.chicago import chicago, without_tags
from catalogue.citations.ris import ris

Items = Sequence[Mapping[str, Any]]


@dataclass(frozen=True, slots=True)
class CitationFormat:
    """`write` makes one text of any number of items."""

    name: str
    title: str
    media_type: str
    write: Callable[[Items], str]


def csl_json(items: Items) -> str:
    return json.dumps(items, ensure_ascii=False, indent=2) + "\n"


def in_words(items: Items) -> str:
    """The entries of a bibliography, without italics, a line each."""
    return "".join(f"{without_tags(chicago(item))}\n" for item in items)


FORMATS = {
    one.name: one
    for one in (
        CitationFormat("txt", "Chicago", "text/plain; charset=utf-8", in_words),
        CitationFormat(
            "bib", "BibTeX", "application/x-bibtex; charset=utf-8", lambda items: "\n".join(map(bibtex, items))
        ),
        CitationFormat(
            "ris", "RIS", "application/x-research-info-systems; charset=utf-8", lambda items: "".join(map(ris, items))
        ),
        CitationFormat("json", "CSL-JSON", "application/vnd.citationstyles.csl+json; charset=utf-8", csl_json),
    )
}
