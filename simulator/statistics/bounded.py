"""Figures with limits that hold whatever would have become of the games that our cap stopped.

A game that our cap stopped was known up to there. What it had counted can only grow, how it would have ended is open.
So a measure of it lies between a least and a most (`Bounds`), and a statement about it is surely true, surely false, or
possibly either (`Holds`).

Figures count each such game both ways. `least` and `most` are the figure if all of them went one way or all the other;
`low` is the lower 95 % limit of the one, `high` the upper limit of the other, so between them lies what chance and cap
together leave open. Where every game is known, the two agree and the limits are those of `intervals`.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from simulator.engine.ends import ENDLESS, UNFINISHED, WIN
from simulator.engine.family import COURSE, GAME, MOBILITY, Measure
from simulator.engine.tally import END, Integers, ended_label, winner_label
from simulator.statistics.distributions import Distribution, Reach
from simulator.statistics.intervals import Interval, difference_of_shares, share

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


def joined(parts: Iterable[Holds]) -> Holds:
    """Return whether a statement holds of the games of several batches, one after the other."""
    every = list(parts)
    return Holds(np.concatenate([one.surely for one in every]), np.concatenate([one.possibly for one in every]))


def bounds(measure: Measure, columns: Columns, cap: int) -> Bounds:
    """Return what the rows say of a measure; `columns` holds it, the kind of end, and what says that its part ended."""
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
    """Return the part of the game ("first_round") that a measure or a label belongs to; None for the whole game."""
    if measure.scope in (GAME, MOBILITY, COURSE):
        return None
    if measure.unit != "code":
        return measure.scope
    stem = measure.name.removesuffix("_ended").removesuffix("_winner")
    return stem if measure.name in (ended_label(stem), winner_label(stem)) and ended_label(stem) in columns else None


def at(value: float) -> Bounds:
    """Return a number, known of every game."""
    number, always_true = np.array([value]), np.array([True])
    return Bounds(number, number, always_true, always_true)


def compared(left: Bounds, comparison: str, right: Bounds) -> Holds:
    """Return whether left < <= = != >= > right holds. Where a game has no such value, no statement about it holds."""
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


@dataclass(frozen=True, slots=True)
class BoundedFigure:
    """A figure of some games.

    value:       None if games that were stopped leave it open
    least, most: what it can be; None where nothing is known, or nothing bounds it
    low, high:   95 % limits; None where there is no limit
    games:       number of games (or pairs of games) it rests on
    counts:      how many of them were of which kind
    balance:     of a difference, if the cap leaves pairs open: 95 % limits of the share of pairs in which there is
                 more, less the share in which there is less, with every open pair counted against and for it
    """

    value: float | None
    least: float | None
    most: float | None
    low: float | None
    high: float | None
    games: int
    counts: Mapping[str, int] = field(default_factory=dict)
    balance: tuple[float, float] | None = None


def bounded_share(among: Holds, of: Holds) -> BoundedFigure:
    """Return the share of the games fulfilling `of` among those fulfilling `among`, with Wilson's limits.

    counts: yes and no, as far as known; `open`: among them, and either; `outside`: they may be among them or not.
    """
    fulfil, fail, either = of.surely, ~of.possibly, of.possibly & ~of.surely
    perhaps = among.possibly & ~among.surely
    yes, no, open_ = (_count(among.surely & part) for part in (fulfil, fail, either))
    joining = [_count(perhaps & part) for part in (fulfil, fail, either)]
    # A game that may be left out is left out where it would help, and counted where it harms.
    lowest = _share(yes, yes + no + open_ + joining[1] + joining[2])
    highest = _share(yes + open_ + joining[0] + joining[2], yes + no + open_ + joining[0] + joining[2])
    known = open_ + sum(joining) == 0
    return BoundedFigure(
        value=lowest.value if known and lowest else None,
        least=lowest.value if lowest else None,
        most=highest.value if highest else None,
        low=lowest.low if lowest else None,
        high=highest.high if highest else None,
        games=yes + no + open_,
        counts={"yes": yes, "no": no, "open": open_, "outside": sum(joining)},
    )


def _share(successes: int, games: int) -> Interval | None:
    return share(successes, games) if games else None


def bounded_mean(measure: Bounds) -> BoundedFigure:
    """Return the mean over the games that have such a value, with Student's limits.

    counts: `known`; `open`: games whose value would have grown, so that only the least mean is known.
    """
    open_ = measure.defined & ~measure.known
    reached, every = (_mean(measure.least[games]) for games in (measure.reached, measure.defined))
    counts = {"known": _count(measure.known), "open": _count(open_)}
    games = _count(measure.defined)
    if not open_.any():
        value, low, high = every or (None, None, None)
        return BoundedFigure(value, value, value, low, high, games, counts)
    # A part that was never reached is in the mean only if it comes at all, so the smaller of the two is the least.
    lowest = min((mean for mean in (reached, every) if mean), key=lambda mean: mean.value)
    return BoundedFigure(None, lowest.value, None, lowest.low, None, games, counts)


def bounded_difference(first: Bounds, second: Bounds) -> BoundedFigure:
    """Return the mean of the differences, pair by pair: the first less the second, each counted up to the cap.

    Pairs in which a part of a game never came, or had not ended at the cap, are no part of the mean.
    counts: pairs in which there is surely more, less, or as much, and those that are `open`; of them all, those with a
    game that the cap `stopped`
    """
    defined, reached = first.defined & second.defined, first.reached & second.reached
    more = _count(defined & (first.least > second.most))
    less = _count(defined & (first.most < second.least))
    same = _count(defined & first.known & second.known & (first.least == second.least))
    open_ = _count(defined) - more - less - same
    figure = _mean((first.least - second.least)[reached])
    value, low, high = figure or (None, None, None)
    balance = None
    if open_:
        against = difference_of_shares(0, more, less + open_, same)
        favoured = difference_of_shares(0, more + open_, less, same)
        assert against.low is not None
        assert favoured.high is not None
        balance = against.low, favoured.high
    stopped = _count(defined & ~(first.known & second.known))
    counts = {"more": more, "less": less, "same": same, "open": open_, "stopped": stopped}
    return BoundedFigure(value, value, value, low, high, _count(reached), counts, balance)


def _mean(values: np.ndarray) -> Interval | None:
    distinct, counts = np.unique(values, return_counts=True)
    return Distribution(distinct, counts, cap=0, reach=Reach.WHOLE).mean()


def _count(truths: Truths) -> int:
    return int(truths.sum())
