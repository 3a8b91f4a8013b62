"""One compiled copy of a generic loop per family.

A loop is a plain function that names the family's functions as globals. Closures, dispatchers or functions passed as
arguments never hit numba's disk cache, and two copies with one `__qualname__` and the same argument types are served
each other's machine code; so each copy has the loop's code object, the family's functions as globals, and the
family's name in its `__qualname__`. The loop's module does not import the contract: so a copy says that it is reached.
"""

from collections.abc import Callable, Mapping
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

from simulator.engine.compiled import kernel_function
from simulator.engine.kernel_cache import BIND, REACHED_BY

# What loops name of a family's contract. A contract has moreover what is asked before anything is compiled: COUNTS,
# EXAMPLES, MOST_MOVES, MOVE_CODES, TAKEN, WORD, compile_rules, position_size.
CONTRACT = (
    *("FIRST_STREAM", "LAST_STREAM", "EVALUATION_SCALE", "identity_size", "size_in_use", "start", "mover", "outcome"),
    *("moves", "random_move", "look_past", "play", "round_outcome", "settled", "evaluate"),
)


def bind(loop: Callable[..., Any], family: str, contract: ModuleType) -> Callable[..., Any]:
    """`loop` compiled against the functions of a family's kernel contract."""
    compiled: Callable[..., Any] = kernel_function(copy_for(loop, family, contract, {}))
    return compiled


def copy_for(loop: Callable[..., Any], family: str, contract: ModuleType, also: Mapping[str, Any]) -> FunctionType:
    """A copy of `loop` that finds the family's contract, and what is given `also`, among its globals."""
    assert isinstance(loop, FunctionType)
    names = {**loop.__globals__, **{name: getattr(contract, name) for name in CONTRACT}, **also}
    copy = FunctionType(loop.__code__, names, loop.__name__, loop.__defaults__, loop.__closure__)
    copy.__qualname__ = f"{loop.__qualname__}_{family}"
    copy.__module__ = loop.__module__
    copy.__dict__[REACHED_BY] = (BIND, Path(str(contract.__file__)))
    return copy
