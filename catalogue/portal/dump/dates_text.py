"""The portal's two days, each perhaps before the common era, as words and as an EDTF string.

A year before the common era is one less in EDTF, which has a year 0: 500 BC is -0499.
"""

import re
from dataclasses import dataclass

from catalogue.texts.dates import DateProblem, edtf_of_portal, years

DAY = re.compile(
    r"(?P<year>\d{1,6})(?:[-/.](?P<month>\d{1,2})(?:[-/.](?P<day>\d{1,2}))?)?(?:[ T]00:00(?::00(?:\.0+)?)?)?"
)
NOTHING = re.compile(r"0*|0{1,4}-0{1,2}-0{1,2}(?:[ T]00:00:00)?")
FOUR_DIGITS = 9999


@dataclass(frozen=True, slots=True)
class Dated:
    """words: as the portal prints them; edtf: "" if there is none; oddity: "" if all is well"""

    words: str
    edtf: str
    oddity: str = ""


def dated(start: str, start_is_bc: bool, end: str, end_is_bc: bool) -> Dated:
    """Of the columns DateStart, DateStartBC, DateEnd and DateEndBC."""
    first = "" if NOTHING.fullmatch(start) else start
    last = "" if NOTHING.fullmatch(end) else end
    if not first and not last:
        return Dated("", "")
    words = " - ".join(_words(*one) for one in ((first, start_is_bc), (last, end_is_bc)) if one[0])
    try:
        if not (first and last):
            only = _edtf(first or last, start_is_bc if first else end_is_bc)
            return Dated(words, f"{only}/.." if first else f"../{only}", f"has only {'a start' if first else 'an end'}")
        return Dated(words, _span(first, start_is_bc, last, end_is_bc))
    except DateProblem as problem:
        return Dated(words, "", f"{problem}; the words are kept, the record counts as undated")


def _words(day: str, is_bc: bool) -> str:
    return f"{day} BC" if is_bc else day


def _span(first: str, first_is_bc: bool, last: str, last_is_bc: bool) -> str:
    starts, ends = _parts(first, first_is_bc), _parts(last, last_is_bc)
    if starts > ends[: len(starts)] and starts[: len(ends)] > ends:
        raise DateProblem(f"{_words(first, first_is_bc)} is after {_words(last, last_is_bc)}; they may be swapped")
    years_fit = all(-FOUR_DIGITS <= parts[0] <= FOUR_DIGITS for parts in (starts, ends))
    if years_fit and len(starts) == len(ends) == 3:
        # The portal's first and last days of a year or a month stand for the whole of it.
        return edtf_of_portal(f"{_portal(starts)} - {_portal(ends)}")
    begin, finish = _edtf(first, first_is_bc), _edtf(last, last_is_bc)
    edtf = begin if begin == finish else f"{begin}/{finish}"
    years(edtf)
    return edtf


def _parts(day: str, is_bc: bool) -> tuple[int, ...]:
    """Year, month, day, as far as they are given; the year in astronomical counting."""
    match = DAY.fullmatch(day)
    if not match:
        raise DateProblem(f"{day!r} is no date; write for example 1909-01-31")
    found = [int(part) for part in match.groups() if part is not None]
    while len(found) > 1 and not found[-1]:
        found.pop()  # 1909-00-00
    if not found[0]:
        raise DateProblem(f"{day!r}: there is no year 0")
    if 0 in found:
        raise DateProblem(f"{day!r} has a day of no month")
    return (1 - found[0] if is_bc else found[0], *found[1:])


def _portal(parts: tuple[int, ...]) -> str:
    year, month, day = parts
    return f"{'-' if year < 0 else ''}{abs(year):04}-{month:02}-{day:02}"


def _edtf(day: str, is_bc: bool) -> str:
    year, *rest = _parts(day, is_bc)
    if abs(year) > FOUR_DIGITS:
        return f"Y{year}"
    edtf = "-".join([f"{'-' if year < 0 else ''}{abs(year):04}", *(f"{part:02}" for part in rest)])
    years(edtf)
    return edtf
