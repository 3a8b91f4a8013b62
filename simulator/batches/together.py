"""Batches that something is made of: how far they are together."""

from collections.abc import Iterable
from dataclasses import dataclass

from simulator.batches.versions import waits_for
from simulator.models import Batch, Chunk


@dataclass(frozen=True, slots=True)
class TogetherProgress:
    """How far they are: their games, which of them were stopped, and what one waits for.

    state: of what is made of them
    """

    state: str
    games: int
    games_done: int
    stopped: tuple[Batch, ...]
    waits_for: str = ""

    @property
    def percent(self) -> int:
        return 100 * self.games_done // max(self.games, 1)


def progress_together(state: str, batches: Iterable[Batch]) -> TogetherProgress:
    """One query, two more while games are open. batches: with their rulesets; one that comes twice is counted once"""
    distinct = {batch.id: batch for batch in batches}
    done = Chunk.objects.filter(batch__in=distinct, state=Chunk.State.DONE).values_list("games", flat=True)
    stopped = [one for one in distinct.values() if one.state in (Batch.State.FAILED, Batch.State.CANCELLED)]
    games = sum(batch.games for batch in distinct.values())
    return TogetherProgress(state, games, sum(done), tuple(stopped), waits_for(*distinct.values()))
