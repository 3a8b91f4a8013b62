"""The arrays that a search writes into, allocated once for a block of games, and the nodes of its tree.

A tree's nodes are read as `Rows`: rows of numbers at an address, of a width that is a constant of the compiled code. Of
an array, numba checks for negative indices and loads the width at every access.

A node holds a move, who made it, what the games through it came to, and what is proved of it. Selection reads two
numbers beside the node, computed when a game is counted: a node is looked at far more often than a game passes it. A
node of a game without lots, which has two seats, is won for the seat that moved there if the other side has only moves
that lose, lost if it has one that wins, drawn if it has none that wins and one that draws (Winands, Björnsson & Saito
2008, "Monte-Carlo Tree Search Solver"). Where lots are thrown, nodes are no positions: nothing is proved there but that
the mover can end the game before the next throw.
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

from simulator.engine.compiled import inlined, kernel_function
from simulator.engine.ends import DRAW, WIN
from simulator.engine.kernels import LINE, aligned, streams_and_notes
from simulator.engine.players.kernel import calls
from simulator.engine.players.kernel.calls import WHOLE, score
from simulator.engine.players.names import ALPHA_BETA, EXPECTIMAX, UCT, Player

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
    # The last node may still unfold all its moves, and with lots every game adds at least one node.
    room = min(iterations * CHILDREN, MOST_NODES) + contract.MOST_MOVES + iterations
    # Whole lines of the cache, so that copying a place never touches a line of its neighbour.
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
        streams=streams_and_notes(),
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


HUNDREDTHS = 100.0

# Values that are proved, for the seat that moved to the node, in the order of its preference: a loss is less than
# nothing known, and a later loss more than an earlier one.
UNKNOWN, DRAWN = 0, 1
WON = 1 << 20  # less the plies to the end; a loss is the same below nothing


@inlined
def empty(tree, node, seat):
    """Clear a node: nothing is known of it but the seat that made its move."""
    for column in range(NODE):
        tree[node, column] = 0
    tree[node, SEAT] = seat


@inlined
def exploration(frame):
    """Return c of the selection formula; it takes a division, and so is computed once and not at every child."""
    return float(frame[calls.EXPLORATION]) / HUNDREDTHS


@inlined
def attraction(worth, node, reach):
    """Return q + c sqrt(N) / (1 + n), where q is between 0 and 1. reach: c sqrt(N)"""
    return worth[node, MEAN] + reach * worth[node, LIGHTNESS]


@inlined
def weigh(workspace, node):
    """Compute the two numbers of selection, q and 1 / (1 + n), from a node's score and visits."""
    tree, worth = nodes_of(workspace), worth_of(workspace)
    visits = float(tree[node, VISITS])
    worth[node, MEAN] = float(tree[node, SCORE]) / (visits * WHOLE)
    worth[node, LIGHTNESS] = 1.0 / (1.0 + visits)


@inlined
def foresee(frame, workspace, node, move, begun):
    """Play a node's move on a copy of the search's position, and let the node begin with what that is worth.

    Returns the number of turns from the root.
    """
    tree, places, prior = nodes_of(workspace), workspace.places, frame[calls.PRIOR]
    calls.copy_place(frame, places, HERE, ASIDE)
    calls.play_out(frame, move, 0)
    turns = places[ASIDE, TURNS] - begun
    tree[node, VISITS] = prior
    tree[node, SCORE] = prior * score(frame, frame[calls.END], frame[calls.WINNERS], tree[node, SEAT], turns)
    weigh(workspace, node)
    return turns


@inlined
def return_from_foreseeing(frame, workspace, seat):
    """Put the search's position, in which `seat` is to move, back into the frame."""
    calls.set_place(frame, workspace.places, HERE)
    frame[calls.END], frame[calls.MOVING] = -1, seat


@kernel_function
def count_game(frame, workspace, length, turns):
    """Count the game in the frame, which ended `turns` after the root, at every node that it passed."""
    tree, scores = nodes_of(workspace), workspace.scores
    for seat in range(len(scores)):
        scores[seat] = -1
    tree[0, VISITS] += 1
    for place in range(length):
        node = workspace.path[place]
        seat = tree[node, SEAT]
        # A game is judged once for each seat, not at every node of the path.
        if scores[seat] < 0:
            scores[seat] = score(frame, frame[calls.END], frame[calls.WINNERS], seat, turns)
        tree[node, VISITS] += 1
        tree[node, SCORE] += scores[seat]
        # Of a node that is won or lost, selection looks at the infinity that its proof has left there.
        if frame[calls.THROWS] or -1 < tree[node, PROVED] <= DRAWN:
            weigh(workspace, node)


@inlined
def _prove(workspace, node, known):
    """Note what is proved of a node, and make selection take a win before all else and a loss never."""
    nodes_of(workspace)[node, PROVED] = known
    if known != DRAWN:
        worth_of(workspace)[node, MEAN] = np.inf if known > 0 else -np.inf


@inlined
def note_end(frame, workspace, node):
    """Note how the game in the frame, which is over, ended at a node."""
    if frame[calls.END] != WIN:
        _prove(workspace, node, DRAWN)
    elif frame[calls.WINNERS] >> nodes_of(workspace)[node, SEAT] & 1:
        _prove(workspace, node, WON)
    else:
        _prove(workspace, node, -WON)


@inlined
def read_end(frame, tree, node):
    """Put the end that is proved of a node into the frame, as if the game had been played to that end."""
    seat, known = tree[node, SEAT], tree[node, PROVED]
    frame[calls.END] = DRAW if known == DRAWN else WIN
    frame[calls.WINNERS] = 0 if known == DRAWN else 1 << seat if known > 0 else 1 << (1 - seat)


@inlined
def carry_up(workspace, length):
    """Prove what follows from the last node of the path for the nodes before it, up to the root."""
    tree, path = nodes_of(workspace), workspace.path
    for place in range(length - 1, -1, -1):
        node = path[place]
        parent = path[place - 1] if place else 0
        best = np.int64(tree[node, PROVED])
        if best == UNKNOWN:
            return
        if best < WON // 2:  # no win: the parent is proved only if all its children are
            best = _best_of_all(tree, parent)
        if best == UNKNOWN or tree[parent, PROVED] != UNKNOWN:
            return
        # One ply more to the end: a win is worth less, a loss less bad. If the other seat moved to the parent, the
        # value is the opposite for it.
        nearer = best - 1 if best > DRAWN else best + 1 if best < 0 else best
        same = tree[parent, SEAT] == tree[node, SEAT] or best == DRAWN
        _prove(workspace, parent, nearer if same else -nearer)


@inlined
def _best_of_all(tree, parent):
    """Return the best value among a node's children, or UNKNOWN unless the value of every child is known."""
    first, options = tree[parent, FIRST], tree[parent, OPTIONS]
    if tree[parent, MADE] < options:
        return np.int64(UNKNOWN)
    best = np.int64(tree[first, PROVED])
    for child in range(first, first + options):
        if tree[child, PROVED] == UNKNOWN:
            return np.int64(UNKNOWN)
        best = max(best, np.int64(tree[child, PROVED]))
    return best
