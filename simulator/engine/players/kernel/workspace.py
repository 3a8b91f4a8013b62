"""The arrays that a search writes into, allocated once for a block of games, so that no search allocates.

A tree's nodes are read as `Rows`: rows of numbers at an address, of a width that is a constant of the compiled code. Of
an array, numba checks for negative indices and loads the width at every access.
"""

import operator
from fractions import Fraction
from types import ModuleType
from typing import Any, NamedTuple

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.typing.templates import AbstractTemplate, infer_global, signature
from numba.extending import intrinsic, lower_builtin, models, register_model

from simulator.engine.compiled import inlined
from simulator.engine.kernels import LINE, aligned
from simulator.engine.players.names import ALPHA_BETA, EXPECTIMAX, UCT, Player
from simulator.engine.randomness import STREAMS

CHILDREN, MOST_NODES = 64, 2_000_000  # a tree has room for so many nodes a game played on, and for no more
MOST_KEPT_BYTES = 32 << 20  # for positions kept with nodes

# Columns of a tree's node. A node stands for a move at its parent; the seat is the one that made it. Without throws a
# node's children lie side by side: how many of them were tried, and how many there are; what is proved of it, and at
# which place its position is kept, or 0. As long as a node was only looked at, what lies behind it stands where the
# numbers of its children will: turns from the root, and the evaluation. With throws the children are a list that grows,
# and a node knows how often its move was there to be chosen. Two nodes are what a processor fetches at once.
(SEAT, VISITS, SCORE, FIRST, MADE, OPTIONS, PROVED, KEPT) = range(8)
AFTER, WORTH = MADE, OPTIONS
SEEN, NEXT, LAST = MADE, OPTIONS, PROVED
NODE = 8
MEAN, LIGHTNESS = range(2)  # of a node, for those who choose among children
WORTHS = 2

TURNS = 0  # among counts
HERE, ASIDE, ROOT = range(3)  # places: of the game that is played on, of a look ahead, of the root; then those kept

# Columns of a level of a depth-first search: the move looked at and how many there are; the window, what has been found
# in it and by which move; whose move it is; the plies left; the position's key; the move to be looked at first, or -1.
(AT, COUNT, ALPHA, FLOOR, BETA, BEST, BEST_MOVE, WHO, LEFT, KEY, HINT) = range(11)
LEVEL = 11

# Of a level of a search that weighs all throws: which of them is looked at, whether the move brought any; what has been
# found best, and the sum over the throws of the move looked at.
THROW, IS_THROWN = KEY, HINT
FOUND, SUM = range(2)

GREEDY_PLIES, GREEDY_POSITIONS = 16, 4_096  # as far as greedy looks into its own turn
TABLE_BITS = 18
ENTRY = 4  # of the table: key, value, move, 4 * plies left + kind of bound


Throws = tuple[tuple[Fraction, int], ...]  # chance, key of a stream that begins with it


class SearchWorkspace(NamedTuple):
    """The arrays of all players of a block.

    tree:      int32[room, NODE], nodes, with `moves`, int64[room + most moves], and `worth`, float64[room, WORTHS]
    path:      int64[iterations + 2], the nodes of one game played on
    places:    int64[number, words], positions behind their counts, each beginning with a line of the processor's cache
    marks:     int64[move codes + 1], at which look a move was legal last; behind them the number of looks
    levels:    int64[plies + 1, LEVEL], with a position, counts and a list of moves for each
    expected:  float64[plies + 1, 2], of each level where all throws are weighed
    chances:   float64[throws] of every throw there is, and `keys`, uint64[throws], of streams that begin with them
    table:     int64[2**TABLE_BITS, ENTRY], positions that were searched before
    history:   int64[2 * move codes], how often a move refuted another
    scores:    int64[seats], what a game played on came to
    """

    tree: np.ndarray
    moves: np.ndarray
    worth: np.ndarray
    places: np.ndarray
    path: np.ndarray
    marks: np.ndarray
    levels: np.ndarray
    positions: np.ndarray
    counts: np.ndarray
    lists: np.ndarray
    expected: np.ndarray
    chances: np.ndarray
    keys: np.ndarray
    table: np.ndarray
    history: np.ndarray
    scores: np.ndarray
    streams: np.ndarray


def allocate(players: tuple[Player, ...], contract: ModuleType, rules: Any, throws: Throws = ()) -> SearchWorkspace:
    """Allocate arrays as large as these players' budgets need. throws: all throws, if some player weighs them all"""
    iterations = max((each.budget for each in players if each.kind == UCT), default=0)
    depth = max((each.budget + each.horizon for each in players if each.kind in (ALPHA_BETA, EXPECTIMAX)), default=0)
    levels = max(depth, GREEDY_PLIES) + 2
    words = contract.position_size(rules)
    room = min(iterations * CHILDREN, MOST_NODES) + contract.MOST_MOVES + iterations
    width = counts_words(contract) + whole_lines(words)
    return SearchWorkspace(
        tree=np.zeros((room, NODE), dtype=np.int32),
        moves=_zeros(room + contract.MOST_MOVES),
        worth=np.zeros((room, WORTHS), dtype=np.float64),
        places=aligned((ROOT + 1 + min(iterations, MOST_KEPT_BYTES // (8 * width))) * width).reshape(-1, width),
        path=_zeros(iterations + 2),
        marks=_zeros(contract.MOVE_CODES + 1),
        levels=_zeros(levels, LEVEL),
        positions=_zeros(levels, words),
        counts=_zeros(levels, contract.COUNTS),
        lists=_zeros(levels, contract.MOST_MOVES),
        expected=np.zeros((levels, 2), dtype=np.float64),
        chances=np.array([float(chance) for chance, _ in throws], dtype=np.float64),
        keys=np.array([key for _, key in throws], dtype=np.uint64),
        table=_zeros(1 << TABLE_BITS if depth and not throws else 1, ENTRY),
        history=_zeros(2 * contract.MOVE_CODES),
        scores=_zeros(8),
        streams=np.zeros((STREAMS, 2), dtype=np.uint64),
    )


def counts_words(contract: ModuleType) -> int:
    """Return the number of words of a place before its position."""
    return whole_lines(contract.COUNTS)


def whole_lines(size: int) -> int:
    """Round a number of words up to whole lines of the processor's cache."""
    return -(-size // LINE) * LINE


def _zeros(*shape: int) -> np.ndarray:
    return np.zeros(shape, dtype=np.int64)


class Rows(types.Type):
    """The numba type of rows of `width` numbers, each addressed by row and column."""

    def __init__(self, dtype: types.Type, width: int) -> None:
        self.dtype, self.width = dtype, width
        super().__init__(f"Rows({dtype}, {width})")


@register_model(Rows)
class _RowsModel(models.PrimitiveModel):
    def __init__(self, manager: Any, kind: Rows) -> None:
        super().__init__(manager, kind, manager.lookup(kind.dtype).get_data_type().as_pointer())


@intrinsic(prefer_literal=True)
def rows(typing_context: Any, table: Any, width: Any) -> Any:
    """Return the rows of a two-dimensional array whose width is a constant."""

    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return context.make_array(signature.args[0])(context, builder, arguments[0]).data

    return Rows(table.dtype, width.literal_value)(table, width), build


@infer_global(operator.getitem)
class _Read(AbstractTemplate):
    def generic(self, args: Any, kws: Any) -> Any:
        if isinstance(args[0], Rows):
            return signature(args[0].dtype, args[0], types.UniTuple(types.int64, 2))
        return None


@infer_global(operator.setitem)
class _Write(AbstractTemplate):
    def generic(self, args: Any, kws: Any) -> Any:
        if isinstance(args[0], Rows):
            return signature(types.none, args[0], types.UniTuple(types.int64, 2), args[0].dtype)
        return None


def _place(builder: Any, kind: Rows, table: Any, index: Any) -> Any:
    row, column = cgutils.unpack_tuple(builder, index)
    return builder.gep(table, [builder.add(builder.mul(row, ir.Constant(ir.IntType(64), kind.width)), column)])


@lower_builtin(operator.getitem, Rows, types.UniTuple(types.int64, 2))
def _read(context: Any, builder: Any, sig: Any, arguments: Any) -> Any:
    return builder.load(_place(builder, sig.args[0], *arguments))


@lower_builtin(operator.setitem, Rows, types.UniTuple(types.int64, 2), types.Any)
def _write(context: Any, builder: Any, sig: Any, arguments: Any) -> Any:
    table, index, number = arguments
    builder.store(number, _place(builder, sig.args[0], table, index))
    return context.get_dummy_value()


@inlined
def nodes_of(workspace):
    """Return the nodes of a search's tree as rows."""
    return rows(workspace.tree, NODE)


@inlined
def worth_of(workspace):
    """Return the numbers by which nodes are selected as rows."""
    return rows(workspace.worth, WORTHS)
