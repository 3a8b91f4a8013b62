"""How kernel functions are compiled: one place for the options.

Reference counting is off: a kernel allocates nothing, and a compile error says so if one tries. Division follows the
hardware, so that no kernel function can raise.
"""

from typing import Any

from simulator.engine import kernel_cache

# numba reads where to keep machine code when a function is defined: every module with compiled functions comes by here.
kernel_cache.prepare()

from numba import njit, types  # noqa: E402
from numba.extending import intrinsic  # noqa: E402

from simulator.engine import sealed_cache  # noqa: E402

sealed_cache.install()

# A function inherits what it does not say from the one whose compilation asked for it: hence the explicit False.
kernel_function = njit(cache=True, nogil=True, _nrt=False, error_model="numpy", forceinline=False)
inlined = njit(cache=True, nogil=True, _nrt=False, error_model="numpy", forceinline=True)


@intrinsic
def words(typing_context: Any, array: Any) -> Any:
    """The words of an array without its shape: one register to hand on instead of seven, no place counted from the end.

    A family's contract takes arrays and hands on words; words of words are the same words.
    """
    if isinstance(array, types.CPointer):
        return array(array), lambda context, builder, signature, arguments: arguments[0]

    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return context.make_array(array)(context, builder, arguments[0]).data

    return types.CPointer(array.dtype)(array), build


@intrinsic
def noinline(typing_context: Any) -> Any:
    """Said first in a function: it is called, never copied into its callers.

    The optimiser would otherwise copy a family's whole rules into one function, too large for the registers it has.
    """

    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        builder.function.attributes.add("noinline")
        return context.get_dummy_value()

    return types.none(), build
