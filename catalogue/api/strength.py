"""Ladders and solutions in the API: how much foresight is worth in a ruleset, and what best play comes to."""

from typing import Any, ClassVar

from django.db.models import QuerySet
from django_filters import CharFilter
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers
from rest_framework.reverse import reverse

from catalogue.api.cursors import Orderings
from catalogue.api.links import ApiAddress
from catalogue.api.viewsets import CatalogueViewSet
from catalogue.filters.fields import StrictFilterSet
from simulator import rulesets
from simulator.engine.family import family
from simulator.models import Ladder, Ruleset, Solution
from simulator.strength import ladders


class ThoughtOfSerializer(serializers.Serializer[Any]):
    """The ruleset that was thought about."""

    name = serializers.SerializerMethodField(help_text="slug@number, or the hash where the content has no name.")
    hash = serializers.CharField()
    url = serializers.SerializerMethodField(help_text="Its address in this API.")

    def get_name(self, ruleset: Ruleset) -> str:
        return name_of(ruleset)

    def get_url(self, ruleset: Ruleset) -> str:
        return reverse("v1:ruleset-detail", args=[name_of(ruleset)], request=self.context["request"])


def name_of(ruleset: Ruleset) -> str:
    """What the content is called: its first name, or its hash."""
    return next(map(str, ruleset.versions.all()), ruleset.hash)


class LadderSerializer(serializers.ModelSerializer[Ladder]):
    url = ApiAddress("ladder", "id")
    ruleset = ThoughtOfSerializer(read_only=True)
    request = serializers.DictField(read_only=True, help_text="The rungs, weakest first, and the games of each match.")
    document = serializers.DictField(read_only=True, help_text="Every match with its figures and batches.")
    command = serializers.SerializerMethodField(help_text="What climbs exactly this ladder again, on any machine.")

    class Meta:
        model = Ladder
        fields = ("id", "url", "ruleset", "request", "created", "document", "command")

    def get_command(self, ladder: Ladder) -> str:
        return ladders.command_line(name_of(ladder.ruleset), ladder.request)


class SolutionSerializer(serializers.ModelSerializer[Solution]):
    hash = serializers.CharField(source="ruleset_id", read_only=True, help_text="Of the ruleset, whose solution it is.")
    url = serializers.SerializerMethodField(help_text="Its address in this API.")
    ruleset = ThoughtOfSerializer(read_only=True)
    document = serializers.DictField(read_only=True, help_text="The value of the start, and how it was proved.")
    is_of_this_engine = serializers.SerializerMethodField(
        help_text="Whether the engine installed here has the rules that were solved."
    )

    class Meta:
        model = Solution
        fields = ("hash", "url", "ruleset", "created", "family_version", "is_of_this_engine", "document")

    def get_url(self, solution: Solution) -> str:
        return reverse("v1:solution-detail", args=[solution.ruleset_id], request=self.context["request"])

    @extend_schema_field(bool)
    def get_is_of_this_engine(self, solution: Solution) -> bool:
        return solution.family_version == family(solution.ruleset.family).version


class OfRuleset(StrictFilterSet):
    ruleset = CharFilter(method="of_ruleset", label="slug, slug@number, hash or its beginning")

    def of_ruleset(self, rows: "QuerySet[Any]", name: str, value: str) -> "QuerySet[Any]":
        return rows.filter(ruleset=rulesets.find(value).hash)


class LadderFilters(OfRuleset):
    class Meta:
        model = Ladder
        fields: tuple[str, ...] = ()


class SolutionFilters(OfRuleset):
    class Meta:
        model = Solution
        fields: tuple[str, ...] = ()


class LadderViewSet(CatalogueViewSet):
    """How far players that think ahead beat those that think less, in each ruleset that somebody has tried."""

    serializer_class, filterset_class, lookup_field = LadderSerializer, LadderFilters, "id"
    orderings: ClassVar[Orderings] = {"created": ("created", "id")}
    usual_ordering = "-created"
    queryset = (
        Ladder.objects.filter(state=Ladder.State.DONE, document__isnull=False)
        .select_related("ruleset")
        .prefetch_related("ruleset__versions")
    )


class SolutionViewSet(CatalogueViewSet):
    """What best play comes to in each ruleset that somebody has solved."""

    serializer_class, filterset_class = SolutionSerializer, SolutionFilters
    lookup_field, lookup_url_kwarg = "ruleset_id", "hash"
    orderings: ClassVar[Orderings] = {"created": ("created", "ruleset_id"), "hash": ("ruleset_id",)}
    usual_ordering = "-created"
    queryset = (
        Solution.objects.filter(state=Solution.State.DONE, document__isnull=False)
        .select_related("ruleset")
        .prefetch_related("ruleset__versions")
    )
