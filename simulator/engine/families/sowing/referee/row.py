"""The row of a game the referee plays: what the kernel counts, counted again in plain Python."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from simulator.engine.families.sowing.referee.contract import Played
from simulator.engine.family import DRAW, ENDLESS, UNFINISHED, WIN
from simulator.engine.reference_playout import Ply


@dataclass(slots=True)
class Counts:
    """What a game has come to so far. first: the figures of the first round, once it has ended."""

    turns: int = 0
    decisions: int = 0
    options: int = 0
    lead_changes: int = 0
    lead: int = 0
    rounds: int = 1
    laps: int = 0
    taken: list[int] = field(default_factory=lambda: [0, 0])
    first: list[int] | None = None
    end: int = -1
    winners: int = 0

    def add(self, ply: Ply) -> None:
        played: Played = ply.played
        if ply.options > 1:
            self.decisions += 1
            self.options += ply.options
        self.turns += played.turn_over
        self.laps += played.laps
        for seat in (0, 1):
            self.taken[seat] += played.taken[seat]
        if played.turn_over:
            self._follow_lead()
        self.end, self.winners = played.position.end, played.position.winners
        if played.rounds_ended:
            self.rounds += self.end < 0
            if self.first is None:
                self.first = [1, played.round_winner, self.turns, self.decisions, self.laps, sum(self.taken)]

    def _follow_lead(self) -> None:
        ahead = self.taken[0] - self.taken[1]
        if ahead:
            now = 1 if ahead > 0 else -1
            self.lead_changes += now == -self.lead
            self.lead = now


def row(plies: Iterator[Ply], cap: int, until: str) -> list[int]:
    """The columns of `measures.MEASURES` for one game, ended by the rules, by its first round, or by the cap."""
    counts = Counts()
    for ply in plies:
        counts.add(ply)
        if counts.end >= 0 or counts.turns >= cap or (until == "round" and counts.first):
            break
    end, winners = counts.end, counts.winners
    if until == "round" and counts.first and end != ENDLESS:
        winner = counts.first[1]
        end, winners = (DRAW, 0) if winner < 0 else (WIN, 1 << winner)
    return [
        UNFINISHED if end < 0 else end,
        winners,
        counts.turns,
        counts.decisions,
        counts.options,
        counts.lead_changes,
        counts.rounds,
        counts.laps,
        *counts.taken,
        *(counts.first or [0, -1, 0, 0, 0, 0]),
    ]
