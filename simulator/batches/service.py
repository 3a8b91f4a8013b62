"""Batches of games: requested, watched, cancelled, run again, thrown away.

This is the one way in for site, API and commands. It writes rows and notifies the workers that something waits; the
games themselves are played in `playing`, and nothing here imports what plays or draws.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.db.models import Count, F, Min, Q, Sum
from django.utils import timezone

from simulator import rulesets
from simulator.batches import dispatch, prices
from simulator.batches.queueing import LAST, admit, admit_together, first_turn, hash_address, lane_of
from simulator.batches.requests import BatchRequest, as_options, check_request, refuse_above
from simulator.batches.versions import waits_for
from simulator.engine.players.wording import consent_field
from simulator.engine.ruleset import Ruleset
from simulator.locks import BATCHES, exclusive
from simulator.models import Batch, Chunk, Traffic
from simulator.problems import WrongRequest

MOST_GAMES_WITH_ROWS = 1_000_000
MOST_CHUNK_GAMES, MOST_CHUNK_GAMES_WITHOUT_ROWS = 65_536, 1_048_576
MOST_CHUNKS = 4_096
CHUNK_WORK = 15_000_000  # at most, so that a chunk takes a second or two and the last ones end together


@dataclass(frozen=True, slots=True)
class BatchProgress:
    """How far a batch is. Its games count when their chunk is done. waits_for: see `versions.waits_for`"""

    state: str
    games: int
    games_done: int
    chunks: int
    chunks_done: int
    chunks_quarantined: int
    errors: tuple[str, ...]
    waits_for: str = ""

    @property
    def percent(self) -> int:
        return 100 * self.games_done // self.games


def request_batch(
    ruleset: Ruleset | str,
    *,
    origin: str = Batch.Origin.COMMAND,
    visitor: str = "",
    announce: bool = True,
    **terms: Any,
) -> Batch:
    """Return the batch of this request, a new one or the one that was requested before.

    terms: games, seed, players, cap, until, traffic, as `check_request` takes them; the others as `request_checked`
    Raises WrongRequest or QueueFull, and has then written nothing.
    """
    return request_checked(check_request(ruleset, **terms), origin=origin, visitor=visitor, announce=announce)


def request_checked(
    request: BatchRequest, *, origin: str = Batch.Origin.COMMAND, visitor: str = "", announce: bool = True
) -> Batch:
    """Return the batch of a request that was checked before.

    visitor:  the address a visitor's request comes from; bounds how much may be requested
    announce: whether workers are notified (a failure to reach them is no error: `chunks.recover` notifies them later)
    Raises WrongRequest or QueueFull, and has then written nothing.
    """
    with transaction.atomic():
        exclusive(BATCHES)
        existing = batch = Batch.objects.filter(id=request.id).first()
        if batch is None or batch.state in (Batch.State.CANCELLED, Batch.State.FAILED):
            if visitor:
                refuse_above(request, prices.VISITOR)
                admit(request, visitor)
            batch = _run_on(batch, origin, visitor) if batch else _write(request, origin, visitor)
        if existing and batch.is_open and not requested_by(batch, origin, visitor):
            Batch.objects.filter(id=batch.id).update(shared=True)
    # After the transaction: a worker that hears of it sooner would find no rows.
    if announce and batch.is_open:
        _notify_workers(batch)
    return batch


def request_all(requests: Iterable[BatchRequest], **how: Any) -> list[Batch]:
    """Return the batches of requests that were checked before; how: origin, visitor and announce."""
    return [request_checked(request, **how) for request in requests]


def request_together(
    requests: Sequence[BatchRequest], *, origin: str = Batch.Origin.COMMAND, visitor: str = ""
) -> list[Batch]:
    """Return the batches of requests for as many games each, all or none; no worker is notified of them.

    A visitor is bounded by what all of them ask for that is not there yet.
    Raises WrongRequest or QueueFull, and has then written nothing.
    """
    with transaction.atomic():
        exclusive(BATCHES)
        stopped = (Batch.State.CANCELLED, Batch.State.FAILED)
        ids = [request.id for request in requests]
        known = set(Batch.objects.filter(id__in=ids).exclude(state__in=stopped).values_list("id", flat=True))
        if visitor:
            admit_together(requests, [request for request in requests if request.id not in known], visitor)
        return request_all(requests, origin=origin, visitor=visitor, announce=False)


def _notify_workers(batch: Batch) -> None:
    dispatch.notify_of_chunks(batch.chunks.filter(state=Chunk.State.QUEUED).count())


def _write(request: BatchRequest, origin: str, visitor: str) -> Batch:
    batch = Batch.objects.create(
        id=request.id,
        ruleset=rulesets.save(request.ruleset),
        family_version=request.family_version,
        row_version=request.row_version,
        players_version=request.players_version,
        work=request.work,
        rows_kept=keeps_rows(request),
        origin=origin,
        visitor=hash_address(visitor) if visitor else "",
        counts_traffic=request.traffic,
        **{name: value for name, value in request.terms.items() if name != "traffic"},
    )
    size = chunk_size(request)
    starts = range(0, request.games, size)
    lane, first = lane_of(origin), first_turn(origin, batch.visitor)
    Chunk.objects.bulk_create(
        Chunk(
            batch=batch,
            number=number,
            first_game=start,
            games=min(size, request.games - start),
            lane=lane,
            turn=min(LAST, first + start * request.work // request.games),  # where its predecessors' work ends
        )
        for number, start in enumerate(starts)
    )
    return batch


def requested_by(batch: Batch, origin: str, visitor: str) -> bool:
    """Return whether this visitor requested it first, or had it run on; known as long as visitors' marks are kept."""
    return origin == Batch.Origin.VISITOR == batch.origin and batch.visitor == hash_address(visitor)


def keeps_rows(request: BatchRequest) -> bool:
    return request.games <= MOST_GAMES_WITH_ROWS


def chunk_size(request: BatchRequest) -> int:
    """Return the games per chunk: short steps, and not too many of them. The rows are the same for any size."""
    by_work = CHUNK_WORK * request.games // request.work
    most = MOST_CHUNK_GAMES if keeps_rows(request) else MOST_CHUNK_GAMES_WITHOUT_ROWS
    # As short as CHUNK_WORK says, unless that made more than MOST_CHUNKS; -(-a // b) rounds up.
    return max(1, min(most, max(by_work, -(-request.games // MOST_CHUNKS))))


def _run_on(batch: Batch, origin: str, visitor: str) -> Batch:
    """Let it run on for whoever asks for it now: it counts against his bounds, and he may cancel it.

    What ships with an edition stays that.
    """
    batch.visitor, batch.charged, batch.shared = hash_address(visitor) if visitor else "", timezone.now(), False
    batch.origin = batch.origin if batch.origin == Batch.Origin.DEMO else origin
    batch.save(update_fields=["visitor", "charged", "shared", "origin"])
    return _resume(batch)


def _resume(batch: Batch) -> Batch:
    """Let a cancelled or failed batch run on from the chunks that are done."""
    unfinished = batch.chunks.exclude(state=Chunk.State.DONE)
    # All turns move by the same amount: the first to where the queue is now, the others as far behind it as before.
    earlier = unfinished.aggregate(turn=Min("turn"))["turn"] or 0
    turn = F("turn") + first_turn(batch.origin, batch.visitor) - earlier
    lane = lane_of(batch.origin)
    unfinished.update(state=Chunk.State.QUEUED, lane=lane, turn=turn, lease_until=None, attempts=0, error="")
    batch.state, batch.closed = Batch.State.RUNNING, None
    batch.save(update_fields=["state", "closed"])
    return batch


def requeue_batch(batch: Batch) -> Batch:
    """Run a cancelled or failed batch again; what is done stays done."""
    if batch.state not in (Batch.State.CANCELLED, Batch.State.FAILED):
        message = f"batch {batch} is {batch.state}, and only a cancelled or failed one can be queued again"
        raise WrongRequest.of("batch", message)
    with transaction.atomic():
        exclusive(BATCHES)
        batch = _resume(batch)
    _notify_workers(batch)
    return batch


def stop_batch(batch: Batch) -> bool:
    """Stop a running batch; its worker notices between two blocks of games. False if it was not running."""
    with transaction.atomic():
        stopped = Batch.objects.filter(id=batch.id, state=Batch.State.RUNNING).update(state=Batch.State.CANCELLED)
        if stopped:
            batch.chunks.filter(state=Chunk.State.QUEUED).update(lane=Chunk.Lane.PARKED)
    batch.refresh_from_db(fields=["state"])
    return bool(stopped)


def purge_batch(batch: Batch) -> None:
    """Throw a batch away with its chunks, rows and plots. Asked for again, it is played again."""
    batch.delete()


def progress_of(batch: Batch) -> BatchProgress:
    """Return how far a batch is, in one query, and two more if it is open. Its state is the one it was loaded with."""
    done, aside = Q(state=Chunk.State.DONE), Q(state=Chunk.State.QUARANTINED)
    counts: Mapping[str, int | None] = batch.chunks.aggregate(
        chunks=Count("id"),
        done=Count("id", filter=done),
        aside=Count("id", filter=aside),
        games=Sum("games", filter=done),
    )
    errors: tuple[str, ...] = ()
    if counts["aside"]:
        errors = tuple(batch.chunks.filter(aside).order_by("number").values_list("error", flat=True))
    return BatchProgress(
        state=batch.state,
        games=batch.games,
        games_done=counts["games"] or 0,
        chunks=counts["chunks"] or 0,
        chunks_done=counts["done"] or 0,
        chunks_quarantined=counts["aside"] or 0,
        errors=errors,
        waits_for=waits_for(batch),
    )


def named_batch(name: str) -> Batch:
    """Return the batch of that id, or of an unambiguous beginning of it; raises WrongRequest."""
    matching = list(Batch.objects.filter(id__startswith=name).select_related("ruleset")[:2]) if name else []
    if len(matching) == 1:
        return matching[0]
    latest = Batch.objects.values_list("id", flat=True).first()
    message = f"more than one batch begins with {name!r}" if matching else f"there is no batch {name!r}"
    raise WrongRequest.of("batch", message, matching[0].id if matching else latest)


def simulate_command(batch: Batch) -> str:
    """Return the command that asks for exactly this batch, on any machine."""
    name = rulesets.lasting_name(rulesets.as_engine(batch.ruleset), batch.ruleset.versioned_name)
    return f"manage.py simulate {name.options} {as_options(**batch.terms)} --inline --json"


def batch_line(batch: Batch) -> dict[str, Any]:
    """Return a batch in a list, as commands print it."""
    done = progress_of(batch)
    return {
        "batch": batch.id,
        "state": batch.state,
        "ruleset": batch.ruleset.versioned_name,
        "games": batch.games,
        "games_done": done.games_done,
        "players": batch.players,
        "seed": batch.seed,
        "cap": batch.cap,
        "until": batch.until,
        "errors": list(done.errors),
    }


def batch_answer(batch: Batch, name: str) -> dict[str, Any]:
    """Return a closed batch as a document: its request, the digests that prove it, and the figures."""
    return {
        "batch": batch.id,
        "ruleset": name,
        "ruleset_hash": batch.ruleset_id,
        "engine_version": batch.engine_version,
        **batch.terms,
        **consent_field(batch.players, [batch.ruleset.document], batch.until, batch.family_version),
        "digest": batch.digest,
        "digest_of": "rows" if batch.rows_kept else "tally",
        "tally_digest": batch.tally_digest,
        **({"traffic_digest": Traffic.objects.get(batch=batch).digest} if batch.counts_traffic else {}),
        "summary": batch.summary,
    }
