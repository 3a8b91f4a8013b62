"""The compiled functions of a family and the arrays they write into. Importing this imports no numba; `kernel` does."""

import logging
import time
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from types import ModuleType
from typing import Any

import numpy as np

from simulator.engine import kernel_cache
from simulator.engine.family import family
from simulator.engine.randomness import NOTES, STREAMS

logger = logging.getLogger(__name__)
SAID_EVERY = 10  # seconds
LINE = 8  # words in a line of the processor's cache


class TooManyPositions(Exception):
    """There are more positions than fit into the memory that a count or a solution may use."""


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

    announce_compiling()
    return Kernel(contract, bind(loops.play_games, family_name, contract), bind(loops.expand, family_name, contract))


@cache
def announce_compiling() -> None:
    """Say so, from now on, when functions are compiled that were kept nowhere: the first call is silent for long."""
    from numba.core import event

    class Said(event.Listener):
        """Numba tells of a function only if it was not found among those that are kept."""

        functions, begun, said = 0, 0.0, 0.0

        def on_start(self, event: Any) -> None:
            module = getattr(event.data["dispatcher"].py_func, "__module__", "")
            if not module.startswith("simulator.engine"):
                return
            now = time.monotonic()
            self.functions += 1
            if not self.begun:
                self.begun = self.said = now
                logger.warning(
                    "The rules of the games are compiled now, which takes a minute or two and is done once: "
                    "what was compiled is kept in %s.", kernel_cache.home(),
                )  # fmt: skip
            elif now - self.said >= SAID_EVERY:
                self.said = now
                logger.warning("Still compiling: %d functions, %.0f s so far.", self.functions, now - self.begun)

        def on_end(self, event: Any) -> None:
            """Nothing: what comes next tells."""

    event.register("numba:compile", Said())


def workspace(contract: ModuleType, rules: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Allocate the arrays that a playout writes into, once a block: (position, counts, list of moves, streams).

    Shapes: int64[position words], int64[COUNTS], int64[MOST_MOVES], uint64[STREAMS, 2] and NOTES.
    """
    position = aligned(contract.position_size(rules))
    return (
        position,
        np.zeros(contract.COUNTS, dtype=np.int64),
        np.zeros(contract.MOST_MOVES, dtype=np.int64),
        streams_and_notes(),
    )


def streams_and_notes() -> np.ndarray:
    """Allocate what a playout draws from, uint64[STREAMS, 2], with the notes behind it, as rows too."""
    return aligned(2 * STREAMS + NOTES).view(np.uint64).reshape(-1, 2)


def aligned(size: int) -> np.ndarray:
    """Return int64[size] of zeros that begins with a cache line, so that no vector of a board lies across two lines."""
    # numpy aligns to 16 bytes only: a line more than needed, cut where a line begins.
    room = np.zeros(size + LINE, dtype=np.int64)
    first = -room.ctypes.data // room.itemsize % LINE
    return room[first : first + size]
