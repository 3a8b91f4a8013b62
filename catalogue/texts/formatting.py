"""Numbers, years and sentences as people write them. Pages import this, so it needs no statistics."""

from collections.abc import Sequence

from simulator.statistics.intervals import Interval


def plain(number: float, unit: str) -> str:
    """ "51.3 %", or "1,962.14"."""
    return f"{100 * number:.1f} %" if unit == "share" else f"{number:,.2f}"


def in_points(difference: Interval) -> str:
    """ "38.6 percentage points (37.7 to 39.5)", with the sign left out."""
    value, (low, high) = difference.without_sign.value, difference.without_sign.limits
    return f"{100 * value:.1f} percentage points ({100 * low:.1f} to {100 * high:.1f})".replace("-", "−")


def in_percent(share: Interval) -> str:
    """ "23.5 % (22.9 to 24.1)", with as many digits as tell the limits apart; none and all have no more."""
    least, most = share.limits
    places = 1 if most - least >= 0.002 else 3
    value, low, high = (f"{100 * part:.{0 if part in (0, 1) else places}f}" for part in (share.value, least, most))
    return f"{value} % ({low} to {high})"


def of_hundred(share: float) -> str:
    """How many of a hundred, as one says it aloud: "96 of 100", "none of 100", "fewer than 1 of 100"."""
    if share in (0, 1):
        return "100 of 100" if share else "none of 100"
    number = round(100 * share)
    return {0: "fewer than 1 of 100", 100: "more than 99 of 100"}.get(number, f"{number} of 100")


def year_words(year: int | None) -> str:
    """A year as people write it; years before the common era are counted without a year 0."""
    if year is None:
        return ""
    return str(year) if year > 0 else f"{1 - year} BCE"


def span_words(first: int | None, last: int | None) -> str:
    """Years in words: 1909, 1870–1910, 50 BCE–50 CE, before 1500, undated."""
    if first is None and last is None:
        return "undated"
    if first is None or last is None:
        return f"before {year_words(last)}" if first is None else f"after {year_words(first)}"
    era = " CE" if first <= 0 < last else ""
    return year_words(first) if first == last else f"{year_words(first)}–{year_words(last)}{era}"


def as_sure_as(edtf: str, years: str) -> str:
    """Years in words, as sure as the date they are of: 1200~ is c. 1200, 1200? is 1200?, 1200% is c. 1200?"""
    about = "c. " if set(edtf) & set("~%") else ""
    return f"{about}{years}{'?' if set(edtf) & set('?%') else ''}"


def capitalised(words: str) -> str:
    """The words as at the beginning of a sentence: only the first letter changes, to a capital."""
    return words[:1].upper() + words[1:]


def lowered(words: str) -> str:
    """The words as within a sentence: only the first letter changes, to a small one."""
    return words[:1].lower() + words[1:]


def listed(words: Sequence[str]) -> str:
    """ "a", "a and b", "a, b and c"."""
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"


def shortened(text: str, most: int = 70) -> str:
    """The text, or its first whole words, of so many letters together, and an ellipsis."""
    return text if len(text) <= most else f"{text[:most].rsplit(' ', 1)[0]} …"
