"""Jobs: batches and analyses that anybody may request within bounds, wait for under a lasting address, and cancel.

The form of a request is checked here, its values by the service that takes it. The id follows from what is requested,
so that its address is known at once. A batch or a comparison has a row from the moment it is requested, which says how
far it is (`JobViewSet`). A study or a ladder is listed only when it is done; until then the answer at its address is
202 and describes the request (`AwaitedViewSet`).
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from http import HTTPStatus
from typing import Any

from django.db.models import Sum
from django.utils import timezone
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema, extend_schema_view
from rest_framework import serializers
from rest_framework.decorators import action
from rest_framework.fields import empty
from rest_framework.request import Request
from rest_framework.response import Response

from catalogue.api.description import MISSING, WRONG
from catalogue.api.fields import Document
from catalogue.api.problems import RefusalSerializer
from catalogue.api.viewsets import CatalogueViewSet
from catalogue.permissions import CANCEL
from catalogue.texts.words import nearest_word
from catalogue.web.addresses import on_behalf
from catalogue.web.cancelling import cancel_analysis
from catalogue.web.problem_document import RefusedRequest
from simulator.analyses.protocol import ENDED, AnalysisKind, AnalysisProgress
from simulator.batches.prices import MICROSECONDS, UNITS, span
from simulator.batches.requests import (
    DEFAULT_CAP,
    DEFAULT_GAMES,
    DEFAULT_PLAYERS,
    DEFAULT_SEED,
    DEFAULT_UNTIL,
    MOST_CAP,
    MOST_GAMES,
    MOST_SEED,
)
from simulator.engine.players.wording import HINT
from simulator.engine.ruleset import Problem
from simulator.models import Analysis, Batch
from simulator.problems import WrongRequest

MOST_CHANGES, LONGEST_VALUE = 100, 200


class PassThroughField(serializers.Field[Any, Any, Any, Any]):
    """A value that is handed on as it was sent: its bounds are published here, and the service checks them."""

    def to_internal_value(self, data: Any) -> Any:
        return data

    def get_initial(self) -> Any:
        return self.default

    def run_validators(self, value: Any) -> None:
        """Left to the service, which also knows the nearest valid value."""


class WholeNumber(PassThroughField, serializers.IntegerField):
    pass


class Word(PassThroughField, serializers.ChoiceField):
    pass


class StrictSerializer(serializers.Serializer[Any]):
    """What is sent, without a field that nobody asked for."""

    def get_initial(self) -> dict[str, Any]:
        """Return the initial form of the browsable API, without optional fields that have no default."""
        return {name: value for name, value in super().get_initial().items() if value is not empty}

    def to_internal_value(self, data: Any) -> Any:
        """Fields that no request has are named, with the nearest that it has."""
        unknown = [str(name) for name in data if name not in self.fields] if isinstance(data, Mapping) else []
        if unknown:
            known = ", ".join(self.fields)
            raise RefusedRequest(
                Problem(
                    name[:60], f"a request has no field {name[:60]!r}; it has {known}", nearest_word(name, self.fields)
                )
                for name in unknown[:MOST_CHANGES]
            )
        return super().to_internal_value(data)


class PlayersField(serializers.CharField):
    """Who plays, by level or name, for every seat or seat by seat."""

    def __init__(self) -> None:
        super().__init__(default=DEFAULT_PLAYERS, initial=DEFAULT_PLAYERS, max_length=200, help_text=HINT)


class BatchRequestSerializer(StrictSerializer):
    ruleset = serializers.CharField(
        max_length=100, help_text="slug, slug@number, hash, or at least eight digits of its beginning."
    )
    games = WholeNumber(
        default=DEFAULT_GAMES,
        min_value=1,
        max_value=MOST_GAMES,
        help_text="How many games to play; visitors are bounded in processor time, as measured.",
    )
    seed = WholeNumber(
        default=DEFAULT_SEED, min_value=0, max_value=MOST_SEED, help_text="The same seed gives the same games."
    )
    players = PlayersField()
    cap = WholeNumber(
        default=DEFAULT_CAP,
        min_value=1,
        max_value=MOST_CAP,
        help_text="A game still running after so many turns is left unfinished.",
    )
    until = Word(
        default=DEFAULT_UNTIL, choices=Batch.Until.choices, help_text="Play whole games, or first rounds only."
    )
    traffic = serializers.BooleanField(
        default=False, help_text="Count what the games leave on the board too: a batch of its own, with the same games."
    )
    set = serializers.DictField(
        child=Document("SentValue", allow_null=True),
        source="changes",
        required=False,
        help_text="Parameters of the ruleset to be changed, for example {“counters_per_hole”: 5}.",
    )

    def validate_set(self, changes: dict[str, Any]) -> dict[str, str]:
        """Changes as typed on a command line, which is how the service takes them."""
        if len(changes) > MOST_CHANGES:
            raise serializers.ValidationError(f"at most {MOST_CHANGES} parameters can be set, not {len(changes)}")
        typed = {key: value if isinstance(value, str) else json.dumps(value) for key, value in changes.items()}
        long = [key[:60] for key, value in typed.items() if max(len(key), len(value)) > LONGEST_VALUE]
        if long:
            raise serializers.ValidationError(f"names and values have at most {LONGEST_VALUE} characters: {long[0]}")
        return typed

    def field_of(self, key: str) -> str:
        """The field in which a value was sent that the service calls by this key."""
        return key if key in self.fields or not key else f"set.{key}"


LOOK_AGAIN = 5  # seconds until there may be more of what is being played
WAITING, FAILED, CANCELLED = "waiting", "failed", "cancelled"
STATES = [(state, state) for state in (WAITING, FAILED, CANCELLED)]
OPEN = {Batch.State.RUNNING, Analysis.State.WAITING}


def _retry_after(words: str, *statuses: int) -> OpenApiParameter:
    description = f"Only while it is {words}: seconds until it is worth asking again."
    schema = {"type": "integer", "minimum": 0}
    return OpenApiParameter(
        "Retry-After", schema, OpenApiParameter.HEADER, description=description, response=list(statuses)
    )


UNFINISHED, AWAITED = _retry_after("not finished", 200, 201), _retry_after("waited for", 202)
LOCATION = OpenApiParameter(
    "Location", {"type": "string"}, OpenApiParameter.HEADER, description="Its address.", response=[200, 202]
)
TOO_MUCH = OpenApiResponse(RefusalSerializer, "Too much was asked for; Retry-After says how long to wait.")
NOT_YOURS = OpenApiResponse(RefusalSerializer, "Somebody else asked for it.")


class ComparisonProgressSerializer(serializers.Serializer[AnalysisProgress]):
    games = serializers.IntegerField()
    games_done = serializers.IntegerField()
    percent = serializers.IntegerField()
    waits_for = serializers.CharField(
        help_text="Why no worker plays one of its batches, where none that is running can; empty if one does or will."
    )


class RequestedProgressSerializer(ComparisonProgressSerializer):
    pass


class RequestedSerializer(serializers.Serializer[Any]):
    """What all requests have. The row given to it has `progress`, which says how far it is.

    kind: of analysis
    """

    kind: AnalysisKind[Any, Any]

    state = serializers.ChoiceField(
        STATES, source="progress.state", help_text="Asked for again, what has failed or was cancelled goes on."
    )
    progress = RequestedProgressSerializer()
    takes = serializers.SerializerMethodField(help_text="What its games take of a processor, as measured: “2 minutes”.")
    error = serializers.SerializerMethodField(help_text="Why it failed, if it did.")
    created = serializers.DateTimeField()

    def get_error(self, row: Any) -> str:
        stopped = (f"batch {batch.id} is {batch.get_state_display().lower()}" for batch in row.progress.stopped)
        lost = "some of its games were thrown away" if row.progress.state == FAILED else ""
        return str(row.error or "; ".join(stopped) or lost)

    def get_takes(self, row: Any) -> str:
        work = Batch.objects.filter(id__in=self.kind.batch_ids(row)).aggregate(whole=Sum("work"))["whole"] or 0
        return span(work / UNITS / MICROSECONDS)


class RequestedViewSet(CatalogueViewSet):
    """Rows that anybody may request: the same request is always the same row.

    request_class: of what is sent; has `field_of`
    """

    request_class: type[StrictSerializer]
    lookup_field = "id"
    orderings = {"created": ("created", "id")}
    usual_ordering = "-created"

    def request_row(self, wanted: dict[str, Any], on_behalf: dict[str, Any]) -> Any:
        """See to it that the row is there or waited for, and return it; raises WrongRequest and QueueFull."""
        raise NotImplementedError

    def cancel_row(self, request: Request, row: Any) -> None:
        """Stop it; raises RefusedRequest."""
        raise NotImplementedError

    def requested_row(self, request: Request) -> Any:
        """Return the row of `request_row`. Raises RefusedRequest, which names the fields as they were sent."""
        sent = self.get_serializer(data=request.data)
        sent.is_valid(raise_exception=True)
        try:
            return self.request_row(sent.validated_data, on_behalf(request))
        except WrongRequest as error:
            raise RefusedRequest(
                replace(problem, key=sent.field_of(problem.key)) for problem in error.problems
            ) from error


class JobViewSet(RequestedViewSet):
    """Rows that are there from the moment they are requested."""

    def create(self, request: Request) -> Response:
        """Nothing is written if the request is refused."""
        requested_at = timezone.now()
        found = self.requested_row(request)
        row = self.get_queryset().get(id=found.id)
        whole = self.whole_class(row, context=self.get_serializer_context()).data
        status = HTTPStatus.CREATED if found.created >= requested_at else HTTPStatus.OK
        return Response(whole, status=status, headers={"Location": whole["url"], **self.headers_of(row)})

    @action(detail=True, methods=["post"], filter_backends=(), pagination_class=None, permission=CANCEL, or_own=True)
    def cancel(self, request: Request, id: str) -> Response:
        """Cancel what you asked for. What somebody else waits for as well goes on, and is refused."""
        self.cancel_row(request, self.get_object())
        return Response(self.whole_class(self.get_object(), context=self.get_serializer_context()).data)

    def headers_of(self, row: Any) -> dict[str, str]:
        return {"Retry-After": str(LOOK_AGAIN)} if row.state in OPEN else {}


class AwaitedViewSet(RequestedViewSet):
    """Analyses that are listed when they are done.

    kind:            of analysis
    requested_class: of one that is waited for
    """

    kind: AnalysisKind[Any, Any]
    requested_class: type[RequestedSerializer]

    def create(self, request: Request) -> Response:
        """Nothing is written if the request is refused."""
        row = self.requested_row(request)
        if row.state != Analysis.State.DONE:
            return self._waiting(row)
        whole: Any = self.whole_class or self.serializer_class
        done = whole(self.get_queryset().get(id=row.id), context=self.get_serializer_context()).data
        return Response(done, headers={"Location": done["url"]})

    def retrieve(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        row = self.kind.unfinished(kwargs["id"])
        return self._waiting(row) if row else super().retrieve(request, *args, **kwargs)

    @action(detail=True, methods=["post"], filter_backends=(), pagination_class=None, permission=CANCEL, or_own=True)
    def cancel(self, request: Request, id: str) -> Response:
        """Cancel what you asked for. What somebody else waits for as well goes on, and is refused."""
        row = self.kind.unfinished(id)
        if row is None:
            self.get_object()
            raise RefusedRequest.of("", "there is nothing to cancel: it is done", status=HTTPStatus.CONFLICT)
        self.cancel_row(request, row)
        return self._waiting(self.kind.unfinished(id), HTTPStatus.OK)

    def cancel_row(self, request: Request, row: Any) -> None:
        cancel_analysis(request, self.kind, row)

    def _waiting(self, row: Any, status: HTTPStatus = HTTPStatus.ACCEPTED) -> Response:
        row.progress = self.kind.progress(row)
        if row.error in ENDED:
            row.progress = replace(row.progress, state=CANCELLED)
        answer = self.requested_class(row, context=self.get_serializer_context()).data
        again = {"Retry-After": str(LOOK_AGAIN)} if row.progress.state == WAITING else {}
        return Response(answer, status, headers={"Location": answer["url"], **again})


NOTHING_MORE = {"type": "object", "description": "Nothing more is said: an empty object."}


def describe_jobs(whole: type[serializers.Serializer[Any]], row: str) -> Callable[[Any], Any]:
    """Describe in OpenAPI the answers to a request for a row that is called by this name: "batch"."""
    made = {
        201: OpenApiResponse(whole, f"A new {row}; its games are played in the background."),
        200: OpenApiResponse(whole, f"The {row} of this request, which was asked for before."),
    }
    stopped = OpenApiResponse(whole, f"The {row}, which is stopped; asked for again, it goes on.")
    late = "It is over, or somebody or something else waits for it too."
    return _described(row, [UNFINISHED], made, extend_schema(parameters=[UNFINISHED]), stopped, late)


def describe_awaited(whole: Any, requested: Any, row: str) -> Callable[[Any], Any]:
    """The same for a row that is listed when it is done: "study"."""
    made = {
        200: OpenApiResponse(whole, f"The {row} of this request, which is there."),
        202: OpenApiResponse(requested, f"The {row} is waited for; its games are played in the background."),
    }
    waits = OpenApiResponse(requested, f"The {row} is not there: `state` says whether it is waited for.")
    retrieve = extend_schema(parameters=[AWAITED], responses={200: whole, 202: waits, 400: WRONG, 404: MISSING})
    stopped = OpenApiResponse(requested, f"The {row}, which is stopped.")
    late = "It is over, or somebody else waits for the same games."
    return _described(row, [AWAITED, LOCATION], made, retrieve, stopped, late)


def _described(
    row: str, headers: list[OpenApiParameter], made: dict[int, Any], retrieve: Any, stopped: OpenApiResponse, late: str
) -> Callable[[Any], Any]:
    refused = {400: WRONG, 403: NOT_YOURS, 404: MISSING, 409: OpenApiResponse(RefusalSerializer, late)}
    asking = f"Ask for a {row}. Nothing is written if the request is refused."
    return extend_schema_view(
        create=extend_schema(parameters=headers, responses={**made, 400: WRONG, 429: TOO_MUCH}, description=asking),
        retrieve=retrieve,
        cancel=extend_schema(request={"application/json": NOTHING_MORE}, responses={200: stopped, **refused}),
    )
