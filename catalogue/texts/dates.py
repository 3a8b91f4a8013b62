"""Dates of evidence: the words as printed, an EDTF string, and whole years to sort and filter by.

No calendar type holds what sources say ("the 1890s", "before 500 BCE"), so the year bounds are plain integers in
astronomical counting (0 is 1 BCE). Pure Python, no Django.
"""

import calendar
import re
from collections.abc import Iterator

PORTAL_RANGE = re.compile(r"(-?\d{1,4})-(\d{2})-(\d{2})\s*[-–/]\s*(-?\d{1,4})-(\d{2})-(\d{2})")
BARE_YEAR = re.compile(r"-?\d{4}")
# Before our era and in it, as English and other languages print it.
BEFORE = r"B\.?\s?C\.?(?:\s?E\.?)?|v\.?\s?(?:Chr|u\.?\s?Z)\.?|av\.?\s?J\.?-?C\.?|a\.\s?C\.?(?!\s?E)|до\s?н\.?\s?э\.?"
OURS = r"C\.?\s?E\.?|A\.?\s?D\.?|n\.?\s?(?:Chr|u\.?\s?Z)\.?|ap\.?\s?J\.?-?C\.?|d\.\s?C\.?|н\.?\s?э\.?"
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


ROUGHLY = (
    r"(?:circa|circ|cca|ca|c|about|around|approximately|approx|roughly|um|vers)\.?\s*(?=\d|the\b|A\.?\s?D)|[~≈]\s*"
)
DOUBTFULLY = r"(?:probably|prob|perhaps|possibly|poss|apparently|likely)\.?\s+|\?\s*"
WITHIN = (  # a part of it: the whole is what is certain
    r"(?:(?:very\s+)?(?:early|mid|middle|late|later|beginning|end|close"
    r"|(?:first|second|third|fourth|last|[1-4](?:st|nd|rd|th))\s+(?:half|third|quarter|decades?))"
    r"(?:\s+(?:years|decades))?(?:\s+of)?(?:\s+(?:in\s+)?the)?[\s–-]+)"
)
PART_OF = re.compile(rf"(?:the\s+)?(?:{WITHIN}(?:(?:to|or|and|/)[\s–-]+)?)*{WITHIN}", re.IGNORECASE)
SURE = re.compile(rf"(?P<roughly>{ROUGHLY})?(?P<doubtfully>{DOUBTFULLY})?", re.IGNORECASE)
ERA = rf"(?P<before>{BEFORE})|(?P<ours>{OURS})"
ORDINAL = r"(?:(?P<number>\d{1,2})(?:st|nd|rd|th|\.)?|(?P<roman>[IVX]+)(?:th|e|ème)?)"
HUNDREDS = (
    r"(?P<hundreds>century|centuries|cent\.?|c\.?|jh\.?|jahrhundert|siècle|sec\.?|в\.?)"
    r"|(?P<thousands>millennium|mill\.?)"
)
CENTURY = re.compile(rf"(?:the\s+)?{ORDINAL}[\s-]*(?:{HUNDREDS})(?:\s*(?:{ERA}))?", re.IGNORECASE)
CENTURY_AFTER = re.compile(rf"(?:siglo|secolo|século|c)\.?\s?{ORDINAL}(?:\s*(?:{ERA}))?", re.IGNORECASE)
DECADE = re.compile(rf"(?:the\s+)?(?P<tens>\d{{2,3}})0['’]?s(?:\s*(?:{ERA}))?", re.IGNORECASE)
YEAR = re.compile(rf"(?P<early>A\.?\s?D\.?\s?)?(?P<year>\d{{1,5}})(?:\s*(?:{ERA}))?", re.IGNORECASE)
MONTHS = [month.casefold() for month in calendar.month_abbr[1:]]
QUARTERS = ("spring", "summer", "autumn", "winter")
MONTH = r"(?P<month>[A-Za-z]{3,9})\.?"
DAY = r"(?P<day>\d{1,2})(?:st|nd|rd|th)?"
OF_MONTH = [
    re.compile(rf"{form},?\s+(?P<year>\d{{4}})", re.IGNORECASE)
    for form in (MONTH, rf"{DAY}\s+{MONTH}", rf"{MONTH}\s+{DAY}")
]
OPEN_BEGIN = re.compile(
    r"(?:before|until|till|by|pre-?|ante|up\s+to|(?:no|not)\s+later\s+than)\s*(?=\d|A\.?\s?D|c|the\b|~)", re.IGNORECASE
)
OPEN_END = re.compile(
    r"(?:after|since|from|post-?|(?:no|not)\s+(?:earlier\s+than|before))\s*(?=\d|A\.?\s?D|c|the\b|~)", re.IGNORECASE
)
SPAN = re.compile(r"\s*(?:[–—/]|-{1,2}|\b(?:to|or|and|until|till)\b)\s*", re.IGNORECASE)


def edtf_of_words(words: str) -> str:
    """The EDTF string of a date as a book prints it; "" where the words tell no years of the common calendar.

    Of a part of a century, or of a year that may be one of two, all years are given that it may be of: never fewer.

    >>> [edtf_of_words(words) for words in ("1909", "c. 1880", "the 1890s", "19th century", "1873–74", "Lent")]
    ['1909', '1880~', '189X', '18XX', '1873/1874', '']
    >>> [edtf_of_words(words) for words in ("3rd c. BC", "late 18th century", "before 1500", "600 AH")]
    ['-0299/-0200', '17XX', '../1500', '']
    """
    words = re.sub("[−‐‑]", "-", " ".join(words.split()).strip(" .,;"))
    words = re.sub(r"^(?:in\s+)?(?:the\s+year|in|anno|im\s+jahre?)\s+|\s*(?:г|年)$", "", words, flags=re.IGNORECASE)
    if bracketed := re.fullmatch(r"\[(.+?)(\?)?\]", words):
        words = f"{bracketed[1]}?"  # not printed, but known
    words = re.sub(r"\s*\((\?)\)", r"\1", words)
    if EDTF_DATE.fullmatch(words):
        years(words)
        return words
    for form in (_open_span, _span, _date_in_words):
        if edtf := form(words):
            years(edtf)
            return edtf
    return edtf_of_portal(words)


# How another calendar is called in print: its year 1 begins in this year of ours, and goes on into the next.
BUDDHIST = -543  # a year later in Thailand than in Sri Lanka, so that three years of ours are offered
ELSEWHERE = {
    r"A\.?\s?H\.?|Hijr[iī]|Hegira": 622,
    r"S\.?\s?H\.?": 622,
    r"B\.?\s?E\.?|Buddhist Era": BUDDHIST,
    r"[SŚ](?:h)?aka(?:\s+era)?|S\.?\s?E\.?": 79,
    r"V\.?\s?S\.?|B\.?\s?S\.?|Vikram(?:a)?(?:\s+Sa[mṃ]vat)?|Sa[mṃ]vat": -56,
    r"A\.?\s?M\.?|Anno Mundi": -3760,
}
YEAR_OF_THE_MOON = 354.36707 / 365.2425  # of the first


def our_years_of(words: str) -> str:
    """The EDTF string of the years of ours in which a year of another calendar lies; "" of all other words.

    >>> [our_years_of(words) for words in ("600 AH", "Śaka 1830", "V.S. 1966", "B.E. 2450", "1909")]
    ['1203/1204', '1908/1909', '1909/1910', '1906/1908', '']
    """
    for number, (name, first) in enumerate(ELSEWHERE.items()):
        told = re.fullmatch(rf"(?:{name})\s?(?P<after>\d{{1,4}})|(?P<before>\d{{1,4}})\s?(?:{name})", words.strip(" ."))
        if told and (year := int(told["after"] or told["before"])):
            begin = int(first + 0.54 + (year - 1) * YEAR_OF_THE_MOON) if number == 0 else first + year - 1
            return f"{iso_year(begin)}/{iso_year(begin + (2 if first == BUDDHIST else 1))}"
    return ""


def _open_span(words: str) -> str:
    """Years with one end that is not told."""
    if begin := OPEN_BEGIN.match(words):
        last = _date_in_words(words[begin.end() :])
        return f"../{last.partition('/')[2] or last}" if last else ""
    if end := OPEN_END.match(words):
        first = _date_in_words(words[end.end() :])
        return f"{first.partition('/')[0]}/.." if first else ""
    if onwards := re.fullmatch(r"(.+?)\s*(?:onwards?|[-–—])", words):
        first = _date_in_words(onwards[1])
        return f"{first.partition('/')[0]}/.." if first else ""
    return ""


def _span(words: str) -> str:
    """Two dates with something between them; the first has the era, the hundreds and the doubts of the last."""
    words = re.sub(r"^(?:between|from)\s+", "", words, flags=re.IGNORECASE)
    for found in SPAN.finditer(words):
        first, last = words[: found.start()], words[found.end() :]
        if (short := re.fullmatch(r"\d{1,2}", last)) and re.search(r"(?<!\d)\d{4}$", first):
            last = first[-4 : -len(short[0])] + last
        era = re.search(rf"\s?(?:{ERA})$", last, re.IGNORECASE)
        hundreds = re.search(rf"(?<=\w)\s+(?:{HUNDREDS})(?=$|\s)", last, re.IGNORECASE)
        if hundreds and not re.search(rf"(?<=\w)\s+(?:{HUNDREDS})(?=$|\s)", first, re.IGNORECASE):
            first += hundreds[0]
        if era and not re.search(rf"(?:^|[\d\s.])(?:{ERA}|A\.?D\.?)(?!\w)", first, re.IGNORECASE):
            first += f" {era[0].strip()}"
        elif not era and re.search(rf"(?:{BEFORE})$", first, re.IGNORECASE) and not re.match(r"A\.?\s?D", last):
            return ""  # "100 BC – 50" may end in either era
        if re.fullmatch(r"(?:\d{1,2}\s+)?[A-Z][a-z]{2,8}\.?(?:\s+\d{1,2})?", first) and re.search(r"[A-Za-z]", last):
            first += f" {last[-4:]}"
        begin, end = _date_in_words(first), _date_in_words(last)
        if begin and end:
            return f"{begin.partition('/')[0]}/{end.partition('/')[2] or end}"
    return ""


def _date_in_words(words: str) -> str:
    """One date: a century, a decade, a year, a month or a day, with what is said of how sure it is."""
    words = PART_OF.sub("", words.strip(), count=1) if PART_OF.match(words.strip()) else words.strip()
    said = SURE.match(words)
    words = words[said.end() :] if said else words
    is_rough = bool(said and said["roughly"])
    is_doubtful = bool(said and said["doubtfully"]) or words.endswith("?")
    mark = ("%" if is_doubtful else "~") if is_rough else "?" * is_doubtful
    words = words.rstrip("?").strip()
    if day := next(filter(None, (form.fullmatch(words) for form in OF_MONTH)), None):
        edtf = _of_a_month(**day.groupdict())
        return edtf and edtf + mark
    edtf = _years_in_words(words)
    if "/" in edtf:
        return "/".join(f"{end}{mark}" for end in edtf.split("/"))
    return edtf and edtf + mark


def _years_in_words(words: str) -> str:
    """A century, a decade or a year."""
    if century := CENTURY.fullmatch(words) or CENTURY_AFTER.fullmatch(words):
        told = century.groupdict()
        if told["roman"] and told["roman"] != told["roman"].upper():
            return ""
        number = int(told["number"]) if told["number"] else _of_roman(told["roman"])
        return _of_hundreds(number, 1000 if told.get("thousands") else 100, is_before=bool(told["before"]))
    if decade := DECADE.fullmatch(words):
        tens = int(decade["tens"])
        if decade["before"]:
            return f"{iso_year(-10 * tens - 8)}/{iso_year(1 - 10 * tens)}"
        return f"{tens // 10:02}XX" if tens % 10 == 0 else f"{tens:03}X"  # the 1800s may be ten years or a hundred
    year = YEAR.fullmatch(words)
    if not year or int(year["year"]) == 0:
        return ""
    has_era = year["early"] or year["before"] or year["ours"]
    if not has_era and len(year["year"]) not in (3, 4):
        return ""
    return _year_written(1 - int(year["year"]) if year["before"] else int(year["year"]))


def _of_hundreds(number: int, length: int, *, is_before: bool) -> str:
    """The n-th century or millennium of an era: 18XX, -0299/-0200."""
    if number == 0:
        return ""
    if is_before:
        return f"{iso_year(1 - number * length)}/{iso_year(-(number - 1) * length)}"
    if length == 100:
        return f"{number - 1:02}XX" if number > 1 else "0001/0099"
    return f"{iso_year(max(1, (number - 1) * length))}/{iso_year(number * length)}"


def _of_roman(numeral: str) -> int:
    values = [{"I": 1, "V": 5, "X": 10}[letter] for letter in numeral]
    return sum(-one if one < after else one for one, after in zip(values, [*values[1:], 0], strict=True))


def _of_a_month(month: str, year: str, day: str = "") -> str:
    name = month.casefold().replace("fall", "autumn")
    if name in QUARTERS and not day:
        return f"{year}-{21 + QUARTERS.index(name)}"
    number = next((n for n, one in enumerate(MONTHS, 1) if _is_month(name, n, one)), 0)
    return f"{year}-{number:02}{f'-{int(day):02}' if day else ''}" if number else ""


def _is_month(name: str, number: int, short: str) -> bool:
    return name in (short, calendar.month_name[number].casefold(), "sept" if short == "sep" else short)


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
