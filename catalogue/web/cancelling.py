"""Who may cancel batches and analyses, and what goes on because others wait: once, for pages and API.

Whoever asked for games may cancel them: in the API from the same address, within a day; on a page in the same session,
which tells apart the readers behind one address. What somebody else asked for too, or what an analysis waits for, goes
on for everybody but the editors; a batch that an analysis waits for is cancelled with that.
"""

from collections.abc import Collection, Iterable
from http import HTTPStatus
from typing import Any

from django.db import transaction
from django.http import HttpRequest
from rest_framework.request import Request

from catalogue.permissions import CANCEL
from catalogue.web.addresses import on_behalf
from catalogue.web.problem_document import RefusedRequest
from simulator.analyses.protocol import AnalysisKind, waiting_for
from simulator.batches.queueing import hash_address
from simulator.batches.service import requested_by, stop_batch
from simulator.locks import BATCHES, exclusive
from simulator.models import Analysis, Batch

OWN, MARKS = "batches", "marks"  # keys of a session: the batches it asked for, and whose they were then


def allow_cancelling(request: HttpRequest, batches: Iterable[str]) -> None:
    """New batches may be cancelled by the visitor's own session, until somebody else has them run on."""
    batches = list(batches)
    visitor = on_behalf(request).get("visitor", "")
    request.session[OWN] = [*request.session.get(OWN, []), *batches]
    mark = hash_address(visitor) if visitor else ""
    request.session[MARKS] = {**request.session.get(MARKS, {}), **dict.fromkeys(batches, mark)}


def may_cancel(request: HttpRequest, batch: Batch) -> bool:
    """Return whether a page offers it to this session."""
    try:
        _check_batch(request, batch)
    except RefusedRequest:
        return False
    return True


@transaction.atomic
def cancel_batch(request: HttpRequest | Request, batch: Batch) -> None:
    """Raises RefusedRequest: 403 for whoever may not, 409 where it is over, or somebody or something waits for it."""
    exclusive(BATCHES)
    batch.refresh_from_db(fields=["state", "shared", "visitor", "origin"])
    _check_batch(request, batch)
    stop_batch(batch)


@transaction.atomic
def cancel_analysis(request: HttpRequest | Request, kind: AnalysisKind[Any, Any], row: Analysis) -> None:
    """Its batches are stopped too, but for those that something or somebody else waits for.

    Raises RefusedRequest as `cancel_batch` does.
    """
    exclusive(BATCHES)
    row.refresh_from_db(fields=["state"])
    _check_analysis(request, kind, row)
    kind.cancel(row)


def may_cancel_analysis(request: HttpRequest, kind: AnalysisKind[Any, Any], row: Analysis) -> bool:
    """Return whether a page offers it to this session."""
    try:
        _check_analysis(request, kind, row)
    except RefusedRequest:
        return False
    return True


def _check_analysis(request: HttpRequest | Request, kind: AnalysisKind[Any, Any], row: Analysis) -> None:
    if row.state != Analysis.State.WAITING:
        raise _refused(f"there is nothing to cancel: the {kind.name} is {row.get_state_display().lower()}")
    running = [batch for batch in kind.batches_of(row) if batch.state == Batch.State.RUNNING]
    if not running:
        raise _refused("there is nothing to cancel: all its games are played")
    _check_right(request, running)


def _check_batch(request: HttpRequest | Request, batch: Batch) -> None:
    _check_right(request, [batch])
    if not batch.is_open:
        raise _refused(f"there is nothing to cancel: the batch is {batch.get_state_display().lower()}")
    if waiting := waiting_for([batch]).get(batch.id):
        raise _refused(f"{waiting} waits for its games: cancel that instead")


def _check_right(request: HttpRequest | Request, batches: Collection[Batch]) -> None:
    """Check that the request may be made: it marks every batch that is not the requester's own."""
    if request.user.has_perm(CANCEL):
        return
    own = [batch for batch in batches if _is_own(request, batch)]
    if not own:
        message = "only an editor may cancel it, or who asked for it: from the same address, and within a day"
        if not isinstance(request, Request):
            message = "Only an editor, or the visitor who asked for it, may cancel a batch."
        raise RefusedRequest.of("", message, status=HTTPStatus.FORBIDDEN)
    if all(batch.shared for batch in own):
        raise _refused("somebody else asked for the same games, and waits for them; only an editor may cancel it")


def _is_own(request: HttpRequest | Request, batch: Batch) -> bool:
    """Return whether who sends this asked for the batch, or had it run on."""
    if isinstance(request, Request):
        return requested_by(batch, **{"visitor": "", **on_behalf(request)})
    if batch.id not in request.session.get(OWN, []):
        return False
    # Marks are forgotten within a day; until then the mark of a batch tells who had it run on last.
    return not batch.visitor or request.session.get(MARKS, {}).get(batch.id, batch.visitor) == batch.visitor


def _refused(message: str) -> RefusedRequest:
    return RefusedRequest.of("", message, status=HTTPStatus.CONFLICT)
