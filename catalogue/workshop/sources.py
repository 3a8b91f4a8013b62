"""A source from what an editor pastes: an entry of BibTeX, a printed reference, a DOI, or the key of one that is here.

BibTeX is read by a library, printed references by what reads those of the portal. Nothing is asked of other machines:
a DOI alone gives an address, and its parts are typed.
"""

import re
from dataclasses import dataclass, field
from typing import Any

import bibtexparser
from bibtexparser import middlewares
from bibtexparser.exceptions import BlockAbortedException

from catalogue.citations.chicago import chicago_author_date, without_tags
from catalogue.citations.items import source_item
from catalogue.models import Source
from catalogue.portal.bibliography import parse_reference
from catalogue.portal.page_import import new_source_key
from catalogue.texts.names import called, canonical, parsed
from catalogue.texts.words import same

DOI = re.compile(r"\b10\.\d{4,9}/[^\s\"<>{}]*[^\s\"<>{}.,;)]")
DOI_ALONE = re.compile(rf"(?:doi:\s*|(?:https?://)?(?:dx\.)?doi\.org/)?({DOI.pattern})", re.IGNORECASE)
PARTS = ("authors", "year", "title", "container", "volume", "pages", "place", "publisher", "address")
LONGEST = 20_000  # characters of what is pasted
LONGEST_COLUMN = {"authors": 300, "title": 300, "container": 300, "volume": 30, "pages": 50, "place": 100}
LONGEST_COLUMN |= {"publisher": 200, "address": 500}


class SourceProblem(ValueError):
    """What was pasted cannot be read; the message says what is wrong and what can."""


@dataclass(frozen=True, slots=True)
class ReadSource:
    """here: the source of the catalogue that it is; else its parts, and as_printed if it was a printed reference."""

    here: Source | None = None
    parts: dict[str, Any] = field(default_factory=dict)
    as_printed: str = ""


def read_source(pasted: str) -> ReadSource:
    """Raises SourceProblem."""
    text = pasted.strip()
    if not text:
        raise SourceProblem("Paste a reference, an entry of BibTeX or a DOI.")
    if len(text) > LONGEST:
        raise SourceProblem(f"It has {len(text):,} characters, and one source has at most {LONGEST:,}.")
    if here := Source.objects.filter(key=text).first():
        return ReadSource(here)
    if text.startswith("@"):
        return ReadSource(parts=_bounded(_of_bibtex(text)))
    if alone := DOI_ALONE.fullmatch(text):
        return ReadSource(
            Source.objects.filter(address__iexact=_of_doi(alone[1])).first(), {"address": _of_doi(alone[1])}
        )
    printed = " ".join(text.split())
    for source in Source.objects.filter(as_printed__startswith=printed[:10]):
        if same(source.as_printed, printed):
            return ReadSource(source)
    parts = parse_reference(printed).columns()
    parts.pop("as_printed")
    if not parts.get("address") and (found := DOI.search(printed)):
        parts["address"] = _of_doi(found[0])
    return ReadSource(parts=_bounded(parts), as_printed=printed)


def _of_doi(doi: str) -> str:
    return f"https://doi.org/{doi}"


def _bounded(parts: dict[str, Any]) -> dict[str, Any]:
    return {
        name: value[: LONGEST_COLUMN[name]] if isinstance(value, str) else value
        for name, value in parts.items()
        if value not in ("", None)
    }


def _of_bibtex(text: str) -> dict[str, Any]:
    readers = [middlewares.LatexDecodingMiddleware(), middlewares.SeparateCoAuthors(), middlewares.SplitNameParts()]
    try:
        library = bibtexparser.parse_string(text, append_middleware=readers)
    except (BlockAbortedException, ValueError, KeyError, RecursionError) as error:
        raise SourceProblem(f"This is no entry of BibTeX that can be read: {error}") from error
    if library.failed_blocks:
        where = library.failed_blocks[0].start_line
        reason = " ".join(str(library.failed_blocks[0].error).split())[:200]
        raise SourceProblem(f"The entry of BibTeX that begins on line {(where or 0) + 1} cannot be read: {reason}")
    if len(library.entries) != 1:
        raise SourceProblem(f"This has {len(library.entries)} entries of BibTeX: paste the one that is meant.")
    fields = {name.lower(): one.value for name, one in library.entries[0].fields_dict.items()}
    people = fields.get("author") or fields.get("editor") or ()
    volume = _plain(fields.get("volume", ""))
    number = _plain(fields.get("number", ""))
    year = re.search(r"-?\d{3,4}", str(fields.get("year") or fields.get("date") or ""))
    doi = DOI.search(str(fields.get("doi", "")))
    address = _of_doi(doi[0]) if doi else _plain(fields.get("url", ""))
    return {
        "authors": "; ".join(map(_name, people)),
        "year": int(year[0]) if year else None,
        "title": _plain(fields.get("title", "")),
        "container": _plain(fields.get("journal") or fields.get("journaltitle") or fields.get("booktitle") or ""),
        "volume": f"{volume}({number})" if volume and number else volume or number,
        "pages": re.sub(r"\s*[-–—]+\s*", "-", _plain(fields.get("pages", ""))),
        "place": _plain(fields.get("address") or fields.get("location") or ""),
        "publisher": _plain(fields.get("publisher") or fields.get("institution") or fields.get("school") or ""),
        "address": address if address.startswith(("http://", "https://")) else "",
    }


def _name(parts: Any) -> str:
    family = " ".join([*parts.von, *parts.last, *([", ".join(parts.jr)] if parts.jr else [])])
    given = " ".join(parts.first)
    return _plain(f"{family}, {given}" if given else family).replace(";", ",")


def _plain(text: Any) -> str:
    return " ".join(str(text).replace("{", "").replace("}", "").split())


def alike(parts: dict[str, Any]) -> list[Source]:
    """The sources that are here by somebody of the same name in the same year, which it may be one of."""
    names = parsed(str(parts.get("authors") or ""))[1]
    if not names or not parts.get("year"):
        return []
    of_year = Source.objects.filter(year=parts["year"], authors__istartswith=called(names[0])[:1]).order_by("key")
    first = called(names[0]).casefold()
    found = [one for one in of_year if (others := parsed(one.authors)[1]) and called(others[0]).casefold() == first]
    return found[:5]


def new_source(parts: dict[str, Any], as_printed: str) -> Source:
    """A source that is not saved yet, with its key. Without a printed reference one is written of its parts."""
    source = Source(**{**parts, "authors": canonical(str(parts.get("authors") or ""))})
    source.as_printed = as_printed or without_tags(chicago_author_date(source_item(source)))
    source.key = new_source_key(source.as_printed, set(Source.objects.values_list("key", flat=True)))
    return source
