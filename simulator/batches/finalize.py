"""Closing a batch: its chunks' tallies become one and the figures are computed; then the plots are drawn. In a worker.

The worker that finishes the last chunk closes the batch, and `chunks.recover` requests it again if that worker died
over it. The rows change in one transaction whose first UPDATE is the guard, so any number of workers may try. Plots
take longer than all else, and readers of figures need not wait for them: a batch is done before they are there.

Beside its figures a summary names games worth a look, and says how many of its games are different; both are taken from
the rows. All of these are also kept as measurements, a row each, so that one query can compare all batches.

Games of one kind are equal in all that is counted of them. Players that search draw lots between moves of equal value
only, so that two of them may play few different games. The interval of a share then tells how well what just these
players do is known, and nothing of how others would fare. Games of one kind need not be equal move by move: of forty
that club players of Niranchy play no two are, and all are of one kind. For random players it therefore says nothing.
"""

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict
from datetime import timedelta
from functools import reduce
from typing import Any

import numpy as np
from django.db import transaction
from django.db.models import Exists, OuterRef, QuerySet
from django.utils import timezone

from simulator import rulesets
from simulator.batches import traffic
from simulator.batches.rows import Rows, RowsDigest, kept_rows, measure_names
from simulator.batches.versions import is_of_this_engine, playable, summed
from simulator.engine.ends import ENDLESS, UNFINISHED
from simulator.engine.family import family
from simulator.engine.players.wording import consent_field
from simulator.engine.tally import Tally
from simulator.models import Batch, Chunk, Measurement, Plot, Ruleset
from simulator.statistics.summary import STATISTICS_VERSION, reported, summarise

FIGURE = ("title", "unit", "value", "low", "high", "n")
# How often positions came back, in the first games of a batch: `n` says in how many. After all other figures.
REPETITION = "repetition"  # in a summary
LONGEST = "longest_repetition"
OF_REPETITION = {
    "position_again": "A position came again",
    "threefold": "Would have ended by threefold repetition",
    LONGEST: "Longest repetition of a position",
}
DIFFERENT = "different_games"  # by all that is counted of them
BEHIND = {DIFFERENT, *OF_REPETITION}  # measurements behind the figures, which batches of earlier releases lack
KEY = "games_to_look_at"
TITLES = {
    "representative": "A representative game: of median length",
    "shortest": "The shortest game",
    "longest": "The longest game that ended",
    "endless": "A game that became endless",
    "unfinished": "A game that the cap stopped",
}
VARIETY = "variety"  # in a summary
FEW = 50  # different games: of fewer independent games a share would not be known to 14 points
LONGEST_DRAWING = timedelta(minutes=2)


def complete_batches() -> QuerySet[Batch]:
    """Return running batches of this engine of which nothing is left to play."""
    unfinished = Chunk.objects.filter(batch=OuterRef("id"), state__in=(Chunk.State.QUEUED, Chunk.State.CLAIMED))
    return Batch.objects.filter(playable(), ~Exists(unfinished), state=Batch.State.RUNNING)


def undrawn_batches() -> QuerySet[Batch]:
    """Return closed batches of which no plot is kept."""
    return Batch.objects.filter(~Exists(Plot.objects.filter(batch=OuterRef("id"))), state=Batch.State.DONE)


def forgotten_batches() -> QuerySet[Batch]:
    """Return batches without plots that were closed so long ago that no worker can still be drawing them."""
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
    # Computed before the transaction, which would otherwise hold its locks for seconds.
    digest, summary, left = _digest(batch, tally), summary_of(batch, tally), traffic.of_batch(batch)
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
            traffic.keep(batch, left)
    return bool(closed)


def draw_if_undrawn(batch_id: str) -> None:
    """Draw and keep the plots of a closed batch that has none. Any number of workers may try: they draw the same."""
    batch = undrawn_batches().filter(id=batch_id).select_related("ruleset").first()
    if batch is None:
        return
    drawn = drawings(batch, Tally.from_json(batch.tally or {}), batch.summary or {})
    with transaction.atomic():
        # Locked, so that the batch cannot be deleted before its plots are written.
        if Batch.objects.select_for_update().filter(id=batch_id).exists():
            Plot.objects.bulk_create(drawn, ignore_conflicts=True)


def redraw(batch: Batch, *, drawn: bool = True) -> None:
    """Compute figures and plots of a closed batch again, after a change of how they are computed or drawn.

    drawn: whether it is drawn here; else by the next worker who finds it undrawn
    """
    tally = Tally.from_json(batch.tally or {})
    summary = summary_of(batch, tally)
    plots = drawings(batch, tally, summary) if drawn else []
    with transaction.atomic():
        Batch.objects.filter(id=batch.id).update(summary=summary)
        keep_measurements(batch.id, summary)
        batch.plots.all().delete()
        Plot.objects.bulk_create(plots)


def rescan_repetition(batch: Batch, games: int) -> None:
    """Look for repetition in so many of the first games of a closed batch, whatever time that takes.

    A batch whose games this engine would play otherwise is left as it is.
    """
    if is_of_this_engine(batch):
        summary = {name: value for name, value in (batch.summary or {}).items() if name != REPETITION}
        if repeated := _repetition(batch, games):
            summary[REPETITION] = repeated
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
    """Return the summary: figures, games worth a look, how many are different, and what repeats in them.

    rows: of its games in order, part after part; those that are kept here if none are given
    looked_at: in how many games to look for repetition; in as many as are worth their time if none is given
    """
    summary = figures(batch, tally)
    if notable := notable_games(measure_names(batch), _parts(batch, rows)):
        summary[KEY] = notable
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
    found = summarise(
        tally,
        engine.named_measures(ruleset.parameters),
        cap=batch.cap,
        seats=engine.seats(ruleset.parameters),
        context=_context(batch),
        naming=engine.naming(ruleset.parameters),
        pairs=paired_games_outcomes(batch, ruleset),
    )
    return in_words_of_today(found, batch.ruleset)


def in_words_of_today(summary: Mapping[str, Any], ruleset: Ruleset) -> dict[str, Any]:
    """Return the summary of a batch as this release tells it, whatever release computed its figures."""
    engine, parameters = family(ruleset.family), rulesets.as_engine(ruleset).parameters
    possible = engine.possible_ends(parameters, summary["context"].get("until") == Batch.Until.ROUND)
    return reported(summary, possible, engine.naming(parameters))


def restate_batches() -> int:
    """Tell the figures of closed batches as this release does, and return how many an earlier one told otherwise."""
    older = Batch.objects.filter(state=Batch.State.DONE, summary__version__lt=STATISTICS_VERSION).defer("tally")
    restated = 0
    for batch in older.select_related("ruleset").iterator(chunk_size=24):
        summary = in_words_of_today(batch.summary or {}, batch.ruleset)
        Batch.objects.filter(id=batch.id).update(summary=summary)
        keep_measurements(batch.id, summary)
        restated += 1
    return restated


def drawings(batch: Batch, tally: Tally, summary: dict[str, Any]) -> list[Plot]:
    """Return the plots of a batch, which are not kept yet."""
    from simulator import plots  # brings matplotlib, which processes that answer pages do without

    ruleset = rulesets.as_engine(batch.ruleset)
    measures = family(ruleset.family).named_measures(ruleset.parameters)
    digest = hashlib.sha256(f"{tally.digest()} {plots.PLOT_VERSION}".encode()).hexdigest()
    return [
        Plot(batch=batch, place=place, digest=digest, **asdict(drawing))
        for place, drawing in enumerate(plots.draw_all(tally, measures, _context(batch), summary))
    ]


def _context(batch: Batch) -> dict[str, Any]:
    """Return what every figure must state: which batch, ruleset and engine it is of."""
    return {
        "batch": batch.id,
        **batch.terms,
        "ruleset": batch.ruleset_id,
        "engine": batch.engine_version,
        **consent_field(batch.players, [batch.ruleset.document], batch.until, batch.family_version),
    }


def keep_measurements(batch_id: str, summary: Mapping[str, Any]) -> None:
    """Replace the measurements of a batch by those of this summary."""
    Measurement.objects.filter(batch=batch_id).delete()
    Measurement.objects.bulk_create(Measurement(batch_id=batch_id, **columns) for columns in measurements_of(summary))


def measurements_of(summary: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield the columns of each measurement of a summary."""
    censored = summary["counts"]["unfinished"] / summary["games"]
    rows = [row for section in summary["sections"] for row in section["rows"]]
    behind = [*_of_variety(summary.get(VARIETY, {})), *_of_repetition(summary.get(REPETITION, {}))]
    for place, row in enumerate([*rows, *behind]):
        yield {"place": place, "measure": row["key"], "censored": censored, **{name: row[name] for name in FIGURE}}


def _of_repetition(repetition: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield the rows of repetition, as `replayed.repetition` gives it; nothing where nothing was looked at."""
    for row in repetition.get("rows", ()):
        yield {**row, "title": OF_REPETITION[row["key"]]}
    if repetition:
        longest = {"unit": "times", "value": repetition["longest"], "low": None, "high": None, "n": repetition["games"]}
        yield {"key": LONGEST, "title": OF_REPETITION[LONGEST], **longest}


def _of_variety(found: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield the row of variety, as `variety` gives it; nothing where no rows are kept."""
    if found:
        counted = {"unit": "games", "value": found["different"], "low": None, "high": None, "n": found["games"]}
        yield {"key": DIFFERENT, "title": "Games that differ in what is counted", **counted}


def notable_games(names: Sequence[str], rows: Iterable[Rows]) -> dict[str, dict[str, int]]:
    """`{"representative": {"game", "turns"}, …}`, a key of TITLES each; empty if there are no rows.

    names: of the columns; rows: of all games in order, part after part

    Length is compared among games that were not stopped by the cap; of an even number of them the lower median is
    taken, so that some game has it. Of equal games the one of the lowest number is named.
    """
    parts = [part[:, [names.index("turns"), names.index("end")]] for part in rows]
    if not parts:
        return {}
    turns, ends = np.concatenate(parts).T
    ended = np.sort(turns[ends != UNFINISHED])
    marked: dict[str, Any] = {"endless": ends == ENDLESS, "unfinished": ends == UNFINISHED}
    if len(ended):
        lengths = {"representative": ended[(len(ended) - 1) // 2], "shortest": ended[0], "longest": ended[-1]}
        marked = {key: (turns == length) & (ends != UNFINISHED) for key, length in lengths.items()} | marked
    first = {key: int(np.argmax(mask)) for key, mask in marked.items() if mask.any()}
    return {key: {"game": game, "turns": int(turns[game])} for key, game in first.items()}


def variety(rows: Iterable[Rows]) -> dict[str, int]:
    """`{"games", "different"}`; empty if there are no rows. rows: int32[games, measures], part after part"""
    parts = [row_hashes(part) for part in rows]
    if not parts:
        return {}
    hashes = np.concatenate(parts)
    return {"games": len(hashes), "different": len(np.unique(hashes))}


def first_round_variety(batch: Batch) -> dict[str, int]:
    """The same of the first rounds of its whole games; empty where no rows are kept, or its games have no rounds."""
    columns = [place for place, name in enumerate(measure_names(batch)) if name.startswith("first_round")]
    return variety(rows[:, columns] for _, rows in kept_rows(batch)) if columns else {}


def row_hashes(rows: Rows) -> np.ndarray:
    """int64[games]: two rows that differ have the same hash once in 2 to the power of 64."""
    whole = np.ascontiguousarray(rows).view(f"V{rows.shape[1] * rows.itemsize}").ravel()
    return np.fromiter(map(hash, whole.tolist()), np.int64, len(whole))


def few_kinds(summary: Mapping[str, Any] | None, players: str) -> str:
    """ "only 2 different games", where they are fewer than FEW and than half of the games; else empty, as where it is
    not known, and where a seat is played at random."""
    counted = (summary or {}).get(VARIETY)
    if not counted or "random" in players.split(",") or counted["different"] >= min(FEW, counted["games"] / 2):
        return ""
    return "only one game" if counted["different"] == 1 else f"only {counted['different']} different games"
