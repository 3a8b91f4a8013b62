"""Anchors in the API, each a document of the W3C Web Annotation model (https://www.w3.org/TR/annotation-model/).

The target is a text of a record: the field of its row in this API, named by a JSON pointer. Offsets count code points
of that field, and the state holds the digest of the text in which they were counted.
"""

from typing import Any, ClassVar

from django.db.models import Q, QuerySet
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers
from rest_framework.reverse import reverse

from catalogue.api.cursors import Orderings
from catalogue.api.links import ApiAddress
from catalogue.api.parameters import ChoiceFilter, KnownValueFilter, StrictFilterSet
from catalogue.api.viewsets import CatalogueViewSet
from catalogue.models import Anchor, Evidence, Reading

CONTEXT = "http://www.w3.org/ns/anno.jsonld"
MOTIVATIONS = {Anchor.Stance.SUPPORTS: "linking", Anchor.Stance.CONTRADICTS: "questioning"}


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
    id = ApiAddress("annotation", "key")
    type = serializers.SerializerMethodField(help_text="Annotation")
    motivation = serializers.SerializerMethodField(
        help_text="linking: the words speak for what the body says; questioning: they speak against it."
    )
    body = serializers.SerializerMethodField()
    target = serializers.SerializerMethodField()

    def get_fields(self) -> dict[str, Any]:
        context = serializers.SerializerMethodField(method_name="the_context", help_text=CONTEXT)
        return {"@context": context, **super().get_fields()}

    def the_context(self, anchor: Anchor) -> str:
        return CONTEXT

    def get_type(self, anchor: Anchor) -> str:
        return "Annotation"

    def get_motivation(self, anchor: Anchor) -> str:
        return MOTIVATIONS[Anchor.Stance(anchor.stance)]

    @extend_schema_field(BodySerializer(many=True))
    def get_body(self, anchor: Anchor) -> list[dict[str, str]]:
        page, text, basis = _said(anchor)
        bodies = [{"type": "SpecificResource", "purpose": "identifying", "source": self._address(page)}]
        for purpose, value in (("describing", text), ("classifying", basis)):
            if value:
                plain = {"format": "text/plain", "language": "en"} if purpose == "describing" else {}
                bodies.append({"type": "TextualBody", "purpose": purpose, **plain, "value": value})
        return bodies

    @extend_schema_field(TargetSerializer)
    def get_target(self, anchor: Anchor) -> dict[str, Any]:
        record = anchor.evidence
        row = reverse("v1:evidence-detail", args=[record.identifier], request=self.context["request"])
        return {
            "type": "SpecificResource",
            "source": f"{row}#/{_field_of(anchor)}",
            "scope": self._address(record.get_absolute_url()),
            "selector": anchor.selectors,
            "state": {"type": "State", "value": f"sha-256:{anchor.text_sha256}"},
        }

    def _address(self, path: str) -> str:
        return str(self.context["request"].build_absolute_uri(path))


def _said(anchor: Anchor) -> tuple[str, str, str]:
    """(page, text, basis) of what the words are said of."""
    if anchor.clause:
        return anchor.clause.get_absolute_url(), anchor.clause.text, anchor.clause.basis
    if anchor.answer:
        return f"{anchor.answer.question.get_absolute_url()}#answer-{anchor.answer.slug}", anchor.answer.text, ""
    if anchor.claim:
        return anchor.claim.get_absolute_url(), anchor.claim.text, ""
    assert anchor.reading is not None
    return anchor.reading.get_absolute_url(), anchor.reading.rests_text, anchor.reading.rests_basis


def _field_of(anchor: Anchor) -> str:
    """What the row of a record calls the text."""
    if anchor.field == Anchor.Field.RULES:
        return "paraphrase"
    return "quotation" if anchor.evidence.is_quoted else "remark_on_source"


class AnnotationFilters(StrictFilterSet):
    evidence = KnownValueFilter(
        field_name="evidence__identifier", model=Evidence, column="identifier", label="identifier of a record"
    )
    reading = KnownValueFilter(
        model=Reading, column="slug", method="of_reading", label="words of its own clauses, and of what it rests on"
    )
    stance = ChoiceFilter(choices=Anchor.Stance.choices, label="whether the words speak for it or against it")

    class Meta:
        model = Anchor
        fields: tuple[str, ...] = ()

    def of_reading(self, rows: "QuerySet[Anchor]", name: str, value: str) -> "QuerySet[Anchor]":
        return rows.filter(Q(clause__reading__slug=value) | Q(reading__slug=value))


class AnnotationViewSet(CatalogueViewSet):
    """Words of records and what was read from them, as W3C Web Annotations."""

    serializer_class, filterset_class = AnnotationSerializer, AnnotationFilters
    lookup_field, lookup_value_regex = "key", ".+"
    orderings: ClassVar[Orderings] = {
        "key": ("key",),
        "evidence": ("evidence__identifier", "field", "start", "key"),
    }
    usual_ordering = "key"
    queryset = (
        Anchor.objects.shown()
        .select_related("evidence", "clause__reading", "answer__question__game", "claim__game", "reading")
        .defer("evidence__rules")
        .order_by("key")
    )
