"""How well a player can do against one who moves at random, exactly: where every first move comes to the same against
best play, this still tells the points of the board apart.

One seat plays so that his chance of winning is greatest, the other chooses each of his moves equally often. The chance
is the limit of that of winning within so many plies; it is computed until another ply changes nothing any more.
"""

import numpy as np

from simulator.engine.solving.solved import Solved

MOST_POSITIONS = 300_000
SETTLED = 1e-9  # the most that the last ply computed may have changed a chance
MOST_PLIES = 100_000


def against_random(solved: Solved, seat: int) -> np.ndarray:
    """The chance of that seat in every position; float64[positions]. Raises ValueError for too large a table."""
    graph = solved.graph
    if graph.found > MOST_POSITIONS:
        raise ValueError(f"chances are computed over at most {MOST_POSITIONS:,} positions, not {graph.found:,}")
    running = np.flatnonzero(graph.kinds <= 1)
    chances: np.ndarray = (graph.kinds == 2 + seat).astype(np.float64)
    if not len(running):
        return chances
    mine = graph.kinds[running] == seat
    firsts, options = graph.offsets[running], np.diff(graph.offsets)[running]
    for _ in range(MOST_PLIES):
        after = chances[graph.targets]
        best, mean = np.maximum.reduceat(after, firsts), np.add.reduceat(after, firsts) / options
        now = np.where(mine, best, mean)
        change = np.abs(now - chances[running]).max()
        chances[running] = now
        if change < SETTLED:
            break
    return chances
