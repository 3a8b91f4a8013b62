"""A figure as a row: key, title, value, limits, unit, number of games, a note, and its words for a page.

Words have no more digits than the interval bears, and the interval always stands beside the figure.
"""

from collections.abc import Callable
from math import ceil, floor, log10
from typing import Any

from simulator.engine.family import Measure
from simulator.engine.naming import Part
from simulator.statistics.distributions import Distribution, Reach
from simulator.statistics.intervals import Interval, share

MOST_DECIMALS = 6

Words = Callable[[Interval], str]
Row = dict[str, Any]
QUANTILES = (10, 25, 50, 75, 90)
NO_GAMES = "none of the games tells"
NOT_MEASURED = "not measured"
# Units that no amount has.
SHARE, BALANCE = "share", "difference of shares"


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
    """Return a number without a unit, such as a ratio: "1.80 (1.74 to 1.86)"."""
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
    """Return the decimals that show two digits of half the interval's width."""
    if half_width <= 0:
        return least
    return min(MOST_DECIMALS, max(least, 1 - floor(log10(half_width))))


def percent_of(count: int, games: int) -> str:
    """Return a plain share, for a sentence, rounded so that some is never none and not all is never all."""
    if count in (0, games):
        return "0 %" if count == 0 else "100 %"
    places = max(1, ceil(-log10(min(count, games - count) / games)) - 2)
    return f"{100 * count / games:.{places}f} %"


def row(key: str, title: str, figure: Interval | None, *, unit: str, n: int, text: str, note: str = "") -> Row:
    value, low, high = figure or (None, None, None)
    limits = {"value": value, "low": low, "high": high}
    return {"key": key, "title": title, **limits, "unit": unit, "n": n, "text": text, "note": note}


def share_row(key: str, title: str, successes: int, games: int, note: str = "") -> Row:
    """Return a share of the games with its Wilson interval; carries the exact count too."""
    figure = share(successes, games)
    content = row(key, title, figure, unit=SHARE, n=games, text=share_text(figure), note=note)
    return {**content, "count": successes}


def not_measured(key: str, title: str, unit: str, note: str = "") -> Row:
    """Return the row of a measure that was not counted when the games were played."""
    return row(key, title, None, unit=unit, n=0, text=NOT_MEASURED, note=note)


def measure_rows(measure: Measure, values: Distribution, part: Part | None = None) -> list[Row]:
    """Return the mean (or restricted mean) and quantiles of one measure.

    part: the words for the part of the game the measure belongs to, if that is not the whole game
    """
    return [mean_row(measure, values, part), *(_quantile_row(measure, values, percent) for percent in QUANTILES)]


def mean_row(measure: Measure, values: Distribution, part: Part | None = None) -> Row:
    figure = values.mean()
    restricted = values.reach is Reach.RESTRICTED
    kind, called = ("restricted_mean", "restricted mean") if restricted else ("mean", "mean")
    return row(
        f"{measure.name}_{kind}",
        f"{measure.title}, {called}{_up_to(values)}",
        figure,
        unit=measure.unit,
        n=values.games,
        text=amount_text(figure, measure.unit) if figure else NO_GAMES,
        note=_mean_note(values, part),
    )


def _quantile_row(measure: Measure, values: Distribution, percent: int) -> Row:
    figure = values.quantile(percent)
    called = "median" if percent == 50 else f"{percent} % quantile"
    text = quantile_text(figure, measure.unit) if figure else (_not_reached(values) if values.games else NO_GAMES)
    title = f"{measure.title}, {called}{_up_to(values) if values.reach is Reach.UP_TO_CAP else ''}"
    return row(f"{measure.name}_q{percent}", title, figure, unit=measure.unit, n=values.games, text=text)


def _left_out(values: Distribution, part: Part | None) -> str:
    return part.left_out.format(f"{values.left_out:,}") if part and values.left_out else ""


def _up_to(values: Distribution) -> str:
    return f" up to turn {values.cap:,}" if values.reach in (Reach.RESTRICTED, Reach.UP_TO_CAP) else ""


def _not_reached(values: Distribution) -> str:
    known = values.games - values.beyond
    return f"not reached: only {percent_of(known, values.games)} had ended at the cap of {values.cap:,} turns"


def _mean_note(values: Distribution, part: Part | None) -> str:
    if values.reach is Reach.RESTRICTED:
        note = (
            f"{percent_of(values.beyond, values.games)} had not ended at the cap and count as {values.cap:,} turns: "
            f"the mean without a cap is larger. {_left_out(values, part)}"
        )
        return note.rstrip()
    if values.reach is Reach.UP_TO_CAP:
        return "What stood at the end or at the cap, whichever came first; unfinished games would have added to it."
    if part and values.reach is Reach.ENDED_ONLY:
        return f"Over {part.among}. {part.others.format(f'{values.left_out:,}')}"
    return _left_out(values, part)
