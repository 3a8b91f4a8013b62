"""How long games go on: the share still running, what became of the others, and the mean up to the cap.

Every game that is not over at the cap is censored there and nowhere else, so the Kaplan–Meier and Aalen–Johansen curves
are plain shares of all games, and the restricted mean is the mean of min(turns, cap).

Sources
- Royston, P. & Parmar, M. K. B. 2013. Restricted mean survival time. BMC Medical Research Methodology 13: 152.
- Putter, H., Fiocco, M. & Geskus, R. B. 2007. Tutorial in biostatistics: competing risks. Statistics in Medicine 26:
  2389–2430.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np

from simulator.engine.ends import END_NAMES, UNFINISHED
from simulator.engine.tally import Counts, merged_counts
from simulator.statistics.intervals import share

# A curve of this many points looks the same, at the size of a page, as one with all of them.
MOST_POINTS = 160


def curve(by_end: Mapping[int, Counts], games: int) -> dict[str, Any]:
    """The course of a batch by turn, as columns of equal length.

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
    """Every turn at which something ended, or an even choice of them, from the start to the last."""
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
