"""Comparisons: asked for, waited for, shown. The one way in for page, API and command; nothing here computes a figure.

A comparison needs its batches and then a worker. Messages only point at its row: one that is lost costs time, because
whoever looks at the waiting comparison tells the workers again.
"""

from collections.abc import Sequence
from typing import Any

from django.db import transaction

from catalogue.comparisons.requests import COMPARISON_VERSION, ComparisonRequest
from catalogue.evidence.clauses import ReadingClause, clauses_of
from catalogue.models import ComparedBatch, Comparison
from catalogue.models.querysets import newest_versions
from simulator.batches import dispatch, together
from simulator.batches.service import request_all
from simulator.batches.together import BatchSetProgress, progress_together
from simulator.models import Batch, Chunk

COMPUTE = "catalogue.compute_comparison"


def request_comparison(request: ComparisonRequest, *, announce: bool = True, **on_behalf: Any) -> Comparison:
    """The comparison of this request, with its batches: a new one, or the one that was asked for before.

    on_behalf: origin and visitor, as `request_batch` takes them
    Raises WrongRequest or QueueFull, and has then written nothing.
    """
    with transaction.atomic():
        wanted = request_all(request.batches, announce=False, **on_behalf)
        comparison = _written(request, wanted)
    if announce:
        waiting = Chunk.objects.filter(batch__in=wanted, state=Chunk.State.QUEUED).count()
        if waiting:
            dispatch.notify_of_chunks(waiting)
        announce_waiting(comparison)
    return comparison


def _written(request: ComparisonRequest, wanted: Sequence[Batch]) -> Comparison:
    comparison, new = Comparison.objects.get_or_create(
        id=request.id,
        defaults={
            "names": list(request.names),
            "players": request.players,
            "margins": dict(request.margins),
            "bootstrap_seed": request.bootstrap_seed,
            "version": COMPARISON_VERSION,
        },
    )
    if new or comparison.compared.count() != len(wanted):  # a batch may have been thrown away since
        comparison.compared.all().delete()
        ComparedBatch.objects.bulk_create(
            ComparedBatch(comparison=comparison, batch=batch, place=place) for place, batch in enumerate(wanted)
        )
    if comparison.state == Comparison.State.FAILED:
        comparison.state, comparison.error = Comparison.State.WAITING, ""
        comparison.save(update_fields=["state", "error"])
    return comparison


def announce_waiting(comparison: Comparison) -> bool:
    """Tell a worker that the comparison waits, unless one was told a moment ago. True if a message was sent."""
    waiting = Comparison.objects.filter(id=comparison.id, state=Comparison.State.WAITING)
    return together.announce_waiting(waiting, COMPUTE, comparison.id)


def progress(comparison: Comparison) -> BatchSetProgress:
    """Two queries, two more while games are open, and a message to the workers if only the computing is left."""
    rows = [
        one.batch
        for one in comparison.compared.select_related("batch__ruleset").defer("batch__tally", "batch__summary")
    ]
    played = len(rows) == len(comparison.names) and all(one.state == Batch.State.DONE for one in rows)
    if comparison.state == Comparison.State.WAITING and played:
        announce_waiting(comparison)
    return progress_together(comparison.state, rows)


def command_line(comparison: Comparison, first: Batch) -> str:
    """The command that asks for exactly this comparison, on any machine that knows its rulesets and their levels."""
    margins = " ".join(f"--margin {name}={margin:g}" for name, margin in comparison.margins.items())
    return (
        f"manage.py compare {' '.join(comparison.names)} --games {first.games} --seed {first.seed}"
        f" --players {comparison.asked or first.players} --cap {first.cap} --until {first.until} {margins}"
        f" --bootstrap-seed {comparison.bootstrap_seed} --inline --json"
    )


def with_clauses(document: dict[str, Any]) -> dict[str, Any]:
    """The document with the clause that each reading holds for each rule that differs, as they are worded now.

    A side gains `clause`: `{text, basis, source, reading, address, inherited}`, or null if no clause covers it.
    Five queries, however many rulesets.
    """
    held = _held(document["rulesets"])
    rules = []
    for rule in document["rules"]:
        sides = [
            {**side, "clause": _clause_document(held[place].get(rule["key"]))}
            for place, side in enumerate(rule["sides"])
        ]
        rules.append({**rule, "sides": sides})
    return {**document, "rules": rules}


def _held(sides: Sequence[dict[str, Any]]) -> list[dict[str, ReadingClause]]:
    """The clauses of each reading by parameter; none if the name means no reading, or another content by now."""
    slugs = [side["name"].partition("@")[0] for side in sides]
    newest = newest_versions(slugs)
    now = [
        slug if slug in newest and newest[slug].ruleset_id == side["hash"] else ""
        for slug, side in zip(slugs, sides, strict=True)
    ]
    clauses = clauses_of({slug for slug in now if slug})
    return [{key: one for one in reversed(clauses.get(slug, ())) for key in one.parameters} for slug in now]


def _clause_document(held: ReadingClause | None) -> dict[str, Any] | None:
    if held is None:
        return None
    return {
        "text": held.clause.text,
        "basis": held.clause.basis,
        "source": held.clause.source,
        "reading": held.clause.reading.slug,
        "address": held.clause.get_absolute_url(),
        "inherited": held.inherited,
    }
