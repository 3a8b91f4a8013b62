"""Ending work that takes too much processor time, although what computes does not come back to Python.

Kernels hold no lock of the interpreter, so that another thread can watch the clock of the one they run in. They look up
only between two turns: one that thinks about a single turn without end is left behind in its thread, its chunk or reply
is put right, and then its process ends (`end_process_if_left_behind`); a worker starts another one.
"""

import logging
import os
import threading
import time
from collections.abc import Callable
from typing import Any, TypeVar

import numpy as np
from django.conf import settings

Result = TypeVar("Result")
logger = logging.getLogger(__name__)

PATIENCE = 10  # times what work should take, before it is given up
GLANCE_SECONDS = 0.5  # between two looks at the clock
MOST_LOOK_SECONDS = 5.0  # between two looks at whether to go on, and never more than a quarter of a lease
GRACE_SECONDS = 1.0  # for a kernel that was told to stop
_left_behind: list[threading.Thread] = []


class Stopped(Exception):
    """What was computed is wanted no more: the batch was cancelled, or somebody else has the chunk."""


class TookTooLong(Exception):
    """The limit of processor time was reached."""


class Allowance:
    """Processor time for several pieces of work together. seconds: None for as much as they take"""

    def __init__(self, seconds: float | None = None) -> None:
        self.seconds = seconds
        self.spent = 0.0

    def run(
        self, work: Callable[[], Result], goes_on: Callable[[], bool] = lambda: True, halt: np.ndarray | None = None
    ) -> Result:
        """What `work` returns, done in a thread while this one watches.

        goes_on: asked every few seconds; halt: int64[1], what makes a kernel stop between two turns
        Raises Stopped, TookTooLong, and what `work` raises.
        """
        thread = _Working(work)
        thread.start()
        try:
            self._watch(thread, goes_on)
        except BaseException:
            if halt is not None:
                halt[0] = 1
            thread.join(GRACE_SECONDS)
            if thread.is_alive():
                _left_behind.append(thread)
            raise
        self.spent += thread.seconds
        if thread.error is not None:
            raise thread.error
        result: Result = thread.result
        return result

    def _watch(self, thread: "_Working", goes_on: Callable[[], bool]) -> None:
        looked, pause = time.monotonic(), min(MOST_LOOK_SECONDS, settings.CHUNK_LEASE_SECONDS / 4)
        while True:
            thread.join(GLANCE_SECONDS)
            if not thread.is_alive():
                return
            if self.seconds is not None and self.spent + thread.spent() > self.seconds:
                raise TookTooLong(f"more than {self.seconds:.0f} seconds of processor time were taken")
            if time.monotonic() - looked >= pause:
                looked = time.monotonic()
                if not goes_on():
                    raise Stopped


class _Working(threading.Thread):
    """A thread that keeps what its work came to. It holds up no process that ends."""

    def __init__(self, work: Callable[[], Any]) -> None:
        super().__init__(daemon=True)
        self._work = work
        self.result: Any = None
        self.error: BaseException | None = None
        self.seconds = 0.0

    def run(self) -> None:
        try:
            self.result = self._work()
        except BaseException as error:
            self.error = error
        self.seconds = time.thread_time()

    def spent(self) -> float:
        """Seconds of processor time so far."""
        try:
            return time.clock_gettime(time.pthread_getcpuclockid(self.ident or 0))
        except OSError:  # it has just ended
            return self.seconds


def end_process_if_left_behind() -> None:
    """End this process at once if a kernel still computes in it what nobody wants."""
    if any(thread.is_alive() for thread in _left_behind):
        logger.error("this process ends, since it computes without end; another one takes its place")
        os._exit(1)
