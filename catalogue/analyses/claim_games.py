"""What a test of a claim is judged by: the games of its batches, as far as it looks at them, and a judgement."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from catalogue.analyses.claim_definitions import ClaimTest, Condition
from catalogue.models import Verdict
from simulator.engine.ends import UNFINISHED
from simulator.engine.family import Measure
from simulator.engine.tally import END, ended_label
from simulator.statistics import bounded

Rows = NDArray[np.int32]
Hashes = NDArray[np.int64]
NO_FIGURE = bounded.BoundedFigure(None, None, None, None, None, 0)


@dataclass(frozen=True, slots=True)
class Judgement:
    """A verdict on one test, the figure it rests on, and the figure in words. A proof has no figure."""

    kind: Verdict.Kind
    text: str
    figure: bounded.BoundedFigure = NO_FIGURE


def kind_of(met: bool | None) -> Verdict.Kind:
    if met is None:
        return Verdict.Kind.UNDECIDED
    return Verdict.Kind.SUPPORTED if met else Verdict.Kind.NOT_SUPPORTED


class Games:
    """The games of a batch as far as a test looks at them: columns by name, and the bounds of each measure."""

    def __init__(self, rows: Rows, measures: Sequence[Measure], cap: int, hashes: Hashes | None = None) -> None:
        """rows: int32[games, measures]; hashes: int64[games], of all that was counted of each game, if it is wanted"""
        self.cap, self.hashes = cap, hashes
        self.measures = {measure.name: measure for measure in measures}
        self.columns = {measure.name: rows[:, place] for place, measure in enumerate(measures)}
        self.count = len(rows)

    def bounds(self, name: str) -> bounded.Bounds:
        return bounded.bounds(self.measures[name], self.columns, self.cap)

    def fulfil(self, conditions: Iterable[Condition]) -> bounded.Holds:
        holds = bounded.always(self.count)
        for condition in conditions:
            holds &= self._holds(condition)
        return holds

    def _holds(self, one: Condition) -> bounded.Holds:
        left = self.bounds(one.measure)
        if one.measure == END and one.value == UNFINISHED:
            # That our cap stopped a game is known of every game.
            seen = self.columns[END].astype(np.int64)
            left = bounded.Bounds(seen, seen, left.defined, left.reached)
        right = self.bounds(one.value) if isinstance(one.value, str) else bounded.at(one.value)
        return bounded.compared(left, one.comparison, right)


def names_of_columns(test: ClaimTest, measures: Sequence[Measure]) -> list[str]:
    """The columns that a test looks at, in the order of the rows."""
    wanted = {END, test.measure}
    for one in (*test.of, *test.among):
        wanted |= {one.measure, str(one.value)}
    by_name = {measure.name: measure for measure in measures}
    parts = {bounded.part_of(by_name[name], by_name) for name in wanted & by_name.keys()}
    wanted |= {ended_label(part) for part in parts if part}
    return [measure.name for measure in measures if measure.name in wanted]
