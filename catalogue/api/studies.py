"""Studies in the API: which doubt about a game matters, with every figure and every batch it rests on."""

from typing import Any

from django.db.models import QuerySet
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers
from rest_framework.reverse import reverse

from catalogue.api.links import ApiAddress, GameLink, PageAddress
from catalogue.api.shapes import Document
from catalogue.api.viewsets import CatalogueViewSet
from catalogue.filters.common import ChangedSince, OfGame
from catalogue.models import Study
from catalogue.sensitivity.limits import OF_A_SAMPLE
from simulator.batches.scale import line_in_words


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


class StudyFilters(OfGame, ChangedSince):
    pass


class StudyViewSet(CatalogueViewSet):
    """Studies: all open questions about a game varied together, and the share of the differences due to each."""

    serializer_class, whole_class, filterset_class = StudySerializer, WholeStudySerializer, StudyFilters
    lookup_field = "id"
    orderings = {"created": ("created", "id")}
    usual_ordering = "-created"

    def get_queryset(self) -> "QuerySet[Study]":
        rows = Study.objects.select_related("game")
        return rows.defer("document", "plots") if self.action == "list" else rows
