"""The apparatus in the API: clauses, questions, annotations, the coverage of records, and the history of each row."""

from http import HTTPStatus
from typing import Any

from django.db.models import Prefetch, Q, QuerySet, TextField
from django.db.models.functions import Cast, Length
from django_filters import CharFilter
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.reverse import reverse
from rest_framework.utils.urls import remove_query_param, replace_query_param

from catalogue.api.description import MISSING, WRONG
from catalogue.api.endpoints import endpoint, resource
from catalogue.api.fields import (
    AnchoredWordsSerializer,
    ApiAddress,
    Document,
    GameLink,
    HistoryAddress,
    PageAddress,
    ReadingLink,
    StringList,
)
from catalogue.api.formats import ExcelTableRenderer, TableRenderer
from catalogue.api.lists import PAGE_NUMBER, page_size, size_schema, whole_number
from catalogue.api.viewsets import CatalogueViewSet, KeyedViewSet, StrictParameters, no_such_row
from catalogue.evidence.apparatus import coverage_of
from catalogue.evidence.clauses import clauses_of
from catalogue.evidence.questions import STATES, GivenAnswer, IdleFinding, OpenQuestion, open_questions, question_rows
from catalogue.filters.filter_sets import (
    ChangedSince,
    ChoicesFilter,
    KnownValueFilter,
    OfGame,
    OfRecord,
    OfWords,
    YesOrNo,
)
from catalogue.history.histories import HISTORIES, Named, events, grouped, named, revision, tracked
from catalogue.identifiers.linked_data import ANNOTATION_CONTEXT, annotation, collection
from catalogue.identifiers.signposts import LINKED_DATA
from catalogue.models import Anchor, Answer, Basis, Clause, Evidence, Question, Reading
from catalogue.models.lookup import key_of
from catalogue.texts.words import LONGEST_REPEATED, nearest_word
from catalogue.web.addresses import host_address
from catalogue.web.problem_document import RefusedRequest


class ClauseSerializer(serializers.ModelSerializer[Clause]):
    key = serializers.CharField(source="__str__", read_only=True, help_text="Its reading’s name, a slash, its own.")
    url = ApiAddress("clause", "__str__")
    page = PageAddress()
    history = HistoryAddress()
    reading = ReadingLink(read_only=True)
    parameters = StringList(help_text="Keys of the reading’s ruleset that it covers.")
    source = serializers.CharField(  # type: ignore[assignment]
        read_only=True, help_text="Where the rule is from, if from no record; else empty."
    )
    words = AnchoredWordsSerializer(source="anchors", many=True, read_only=True)
    not_played = serializers.CharField(
        read_only=True, help_text="Of a rule that is told and not played: what is missing for it; else empty."
    )

    class Meta:
        model = Clause
        fields = (
            "key", "url", "page", "history", "reading", "parameters", "basis", "text", "source", "words", "not_played",
        )  # fmt: skip


class ClauseFilters(OfWords, ChangedSince):
    anchored, dates = "clause", ()
    recorded = {Clause: "id", Anchor: "clause"}
    reading = KnownValueFilter(
        field_name="reading__slug", model=Reading, column="slug", label="its own clauses, not those it inherits"
    )
    held_by = KnownValueFilter(
        model=Reading, column="slug", method="of_holder", label="a reading: its own clauses and those it inherits"
    )
    basis = ChoicesFilter(choices=Basis.choices)
    parameter = CharFilter(method="of_parameter", label="a key of a ruleset that it covers")
    not_played = YesOrNo(method="of_unplayed", label="yes: rules that are told and not played; no: the others")

    def of_unplayed(self, rows: "QuerySet[Clause]", name: str, value: str) -> "QuerySet[Clause]":
        return rows.exclude(not_played="") if value == "yes" else rows.filter(not_played="")

    def of_holder(self, rows: "QuerySet[Clause]", name: str, value: str) -> "QuerySet[Clause]":
        return rows.filter(pk__in=[setting.clause.pk for setting in clauses_of([value])[value]])

    def of_parameter(self, rows: "QuerySet[Clause]", name: str, value: str) -> "QuerySet[Clause]":
        known = {key for keys in Clause.objects.order_by().values_list("parameters", flat=True) for key in keys}
        if value not in known:
            message = f"no clause covers a parameter {value[:LONGEST_REPEATED]!r}"
            raise RefusedRequest.of(name, message, nearest_word(value, sorted(known)))
        return rows.alias(covered=Cast("parameters", TextField())).filter(covered__contains=f'"{value}"')


@resource(
    "clauses",
    name="clause",
    holds="rules of readings, what they rest on, and their words",
    key="puhulmutu-parker/relay",
    identifies="clause/{key}",
)
class ClauseViewSet(KeyedViewSet):
    """Rules of readings, each with what it rests on and the words that speak for it and against it."""

    serializer_class, filterset_class = ClauseSerializer, ClauseFilters
    orderings = {"reading": ("reading__slug", "position", "slug")}
    queryset = Clause.objects.select_related("reading").order_by("reading__slug", "position", "slug")

    def get_queryset(self) -> "QuerySet[Clause]":
        words = Anchor.objects.with_records()
        return super().get_queryset().prefetch_related(Prefetch("anchors", words.order_by("position", "key")))


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
        help_text="idle: the games that were played are the same under every answer; different; not_arising: every "
        "answer makes the same ruleset; out_of_date: rules, answers or engine have changed since; not_played.",
    )
    text = serializers.CharField(help_text="The same in a sentence or two.")
    because = serializers.CharField(
        help_text="The proof that no game can tell its answers apart, where there is one; else empty."
    )
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
    text = serializers.CharField(source="question.text", help_text="What is asked, and why the words leave it open.")
    parameters = StringList(source="question.parameters", help_text="What every answer sets.")
    answers = AnswerSerializer(many=True)
    disputed = serializers.BooleanField(source="is_disputed", help_text="Whether readings answer it differently.")
    silent = ReadingLink(many=True, help_text="Readings of the game that give none of the answers.")
    idle = IdleFindingSerializer(
        source="found", many=True, help_text="For each reading, whether the answers ever gave different games."
    )


class QuestionFilters(OfGame, ChangedSince):
    dates, recorded = (), {Question: "id", Answer: "question"}


@resource(
    "questions",
    name="question",
    holds="open questions, their answers, and the readings that give them",
    key="puhulmutu/single-counters",
    identifies="question/{key}",
)
class QuestionViewSet(KeyedViewSet):
    """Open questions about games. Who gives which answer follows from the rulesets."""

    serializer_class, filterset_class = QuestionSerializer, QuestionFilters
    orderings = {"game": ("game__name", "position", "slug")}
    queryset = question_rows()

    def with_details(self, rows: list[Any]) -> list[Any]:
        return open_questions(rows)


class AnnotationSerializer(serializers.Serializer[Anchor]):
    """Words of a record as a W3C Web Annotation; the fields say what there is."""

    id = ApiAddress("annotation", "key")
    type = serializers.CharField(read_only=True, help_text="Annotation")
    canonical = serializers.URLField(read_only=True, help_text="The name of the words for good, which leads here.")
    creator = serializers.ListField(
        child=Document("Agent"), read_only=True, help_text="Who encoded the reading; else who maintains the catalogue."
    )
    rights = serializers.CharField(read_only=True, help_text="The licence of the annotation, not of the words.")
    motivation = serializers.CharField(
        read_only=True, help_text="linking: the words speak for what the body says; questioning: they speak against it."
    )
    body = serializers.ListField(child=Document("Body"), read_only=True)
    target = Document("Target", read_only=True)

    def get_fields(self) -> dict[str, Any]:
        return {"@context": serializers.CharField(read_only=True, help_text=ANNOTATION_CONTEXT), **super().get_fields()}

    def to_representation(self, instance: Anchor) -> dict[str, Any]:
        whole = annotation(instance, host_address(self.context["request"]))
        return {name: whole[name] for name in map(str, self.fields)}


class AnnotationRenderer(JSONRenderer):
    """Annotations as the Web Annotation Protocol sends them (https://www.w3.org/TR/annotation-protocol/).

    A list is an AnnotationCollection.
    """

    media_type, format, charset = LINKED_DATA, "jsonld", None

    def render(self, data: Any, accepted_media_type: str | None = None, renderer_context: Any = None) -> bytes:
        request, response = renderer_context["request"], renderer_context["response"]
        if response.status_code == HTTPStatus.OK:
            response["Content-Type"] = f'{LINKED_DATA}; profile="{ANNOTATION_CONTEXT}"'
            if "results" in data:
                here = first = request.build_absolute_uri()
                for name in ("page", "cursor"):
                    first = remove_query_param(first, name)
                data = collection(data["results"], here, first, data["count"], data["next"] or "")
        document: bytes = super().render(data, accepted_media_type, renderer_context)
        return document


class AnnotationFilters(OfRecord, ChangedSince):
    dates, recorded = (), {Anchor: "id"}
    reading = KnownValueFilter(
        model=Reading, column="slug", method="of_reading", label="words of its own clauses, and of what it rests on"
    )
    stance = ChoicesFilter(choices=Anchor.Stance.choices, label="whether the words speak for it or against it")

    def of_reading(self, rows: "QuerySet[Anchor]", name: str, value: str) -> "QuerySet[Anchor]":
        return rows.filter(Q(clause__reading__slug=value) | Q(reading__slug=value))


@resource(
    "annotations",
    name="annotation",
    holds="words of records with their places, as W3C Web Annotations",
    key="clause/puhulmutu-parker/relay/supports/1",
    identifies="words/{key}",
)
class AnnotationViewSet(CatalogueViewSet):
    """Words of records and what was read from them, as W3C Web Annotations."""

    tables = {"list": (TableRenderer, ExcelTableRenderer, AnnotationRenderer), "retrieve": (AnnotationRenderer,)}

    serializer_class, filterset_class = AnnotationSerializer, AnnotationFilters
    lookup_field, lookup_value_regex = "key", ".+"
    orderings = {"key": ("key",), "evidence": ("evidence__identifier", "field", "start", "key")}
    queryset = (
        Anchor.objects.shown()
        .select_related("evidence", "clause__reading", "answer__question__game", "claim__game", "reading")
        .defer("evidence__paraphrase")
        .order_by("key")
    )


class TextCoverageSerializer(serializers.Serializer[Any]):
    words = serializers.IntegerField(help_text="Of the text; 0 if the record has no such text.")
    anchored = serializers.IntegerField(
        help_text="Those that a rule rests on, or by which a reading takes over the rules of another."
    )
    opposing = serializers.IntegerField(help_text="Those that speak against a rule.")
    claimed = serializers.IntegerField(help_text="Those of a sentence that can be tested.")
    asked = serializers.IntegerField(help_text="Those that speak for an answer to an open question.")
    unused = serializers.IntegerField(help_text="Those that are none of these. A word may be several.")
    share = serializers.FloatField(allow_null=True, help_text="`anchored` divided by `words`; null without words.")


class CoverageSerializer(serializers.Serializer[Any]):
    record = serializers.CharField(help_text="The identifier of the record.")
    game = serializers.CharField(help_text="The slug of its game.")
    quotation = TextCoverageSerializer()
    paraphrase = TextCoverageSerializer()
    clauses = serializers.IntegerField(help_text="Rules of the readings of this record, inherited ones as well.")
    clauses_without_words = StringList(help_text="Keys of those that rest on no words of any record.")


class CoverageFilters(OfGame, ChangedSince):
    dates, recorded = (), {Evidence: "id", Anchor: "evidence"}


@resource(
    "coverage",
    name="coverage",
    holds="how many of a record’s words a rule uses, and which rules rest on no words",
    key="DLP.Evidence.1386",
    identifies="record/{identifier}",
)
class CoverageViewSet(CatalogueViewSet):
    """How much of each record's words carries a rule, and which rules of its readings rest on no words."""

    serializer_class, filterset_class, lookup_field = CoverageSerializer, CoverageFilters, "identifier"
    orderings = {"identifier": (Length("identifier"), "identifier")}
    queryset = Evidence.objects.shown().select_related("game")

    def with_details(self, rows: list[Any]) -> list[Any]:
        return coverage_of(rows)


PUBLISHED = {"evidence" if name == "record" else name: kind for name, kind in HISTORIES.items()}


class PieceSerializer(serializers.Serializer[Any]):
    kind = serializers.ChoiceField(choices=["same", "added", "removed", "left out"])
    text = serializers.CharField()


class ChangedFieldSerializer(serializers.Serializer[Any]):
    label = serializers.CharField()  # type: ignore[assignment]
    before = serializers.CharField(help_text="Empty if there was nothing, and for texts, which are given in pieces.")
    after = serializers.CharField()
    pieces = PieceSerializer(many=True, help_text="A text word by word.")


class ChangedRowSerializer(serializers.Serializer[Any]):
    title = serializers.CharField(help_text="The row itself, or what belongs to it: an answer, or words of a record.")
    action = serializers.CharField(help_text="recorded for the first time, changed or deleted.")
    whole = serializers.BooleanField(help_text="Whether everything the row held is given, not only what changed.")
    changed = ChangedFieldSerializer(source="fields", many=True)  # `fields` is a serializer's own word


class RevisionSerializer(serializers.Serializer[Any]):
    date = serializers.DateTimeField()
    author = serializers.CharField()
    reason = serializers.CharField()
    rows = ChangedRowSerializer(many=True)


class HistorySerializer(serializers.Serializer[Any]):
    kind = serializers.ChoiceField(choices=list(PUBLISHED))
    key = serializers.CharField(help_text="What was asked for.")
    key_now = serializers.CharField(allow_null=True, help_text="What it is called now; null if it was deleted.")
    page = serializers.URLField(help_text="The same for readers.")
    count = serializers.IntegerField(help_text="Revisions in all pages grouped.")
    next = serializers.URLField(allow_null=True, help_text="The address of the next page; null on the last one.")
    previous = serializers.URLField(allow_null=True)
    results = RevisionSerializer(many=True, help_text="The newest first.")


@endpoint("histories/<str:kind>/<path:key>/", name="history", example="histories/clause/puhulmutu-parker/relay/")
class HistoryView(StrictParameters):
    """What was changed in a row, when, by whom and why. A row that was deleted keeps its history."""

    def parameters(self) -> tuple[str, ...]:
        return ("page", "page_size")

    @extend_schema(
        operation_id="histories_retrieve",
        parameters=[
            OpenApiParameter("kind", str, OpenApiParameter.PATH, enum=list(PUBLISHED)),
            OpenApiParameter("key", str, OpenApiParameter.PATH, description="For example DLP.Evidence.692."),
            OpenApiParameter("page", PAGE_NUMBER),
            OpenApiParameter("page_size", size_schema()),
        ],
        responses={200: HistorySerializer, 400: WRONG, 404: MISSING},
    )
    def get(self, request: Request, kind: str, key: str) -> Response:
        if kind not in PUBLISHED:
            raise no_such_row("kind of history", "kind", kind, nearest_word(kind, PUBLISHED))
        row_kind = PUBLISHED[kind]
        named_row = named(row_kind, key)
        if named_row is None:
            raise no_such_row(f"history of a {row_kind.name}", "key", key, row_kind.nearest_key(key))
        return Response(HistorySerializer(_document(request, kind, key, named_row)).data)


def _document(request: Request, published: str, key: str, named_row: Named) -> dict[str, Any]:
    kind = PUBLISHED[published]
    every = grouped(events(tracked(kind, named_row.numbers)))
    size = page_size(request)
    most = max(1, -(-len(every) // size))
    number = whole_number("page", request.query_params.get("page"), 1, most)
    return {
        "kind": published,
        "key": key,
        "key_now": key_of(named_row.row) if named_row.row else None,
        "page": reverse("history", args=[kind.name, key], request=request),
        "count": len(every),
        "next": _page(request, number + 1) if number < most else None,
        "previous": _page(request, number - 1) if number > 1 else None,
        "results": [revision(event) for event in every[(number - 1) * size : number * size]],
    }


def _page(request: Request, number: int) -> str:
    return str(replace_query_param(request.build_absolute_uri(), "page", number))
