"""What is made of many batches, and has a row only when it is done: asked for, waited for under its address, cancelled.

The id follows from what was asked for, so that the address is known at once. Until the row is there, the answer there
is 202 and tells of the request.
"""

from collections.abc import Callable
from dataclasses import replace
from http import HTTPStatus
from typing import Any

from django.db.models import Sum
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema, extend_schema_view
from rest_framework import serializers
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from catalogue.api.batch_requests import LOOK_AGAIN, AskedForViewSet
from catalogue.api.comparisons import ComparisonProgressSerializer
from catalogue.api.description import MISSING, WRONG
from catalogue.api.problems import RefusalSerializer
from catalogue.permissions import CANCEL
from catalogue.web.problem_document import RefusedRequest
from simulator.batches.prices import MICROSECONDS, UNITS, span
from simulator.batches.together import BatchSetProgress
from simulator.models import Batch

WAITING, FAILED, CANCELLED = "waiting", "failed", "cancelled"
STATES = [(state, state) for state in (WAITING, FAILED, CANCELLED)]
AGAIN = OpenApiParameter(
    "Retry-After",
    {"type": "integer", "minimum": 0},
    OpenApiParameter.HEADER,
    description="Only while it is waited for: seconds until it is worth asking again.",
    response=[202],
)
LOCATION = OpenApiParameter(
    "Location", {"type": "string"}, OpenApiParameter.HEADER, description="Its address.", response=[200, 202]
)


class RequestedProgressSerializer(ComparisonProgressSerializer):
    pass


class RequestedSerializer(serializers.Serializer[Any]):
    """What all requests have. The row given to it has `progress`, which says how far it is."""

    state = serializers.ChoiceField(
        STATES, source="progress.state", help_text="Asked for again, what has failed or was cancelled goes on."
    )
    progress = RequestedProgressSerializer()
    takes = serializers.SerializerMethodField(help_text="What its games take of a processor, as measured: “2 minutes”.")
    error = serializers.SerializerMethodField(help_text="Why it failed, if it did.")
    created = serializers.DateTimeField()

    def batches_of(self, row: Any) -> list[str]:
        raise NotImplementedError

    def get_error(self, row: Any) -> str:
        stopped = (f"batch {batch.id} is {batch.get_state_display().lower()}" for batch in row.progress.stopped)
        lost = "some of its games were thrown away" if row.progress.state == FAILED else ""
        return str(row.error or "; ".join(stopped) or lost)

    def get_takes(self, row: Any) -> str:
        work = Batch.objects.filter(id__in=self.batches_of(row)).aggregate(whole=Sum("work"))["whole"] or 0
        return span(work / UNITS / MICROSECONDS)


class WaitedForViewSet(AskedForViewSet):
    """Rows that are there when they are done; `request_row` gives the id.

    requested_class: of what is waited for
    cancelled:       the texts of an error that say it was cancelled
    """

    requested_class: type[RequestedSerializer]
    cancelled: tuple[str, ...] = ()

    def requested(self, id: str) -> Any:
        """The row of a request that is waited for, has failed or was cancelled; None if there is none."""
        raise NotImplementedError

    def progress_of(self, row: Any) -> BatchSetProgress:
        raise NotImplementedError

    def create(self, request: Request) -> Response:
        """Nothing is written if the request is refused."""
        id = self.asked_for(request)
        if row := self.requested(id):
            return self._waiting(row)
        whole: Any = self.whole_class or self.serializer_class
        done = whole(self.get_queryset().get(id=id), context=self.get_serializer_context()).data
        return Response(done, headers={"Location": done["url"]})

    def retrieve(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        row = self.requested(kwargs["id"])
        return self._waiting(row) if row else super().retrieve(request, *args, **kwargs)

    @action(detail=True, methods=["post"], filter_backends=(), pagination_class=None, permission=CANCEL, or_own=True)
    def cancel(self, request: Request, id: str) -> Response:
        """Cancel what you asked for. What somebody else waits for as well goes on, and is refused."""
        row = self.requested(id)
        if row is None:
            self.get_object()
            raise RefusedRequest.of("", "there is nothing to cancel: it is done", status=HTTPStatus.CONFLICT)
        self.cancel_row(request, row)
        return self._waiting(self.requested(id), HTTPStatus.OK)

    def _waiting(self, row: Any, status: HTTPStatus = HTTPStatus.ACCEPTED) -> Response:
        row.progress = self.progress_of(row)
        if row.error in self.cancelled:
            row.progress = replace(row.progress, state=CANCELLED)
        said = self.requested_class(row, context=self.get_serializer_context()).data
        again = {"Retry-After": str(LOOK_AGAIN)} if row.progress.state == WAITING else {}
        return Response(said, status, headers={"Location": said["url"], **again})


def describe_waited_for(whole: Any, requested: Any, row: str) -> Callable[[Any], Any]:
    """What OpenAPI says of the answers to a request for a row that is called so: "study"."""
    waits = OpenApiResponse(requested, f"The {row} is not there: `state` says whether it is waited for.")
    refused = {
        403: OpenApiResponse(RefusalSerializer, "Somebody else asked for it."),
        404: MISSING,
        409: OpenApiResponse(RefusalSerializer, "It is over, or somebody else waits for the same games."),
    }
    return extend_schema_view(
        create=extend_schema(
            parameters=[AGAIN, LOCATION],
            responses={
                200: OpenApiResponse(whole, f"The {row} of this request, which is there."),
                202: OpenApiResponse(requested, f"The {row} is waited for; its games are played in the background."),
                400: WRONG,
                429: OpenApiResponse(RefusalSerializer, "Too much was asked for; Retry-After says how long to wait."),
            },
            description=f"Ask for a {row}. Nothing is written if the request is refused.",
        ),
        retrieve=extend_schema(parameters=[AGAIN], responses={200: whole, 202: waits, 400: WRONG, 404: MISSING}),
        cancel=extend_schema(
            request=None,
            responses={200: OpenApiResponse(requested, f"The {row}, which is stopped."), 400: WRONG, **refused},
        ),
    )
