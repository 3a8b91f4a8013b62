"""Games in the API, with the names they go by."""

from typing import Any

from django.db.models import Prefetch
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from catalogue.api.endpoints import resource
from catalogue.api.links import ApiAddress, PageAddress, ReadingLink
from catalogue.api.portal import PORTAL_LINKS, PortalGameSerializer
from catalogue.api.viewsets import CatalogueViewSet
from catalogue.filters.games import GameFilters
from catalogue.findings.gathered import findings
from catalogue.findings.over_levels import DifferenceOverLevels
from catalogue.models import Evidence, Game, GameName, PortalGame, Reading
from catalogue.models.querysets import game_rows
from simulator.statistics.over_levels import LevelDifference, OverLevels
from simulator.statistics.undecided import REASONS


class GameNameSerializer(serializers.ModelSerializer[GameName]):
    evidence = serializers.SlugRelatedField[Evidence](
        slug_field="identifier", read_only=True, allow_null=True, help_text="The record in which the name is printed."
    )

    class Meta:
        model = GameName
        fields = ("name", "kind", "language", "gloss", "evidence")


class GameSerializer(serializers.ModelSerializer[Game]):
    url = ApiAddress("game")
    page = PageAddress()
    names = GameNameSerializer(many=True, read_only=True)
    readings = ReadingLink(many=True, read_only=True)
    records = serializers.IntegerField(read_only=True, help_text="How many records tell of it.")
    portal = PortalGameSerializer(
        read_only=True, allow_null=True, help_text="What the portal says of it; null if its description is not here."
    )

    class Meta:
        model = Game
        fields: tuple[str, ...] = (
            "slug",
            "url",
            "page",
            "name",
            "is_reference",
            "description",
            "names",
            "records",
            "readings",
            "portal",
        )


class LevelDifferenceSerializer(serializers.Serializer[LevelDifference]):
    level = serializers.CharField(help_text="Of play, in a word.")
    first = serializers.FloatField(help_text="The share of the games of the first reading.")
    second = serializers.FloatField(help_text="The same of the second.")
    difference = serializers.FloatField(source="interval.value", help_text="The second share less the first.")
    low = serializers.FloatField(
        source="interval.low", help_text="Lower 95 % limit; the difference where it is proved."
    )
    high = serializers.FloatField(source="interval.high", help_text="Upper limit.")
    games = serializers.ListField(
        child=serializers.IntegerField(), help_text="Of the first and the second reading; 0 where it is proved."
    )


class DifferenceOverLevelsSerializer(serializers.Serializer[DifferenceOverLevels]):
    outcome = serializers.CharField(help_text="How games end: “won by the first player”.")
    counted = serializers.CharField(
        help_text="What ends so on every level: “games”; or “first rounds”, where some level has no more of a game."
    )
    first = serializers.CharField(source="first.slug", help_text="The slug of a reading.")
    second = serializers.CharField(source="second.slug", help_text="The slug of another.")
    becomes = serializers.ChoiceField(
        source="verdict",
        choices=[(str(one), str(one)) for one in OverLevels],
        help_text="The verdict over the levels; how it is found stands at /about/figures/.",
    )
    why = serializers.CharField(
        source="judged.why.text", default="", help_text="What is missing, where it is undecided; else empty."
    )
    undecided_because = serializers.ChoiceField(
        source="judged.why.because",
        default=None,
        allow_null=True,
        choices=REASONS,
        help_text="The same as one of a few reasons; null where it is not undecided.",
    )
    games_wanted = serializers.IntegerField(
        source="judged.why.games",
        default=None,
        allow_null=True,
        help_text="About how many games more of each reading, on the level that lacks most, if they go as these did.",
    )
    levels = LevelDifferenceSerializer(source="judged.levels", many=True, help_text="From the weakest players on.")


class WholeGameSerializer(GameSerializer):
    over_levels = serializers.SerializerMethodField(
        help_text="What becomes of each difference between two readings when the players get stronger."
    )

    class Meta(GameSerializer.Meta):
        fields = (*GameSerializer.Meta.fields, "over_levels")

    @extend_schema_field(DifferenceOverLevelsSerializer(many=True))
    def get_over_levels(self, game: Game) -> Any:
        rows: Any = findings().by_strength.get(game.pk, ())
        return DifferenceOverLevelsSerializer(rows, many=True).data


@resource(
    "games",
    name="game",
    holds="games with their native names, glossed, and what the portal says of them",
    key="daramuti",
    identifies="game/{slug}",
)
class GameViewSet(CatalogueViewSet):
    """Games, with their native names and their glosses, and the readings that can be played."""

    serializer_class, whole_class = GameSerializer, WholeGameSerializer
    filterset_class, lookup_field = GameFilters, "slug"
    orderings = {"name": ("name",), "slug": ("slug",)}
    queryset = game_rows().prefetch_related(
        Prefetch("readings", Reading.objects.order_by("position", "slug")),
        Prefetch("portal", PortalGame.objects.prefetch_related(*PORTAL_LINKS)),
    )
