"""Where things stand in a kernel's position, beyond the identity that `position` names.

After the identity (16 words, then holes, then marks) come: turns without a capture; how many positions are remembered;
whether the position before the turn is kept; that position; the holes before the turn; the holes before the lap; the
remembered positions.
"""

import numpy as np

from simulator.engine.compiled import inlined, kernel_function
from simulator.engine.families.sowing.kernel.rules import R_MEMORY, R_ROW

HOLES = 16
HEADER = 16


@inlined
def identity_size(rules):
    return HEADER + 4 * rules[R_ROW]


@kernel_function
def position_size(rules):
    """Words of a position under these rules."""
    return 2 * identity_size(rules) + 3 + 4 * rules[R_ROW] + rules[R_MEMORY]


@inlined
def idle_at(rules):
    return identity_size(rules)


@inlined
def memory_count_at(rules):
    return identity_size(rules) + 1


@inlined
def kept_flag_at(rules):
    return identity_size(rules) + 2


@inlined
def kept_at(rules):
    return identity_size(rules) + 3


@inlined
def before_turn_at(rules):
    return 2 * identity_size(rules) + 3


@inlined
def before_lap_at(rules):
    return 2 * identity_size(rules) + 3 + 2 * rules[R_ROW]


@inlined
def memory_at(rules):
    return 2 * identity_size(rules) + 3 + 4 * rules[R_ROW]


@kernel_function
def keep_before_turn(rules, position):
    """Keep the position a turn of several plies began from, unless it is kept already."""
    if position[kept_flag_at(rules)] == 0:
        base = kept_at(rules)
        for i in range(identity_size(rules)):
            position[base + i] = position[i]
        position[kept_flag_at(rules)] = 1


@kernel_function
def hash_of_board(rules, position):
    """64 bits of mover and holes, for remembering positions: FNV-1a over the words."""
    value = np.uint64(0xCBF29CE484222325)
    prime = np.uint64(0x100000001B3)
    value = (value ^ np.uint64(position[1])) * prime
    for i in range(2 * rules[R_ROW]):
        value = (value ^ np.uint64(position[HOLES + i])) * prime
    return np.int64(value)
