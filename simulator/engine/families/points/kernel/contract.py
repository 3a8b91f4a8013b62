"""The points kernel's side of the family contract: start, moves, random_move, play, outcome, mover, evaluate.

`rules` is what `compile_rules` returns: an array, and a tuple whose length is the words of a set of points.
"""

import numpy as np

from simulator.engine.bits import count_bits, lowest_bit
from simulator.engine.compiled import inlined, kernel_function, noinline, words
from simulator.engine.families.points import measures
from simulator.engine.families.points import position as code
from simulator.engine.families.points.kernel import layout, sets
from simulator.engine.families.points.kernel import rules as rule
from simulator.engine.families.points.kernel.choices import count_moves, list_moves, nth_move
from simulator.engine.families.points.kernel.compiling import compile_rules as compile_rules
from simulator.engine.families.points.kernel.endings import remember
from simulator.engine.families.points.kernel.layout import KINGS, MEN, TAKEN, set_at
from simulator.engine.families.points.kernel.turns import play_move
from simulator.engine.randomness import CHOICE
from simulator.engine.randomness_kernel import below

MAN, KING = 4, 9  # what a piece counts for in `evaluate`, in quarters of a man


@inlined
def identity_size(rules):
    return layout.identity_words(rules[1])


@kernel_function
def position_size(rules):
    """Words of a position under these rules."""
    return layout.size(rules[0], rules[1])


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
    """(kind of end or -1, winning seats as bits)."""
    return words(position)[code.W_END], words(position)[code.W_WINNERS]


@inlined
def moves(rules, position, out):
    """Write every legal move into `out`, in the order of the contract; returns how many."""
    return list_moves(words(rules[0]), words(position), rules[1], words(out))


@inlined
def random_move(rules, position, streams, stream, out):
    """(a uniformly drawn move, number of options): by definition moves[draw(n)], found without listing."""
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
    """What has been won since the start, in quarters of a man: pieces on the board and in hand beyond the opponent's.

    Where one player begins with fewer pieces and loses when he cannot move, every vacant point beside one of them is
    worth a quarter more to him: it is by such points that he is shut in.
    """
    return _evaluate(words(rules[0]), words(position), rules[1], seat)


@kernel_function
def _evaluate(rules, position, wide, seat):
    noinline()
    ahead = 0
    for other in range(2):
        worth = MAN * (position[code.W_HAND + other] + sets.count(position, set_at(wide, MEN + other), wide))
        worth += KING * sets.count(position, set_at(wide, KINGS + other), wide)
        worth -= MAN * (rules[rule.R_HAND + other] + sets.count(rules, layout.board_set(wide, 1 + other), wide))
        has_fewer = rules[rule.R_FIRST_PIECES + other] < rules[rule.R_FIRST_PIECES + 1 - other]
        if rules[rule.R_STUCK + other] != rule.PASSES and has_fewer:
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
            table = layout.step_table(rules, wide, seat, 64 * w + lowest_bit(men))
            men &= men - 1
            for v in range(len(wide)):
                filled = position[set_at(wide, TAKEN) + v]
                filled |= layout.pieces(position, wide, 0, v) | layout.pieces(position, wide, 1, v)
                found += count_bits(rules[table + v] & ~filled)
    return found


COUNTS, MOST_MOVES = measures.COUNTS, code.MOST_MOVES
FIRST_STREAM, LAST_STREAM = CHOICE, CHOICE + 1  # of the draws of a game: choices only
EVALUATION_SCALE = 8  # the lead by which a game that is cut counts as three quarters won
MOVE_CODES = code.JUMP + code.FROM * code.FROM  # every code of a move is less
WORD = np.int64  # the narrowest integer that holds every word of an identity
# One document for each set of argument types that the loops are compiled for.
EXAMPLES = (
    {"family": "points", "board": "triangle_10", "first_pieces": 1, "second_pieces": 1},
    {"family": "points", "board": "chequered_12", "first_pieces": 1, "second_pieces": 1},
)
