"""Sets as the bits of one integer, counted and searched, and sets of a fixed size by their number; compiled.

Ranking is colexicographic. The sets of k numbers are ordered by their largest member first, so that the set
c[0] < c[1] < … has the number sum of choose(c[i], i + 1) (Knuth, The Art of Computer Programming 4A, 7.2.1.3), and a
set in which one member is replaced by a smaller number has a smaller number.
"""

from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from simulator.engine.compiled import inlined

WORD = ir.IntType(64)


def _places(bits: int) -> list[int]:
    """Return the places of the set bits below 8, and zeros up to eight numbers."""
    found = [place for place in range(8) if bits >> place & 1]
    return found + [0] * (8 - len(found))


NTH_OF_8 = np.array([place for bits in range(256) for place in _places(bits)], dtype=np.uint8)


@intrinsic
def count_bits(typing_context: Any, bits: Any) -> Any:
    """Return how many bits of an int64 are set."""
    if bits != types.int64:
        return None

    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.ctpop(arguments[0])

    return types.int64(types.int64), build


@intrinsic
def lowest_bit(typing_context: Any, bits: Any) -> Any:
    """Return the place of the lowest set bit of an int64; 64 if none is set."""
    if bits != types.int64:
        return None

    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 0))

    return types.int64(types.int64), build


def _compare_16(relation: str) -> Any:
    """Make code that compares 16 words with one number, four at a time, and answers with the bits of an integer."""

    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        words, place, number = arguments
        four, answers = ir.VectorType(WORD, 4), ir.Constant(WORD, 0)
        spread = builder.insert_element(ir.Constant(four, ir.Undefined), number, ir.Constant(ir.IntType(32), 0))
        spread = builder.shuffle_vector(spread, spread, ir.Constant(ir.VectorType(ir.IntType(32), 4), [0] * 4))
        for first in range(0, 16, 4):
            begin = builder.gep(words, [builder.add(place, ir.Constant(WORD, first))])
            taken = builder.load(builder.bitcast(begin, four.as_pointer()), align=8)
            found = builder.bitcast(builder.icmp_signed(relation, taken, spread), ir.IntType(4))
            answers = builder.or_(answers, builder.shl(builder.zext(found, WORD), ir.Constant(WORD, first)))
        return answers

    return build


@intrinsic
def which_exceed(typing_context: Any, words: Any, place: Any, number: Any) -> Any:
    """Return which of the 16 words from `place` on are greater than the number, as bits."""
    return types.int64(types.CPointer(types.int64), types.int64, types.int64), _compare_16(">")


@intrinsic
def which_equal(typing_context: Any, words: Any, place: Any, number: Any) -> Any:
    """Return which of the 16 words from `place` on are that number, as bits."""
    return types.int64(types.CPointer(types.int64), types.int64, types.int64), _compare_16("==")


@inlined
def nth_bit(bits, number):
    """Return the place of set bit `number`, counted from the lowest as 0; there must be that many, all below place
    16."""
    low = bits & 255
    below = count_bits(low)
    if number < below:
        return np.int64(NTH_OF_8[np.uint64(8 * low + number)])
    return 8 + np.int64(NTH_OF_8[np.uint64(8 * (bits >> 8) + number - below)])


@intrinsic
def highest_bit(typing_context: Any, bits: Any) -> Any:
    """Return the place of the highest set bit of an int64; -1 if none is set."""
    if bits != types.int64:
        return None

    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        leading = builder.ctlz(arguments[0], ir.Constant(ir.IntType(1), 0))
        return builder.sub(ir.Constant(ir.IntType(64), 63), leading)

    return types.int64(types.int64), build


SLOW_TO_DEPOSIT = ("znver1", "znver2")  # processors that take as many steps for it as there are bits


def _deposits(context: Any) -> bool:
    """Return whether the processor that code is made for has a fast instruction that deposits bits under a mask."""
    _, name, features = context.codegen().magic_tuple()
    return "+bmi2" in features.split(",") and name not in SLOW_TO_DEPOSIT


@intrinsic
def _may_deposit(typing_context: Any) -> Any:
    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return ir.Constant(ir.IntType(1), _deposits(context))

    return types.boolean(), build


@intrinsic
def _deposit(typing_context: Any, bits: Any, mask: Any) -> Any:
    """Return the bits, from the lowest up, at the places of the mask's bits; 0 where `_may_deposit` says no."""

    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        if not _deposits(context):
            return ir.Constant(WORD, 0)
        kind = ir.FunctionType(WORD, [WORD, WORD])
        return builder.call(cgutils.get_or_insert_function(builder.module, kind, "llvm.x86.bmi.pdep.64"), arguments)

    return types.int64(types.int64, types.int64), build


@inlined
def nth_bit_of_64(bits, number):
    """Return what `nth_bit` does, for bits below place 64.

    Without an instruction for it the word is halved, not walked from bit to bit: a processor would guess wrong where a
    random walk ends.
    """
    if _may_deposit():
        return lowest_bit(_deposit(1 << number, bits))
    place = 0
    for width in (32, 16, 8, 4, 2, 1):
        lower = count_bits(bits & ((1 << width) - 1))
        above = 0 - (number >= lower)  # every bit set, or none
        number -= lower & above
        bits >>= width & above
        place += width & above
    return place


@intrinsic
def copy_16(typing_context: Any, words: Any, source: Any, target: Any) -> Any:
    """Copy the 16 words from place `source` on to place `target`; the two must not overlap."""

    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        base, from_place, to_place = arguments
        whole = ir.VectorType(ir.IntType(64), 16).as_pointer()
        taken = builder.load(builder.bitcast(builder.gep(base, [from_place]), whole), align=8)
        builder.store(taken, builder.bitcast(builder.gep(base, [to_place]), whole), align=8)
        return context.get_dummy_value()

    return types.none(types.CPointer(types.int64), types.int64, types.int64), build


@intrinsic
def flip_8(typing_context: Any, words: Any, place: Any, table: Any, entry: Any, other: Any) -> Any:
    """Change, of the 8 words from `place` on, the bits that are set in just one of the 8 words from word `entry` of a
    table on, and from word `other` on."""

    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        base, to_place, masks, *entries = arguments
        whole = ir.VectorType(WORD, 8).as_pointer()
        target = builder.bitcast(builder.gep(base, [to_place]), whole)
        one, two = (builder.load(builder.bitcast(builder.gep(masks, [at]), whole), align=8) for at in entries)
        flipped = builder.xor(builder.load(target, align=8), builder.xor(one, two))
        builder.store(flipped, target, align=8)
        return context.get_dummy_value()

    return types.none(words, types.int64, table, types.int64, types.int64), build


@intrinsic
def add_16_bytes(typing_context: Any, words: Any, place: Any, table: Any, entry: Any) -> Any:
    """Add to the 16 words from `place` on the 16 signed bytes from word `entry` of a table on."""

    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        base, to_place, bytes_of, from_entry = arguments
        whole, narrow = ir.VectorType(WORD, 16), ir.VectorType(ir.IntType(8), 16)
        added = builder.load(builder.bitcast(builder.gep(bytes_of, [from_entry]), narrow.as_pointer()), align=8)
        target = builder.bitcast(builder.gep(base, [to_place]), whole.as_pointer())
        builder.store(builder.add(builder.load(target, align=8), builder.sext(added, whole)), target, align=8)
        return context.get_dummy_value()

    return types.none(words, types.int64, table, types.int64), build


def binomials(most, members):
    """Return choose[n, k], int64, for n up to `most` and k up to `members`; raises OverflowError beyond 64 bits."""
    choose = np.zeros((most + 1, members + 1), dtype=object)
    choose[:, 0] = 1
    for n in range(1, most + 1):
        for k in range(1, members + 1):
            choose[n, k] = choose[n - 1, k - 1] + choose[n - 1, k]
    return choose.astype(np.int64)


@inlined
def rank(choose, members):
    """Return the number of an ascending set."""
    number = 0
    for place in range(len(members)):
        number += choose[members[place], place + 1]
    return number


@inlined
def rank_after(choose, members, number, place, lower):
    """Return the number of set `number` after its member at `place` is replaced by `lower`, which is not a member."""
    # Only the terms from the changed member down to its new place differ; the others need not be added up again.
    number -= choose[members[place], place + 1]
    # The members between the two move up by one place.
    while place > 0 and members[place - 1] > lower:
        number += choose[members[place - 1], place + 1] - choose[members[place - 1], place]
        place -= 1
    return number + choose[lower, place + 1]


@inlined
def unrank(choose, number, members):
    """Write set `number` into `members`, ascending."""
    largest = len(choose) - 1
    for place in range(len(members) - 1, -1, -1):
        while choose[largest, place + 1] > number:
            largest -= 1
        members[place] = largest
        number -= choose[largest, place + 1]


@inlined
def advance(members):
    """Change a set into the next in order: the first member that has room goes up, those before it start again."""
    place = 0
    while place + 1 < len(members) and members[place] + 1 == members[place + 1]:
        members[place] = place
        place += 1
    members[place] += 1
