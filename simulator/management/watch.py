"""Seeing batches to their end from a command: by playing them in this process, or by waiting for the workers."""

import time
from collections.abc import Collection, Iterable, Sequence

from django.core.management.base import OutputWrapper
from django.db.models import Sum

from simulator.batches import dispatch
from simulator.batches.requests import BatchRequest
from simulator.batches.service import progress_of, request_all
from simulator.management.command_line import CommandFailed, ProgressLine, prepare_database
from simulator.models import Batch, Chunk

POLL_SECONDS = 0.3
WORKER_PATIENCE = 15  # seconds without a worker before the reader learns how to start one


def require_broker_for(ids: Collection[str]) -> None:
    """Raises BrokerSilent if one of these batches has still to be played and no broker would notify the workers."""
    if Batch.objects.filter(id__in=ids, state=Batch.State.DONE).count() < len(set(ids)):
        dispatch.require_broker()


def play_requests(requests: Iterable[BatchRequest], inline: bool, stderr: OutputWrapper) -> list[Batch]:
    """The batches of these requests, seen to their end; raises what the functions below and above raise."""
    wanted = list(requests)
    prepare_database(stderr)
    if not inline:
        require_broker_for([request.id for request in wanted])
    batches = request_all(wanted, announce=not inline)
    play_to_end(batches, inline, stderr)
    return batches


def play_to_end(wanted: Sequence[Batch], inline: bool, stderr: OutputWrapper) -> None:
    """Returns when all of them are done, refreshed; raises CommandFailed if one was cancelled or failed."""
    line, started = ProgressLine(stderr), time.monotonic()
    games = sum(batch.games for batch in wanted)
    for batch in wanted:
        while batch.is_open:
            if not (inline and _play(batch)):
                time.sleep(POLL_SECONDS)
            batch.refresh_from_db()
            done = _games_done(wanted)
            line.show(f"{done:,} of {games:,} games ({100 * done // games} %)", 100 * done // games)
            if not inline and time.monotonic() - started > WORKER_PATIENCE:
                _miss_workers(batch, stderr)
                started = float("inf")
        if batch.state != Batch.State.DONE:
            line.end()
            raise CommandFailed(_what_became_of(batch))
    line.end()


def _games_done(wanted: Sequence[Batch]) -> int:
    chunks = Chunk.objects.filter(batch__in=wanted, state=Chunk.State.DONE)
    return chunks.aggregate(games=Sum("games"))["games"] or 0


def _what_became_of(batch: Batch) -> str:
    if batch.state == Batch.State.CANCELLED:
        return f"batch {batch} was cancelled; `manage.py batches requeue {batch}` runs it on"
    return f"batch {batch} failed: {' '.join(progress_of(batch).errors)}"


def _miss_workers(batch: Batch, stderr: OutputWrapper) -> None:
    if not batch.chunks.exclude(state=Chunk.State.QUEUED).exists():
        stderr.write(
            "No worker has taken it up yet. If none is running: "
            "celery -A catalogue.config.celery worker --concurrency 2"
        )


def _play(batch: Batch) -> bool:
    from simulator.batches import playing  # brings the compiled engine, which a waiting command does without

    return playing.play_waiting_chunk(batch)
