"""The row of a game the referee plays: what the kernel counts, counted again in plain Python."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from simulator.engine.families.points.measures import COURSE
from simulator.engine.families.points.referee.contract import Played
from simulator.engine.family import UNFINISHED
from simulator.engine.reference_playout import Ply


def _two() -> list[int]:
    return [0, 0]


@dataclass(slots=True)
class Counts:
    """What a game has come to so far.

    first:  the seat that took the first piece and the turn in which it did, once a piece is taken
    course: pieces taken by each seat at the end of every turn
    """

    turns: int = 0
    lead_changes: int = 0
    lead: int = 0
    taken: list[int] = field(default_factory=_two)
    options: list[int] = field(default_factory=_two)
    decisions: list[int] = field(default_factory=_two)
    first: tuple[int, int] | None = None
    course: list[tuple[int, int]] = field(default_factory=list)
    end: int = -1
    winners: int = 0

    def add(self, ply: Ply) -> None:
        played: Played = ply.played
        if ply.options > 1:
            self.decisions[ply.seat] += 1
            self.options[ply.seat] += ply.options
        for seat in (0, 1):
            self.taken[seat] += played.taken[seat]
        if self.first is None and any(played.taken):
            self.first = (ply.seat, self.turns + 1)
        if played.turn_over:
            self.turns += 1
            self.course.append((self.taken[0], self.taken[1]))
            self._follow_lead()
        self.end, self.winners = played.position.end, played.position.winners

    def _follow_lead(self) -> None:
        ahead = self.taken[0] - self.taken[1]
        if ahead:
            now = 1 if ahead > 0 else -1
            self.lead_changes += now == -self.lead
            self.lead = now

    def taken_after(self, turns: int) -> tuple[int, int]:
        """Pieces taken by each seat after so many turns, or at the end of a shorter game."""
        return self.course[min(turns, self.turns) - 1]


def row(plies: Iterator[Ply], cap: int, until: str) -> list[int]:
    """The columns of `measures.MEASURES` for one game, ended by the rules or by the cap; there are no rounds."""
    counts = Counts()
    for ply in plies:
        counts.add(ply)
        if counts.end >= 0 or counts.turns >= cap:
            break
    first_seat, first_turn = counts.first or (-1, 0)
    return [
        UNFINISHED if counts.end < 0 else counts.end,
        counts.winners,
        counts.turns,
        sum(counts.decisions),
        sum(counts.options),
        counts.lead_changes,
        *counts.taken,
        *counts.options,
        *counts.decisions,
        int(counts.first is not None),
        first_seat,
        first_turn,
        *(number for turns in COURSE for number in counts.taken_after(turns)),
    ]
