"""Stopping what was asked for: by whoever asked, as long as nobody else waits for it, and by who has the right."""

from collections.abc import Collection, Iterable
from http import HTTPStatus

from django.db import transaction
from rest_framework.request import Request

from catalogue.models import ComparedBatch, Comparison, RequestedStudy
from catalogue.permissions import CANCEL
from catalogue.web.problem_document import RefusedRequest
from catalogue.web.visitors import on_behalf
from simulator.batches.service import requested_by, stop_batch
from simulator.batches.together import CANCELLED
from simulator.locks import BATCHES, exclusive
from simulator.models import Batch, Ladder
from simulator.strength.requested_ladders import request_of


@transaction.atomic
def cancel_batch(request: Request, batch: Batch) -> None:
    """Raises RefusedRequest: 403 for whoever may not, 409 where it is over, or somebody or something waits for it."""
    exclusive(BATCHES)
    batch.refresh_from_db(fields=["state", "shared"])
    _check_right(request, [batch])
    if not batch.is_open:
        raise _refused(f"there is nothing to cancel: the batch is {batch.get_state_display().lower()}")
    if waiting := waiting_for([batch]).get(batch.id):
        raise _refused(f"{waiting} waits for its games: cancel that instead")
    stop_batch(batch)


@transaction.atomic
def cancel_comparison(request: Request, comparison: Comparison) -> None:
    """Its batches are stopped too, but for those that something else waits for. Raises RefusedRequest as above."""
    exclusive(BATCHES)
    comparison.refresh_from_db(fields=["state"])
    if comparison.state != Comparison.State.WAITING:
        raise _refused(f"there is nothing to cancel: the comparison is {comparison.get_state_display().lower()}")
    running = _running(request, comparison.compared.values_list("batch_id", flat=True))
    Comparison.objects.filter(id=comparison.id).update(state=Comparison.State.FAILED, error=CANCELLED)
    _stop_those_of_nobody_else(running)


@transaction.atomic
def cancel_study(request: Request, study: RequestedStudy) -> None:
    """As a comparison. Raises RefusedRequest as above."""
    exclusive(BATCHES)
    found = RequestedStudy.objects.filter(id=study.id).first()
    if found is None or found.error:
        raise _refused(f"there is nothing to cancel: the study is {'over' if found else 'done'}")
    running = _running(request, found.batches)
    RequestedStudy.objects.filter(id=study.id).update(error=CANCELLED)
    _stop_those_of_nobody_else(running)


@transaction.atomic
def cancel_ladder(request: Request, ladder: Ladder) -> None:
    """As a comparison. Raises RefusedRequest as above."""
    exclusive(BATCHES)
    ladder.refresh_from_db(fields=["state"])
    if ladder.state != Ladder.State.WAITING:
        raise _refused(f"there is nothing to cancel: the ladder is {ladder.get_state_display().lower()}")
    running = _running(request, request_of(ladder).requests)
    Ladder.objects.filter(id=ladder.id).update(state=Ladder.State.FAILED, error=CANCELLED)
    _stop_those_of_nobody_else(running)


def _running(request: Request, ids: Iterable[str]) -> list[Batch]:
    """Those of its batches that are being played; raises RefusedRequest if none is, or whoever asks may not."""
    rows = Batch.objects.filter(id__in=list(ids), state=Batch.State.RUNNING).order_by("id")
    running = list(rows.defer("tally", "summary"))
    if not running:
        raise _refused("there is nothing to cancel: all its games are played")
    _check_right(request, running)
    return running


def _stop_those_of_nobody_else(running: Collection[Batch]) -> None:
    awaited = waiting_for(running)
    for batch in running:
        if not batch.shared and batch.id not in awaited:
            stop_batch(batch)


def waiting_for(batches: Collection[Batch]) -> dict[str, str]:
    """What waits for the games of these batches, named, by their ids. Three queries, however many batches."""
    ids, found = {batch.id for batch in batches}, dict[str, str]()
    ladders = Ladder.objects.filter(ruleset__in={batch.ruleset_id for batch in batches}, state=Ladder.State.WAITING)
    for ladder in ladders.select_related("ruleset"):
        found |= dict.fromkeys(ids & request_of(ladder).requests.keys(), f"the ladder {ladder.pk}")
    for study, needed in RequestedStudy.objects.filter(error="").values_list("id", "batches"):
        found |= dict.fromkeys(ids & set(needed), f"the study {study}")
    compared = ComparedBatch.objects.filter(batch__in=ids, comparison__state=Comparison.State.WAITING)
    for comparison, batch in compared.values_list("comparison_id", "batch_id"):
        found[batch] = f"the comparison {comparison}"
    return found


def _check_right(request: Request, batches: Collection[Batch]) -> None:
    """Whoever asks for something marks all its batches that are not their own: one that is theirs alone says it is."""
    if request.user.has_perm(CANCEL):
        return
    asker = {"visitor": "", **on_behalf(request)}
    own = [batch for batch in batches if requested_by(batch, **asker)]
    if not own:
        message = "only an editor may cancel it, or who asked for it: from the same address, and within a day"
        raise RefusedRequest.of("", message, status=HTTPStatus.FORBIDDEN)
    if all(batch.shared for batch in own):
        raise _refused("somebody else asked for the same games, and waits for them; only an editor may cancel it")


def _refused(message: str) -> RefusedRequest:
    return RefusedRequest.of("", message, status=HTTPStatus.CONFLICT)
