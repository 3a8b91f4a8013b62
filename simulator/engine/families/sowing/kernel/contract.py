"""The sowing kernel's side of the family contract: start, moves, random_move, play, outcome, mover, evaluate."""

import numpy as np

from simulator.engine.bits import count_bits
from simulator.engine.compiled import apart, inlined, kernel_function, words
from simulator.engine.families.sowing.kernel.layout import (
    HOLES,
    classes_at,
    hash_of_board,
    identity_size,
    kept_at,
    known_at,
    memory_at,
    memory_count_at,
    position_size,
)
from simulator.engine.families.sowing.kernel.layouts import layout_moves
from simulator.engine.families.sowing.kernel.loans import loan_moves
from simulator.engine.families.sowing.kernel.rules import (
    CHOSEN_ONCE,
    EQUAL_OPTIONAL,
    R_DIRECTION,
    R_EQUAL,
    R_FULL,
    R_LOAN,
    R_MEMORY,
    R_NEXT_ROUND,
    R_ROW,
    compile_rules,
)
from simulator.engine.families.sowing.kernel.starts import nth_start, start_sets
from simulator.engine.families.sowing.kernel.turns import play_move
from simulator.engine.families.sowing.measures import COUNTS, FIRST_ENDED, FIRST_WINNER, ROUNDS
from simulator.engine.families.sowing.position import (
    CALL_DRAW,
    LAY,
    LAY_OWN_TURN,
    LAY_RICH,
    LAYOUT,
    LAYOUT_END,
    MOST_MOVES,
    PASS,
    RUNNING,
    SOW,
    W_DIRECTION,
    W_END,
    W_MOVER,
    W_PHASE,
    W_ROUND,
    W_STORE,
    W_WINNERS,
)
from simulator.engine.randomness import CHOICE
from simulator.engine.randomness_kernel import below


@inlined
def start(rules, position, streams, counts):
    """Set the position before the first move, and the counts of a new game."""
    return _start(words(rules), words(position), words(counts))


@kernel_function
def _start(rules, position, counts):
    apart()
    for i in range(kept_at(rules)):
        position[i] = 0
    for i in range(COUNTS):
        counts[i] = 0
    counts[ROUNDS] = 1
    counts[FIRST_WINNER] = -1
    for hole in range(2 * rules[R_ROW]):
        position[HOLES + hole] = rules[R_FULL]
    position[W_ROUND] = 1
    position[W_END] = RUNNING
    if rules[R_DIRECTION] < CHOSEN_ONCE:
        position[W_DIRECTION] = 1 if rules[R_DIRECTION] == 0 else -1
    if rules[R_MEMORY]:
        now = hash_of_board(rules, position)
        position[memory_at(rules)] = now
        position[memory_count_at(rules)] = 1
        position[classes_at(rules)] = 1 << (now & 63)


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
    return _moves(words(rules), words(position), words(out))


@kernel_function
def _moves(rules, position, out):
    apart()
    phase = position[W_PHASE]
    if phase == SOW:
        forward, backward = start_sets(rules, position, position[W_MOVER])
        found = count_bits(forward) + count_bits(backward)
        for number in range(found):
            out[number] = nth_start(forward, backward, number)
        if rules[R_LOAN]:
            found = loan_moves(rules, position, out, found)
        if found == 0:
            out[0] = PASS
            return 1
        return found
    if phase == LAY:
        found = layout_moves(rules, position, out)
        if rules[R_EQUAL] == EQUAL_OPTIONAL and position[W_STORE + position[W_MOVER]] == rules[R_FULL] * rules[R_ROW]:
            out[found] = CALL_DRAW
            found += 1
        return found
    if phase == LAY_RICH:
        out[0] = LAY_OWN_TURN
        return 1
    return 0


@inlined
def _mover_starts(rules, position):
    """The mover's starts, known since the last turn was settled or looked for now."""
    known = known_at(rules)
    if position[known]:
        return position[known + 1], position[known + 2]
    return start_sets(rules, position, position[W_MOVER])


@inlined
def random_move(rules, position, streams, stream, out):
    """(a uniformly drawn move, number of options): by definition moves[draw(n)], found without listing while sowing."""
    if words(position)[W_PHASE] == SOW and words(rules)[R_LOAN] == 0:
        forward, backward = _mover_starts(words(rules), words(position))
        options = count_bits(forward) + count_bits(backward)
        if options == 0:
            return PASS, 1
        return nth_start(forward, backward, below(streams, stream, options)), options
    options = moves(rules, position, out)
    return words(out)[below(streams, stream, options)], options


@inlined
def play(rules, position, move, streams, counts):
    """Play a legal move and settle what follows."""
    return play_move(words(rules), words(position), move, words(counts))


@inlined
def round_outcome(counts):
    """(whether the first round has ended, the seat that owned more then or -1)."""
    return counts[FIRST_ENDED], counts[FIRST_WINNER]


@inlined
def settled(rules, position, one_round):
    """The seat that owns more than half of all counters for good, where the richer one after a round wins; else -1.

    Nothing takes a counter out of a store during a round. (A turn without end would leave the game without a winner:
    who plays a game on in thought leaves that aside.)
    """
    half = words(rules)[R_FULL] * words(rules)[R_ROW]
    if words(rules)[R_NEXT_ROUND] and not one_round:
        return -1
    if words(position)[W_STORE] > half:
        return 0
    return 1 if words(position)[W_STORE + 1] > half else -1


@inlined
def evaluate(rules, position, seat):
    """Counters owned beyond the opponent's: stores and rows, in counters."""
    return _evaluate(words(rules), words(position), seat)


@kernel_function
def _evaluate(rules, position, seat):
    apart()
    row = rules[R_ROW]
    ahead = position[W_STORE + seat] - position[W_STORE + 1 - seat]
    for hole in range(row):
        ahead += position[HOLES + seat * row + hole] - position[HOLES + (1 - seat) * row + hole]
    return ahead


FIRST_STREAM, LAST_STREAM = CHOICE, CHOICE + 1  # of the draws of a game: choices only
EXPLORATION = 40  # how far UCT looks beyond what has done best so far: c in its formula, in hundredths
EVALUATION_SCALE = 8  # the lead by which a game that is cut counts as three quarters won
MOVE_CODES = LAYOUT + 2 * LAYOUT_END  # every code of a move is less
WORD = np.int16  # the narrowest integer that holds every word of an identity
# One document for each set of argument types that the loops are compiled for.
EXAMPLES = ({"family": "sowing", "holes_per_row": 2, "counters_per_hole": 1},)

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
