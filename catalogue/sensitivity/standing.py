"""How studies stand that were asked for, many at once; and giving one up."""

from collections.abc import Iterable
from dataclasses import dataclass

from django.db import transaction

from catalogue.models import ComparedBatch, Comparison, RequestedStudy
from simulator.batches import together
from simulator.batches.service import stop_batch
from simulator.locks import BATCHES, exclusive
from simulator.models import Batch

PLAYED, COMPUTED, FAILED, CANCELLED = "being played", "being computed", "failed", "cancelled"
GIVEN_UP = "It was cancelled by the editors."  # what its page says
ENDED = (GIVEN_UP, together.CANCELLED)  # by the editors, or by who asked for it


@dataclass(frozen=True, slots=True)
class Standing:
    """state: one of the four above. why: it failed"""

    state: str
    why: str = ""


def standing_of(rows: Iterable[RequestedStudy]) -> dict[str, Standing]:
    """By the id of the study. One query, however many there are."""
    studies = list(rows)
    batches = {batch for row in studies for batch in row.batches}
    states = dict(Batch.objects.filter(id__in=batches).values_list("id", "state"))
    return {row.id: _standing(row, [states.get(batch, "") for batch in row.batches]) for row in studies}


def _standing(row: RequestedStudy, states: list[str]) -> Standing:
    if row.error:
        return Standing(CANCELLED) if row.error in ENDED else Standing(FAILED, row.error)
    for state, why in (
        (Batch.State.FAILED, "failed"),
        (Batch.State.CANCELLED, "was cancelled"),
        ("", "was thrown away"),
    ):
        if state in states:
            return Standing(FAILED, f"Batch {row.batches[states.index(state)]} {why}.")
    return Standing(COMPUTED if all(state == Batch.State.DONE for state in states) else PLAYED)


def give_up(row: RequestedStudy) -> int:
    """Wait for it no longer, and stop those of its batches that nothing else waits for; how many were stopped."""
    with transaction.atomic():
        exclusive(BATCHES)
        waited = RequestedStudy.objects.filter(error="").exclude(id=row.id).values_list("batches", flat=True)
        needed = {batch for batches in waited for batch in batches}
        compared = ComparedBatch.objects.filter(comparison__state=Comparison.State.WAITING)
        needed.update(compared.values_list("batch_id", flat=True))
        RequestedStudy.objects.filter(id=row.id).update(error=GIVEN_UP)
        running = Batch.objects.filter(id__in=set(row.batches) - needed, state=Batch.State.RUNNING)
        return sum(stop_batch(batch) for batch in running.defer("tally", "summary"))
