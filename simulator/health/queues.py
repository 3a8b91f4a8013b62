"""What waits for workers, by kind, and what they have done of late. Every count is of rows that an index finds."""

import datetime
from dataclasses import dataclass
from typing import Any

from django.db.models import Count, Max, Min, Q, QuerySet, Sum
from django.utils import timezone

from simulator.models import Batch, Chunk, Computation, GameRecord, Reply

RECENT = datetime.timedelta(minutes=5)


@dataclass(frozen=True, slots=True)
class Queue:
    """waiting: rows that no worker has; taken: those that one has; since: when the oldest that waits was asked for."""

    kind: str
    waiting: int
    taken: int
    since: datetime.datetime | None

    @property
    def oldest_seconds(self) -> float:
        return max(0.0, (timezone.now() - self.since).total_seconds()) if self.since else 0.0


@dataclass(frozen=True, slots=True)
class Recent:
    """Chunks finished within RECENT: how many, of how many games, their seconds together and of the longest."""

    chunks: int
    games: int
    seconds: float
    longest: float


def queues() -> list[Queue]:
    """Chunks of batches, replies of players, and games to be listed: the last two are what somebody sits before."""
    chunks = Chunk.objects.filter(
        state__in=(Chunk.State.QUEUED, Chunk.State.CLAIMED), batch__state=Batch.State.RUNNING
    ).order_by()
    return [
        _queue("chunks", chunks, Q(state=Chunk.State.QUEUED), Q(state=Chunk.State.CLAIMED), "batch__created"),
        _thoughts("replies", Reply.objects.all()),
        _thoughts("games to list", GameRecord.objects.all()),
    ]


def _thoughts(kind: str, rows: QuerySet[Any]) -> Queue:
    taken = Q(lease_until__gte=timezone.now())
    return _queue(kind, rows.filter(state=Computation.State.WAITING), ~taken | Q(lease_until=None), taken, "created")


def _queue(kind: str, rows: QuerySet[Any], waiting: Q, taken: Q, since: str) -> Queue:
    found = rows.aggregate(
        waiting=Count("pk", filter=waiting), taken=Count("pk", filter=taken), since=Min(since, filter=waiting)
    )
    return Queue(kind, found["waiting"], found["taken"], found["since"])


def recent() -> Recent:
    done = Chunk.objects.filter(finished__gte=timezone.now() - RECENT)
    found = done.aggregate(longest=Max("seconds"), chunks=Count("pk"), games=Sum("games"), seconds=Sum("seconds"))
    return Recent(found["chunks"], found["games"] or 0, found["seconds"] or 0.0, found["longest"] or 0.0)


def open_batches() -> dict[str, int]:
    """How many run, and how many have failed and wait for somebody to look at them."""
    states = [state.value for state in (Batch.State.RUNNING, Batch.State.FAILED)]
    found = Batch.objects.filter(state__in=states).order_by().values_list("state").annotate(Count("pk"))
    return {**dict.fromkeys(states, 0), **dict(found)}


def claimed() -> QuerySet[Chunk]:
    """Chunks that a worker plays now."""
    now = timezone.now()
    held = Chunk.objects.filter(state=Chunk.State.CLAIMED, lease_until__gte=now).order_by("lease_until")
    return held.select_related("batch").defer("rows", "tally", "batch__tally", "batch__summary")
