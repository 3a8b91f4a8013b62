"""Words at an address, as the contract's functions take them."""

from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from simulator.engine.compiled import inlined


@intrinsic
def words_at(typing_context: Any, place: Any) -> Any:
    """The integers that begin at an address."""

    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.inttoptr(arguments[0], ir.IntType(64).as_pointer())

    return types.CPointer(types.int64)(types.int64), build


@intrinsic
def draws_at(typing_context: Any, place: Any) -> Any:
    """The streams of draws that begin at an address."""

    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.inttoptr(arguments[0], ir.IntType(64).as_pointer())

    return types.CPointer(types.uint64)(types.int64), build


@intrinsic
def copy_words(typing_context: Any, source: Any, target: Any, number: Any) -> Any:
    """Copy so many words; the two places must not overlap."""

    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        from_words, to_words, count = arguments
        cgutils.raw_memcpy(builder, to_words, from_words, count, 8)
        return context.get_dummy_value()

    return types.none(types.CPointer(types.int64), types.CPointer(types.int64), types.int64), build


@inlined
def plain_rules(place):
    """Rules that are one array."""
    return words_at(place)


@inlined
def rules_of_one_word(place):
    """Rules with sets of at most 64 points."""
    return words_at(place), (0,)


@inlined
def rules_of_two_words(place):
    """Rules with sets of at most 128 points."""
    return words_at(place), (0, 0)


def as_argument(rules: Any) -> tuple[Any, Any]:
    """(the array of compiled rules, the function that takes its address for rules)."""
    if isinstance(rules, tuple):
        return rules[0], (rules_of_one_word, rules_of_two_words)[len(rules[1]) - 1]
    return rules, plain_rules
