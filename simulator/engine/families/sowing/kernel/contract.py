"""The sowing kernel's side of the family contract: start, moves, random_move, play, outcome, mover, evaluate.

At the end stands what a position is worth to a player who does not see the end of the game (`measures` names the
features).
"""

import numpy as np

from simulator.engine.bits import count_bits
from simulator.engine.compiled import inlined, kernel_function, noinline, words
from simulator.engine.families.sowing import measures
from simulator.engine.families.sowing import position as code
from simulator.engine.families.sowing.kernel import by_tables, layout
from simulator.engine.families.sowing.kernel import rules as rule
from simulator.engine.families.sowing.kernel.compiling import compile_rules as compile_rules
from simulator.engine.families.sowing.kernel.laps import nth_start, start_sets
from simulator.engine.families.sowing.kernel.layout import HOLES
from simulator.engine.families.sowing.kernel.layout import identity_size as identity_size
from simulator.engine.families.sowing.kernel.layout import position_size as position_size
from simulator.engine.families.sowing.kernel.layouts import layout_moves, loan_moves
from simulator.engine.families.sowing.kernel.turns import begin_as_after_a_round, play_move
from simulator.engine.randomness import CHOICE
from simulator.engine.randomness_kernel import below
from simulator.engine.weights import SCALE


@inlined
def size_in_use(rules, position):
    """Return the words of a position that say anything now; those behind them need not be copied."""
    return layout.size_in_use(rule.any_rules(rules), words(position))


@inlined
def look_past(rules, position):
    """Do nothing: moves are known as soon as it is known that there are any."""


@inlined
def start(rules, position, streams, counts):
    """Set the position before the first move, and the counts of a new game."""
    return _start(rule.any_rules(rules), words(position), words(counts))


@kernel_function
def _start(rules, position, counts):
    noinline()
    # What lies behind is written before it is read, so that it need not be cleared.
    for i in range(layout.kept_at(rules)):
        position[i] = 0
    for i in range(measures.COUNTS):
        counts[i] = 0
    counts[measures.ROUNDS] = 1
    counts[measures.FIRST_ROUND_WINNER] = -1
    for hole in range(rules[rule.AROUND]):
        position[HOLES + hole] = rules[rule.START + hole] if rules[rule.TABLED] else rules[rule.R_COUNTERS_PER_HOLE]
    if rules[rule.TABLED]:
        position[code.W_STORE] = position[code.W_STORE + 1] = rules[rule.R_ARRANGED]
        position[code.W_PHASE] = code.ARRANGE if rules[rule.R_ARRANGED] else code.SOW
        by_tables.note_beginning(rules, position, counts)
    position[code.W_ROUND] = 1
    position[code.W_END] = code.RUNNING
    if rules[rule.R_DIRECTION] < rule.DIRECTION_CHOSEN_ONCE:
        position[code.W_DIRECTION] = 1 if rules[rule.R_DIRECTION] == 0 else -1
    if rules[rule.R_REPETITION_MEMORY]:
        now = layout.hash_of_board(rules, position)
        position[layout.memory_at(rules)] = now
        position[layout.memory_count_at(rules)] = 1
        position[layout.classes_at(rules)] = 1 << (now & 63)
    if rules[rule.R_BEGINS_WITH]:
        begin_as_after_a_round(rules, position, counts)


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
    return _moves(rule.any_rules(rules), words(position), words(out))


@kernel_function
def _moves(rules, position, out):
    noinline()
    phase = position[code.W_PHASE]
    if rules[rule.TABLED] and (phase == code.SOW or phase > code.OVER):
        return by_tables.moves(rules, position, out)
    if phase == code.SOW:
        forward, backward = start_sets(rules, position, position[code.W_MOVER])
        found = count_bits(forward) + count_bits(backward)
        for number in range(found):
            out[number] = nth_start(forward, backward, number)
        if rules[rule.R_LOAN]:
            found = loan_moves(rules, position, out, found)
        if found == 0:
            out[0] = code.PASS
            return 1
        return found
    if phase == code.LAY:
        found = layout_moves(rules, position, out)
        # Only an equal round leaves the player who lays out exactly half of all counters.
        has_half = (
            position[code.W_STORE + position[code.W_MOVER]]
            == rules[rule.R_COUNTERS_PER_HOLE] * rules[rule.R_HOLES_PER_ROW]
        )
        if rules[rule.R_EQUAL_ROUND] == rule.EQUAL_ROUND_OPTIONAL and has_half:
            out[found] = code.CALL_DRAW
            found += 1
        return found
    if phase == code.LAY_RICH:
        out[0] = code.LAY_OWN_TURN
        return 1
    return 0


@inlined
def _mover_starts(rules, position):
    """Return the mover's starts, known since the last turn was settled or looked for now."""
    known = layout.known_at(rules)
    if position[known]:
        return position[known + 1], position[known + 2]
    return start_sets(rules, position, position[code.W_MOVER])


@inlined
def random_move(rules, position, streams, stream, out):
    """Return (a uniformly drawn move, number of options): moves[draw(n)], found without listing while sowing.

    A draw that may be called is an option, and is never drawn: it stands last.
    """
    if words(position)[code.W_PHASE] == code.SOW and rule.any_rules(rules)[rule.LISTED] == 0:
        forward, backward = _mover_starts(rule.any_rules(rules), words(position))
        options = count_bits(forward) + count_bits(backward)
        if options == 0:
            return code.PASS, 1
        return nth_start(forward, backward, below(streams, stream, options)), options
    options = moves(rules, position, out)
    # The code that stands last, if it is one, is left out of the draw and still counted as an option.
    drawn = options - (words(out)[options - 1] == code.CALL_DRAW)
    return words(out)[below(streams, stream, drawn)], options


@inlined
def play(rules, position, move, streams, counts):
    """Play a legal move and settle what follows."""
    # Compiled twice: under plain rules everything that they lack is a constant 0, and its branches are gone.
    if words(rules)[rule.PLAIN]:
        play_move(rule.plain_rules(rules), words(position), move, words(counts))
    elif words(rules)[rule.TABLED]:
        by_tables.play_move(rule.any_rules(rules), words(position), move, words(counts))
    else:
        play_move(rule.any_rules(rules), words(position), move, words(counts))


@inlined
def round_outcome(counts):
    """Return (whether the first round has ended, the seat that owned more then or -1)."""
    return counts[measures.FIRST_ROUND_ENDED], counts[measures.FIRST_ROUND_WINNER]


@inlined
def settled(rules, position, one_round):
    """Return the seat that has more than half of all counters for good, where that wins the game; else -1.

    Nothing takes a counter out of a store during a round. (A turn without end would leave the game without a winner:
    who plays a game on in thought leaves that aside.)
    """
    half = rule.any_rules(rules)[rule.R_COUNTERS_PER_HOLE] * rule.any_rules(rules)[rule.R_HOLES_PER_ROW]
    if rule.any_rules(rules)[rule.TABLED] or (rule.any_rules(rules)[rule.R_NEXT_ROUND] and not one_round):
        return -1
    if words(position)[code.W_STORE] > half:
        return 0
    return 1 if words(position)[code.W_STORE + 1] > half else -1


@inlined
def evaluate(rules, position, seat):
    """Return how far a player is ahead, by weighted features; `simulator.engine.weights` says in what."""
    return worth(rule.any_rules(rules), words(position), seat)


COUNTS, MOST_MOVES = measures.COUNTS, code.MOST_MOVES
FIRST_STREAM, LAST_STREAM = CHOICE, CHOICE + 1  # of the draws of a game: choices only
EVALUATION_SCALE = SCALE  # the lead by which a game that is cut counts as three quarters won
MOVE_CODES = code.LAYOUT + 2 * code.LAYOUT_END  # every code of a move is less
TAKEN = measures.CAPTURES_0  # place of what the first seat has taken among counts
WORD = np.int16  # the narrowest integer that holds every word of an identity
# One document for each set of argument types that the loops are compiled for.
EXAMPLES = ({"family": "sowing", "holes_per_row": 2, "counters_per_hole": 1},)


@kernel_function
def worth(rules, position, seat):
    """Return the weighted features of a player less those of the other, if those count."""
    noinline()
    ahead = _own(rules, position, seat)
    return ahead - _own(rules, position, 1 - seat) if rules[rule.OTHERS] else ahead


@inlined
def _own(rules, position, seat):
    found = rules[rule.STORE] * position[code.W_STORE + seat] + _holes(rules, position, seat)
    if rules[rule.TO_STORE]:
        found += rules[rule.TO_STORE] * _to_store(rules, position, seat)
    return found + rules[rule.TEMPO] * (position[code.W_MOVER] == seat)


@inlined
def _holes(rules, position, seat):
    """Return the counters of a row, and the holes with so many of them that bear no mark."""
    row, found = rules[rule.R_HOLES_PER_ROW], 0
    if rules[rule.TABLED]:
        return by_tables.worth_of_holes(rules, position, seat)
    for place in range(HOLES + seat * row, HOLES + (seat + 1) * row):
        held = position[place]
        found += rules[rule.ROW] * held
        if position[place + 2 * row] == 0:
            # The last weight stands for MANY counters and all numbers above.
            found += rules[rule.HOLES_OF + min(held, code.MANY)]
    return found


@inlined
def _to_store(rules, position, seat):
    """Return the holes of a row from which a lap ends in its owner's store without going round."""
    row, found = rules[rule.R_HOLES_PER_ROW], 0
    # A direction of 0 is still free: then both ways count.
    forward, backward = position[code.W_DIRECTION] >= 0, position[code.W_DIRECTION] <= 0
    for hole in range(row):
        held = position[HOLES + seat * row + hole]
        found += forward & (held == row - hole) | backward & (held == hole + 1)
    return found
