"""Batches in the API: the list, one batch with its figures, and the wish to have one played."""

from collections.abc import Sequence
from http import HTTPStatus
from typing import Any, ClassVar

from django.db.models import QuerySet
from django.http import HttpResponseBase
from django.utils import timezone
from django_filters import CharFilter, ChoiceFilter
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from catalogue.api import batch_rows, replays
from catalogue.api.batch_fields import BatchSerializer, WholeBatchSerializer
from catalogue.api.batch_requests import BatchRequestSerializer, with_paths
from catalogue.api.batch_rows import BatchRowsSerializer
from catalogue.api.cursors import Orderings
from catalogue.api.problems import RefusalSerializer, Refused
from catalogue.api.replays import ReplaySerializer
from catalogue.api.schema import MISSING, WRONG
from catalogue.api.viewsets import CatalogueViewSet
from catalogue.filters.fields import StrictFilterSet
from catalogue.models import querysets
from catalogue.web.visitors import on_behalf
from simulator import rulesets
from simulator.batches.service import request_batch
from simulator.models import Batch
from simulator.problems import WrongRequest


class BatchFilters(StrictFilterSet):
    ruleset = CharFilter(method="of_ruleset", label="slug, slug@number, hash or its beginning")
    state = ChoiceFilter(choices=Batch.State.choices)
    origin = ChoiceFilter(choices=Batch.Origin.choices, label="who asked for it")
    until = ChoiceFilter(choices=Batch.Until.choices)

    class Meta:
        model = Batch
        fields: tuple[str, ...] = ()

    def of_ruleset(self, rows: "QuerySet[Batch]", name: str, value: str) -> "QuerySet[Batch]":
        return rows.filter(ruleset=rulesets.find(value).hash)


class BatchViewSet(CatalogueViewSet):
    """Batches of simulated games. The same request is always the same batch, with the same address."""

    lookup_field, filterset_class = "id", BatchFilters
    orderings: ClassVar[Orderings] = {"created": ("created", "id"), "games": ("games", "id")}
    usual_ordering = "-created"

    def parameters(self) -> Sequence[str]:
        return batch_rows.PARAMETERS if self.action == "rows" else super().parameters()

    def get_renderers(self) -> list[Any]:
        json, *others = super().get_renderers()
        return [json, *(one() for one in batch_rows.RENDERERS), *others] if self.action == "rows" else [json, *others]

    def get_queryset(self) -> "QuerySet[Batch]":
        if self.action == "list":
            return querysets.batch_rows()
        whole = Batch.objects.defer("tally").select_related("ruleset")
        return whole.prefetch_related("ruleset__versions", querysets.plots_without_drawings())

    def get_serializer_class(self) -> Any:
        if self.action == "create":
            return BatchRequestSerializer
        return BatchSerializer if self.action == "list" else WholeBatchSerializer

    @extend_schema(
        responses={
            201: OpenApiResponse(WholeBatchSerializer, "A new batch; it is played in the background."),
            200: OpenApiResponse(WholeBatchSerializer, "The batch of this request, which was asked for before."),
            400: WRONG,
            429: OpenApiResponse(RefusalSerializer, "Too much was asked for; Retry-After says how long to wait."),
        }
    )
    def create(self, request: Request) -> Response:
        """Ask for a batch. Nothing is written if the request is refused."""
        sent = BatchRequestSerializer(data=request.data)
        sent.is_valid(raise_exception=True)
        wanted = {"changes" if name == "set" else name: value for name, value in sent.validated_data.items()}
        asked_at = timezone.now()
        try:
            batch = request_batch(**on_behalf(request), **wanted)
        except WrongRequest as error:
            raise Refused(with_paths(error.problems)) from error
        whole = WholeBatchSerializer(self.get_queryset().get(id=batch.id), context=self.get_serializer_context())
        status = HTTPStatus.CREATED if batch.created >= asked_at else HTTPStatus.OK
        return Response(whole.data, status=status, headers={"Location": whole.data["url"]})

    @extend_schema(
        operation_id="batches_games_retrieve",
        responses={
            200: ReplaySerializer,
            202: OpenApiResponse(
                ReplaySerializer, "A worker is listing the moves; Retry-After says when to ask again."
            ),
            400: WRONG,
            404: MISSING,
            409: OpenApiResponse(RefusalSerializer, "It was played by another version of the engine."),
            429: OpenApiResponse(RefusalSerializer, "Too many games wait; Retry-After says how long to wait."),
        },
    )
    @action(detail=True, url_path="games/(?P<game>[^/]+)", filter_backends=(), pagination_class=None)
    def game(self, request: Request, id: str, game: str) -> Response:
        """One game of the batch, turn by turn, with the parameters that fired. Games are numbered from 0."""
        return replays.answer(request, self.get_object(), game)

    @extend_schema(
        operation_id="batches_rows_retrieve",
        parameters=[
            OpenApiParameter("cursor", str, description="* for the beginning; then follow `next`."),
            OpenApiParameter(
                "page_size",
                {"type": "integer", "minimum": 1, "maximum": batch_rows.LARGEST_PAGE, "default": batch_rows.PAGE_SIZE},
            ),
        ],
        responses={
            200: BatchRowsSerializer,
            400: WRONG,
            404: MISSING,
            409: OpenApiResponse(RefusalSerializer, "The batch is not done."),
        },
    )
    @action(detail=True, filter_backends=(), pagination_class=None)
    def rows(self, request: Request, id: str) -> HttpResponseBase:
        """Every game of the batch, a row each: in pages, or all at once with format=csv or format=jsonl."""
        return batch_rows.answer(request, self.get_object())
