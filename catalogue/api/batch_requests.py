"""A request for a batch as it is sent: its form is looked at here, its values by the service that takes it."""

import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from http import HTTPStatus
from typing import Any

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
from catalogue.models import Comparison
from catalogue.permissions import CANCEL
from catalogue.texts.errors import nearest_word
from catalogue.web.problem_document import RefusedRequest
from catalogue.web.visitors import on_behalf
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
from simulator.models import Batch
from simulator.problems import WrongRequest

MOST_CHANGES, LONGEST_VALUE = 100, 200
UNFINISHED = {Batch.State.RUNNING, Comparison.State.WAITING}
LOOK_AGAIN = 5  # seconds until there may be more of what is being played
AGAIN = OpenApiParameter(
    "Retry-After",
    {"type": "integer", "minimum": 0},
    OpenApiParameter.HEADER,
    description="Only while it is not finished: seconds until it is worth asking again.",
    response=[200, 201],
)


class AsSent(serializers.Field[Any, Any, Any, Any]):
    """A value that is handed on as it was sent: its bounds are published here, and the service checks them."""

    def to_internal_value(self, data: Any) -> Any:
        return data

    def get_initial(self) -> Any:
        return self.default

    def run_validators(self, value: Any) -> None:
        """Left to the service, which also knows the nearest valid value."""


class WholeNumber(AsSent, serializers.IntegerField):
    pass


class Word(AsSent, serializers.ChoiceField):
    pass


class StrictSerializer(serializers.Serializer[Any]):
    """What is sent, without a field that nobody asked for."""

    def get_initial(self) -> dict[str, Any]:
        """What the form of the browsable API begins with: nothing of what may be left out and has no default."""
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
    players = serializers.CharField(default=DEFAULT_PLAYERS, initial=DEFAULT_PLAYERS, max_length=200, help_text=HINT)
    cap = WholeNumber(
        default=DEFAULT_CAP,
        min_value=1,
        max_value=MOST_CAP,
        help_text="A game still running after so many turns is left unfinished.",
    )
    until = Word(
        default=DEFAULT_UNTIL, choices=Batch.Until.choices, help_text="Play whole games, or first rounds only."
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


class AskedForViewSet(CatalogueViewSet):
    """Rows that anybody may ask for: the same request is always the same row.

    request_class: of what is sent; has `field_of`
    """

    request_class: type[StrictSerializer]

    def request_row(self, wanted: dict[str, Any], on_behalf: dict[str, Any]) -> Any:
        """See to it that it is there or waited for; what tells which. Raises WrongRequest and QueueFull."""
        raise NotImplementedError

    def cancel_row(self, request: Request, row: Any) -> None:
        """Stop it; raises RefusedRequest."""
        raise NotImplementedError

    def asked_for(self, request: Request) -> Any:
        """What `request_row` finds; raises RefusedRequest, which names the fields as they were sent."""
        sent = self.get_serializer(data=request.data)
        sent.is_valid(raise_exception=True)
        try:
            return self.request_row(sent.validated_data, on_behalf(request))
        except WrongRequest as error:
            raise RefusedRequest(replace(one, key=sent.field_of(one.key)) for one in error.problems) from error


class RequestViewSet(AskedForViewSet):
    """Rows that are there from the moment they are asked for."""

    def create(self, request: Request) -> Response:
        """Nothing is written if the request is refused."""
        requested_at = timezone.now()
        found = self.asked_for(request)
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
        return {"Retry-After": str(LOOK_AGAIN)} if row.state in UNFINISHED else {}


def describe_requests(whole: type[serializers.Serializer[Any]], row: str) -> Callable[[Any], Any]:
    """What OpenAPI says of the answers to a request for a row that is called so: "batch"."""
    answers = {
        201: OpenApiResponse(whole, f"A new {row}; its games are played in the background."),
        200: OpenApiResponse(whole, f"The {row} of this request, which was asked for before."),
        400: WRONG,
        429: OpenApiResponse(RefusalSerializer, "Too much was asked for; Retry-After says how long to wait."),
    }
    words = f"Ask for a {row}. Nothing is written if the request is refused."
    return extend_schema_view(
        create=extend_schema(parameters=[AGAIN], responses=answers, description=words),
        retrieve=extend_schema(parameters=[AGAIN]),
        cancel=extend_schema(
            request=None,
            responses={
                200: OpenApiResponse(whole, f"The {row}, which is stopped; asked for again, it goes on."),
                400: WRONG,
                403: OpenApiResponse(RefusalSerializer, "Somebody else asked for it."),
                404: MISSING,
                409: OpenApiResponse(RefusalSerializer, "It is over, or somebody or something else waits for it too."),
            },
        ),
    )
