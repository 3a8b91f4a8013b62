"""Asking for a batch by a form: what every page that offers it has in common."""

from dataclasses import dataclass
from http import HTTPStatus

from django.http import HttpRequest, HttpResponse
from django.utils import timezone

from catalogue.pages.forms import BatchForm
from catalogue.web.visitors import on_behalf
from simulator.batches.service import QueueFull, WrongRequest, request_batch
from simulator.engine.ruleset import Ruleset
from simulator.models import Batch


@dataclass(frozen=True, slots=True)
class Refused:
    """Nothing was written; the form says why. The page comes back with this status."""

    status: HTTPStatus
    retry_after: int | None = None

    def mark(self, response: HttpResponse) -> HttpResponse:
        if self.retry_after is not None:
            response["Retry-After"] = str(self.retry_after)
        return response


def ask_for_batch(request: HttpRequest, ruleset: Ruleset, form: BatchForm) -> Batch | Refused:
    """The batch that the form asks for; a new one may be cancelled by the visitor's own session."""
    if not form.is_valid():
        form.mark_what_is_wrong()
        return Refused(HTTPStatus.BAD_REQUEST)
    asked_at = timezone.now()
    try:
        batch = request_batch(ruleset, **on_behalf(request), **form.cleaned_data)
    except WrongRequest as error:
        form.take_problems(error.problems)
        return Refused(HTTPStatus.BAD_REQUEST)
    except QueueFull as error:
        form.add_error(None, str(error))
        return Refused(HTTPStatus.TOO_MANY_REQUESTS, error.retry_after)
    if batch.created >= asked_at:
        request.session["batches"] = [*request.session.get("batches", []), batch.id]
    return batch
