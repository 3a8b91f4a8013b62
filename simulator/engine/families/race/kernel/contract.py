"""The race kernel's side of the family contract: start, moves, random_move, play, outcome, mover, evaluate.

At the end stands what a position is worth to a player who does not see the end of the game (`measures` names the
features).
"""

import numpy as np

from simulator.engine.bits import lowest_bit
from simulator.engine.compiled import inlined, kernel_function, noinline, words
from simulator.engine.families.race import measures
from simulator.engine.families.race import position as code
from simulator.engine.families.race.kernel import rules as rule
from simulator.engine.families.race.kernel.choices import count_moves, list_moves, nth_move
from simulator.engine.families.race.kernel.compiling import compile_rules as compile_rules
from simulator.engine.families.race.kernel.rooms import W_SERIES, identity_words, note, pieces_at, size
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
    """Return the words of a position under these rules."""
    return size(rules)


@inlined
def size_in_use(rules, position):
    """Return the words of a position that say anything now; those behind them need not be copied."""
    return W_SERIES


@inlined
def look_past(rules, position):
    """Do nothing: moves are counted only when they are asked for."""


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
    """Return (kind of end or -1, winning seats as bits)."""
    return words(position)[code.W_END], words(position)[code.W_WINNERS]


@inlined
def moves(rules, position, out):
    """Write every legal move into `out`, in the order of the contract; returns how many."""
    return list_moves(words(rules), words(position), words(out))


@inlined
def random_move(rules, position, streams, stream, out):
    """Return (a uniformly drawn move, number of options): by definition moves[draw(n)], found without listing."""
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
    """Return (0, -1): a race has one round."""
    return 0, -1


@inlined
def settled(rules, position, one_round):
    """Return -1: whoever is ahead can be sent back."""
    return -1


@inlined
def evaluate(rules, position, seat):
    """Return how far a side is ahead, by weighted features; `simulator.engine.weights` says in what."""
    return worth(words(rules), words(position), seat)


COUNTS, MOST_MOVES = measures.COUNTS, code.MOST_MOVES
FIRST_STREAM, LAST_STREAM = CHANCE, CHOICE + code.SEATS - 1  # of the draws of a game: throws and choices
EVALUATION_SCALE = SCALE  # the lead by which a game that is cut counts as three quarters won
MOVE_CODES = code.ALONE_OF + code.TOTAL + code.STRIDE  # every code of a move is less
TAKEN = 0  # nothing is taken: alpha-beta, which asks, plays no game with lots
WORD = np.int16  # the narrowest integer that holds every word of an identity
# One document for each set of argument types that the loops are compiled for.
EXAMPLES = ({"family": "race", "board": "pancha_track", "seats": 2, "pieces": 1, "dice": 1, "die_faces": [1, 2]},)


@kernel_function
def worth(rules, position, seat):
    """Return the weighted features of a player's side less those of the others, as if both had as many players.

    Where those of the others do not count, the side's own. How far its own pieces are apart is told in any case, once.
    """
    noinline()
    own = others = apart = 0
    for other in range(rules[rule.R_SEATS]):
        found = _progress(rules, position, other)
        if rules[rule.F_RISK]:
            found += rules[rule.F_RISK] * (_risk(rules, position, other) >> rule.CHANCE_BITS)
        if other == seat or (rules[rule.R_TEAMS] and other == seat ^ 2):
            own += found
            apart += _apart(rules, position, other)
        else:
            others += found
    if rules[rule.OTHERS] == 0:
        return own + apart
    if rules[rule.R_TEAMS] == 0:
        # One side against several: the own value is weighed as often as there are opponents.
        own *= rules[rule.R_SEATS] - 1
    return own - others + apart


@inlined
def _apart(rules, position, seat):
    """Return what the steps between a player's hindmost and foremost piece weigh, once that one is near enough."""
    at = pieces_at(rules, seat)
    foremost = position[at + rules[rule.R_PIECES] - 1]
    return rules[rule.APART] * (foremost - position[at]) * (foremost >= rules[rule.R_HOME] - rules[rule.WITHIN])


@inlined
def _progress(rules, position, seat):
    """Return what is seen of a player's own pieces, and the turn."""
    if rules[rule.R_TAKING]:
        return rules[rule.F_STEPS] * _pieces_left(rules, position, seat)
    at, found = pieces_at(rules, seat), rules[rule.F_TEMPO] * (position[code.W_MOVER] == seat)
    # Steps ascend: the first is the hindmost piece, the last the foremost.
    found += rules[rule.F_REAR] * position[at]
    found += rules[rule.F_SPREAD] * (position[at + rules[rule.R_PIECES] - 1] - position[at])
    for piece in range(rules[rule.R_PIECES]):
        step = position[at + piece]
        found += rules[rule.F_STEPS] * step + rules[rule.F_WAITING] * (step == 0)
        found += rules[rule.F_HOME] * (step == rules[rule.R_HOME])
    return found


@kernel_function
def _pieces_left(rules, position, seat):
    """Return what a player's pieces that are left count as, in steps."""
    noinline()
    at, found = pieces_at(rules, seat), 0
    for piece in range(rules[rule.R_PIECES]):
        found += measures.STEPS_OF_PIECE * (position[at + piece] < rules[rule.R_HOME])
    return found


@inlined
def _risk(rules, position, seat):
    """Return the steps that a player would lose on average, in parts of 1 << CHANCE_BITS."""
    found, at = 0, pieces_at(rules, seat)
    for piece in range(rules[rule.R_PIECES]):
        step = position[at + piece]
        square = rules[rule.TRACKS + rule.ROW * seat + step]
        if square != rule.NOWHERE:
            for place in range(rules[rule.R_OPPOSING]):
                other = rules[rule.OPPOSING + code.SEATS * seat + place]
                found += step * _struck(rules, position, other, square)
    return found


@inlined
def _struck(rules, position, seat, square):
    """Return the chances that a throw brings the pieces of a player to a square where he sends others back, added
    up."""
    found, at = 0, pieces_at(rules, seat)
    table, strikes = rule.STEPS_ON + 2 * (rule.ROW * seat + square), rule.STRIKES_ON + 2 * seat
    for word in range(2):
        steps = rules[table + word] & rules[strikes + word]
        while steps:
            step = 64 * word + lowest_bit(steps)
            steps &= steps - 1
            for piece in range(rules[rule.R_PIECES]):
                behind = step - position[at + piece]
                if 0 < behind < step:  # who waits is not behind
                    found += rules[rule.REACHES + min(behind, rule.FARTHEST)]
    return found
