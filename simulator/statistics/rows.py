"""A figure of a batch as one row: key, title, value, limits, unit, number of games, the words for a page, a note."""

from typing import Any

from simulator.engine.family import Measure
from simulator.engine.naming import Part
from simulator.statistics.distributions import Distribution, Reach
from simulator.statistics.intervals import Interval, share
from simulator.statistics.wording import amount_text, percent_of, quantile_text, share_text

Row = dict[str, Any]

QUANTILES = (10, 25, 50, 75, 90)
NO_GAMES = "none of the games tells"
NOT_MEASURED = "not measured"
# Units that no amount has.
SHARE, BALANCE = "share", "difference of shares"


def row(key: str, title: str, figure: Interval | None, *, unit: str, n: int, text: str, note: str = "") -> Row:
    value, low, high = figure or (None, None, None)
    limits = {"value": value, "low": low, "high": high}
    return {"key": key, "title": title, **limits, "unit": unit, "n": n, "text": text, "note": note}


def share_row(key: str, title: str, successes: int, games: int, note: str = "") -> Row:
    """A share of the games with its Wilson interval; carries the exact count too."""
    figure = share(successes, games)
    found = row(key, title, figure, unit=SHARE, n=games, text=share_text(figure), note=note)
    return {**found, "count": successes}


def not_measured(key: str, title: str, unit: str, note: str = "") -> Row:
    """Of a measure that was not counted when the games were played."""
    return row(key, title, None, unit=unit, n=0, text=NOT_MEASURED, note=note)


def measure_rows(measure: Measure, found: Distribution, part: Part | None = None) -> list[Row]:
    """Mean (or restricted mean) and quantiles of one measure.

    part: the words for the part of the game the measure belongs to, if that is not the whole game
    """
    return [mean_row(measure, found, part), *(_quantile_row(measure, found, percent) for percent in QUANTILES)]


def mean_row(measure: Measure, found: Distribution, part: Part | None = None) -> Row:
    figure = found.mean()
    restricted = found.reach is Reach.RESTRICTED
    kind, called = ("restricted_mean", "restricted mean") if restricted else ("mean", "mean")
    return row(
        f"{measure.name}_{kind}",
        f"{measure.title}, {called}{_up_to(found)}",
        figure,
        unit=measure.unit,
        n=found.games,
        text=amount_text(figure, measure.unit) if figure else NO_GAMES,
        note=_mean_note(found, part),
    )


def _quantile_row(measure: Measure, found: Distribution, percent: int) -> Row:
    figure = found.quantile(percent)
    called = "median" if percent == 50 else f"{percent} % quantile"
    text = quantile_text(figure, measure.unit) if figure else (_not_reached(found) if found.games else NO_GAMES)
    title = f"{measure.title}, {called}{_up_to(found) if found.reach is Reach.UP_TO_CAP else ''}"
    return row(f"{measure.name}_q{percent}", title, figure, unit=measure.unit, n=found.games, text=text)


def _left_out(found: Distribution, part: Part | None) -> str:
    return part.left_out.format(f"{found.left_out:,}") if part and found.left_out else ""


def _up_to(found: Distribution) -> str:
    return f" up to turn {found.cap:,}" if found.reach in (Reach.RESTRICTED, Reach.UP_TO_CAP) else ""


def _not_reached(found: Distribution) -> str:
    known = found.games - found.beyond
    return f"not reached: only {percent_of(known, found.games)} had ended at the cap of {found.cap:,} turns"


def _mean_note(found: Distribution, part: Part | None) -> str:
    if found.reach is Reach.RESTRICTED:
        note = (
            f"{percent_of(found.beyond, found.games)} had not ended at the cap and count as {found.cap:,} turns: "
            f"the mean without a cap is larger. {_left_out(found, part)}"
        )
        return note.rstrip()
    if found.reach is Reach.UP_TO_CAP:
        return "What stood at the end or at the cap, whichever came first; unfinished games would have added to it."
    if part and found.reach is Reach.ENDED_ONLY:
        return f"Over {part.among}. {part.others.format(f'{found.left_out:,}')}"
    return _left_out(found, part)
