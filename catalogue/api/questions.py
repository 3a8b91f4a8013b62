"""Questions in the API: points of doubt, the answers that can be given, and the readings that give them."""

from typing import Any, ClassVar

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from catalogue.api.cursors import Orderings
from catalogue.api.keyed import AnchoredWordsSerializer, HistoryAddress, KeyAddress, KeyedViewSet
from catalogue.api.links import GameLink, PageAddress, ReadingLink
from catalogue.evidence.open_questions import Doubt, GivenAnswer, doubts, question_rows
from catalogue.filters.fields import KnownValueFilter, StrictFilterSet
from catalogue.models import Game, Question


class AnswerSerializer(serializers.Serializer[GivenAnswer]):
    slug = serializers.SlugField(source="answer.slug")
    text = serializers.CharField(source="answer.text")
    values = serializers.DictField(
        source="answer.values", allow_null=True, help_text="What it sets; null if no ruleset can express it."
    )
    readings = ReadingLink(many=True, help_text="Those whose rulesets give this answer.")
    words = AnchoredWordsSerializer(source="answer.anchors", many=True)


class QuestionSerializer(serializers.Serializer[Doubt]):
    key = serializers.CharField(source="question.__str__", help_text="The game’s name, a slash, its own.")
    url = KeyAddress("question", source="question")
    page = PageAddress(source="question.get_absolute_url")
    history = HistoryAddress(source="question")
    game = GameLink(source="question.game")
    title = serializers.CharField(source="question.title")
    text = serializers.CharField(
        source="question.text", help_text="What the doubt is, and why the words leave it open."
    )
    parameters = serializers.ListField(
        source="question.parameters", child=serializers.CharField(), help_text="What every answer sets."
    )
    answers = AnswerSerializer(many=True)
    disputed = serializers.BooleanField(source="is_disputed", help_text="Whether readings answer it differently.")
    silent = ReadingLink(many=True, help_text="Readings of the game that give none of the answers.")


class QuestionFilters(StrictFilterSet):
    game = KnownValueFilter(field_name="game__slug", model=Game, column="slug", label="slug of a game")

    class Meta:
        model = Question
        fields: tuple[str, ...] = ()


class QuestionViewSet(KeyedViewSet):
    """Points of doubt about games. Who gives which answer follows from the rulesets."""

    serializer_class, filterset_class, columns = QuestionSerializer, QuestionFilters, ("game__slug", "slug")
    orderings: ClassVar[Orderings] = {"game": ("game__name", "position", "slug")}
    usual_ordering = "game"
    queryset = question_rows()

    def paginate_queryset(self, queryset: Any) -> list[Any]:
        return doubts(super().paginate_queryset(queryset) or [])

    def retrieve(self, request: Request, key: str) -> Response:
        return Response(self.get_serializer(doubts([self.get_object()])[0]).data)
