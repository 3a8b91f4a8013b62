"""Where things stand in a kernel's position, beyond the identity that `position` names.

After the identity (16 words, then holes, then marks) come: turns without a capture; how many positions are remembered;
which of 64 classes they belong to; whether the position before the turn is kept; whether the mover's starts are known,
and those two sets; the laps of the turn before a decision within it; the position before the turn; the holes before
the turn; the holes before the lap; the remembered positions; where tables are, room for a player's moves. Whoever
writes an identity sets what is behind it to 0: nothing remembered, nothing kept, nothing known.
Sixteen words may be looked at from any mark on, so the position is longer than the longest look.
"""

import numpy as np

from simulator.engine.bits import copy_16
from simulator.engine.compiled import inlined, kernel_function, noinline
from simulator.engine.families.sowing import position as code
from simulator.engine.families.sowing.kernel import rules as rule
from simulator.engine.randomness_kernel import mix

HOLES = 16
HEADER = 16
SCRATCH = 2 * rule.MOST_OWN


@inlined
def identity_size(rules):
    return HEADER + 2 * rules[rule.AROUND]


@kernel_function
def position_size(rules):
    """Return the words of a position under these rules."""
    return scratch_at(rules) + SCRATCH * rules[rule.TABLED]


@inlined
def size_in_use(rules, position):
    """Return the words up to the last of the positions that are remembered; if none is, and none kept, up to those
    kept."""
    remembered = position[memory_count_at(rules)]
    if remembered:
        return memory_at(rules) + min(remembered, rules[rule.R_REPETITION_MEMORY])
    return before_turn_at(rules) if position[kept_flag_at(rules)] else kept_at(rules)


@inlined
def idle_at(rules):
    return identity_size(rules)


@inlined
def memory_count_at(rules):
    return identity_size(rules) + 1


@inlined
def classes_at(rules):
    """Return the classes of the remembered positions, as bits: a position of another class was not there before."""
    return identity_size(rules) + 2


@inlined
def kept_flag_at(rules):
    return identity_size(rules) + 3


@inlined
def known_at(rules):
    """Return whether the mover's starts are known, then the two sets of them."""
    return identity_size(rules) + 4


@inlined
def laps_at(rules):
    """Return where the laps of this turn stand that came before a decision within it."""
    return identity_size(rules) + 7


@inlined
def kept_at(rules):
    return identity_size(rules) + 8


@inlined
def before_turn_at(rules):
    return 2 * identity_size(rules) + 8


@inlined
def before_lap_at(rules):
    return 2 * identity_size(rules) + 8 + rules[rule.AROUND]


@inlined
def memory_at(rules):
    return 2 * identity_size(rules) + 8 + 2 * rules[rule.AROUND]


@inlined
def scratch_at(rules):
    return memory_at(rules) + rules[rule.R_REPETITION_MEMORY]


@inlined
def is_barred(mark):
    """Return whether a mark bars a hole: it is a part hole or tied."""
    return mark == code.BARRED or mark == code.BARRED + 1 or mark >= code.TIED


@kernel_function
def keep_before_turn(rules, position):
    """Keep the position a turn of several plies began from, unless it is kept already."""
    noinline()
    if position[kept_flag_at(rules)] == 0:
        base = kept_at(rules)
        for i in range(identity_size(rules)):
            position[base + i] = position[i]
        position[kept_flag_at(rules)] = 1


@inlined
def keep_holes(rules, position):
    """Keep the holes before the turn: sixteen words at once where there is room for them before the memory."""
    row, kept = rules[rule.R_HOLES_PER_ROW], before_turn_at(rules)
    # From 4 holes a row on, sixteen words end before the memory; up to 8 they hold the whole board.
    if 4 <= row <= 8:
        copy_16(position, HOLES, kept)
    else:
        for hole in range(2 * row):
            position[kept + hole] = position[HOLES + hole]


@kernel_function
def hash_of_board(rules, position):
    """Return 64 bits of mover and holes, for remembering positions: a polynomial of each row, so that two sums run at
    once."""
    noinline()
    row = rules[rule.AROUND] >> 1
    factor = np.uint64(0x9E3779B97F4A7C15)
    # Two sums that do not wait for each other, one a row; mixed differently, so that exchanged rows differ.
    first = second = np.uint64(position[code.W_MOVER])
    for hole in range(row):
        first = first * factor + np.uint64(position[HOLES + hole])
        second = second * factor + np.uint64(position[HOLES + row + hole])
    if rules[rule.AROUND] & 1:
        second = second * factor + np.uint64(position[HOLES + 2 * row])
    return np.int64(mix(first) + mix(mix(second)))
