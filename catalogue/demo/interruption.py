"""Ending the demo when somebody asks: Ctrl-C, a terminal that closes, a service manager.

The signal only raises a flag, which the demo looks at between its steps. An exception out of a signal handler may
come up inside a finaliser, where Python drops it, and the Ctrl-C would be lost.
"""

import signal
import time
from types import FrameType, TracebackType
from typing import Self

SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
STEP_SECONDS = 0.1


class Interrupted(Exception):
    """Somebody asked the demo to end."""


class Interruption:
    """While it is entered, signals are noted; further ones change nothing."""

    def __init__(self) -> None:
        self.requested = False

    def __enter__(self) -> Self:
        self._before = {one: signal.signal(one, self._note) for one in SIGNALS}
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for one, handler in self._before.items():
            signal.signal(one, handler)

    def _note(self, number: int, frame: FrameType | None) -> None:
        self.requested = True

    def check(self) -> None:
        """Raises Interrupted if the end was asked for."""
        if self.requested:
            raise Interrupted

    def pause(self, seconds: float) -> None:
        """Sleep, but no longer than until the end is asked for; raises Interrupted then."""
        until = time.monotonic() + seconds
        self.check()
        while time.monotonic() < until:
            time.sleep(STEP_SECONDS)
            self.check()
