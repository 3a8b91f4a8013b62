"""Questions in the API: points of doubt, the answers that can be given, and the readings that give them."""

from typing import Any

from rest_framework import serializers

from catalogue.api.endpoints import resource
from catalogue.api.links import AnchoredWordsSerializer, ApiAddress, GameLink, HistoryAddress, PageAddress, ReadingLink
from catalogue.api.shapes import Document
from catalogue.api.viewsets import KeyedViewSet
from catalogue.evidence.idle_questions import STATES, IdleFinding
from catalogue.evidence.questions import GivenAnswer, OpenQuestion, open_questions, question_rows
from catalogue.filters.common import OfGame


class AnswerSerializer(serializers.Serializer[GivenAnswer]):
    slug = serializers.SlugField(source="answer.slug")
    text = serializers.CharField(source="answer.text")
    values = serializers.DictField(
        child=Document("ParameterValue"),
        source="answer.values",
        allow_null=True,
        help_text="What it sets; null if no ruleset can express it.",
    )
    readings = ReadingLink(many=True, help_text="Those whose rulesets give this answer.")
    words = AnchoredWordsSerializer(source="answer.anchors", many=True)


class IdleFindingSerializer(serializers.Serializer[IdleFinding]):
    """Whether the answers to a question ever gave different games in one reading."""

    reading = ReadingLink()
    state = serializers.ChoiceField(
        choices=STATES,
        help_text="idle: its games are the same under every answer; different; not_arising: every answer makes the "
        "same ruleset; out_of_date: rules, answers or engine have changed since; not_played.",
    )
    text = serializers.CharField(help_text="The same in a sentence or two.")
    because = serializers.CharField(help_text="Why it is idle, where the editors know it; else empty.")
    same = serializers.ListField(
        child=serializers.ListField(child=serializers.SlugField()),
        help_text="Answers in groups that gave the same games; empty where nothing is known.",
    )
    impossible = serializers.ListField(child=serializers.SlugField(), help_text="Answers that make no ruleset here.")
    first_different = serializers.IntegerField(
        allow_null=True, help_text="Number of the first game that is not the same under all answers."
    )
    games = serializers.IntegerField(allow_null=True, help_text="How many games tell that answers are the same.")
    seed = serializers.IntegerField(allow_null=True)
    players = serializers.CharField(help_text="Who played; empty where nothing is known.")


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
    idle = IdleFindingSerializer(
        source="found", many=True, help_text="For each reading, whether the answers ever gave different games."
    )


@resource(
    "questions",
    name="question",
    holds="points of doubt, their answers, and the readings that give them",
    key="daramuti/last-counter-in-an-empty-hole",
    identifies="question/{key}",
)
class QuestionViewSet(KeyedViewSet):
    """Points of doubt about games. Who gives which answer follows from the rulesets."""

    serializer_class, filterset_class = QuestionSerializer, OfGame
    orderings = {"game": ("game__name", "position", "slug")}
    queryset = question_rows()

    def with_details(self, rows: list[Any]) -> list[Any]:
        return open_questions(rows)
