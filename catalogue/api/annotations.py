"""Anchors in the API, each a document of the W3C Web Annotation model (https://www.w3.org/TR/annotation-model/).

The target is a text of a record: the field of its row in this API, named by a JSON pointer. Offsets count code points
of that field, and the state holds the digest of the text in which they were counted.
"""

from typing import Any

from django.db.models import Q, QuerySet
from django_filters import ChoiceFilter
from rest_framework import serializers

from catalogue.api.endpoints import resource
from catalogue.api.links import ApiAddress
from catalogue.api.viewsets import CatalogueViewSet
from catalogue.filters.common import OfRecord
from catalogue.filters.fields import KnownValueFilter
from catalogue.identifiers.annotations import CONTEXT, annotation
from catalogue.models import Anchor, Reading


class BodySerializer(serializers.Serializer[Any]):
    """What the words are said of: its page, what it says, and in one word what that rests on."""

    type = serializers.ChoiceField(choices=["SpecificResource", "TextualBody"])
    purpose = serializers.ChoiceField(choices=["identifying", "describing", "classifying"])
    source = serializers.URLField(  # type: ignore[assignment]
        required=False, help_text="The page of the clause, answer, claim or reading."
    )
    format = serializers.CharField(required=False, help_text="text/plain")
    language = serializers.CharField(required=False, help_text="en")
    value = serializers.CharField(required=False, help_text="The text, or the basis.")


class SelectorSerializer(serializers.Serializer[Any]):
    type = serializers.ChoiceField(choices=["TextQuoteSelector", "TextPositionSelector"])
    exact = serializers.CharField(required=False)
    prefix = serializers.CharField(required=False)
    suffix = serializers.CharField(required=False)
    start = serializers.IntegerField(required=False, help_text="In code points, from 0.")
    end = serializers.IntegerField(required=False)


class StateSerializer(serializers.Serializer[Any]):
    type = serializers.CharField(help_text="State")
    value = serializers.CharField(help_text="sha-256: and the digest of the text, in UTF-8, that the offsets count in.")


class TargetSerializer(serializers.Serializer[Any]):
    type = serializers.CharField(help_text="SpecificResource")
    source = serializers.URLField(  # type: ignore[assignment]
        help_text="The text: a field of the record’s row in this API, as a JSON pointer."
    )
    scope = serializers.URLField(help_text="The page of the record for readers.")
    selector = SelectorSerializer(many=True)
    state = StateSerializer()


class AnnotationSerializer(serializers.Serializer[Anchor]):
    """As `catalogue.identifiers.annotations` writes it; the fields say what there is."""

    id = ApiAddress("annotation", "key")
    type = serializers.CharField(read_only=True, help_text="Annotation")
    motivation = serializers.CharField(
        read_only=True, help_text="linking: the words speak for what the body says; questioning: they speak against it."
    )
    body = BodySerializer(many=True, read_only=True)
    target = TargetSerializer(read_only=True)

    def get_fields(self) -> dict[str, Any]:
        return {"@context": serializers.CharField(read_only=True, help_text=CONTEXT), **super().get_fields()}

    def to_representation(self, instance: Anchor) -> dict[str, Any]:
        whole = annotation(instance, self.context["request"])
        return {name: whole[name] for name in map(str, self.fields)}


class AnnotationFilters(OfRecord):
    reading = KnownValueFilter(
        model=Reading, column="slug", method="of_reading", label="words of its own clauses, and of what it rests on"
    )
    stance = ChoiceFilter(choices=Anchor.Stance.choices, label="whether the words speak for it or against it")

    def of_reading(self, rows: "QuerySet[Anchor]", name: str, value: str) -> "QuerySet[Anchor]":
        return rows.filter(Q(clause__reading__slug=value) | Q(reading__slug=value))


@resource(
    "annotations",
    name="annotation",
    holds="words of records with their places, as W3C Web Annotations",
    key="{annotation}",
    identifies="words/{key}",
)
class AnnotationViewSet(CatalogueViewSet):
    """Words of records and what was read from them, as W3C Web Annotations."""

    serializer_class, filterset_class = AnnotationSerializer, AnnotationFilters
    lookup_field, lookup_value_regex = "key", ".+"
    orderings = {"key": ("key",), "evidence": ("evidence__identifier", "field", "start", "key")}
    queryset = (
        Anchor.objects.shown()
        .select_related("evidence", "clause__reading", "answer__question__game", "claim__game", "reading")
        .defer("evidence__paraphrase")
        .order_by("key")
    )
