"""The row of a game the referee plays: what the kernel counts, counted again in plain Python."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from simulator.engine.families.points.events import Event
from simulator.engine.families.points.measures import COURSE
from simulator.engine.families.points.referee.contract import Played
from simulator.engine.referee_playout import Ply, RowCounts

MOVING, TAKING = ("step", "jump"), ("capture", "removal", "huff")


def _two() -> list[int]:
    return [0, 0]


@dataclass(slots=True)
class Counts(RowCounts):
    """What a game has come to so far.

    first:  the seat that took the first piece and the turn in which it did, once a piece is taken
    first_row: the same of the first row of three
    first_moved: the same of the end of the piece that moved first; moved_to: where that piece stands
    course: pieces taken by each seat at the end of every turn
    """

    taken: list[int] = field(default_factory=_two)
    options_of: list[int] = field(default_factory=_two)
    decisions_of: list[int] = field(default_factory=_two)
    first: tuple[int, int] | None = None
    first_row: tuple[int, int] | None = None
    first_moved: tuple[int, int] | None = None
    moved_to: int | None = None
    course: list[tuple[int, int]] = field(default_factory=list)

    def add(self, ply: Ply) -> None:
        played: Played = ply.played
        if self.first is None and any(played.taken):
            self.first = (ply.seat, self.turns + 1)
        for event in played.events:
            self._follow(event, ply.seat)
        RowCounts.add(self, ply)
        if ply.options > 1:
            self.decisions_of[ply.seat] += 1
            self.options_of[ply.seat] += ply.options
        for seat in (0, 1):
            self.taken[seat] += played.taken[seat]
        if played.turn_over:
            self.course.append((self.taken[0], self.taken[1]))
            self.follow_lead(self.taken)

    def _follow(self, event: Event, seat: int) -> None:
        """Note the first row, and what becomes of the piece that moved first."""
        now = (seat, self.turns + 1)
        if event.kind == "row" and self.first_row is None:
            self.first_row = now
        elif event.kind in MOVING and self.first_moved is None and self.moved_to in (None, event.origin):
            self.moved_to = event.point
        elif event.kind in TAKING and self.first_moved is None and self.moved_to == event.point:
            self.first_moved = now

    def taken_after(self, turns: int) -> tuple[int, int]:
        """Pieces taken by each seat after so many turns, or at the end of a shorter game."""
        return self.course[turns - 1] if turns <= self.turns else (self.taken[0], self.taken[1])


def row(plies: Iterator[Ply], cap: int, until: str) -> list[int]:
    """The columns of `measures.MEASURES` for one game, ended by the rules or by the cap; there are no rounds."""
    counts = Counts().count(plies, cap)
    return [
        *counts.common_columns(),
        *counts.taken,
        *counts.options_of,
        *counts.decisions_of,
        *(
            number
            for first in (counts.first, counts.first_row, counts.first_moved)
            for number in (int(first is not None), *(first or (-1, 0)))
        ),
        *(number for turns in COURSE for number in counts.taken_after(turns)),
    ]
