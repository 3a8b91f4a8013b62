"""Rows of numbers at an address: a table whose width is a constant of the compiled code.

Of an array numba counts a negative place from the end, and reads how wide a row is, each time it is asked.
"""

import operator
from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.typing.templates import AbstractTemplate, infer_global, signature
from numba.extending import intrinsic, lower_builtin, models, register_model

from simulator.engine.compiled import inlined
from simulator.engine.players.kernel.search_workspace import NODE, WORTHS


class Rows(types.Type):
    """Rows of so many numbers of a type, of which each is asked for by row and column."""

    def __init__(self, dtype: types.Type, width: int) -> None:
        self.dtype, self.width = dtype, width
        super().__init__(f"Rows({dtype}, {width})")


@register_model(Rows)
class _RowsModel(models.PrimitiveModel):
    def __init__(self, manager: Any, kind: Rows) -> None:
        super().__init__(manager, kind, manager.lookup(kind.dtype).get_data_type().as_pointer())


@intrinsic(prefer_literal=True)
def rows(typing_context: Any, table: Any, width: Any) -> Any:
    """The rows of a two-dimensional array, of a width that is a constant."""

    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return context.make_array(signature.args[0])(context, builder, arguments[0]).data

    return Rows(table.dtype, width.literal_value)(table, width), build


@infer_global(operator.getitem)
class _Read(AbstractTemplate):
    def generic(self, args: Any, kws: Any) -> Any:
        if isinstance(args[0], Rows):
            return signature(args[0].dtype, args[0], types.UniTuple(types.int64, 2))
        return None


@infer_global(operator.setitem)
class _Write(AbstractTemplate):
    def generic(self, args: Any, kws: Any) -> Any:
        if isinstance(args[0], Rows):
            return signature(types.none, args[0], types.UniTuple(types.int64, 2), args[0].dtype)
        return None


def _place(builder: Any, kind: Rows, table: Any, index: Any) -> Any:
    row, column = cgutils.unpack_tuple(builder, index)
    return builder.gep(table, [builder.add(builder.mul(row, ir.Constant(ir.IntType(64), kind.width)), column)])


@lower_builtin(operator.getitem, Rows, types.UniTuple(types.int64, 2))
def _read(context: Any, builder: Any, sig: Any, arguments: Any) -> Any:
    return builder.load(_place(builder, sig.args[0], *arguments))


@lower_builtin(operator.setitem, Rows, types.UniTuple(types.int64, 2), types.Any)
def _write(context: Any, builder: Any, sig: Any, arguments: Any) -> Any:
    table, index, number = arguments
    builder.store(number, _place(builder, sig.args[0], table, index))
    return context.get_dummy_value()


@inlined
def nodes_of(workspace):
    """The nodes of a search's tree."""
    return rows(workspace.tree, NODE)


@inlined
def worth_of(workspace):
    """What selection looks at of each node."""
    return rows(workspace.worth, WORTHS)
