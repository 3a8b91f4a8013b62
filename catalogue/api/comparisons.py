"""Comparisons in the API: the list, one comparison with its document, and the wish to have one computed."""

from collections.abc import Iterator
from dataclasses import replace
from http import HTTPStatus
from typing import Any, ClassVar

from django.db.models import Prefetch, QuerySet
from django.utils import timezone
from django_filters import CharFilter, ChoiceFilter
from drf_spectacular.utils import OpenApiResponse, extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.reverse import reverse

from catalogue.api.batch_requests import BatchRequestSerializer, WholeNumber
from catalogue.api.cursors import Orderings
from catalogue.api.links import ApiAddress
from catalogue.api.problems import RefusalSerializer, Refused
from catalogue.api.schema import WRONG
from catalogue.api.viewsets import CatalogueViewSet
from catalogue.comparisons import service as comparing
from catalogue.comparisons.requests import (
    DEFAULT_BOOTSTRAP_SEED,
    DEFAULT_GAMES,
    DEFAULT_MARGINS,
    MOST,
    check_comparison,
)
from catalogue.filters.fields import StrictFilterSet
from catalogue.models import ComparedBatch, Comparison
from catalogue.web.visitors import on_behalf
from simulator import rulesets
from simulator.batches.requests import MOST_SEED
from simulator.batches.service import MOST_GAMES_WITH_ROWS
from simulator.engine.ruleset import Problem
from simulator.problems import WrongRequest


class ComparedSerializer(serializers.ModelSerializer[ComparedBatch]):
    """A ruleset in its place, with the batch that all figures of that place rest on."""

    name = serializers.SerializerMethodField(help_text="The ruleset as it was asked for: slug, slug@number or hash.")
    ruleset = serializers.CharField(source="batch.ruleset_id", help_text="The hash of its content.")
    batch = serializers.CharField(source="batch_id")
    batch_url = serializers.SerializerMethodField()

    class Meta:
        model = ComparedBatch
        fields = ("place", "name", "ruleset", "batch", "batch_url")

    def get_name(self, compared: ComparedBatch) -> str:
        return str(compared.comparison.names[compared.place])

    def get_batch_url(self, compared: ComparedBatch) -> str:
        return reverse("v1:batch-detail", args=[compared.batch_id], request=self.context["request"])


class MarginsSerializer(serializers.Serializer[Any]):
    shares = serializers.FloatField(help_text="A difference of shares that matters: 0.02 is two percentage points.")
    amounts = serializers.FloatField(help_text="One of lengths and other amounts: 0.05 is 5 % of the first figure.")


class ComparisonSerializer(serializers.ModelSerializer[Comparison]):
    url = ApiAddress("comparison", "id")
    page = serializers.HyperlinkedIdentityField(
        view_name="comparison", lookup_field="id", lookup_url_kwarg="comparison_id", help_text="Its page for readers."
    )
    compared = ComparedSerializer(many=True, read_only=True)
    margins = MarginsSerializer(read_only=True)
    sentences = serializers.SerializerMethodField(help_text="One for every two rulesets; none until it is done.")

    class Meta:
        model = Comparison
        fields: tuple[str, ...] = (
            "id", "url", "page", "state", "compared", "margins", "bootstrap_seed", "version", "created", "closed",
            "sentences",
        )  # fmt: skip

    def get_sentences(self, comparison: Comparison) -> list[str]:
        return [pair["sentence"] for pair in (comparison.document or {"pairs": []})["pairs"]]


class ComparisonProgressSerializer(serializers.Serializer[comparing.Progress]):
    games = serializers.IntegerField()
    games_done = serializers.IntegerField()
    percent = serializers.IntegerField()


class WholeComparisonSerializer(ComparisonSerializer):
    progress = serializers.SerializerMethodField()
    error = serializers.CharField(read_only=True, help_text="Why it failed, if it did.")
    document = serializers.SerializerMethodField(
        help_text="Rules that differ with their clauses, and every measure with difference, interval and verdict; null "
        "until it is done."
    )
    curves = serializers.SerializerMethodField(help_text="The address of the length curves; null until it is done.")

    class Meta(ComparisonSerializer.Meta):
        fields = (*ComparisonSerializer.Meta.fields, "progress", "error", "document", "curves")

    @extend_schema_field(ComparisonProgressSerializer)
    def get_progress(self, comparison: Comparison) -> Any:
        return ComparisonProgressSerializer(comparing.progress(comparison)).data

    @extend_schema_field(serializers.DictField(allow_null=True))
    def get_document(self, comparison: Comparison) -> dict[str, Any] | None:
        return comparing.with_clauses(comparison.document) if comparison.document else None

    def get_curves(self, comparison: Comparison) -> str | None:
        if comparison.state != Comparison.State.DONE:
            return None
        return reverse("comparison-plot", args=[comparison.id], request=self.context["request"])


class ComparisonRequestSerializer(BatchRequestSerializer):
    """As a request for a batch, of several rulesets."""

    ruleset = None  # type: ignore[assignment]
    set = None  # type: ignore[assignment]
    rulesets = serializers.ListField(
        child=serializers.CharField(max_length=100),
        max_length=50,
        help_text=f"Two to {MOST}: slug, slug@number, hash, or at least eight digits of its beginning.",
    )
    games = WholeNumber(
        default=DEFAULT_GAMES,
        min_value=1,
        max_value=MOST_GAMES_WITH_ROWS,
        help_text="Of each ruleset; visitors are bounded in games x cap.",
    )
    margins = serializers.DictField(
        required=False, help_text=f"The differences that matter, by default {dict(DEFAULT_MARGINS)}, as parts of one."
    )
    bootstrap_seed = WholeNumber(default=DEFAULT_BOOTSTRAP_SEED, min_value=0, max_value=MOST_SEED)


class ComparisonFilters(StrictFilterSet):
    ruleset = CharFilter(method="of_ruleset", label="slug, slug@number, hash or its beginning")
    state = ChoiceFilter(choices=Comparison.State.choices)

    class Meta:
        model = Comparison
        fields: tuple[str, ...] = ()

    def of_ruleset(self, rows: "QuerySet[Comparison]", name: str, value: str) -> "QuerySet[Comparison]":
        content = rulesets.find(value).hash
        return rows.filter(compared__in=ComparedBatch.objects.filter(batch__ruleset=content)).distinct()


class ComparisonViewSet(CatalogueViewSet):
    """Rulesets compared by games of the same numbers. The same request is always the same comparison."""

    lookup_field, filterset_class = "id", ComparisonFilters
    orderings: ClassVar[Orderings] = {"created": ("created", "id")}
    usual_ordering = "-created"

    def get_queryset(self) -> "QuerySet[Comparison]":
        batches = ComparedBatch.objects.select_related("batch", "comparison").order_by("place")
        batches = batches.defer("batch__tally", "batch__summary", "comparison__document", "comparison__plot")
        return Comparison.objects.defer("plot").prefetch_related(Prefetch("compared", batches))

    def get_serializer_class(self) -> Any:
        if self.action == "create":
            return ComparisonRequestSerializer
        return ComparisonSerializer if self.action == "list" else WholeComparisonSerializer

    @extend_schema(
        responses={
            201: OpenApiResponse(
                WholeComparisonSerializer, "A new comparison; its games are played in the background."
            ),
            200: OpenApiResponse(WholeComparisonSerializer, "The comparison of this request, asked for before."),
            400: WRONG,
            429: OpenApiResponse(RefusalSerializer, "Too much was asked for; Retry-After says how long to wait."),
        }
    )
    def create(self, request: Request) -> Response:
        """Ask for a comparison. Nothing is written if the request is refused."""
        sent = ComparisonRequestSerializer(data=request.data)
        sent.is_valid(raise_exception=True)
        wanted = dict(sent.validated_data)
        asked_at = timezone.now()
        try:
            found = comparing.ask(check_comparison(wanted.pop("rulesets"), **wanted), **on_behalf(request))
        except WrongRequest as error:
            raise Refused(_with_paths(error.problems)) from error
        row = self.get_queryset().get(id=found.id)
        whole = WholeComparisonSerializer(row, context=self.get_serializer_context())
        status = HTTPStatus.CREATED if found.created >= asked_at else HTTPStatus.OK
        return Response(whole.data, status=status, headers={"Location": whole.data["url"]})


def _with_paths(problems: tuple[Problem, ...]) -> Iterator[Problem]:
    """Problems of a margin as problems of the field it was sent in."""
    for problem in problems:
        margin = problem.key.startswith("margin")
        key = "margins" + problem.key.removeprefix("margin").replace("_", ".") if margin else problem.key
        yield replace(problem, key=key)
