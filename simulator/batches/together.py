"""Batches that something is made of: how far they are together, and word to the workers once all are played."""

import datetime
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from celery import current_app
from django.db.models import Q, QuerySet
from django.utils import timezone
from kombu.exceptions import OperationalError

from simulator.batches import dispatch
from simulator.batches.versions import waits_for
from simulator.models import Batch, Chunk

CANCELLED = "It was cancelled."  # why what is made of them failed; asked for again, it is waited for again
SILENCE = datetime.timedelta(seconds=10)  # before workers are notified again


def announce_waiting(waiting: "QuerySet[Any]", task: str, key: str) -> bool:
    """Tell a worker that what is made of them waits, unless one was told a moment ago. True if a message was sent.

    waiting: its row, of a table that has `announced`, or nothing if it does not wait; key: what the task is given
    """
    now = timezone.now()
    silent = Q(announced__isnull=True) | Q(announced__lt=now - SILENCE)
    if not waiting.filter(silent).update(announced=now):
        return False
    dispatch.find_broker()
    try:
        current_app.send_task(task, (key,), retry=False, ignore_result=True)
    except (OperationalError, OSError):
        return False  # whoever looks next tells them
    return True


@dataclass(frozen=True, slots=True)
class BatchSetProgress:
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


def progress_together(state: str, batches: Iterable[Batch]) -> BatchSetProgress:
    """One query, two more while games are open. batches: with their rulesets; one that comes twice is counted once"""
    distinct = {batch.id: batch for batch in batches}
    done = Chunk.objects.filter(batch__in=distinct, state=Chunk.State.DONE).values_list("games", flat=True)
    stopped = [one for one in distinct.values() if one.state in (Batch.State.FAILED, Batch.State.CANCELLED)]
    games = sum(batch.games for batch in distinct.values())
    return BatchSetProgress(state, games, sum(done), tuple(stopped), waits_for(*distinct.values()))
