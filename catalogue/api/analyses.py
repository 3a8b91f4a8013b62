"""Analyses in the API: comparisons and studies, with their documents and the requests for them.

A study is requested as the button of a game's page does: all questions of the game, over its first reading.
"""

from dataclasses import replace
from typing import Any

from django.db.models import Prefetch, QuerySet
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.reverse import reverse

from catalogue.analyses.comparisons import (
    COMPARISONS,
    DEFAULT_BOOTSTRAP_SEED,
    DEFAULT_GAMES,
    DEFAULT_MARGINS,
    MOST,
    ComparedRuleset,
    check_comparison,
    with_clauses,
)
from catalogue.analyses.studies import STUDIES
from catalogue.analyses.study_plans import OF_A_SAMPLE, plan, usual_games
from catalogue.api.endpoints import resource
from catalogue.api.fields import (
    Address,
    ApiAddress,
    Document,
    GameLink,
    PageAddress,
    ResultAddress,
    StringList,
    either,
)
from catalogue.api.jobs import (
    AwaitedViewSet,
    BatchRequestSerializer,
    ComparisonProgressSerializer,
    JobViewSet,
    PlayersField,
    RequestedSerializer,
    StrictSerializer,
    WholeNumber,
    describe_awaited,
    describe_jobs,
)
from catalogue.filters.filter_sets import ChangedSince, ChoicesFilter, OfGame, OfRuleset
from catalogue.models import ComparedBatch, Comparison, Game, Study
from catalogue.web.addresses import comparison_title, titles_compared
from catalogue.web.cancelling import cancel_analysis
from catalogue.web.problem_document import RefusedRequest
from simulator import rulesets
from simulator.batches.levels import line_in_words
from simulator.batches.requests import DEFAULT_SEED, MOST_GAMES, MOST_SEED
from simulator.batches.service import MOST_GAMES_WITH_ROWS
from simulator.problems import WrongRequest


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
        return str(compared.comparison.places[compared.place])


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
    second_players = serializers.CharField(
        read_only=True,
        help_text="Of every seat, those who play again on a level that thinks: “club-second,random”; else empty.",
    )
    withheld = serializers.BooleanField(
        source="is_withheld",
        read_only=True,
        help_text="Whether its figures are withheld: it was made before version 4, when each ruleset had a search of "
        "its own, and more was concluded than games show.",
    )
    sentences = serializers.SerializerMethodField(help_text="One for every two rulesets; none until it is done.")

    class Meta:
        model = Comparison
        fields: tuple[str, ...] = (
            "id", "title", "url", "page", "state", "compared", "players", "played_by", "second_players",
            "withheld", "margins", "bootstrap_seed", "version", "created", "closed", "sentences",
        )  # fmt: skip

    def get_title(self, comparison: Comparison) -> str:
        return comparison_title(titles_compared(self.context["request"], comparison))

    def get_played_by(self, comparison: Comparison) -> str:
        return line_in_words(comparison.asked) if comparison.asked else ""

    def get_sentences(self, comparison: Comparison) -> list[str]:
        return [pair["sentence"] for pair in (comparison.told or {"pairs": []})["pairs"]]


class WholeComparisonSerializer(ComparisonSerializer):
    progress = serializers.SerializerMethodField()
    error = serializers.CharField(read_only=True, help_text="Why it failed, if it did.")
    document = serializers.SerializerMethodField(
        help_text="Rules that differ with their clauses, and every measure with difference, interval and verdict; null "
        "until it is done."
    )
    curves = ResultAddress(
        "comparison-plot", "id", help_text="The address of the length curves; null until it is done."
    )

    class Meta(ComparisonSerializer.Meta):
        fields = (*ComparisonSerializer.Meta.fields, "progress", "error", "document", "curves")

    @extend_schema_field(ComparisonProgressSerializer)
    def get_progress(self, comparison: Comparison) -> Any:
        return ComparisonProgressSerializer(COMPARISONS.progress(comparison)).data

    @extend_schema_field(either("ComparisonDocument"))
    def get_document(self, comparison: Comparison) -> dict[str, Any] | None:
        return with_clauses(comparison.told) if comparison.told else None


class ChangedRulesetWishSerializer(StrictSerializer):
    ruleset = serializers.CharField(max_length=100)
    set = serializers.DictField(child=Document("SentValue", allow_null=True), source="changes")
    validate_set = BatchRequestSerializer.validate_set


@extend_schema_field(
    {
        "oneOf": [
            {"type": "string", "maxLength": 100},
            {
                "type": "object",
                "properties": {
                    "ruleset": {"type": "string", "maxLength": 100},
                    "set": {
                        "type": "object",
                        "additionalProperties": {
                            "oneOf": [{"$ref": "#/components/schemas/SentValue"}, {"type": "null"}]
                        },
                    },
                },
                "required": ["ruleset", "set"],
                "additionalProperties": False,
            },
        ]
    }
)
class ComparedRulesetField(serializers.Field[Any, Any, Any, Any]):
    """A ruleset by name, or `{"ruleset": name, "set": changes}`."""

    def to_internal_value(self, data: Any) -> str | ComparedRuleset:
        if not isinstance(data, dict):
            name: str = serializers.CharField(max_length=100).run_validation(data)
            return name
        sent = ChangedRulesetWishSerializer(data=data)
        sent.is_valid(raise_exception=True)
        wish = sent.validated_data
        try:
            ruleset = rulesets.find(wish["ruleset"], wish["changes"])
        except WrongRequest as error:
            known = ("ruleset", "set")
            problems = (replace(one, key=one.key if one.key in known else f"set.{one.key}") for one in error.problems)
            raise RefusedRequest(replace(one, key=f"rulesets.{one.key}") for one in problems) from error
        return ComparedRuleset(ruleset.hash if wish["changes"] else wish["ruleset"], ruleset)


class ComparisonRequestSerializer(BatchRequestSerializer):
    """As a request for a batch, of several rulesets."""

    ruleset = None  # type: ignore[assignment]
    set = None  # type: ignore[assignment]
    traffic = None  # type: ignore[assignment]
    rulesets = serializers.ListField(
        child=ComparedRulesetField(),
        max_length=50,
        help_text=f"Two to {MOST}: slug, slug@number, hash, or at least eight digits of its beginning; with changes "
        "{“ruleset”: its name, “set”: its changes}.",
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
    state = ChoicesFilter(choices=Comparison.State.choices)

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
    filterset_class, request_class = ComparisonFilters, ComparisonRequestSerializer

    def get_queryset(self) -> "QuerySet[Comparison]":
        batches = ComparedBatch.objects.select_related("batch__ruleset", "comparison").order_by("place")
        batches = batches.defer("batch__tally", "batch__summary", "comparison__document", "comparison__plot")
        return Comparison.objects.defer("plot").prefetch_related(Prefetch("compared", batches))

    def request_row(self, wanted: dict[str, Any], on_behalf: dict[str, Any]) -> Comparison:
        return COMPARISONS.request(check_comparison(wanted.pop("rulesets"), **wanted), **on_behalf)

    def cancel_row(self, request: Request, row: Comparison) -> None:
        cancel_analysis(request, COMPARISONS, row)


class StudySerializer(serializers.ModelSerializer[Study]):
    url = ApiAddress("study", "id")
    page = PageAddress()
    game = GameLink(read_only=True)
    base = serializers.CharField(source="summary.base", help_text="The ruleset that holds where no question decides.")
    questions = StringList(
        source="summary.questions",
        read_only=True,
        help_text="The slugs of the questions that were varied.",
    )
    combinations = serializers.IntegerField(source="summary.combinations", help_text="How many were played.")
    complete = serializers.BooleanField(source="summary.complete", help_text="False if they are a sample.")
    limits = serializers.SerializerMethodField(
        help_text="What a sample cannot say, and how sure its intervals are; empty if all combinations were played."
    )
    games = serializers.IntegerField(source="summary.games", help_text="Of each combination.")
    seed = serializers.IntegerField(source="summary.seed")
    players = serializers.CharField(
        source="summary.players",
        help_text="One for every seat, or one a seat: by name or level, as asked for.",
    )
    played_by = serializers.SerializerMethodField(help_text="The same in words.")
    sentences = serializers.DictField(
        source="summary.sentences",
        child=serializers.CharField(),
        read_only=True,
        help_text="What it found, an entry for each outcome.",
    )

    class Meta:
        model = Study
        fields: tuple[str, ...] = (
            "id", "url", "page", "game", "base", "questions", "combinations", "complete", "limits", "games", "seed",
            "players", "played_by", "created", "sentences",
        )  # fmt: skip

    def get_limits(self, study: Study) -> str:
        return "" if study.summary["complete"] else OF_A_SAMPLE

    def get_played_by(self, study: Study) -> str:
        return line_in_words(study.summary["players"])


class StudyPlotSerializer(serializers.Serializer[Any]):
    kind = serializers.CharField()
    title = serializers.CharField()
    description = serializers.CharField()
    url = serializers.CharField(help_text="The drawing, as SVG.")
    table = Document("PlotTable", help_text="The numbers of the plot as text.")


class WholeStudySerializer(StudySerializer):
    document = Document("StudyDocument", help_text="Shares, levels, seeds and cells, each cell with its batch.")
    plots = serializers.SerializerMethodField()

    class Meta(StudySerializer.Meta):
        fields = (*StudySerializer.Meta.fields, "document", "plots")

    @extend_schema_field(StudyPlotSerializer(many=True))
    def get_plots(self, study: Study) -> list[dict[str, Any]]:
        kept, request = ("kind", "title", "description", "table"), self.context["request"]
        return [
            {name: plot[name] for name in kept}
            | {"url": reverse("study-plot", args=[study.id, plot["kind"]], request=request)}
            for plot in study.plots
        ]


class RequestedStudySerializer(RequestedSerializer):
    """A study that is waited for, or that came to nothing."""

    id = serializers.CharField(help_text="Of the study, which has it too.")
    url = ApiAddress("study", "id")
    page = PageAddress()
    game = GameLink()
    base = serializers.CharField(source="terms.base", help_text="The ruleset that holds where no question decides.")
    questions = StringList(source="terms.questions", help_text="The slugs of the questions that are varied.")
    games = serializers.IntegerField(source="terms.games", help_text="Of each ruleset that the answers come to.")
    seed = serializers.IntegerField(source="terms.seed")
    players = serializers.CharField(source="terms.players", help_text="As they were asked for, by name or by level.")
    played_by = serializers.SerializerMethodField(help_text="The same in words.")

    kind = STUDIES

    def get_played_by(self, row: Study) -> str:
        return line_in_words(row.terms["players"])


class StudyRequestSerializer(StrictSerializer):
    """As the form on the page of a game without a study."""

    game = serializers.CharField(max_length=100, help_text="The slug.")
    games = WholeNumber(
        required=False,
        min_value=1,
        max_value=MOST_GAMES,
        help_text="Of each combination of answers; as many as the page of the game offers if it is left out.",
    )
    seed = WholeNumber(
        default=DEFAULT_SEED, min_value=0, max_value=MOST_SEED, help_text="The same seed gives the same study."
    )
    players = PlayersField()

    def field_of(self, key: str) -> str:
        """Return the field that a problem belongs to: one of the questions is a problem of the game."""
        return key if key in self.fields or not key else "game"


class StudyFilters(OfGame, ChangedSince):
    pass


@resource(
    "studies",
    name="study",
    holds="which question about a game matters: shares, seeds, and every batch they rest on",
    key="{study}",
)
@describe_awaited(WholeStudySerializer, RequestedStudySerializer, "study")
class StudyViewSet(AwaitedViewSet):
    """Studies: the open questions about a game varied together, and the share of the differences due to each."""

    kind, request_class, requested_class = STUDIES, StudyRequestSerializer, RequestedStudySerializer

    serializer_class, whole_class, filterset_class = StudySerializer, WholeStudySerializer, StudyFilters

    def get_queryset(self) -> "QuerySet[Study]":
        rows = Study.objects.select_related("game")
        return rows.defer("document", "plots") if self.action == "list" else rows

    def request_row(self, wanted: dict[str, Any], on_behalf: dict[str, Any]) -> Study:
        slug = wanted.pop("game")
        if "games" not in wanted and (game := Game.objects.filter(slug=slug).first()):
            wanted["games"] = usual_games(game, wanted["players"])
        return STUDIES.request(plan(slug, **wanted), **on_behalf)
