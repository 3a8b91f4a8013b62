"""Stopping what was asked for: by whoever asked, as long as nobody else waits for it, and by who has the right."""

from collections.abc import Collection
from http import HTTPStatus

from django.db import transaction
from rest_framework.request import Request

from catalogue.comparisons.service import CANCELLED
from catalogue.models import Comparison, RequestedStudy
from catalogue.permissions.roles import CANCEL
from catalogue.web.problem_document import RefusedRequest
from catalogue.web.visitors import on_behalf
from simulator.batches.service import is_of, stop_batch
from simulator.models import Batch, Ladder
from simulator.models.one_at_a_time import BATCHES, one_at_a_time
from simulator.strength.requested_ladders import request_of


@transaction.atomic
def cancel_batch(request: Request, batch: Batch) -> None:
    """Raises RefusedRequest: 403 for whoever may not, 409 where it is over, or somebody or something waits for it."""
    one_at_a_time(BATCHES)
    batch.refresh_from_db(fields=["state", "shared"])
    if not batch.is_open:
        raise _refused(f"there is nothing to cancel: the batch is {batch.get_state_display().lower()}")
    _check_right(request, [batch])
    if waiting := waiting_for(batch):
        raise _refused(f"{waiting} waits for its games: cancel that instead")
    stop_batch(batch)


@transaction.atomic
def cancel_comparison(request: Request, comparison: Comparison) -> None:
    """Its batches are stopped too, but for those that something else waits for. Raises RefusedRequest as above."""
    one_at_a_time(BATCHES)
    comparison.refresh_from_db(fields=["state"])
    if comparison.state != Comparison.State.WAITING:
        raise _refused(f"there is nothing to cancel: the comparison is {comparison.get_state_display().lower()}")
    running = list(Batch.objects.filter(compared__comparison=comparison, state=Batch.State.RUNNING).distinct())
    if not running:
        raise _refused("there is nothing to cancel: all its games are played")
    _check_right(request, running)
    Comparison.objects.filter(id=comparison.id).update(state=Comparison.State.FAILED, error=CANCELLED)
    for batch in running:
        if not batch.shared and not waiting_for(batch):
            stop_batch(batch)


def waiting_for(batch: Batch) -> str:
    """What waits for the games of a batch, named; "" if nothing does."""
    comparison = Comparison.objects.filter(state=Comparison.State.WAITING, compared__batch=batch).first()
    if comparison:
        return f"the comparison {comparison}"
    studies = RequestedStudy.objects.filter(error="").values_list("id", "batches")
    if study := next((id for id, batches in studies if batch.id in batches), None):
        return f"the study {study}"
    ladders = Ladder.objects.filter(ruleset=batch.ruleset_id, state=Ladder.State.WAITING).select_related("ruleset")
    ladder = next((row for row in ladders if batch.id in request_of(row).requests), None)
    return f"the ladder {ladder.pk}" if ladder else ""


def _check_right(request: Request, batches: Collection[Batch]) -> None:
    """Whoever asks for something marks all its batches that are not their own: one that is theirs alone says it is."""
    if request.user.has_perm(CANCEL):
        return
    asker = {"visitor": "", **on_behalf(request)}
    own = [batch for batch in batches if is_of(batch, **asker)]
    if not own:
        message = "only an editor may cancel it, or who asked for it: from the same address, and within a day"
        raise RefusedRequest.of("", message, status=HTTPStatus.FORBIDDEN)
    if all(batch.shared for batch in own):
        raise _refused("somebody else asked for the same games, and waits for them; only an editor may cancel it")


def _refused(message: str) -> RefusedRequest:
    return RefusedRequest.of("", message, status=HTTPStatus.CONFLICT)
