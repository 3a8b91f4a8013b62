"""The distribution of one measure over the games, and what the cap hides of it.

Three cases, never mixed. *Turns* of an unfinished game are known to be more than the cap: its mean is restricted to
the cap, and a quantile is given only if more than that share of the games ended. *Any other measure of the whole game*
stood at some value when the cap stopped the game, and would have grown: what is estimated is the measure up to the cap,
and it says so; what was taken down after a given turn, not beyond the cap, is known of every game. *A measure of a part
of the game* (its first round) is known once that part has ended: it is estimated from the games in which it did.

Lengths are drawn as a curve, too. Every game that is not over at the cap is censored there and nowhere else, so the
Kaplan–Meier and Aalen–Johansen curves are plain shares of all games, and the restricted mean is the mean of
min(turns, cap).

Sources
- Royston, P. & Parmar, M. K. B. 2013. Restricted mean survival time. BMC Medical Research Methodology 13: 152.
- Putter, H., Fiocco, M. & Geskus, R. B. 2007. Tutorial in biostatistics: competing risks. Statistics in Medicine 26:
  2389–2430.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

import numpy as np

from simulator.engine.ends import END_NAMES, ENDLESS, UNFINISHED
from simulator.engine.family import COURSE, GAME, Measure
from simulator.engine.tally import PART_ENDED, Counts, merged_counts
from simulator.statistics.intervals import Interval, mean, quantile_ranks, share

# A curve of this many points looks the same, at the size of a page, as one with all of them.
MOST_POINTS = 160


class Reach(StrEnum):
    """The games and turns that a figure covers."""

    WHOLE = "whole"
    RESTRICTED = "restricted to the cap"
    UP_TO_CAP = "up to the cap"
    ENDED_ONLY = "parts that ended"


@dataclass(frozen=True, slots=True)
class Distribution:
    """A measure's values over games.

    values, counts: int64[k], values ascending; without the games whose value is only known to be more than the cap
    beyond:         number of those; they count as larger than every value
    left_out:       games of which the measure says nothing
    """

    values: np.ndarray
    counts: np.ndarray
    cap: int
    reach: Reach
    beyond: int = 0
    left_out: int = 0

    @property
    def games(self) -> int:
        return int(self.counts.sum()) + self.beyond

    def mean(self) -> Interval | None:
        """Return the mean, of min(value, cap) if some values are beyond the cap; None if there are no games."""
        if not self.games:
            return None
        pairs = [*zip(self.values.tolist(), self.counts.tolist(), strict=True), (self.cap, self.beyond)]
        total = sum(value * count for value, count in pairs)
        squares = sum(value * value * count for value, count in pairs)
        return mean(total, squares, self.games)

    def quantile(self, percent: int) -> Interval | None:
        """Return the quantile and the values that enclose the true one; None unless more than that share is known."""
        known = int(self.counts.sum())
        if not known or known * 100 <= percent * self.games:
            return None
        rank, low, high = quantile_ranks(percent, self.games)
        value = self._at(rank)
        assert value is not None
        return Interval(value, self._at(low), self._at(high))

    def _at(self, rank: int | None) -> int | None:
        """Return the value of that rank, or None if it lies beyond the cap."""
        sums = np.cumsum(self.counts)
        if rank is None or rank > sums[-1]:
            return None
        return int(self.values[np.searchsorted(sums, rank)])


def distribution(measure: Measure, groups: Mapping[int, Counts], cap: int) -> Distribution:
    """Return the distribution of a measure from its histograms by kind of end (see `Tally.histograms`)."""
    size = {group: int(counts.sum()) for group, (_, counts) in groups.items()}
    unfinished = size.get(UNFINISHED, 0)
    is_length = measure.unit == "turns"
    if measure.scope == COURSE:
        return Distribution(*merged_counts(list(groups.values())), cap, Reach.WHOLE)
    if measure.scope == GAME:
        if not is_length:
            values, counts = merged_counts(list(groups.values()))
            return Distribution(values, counts, cap, Reach.UP_TO_CAP if unfinished else Reach.WHOLE)
        values, counts = merged_counts([pair for group, pair in groups.items() if group != UNFINISHED])
        return Distribution(values, counts, cap, Reach.RESTRICTED if unfinished else Reach.WHOLE, beyond=unfinished)
    values, counts = groups.get(PART_ENDED, merged_counts([]))
    others = sum(size.values()) - size.get(PART_ENDED, 0)
    if is_length and unfinished:
        return Distribution(values, counts, cap, Reach.RESTRICTED, beyond=unfinished, left_out=others - unfinished)
    reach = Reach.ENDED_ONLY if unfinished or size.get(ENDLESS, 0) else Reach.WHOLE
    return Distribution(values, counts, cap, reach, left_out=others)


def curve(by_end: Mapping[int, Counts], games: int) -> dict[str, Any]:
    """Return the course of a batch by turn, as columns of equal length.

    by_end: kind of end -> (turns, games). "running" is the share of all games not over after that many turns, with its
    Wilson limits "low" and "high"; "win", "draw" and "endless" are the shares that have ended so by then (cumulative
    incidence). At every turn the four add up to 1.
    """
    ends = [kind for kind in range(len(END_NAMES)) if kind != UNFINISHED]
    turns = _turns_shown(by_end)
    ended = {kind: _ended_by(by_end.get(kind), turns) for kind in ends}
    running = games - np.sum(list(ended.values()), axis=0)
    limits = [share(int(count), games) for count in running]
    columns: dict[str, Any] = {
        "turn": turns.tolist(),
        "running": [limit.value for limit in limits],
        "low": [limit.low for limit in limits],
        "high": [limit.high for limit in limits],
    }
    for kind in ends:
        columns[END_NAMES[kind]] = (ended[kind] / games).tolist()
    return columns


def _turns_shown(by_end: Mapping[int, Counts]) -> np.ndarray:
    """Return every turn at which something ended, or an even choice of them, from the start to the last."""
    values, _ = merged_counts(list(by_end.values()))
    turns = np.unique(np.concatenate([[0], values]))
    if len(turns) > MOST_POINTS:
        turns = np.unique(np.linspace(0, int(turns[-1]), MOST_POINTS).round().astype(np.int64))
    return turns


def _ended_by(counts: Counts | None, turns: np.ndarray) -> np.ndarray:
    if counts is None:
        return np.zeros(len(turns), dtype=np.int64)
    values, games = counts
    sums = np.concatenate([[0], np.cumsum(games)])
    return np.asarray(sums[np.searchsorted(values, turns, side="right")])
