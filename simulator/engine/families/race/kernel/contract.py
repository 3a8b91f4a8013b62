"""The race kernel's side of the family contract: start, moves, random_move, play, outcome, mover, evaluate."""

import numpy as np

from simulator.engine.compiled import inlined, kernel_function, noinline, words
from simulator.engine.families.race import measures
from simulator.engine.families.race import position as code
from simulator.engine.families.race.kernel import rules as rule
from simulator.engine.families.race.kernel.choices import count_moves, list_moves, nth_move
from simulator.engine.families.race.kernel.compiling import compile_rules as compile_rules
from simulator.engine.families.race.kernel.evaluation import worth
from simulator.engine.families.race.kernel.layout import W_SERIES, identity_words, note, pieces_at, size
from simulator.engine.families.race.kernel.throws import take_throws
from simulator.engine.families.race.kernel.turns import play_move
from simulator.engine.randomness import CHANCE, CHOICE
from simulator.engine.randomness_kernel import below
from simulator.engine.weights import SCALE


@inlined
def identity_size(rules):
    return identity_words(rules)


@kernel_function
def position_size(rules):
    """Words of a position under these rules."""
    return size(rules)


@inlined
def size_in_use(rules, position):
    """Words of a position that say anything now; those behind them need not be copied."""
    return W_SERIES


@inlined
def look_past(rules, position):
    """Nobody will ask for the moves after the next one: they are counted when they are asked for."""


@inlined
def start(rules, position, streams, counts):
    """Set the position before the first move, with the first player's throw, and the counts of a new game."""
    return _start(words(rules), words(position), words(streams), words(counts))


@kernel_function
def _start(rules, position, streams, counts):
    noinline()
    for i in range(size(rules)):
        position[i] = 0
    for i in range(measures.COUNTS):
        counts[i] = 0
    position[code.W_END] = code.RUNNING
    for seat in range(rules[rule.R_SEATS]):
        for piece in range(rules[rule.R_PIECES]):
            position[pieces_at(rules, seat) + piece] = rules[rule.R_START + piece]
    if rules[rule.R_START + rules[rule.R_PIECES] - 1]:
        counts[measures.ARRIVED] = (1 << code.SEATS) - 1
    note(rules, position)
    take_throws(rules, position, streams)


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
    return list_moves(words(rules), words(position), words(out))


@inlined
def random_move(rules, position, streams, stream, out):
    """(a uniformly drawn move, number of options): by definition moves[draw(n)], found without listing."""
    options = count_moves(words(rules), words(position))
    if options == 0:
        return code.PASS, 1
    return nth_move(words(rules), words(position), below(streams, stream, options)), options


@inlined
def play(rules, position, move, streams, counts):
    """Play a legal move and, once the throw is played, make the next one."""
    return play_move(words(rules), words(position), move, words(streams), words(counts))


@inlined
def round_outcome(counts):
    """A race has one round: (0, -1)."""
    return 0, -1


@inlined
def settled(rules, position, one_round):
    """Whoever is ahead can be sent back: -1."""
    return -1


@inlined
def evaluate(rules, position, seat):
    """How far a side is ahead, by weighted features; `simulator.engine.weights` says in what."""
    return worth(words(rules), words(position), seat)


COUNTS, MOST_MOVES = measures.COUNTS, code.MOST_MOVES
FIRST_STREAM, LAST_STREAM = CHANCE, CHOICE + code.SEATS - 1  # of the draws of a game: throws and choices
EVALUATION_SCALE = SCALE  # the lead by which a game that is cut counts as three quarters won
MOVE_CODES = code.ALONE_OF + code.TOTAL + code.STRIDE  # every code of a move is less
TAKEN = 0  # nothing is taken: alpha-beta, which asks, plays no game with lots
WORD = np.int16  # the narrowest integer that holds every word of an identity
# One document for each set of argument types that the loops are compiled for.
EXAMPLES = ({"family": "race", "board": "pancha_track", "seats": 2, "pieces": 1, "dice": 1, "die_faces": [1, 2]},)
