"""The row of a game the referee plays: what the kernel counts, counted again in plain Python."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from simulator.engine.families.race.position import RUNNING, SEATS, Position
from simulator.engine.families.race.referee.contract import Played
from simulator.engine.family import UNFINISHED
from simulator.engine.reference_playout import Ply


@dataclass(slots=True)
class Counts:
    """What a game has come to so far.

    arrived: seats of which a piece has stood on the board; lead: 1 + the side last seen ahead of all others
    """

    turns: int = 0
    decisions: int = 0
    options: int = 0
    lead_changes: int = 0
    lead: int = 0
    passes: int = 0
    entries: int = 0
    sent_back: list[int] = field(default_factory=lambda: [0] * SEATS)
    wait: list[int] = field(default_factory=lambda: [0] * SEATS)
    home: list[int] = field(default_factory=lambda: [0] * SEATS)
    arrived: set[int] = field(default_factory=set)

    def add(self, ply: Ply) -> None:
        played: Played = ply.played
        if ply.options > 1:
            self.decisions += 1
            self.options += ply.options
        self.passes += played.passed
        self.entries += played.entries
        self.sent_back[ply.seat] += played.sent_back
        for seat, pieces in enumerate(played.home):
            self.home[seat] = pieces
        if played.turn_over:
            self.turns += 1
            self._follow_wait(ply.seat, played.position)
            self._follow_lead(played.progress)

    def _follow_wait(self, seat: int, position: Position) -> None:
        self.wait[seat] += seat not in self.arrived
        if any(position.pieces[seat]):
            self.arrived.add(seat)

    def _follow_lead(self, progress: tuple[int, ...]) -> None:
        best = max(progress)
        if progress.count(best) == 1:
            now = 1 + progress.index(best)
            self.lead_changes += self.lead not in (0, now)
            self.lead = now


def row(plies: Iterator[Ply], cap: int, until: str) -> list[int]:
    """The columns of `measures.MEASURES` for one game, ended by the rules or by the cap; a race has one round."""
    counts = Counts()
    end, winners = UNFINISHED, 0
    for number, ply in enumerate(plies):
        if number == 0:
            counts.arrived |= {seat for seat, pieces in enumerate(ply.before.pieces) if any(pieces)}
        counts.add(ply)
        position: Position = ply.played.position
        if position.end != RUNNING:
            end, winners = position.end, position.winners
        if position.end != RUNNING or counts.turns >= cap:
            break
    return [
        end,
        winners,
        counts.turns,
        counts.decisions,
        counts.options,
        counts.lead_changes,
        counts.passes,
        counts.entries,
        *counts.sent_back,
        *counts.wait,
        *counts.home,
    ]
