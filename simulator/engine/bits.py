"""Sets as the bits of one integer, compiled: counting them and finding the nth."""

from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from simulator.engine.compiled import inlined


@intrinsic
def count_bits(typing_context: Any, bits: Any) -> Any:
    """How many bits of an int64 are set."""
    if bits != types.int64:
        return None

    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.ctpop(arguments[0])

    return types.int64(types.int64), build


@intrinsic
def lowest_bit(typing_context: Any, bits: Any) -> Any:
    """The place of the lowest set bit of an int64; 64 if none is set."""
    if bits != types.int64:
        return None

    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 0))

    return types.int64(types.int64), build


@inlined
def nth_bit(bits, number):
    """The place of set bit `number`, counted from the lowest as 0; there must be that many."""
    for _ in range(number):
        bits &= bits - 1
    return lowest_bit(bits)
