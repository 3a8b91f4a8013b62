"""Batches in the API: the list, one batch with its figures, and requests to have one played."""

from collections.abc import Sequence
from typing import Any

from django.db.models import QuerySet
from django.http import HttpResponseBase
from django_filters import ChoiceFilter
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from catalogue.api import batch_rows, replays
from catalogue.api.batch_fields import BatchSerializer, WholeBatchSerializer
from catalogue.api.batch_requests import BatchRequestSerializer, RequestViewSet, describe_requests
from catalogue.api.batch_rows import BatchRowsSerializer
from catalogue.api.cancelling import cancel_batch
from catalogue.api.endpoints import resource
from catalogue.api.paging import size_schema
from catalogue.api.problems import RefusalSerializer
from catalogue.api.replays import ReplaySerializer
from catalogue.api.schema import MISSING, WRONG
from catalogue.filters.common import ChangedSince, OfRuleset
from catalogue.models import querysets
from simulator.batches.service import request_batch
from simulator.models import Batch


class BatchFilters(OfRuleset, ChangedSince):
    dates = ("created", "closed")
    state = ChoiceFilter(choices=Batch.State.choices)
    origin = ChoiceFilter(choices=Batch.Origin.choices, label="who asked for it")
    until = ChoiceFilter(choices=Batch.Until.choices)


@resource("batches", name="batch", holds="batches of games with their figures", key="{batch}")
@describe_requests(WholeBatchSerializer, "batch")
class BatchViewSet(RequestViewSet):
    """Batches of simulated games. The same request is always the same batch, with the same address."""

    serializer_class, whole_class, request_class = BatchSerializer, WholeBatchSerializer, BatchRequestSerializer
    lookup_field, filterset_class = "id", BatchFilters
    orderings = {"created": ("created", "id"), "games": ("games", "id")}
    usual_ordering = "-created"
    tables = {**RequestViewSet.tables, "rows": batch_rows.RENDERERS}

    def parameters(self) -> Sequence[str]:
        return batch_rows.PARAMETERS if self.action == "rows" else super().parameters()

    def get_queryset(self) -> "QuerySet[Batch]":
        if self.action == "list":
            return querysets.batch_rows()
        whole = Batch.objects.defer("tally").select_related("ruleset")
        return whole.prefetch_related("ruleset__versions", querysets.plots_without_drawings())

    def request_row(self, wanted: dict[str, Any], on_behalf: dict[str, Any]) -> Batch:
        return request_batch(**wanted, **on_behalf)

    def cancel_row(self, request: Request, row: Batch) -> None:
        cancel_batch(request, row)

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
    @action(
        detail=True, url_path="games/(?P<game>[^/]+)", example="games/0/", filter_backends=(), pagination_class=None
    )
    def game(self, request: Request, id: str, game: str) -> Response:
        """One game of the batch, turn by turn, with the parameters that fired. Games are numbered from 0."""
        return replays.answer(request, self.get_object(), game)

    @extend_schema(
        operation_id="batches_rows_retrieve",
        parameters=[
            OpenApiParameter("cursor", str, description="* for the beginning; then follow `next`."),
            OpenApiParameter("page_size", size_schema(batch_rows.PAGE_SIZE, batch_rows.LARGEST_PAGE)),
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
