"""Positions found and numbered, compiled: how they are packed, looked up, and expanded until none is new.

`grow` is compiled only as copies that `bind` makes; the names that are not defined here (`moves`, `mover`, `outcome`,
`play`) are the family's. The rest is the same for every family.
"""
# ruff: noqa: F821
# mypy: ignore-errors

import numpy as np

from simulator.engine.compiled import inlined, kernel_function
from simulator.engine.ends import DRAW, WIN
from simulator.engine.randomness_kernel import GAMMA, mix

# What a position is: running with that seat to move, or ended.
WON_BY_FIRST, WON_BY_SECOND, DRAWN, RELEASES_NOBODY = range(2, 6)

# Why `grow` came back.
COMPLETE, MORE_POSITIONS, MORE_MOVES, TOO_NARROW = range(4)

# Columns of `fields`, a row for each word of an identity: it is stored less LOW, in BITS bits, at SHIFT of key word AT.
LOW, BITS, AT, SHIFT, MASK = range(5)

# Words of `state`: the position to be expanded next, positions found, the field that is too narrow, what it is to hold.
NEXT, FOUND, NARROW, VALUE = range(4)


@inlined
def pack(position, fields, key):
    """Write an identity as a key; returns the field that is too narrow for its word, or -1."""
    for k in range(len(key)):
        key[k] = 0
    for field in range(len(fields)):
        value, bits = position[field] - fields[field, LOW], fields[field, BITS]
        if bits < 64 and value >> bits != 0:
            return field
        key[fields[field, AT]] |= value << fields[field, SHIFT]
    return -1


@inlined
def unpack(keys, number, fields, position):
    """Write position `number` with nothing remembered and nothing known."""
    for field in range(len(fields)):
        word = keys[number, fields[field, AT]] >> fields[field, SHIFT]
        position[field] = (word & fields[field, MASK]) + fields[field, LOW]
    for word in range(len(fields), len(position)):
        position[word] = 0


@inlined
def slot_of(keys, table, key):
    """The place in the table where a key's number stands, or belongs if it holds -1."""
    mark = np.uint64(0)
    for k in range(len(key)):
        mark = mix((mark ^ np.uint64(key[k])) + GAMMA)
    last = len(table) - 1
    slot = np.int64(mark & np.uint64(last))
    while table[slot] >= 0:
        number, same = table[slot], True
        for k in range(len(key)):
            same &= keys[number, k] == key[k]
        if same:
            return slot
        slot = (slot + 1) & last
    return slot


@kernel_function
def fill_table(keys, found, table, key):
    """Enter the first `found` keys into an empty table."""
    for number in range(found):
        for k in range(len(key)):
            key[k] = keys[number, k]
        table[slot_of(keys, table, key)] = number


@kernel_function
def number_of(fields, keys, table, identity, key):
    """The number of a position, or -1 if it was not reached."""
    if pack(identity, fields, key) >= 0:
        return -1
    return table[slot_of(keys, table, key)]


@kernel_function
def identity_of(keys, number, fields, position):
    unpack(keys, number, fields, position)


def grow(rules, fields, keys, table, kinds, offsets, targets, state, key, position, child, streams, counts, out):
    """Expand positions in the order they were found in, until none is new or there is no room.

    kinds:   int8[room], what each position is
    offsets: int64[room + 1], targets: int32[moves]: move k of position i leads to targets[offsets[i] + k]
    Returns why it stopped; called again with more room, it goes on. A position it could not finish is expanded anew.
    """
    while state[NEXT] < state[FOUND]:
        number = state[NEXT]
        first = offsets[number]
        options = 0
        if kinds[number] < WON_BY_FIRST:
            unpack(keys, number, fields, position)
            options = moves(rules, position, out)
            if first + options > len(targets):
                return MORE_MOVES
        for k in range(options):
            for w in range(len(child)):
                child[w] = position[w]
            counts[:] = 0
            play(rules, child, out[k], streams, counts)
            narrow = pack(child, fields, key)
            if narrow >= 0:
                state[NARROW], state[VALUE] = narrow, child[narrow]
                return TOO_NARROW
            slot = slot_of(keys, table, key)
            target = table[slot]
            if target < 0:
                target = state[FOUND]
                if target == len(keys):
                    return MORE_POSITIONS
                for w in range(len(key)):
                    keys[target, w] = key[w]
                table[slot] = target
                kinds[target] = mover(rules, child)
                end, winners = outcome(rules, child)
                if end == WIN and winners == 1:
                    kinds[target] = WON_BY_FIRST
                elif end == WIN and winners == 2:
                    kinds[target] = WON_BY_SECOND
                elif end == WIN or end == DRAW:
                    kinds[target] = DRAWN
                elif end >= 0:
                    kinds[target] = RELEASES_NOBODY
                state[FOUND] += 1
            targets[first + k] = target
        offsets[number + 1] = first + options
        state[NEXT] += 1
    return COMPLETE
