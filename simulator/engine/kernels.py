"""The compiled functions of a family, and the room they write into. Importing this imports no numba; `kernel` does."""

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
    """The kernel of a family; nothing is compiled before it is called."""
    family(family_name)
    contract = import_module(f"simulator.engine.families.{family_name}.kernel.contract")
    from simulator.engine import loops
    from simulator.engine.bind import bind

    return Kernel(contract, bind(loops.play_games, family_name, contract), bind(loops.expand, family_name, contract))


def workspace(contract: ModuleType, rules: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """All that a playout writes into, made once a block: position, counts, list of moves, draws."""
    position = aligned(contract.position_size(rules))
    return (
        position,
        np.zeros(contract.COUNTS, dtype=np.int64),
        np.zeros(contract.MOST_MOVES, dtype=np.int64),
        np.zeros((STREAMS, 2), dtype=np.uint64),
    )


def aligned(size: int) -> np.ndarray:
    """int64[size] of zeros that begins with a line, so that no vector of a board lies across two."""
    room = np.zeros(size + LINE, dtype=np.int64)
    first = -room.ctypes.data // room.itemsize % LINE
    return room[first : first + size]
