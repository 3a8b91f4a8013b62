"""Coverage in the API: how much of a record's words carries a rule, and which rules rest on no words."""

from typing import Any

from django.db.models.functions import Length
from rest_framework import serializers

from catalogue.api.endpoints import resource
from catalogue.api.viewsets import CatalogueViewSet
from catalogue.evidence.apparatus import coverage_of
from catalogue.filters.common import OfGame
from catalogue.models import Evidence


class TextCoverageSerializer(serializers.Serializer[Any]):
    words = serializers.IntegerField(help_text="Of the text; 0 if the record has no such text.")
    anchored = serializers.IntegerField(help_text="Those that a rule rests on.")
    opposing = serializers.IntegerField(help_text="Those that speak against a rule.")
    claimed = serializers.IntegerField(help_text="Those of a sentence that can be tested.")
    unused = serializers.IntegerField(help_text="Those that are none of these. A word may be several.")
    share = serializers.FloatField(allow_null=True, help_text="`anchored` divided by `words`; null without words.")


class CoverageSerializer(serializers.Serializer[Any]):
    record = serializers.CharField(help_text="The identifier of the record.")
    game = serializers.CharField(help_text="The slug of its game.")
    quotation = TextCoverageSerializer()
    paraphrase = TextCoverageSerializer()
    clauses = serializers.IntegerField(help_text="Rules of the readings of this record, inherited ones as well.")
    clauses_without_words = serializers.ListField(
        child=serializers.CharField(), help_text="Keys of those that rest on no words of any record."
    )


@resource(
    "coverage",
    name="coverage",
    holds="how many of a record’s words a rule uses, and which rules rest on no words",
    key="DLP.Evidence.692",
    identifies="record/{identifier}",
)
class CoverageViewSet(CatalogueViewSet):
    """How much of each record's words carries a rule, and which rules of its readings rest on no words."""

    serializer_class, filterset_class, lookup_field = CoverageSerializer, OfGame, "identifier"
    orderings = {"identifier": (Length("identifier"), "identifier")}
    queryset = Evidence.objects.shown().select_related("game")

    def with_details(self, rows: list[Any]) -> list[Any]:
        return coverage_of(rows)
