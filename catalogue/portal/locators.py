"""Where in a source a record's text points: "Parker 1909: 597-598", as variously as the portal prints it.

A place that follows no form is kept word for word; only what is no citation at all is left in the text alone.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from catalogue.portal.bibliography import Reference

NAME = r"[^\W\d_][\w'’.-]*"
NAMES = rf"{NAME}(?:\s+{NAME}){{0,3}}"
OTHERS = rf"(?:,?\s+et\.?\s+al\.?|(?:,\s+{NAMES}){{0,6}},?\s+(?:and|&)\s+{NAMES})?(?:['’]s?)?"
NUMBER = r"(?:\d+(?:\.\d+)*(?:n\.?\s?\d+|[a-z]{0,2})|[IVXLCDM]+|[ivxlcdm]+|[A-Z])(?![\w'’])"
RANGE = rf"{NUMBER}(?:\s*[-–—]\s*{NUMBER})?(?:\s?ff?\b\.?)?"
KINDS = """pages page pp p plates plate pls pl figures figure figs fig diagrams diagram diag tables table tabs tab maps
    map footnotes footnote fn notes note nn n numbers number nos no cat items item sections section sect sec chapters
    chapter chs ch volumes volume vols vol columns column cols col folios folio fols fol ff f books book bk parts part
    pt lines line appendix app nr"""
KIND = rf"(?i:(?:{'|'.join(KINDS.split())})\b\.?|§)\s*"
SPECIAL = rf"{KIND}{RANGE}"
FIRST = rf"(?:{SPECIAL}|(?=\d|[ivxlc]{{2,}}\b|[IVXLC]{{2,}}\b){RANGE})"
LATER = rf"(?:\s*(?:[,;&]|,?\s*\band\b)\s*(?:{SPECIAL}|(?=\d){RANGE})(?!\s*:))*"
LOCATOR = re.compile(FIRST + LATER)
WORDS = re.compile(r"[^\s;()\n][^;()\n]{0,98}?(?=\.(?:\s|$)|[;()\n]|$)")
MOST_WORDS = 3  # of a place that has no number, such as "passim" or "back cover"
YEAR_WITH_PAGES = re.compile(r"(?<![\d-])\d(?:-?\d){3}(?=[a-z]?\)?\s?[:,]|[a-z]?\)?\s+p)")
AFTER_YEAR = r"(?:\s?:\s*|,\s*(?=pp?\.|figs?\.|pls?\.)|\s+(?=pp?\.\s?\d))"


@dataclass(frozen=True, slots=True)
class Locator:
    """Where in a source a record points; as_printed is the whole citation, for example "Parker 1909: 597-598"."""

    pages: str
    as_printed: str
    offset: int


def find_locators(content: str, reference: Reference) -> list[Locator]:
    """The places of `reference` that a record's text names, in their order.

    A surname may be printed with a blank for its hyphen and with those of other authors after it, a year with a stray
    hyphen in it ("Murray 19-51: 68") and with its letter ("1999b").
    """
    if not reference.surname or reference.year is None or str(reference.year) not in _years_with_pages(content):
        return []
    return list(_found(content, _citing(reference.surname, reference.year, reference.letter)))


def _found(content: str, citing: re.Pattern[str]) -> Iterator[Locator]:
    for match in citing.finditer(content):
        place = LOCATOR.match(content, match.end()) or _word_for_word(content, match.end())
        if place:
            yield Locator(" ".join(place[0].split()), content[match.start() : place.end()], match.start())


def _word_for_word(content: str, start: int) -> re.Match[str] | None:
    """What follows no form, and yet is no sentence."""
    found = WORDS.match(content, start)
    is_place = found and (any(map(str.isdigit, found[0])) or len(found[0].split()) <= MOST_WORDS)
    return found if is_place else None


@lru_cache(4_096)
def _citing(surname: str, year: int, letter: str) -> re.Pattern[str]:
    name = r"[-\s]?".join(re.escape(part) for part in re.split(r"[-\s]", surname))
    digits = "-?".join(str(year))
    lettered = f"{letter}?" if letter else "[a-z]?"
    return re.compile(rf"\b(?i:{name}){OTHERS},?\s+\(?{digits}{lettered}\)?{AFTER_YEAR}")


def _years_with_pages(content: str) -> set[str]:
    """Of "Murray 19-51: 68" the year: without it no pattern has to be made for an author."""
    return {year.replace("-", "") for year in YEAR_WITH_PAGES.findall(content)}
