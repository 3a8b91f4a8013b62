"""Sets of points as words of bits: asking, adding, counting, finding the nth."""

from simulator.engine.bits import count_bits, highest_bit, nth_bit_of_64
from simulator.engine.compiled import inlined


@inlined
def has(words, at, point):
    """Return 1 if the point is in the set that begins at `at`, else 0."""
    return words[at + (point >> 6)] >> (point & 63) & 1


@inlined
def add(words, at, point):
    words[at + (point >> 6)] |= 1 << (point & 63)


@inlined
def remove(words, at, point):
    words[at + (point >> 6)] &= ~(1 << (point & 63))


@inlined
def count(words, at, wide):
    found = 0
    for w in range(len(wide)):
        found += count_bits(words[at + w])
    return found


@inlined
def is_empty(words, at, wide):
    found = 0
    for w in range(len(wide)):
        found |= words[at + w]
    return found == 0


@inlined
def nth(words, at, wide, number):
    """Point `number` of a set in ascending order, counted from 0; there must be that many."""
    for w in range(len(wide) - 1):
        within = count_bits(words[at + w])
        if number < within:
            return 64 * w + nth_bit_of_64(words[at + w], number)
        number -= within
    last = len(wide) - 1
    return 64 * last + nth_bit_of_64(words[at + last], number)


@inlined
def highest(words, at, wide):
    """Return the last point of a set, or -1."""
    found = -1
    for w in range(len(wide)):
        if words[at + w]:
            found = 64 * w + highest_bit(words[at + w])
    return found
