"""From the rows of games to what a test says: its figure, its verdict, and both in words.

This module needs scipy, so only commands and workers import it.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from catalogue.claims.definitions import ClaimTest, Condition
from catalogue.claims.verdicts import of_demand
from catalogue.texts.outcomes import Outcome
from simulator.engine.ends import UNFINISHED
from simulator.engine.family import Measure
from simulator.engine.tally import END, ended_label
from simulator.statistics.bounded import (
    BoundedFigure,
    Bounds,
    Holds,
    always,
    at,
    bounded_difference,
    bounded_mean,
    bounded_share,
    bounds,
    compared,
    part_of,
)
from simulator.statistics.intervals import Interval
from simulator.statistics.rows import amount_text, change_text, decimals, percent_of, share_text

# Changes when a verdict would come out differently from the same rows.
VERDICTS_VERSION = 1

Rows = NDArray[np.int32]


@dataclass(frozen=True, slots=True)
class Finding:
    """What one test says, and the figure it rests on."""

    outcome: Outcome
    figure: BoundedFigure
    text: str


class Games:
    """The games of a batch as far as a test looks at them: columns by name, and the bounds of each measure."""

    def __init__(self, rows: Rows, measures: Sequence[Measure], cap: int) -> None:
        """rows: int32[games, measures]"""
        self.cap = cap
        self.measures = {measure.name: measure for measure in measures}
        self.columns = {measure.name: rows[:, place] for place, measure in enumerate(measures)}
        self.count = len(rows)

    def bounds(self, name: str) -> Bounds:
        return bounds(self.measures[name], self.columns, self.cap)

    def fulfil(self, conditions: Iterable[Condition]) -> Holds:
        holds = always(self.count)
        for one in conditions:
            holds &= self._holds(one)
        return holds

    def _holds(self, one: Condition) -> Holds:
        left = self.bounds(one.measure)
        if one.measure == END and one.value == UNFINISHED:
            # Said of our cap, not of the game: known of every game.
            seen = self.columns[END].astype(np.int64)
            left = Bounds(seen, seen, left.defined, left.reached)
        right = self.bounds(one.value) if isinstance(one.value, str) else at(one.value)
        return compared(left, one.comparison, right)


def names_of_columns(test: ClaimTest, measures: Sequence[Measure]) -> list[str]:
    """The columns that a test looks at, in the order of the rows."""
    wanted = {END, test.measure}
    for one in (*test.of, *test.among):
        wanted |= {one.measure, str(one.value)}
    by_name = {measure.name: measure for measure in measures}
    parts = {part_of(by_name[name], by_name) for name in wanted & by_name.keys()}
    wanted |= {ended_label(part) for part in parts if part}
    return [measure.name for measure in measures if measure.name in wanted]


def finding(test: ClaimTest, games: Sequence[Games]) -> Finding:
    """The verdict of a test on the games of its sides: one, or two of as many games for a difference."""
    first = games[0]
    if test.kind == "share":
        figure = bounded_share(first.fulfil(test.among), first.fulfil(test.of))
    elif test.kind == "mean":
        figure = bounded_mean(first.bounds(test.measure))
    else:
        figure = bounded_difference(first.bounds(test.measure), games[1].bounds(test.measure))
    return Finding(_outcome(test, figure), figure, _text(test, figure, first))


def _outcome(test: ClaimTest, figure: BoundedFigure) -> Outcome:
    met = test.demand.met(figure.low, figure.high)
    if figure.balance is not None and test.demand.met(*figure.balance) != met:
        # The games that were stopped could turn it.
        met = None
    return of_demand(met)


def _text(test: ClaimTest, figure: BoundedFigure, games: Games) -> str:
    if test.kind == "share":
        return _share_words(figure, games)
    measure = games.measures[test.measure]
    if test.kind == "mean":
        return _mean_words(figure, measure, games)
    return _difference_words(figure, measure, games)


def _share_words(figure: BoundedFigure, games: Games) -> str:
    open_ = figure.counts["open"] + figure.counts["outside"]
    if not figure.games and not open_:
        return f"None of the {games.count:,} games was of this kind, so there is nothing to judge by."
    if not open_:
        interval = Interval(_number(figure.value), figure.low, figure.high)
        return f"{share_text(interval)} of {figure.games:,} games."
    stopped = (
        f"our cap of {games.cap:,} turns stopped {open_:,} of {games.count:,} games that could still go either way"
    )
    if figure.least is None or figure.most is None or figure.low is None or figure.high is None:
        return f"Not known: {stopped}."
    places = decimals(50 * (figure.high - figure.low), least=1)
    least, most, low, high = (f"{100 * one:.{places}f}" for one in (figure.least, figure.most, figure.low, figure.high))
    return f"{least} to {most} % ({low} to {high}): {stopped}."


def _mean_words(figure: BoundedFigure, measure: Measure, games: Games) -> str:
    if figure.least is None:
        return f"None of the {games.count:,} games tells."
    if figure.value is not None:
        return (
            f"{amount_text(Interval(figure.value, figure.low, figure.high), measure.unit)}, of {figure.games:,} games."
        )
    share = percent_of(figure.counts["open"], games.count)
    high = None if figure.low is None else 2 * figure.least - figure.low
    least = amount_text(Interval(figure.least, figure.low, high), measure.unit)
    return f"At least {least}: our cap of {games.cap:,} turns stopped {share} of the games."


def _difference_words(figure: BoundedFigure, measure: Measure, games: Games) -> str:
    if figure.value is None:
        return f"None of the {games.count:,} pairs of games tells."
    kinds = ("more", "less", "same", "open", "stopped")
    pairs = sum(figure.counts[kind] for kind in kinds[:-1])
    more, less, same, open_, stopped = (percent_of(figure.counts[kind], pairs) for kind in kinds)
    mean = change_text(Interval(figure.value, figure.low, figure.high), measure.unit)
    words = f"{mean} on average. Of {pairs:,} pairs of games {more} have more under the first ruleset, {less} fewer"
    if not figure.counts["stopped"]:
        return f"{words}, {same} as many."
    cut = f"our cap of {games.cap:,} turns, up to which is counted, stopped a game in {stopped} of the pairs"
    return f"{words}, {same} as many, {open_} are open; {cut}."


def _number(value: float | None) -> float:
    assert value is not None
    return value
