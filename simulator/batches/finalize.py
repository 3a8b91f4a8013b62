"""Closing a batch: its chunks' tallies become one and the figures are computed; then the plots are drawn. In a worker.

Whoever finishes the last chunk closes the batch, and `chunks.recover` asks for it again if that worker died over it.
The rows change in one transaction whose first UPDATE is the guard, so any number of workers may try. Plots take longer
than all else, and nobody waits for them who wants figures: a batch is done before they are there.
"""

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from datetime import timedelta
from functools import reduce
from typing import Any

from django.db import transaction
from django.db.models import Exists, OuterRef, QuerySet
from django.utils import timezone

from simulator import plots, rulesets
from simulator.batches.rows import Rows, RowsDigest, kept_rows, measure_names
from simulator.batches.summary_parts import KEY, REPETITION, VARIETY, keep_measurements, notable_games, variety
from simulator.batches.versions import is_of_this_engine, playable, summed
from simulator.engine.family import family
from simulator.engine.players.wording import consent_field
from simulator.engine.tally import Tally
from simulator.models import Batch, Chunk, Plot
from simulator.statistics.summary import summarise

LONGEST_DRAWING = timedelta(minutes=2)


def complete_batches() -> QuerySet[Batch]:
    """Running batches of this engine of which nothing is left to play."""
    unfinished = Chunk.objects.filter(batch=OuterRef("id"), state__in=(Chunk.State.QUEUED, Chunk.State.CLAIMED))
    return Batch.objects.filter(playable(), ~Exists(unfinished), state=Batch.State.RUNNING)


def undrawn_batches() -> QuerySet[Batch]:
    """Closed batches of which no plot is kept."""
    return Batch.objects.filter(~Exists(Plot.objects.filter(batch=OuterRef("id"))), state=Batch.State.DONE)


def forgotten_batches() -> QuerySet[Batch]:
    """Return batches that were closed so long ago that nobody can still be drawing them."""
    return undrawn_batches().filter(closed__lt=timezone.now() - LONGEST_DRAWING)


def close_if_complete(batch_id: str) -> bool:
    """Close the batch if it is running and nothing of it is left to play. True if this call closed it."""
    complete = complete_batches().filter(id=batch_id)
    batch = complete.select_related("ruleset").first()
    if batch is None:
        return False
    if batch.chunks.filter(state=Chunk.State.QUARANTINED).exists():
        return bool(complete.update(state=Batch.State.FAILED, closed=timezone.now()))
    tally = _merged(batch)
    digest, summary = _digest(batch, tally), summary_of(batch, tally)
    with transaction.atomic():
        closed = complete.update(
            state=Batch.State.DONE,
            closed=timezone.now(),
            tally=tally.to_json(),
            tally_digest=tally.digest(),
            digest=digest,
            summary=summary,
            provenance=summed(batch.chunks.values_list("provenance", "games")),
        )
        if closed:
            keep_measurements(batch_id, summary)
    return bool(closed)


def draw_if_undrawn(batch_id: str) -> None:
    """Draw and keep the plots of a closed batch that has none. Any number of workers may try: they draw the same."""
    batch = undrawn_batches().filter(id=batch_id).select_related("ruleset").first()
    if batch is None:
        return
    drawn = drawings(batch, Tally.from_json(batch.tally or {}), batch.summary or {})
    with transaction.atomic():
        if Batch.objects.select_for_update().filter(id=batch_id).exists():  # not thrown away meanwhile
            Plot.objects.bulk_create(drawn, ignore_conflicts=True)


def redraw(batch: Batch) -> None:
    """Compute figures and plots of a closed batch again, after a change of how they are computed or drawn."""
    tally = Tally.from_json(batch.tally or {})
    summary = summary_of(batch, tally)
    drawn = drawings(batch, tally, summary)
    with transaction.atomic():
        Batch.objects.filter(id=batch.id).update(summary=summary)
        keep_measurements(batch.id, summary)
        batch.plots.all().delete()
        Plot.objects.bulk_create(drawn)


def rescan_repetition(batch: Batch, games: int) -> None:
    """Look for repetition in so many of the first games of a closed batch, in place of as many as were worth it here.

    Nothing of a batch whose games this engine would play otherwise.
    """
    if is_of_this_engine(batch):
        summary = {name: value for name, value in (batch.summary or {}).items() if name != REPETITION}
        if found := _repetition(batch, games):
            summary[REPETITION] = found
        Batch.objects.filter(id=batch.id).update(summary=summary)
        keep_measurements(batch.id, summary)


def _merged(batch: Batch) -> Tally:
    documents = batch.chunks.order_by("number").values_list("tally", flat=True).iterator(chunk_size=4)
    return reduce(Tally.merged_with, (Tally.from_json(document or {}) for document in documents))


def _digest(batch: Batch, tally: Tally) -> str:
    if not batch.rows_kept:
        return tally.digest()
    digest = RowsDigest()
    for _, rows in kept_rows(batch):
        digest.add(rows)
    return digest.hexdigest()


def summary_of(
    batch: Batch, tally: Tally, rows: Sequence[Rows] | None = None, looked_at: int | None = None
) -> dict[str, Any]:
    """The figures of a batch, the games that are worth a look, how many are different, and what comes back in them.

    rows: of its games in order, part after part; those that are kept here if none are given
    looked_at: in how many games to look for repetition; in as many as are worth their time if none is given
    """
    summary = figures(batch, tally)
    if found := notable_games(measure_names(batch), _parts(batch, rows)):
        summary[KEY] = found
    if counted := variety(_parts(batch, rows)):
        summary[VARIETY] = counted
    if is_of_this_engine(batch) and (seen := _repetition(batch, looked_at, rows)):
        summary[REPETITION] = seen
    return summary


def _parts(batch: Batch, rows: Sequence[Rows] | None) -> Iterable[Rows]:
    return (part for _, part in kept_rows(batch)) if rows is None else rows


def _repetition(batch: Batch, games: int | None = None, rows: Sequence[Rows] | None = None) -> dict[str, Any]:
    from simulator.batches.replayed import repetition  # brings the compiled engine, as every worker does

    return repetition(batch, rulesets.as_engine(batch.ruleset), games, rows)


def figures(batch: Batch, tally: Tally) -> dict[str, Any]:
    """Return the figures of a batch from its tally, which need not be kept."""
    from simulator.batches.replayed import paired_games_outcomes  # brings the compiled engine, as every worker does

    ruleset = rulesets.as_engine(batch.ruleset)
    engine = family(ruleset.family)
    return summarise(
        tally,
        engine.named_measures(ruleset.parameters),
        cap=batch.cap,
        seats=engine.seats(ruleset.parameters),
        context=_context(batch),
        naming=engine.naming(ruleset.parameters),
        pairs=paired_games_outcomes(batch, ruleset),
    )


def drawings(batch: Batch, tally: Tally, summary: dict[str, Any]) -> list[Plot]:
    ruleset = rulesets.as_engine(batch.ruleset)
    measures = family(ruleset.family).named_measures(ruleset.parameters)
    digest = hashlib.sha256(f"{tally.digest()} {plots.PLOT_VERSION}".encode()).hexdigest()
    return [
        Plot(batch=batch, place=place, digest=digest, **asdict(drawing))
        for place, drawing in enumerate(plots.draw_all(tally, measures, _context(batch), summary))
    ]


def _context(batch: Batch) -> dict[str, Any]:
    """What every figure must say of itself."""
    return {
        "batch": batch.id,
        **batch.terms,
        "ruleset": batch.ruleset_id,
        "engine": batch.engine_version,
        **consent_field(batch.players, [batch.ruleset.document], batch.until, batch.family_version),
    }
