"""Studies in the API: which doubt about a game matters, with every figure and every batch it rests on.

Asked for as the button of a page does: all questions of the game, over its first reading.
"""

from typing import Any

from django.db.models import QuerySet
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers
from rest_framework.reverse import reverse

from catalogue.analyses.studies import STUDIES
from catalogue.analyses.study_offers import OF_A_SAMPLE, usual_games
from catalogue.analyses.study_plans import plan
from catalogue.api.batch_requests import StrictSerializer, WholeNumber
from catalogue.api.endpoints import resource
from catalogue.api.fields import ApiAddress, Document, GameLink, PageAddress
from catalogue.api.jobs import AwaitedViewSet, RequestedSerializer, describe_awaited
from catalogue.filters.fields import ChangedSince, OfGame
from catalogue.models import Game, Study
from simulator.batches.levels import line_in_words
from simulator.batches.requests import DEFAULT_PLAYERS, DEFAULT_SEED, MOST_GAMES, MOST_SEED
from simulator.engine.players.wording import HINT


class StudySerializer(serializers.ModelSerializer[Study]):
    url = ApiAddress("study", "id")
    page = PageAddress()
    game = GameLink(read_only=True)
    base = serializers.CharField(source="summary.base", help_text="The ruleset that holds where no question decides.")
    questions = serializers.ListField(
        source="summary.questions",
        child=serializers.CharField(),
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
    questions = serializers.ListField(
        source="terms.questions", child=serializers.CharField(), help_text="The slugs of the questions that are varied."
    )
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
    players = serializers.CharField(default=DEFAULT_PLAYERS, initial=DEFAULT_PLAYERS, max_length=200, help_text=HINT)

    def field_of(self, key: str) -> str:
        """What is wrong with its questions is wrong with the game."""
        return key if key in self.fields or not key else "game"


class StudyFilters(OfGame, ChangedSince):
    pass


@resource(
    "studies",
    name="study",
    holds="which doubt about a game matters: shares, seeds, and every batch they rest on",
    key="{study}",
)
@describe_awaited(WholeStudySerializer, RequestedStudySerializer, "study")
class StudyViewSet(AwaitedViewSet):
    """Studies: all open questions about a game varied together, and the share of the differences due to each."""

    kind, request_class, requested_class = STUDIES, StudyRequestSerializer, RequestedStudySerializer

    serializer_class, whole_class, filterset_class = StudySerializer, WholeStudySerializer, StudyFilters
    lookup_field = "id"
    orderings = {"created": ("created", "id")}
    usual_ordering = "-created"

    def get_queryset(self) -> "QuerySet[Study]":
        rows = Study.objects.select_related("game")
        return rows.defer("document", "plots") if self.action == "list" else rows

    def request_row(self, wanted: dict[str, Any], on_behalf: dict[str, Any]) -> Study:
        slug = wanted.pop("game")
        if "games" not in wanted and (game := Game.objects.filter(slug=slug).first()):
            wanted["games"] = usual_games(game, wanted["players"])
        return STUDIES.request(plan(slug, **wanted), **on_behalf)
