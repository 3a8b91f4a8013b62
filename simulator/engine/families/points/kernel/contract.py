"""The points kernel's side of the family contract: start, moves, random_move, play, outcome, mover, evaluate.

`rules` is what `compile_rules` returns: an array, and a tuple whose length is the words of a set of points.
"""

import numpy as np

from simulator.engine.bits import count_bits, lowest_bit
from simulator.engine.compiled import apart, inlined, kernel_function, words
from simulator.engine.families.points.kernel import sets
from simulator.engine.families.points.kernel.choices import count_moves, list_moves, nth_move
from simulator.engine.families.points.kernel.endings import remember
from simulator.engine.families.points.kernel.layout import (
    KINGS,
    MEN,
    TAKEN,
    board_set,
    identity_words,
    set_at,
    size,
    step_table,
)
from simulator.engine.families.points.kernel.rules import (
    PASSES,
    R_BEGINS,
    R_FIRST_PIECES,
    R_HAND,
    R_REPETITION,
    R_STUCK,
    compile_rules,
)
from simulator.engine.families.points.kernel.turns import play_move
from simulator.engine.families.points.measures import COUNTS, FIRST_WINNER
from simulator.engine.families.points.position import (
    FROM,
    JUMP,
    MOST_MOVES,
    PASS,
    RUNNING,
    W_END,
    W_HAND,
    W_MOVER,
    W_WINNERS,
)
from simulator.engine.randomness import CHOICE
from simulator.engine.randomness_kernel import below

MAN, KING = 4, 9  # what a piece counts for in `evaluate`, in quarters of a man


@inlined
def identity_size(rules):
    return identity_words(rules[1])


@kernel_function
def position_size(rules):
    """Words of a position under these rules."""
    return size(rules[0], rules[1])


@inlined
def start(rules, position, streams, counts):
    """Set the position before the first turn, and the counts of a new game."""
    return _start(words(rules[0]), words(position), rules[1], words(counts))


@kernel_function
def _start(rules, position, wide, counts):
    apart()
    for i in range(size(rules, wide)):
        position[i] = 0
    for i in range(COUNTS):
        counts[i] = 0
    counts[FIRST_WINNER] = -1
    for seat in range(2):
        position[W_HAND + seat] = rules[R_HAND + seat]
        for w in range(len(wide)):
            position[set_at(wide, MEN + seat) + w] = rules[board_set(wide, 1 + seat) + w]
    position[W_MOVER] = rules[R_BEGINS]
    position[W_END] = RUNNING
    if rules[R_REPETITION]:
        remember(rules, position, wide)


@inlined
def mover(rules, position):
    return words(position)[W_MOVER]


@inlined
def outcome(rules, position):
    """(kind of end or -1, winning seats as bits)."""
    return words(position)[W_END], words(position)[W_WINNERS]


@inlined
def moves(rules, position, out):
    """Write every legal move into `out`, in the order of the contract; returns how many."""
    return list_moves(words(rules[0]), words(position), rules[1], words(out))


@inlined
def random_move(rules, position, streams, stream, out):
    """(a uniformly drawn move, number of options): by definition moves[draw(n)], found without listing."""
    options = count_moves(words(rules[0]), words(position), rules[1])
    if options == 0:
        return PASS, 1
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
    """What has been won since the start, in quarters of a man: pieces on the board and in hand beyond the opponent's.

    Where one player begins with fewer pieces and loses when he cannot move, every vacant point beside one of them is
    worth a quarter more to him: it is by such points that he is shut in.
    """
    return _evaluate(words(rules[0]), words(position), rules[1], seat)


@kernel_function
def _evaluate(rules, position, wide, seat):
    apart()
    ahead = 0
    for other in range(2):
        worth = MAN * (position[W_HAND + other] + sets.count(position, set_at(wide, MEN + other), wide))
        worth += KING * sets.count(position, set_at(wide, KINGS + other), wide)
        worth -= MAN * (rules[R_HAND + other] + sets.count(rules, board_set(wide, 1 + other), wide))
        if rules[R_STUCK + other] != PASSES and rules[R_FIRST_PIECES + other] < rules[R_FIRST_PIECES + 1 - other]:
            worth += _room(rules, position, wide, other)
        ahead += worth if other == seat else -worth
    return ahead


@inlined
def _room(rules, position, wide, seat):
    """Vacant points a step away from a player's men, each as often as there are men it lies beside."""
    found = 0
    for w in range(len(wide)):
        men = position[set_at(wide, MEN + seat) + w]
        while men:
            table = step_table(rules, wide, seat, 64 * w + lowest_bit(men))
            men &= men - 1
            for v in range(len(wide)):
                filled = position[set_at(wide, TAKEN) + v]
                for other in range(2):
                    filled |= position[set_at(wide, MEN + other) + v] | position[set_at(wide, KINGS + other) + v]
                found += count_bits(rules[table + v] & ~filled)
    return found


FIRST_STREAM, LAST_STREAM = CHOICE, CHOICE + 1  # of the draws of a game: choices only
EXPLORATION = 40  # how far UCT looks beyond what has done best so far: c in its formula, in hundredths
EVALUATION_SCALE = 8  # the lead by which a game that is cut counts as three quarters won
MOVE_CODES = JUMP + FROM * FROM  # every code of a move is less
WORD = np.int64  # the narrowest integer that holds every word of an identity
# One document for each set of argument types that the loops are compiled for.
EXAMPLES = (
    {"family": "points", "board": "triangle_10", "first_pieces": 1, "second_pieces": 1},
    {"family": "points", "board": "chequered_12", "first_pieces": 1, "second_pieces": 1},
)

__all__ = [
    "COUNTS",
    "EVALUATION_SCALE",
    "EXPLORATION",
    "FIRST_STREAM",
    "LAST_STREAM",
    "MOST_MOVES",
    "MOVE_CODES",
    "compile_rules",
    "evaluate",
    "identity_size",
    "mover",
    "moves",
    "outcome",
    "play",
    "position_size",
    "random_move",
    "round_outcome",
    "settled",
    "start",
]
