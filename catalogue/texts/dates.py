"""Dates of evidence: the words as printed, an EDTF string, and whole years to sort and filter by.

No calendar type holds what sources say ("the 1890s", "before 500 BCE"), so the year bounds are plain integers in
astronomical counting (0 is 1 BCE). Pure Python, no Django.
"""

import calendar
import re

PORTAL_RANGE = re.compile(r"(-?\d{1,4})-(\d{2})-(\d{2})\s*[-–/]\s*(-?\d{1,4})-(\d{2})-(\d{2})")
BARE_YEAR = re.compile(r"-?\d{4}")
EDTF_DATE = re.compile(r"(-?)([0-9]{1,3}X{1,3}|[0-9]{4}|Y-?[0-9]{5,})(?:-([0-9]{2}|XX)(?:-([0-9]{2}|XX))?)?[?~%]?")
MONTHS_AND_SEASONS = (*range(1, 13), *range(21, 25))

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
        return _bounds(edtf)
    if len(parts) > 2:
        raise DateProblem(f"{edtf!r} is no EDTF date: an interval has one slash, as in 1873/1909")
    earliest = None if parts[0] in ("", "..") else _bounds(parts[0])[0]
    latest = None if parts[1] in ("", "..") else _bounds(parts[1])[1]
    if earliest is not None and latest is not None and earliest > latest:
        raise DateProblem(f"{edtf!r} ends before it begins; did you mean {parts[1]}/{parts[0]}?")
    return earliest, latest


def _bounds(date: str) -> tuple[int, int]:
    match = EDTF_DATE.fullmatch(date)
    if not match:
        raise DateProblem(f"{date!r} is no EDTF date; write for example 1909, 1923-06, 189X or 1873/1909")
    sign, year, month, day = match.groups()
    if year.startswith("Y"):
        number = int(year[1:])
        return number, number
    if len(year) != 4:
        raise DateProblem(f"{date!r} is no EDTF date: a year has four digits, as in {year.zfill(4)}")
    first, last = int(year.replace("X", "0")), int(year.replace("X", "9"))
    if sign:
        first, last = -last, -first
    if month and month != "XX" and int(month) not in MONTHS_AND_SEASONS:
        raise DateProblem(f"{date!r} has no month {month}; months are 01 to 12 (seasons 21 to 24)")
    if day and day != "XX" and month != "XX":
        _check_day(first, int(month), int(day), date)
    return first, last


def _check_day(year: int, month: int, day: int, words: str) -> None:
    if not 1 <= month <= 12:
        raise DateProblem(f"{words!r} has no month {month:02}; months are 01 to 12")
    # The Gregorian pattern of leap years repeats every 400 years, which keeps `calendar` to years it knows.
    longest = calendar.monthrange(2000 + year % 400, month)[1]
    if not 1 <= day <= longest:
        raise DateProblem(f"{words!r} has no day {day:02}; that month has {longest} days")


def edtf_of_portal(words: str) -> str:
    """The EDTF string of a portal date such as `1909-01-01 - 1909-12-31`, or `1909`; "" if the words are neither.

    Whole years and whole months are written as such: that is what the portal's first and last days stand for.

    >>> edtf_of_portal("1909-01-01 - 1909-12-31")
    '1909'
    >>> edtf_of_portal("1923-06-01 - 1923-12-31")
    '1923-06/1923-12'
    """
    match = PORTAL_RANGE.fullmatch(words.strip())
    if BARE_YEAR.fullmatch(words.strip()):
        return words.strip()
    if not match:
        return ""
    numbers = [int(group) for group in match.groups()]
    first, last = (numbers[0], numbers[1], numbers[2]), (numbers[3], numbers[4], numbers[5])
    for day in (first, last):
        _check_day(*day, words)
    if first > last:
        raise DateProblem(f"{words!r} ends before it begins")
    begin, end = _shortest(first, last)
    return begin if begin == end else f"{begin}/{end}"


def _shortest(first: Day, last: Day) -> tuple[str, str]:
    whole_months = first[2] == 1 and last[2] == calendar.monthrange(2000 + last[0] % 400, last[1])[1]
    if whole_months and first[1] == 1 and last[1] == 12:
        return _written(first[:1]), _written(last[:1])
    if whole_months:
        return _written(first[:2]), _written(last[:2])
    return _written(first), _written(last)


def _written(parts: tuple[int, ...]) -> str:
    year = f"{'-' if parts[0] < 0 else ''}{abs(parts[0]):04}"
    return "-".join([year, *(f"{part:02}" for part in parts[1:])])
