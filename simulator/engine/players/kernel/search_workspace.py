"""What a search writes into: allocated once for a block of games, so that no search allocates."""

from types import ModuleType
from typing import Any, NamedTuple

import numpy as np

from simulator.engine.players.names import ALPHA_BETA, UCT, Player
from simulator.engine.randomness import STREAMS

CHILDREN, MOST_NODES = 64, 2_000_000  # a tree has room for so many nodes a game played on, and for no more

# Columns of a tree's node. A node stands for a move at its parent; the seat is the one that made it. Without throws a
# node's children lie side by side: how many, and how many of them were tried. With throws they are a list that grows,
# and a node knows how often its move was there to be chosen; without, what is proved of it.
# Eight words are what a processor fetches at once.
(MOVE, SEAT, VISITS, SCORE, FIRST, MADE, OPTIONS, LAST) = range(8)
SEEN, NEXT, PROVED = MADE, OPTIONS, LAST
NODE = 8

# Columns of a level of a depth-first search: the move looked at and how many there are; the window, what has been found
# in it and by which move; whose move it is; the plies left; the position's key; the move to be looked at first, or -1.
(AT, COUNT, ALPHA, FLOOR, BETA, BEST, BEST_MOVE, WHO, LEFT, KEY, HINT) = range(11)
LEVEL = 11

GREEDY_PLIES, GREEDY_POSITIONS = 16, 4_096  # as far as greedy looks into its own turn
TABLE_BITS = 18
ENTRY = 4  # of the table: key, value, move, 4 * plies left + kind of bound


class SearchWorkspace(NamedTuple):
    """The arrays of all players of a block.

    tree:      int64[room, NODE], and `path`, int64[iterations + 2]: the nodes of one game played on
    marks:     int64[move codes + 1], at which look a move was legal last; behind them the number of looks
    levels:    int64[plies + 1, LEVEL], with a position, counts and a list of moves for each
    table:     int64[2**TABLE_BITS, ENTRY], positions that were searched before
    history:   int64[2 * move codes], how often a move refuted another
    scores:    int64[seats], what a game played on came to
    """

    tree: np.ndarray
    path: np.ndarray
    marks: np.ndarray
    levels: np.ndarray
    positions: np.ndarray
    counts: np.ndarray
    lists: np.ndarray
    table: np.ndarray
    history: np.ndarray
    scores: np.ndarray
    streams: np.ndarray


def allocate(players: tuple[Player, ...], contract: ModuleType, rules: Any) -> SearchWorkspace:
    """Arrays as large as these players' budgets ask for."""
    iterations = max((each.budget for each in players if each.kind == UCT), default=0)
    depth = max((each.budget for each in players if each.kind == ALPHA_BETA), default=0)
    levels = max(depth, GREEDY_PLIES) + 2
    words = contract.position_size(rules)
    return SearchWorkspace(
        tree=_zeros(min(iterations * CHILDREN, MOST_NODES) + contract.MOST_MOVES + iterations, NODE),
        path=_zeros(iterations + 2),
        marks=_zeros(contract.MOVE_CODES + 1),
        levels=_zeros(levels, LEVEL),
        positions=_zeros(levels, words),
        counts=_zeros(levels, contract.COUNTS),
        lists=_zeros(levels, contract.MOST_MOVES),
        table=_zeros(1 << TABLE_BITS if depth else 1, ENTRY),
        history=_zeros(2 * contract.MOVE_CODES),
        scores=_zeros(8),
        streams=np.zeros((STREAMS, 2), dtype=np.uint64),
    )


def _zeros(*shape: int) -> np.ndarray:
    return np.zeros(shape, dtype=np.int64)
