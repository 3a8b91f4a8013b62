"""The compiled functions of a family and the arrays they write into. Importing this imports no numba; `kernel` does."""

from dataclasses import dataclass
from functools import cache
from importlib import import_module
from types import ModuleType
from typing import Any

import numpy as np

from simulator.engine.family import family
from simulator.engine.randomness import STREAMS

LINE = 8  # words in a line of the processor's cache


@dataclass(frozen=True, slots=True)
class Kernel:
    """A family's compiled functions."""

    contract: ModuleType
    play_games: Any
    expand: Any


@cache
def kernel(family_name: str) -> Kernel:
    """Return the kernel of a family; nothing is compiled before one of its functions is called."""
    family(family_name)
    contract = import_module(f"simulator.engine.families.{family_name}.kernel.contract")
    from simulator.engine import loops
    from simulator.engine.compiled import bind

    return Kernel(contract, bind(loops.play_games, family_name, contract), bind(loops.expand, family_name, contract))


def workspace(contract: ModuleType, rules: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Allocate the arrays that a playout writes into, once a block: (position, counts, list of moves, streams).

    Shapes: int64[position words], int64[COUNTS], int64[MOST_MOVES], uint64[STREAMS, 2].
    """
    position = aligned(contract.position_size(rules))
    return (
        position,
        np.zeros(contract.COUNTS, dtype=np.int64),
        np.zeros(contract.MOST_MOVES, dtype=np.int64),
        np.zeros((STREAMS, 2), dtype=np.uint64),
    )


def aligned(size: int) -> np.ndarray:
    """Return int64[size] of zeros that begins with a cache line, so that no vector of a board lies across two lines."""
    # numpy aligns to 16 bytes only: a line more than needed, cut where a line begins.
    room = np.zeros(size + LINE, dtype=np.int64)
    first = -room.ctypes.data // room.itemsize % LINE
    return room[first : first + size]
