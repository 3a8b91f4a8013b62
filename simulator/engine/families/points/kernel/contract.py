"""The points kernel's side of the family contract: start, moves, random_move, play, outcome, mover, evaluate.

`rules` is what `compile_rules` returns: an array, and a tuple whose length is the words of a set of points.
"""

import numpy as np

from simulator.engine.compiled import inlined, kernel_function, noinline, words
from simulator.engine.families.points import measures
from simulator.engine.families.points import position as code
from simulator.engine.families.points.kernel import layout
from simulator.engine.families.points.kernel import rules as rule
from simulator.engine.families.points.kernel.choices import count_moves, list_moves, nth_move
from simulator.engine.families.points.kernel.compiling import compile_rules as compile_rules
from simulator.engine.families.points.kernel.evaluation import worth
from simulator.engine.families.points.kernel.layout import MEN, set_at
from simulator.engine.families.points.kernel.turns import play_move, remember
from simulator.engine.randomness import CHOICE
from simulator.engine.randomness_kernel import below
from simulator.engine.weights import SCALE


@inlined
def identity_size(rules):
    return layout.identity_words(rules[1])


@kernel_function
def position_size(rules):
    """Words of a position under these rules."""
    return layout.size(rules[0], rules[1])


@inlined
def size_in_use(rules, position):
    """Words of a position that say anything now; those behind them need not be copied."""
    return layout.size_in_use(words(rules[0]), words(position), rules[1])


@inlined
def look_past(rules, position):
    """Nobody will ask for the moves after the next one."""
    words(position)[layout.looked_past_at(rules[1])] = 1


@inlined
def start(rules, position, streams, counts):
    """Set the position before the first turn, and the counts of a new game."""
    return _start(words(rules[0]), words(position), rules[1], words(counts))


@kernel_function
def _start(rules, position, wide, counts):
    noinline()
    for i in range(layout.size(rules, wide)):
        position[i] = 0
    for i in range(measures.COUNTS):
        counts[i] = 0
    counts[measures.FIRST_WINNER] = counts[measures.ROW_WINNER] = counts[measures.MOVED_WINNER] = -1
    for seat in range(2):
        position[code.W_HAND + seat] = rules[rule.R_HAND + seat]
        for w in range(len(wide)):
            position[set_at(wide, MEN + seat) + w] = rules[layout.board_set(wide, 1 + seat) + w]
    position[code.W_MOVER] = rules[rule.R_BEGINS]
    position[code.W_END] = code.RUNNING
    if rules[rule.R_REPETITION]:
        remember(rules, position, wide)


@inlined
def mover(rules, position):
    return words(position)[code.W_MOVER]


@inlined
def outcome(rules, position):
    """Return (kind of end or -1, winning seats as bits)."""
    return words(position)[code.W_END], words(position)[code.W_WINNERS]


@inlined
def moves(rules, position, out):
    """Write every legal move into `out`, in the order of the contract; returns how many."""
    return list_moves(words(rules[0]), words(position), rules[1], words(out))


@inlined
def random_move(rules, position, streams, stream, out):
    """Return (a uniformly drawn move, number of options): by definition moves[draw(n)], found without listing."""
    options = count_moves(words(rules[0]), words(position), rules[1])
    if options == 0:
        return code.PASS, 1
    return nth_move(words(rules[0]), words(position), rules[1], below(streams, stream, options)), options


@inlined
def play(rules, position, move, streams, counts):
    """Play a legal move and settle what follows."""
    return play_move(words(rules[0]), words(position), rules[1], move, words(counts))


@inlined
def round_outcome(counts):
    """These games have no rounds: (0, -1)."""
    return 0, -1


@inlined
def settled(rules, position, one_round):
    """A lead in pieces can be lost again: -1."""
    return -1


@inlined
def evaluate(rules, position, seat):
    """Return how far a player is ahead, by weighted features; `simulator.engine.weights` says in what."""
    return worth(words(rules[0]), words(position), rules[1], seat)


COUNTS, MOST_MOVES = measures.COUNTS, code.MOST_MOVES
FIRST_STREAM, LAST_STREAM = CHOICE, CHOICE + 1  # of the draws of a game: choices only
EVALUATION_SCALE = SCALE  # the lead by which a game that is cut counts as three quarters won
MOVE_CODES = code.JUMP + code.FROM * code.FROM  # every code of a move is less
TAKEN = measures.TAKEN  # place of what the first seat has taken among counts
WORD = np.int64  # the narrowest integer that holds every word of an identity
# One document for each set of argument types that the loops are compiled for.
EXAMPLES = (
    {"family": "points", "board": "triangle_10", "first_pieces": 1, "second_pieces": 1},
    {"family": "points", "board": "chequered_12", "first_pieces": 1, "second_pieces": 1},
)
