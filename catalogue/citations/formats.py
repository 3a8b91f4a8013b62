"""The forms a citation is given in: what each is called, where it is had, and how it is made of a CSL-JSON item."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from html import unescape
from typing import Any

from catalogue.citations.bibtex import bibtex
from catalogue.citations.chicago import chicago, chicago_author_date, chicago_note
from catalogue.citations.ris import ris

__all__ = ["FORMATS", "Format", "bibtex", "chicago", "chicago_author_date", "chicago_note", "csl_json", "ris"]

Items = Sequence[Mapping[str, Any]]


@dataclass(frozen=True, slots=True)
class Format:
    """`write` makes one text of any number of items."""

    name: str
    title: str
    media_type: str
    write: Callable[[Items], str]


def csl_json(items: Items) -> str:
    return json.dumps(items, ensure_ascii=False, indent=2) + "\n"


def in_words(items: Items) -> str:
    """The entries of a bibliography, without italics, a line each."""
    return "".join(unescape(chicago(item).replace("<i>", "").replace("</i>", "")) + "\n" for item in items)


def _entries(items: Items) -> str:
    return "\n".join(map(bibtex, items))


def _records(items: Items) -> str:
    return "".join(map(ris, items))


FORMATS = {
    one.name: one
    for one in (
        Format("txt", "Chicago", "text/plain; charset=utf-8", in_words),
        Format("bib", "BibTeX", "application/x-bibtex; charset=utf-8", _entries),
        Format("ris", "RIS", "application/x-research-info-systems; charset=utf-8", _records),
        Format("json", "CSL-JSON", "application/vnd.citationstyles.csl+json; charset=utf-8", csl_json),
    )
}
