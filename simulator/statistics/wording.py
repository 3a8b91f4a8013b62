"""Figures as a reader sees them: no more digits than the interval bears, and the interval always beside them."""

from collections.abc import Callable
from math import ceil, floor, log10
from typing import Any

from simulator.statistics.intervals import Interval

MOST_DECIMALS = 6

Words = Callable[[Interval], str]


def with_text(figure: Interval, words: Words) -> dict[str, Any]:
    """`{value, low, high, text}`."""
    return {**figure._asdict(), "text": words(figure)}


def share_text(figure: Interval) -> str:
    """ "52.4 % (51.9 to 52.8)"."""
    return _text(figure, scale=100, unit=" %", least=1)


def difference_text(figure: Interval) -> str:
    """ "+3.1 percentage points (+2.4 to +3.8)"."""
    return _text(figure, scale=100, unit=" percentage points", least=1, sign="+")


def amount_text(figure: Interval, unit: str) -> str:
    """ "18.24 turns (18.19 to 18.29)"."""
    return _text(figure, scale=1, unit=f" {unit}", least=0)


def change_text(figure: Interval, unit: str) -> str:
    """ "+3.1 turns (+2.4 to +3.8)"."""
    return _text(figure, scale=1, unit=f" {unit}", least=0, sign="+")


def plain_text(figure: Interval) -> str:
    """A number without a unit, such as a ratio: "1.80 (1.74 to 1.86)"."""
    return _text(figure, scale=1, unit="", least=2)


def quantile_text(figure: Interval, unit: str) -> str:
    """ "18 turns (17 to 18)"; a limit that the games do not set is given in words."""
    value = f"{figure.value:,.0f} {unit.removesuffix('s') if figure.value == 1 else unit}"
    if figure.low is None and figure.high is None:
        return f"{value} (too few games for an interval)"
    if figure.low is None:
        return f"{value} (no lower limit, to {figure.high:,.0f})"
    if figure.high is None:
        return f"{value} ({figure.low:,.0f} to an upper limit beyond these games)"
    return f"{value} ({figure.low:,.0f} to {figure.high:,.0f})"


def _text(figure: Interval, *, scale: int, unit: str, least: int, sign: str = "") -> str:
    if figure.low is None or figure.high is None:
        return f"{_signed(figure.value * scale, max(least, 1), sign)}{unit} (too few games for an interval)"
    places = decimals((figure.high - figure.low) / 2 * scale, least=least)
    value, low, high = (_signed(number * scale, places, sign) for number in (figure.value, figure.low, figure.high))
    return f"{value}{unit} ({low} to {high})"


def _signed(number: float, places: int, sign: str) -> str:
    if number == 0:  # exactly none: decimals would look like a rounded little
        return "0"
    return f"{number:{sign},.{places}f}".replace("-", "−")


def decimals(half_width: float, least: int) -> int:
    """Decimals that show two digits of half the interval's width."""
    if half_width <= 0:
        return least
    return min(MOST_DECIMALS, max(least, 1 - floor(log10(half_width))))


def percent_of(count: int, games: int) -> str:
    """A plain share, for a sentence, rounded so that some is never none and not all is never all."""
    if count in (0, games):
        return "0 %" if count == 0 else "100 %"
    places = max(1, ceil(-log10(min(count, games - count) / games)) - 2)
    return f"{100 * count / games:.{places}f} %"
