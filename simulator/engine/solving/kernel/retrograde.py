"""Retrograde analysis, compiled: number all positions that can be reached, then sweep from the ends backwards.

First `grow` expands positions breadth first; how they are packed and looked up is the same for every family. Then the
sweeps find who wins where, after how many plies, and which draws the rules bring about. `grow` is compiled only as
copies that `bind` makes; the names that are not defined here (`moves`, `mover`, `outcome`, `play`) are the family's.
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
    """Write an identity as a key, int64[key words]; returns the field that is too narrow for its word, or -1."""
    for k in range(len(key)):
        key[k] = 0
    for field in range(len(fields)):
        value, bits = position[field] - fields[field, LOW], fields[field, BITS]
        if bits < 64 and value >> bits != 0:  # too large, or negative: a shift keeps the sign
            return field
        key[fields[field, AT]] |= value << fields[field, SHIFT]
    return -1


@inlined
def unpack(keys, number, fields, position):
    """Write the identity of position `number` into `position`, and zeros into all words behind it."""
    for field in range(len(fields)):
        word = keys[number, fields[field, AT]] >> fields[field, SHIFT]
        position[field] = (word & fields[field, MASK]) + fields[field, LOW]
    for word in range(len(fields), len(position)):
        position[word] = 0


@inlined
def slot_of(keys, table, key):
    """Return the slot of the table that holds a key's number, or -1 where the number belongs.

    Open addressing with linear probing over a table whose length is a power of 2 and which is never more than half
    full.
    """
    mark = np.uint64(0)
    for k in range(len(key)):
        mark = mix((mark ^ np.uint64(key[k])) + GAMMA)
    # The length is a power of 2, so that a mask takes the remainder; collisions go on to the next place.
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
    """Return the number of a position, or -1 if it was not reached."""
    if pack(identity, fields, key) >= 0:
        return -1
    return table[slot_of(keys, table, key)]


@kernel_function
def identity_of(keys, number, fields, position):
    """Write the identity of position `number` into `position`; `unpack` for callers in Python."""
    unpack(keys, number, fields, position)


def grow(rules, fields, keys, table, kinds, offsets, targets, state, key, position, child, streams, counts, out):
    """Expand positions in the order in which they were reached, until none is new or an array is full.

    kinds:   int8[room], what each position is
    offsets: int64[room + 1], targets: int32[moves]: move k of position i leads to targets[offsets[i] + k]
    Returns why it stopped, and continues when it is called again with longer arrays. A position that it could not
    finish is expanded again from its first move: offsets[NEXT + 1] is written, and NEXT raised, only once all moves are
    played.
    """
    while state[NEXT] < state[FOUND]:
        number = state[NEXT]
        first = offsets[number]
        options = 0
        if kinds[number] < WON_BY_FIRST:  # an ended position has no moves
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
            if narrow >= 0:  # the caller widens the field, packs all keys again, and calls again
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
                elif end == WIN or end == DRAW:  # a win of both seats is nobody's
                    kinds[target] = DRAWN
                elif end >= 0:
                    kinds[target] = RELEASES_NOBODY
                state[FOUND] += 1
            targets[first + k] = target
        offsets[number + 1] = first + options
        state[NEXT] += 1
    return COMPLETE


# What best play comes to. Draws by the rules and draws by endless play are told apart.
FIRST_WINS, SECOND_WINS, RULES_DRAW, ENDLESS_PLAY, UNKNOWN = range(5)


@kernel_function
def turn_round(offsets, targets, starts, sources):
    """Sort the moves by where they lead: those into position i come from sources[starts[i]:starts[i + 1]].

    starts: int64[positions + 1], zeros on entry; sources: int32[moves]
    """
    # A counting sort. First starts[i] counts the moves into i, then it is where their sources end; each source that is
    # written moves it down by one, so that in the end it is where they begin.
    positions = len(starts) - 1
    for move in range(offsets[positions]):
        starts[targets[move]] += 1
    total = 0
    for number in range(positions):
        total += starts[number]
        starts[number] = total
    starts[positions] = total
    for back in range(positions):  # from the last down, so that the sources of each position ascend
        number = positions - 1 - back
        for move in range(offsets[number], offsets[number + 1]):
            starts[targets[move]] -= 1
            sources[starts[targets[move]]] = number


@kernel_function
def find_wins(kinds, offsets, starts, sources, values, distances, left, queue):
    """Find every position that a seat can force, with the plies it takes: a win as soon, a loss as late as can be.

    Every ply counts one, whichever seat makes it, so positions come off the queue in order of distance: the first
    winning move that is met is the quickest, and the last losing one the slowest.
    values: int8[positions], UNKNOWN where nobody can force a win; distances: int32[positions]
    left, queue: int32[positions], scratch
    """
    waiting = 0
    for number in range(len(values)):
        values[number] = UNKNOWN
        left[number] = offsets[number + 1] - offsets[number]  # moves not yet known to lose
        if kinds[number] == WON_BY_FIRST or kinds[number] == WON_BY_SECOND:
            values[number] = FIRST_WINS if kinds[number] == WON_BY_FIRST else SECOND_WINS
            queue[waiting] = number
            waiting += 1
    taken = 0
    while taken < waiting:
        number = queue[taken]
        taken += 1
        for place in range(starts[number], starts[number + 1]):
            source = sources[place]
            if values[source] != UNKNOWN:
                continue
            left[source] -= 1
            # A running position's kind is its mover, and FIRST_WINS and SECOND_WINS are the seats: the mover has a
            # move that wins, or all his moves lose.
            if kinds[source] == values[number] or left[source] == 0:
                values[source] = values[number]
                distances[source] = distances[number] + 1
                queue[waiting] = source
                waiting += 1


@kernel_function
def tell_draws_apart(kinds, offsets, targets, starts, sources, values, left, queue):
    """Tell the draws apart: RULES_DRAW where play must come to a drawn end unless a player gives up his draw, else
    ENDLESS_PLAY.

    left counts the moves of a position that keep the draw and are not known to lead to a drawn end: once it is 0, every
    such move does.
    """
    waiting = 0
    for number in range(len(values)):
        if values[number] != UNKNOWN:
            continue
        if kinds[number] == DRAWN:
            values[number] = RULES_DRAW
            queue[waiting] = number
            waiting += 1
        elif kinds[number] == RELEASES_NOBODY:
            values[number] = ENDLESS_PLAY
        left[number] = 0
        for move in range(offsets[number], offsets[number + 1]):
            left[number] += values[targets[move]] > SECOND_WINS  # neither seat wins there
    taken = 0
    while taken < waiting:
        number = queue[taken]
        taken += 1
        for place in range(starts[number], starts[number + 1]):
            source = sources[place]
            if values[source] != UNKNOWN:
                continue
            left[source] -= 1
            if left[source] == 0:
                values[source] = RULES_DRAW
                queue[waiting] = source
                waiting += 1
    for number in range(len(values)):
        if values[number] == UNKNOWN:
            values[number] = ENDLESS_PLAY


@kernel_function
def find_forced(kinds, offsets, starts, sources, allowed, reached, seat, left, queue):
    """Add to `reached` (int8) every position from which `seat` can force a position that is in it, never leaving
    `allowed` (int8) on the way.

    The same backward sweep as `find_wins`: one move of the seat is enough, and of the other seat every move must lead
    in.
    """
    waiting = 0
    for number in range(len(reached)):
        left[number] = offsets[number + 1] - offsets[number]
        if reached[number]:
            queue[waiting] = number
            waiting += 1
    taken = 0
    while taken < waiting:
        number = queue[taken]
        taken += 1
        for place in range(starts[number], starts[number + 1]):
            source = sources[place]
            if reached[source] or not allowed[source]:
                continue
            left[source] -= 1
            if kinds[source] == seat or left[source] == 0:
                reached[source] = 1
                queue[waiting] = source
                waiting += 1
