"""The servers of the demo, each started again when it stops by itself: a few times, and never without a word."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field

from simulator.workers.servers import Server

MOST_RESTARTS, WITHIN_SECONDS = 3, 600.0


class PartLost(Exception):
    """A server stopped by itself too often to be started once more."""


@dataclass
class Part:
    """start: starts it where it was before, so that the others find it; raises RuntimeError if it does not come up

    patience: seconds it gets to end by itself; restarts: when it was started again
    """

    name: str
    start: Callable[[], Server]
    patience: float
    server: Server = field(init=False)
    restarts: list[float] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.server = self.start()

    def stop(self) -> None:
        self.server.stop(self.patience)

    def watch(self, say: Callable[[str], None]) -> None:
        """Start it again if it is dead, and say so; raises PartLost if that was too often of late."""
        if self.server.is_running:
            return
        died = f"The {self.name} stopped by itself ({_how(self.server.process.returncode)})"
        lately = sum(time.monotonic() - moment < WITHIN_SECONDS for moment in self.restarts)
        if lately >= MOST_RESTARTS:
            raise PartLost(f"{died}, after it was started again {lately} times:\n{self.server.last_lines()}")
        self.server.stop(patience=0)  # whatever it left behind holds its port
        self.restarts.append(time.monotonic())
        try:
            self.server = self.start()
        except RuntimeError as error:
            say(f"{died}, and did not come up again: {error}")
        else:
            say(f"{died} and was started again ({lately + 1} of at most {MOST_RESTARTS} times); see {self.server.log}")


def _how(status: int | None) -> str:
    return f"signal {-status}" if status is not None and status < 0 else f"status {status}"
