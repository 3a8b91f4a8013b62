"""Chunks change hands by guarded updates only: the worker whose UPDATE hits the row has the chunk, nobody else does.

A claim is counted (`attempts`), and the count is the worker's token: a worker that lost its lease and comes back late
cannot renew or fail a chunk that another one has claimed since.

Recovery puts right what a vanished worker or a lost message left behind. Every worker's main process does this every
few seconds. Everything is guarded, so any number of them may. Messages are only sent into an empty queue: while workers
still have some to take, nothing is lost, and the queue cannot grow.
"""

import datetime

from django.conf import settings
from django.db import transaction
from django.db.models import Exists, F, OuterRef, Q, QuerySet
from django.utils import timezone

from simulator.batches import dispatch, finalize, versions
from simulator.models import Batch, Chunk
from simulator.problems import DigestsDiffer

MOST_ATTEMPTS = 4  # that fail: the first one and three more
# A worker vanishes because of its chunk, or because somebody killed it or its machine stopped: only the first recurs.
MOST_VANISHED = 8


def waiting() -> QuerySet[Chunk]:
    """Return the chunks of running batches that a worker with this engine may claim now."""
    return _claimable().filter(_free()).order_by()


def claim(batch: Batch | None = None) -> Chunk | None:
    """Claim the next waiting chunk, of `batch` only if one is given, and return it under our lease.

    Chunks that a vanished worker has left come first, then those that wait, by their turns: each by an index that
    holds them in that order, so that a claim costs the same however many wait.
    """
    own = _claimable().filter(batch=batch) if batch else _claimable()
    left = own.filter(_lapsed()).order_by("lease_until", "id")
    queued = own.filter(state=Chunk.State.QUEUED).order_by("lane", "turn", "id")
    for candidates in (left, queued):
        # Other workers claim too: of a handful of candidates usually one is left, and if none is, the next are read.
        while next_ones := list(candidates.values_list("id", "attempts")[:8]):
            for chunk_id, attempts in next_ones:
                same = Chunk.objects.filter(_free(), id=chunk_id, attempts=attempts)
                if same.update(state=Chunk.State.CLAIMED, attempts=F("attempts") + 1, lease_until=_lease()):
                    return (
                        Chunk.objects.select_related("batch__ruleset")
                        .defer("rows", "tally", "traffic")
                        .get(id=chunk_id)
                    )
    return None


def renew(chunk: Chunk) -> bool:
    """Hold the chunk for another lease. False if the batch was cancelled or the chunk is somebody else's now."""
    # One UPDATE tests and renews at once, so that no cancellation can come between the two.
    mine = _mine(chunk).filter(batch__state=Batch.State.RUNNING)
    return bool(mine.update(lease_until=_lease()))


def finish(
    chunk: Chunk,
    *,
    rows: bytes | None,
    tally: dict[str, object],
    digest: str,
    seconds: float,
    provenance: versions.Provenance | None = None,
    traffic: bytes | None = None,
) -> None:
    """Keep what was played. If somebody else was quicker, the digests must agree; raises DigestsDiffer if not."""
    # Not only our own chunk: a worker that lost its lease has played the same rows, so whichever is first is kept.
    unfinished = Chunk.objects.filter(id=chunk.id).exclude(state=Chunk.State.DONE)
    kept = unfinished.update(
        state=Chunk.State.DONE,
        rows=rows,
        tally=tally,
        traffic=traffic,
        digest=digest,
        seconds=seconds,
        finished=timezone.now(),
        provenance=provenance,
        lease_until=None,
        error="",
    )
    if kept:
        return
    other = Chunk.objects.filter(id=chunk.id).values_list("digest", flat=True).first()
    if other not in (None, digest):  # None: the batch was purged meanwhile
        text = f"chunk {chunk} was played twice with different results: {other} and {digest}"
        with transaction.atomic():
            Chunk.objects.filter(id=chunk.id).update(state=Chunk.State.QUARANTINED, error=text)
            Batch.objects.filter(id=chunk.batch_id).update(state=Batch.State.FAILED)
        raise DigestsDiffer(text)


def fail(chunk: Chunk, text: str) -> None:
    """Queue the chunk again, or set it aside with its text when it has failed often enough."""
    state = Chunk.State.QUEUED if chunk.attempts < MOST_ATTEMPTS else Chunk.State.QUARANTINED
    _mine(chunk).update(state=state, lease_until=None, error=text)


def quarantine(chunk: Chunk, text: str) -> None:
    """Set the chunk aside for this reason, not to be tried again; the other chunks of its batch go on."""
    _mine(chunk).update(state=Chunk.State.QUARANTINED, lease_until=None, error=text)


def release(chunk: Chunk) -> None:
    """Give the chunk back unplayed; this attempt does not count."""
    _mine(chunk).update(state=Chunk.State.QUEUED, lease_until=None, attempts=F("attempts") - 1)


def quarantine_vanished() -> int:
    """Set aside the chunks whose workers vanished at every attempt; says how many."""
    gone = Chunk.objects.filter(state=Chunk.State.CLAIMED, lease_until__lt=timezone.now(), attempts__gte=MOST_VANISHED)
    text = f"The worker that played this chunk vanished, {MOST_VANISHED} times in a row."
    return gone.update(state=Chunk.State.QUARANTINED, error=text)


def _claimable() -> QuerySet[Chunk]:
    """Return the chunks that can be played here, of running batches."""
    # A condition rather than a join, so that no planner begins with the batches: chunks are in order already.
    batches = Batch.objects.filter(versions.playable(), pk=OuterRef("batch_id"), state=Batch.State.RUNNING)
    return Chunk.objects.filter(Exists(batches), attempts__lt=MOST_VANISHED)


def _lapsed() -> Q:
    return Q(state=Chunk.State.CLAIMED, lease_until__lt=timezone.now())


def _free() -> Q:
    return Q(state=Chunk.State.QUEUED) | _lapsed()


def _mine(chunk: Chunk) -> QuerySet[Chunk]:
    return Chunk.objects.filter(id=chunk.id, state=Chunk.State.CLAIMED, attempts=chunk.attempts)


def _lease() -> datetime.datetime:
    return timezone.now() + datetime.timedelta(seconds=settings.CHUNK_LEASE_SECONDS)


def recover() -> None:
    """Set hopeless chunks aside; notify workers of what nobody has heard of: to play, close or draw."""
    quarantine_vanished()
    queued = waiting()[: dispatch.MOST_MESSAGES].count()
    unfinished = finalize.complete_batches() | finalize.forgotten_batches()
    to_close = list(unfinished.values_list("id", flat=True)[: dispatch.MOST_MESSAGES])
    # Only into an empty queue: while messages wait, nothing is lost, and the queue cannot grow without end.
    if (queued or to_close) and dispatch.messages_waiting() == 0:
        for batch_id in to_close:
            dispatch.notify_of_close(batch_id)
        dispatch.notify_of_chunks(queued)
