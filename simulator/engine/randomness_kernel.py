"""The generator of `randomness`, compiled. A stream is two words: its key, and how many words were drawn."""

from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from simulator.engine import randomness
from simulator.engine.compiled import inlined, kernel_function, words

GAMMA = np.uint64(randomness.GAMMA)
MULTIPLY_1 = np.uint64(0xBF58476D1CE4E5B9)
MULTIPLY_2 = np.uint64(0x94D049BB133111EB)
S27, S30, S31, S32 = np.uint64(27), np.uint64(30), np.uint64(31), np.uint64(32)
ONE, LOW = np.uint64(1), np.uint64(0xFFFFFFFF)


@inlined
def mix(value):
    value = (value ^ (value >> S30)) * MULTIPLY_1
    value = (value ^ (value >> S27)) * MULTIPLY_2
    return value ^ (value >> S31)


@kernel_function
def open_streams(streams, seed, game, first, last):
    """Set streams[k] to the start of stream k, for k from `first` to `last`; uint64[STREAMS, 2]."""
    key = mix(np.uint64(seed) + GAMMA)
    key = mix((key ^ np.uint64(game)) + GAMMA)
    for k in range(first, last + 1):
        streams[k, 0] = mix((key ^ np.uint64(k)) + GAMMA)
        streams[k, 1] = np.uint64(0)


@kernel_function
def open_search(streams, seed, game, ply, first, last):
    """Set the streams that a search draws from instead of the game's: others at every ply of a game."""
    key = mix(np.uint64(seed) + GAMMA)
    key = mix((key ^ np.uint64(game)) + GAMMA)
    key = mix((key ^ np.uint64(randomness.SEARCH + ply)) + GAMMA)
    for k in range(first, last + 1):
        streams[k, 0] = mix((key ^ np.uint64(k)) + GAMMA)
        streams[k, 1] = np.uint64(0)


@inlined
def word(streams, stream):
    draws = words(streams)
    drawn = draws[2 * stream + 1] + ONE
    # A stream is a key and a counter: any draw can be had without the ones before it.
    draws[2 * stream + 1] = drawn
    return mix(draws[2 * stream] + drawn * GAMMA)


@inlined
def below(streams, stream, bound):
    """Return an unbiased whole number below `bound` (int64); a single option draws nothing."""
    if bound < 2:
        return np.int64(0)
    wide = np.uint64(bound)
    product = (word(streams, stream) >> S32) * wide
    low = product & LOW
    # Only products whose lower half is below the bound can be biased: the division is paid for by few draws.
    if low < wide:
        least = (LOW + ONE) % wide
        while low < least:
            product = (word(streams, stream) >> S32) * wide
            low = product & LOW
    return np.int64(product >> S32)


AT_ONCE = 8  # draws in one vector


@intrinsic
def which_below(typing_context: Any, key: Any, drawn: Any, of: Any, bound: Any) -> Any:
    """Return, as bits, which of the next eight draws below `of` are below `bound`, and in the next byte which of them
    may be biased and so have to be drawn as `below` does."""

    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        word, lanes = ir.IntType(64), ir.VectorType(ir.IntType(64), AT_ONCE)

        def spread(value: Any) -> Any:
            one = builder.insert_element(ir.Constant(lanes, ir.Undefined), value, ir.Constant(ir.IntType(32), 0))
            places = ir.Constant(ir.VectorType(ir.IntType(32), AT_ONCE), [0] * AT_ONCE)
            return builder.shuffle_vector(one, one, places)

        def same(number: Any) -> Any:
            return ir.Constant(lanes, [ir.Constant(word, int(number))] * AT_ONCE)

        def folded(value: Any, bits: int) -> Any:
            return builder.xor(value, builder.lshr(value, same(bits)))

        def answers(smaller: Any, larger: Any) -> Any:
            found = builder.icmp_unsigned("<", smaller, larger)
            return builder.zext(builder.bitcast(found, ir.IntType(AT_ONCE)), word)

        key, drawn, of, bound = arguments
        begin = spread(builder.add(key, builder.mul(drawn, word(randomness.GAMMA))))
        # Both factors of a draw are told to be of 32 bits, of which processors multiply many at once.
        of, bound = spread(builder.and_(of, word(int(LOW)))), spread(bound)
        ahead = [ir.Constant(word, (1 + k) * randomness.GAMMA % 2**64) for k in range(AT_ONCE)]
        mixed = builder.add(begin, ir.Constant(lanes, ahead))
        mixed = builder.mul(folded(mixed, 30), same(MULTIPLY_1))
        mixed = folded(builder.mul(folded(mixed, 27), same(MULTIPLY_2)), 31)
        product = builder.mul(builder.lshr(mixed, same(32)), of)
        biased = answers(builder.and_(product, same(LOW)), of)
        return builder.or_(answers(builder.lshr(product, same(32)), bound), builder.shl(biased, word(AT_ONCE)))

    return types.int64(types.uint64, types.uint64, types.uint64, types.uint64), build


@inlined
def mix_signed(value):
    """Return `mix` of an int64, as an int64."""
    return np.int64(mix(np.uint64(value) + GAMMA))
