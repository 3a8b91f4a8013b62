"""Rules of which some are known to the compiler: the type of their words says which.

Code that is compiled for such a type reads what is known as a constant, so that what a ruleset never has is not even
asked. Nothing changes rules while games are played: what was read once need not be read again.
"""

import operator
from collections.abc import Mapping
from typing import Any

from llvmlite import ir
from numba import types
from numba.core.typing.templates import AbstractTemplate, infer, infer_global, signature
from numba.extending import lower_builtin, models, register_model


class Rules(types.Type):
    """The words of an array of rules.

    known: place in the array -> the number that stands there
    """

    dtype = types.int64

    def __init__(self, name: str, known: Mapping[int, int]) -> None:
        self.known = dict(known)
        super().__init__(name)


register_model(Rules)(models.PointerModel)


def known_words(rules: Any, kind: Rules) -> Any:
    """What an intrinsic answers that takes an array of rules, or its words, for words of that kind."""

    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        if isinstance(rules, types.CPointer):
            return arguments[0]
        return context.make_array(rules)(context, builder, *arguments).data

    return kind(rules), build


@infer
class _ReadByName(AbstractTemplate):
    key = "static_getitem"

    def generic(self, args: Any, kws: Any) -> Any:
        return signature(types.int64, *args) if isinstance(args[0], Rules) else None


@infer_global(operator.getitem)
class _ReadByPlace(AbstractTemplate):
    def generic(self, args: Any, kws: Any) -> Any:
        return signature(types.int64, args[0], types.int64) if isinstance(args[0], Rules) else None


@lower_builtin("static_getitem", Rules, types.Any)
def _read_by_name(context: Any, builder: Any, sig: Any, arguments: Any) -> Any:
    words, place = arguments
    if place in sig.args[0].known:
        return ir.Constant(ir.IntType(64), sig.args[0].known[place])
    return _read(builder, words, ir.Constant(ir.IntType(64), place))


@lower_builtin(operator.getitem, Rules, types.int64)
def _read_by_place(context: Any, builder: Any, sig: Any, arguments: Any) -> Any:
    return _read(builder, *arguments)


def _read(builder: Any, words: Any, place: Any) -> Any:
    number = builder.load(builder.gep(words, [place]))
    number.set_metadata("invariant.load", builder.module.add_metadata([]))
    return number
