"""Dates of evidence: the words as printed, an EDTF string, and whole years to sort and filter by.

No calendar type holds what sources say ("the 1890s", "before 500 BCE"), so the year bounds are plain integers in
astronomical counting (0 is 1 BCE). Pure Python, no Django.
"""

import calendar
import re
from collections.abc import Iterator

PORTAL_RANGE = re.compile(r"(-?\d{1,4})-(\d{2})-(\d{2})\s*[-–/]\s*(-?\d{1,4})-(\d{2})-(\d{2})")
BARE_YEAR = re.compile(r"-?\d{4}")
BEFORE, OURS = r"B\.?\s?C\.?(?:\s?E\.?)?", r"C\.?\s?E\.?|A\.?\s?D\.?"
YEAR_OF_AN_ERA = rf"(?:A\.?\s?D\.?\s?)?\d{{1,5}}(?:\s?(?:{BEFORE}|{OURS}))?"
SPAN_OF_AN_ERA = re.compile(rf"(?P<first>{YEAR_OF_AN_ERA})(?:\s*[-–—/]\s*(?P<last>{YEAR_OF_AN_ERA}))?", re.IGNORECASE)
EDTF_DATE = re.compile(
    r"(?:(?P<far>Y-?[0-9]{5,})|(?P<year>-?(?:[0-9]{4}|[0-9]{3}X|[0-9]{2}XX))"
    r"(?:-(?P<month>[0-9]{2}|XX)(?:-(?P<day>[0-9]{2}|XX))?)?)[?~%]?"
)
SHORT_YEAR = re.compile(r"-?[0-9]{1,3}[?~%]?")
SEASONS = range(21, 25)
FOUR_DIGITS = 9999

Years = tuple[int | None, int | None]
Day = tuple[int, int, int]


class DateProblem(ValueError):
    """The text is not a date this catalogue can hold; the message says what was wrong and shows a valid form."""


def years(edtf: str) -> Years:
    """Earliest and latest year of an EDTF string; None where it leaves that end open or unknown.

    Understood: EDTF levels 0 and 1 without time of day: `1909`, `1923-06`, `1923-06-01`, `189X`, `-0499`,
    `Y-12000`, a trailing `?`, `~` or `%`, and intervals `1923-06/1923-12`, `1909/..`, `../1500`. Empty: undated.

    >>> years("1923-06/1923-12")
    (1923, 1923)
    >>> years("189X")
    (1890, 1899)
    """
    if not edtf:
        return None, None
    parts = edtf.split("/")
    if len(parts) == 1:
        first, last = _days(edtf)
        return first[0], last[0]
    if len(parts) > 2:
        raise DateProblem(f"{edtf!r} is no EDTF date: an interval has one slash, as in 1873/1909")
    begin, end = (None if part in ("", "..") else _days(part) for part in parts)
    if begin is None and end is None:
        raise DateProblem(f"{edtf!r} names no date; leave the field empty for an undated record")
    if begin is not None and end is not None and begin[0] > end[1]:
        raise DateProblem(f"{edtf!r} ends before it begins; did you mean {parts[1]}/{parts[0]}?")
    return begin and begin[0][0], end and end[1][0]


def _days(date: str) -> tuple[Day, Day]:
    """The first day and the last one that an EDTF date may mean; a season may be any part of its year."""
    match = EDTF_DATE.fullmatch(date)
    if not match:
        if SHORT_YEAR.fullmatch(date):
            raise DateProblem(
                f"{date!r} is no EDTF date: a year has four digits, as in {iso_year(int(date.rstrip('?~%')))}"
            )
        raise DateProblem(f"{date!r} is no EDTF date; write for example 1909, 1923-06, 189X or 1873/1909")
    far, year, month, day = match.group("far", "year", "month", "day")
    if far:
        number = int(far[1:])
        if abs(number) <= FOUR_DIGITS:
            raise DateProblem(f"{date!r} is no EDTF date: Y is for years of five digits; write {iso_year(number)}")
        return (number, 1, 1), (number, 12, 31)
    if year == "-0000":
        raise DateProblem(f"{date!r} is no EDTF date: the year 0 has no sign; 0000 is 1 BCE, -0001 is 2 BCE")
    if month and "X" in year:
        raise DateProblem(f"{date!r} is no EDTF date of level 1: a year that is not known has no month; write {year}")
    if month == "XX" and day not in (None, "XX"):
        raise DateProblem(f"{date!r} has a day of no month; write {year} or {year}-XX-XX")
    first, last = sorted(int(year.replace("X", digit)) for digit in "09")
    return _within(first, last, month or "XX", day or "XX", date)


def _within(first: int, last: int, month: str, day: str, words: str) -> tuple[Day, Day]:
    if month == "XX":
        return (first, 1, 1), (last, 12, 31)
    if int(month) in SEASONS and day == "XX" and words.count("-", 1) == 1:
        return (first, 1, 1), (last, 12, 31)
    if not 1 <= int(month) <= 12:
        raise DateProblem(f"{words!r} has no month {month}; months are 01 to 12 (seasons 21 to 24, without a day)")
    if day == "XX":
        return (first, int(month), 1), (last, int(month), _longest(last, int(month)))
    _check_day(first, int(month), int(day), words)
    return (first, int(month), int(day)), (last, int(month), int(day))


def century_of(year: int) -> tuple[int, int]:
    """First and last year of the hundred years that a year belongs to, none of which lies on both sides of 1 BCE | 1.

    Those of the common era are called by their hundreds, 1900–1999; those before it are counted, 700–601 BCE.

    >>> century_of(1923), century_of(-699), century_of(0), century_of(1)
    ((1900, 1999), (-699, -600), (-99, 0), (1, 99))
    """
    if year > 0:
        return max(1, year // 100 * 100), year // 100 * 100 + 99
    hundreds = -year // 100 * 100
    return -hundreds - 99, -hundreds


def centuries_of(first: int, last: int) -> Iterator[tuple[int, int]]:
    """The hundreds of years that a span touches, in their order.

    >>> list(centuries_of(-120, 99))
    [(-199, -100), (-99, 0), (1, 99)]
    """
    begin = first
    while begin <= last:
        century = century_of(begin)
        yield century
        begin = century[1] + 1


def iso_year(year: int) -> str:
    """An astronomical year with four digits at least: 0044, -0043.

    >>> iso_year(-43)
    '-0043'
    """
    return f"{'-' if year < 0 else ''}{abs(year):04}"


def _check_day(year: int, month: int, day: int, words: str) -> None:
    if not 1 <= month <= 12:
        raise DateProblem(f"{words!r} has no month {month:02}; months are 01 to 12")
    longest = _longest(year, month)
    if not 1 <= day <= longest:
        raise DateProblem(f"{words!r} has no day {day:02}; that month has {longest} days")


def _longest(year: int, month: int) -> int:
    """The last day of a month; leap years repeat every 400 years, which keeps `calendar` to years it knows."""
    return calendar.monthrange(2000 + year % 400, month)[1]


def edtf_of_portal(words: str) -> str:
    """The EDTF string of a portal date such as `1909-01-01 - 1909-12-31`, `1909` or `700 BC - 601 BC`; else "".

    Years of another calendar ("600 AH") are no years of ours, and give "". Whole years and whole months are written as
    such: that is what the portal's first and last days stand for.

    >>> edtf_of_portal("1909-01-01 - 1909-12-31")
    '1909'
    >>> edtf_of_portal("1923-06-01 - 1923-12-31")
    '1923-06/1923-12'
    """
    words = " ".join(words.split())
    match = PORTAL_RANGE.fullmatch(words)
    if BARE_YEAR.fullmatch(words):
        years(words)
        return words
    if not match:
        return _of_an_era(words)
    numbers = [int(group) for group in match.groups()]
    first, last = (numbers[0], numbers[1], numbers[2]), (numbers[3], numbers[4], numbers[5])
    for day in (first, last):
        _check_day(*day, words)
    if first > last:
        raise DateProblem(f"{words!r} ends before it begins")
    begin, end = _shortest(first, last)
    return begin if begin == end else f"{begin}/{end}"


AROUND = re.compile(r"(?:c\.|ca\.|circa|about|around)\s*(?P<year>\d{3,4})", re.IGNORECASE)
DECADE = re.compile(r"(?:the\s+)?(?P<tens>\d{2,3})0['’]?s", re.IGNORECASE)
CENTURY = re.compile(r"(?:the\s+)?(?P<number>\d{1,2})(?:st|nd|rd|th)\s+(?:century|c\.)", re.IGNORECASE)
SPAN = re.compile(r"(?P<first>\d{4})\s*(?:[-–—/]|to)\s*(?P<last>\d{4}|\d{2})")


def edtf_of_words(words: str) -> str:
    """The EDTF string of a date as a book prints it; "" where the words tell no years.

    >>> [edtf_of_words(words) for words in ("1909", "c. 1880", "the 1890s", "19th century", "1873–74", "Lent")]
    ['1909', '1880~', '189X', '18XX', '1873/1874', '']
    """
    words = " ".join(words.split()).rstrip(".")
    if around := AROUND.fullmatch(words):
        return f"{int(around['year']):04}~"
    if decade := DECADE.fullmatch(words):
        return f"{decade['tens']:0>3}X"
    if (century := CENTURY.fullmatch(words)) and int(century["number"]) > 0:
        return f"{int(century['number']) - 1:02}XX"
    if span := SPAN.fullmatch(words):
        last = span["first"][: 4 - len(span["last"])] + span["last"]
        edtf = f"{span['first']}/{last}"
        years(edtf)
        return edtf
    if EDTF_DATE.fullmatch(words):
        years(words)
        return words
    return edtf_of_portal(words)


def _of_an_era(words: str) -> str:
    """Years of which at least one names its era; one without takes that of the other, as in "700–601 BC"."""
    match = SPAN_OF_AN_ERA.fullmatch(words)
    if not match or not re.search("[A-Za-z]", words):
        return ""
    ends = [end for end in match.group("first", "last") if end]
    before = [bool(re.search(BEFORE, end, re.IGNORECASE)) for end in ends]
    if not re.search("[A-Za-z]", ends[0]):
        before[0] = before[-1]
    elif not re.search("[A-Za-z]", ends[-1]) and before[0]:
        return ""  # "100 BC – 50" may end in either era
    numbers = [int(re.sub(r"\D", "", end)) for end in ends]
    if 0 in numbers:
        raise DateProblem(f"{words!r}: there is no year 0")
    written = [_year_written(1 - n if bc else n) for n, bc in zip(numbers, before, strict=True)]
    edtf = "/".join(dict.fromkeys(written))
    years(edtf)
    return edtf


def _year_written(year: int) -> str:
    return iso_year(year) if abs(year) <= FOUR_DIGITS else f"Y{year}"


def _shortest(first: Day, last: Day) -> tuple[str, str]:
    whole_months = first[2] == 1 and last[2] == _longest(last[0], last[1])
    if whole_months and first[1] == 1 and last[1] == 12:
        return _written(first[:1]), _written(last[:1])
    if whole_months:
        return _written(first[:2]), _written(last[:2])
    return _written(first), _written(last)


def _written(parts: tuple[int, ...]) -> str:
    return "-".join([iso_year(parts[0]), *(f"{part:02}" for part in parts[1:])])
