"""Ladders and solutions in the API: how much foresight is worth in a ruleset, and what best play comes to."""

from typing import Any

from django.db.models import QuerySet
from rest_framework import serializers

from catalogue.api.batch_fields import PlayedRulesetSerializer
from catalogue.api.links import Address, ApiAddress
from catalogue.api.shapes import Document
from catalogue.api.viewsets import CatalogueViewSet
from catalogue.filters.common import OfRuleset
from simulator.engine.family import family
from simulator.models import Ladder, Solution
from simulator.strength import ladders


class ThoughtOfSerializer(PlayedRulesetSerializer):
    """The ruleset that was thought about."""


class LadderSerializer(serializers.ModelSerializer[Ladder]):
    url = ApiAddress("ladder", "id")
    ruleset = ThoughtOfSerializer(read_only=True)
    request = Document(
        "LadderContent", read_only=True, help_text="The rungs, weakest first, and the games of each match."
    )
    document = Document("LadderDocument", read_only=True, help_text="Every match with its figures and batches.")
    command = serializers.SerializerMethodField(help_text="What climbs exactly this ladder again, on any machine.")

    class Meta:
        model = Ladder
        fields = ("id", "url", "ruleset", "request", "created", "document", "command")

    def get_command(self, ladder: Ladder) -> str:
        return ladders.ladder_command(ladder.ruleset.versioned_name, ladder.request)


class SolutionSerializer(serializers.ModelSerializer[Solution]):
    hash = serializers.CharField(source="ruleset_id", read_only=True, help_text="Of the ruleset, whose solution it is.")
    url = Address("v1:solution-detail", "ruleset_id", help_text="Its address in this API.")
    ruleset = ThoughtOfSerializer(read_only=True)
    document = Document("SolutionDocument", read_only=True, help_text="The value of the start, and how it was proved.")
    is_of_this_engine = serializers.SerializerMethodField(
        help_text="Whether the engine installed here has the rules that were solved."
    )

    class Meta:
        model = Solution
        fields = ("hash", "url", "ruleset", "created", "family_version", "is_of_this_engine", "document")

    def get_is_of_this_engine(self, solution: Solution) -> bool:
        return solution.family_version == family(solution.ruleset.family).version


def _done(model: Any) -> "QuerySet[Any]":
    """Those that are worked out, with the names of their rulesets."""
    rows: QuerySet[Any] = model.objects.filter(state=model.State.DONE, document__isnull=False)
    return rows.select_related("ruleset").prefetch_related("ruleset__versions")


class LadderViewSet(CatalogueViewSet):
    """How far players that think ahead beat those that think less, in each ruleset that somebody has tried."""

    serializer_class, filterset_class, lookup_field = LadderSerializer, OfRuleset, "id"
    orderings = {"created": ("created", "id")}
    usual_ordering = "-created"
    queryset = _done(Ladder)


class SolutionViewSet(CatalogueViewSet):
    """What best play comes to in each ruleset that somebody has solved."""

    serializer_class, filterset_class = SolutionSerializer, OfRuleset
    lookup_field, lookup_url_kwarg = "ruleset_id", "hash"
    orderings = {"created": ("created", "ruleset_id"), "hash": ("ruleset_id",)}
    usual_ordering = "-created"
    queryset = _done(Solution)
