"""Comparisons in the API: the list, one comparison with its document, and requests to have one computed."""

from typing import Any

from django.db.models import Prefetch, QuerySet
from django_filters import ChoiceFilter
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers
from rest_framework.request import Request

from catalogue.analyses.comparisons import (
    COMPARISONS,
    DEFAULT_BOOTSTRAP_SEED,
    DEFAULT_GAMES,
    DEFAULT_MARGINS,
    MOST,
    check_comparison,
    with_clauses,
)
from catalogue.api.batch_requests import BatchRequestSerializer, WholeNumber
from catalogue.api.endpoints import resource
from catalogue.api.fields import Address, ApiAddress, Document, PageAddress, either
from catalogue.api.jobs import ComparisonProgressSerializer, JobViewSet, cancel_analysis, describe_jobs
from catalogue.filters.fields import ChangedSince, OfRuleset
from catalogue.models import ComparedBatch, Comparison
from catalogue.web.addresses import comparison_title, titles_compared
from simulator import rulesets
from simulator.batches.levels import line_in_words
from simulator.batches.requests import MOST_SEED
from simulator.batches.service import MOST_GAMES_WITH_ROWS


class ComparedSerializer(serializers.ModelSerializer[ComparedBatch]):
    """A ruleset in its place, with the batch that all figures of that place rest on."""

    name = serializers.SerializerMethodField(help_text="The ruleset as it was asked for: slug, slug@number or hash.")
    ruleset = serializers.CharField(source="batch.ruleset_id", help_text="The hash of its content.")
    batch = serializers.CharField(source="batch_id")
    batch_url = Address("v1:batch-detail", "batch_id")
    players = serializers.CharField(source="batch.players", help_text="Who played its games, by name, seat by seat.")

    class Meta:
        model = ComparedBatch
        fields = ("place", "name", "ruleset", "batch", "batch_url", "players")

    def get_name(self, compared: ComparedBatch) -> str:
        return str(compared.comparison.names[compared.place])


class MarginsSerializer(serializers.Serializer[Any]):
    shares = serializers.FloatField(help_text="A difference of shares that matters: 0.02 is two percentage points.")
    amounts = serializers.FloatField(help_text="One of lengths and other amounts: 0.05 is 5 % of the smaller figure.")


class ComparisonSerializer(serializers.ModelSerializer[Comparison]):
    title = serializers.SerializerMethodField(help_text="What it compares, in words.")
    url = ApiAddress("comparison", "id")
    page = PageAddress()
    compared = ComparedSerializer(many=True, read_only=True)
    margins = MarginsSerializer(read_only=True)
    players = serializers.CharField(
        source="asked",
        read_only=True,
        help_text="Of every seat, by name or by level, as they were asked for: “club,random”.",
    )
    played_by = serializers.SerializerMethodField(help_text="The same in words.")
    sentences = serializers.SerializerMethodField(help_text="One for every two rulesets; none until it is done.")

    class Meta:
        model = Comparison
        fields: tuple[str, ...] = (
            "id", "title", "url", "page", "state", "compared", "players", "played_by", "margins", "bootstrap_seed",
            "version", "created", "closed", "sentences",
        )  # fmt: skip

    def get_title(self, comparison: Comparison) -> str:
        return comparison_title(titles_compared(self.context["request"], comparison))

    def get_played_by(self, comparison: Comparison) -> str:
        return line_in_words(comparison.asked) if comparison.asked else ""

    def get_sentences(self, comparison: Comparison) -> list[str]:
        return [pair["sentence"] for pair in (comparison.document or {"pairs": []})["pairs"]]


class CurvesAddress(Address):
    """None until the comparison is done."""

    def get_attribute(self, instance: Comparison) -> Any:
        return instance if instance.state == Comparison.State.DONE else None


class WholeComparisonSerializer(ComparisonSerializer):
    progress = serializers.SerializerMethodField()
    error = serializers.CharField(read_only=True, help_text="Why it failed, if it did.")
    document = serializers.SerializerMethodField(
        help_text="Rules that differ with their clauses, and every measure with difference, interval and verdict; null "
        "until it is done."
    )
    curves = CurvesAddress(
        "comparison-plot", "id", allow_null=True, help_text="The address of the length curves; null until it is done."
    )

    class Meta(ComparisonSerializer.Meta):
        fields = (*ComparisonSerializer.Meta.fields, "progress", "error", "document", "curves")

    @extend_schema_field(ComparisonProgressSerializer)
    def get_progress(self, comparison: Comparison) -> Any:
        return ComparisonProgressSerializer(COMPARISONS.progress(comparison)).data

    @extend_schema_field(either("ComparisonDocument"))
    def get_document(self, comparison: Comparison) -> dict[str, Any] | None:
        return with_clauses(comparison.document) if comparison.document else None


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
        help_text="Of each ruleset; visitors are bounded in processor time, as measured.",
    )
    margins = serializers.DictField(
        child=Document("SentValue"),
        required=False,
        help_text=f"The differences that matter, by default {dict(DEFAULT_MARGINS)}, as parts of one.",
    )
    bootstrap_seed = WholeNumber(default=DEFAULT_BOOTSTRAP_SEED, min_value=0, max_value=MOST_SEED)

    def field_of(self, key: str) -> str:
        """Margins are sent in a field of their own."""
        return "margins" + key.removeprefix("margin").replace("_", ".") if key.startswith("margin") else key


class ComparisonFilters(OfRuleset, ChangedSince):
    dates = ("created", "closed")
    state = ChoiceFilter(choices=Comparison.State.choices)

    def of_ruleset(self, rows: "QuerySet[Comparison]", name: str, value: str) -> "QuerySet[Comparison]":
        content = rulesets.find(value).hash
        return rows.filter(compared__in=ComparedBatch.objects.filter(batch__ruleset=content)).distinct()


@resource(
    "comparisons",
    name="comparison",
    holds="readings compared game by game: differences with intervals and verdicts",
    key="{comparison}",
)
@describe_jobs(WholeComparisonSerializer, "comparison")
class ComparisonViewSet(JobViewSet):
    """Rulesets compared by games of the same numbers. The same request is always the same comparison."""

    serializer_class, whole_class = ComparisonSerializer, WholeComparisonSerializer
    lookup_field, filterset_class, request_class = "id", ComparisonFilters, ComparisonRequestSerializer
    orderings = {"created": ("created", "id")}
    usual_ordering = "-created"

    def get_queryset(self) -> "QuerySet[Comparison]":
        batches = ComparedBatch.objects.select_related("batch__ruleset", "comparison").order_by("place")
        batches = batches.defer("batch__tally", "batch__summary", "comparison__document", "comparison__plot")
        return Comparison.objects.defer("plot").prefetch_related(Prefetch("compared", batches))

    def request_row(self, wanted: dict[str, Any], on_behalf: dict[str, Any]) -> Comparison:
        return COMPARISONS.request(check_comparison(wanted.pop("rulesets"), **wanted), **on_behalf)

    def cancel_row(self, request: Request, row: Comparison) -> None:
        cancel_analysis(request, COMPARISONS, row)
