"""Clauses in the API: which words of which record became which rule, and on what ground."""

from django.db.models import Prefetch, QuerySet, TextField
from django.db.models.functions import Cast
from django_filters import CharFilter, ChoiceFilter
from rest_framework import serializers

from catalogue.api.endpoints import resource
from catalogue.api.links import AnchoredWordsSerializer, ApiAddress, HistoryAddress, PageAddress, ReadingLink
from catalogue.api.viewsets import KeyedViewSet
from catalogue.evidence.clauses import clauses_of
from catalogue.filters.common import OfWords
from catalogue.filters.fields import KnownValueFilter
from catalogue.models import Anchor, Basis, Clause, Reading
from catalogue.texts.errors import LONGEST_REPEATED, nearest_word
from catalogue.web.problem_document import RefusedRequest


class ClauseSerializer(serializers.ModelSerializer[Clause]):
    key = serializers.CharField(source="__str__", read_only=True, help_text="Its reading’s name, a slash, its own.")
    url = ApiAddress("clause", "__str__")
    page = PageAddress()
    history = HistoryAddress()
    reading = ReadingLink(read_only=True)
    parameters = serializers.ListField(
        child=serializers.CharField(), help_text="Keys of the reading’s ruleset that it covers."
    )
    source = serializers.CharField(  # type: ignore[assignment]
        read_only=True, help_text="Where the rule is from, if from no record; else empty."
    )
    words = AnchoredWordsSerializer(source="anchors", many=True, read_only=True)

    class Meta:
        model = Clause
        fields = ("key", "url", "page", "history", "reading", "parameters", "basis", "text", "source", "words")


class ClauseFilters(OfWords):
    anchored = "clause"
    reading = KnownValueFilter(
        field_name="reading__slug", model=Reading, column="slug", label="its own clauses, not those it inherits"
    )
    held_by = KnownValueFilter(
        model=Reading, column="slug", method="of_holder", label="a reading: its own clauses and those it inherits"
    )
    basis = ChoiceFilter(choices=Basis.choices)
    parameter = CharFilter(method="of_parameter", label="a key of a ruleset that it covers")

    def of_holder(self, rows: "QuerySet[Clause]", name: str, value: str) -> "QuerySet[Clause]":
        return rows.filter(pk__in=[one.clause.pk for one in clauses_of([value])[value]])

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
