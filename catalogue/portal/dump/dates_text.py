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
WITHOUT_MONTH = re.compile(r"\d+[-/.]0{1,2}[-/.]0*[1-9]")
FOUR_DIGITS = 9999
NEW_YEAR, NEW_YEARS_EVE = (1, 1), (12, 31)

Parts = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Dated:
    """words: as the portal prints them; edtf: "" if there is none; oddity: "" if all is well"""

    words: str
    edtf: str
    oddity: str = ""


@dataclass(frozen=True, slots=True)
class PortalDay:
    """A day as printed, and whether it is before the common era; era: what stands there instead of 1 or 0, else """ ""

    printed: str
    is_bc: bool = False
    era: str = ""

    @property
    def words(self) -> str:
        if self.era:
            return f"{self.printed} (BC: {self.era})"
        return f"{self.printed} BC" if self.is_bc else self.printed


def portal_day(printed: str, bc: str) -> PortalDay:
    """Of the columns DateStart and DateStartBC, or DateEnd and DateEndBC. "" or 0: of the common era; 1: before it"""
    printed = "" if NOTHING.fullmatch(printed) else printed
    return PortalDay(printed, bc == "1", "" if bc in ("", "0", "1") else bc)


def dated(first: PortalDay, last: PortalDay) -> Dated:
    if not first.printed and not last.printed:
        return Dated("", "")
    words = " - ".join(one.words for one in (first, last) if one.printed)
    try:
        return Dated(words, *_edtf_of(first, last))
    except DateProblem as problem:
        return Dated(words, "", f"{problem}; the words are kept, the record counts as undated")


def _edtf_of(first: PortalDay, last: PortalDay) -> tuple[str, str]:
    """EDTF, and what is odd."""
    if not (first.printed and last.printed):
        only = _written(_parts(first if first.printed else last))
        return (f"{only}/..", "has only a start") if first.printed else (f"../{only}", "has only an end")
    starts, ends = _parts(first), _parts(last)
    if starts > ends[: len(starts)] and starts[: len(ends)] > ends:
        raise DateProblem(f"{first.words} is after {last.words}; they may be swapped")
    no_month = [one.printed for one in (first, last) if WITHOUT_MONTH.match(one.printed)]
    odd = f"{' and '.join(dict.fromkeys(no_month))}: a day of no month; the year is kept" if no_month else ""
    return _span(starts, ends, before_our_era=first.is_bc or last.is_bc), odd


def _span(starts: Parts, ends: Parts, *, before_our_era: bool) -> str:
    """The portal's first and last days of a year or a month stand for the whole of it.

    Where an end was only given as a year before the common era, the portal writes 1 January for both ends.
    """
    ends_of_years = ((), NEW_YEARS_EVE, NEW_YEAR) if before_our_era else ((), NEW_YEARS_EVE)
    if starts[1:] in ((), NEW_YEAR) and ends[1:] in ends_of_years:
        starts, ends = starts[:1], ends[:1]
    four_digits = all(abs(parts[0]) <= FOUR_DIGITS for parts in (starts, ends))
    if four_digits and len(starts) == len(ends) == 3:
        return edtf_of_portal(f"{_portal(starts)} - {_portal(ends)}")
    begin, finish = _written(starts), _written(ends)
    edtf = begin if begin == finish else f"{begin}/{finish}"
    years(edtf)
    return edtf


def _parts(day: PortalDay) -> Parts:
    """Year, month, day, as far as they are given; the year in astronomical counting."""
    if day.era:
        raise DateProblem(f"{day.printed!r} is before the common era (1) or not (0), but the dump says {day.era}")
    match = DAY.fullmatch(day.printed)
    if not match:
        raise DateProblem(f"{day.printed!r} is no date; write for example 1909-01-31")
    found = [int(part) for part in match.groups() if part is not None]
    if not found[0]:
        raise DateProblem(f"{day.printed!r}: there is no year 0")
    given = found.index(0) if 0 in found else len(found)  # 1909-00-00
    return (1 - found[0] if day.is_bc else found[0], *found[1:given])


def _portal(parts: Parts) -> str:
    year, month, day = parts
    return f"{'-' if year < 0 else ''}{abs(year):04}-{month:02}-{day:02}"


def _written(parts: Parts) -> str:
    year, *rest = parts
    if abs(year) > FOUR_DIGITS:
        return f"Y{year}"
    edtf = "-".join([f"{'-' if year < 0 else ''}{abs(year):04}", *(f"{part:02}" for part in rest)])
    years(edtf)
    return edtf
