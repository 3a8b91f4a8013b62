"""Questions in the API: points of doubt, the answers that can be given, and the readings that give them."""

from typing import Any

from rest_framework import serializers

from catalogue.api.links import AnchoredWordsSerializer, ApiAddress, GameLink, HistoryAddress, PageAddress, ReadingLink
from catalogue.api.viewsets import KeyedViewSet
from catalogue.evidence.open_questions import GivenAnswer, OpenQuestion, open_questions, question_rows
from catalogue.filters.common import OfGame


class AnswerSerializer(serializers.Serializer[GivenAnswer]):
    slug = serializers.SlugField(source="answer.slug")
    text = serializers.CharField(source="answer.text")
    values = serializers.DictField(
        source="answer.values", allow_null=True, help_text="What it sets; null if no ruleset can express it."
    )
    readings = ReadingLink(many=True, help_text="Those whose rulesets give this answer.")
    words = AnchoredWordsSerializer(source="answer.anchors", many=True)


class QuestionSerializer(serializers.Serializer[OpenQuestion]):
    key = serializers.CharField(source="question.__str__", help_text="The game’s name, a slash, its own.")
    url = ApiAddress("question", "__str__", source="question")
    page = PageAddress(source="question")
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


class QuestionViewSet(KeyedViewSet):
    """Points of doubt about games. Who gives which answer follows from the rulesets."""

    serializer_class, filterset_class = QuestionSerializer, OfGame
    orderings = {"game": ("game__name", "position", "slug")}
    queryset = question_rows()

    def with_details(self, rows: list[Any]) -> list[Any]:
        return open_questions(rows)
