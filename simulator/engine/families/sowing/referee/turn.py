"""A turn of sowing under way, in plain Python: the position being changed, and what has happened."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from simulator.engine.families.sowing.position import Event, Position

Rules = Mapping[str, Any]

# What follows a lap.
END_OF_TURN, MOVE_AGAIN, ENDLESS_TURN, ROUND_OVER = "end of turn", "move again", "endless", "round over"
CHOICE = "choice"  # the player decides on something before the turn goes on


@dataclass(slots=True)
class Turn:
    """A sowing under way: the position being changed, and what happened in it so far.

    hand: counters that were taken and are sown next; path: the places of the last lap
    """

    rules: Rules
    position: Position
    events: list[Event] = field(default_factory=list)
    laps: int = 0
    taken: list[int] = field(default_factory=lambda: [0, 0])
    hand: int = 0
    path: list[int] = field(default_factory=list)

    @property
    def mover(self) -> int:
        return self.position.mover

    @property
    def is_short_handed(self) -> bool:
        return self.position.short == 1 + self.mover

    def end(self, why: str, hole: int | None, *keys: str) -> None:
        """Say why the turn ends, and at which hole."""
        self.record("end_of_turn", why, hole, *keys)

    def record(self, kind: str, why: str, hole: int | None, *keys: str) -> None:
        """Say what happened at a hole, and how many counters it holds now."""
        counters = 0 if hole is None else self.position.holes[hole]
        self.events.append(Event(kind, keys, self.mover, hole, counters, why))

    def take(self, hole: int, seat: int, keys: tuple[str, ...], counters: int = 0) -> None:
        """Move everything in a hole, or so many counters, to a player's store, as a capture."""
        counters = counters or self.position.holes[hole]
        self.position.holes[hole] -= counters
        self.gain(seat, counters)
        self.events.append(Event("capture", keys, seat, hole, counters))

    def gain(self, seat: int, counters: int) -> None:
        self.position.stores[seat] += counters
        self.taken[seat] += counters
