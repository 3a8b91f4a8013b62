"""Ladders and solutions in the API: what foresight is worth in a ruleset, and what best play comes to.

A ladder is requested as the button of a ruleset's page does: by players who think ahead, each with twice the budget.
"""

from typing import Any

from django.db.models import QuerySet
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from catalogue.api.batches import PlayedRulesetSerializer
from catalogue.api.endpoints import resource
from catalogue.api.fields import (
    Address,
    ApiAddress,
    Document,
    shape,
)
from catalogue.api.jobs import (
    AwaitedViewSet,
    RequestedSerializer,
    StrictSerializer,
    WholeNumber,
    describe_awaited,
)
from catalogue.api.viewsets import CatalogueViewSet
from catalogue.filters.filter_sets import ChangedSince, OfRuleset
from simulator import rulesets
from simulator.analyses import ladder_matches
from simulator.analyses.ladders import LADDERS, as_read, ladder_command, offer_for
from simulator.engine.family import family
from simulator.models import Ladder, Solution


class ThoughtOfSerializer(PlayedRulesetSerializer):
    """The ruleset that was thought about."""


class LadderSerializer(serializers.ModelSerializer[Ladder]):
    url = ApiAddress("ladder", "id")
    ruleset = ThoughtOfSerializer(read_only=True)
    request = Document(
        "LadderContent", read_only=True, help_text="The rungs, weakest first, and the games of each match."
    )
    document = serializers.SerializerMethodField(help_text="Every match with its figures and batches.")
    command = serializers.SerializerMethodField(help_text="What climbs exactly this ladder again, on any machine.")

    class Meta:
        model = Ladder
        fields = ("id", "url", "ruleset", "request", "created", "document", "command")

    @extend_schema_field(shape("LadderDocument"))
    def get_document(self, ladder: Ladder) -> dict[str, Any]:
        return as_read(rulesets.as_engine(ladder.ruleset), ladder.document or {})

    def get_command(self, ladder: Ladder) -> str:
        return ladder_command(rulesets.as_engine(ladder.ruleset), ladder.ruleset.versioned_name, ladder.request)


class RequestedLadderSerializer(RequestedSerializer):
    """A ladder that is waited for, or that came to nothing."""

    id = serializers.CharField(help_text="Of the ladder, which keeps it.")
    url = ApiAddress("ladder", "id")
    ruleset = ThoughtOfSerializer()
    request = Document("LadderContent", help_text="The rungs, weakest first, and the games of each match.")

    kind = LADDERS


class LadderRequestSerializer(StrictSerializer):
    """As the form on the page of a ruleset without a ladder; what is left out is as there."""

    ruleset = serializers.CharField(
        max_length=100, help_text="slug, slug@number, hash, or at least eight digits of its beginning."
    )
    most = WholeNumber(
        required=False,
        min_value=ladder_matches.FIRST_BUDGET,
        max_value=ladder_matches.MOST_BUDGETS["uct"],
        help_text="Iterations of the highest rung at most; below it are half as many, a quarter, and so on.",
    )
    games = WholeNumber(
        required=False,
        min_value=1,
        max_value=ladder_matches.MOST_GAMES,
        help_text="Of each match, all seatings together; visitors are bounded in processor time, as measured.",
    )

    def field_of(self, key: str) -> str:
        return key if key in self.fields or not key else "ruleset"


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
        return solution.family_version == family(solution.ruleset.family).rules_version


def _done(model: Any) -> "QuerySet[Any]":
    """Rows that are computed, with the names of their rulesets."""
    rows: QuerySet[Any] = model.objects.filter(state=model.State.DONE, document__isnull=False)
    return rows.select_related("ruleset").prefetch_related("ruleset__versions")


class ComputedFilters(OfRuleset, ChangedSince):
    pass


@resource("ladders", name="ladder", holds="how much foresight is worth in a ruleset", key="{ladder}")
@describe_awaited(LadderSerializer, RequestedLadderSerializer, "ladder")
class LadderViewSet(AwaitedViewSet):
    """How far players that think ahead beat those that think less, in each ruleset that somebody has tried."""

    kind, request_class, requested_class = LADDERS, LadderRequestSerializer, RequestedLadderSerializer

    serializer_class, filterset_class = LadderSerializer, ComputedFilters
    queryset = _done(Ladder)

    def request_row(self, wanted: dict[str, Any], on_behalf: dict[str, Any]) -> Ladder:
        found = rulesets.find(wanted["ruleset"])
        offer = offer_for(found)
        rungs = ladder_matches.doubling(most=wanted.get("most", offer.most))
        request = ladder_matches.check_ladder(
            wanted["ruleset"], rungs, games=wanted.get("games", offer.games), ruleset=found
        )
        return LADDERS.request(request, **on_behalf)


@resource("solutions", name="solution", holds="what best play comes to in a ruleset", key="{solution}")
class SolutionViewSet(CatalogueViewSet):
    """What best play comes to in each ruleset that somebody has solved."""

    serializer_class, filterset_class = SolutionSerializer, ComputedFilters
    lookup_field, lookup_url_kwarg = "ruleset_id", "hash"
    orderings = {"created": ("created", "ruleset_id"), "hash": ("ruleset_id",)}
    usual_ordering = "-created"
    queryset = _done(Solution)
