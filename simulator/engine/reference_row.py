"""What every family counts of a game that its referee plays, counted again in plain Python beside the kernel."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Self

from simulator.engine.ends import UNFINISHED
from simulator.engine.reference_playout import Ply


@dataclass(slots=True)
class RowCounts:
    """What a game has come to so far. leader: the seat or side last seen ahead of all others."""

    turns: int = 0
    decisions: int = 0
    options: int = 0
    lead_changes: int = 0
    leader: int | None = None
    end: int = UNFINISHED
    winners: int = 0

    def count(self, plies: Iterable[Ply], cap: int, one_round: bool = False) -> Self:
        """Count a game until it has ended, by the rules, by its first round, or by the cap."""
        for ply in plies:
            self.add(ply)
            if self.end != UNFINISHED or self.turns >= cap or (one_round and self.has_ended_a_round()):
                break
        return self

    def add(self, ply: Ply) -> None:
        if ply.options > 1:
            self.decisions += 1
            self.options += ply.options
        self.turns += ply.played.turn_over
        if ply.played.position.end >= 0:
            self.end, self.winners = ply.played.position.end, ply.played.position.winners

    def has_ended_a_round(self) -> bool:
        return False

    def follow_lead(self, scores: Sequence[int]) -> None:
        """Note who is ahead after a turn, if one seat or side is ahead of all others."""
        best = max(scores)
        if scores.count(best) == 1:
            now = scores.index(best)
            self.lead_changes += self.leader not in (None, now)
            self.leader = now

    def common_columns(self) -> list[int]:
        """The columns of `family.COMMON_MEASURES`."""
        return [self.end, self.winners, self.turns, self.decisions, self.options, self.lead_changes]
