"""The row of a game the referee plays: what the kernel counts, counted again in plain Python."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from simulator.engine.ends import DRAW, ENDLESS, UNFINISHED, WIN
from simulator.engine.families.sowing.position import BARRED, CALL_DRAW, Position
from simulator.engine.families.sowing.referee.contract import Played
from simulator.engine.referee_playout import Ply, RowCounts


@dataclass(slots=True)
class Counts(RowCounts):
    """What a game has come to so far.

    first: the figures of the first round, once it has ended; poorer: who began this round with fewer, and how many
    """

    rounds: int = 1
    laps: int = 0
    taken: list[int] = field(default_factory=lambda: [0, 0])
    first: list[int] | None = None
    part_holes: int = 0
    ties: int = 0
    short_handed: int = 0
    in_passing: int = 0
    unequal: int = 0
    recovered: int = 0
    equal: int = 0
    offered: bool = False
    called: bool = False
    poorer: tuple[int, int] | None = None
    begun: bool = False

    def add(self, ply: Ply) -> None:
        if not self.begun:
            self._begin(ply.before)
        RowCounts.add(self, ply)
        played: Played = ply.played
        self.laps += played.laps
        for seat in (0, 1):
            self.taken[seat] += played.taken[seat]
        self.in_passing += played.taken[1 - ply.seat]
        self.offered |= played.offered
        self.called |= ply.move == CALL_DRAW
        for event in played.events:
            self.part_holes += event.kind == "barred"
            self.ties += event.kind == "tie"
            self.short_handed += event.kind == "layout" and "short_handed" in event.keys
        if played.turn_over:
            self.follow_lead(self.taken)
        if played.rounds_ended:
            self.rounds += self.end == UNFINISHED
            self.equal += played.round_winner < 0
            self._recover(played.owned)
            if self.first is None:
                self.first = [1, played.round_winner, self.turns, self.decisions, self.laps, sum(self.taken)]

    def _begin(self, position: Position) -> None:
        """What a first round that is laid out like a further one has come to before anybody moves."""
        self.begun = True
        self.part_holes += sum(mark in (BARRED, BARRED + 1) for mark in position.marks)
        # Each hole is of whose row it is in, also a part hole that the richer player will own: it was laid out of that.
        rows = [sum(position.holes[hole] for hole in position.own_row(seat)) for seat in (0, 1)]
        self._note_poorer((position.stores[0] + rows[0], position.stores[1] + rows[1]))

    def _recover(self, owned: tuple[int, int]) -> None:
        if self.poorer is not None:
            seat, before = self.poorer
            self.unequal += 1
            self.recovered += owned[seat] > before
        self._note_poorer(owned)

    def _note_poorer(self, owned: tuple[int, int]) -> None:
        fewer = min(owned)
        self.poorer = None if owned[0] == owned[1] else (owned.index(fewer), fewer)

    def has_ended_a_round(self) -> bool:
        return self.first is not None


def row(plies: Iterator[Ply], cap: int, until: str) -> list[int]:
    """The columns of `measures.MEASURES` for one game, ended by the rules, by its first round, or by the cap."""
    counts = Counts().count(plies, cap, until == "round")
    if until == "round" and counts.first and counts.end != ENDLESS:
        winner = counts.first[1]
        counts.end, counts.winners = (DRAW, 0) if winner < 0 else (WIN, 1 << winner)
    first = counts.first or [0, -1, 0, 0, 0, 0]
    columns = [*counts.common_columns(), counts.rounds, counts.laps, *counts.taken, *first]
    marked = [counts.part_holes, counts.ties, counts.short_handed, counts.in_passing]
    agreed = [counts.equal, int(counts.offered), int(counts.called)]
    return [*columns, *marked, counts.unequal, counts.recovered, *agreed]
