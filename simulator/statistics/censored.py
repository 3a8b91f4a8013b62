"""What can be said of each game where the cap stopped some of them: the least and the most a measure can come to.

A game that our cap stopped was known up to there. What it had counted can only grow, how it would have ended is open.
A statement about it is therefore surely true, surely false, or possibly either.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from simulator.engine.ends import ENDLESS, UNFINISHED, WIN
from simulator.engine.family import COURSE, GAME, MOBILITY, Measure
from simulator.engine.tally import END, Integers, ended_label, winner_label

Columns = Mapping[str, NDArray[np.integer]]
Truths = NDArray[np.bool_]
NO_BOUND = np.iinfo(np.int64).max


@dataclass(frozen=True, slots=True)
class Bounds:
    """A measure game by game.

    least, most: int64[games], equal where the value is known; NO_BOUND where nothing bounds it from above. Of a measure
                 of the whole game the least is what had been counted when the cap stopped it.
    defined:     bool[games], False where the game has no such value, since that part of it never came
    reached:     bool[games], False too where that part had not ended when the cap stopped the game
    """

    least: Integers
    most: Integers
    defined: Truths
    reached: Truths

    @property
    def known(self) -> Truths:
        return np.asarray(self.defined & (self.least == self.most))


@dataclass(frozen=True, slots=True)
class Holds:
    """Whether a statement holds, game by game: bool[games] each; what is sure is possible."""

    surely: Truths
    possibly: Truths

    def __and__(self, other: "Holds") -> "Holds":
        return Holds(self.surely & other.surely, self.possibly & other.possibly)


def always(games: int) -> Holds:
    return Holds(np.ones(games, dtype=bool), np.ones(games, dtype=bool))


def bounds(measure: Measure, columns: Columns, cap: int) -> Bounds:
    """What the rows say of a measure; `columns` holds it, the kind of end, and what says that its part ended."""
    values = columns[measure.name].astype(np.int64)
    stopped = columns[END] == UNFINISHED
    every = np.ones(len(values), dtype=bool)
    if measure.name == END:
        return Bounds(np.where(stopped, WIN, values), np.where(stopped, ENDLESS, values), every, every)
    scope = part_of(measure, columns)
    if scope is None:
        if measure.scope == COURSE and measure.turn <= cap:
            return Bounds(values, values, every, every)
        least = np.where(stopped, 0, values) if measure.unit == "code" else values
        return Bounds(least, np.where(stopped, NO_BOUND, values), every, every)
    ended = columns[ended_label(scope)] == 1
    waiting = stopped & ~ended
    if measure.name == ended_label(scope):
        return Bounds(values, np.where(waiting, 1, values), every, every)
    lowest = -1 if measure.unit == "code" else (cap if measure.unit == "turns" else 0)
    least, most = np.where(waiting, lowest, values), np.where(waiting, NO_BOUND, values)
    return Bounds(least, most, ended | waiting, ended)


def part_of(measure: Measure, columns: Mapping[str, object]) -> str | None:
    """The part of the game, such as "first_round", that a measure or a label belongs to; None for the whole game."""
    if measure.scope in (GAME, MOBILITY, COURSE):
        return None
    if measure.unit != "code":
        return measure.scope
    stem = measure.name.removesuffix("_ended").removesuffix("_winner")
    return stem if measure.name in (ended_label(stem), winner_label(stem)) and ended_label(stem) in columns else None


def at(value: float) -> Bounds:
    """A number, known of every game."""
    number, always_true = np.array([value]), np.array([True])
    return Bounds(number, number, always_true, always_true)


def compared(left: Bounds, comparison: str, right: Bounds) -> Holds:
    """Whether left < <= = != >= > right holds. Where a game has no such value, no statement about it holds."""
    holds = _compared(left, comparison, right)
    defined = left.defined & right.defined
    return Holds(holds.surely & defined, holds.possibly & defined)


def _compared(left: Bounds, comparison: str, right: Bounds) -> Holds:
    if comparison == "<":
        return Holds(left.most < right.least, left.least < right.most)
    if comparison == "<=":
        return Holds(left.most <= right.least, left.least <= right.most)
    if comparison in (">", ">="):
        return _compared(right, comparison.replace(">", "<"), left)
    fixed = (left.least == left.most) & (right.least == right.most) & (left.least == right.least)
    disjoint = (left.most < right.least) | (left.least > right.most)
    if comparison == "=":
        return Holds(fixed, ~disjoint)
    if comparison == "!=":
        return Holds(disjoint, ~fixed)
    raise ValueError(f"there is no comparison {comparison!r}")
