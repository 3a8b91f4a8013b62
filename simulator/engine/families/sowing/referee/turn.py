"""A sowing under way, and the hole that comes after another one. Plain Python, for the referee."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from simulator.engine.families.sowing.events import Event
from simulator.engine.families.sowing.position import BLIND, PALM, Position

Rules = Mapping[str, Any]


@dataclass(slots=True)
class Turn:
    """A sowing under way: the position being changed, and what happened in it so far."""

    rules: Rules
    position: Position
    events: list[Event] = field(default_factory=list)
    laps: int = 0
    taken: list[int] = field(default_factory=lambda: [0, 0])

    @property
    def mover(self) -> int:
        return self.position.mover

    @property
    def is_short_handed(self) -> bool:
        return self.position.short == 1 + self.mover

    def end(self, why: str, hole: int | None, *keys: str) -> None:
        """Say why the turn ends, and at which hole."""
        self.tell("end_of_turn", why, hole, *keys)

    def tell(self, kind: str, why: str, hole: int | None, *keys: str) -> None:
        """Say what happened at a hole, and how many counters it holds now."""
        counters = 0 if hole is None else self.position.holes[hole]
        self.events.append(Event(kind, keys, self.mover, hole, counters, why))

    def take(self, hole: int, seat: int, keys: tuple[str, ...]) -> None:
        """Everything in a hole goes to a player's store, as a capture."""
        counters = self.position.holes[hole]
        self.position.holes[hole] = 0
        self.gain(seat, counters)
        self.events.append(Event("capture", keys, seat, hole, counters))

    def gain(self, seat: int, counters: int) -> None:
        self.position.stores[seat] += counters
        self.taken[seat] += counters


def step(position: Position, place: int) -> int:
    """The next hole in the direction of sowing, whatever it is."""
    return (place + position.direction) % (2 * position.row)


def next_for_lap(rules: Rules, position: Position, place: int) -> int:
    """The hole after `place` that a lap may look at: covered holes are no holes, nor are blind ones, by most rules."""
    skipped = (BLIND, PALM, PALM + 1) if rules["blind_next"] == "skipped" else (PALM, PALM + 1)
    for _ in range(2 * position.row):
        place = step(position, place)
        if position.marks[place] not in skipped:
            break
    return place
