"""The files of a dataset that people read first: README.md and CITATION.cff."""

import yaml

from catalogue.citations.this_catalogue import release
from catalogue.dataset.described import DESCRIPTION, TITLE, name_in_words

README = """# {title}

Version {version}, of {date}. {description}

## What is in it

`datapackage.json` describes every table and every column (Frictionless Data Package). Tables are CSV: UTF-8, lines end
in LF, quoted after RFC 4180, the rows sorted by their keys. Nothing and an empty text are both an empty cell; lists and
objects are JSON. Rows name each other by keys that last, never by numbers of a database.

- `evidence.csv`: the records, with the quotation (`content`) and the portal's paraphrase (`rules`) kept apart.
- `readings.csv`, `clauses.csv`, `anchors.csv`: what was read from the records, rule by rule, and the
  words each rule rests on.
- `rulesets/`: every version of every ruleset, as a document a machine can play.
- `batches.csv` and `batches/`: simulated games: a tally and, where they are kept, the rows, one game each.
- `CHANGES.md`, `changes.csv`: what changed since the release before.
- `SHA256SUMS`: a checksum for every file; `sha256sum --check SHA256SUMS` looks at all of them.

`manage.py load_dataset FOLDER` makes the same catalogue of it in an empty database. No history, no users, no visitors,
and nothing that readers sent is part of it.

## Rights

Quotations remain their sources': name the source, not this catalogue, if you quote further. Identifiers, paraphrases
and bibliographic notes of the records are the work of the Digital Ludeme Project; please cite the project with the
record's identifier, and ask it before you republish the records as a collection.

The catalogue's own words, its rulesets, readings, clauses, questions, claims, notes, and the figures of its batches are
under the Creative Commons licence Attribution 4.0 (CC BY 4.0). `datapackage.json` says for each table which of the two
holds.

## How to cite

`CITATION.cff` says it to programmes:

> {authors}. {year}. *{title}*. Version {version}. {date}.
"""


def readme(version: str, date: str) -> str:
    authors = ", ".join(name_in_words(one) for one in release().authors)
    return README.format(
        title=TITLE, version=version, date=date, year=date[:4], description=DESCRIPTION, authors=authors
    )


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
