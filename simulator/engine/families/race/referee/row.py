"""The row of a game the referee plays: what the kernel counts, counted again in plain Python."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from simulator.engine.families.race.position import SEATS
from simulator.engine.families.race.referee.contract import Played
from simulator.engine.referee_playout import Ply, RowCounts


def _by_seat() -> list[int]:
    return [0] * SEATS


@dataclass(slots=True)
class Counts(RowCounts):
    """What a game has come to so far. arrived: seats of which a piece has stood on the board."""

    passes: int = 0
    entries: int = 0
    sent_back: list[int] = field(default_factory=_by_seat)
    wait: list[int] = field(default_factory=_by_seat)
    home: list[int] = field(default_factory=_by_seat)
    arrived: set[int] | None = None

    def add(self, ply: Ply) -> None:
        RowCounts.add(self, ply)
        played: Played = ply.played
        if self.arrived is None:
            self.arrived = {seat for seat, pieces in enumerate(ply.before.pieces) if any(pieces)}
        self.passes += played.passed
        self.entries += played.entries
        self.sent_back[ply.seat] += played.sent_back
        self.home[: len(played.home)] = played.home
        if played.turn_over:
            self.wait[ply.seat] += ply.seat not in self.arrived
            if any(played.position.pieces[ply.seat]):
                self.arrived.add(ply.seat)
            self.follow_lead(played.progress)


def row(plies: Iterator[Ply], cap: int, until: str) -> list[int]:
    """The columns of `measures.MEASURES` for one game, ended by the rules or by the cap; a race has one round."""
    counts = Counts().count(plies, cap)
    return [
        *counts.common_columns(),
        counts.passes,
        counts.entries,
        *counts.sent_back,
        *counts.wait,
        *counts.home,
    ]
