"""Studies that a page was asked for: bounded, waited for, handed to a worker. Nothing here computes a figure.

As with comparisons, the rows are the truth and a message only points at one: whoever looks at the page of a study that
waits tells the workers again.
"""

from dataclasses import replace

from django.db import transaction

from catalogue.models import RequestedStudy
from catalogue.sensitivity.plans import Plan, kept
from simulator.batches import dispatch, together
from simulator.batches.service import request_together
from simulator.batches.together import BatchSetProgress, progress_together
from simulator.locks import BATCHES, exclusive
from simulator.models import Batch, Chunk

CONCLUDE = "catalogue.conclude_study"
WAITING, FAILED = "waiting", "failed"


def request_study(planned: Plan, *, origin: str, visitor: str = "", announce: bool = True) -> None:
    """See to it that the study of this plan is kept, or waited for: asked for twice, it is one.

    planned:         without weights, which pages do not ask for
    origin, visitor: on whose behalf its games are played, as `request_batch` takes them
    Raises WrongRequest or QueueFull, and has then written nothing.
    """
    with transaction.atomic():
        exclusive(BATCHES)
        if kept(planned) or _is_waited_for(planned.id):
            return
        batches = [batch.id for batch in request_together(planned.requests, origin=origin, visitor=visitor)]
        row, _ = RequestedStudy.objects.update_or_create(
            id=planned.id,
            defaults={"game": planned.study.game, "terms": _terms(planned), "batches": batches, "error": ""},
        )
    if announce:
        if waiting := Chunk.objects.filter(batch__in=batches, state=Chunk.State.QUEUED).count():
            dispatch.notify_of_chunks(waiting)
        announce_waiting(row)


def _is_waited_for(study_id: str) -> bool:
    """Whether its games are being played, or done and about to be looked at."""
    row = RequestedStudy.objects.filter(id=study_id, error="").first()
    if row is None:
        return False
    well = Batch.objects.filter(id__in=row.batches, state__in=(Batch.State.RUNNING, Batch.State.DONE))
    return well.count() == len(row.batches)


def _terms(planned: Plan) -> dict[str, object]:
    study = planned.study
    own = {name: getattr(study.request, name) for name in ("games", "seed", "cap", "until")}
    return {"base": study.base, "questions": [one.slug for one in study.rows], "players": study.asked, **own}


def announce_waiting(row: RequestedStudy) -> bool:
    """Tell a worker that the study waits, unless one was told a moment ago. True if a message was sent."""
    return together.announce_waiting(RequestedStudy.objects.filter(id=row.id, error=""), CONCLUDE, row.id)


def progress(row: RequestedStudy) -> BatchSetProgress:
    """Two queries, two more while games are open, and a message to the workers if only the computing is left.

    It has failed if it cannot be computed, or if one of its batches was stopped or thrown away.
    """
    batches = batches_of(row)
    if not row.error and is_played(row, batches):
        announce_waiting(row)
    found = progress_together(WAITING, batches)
    failed = row.error or found.stopped or len(batches) < len(row.batches)
    return replace(found, state=FAILED) if failed else found


def batches_of(row: RequestedStudy) -> list[Batch]:
    """Those of its batches that were not thrown away."""
    rows = Batch.objects.filter(id__in=row.batches).select_related("ruleset")
    return list(rows.defer("tally", "summary"))


def is_played(row: RequestedStudy, batches: list[Batch]) -> bool:
    """Whether all its games are there. batches: `batches_of` it"""
    return len(batches) == len(row.batches) and all(one.state == Batch.State.DONE for one in batches)
