"""Games in the API: their names, their readings, and what the Ludii portal says of them and of its own rulesets."""

from typing import Any

from django.db.models import F, Prefetch, QuerySet
from django.db.models.functions import Abs
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from catalogue.api.endpoints import resource
from catalogue.api.fields import ApiAddress, GameLink, PageAddress, PlaceLink, ReadingLink
from catalogue.api.viewsets import CatalogueViewSet, no_such_row
from catalogue.filters.filter_sets import GameFilters, OfGame, WrittenSince, YesOrNo
from catalogue.findings.kept import findings
from catalogue.findings.over_levels import DifferenceOverLevels
from catalogue.models import Category, Evidence, Game, GameName, Period, PortalGame, PortalRuleset, Reading, Source
from catalogue.models.querysets import game_rows
from simulator.statistics.over_levels import LevelDifference, OverLevels
from simulator.statistics.verdicts import REASONS

PORTAL_LINKS = ("regions", "periods", "categories", "sources", "origin_points")
IDENTIFIER = "How the Ludii portal cites it."


class OtherFields(serializers.DictField):
    """What the portal's dump has in columns that no field here is for."""

    child = serializers.CharField()

    def __init__(self) -> None:
        super().__init__(read_only=True, help_text="Further columns of the Ludii portal, by name.")


class PortalGameSerializer(serializers.ModelSerializer[PortalGame]):
    identifier = serializers.CharField(read_only=True, help_text=f"{IDENTIFIER} For example DLP.Game.57.")
    regions = PlaceLink(many=True, read_only=True)
    periods = serializers.SlugRelatedField[Period](slug_field="slug", many=True, read_only=True)
    categories = serializers.SlugRelatedField[Category](slug_field="slug", many=True, read_only=True)
    origin_points = PlaceLink(many=True, read_only=True, help_text="Where the Ludii portal’s map puts its origin.")
    sources = serializers.SlugRelatedField[Source](
        slug_field="key",
        many=True,
        read_only=True,
        help_text="Keys of the sources the Ludii portal names for the game.",
    )
    other_fields = OtherFields()

    class Meta:
        model = PortalGame
        fields = (
            "identifier", "description", "reference", "origin", "origin_points", "regions", "periods", "categories",
            "sources", "bgg_number", "other_fields",
        )  # fmt: skip


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
        read_only=True,
        allow_null=True,
        help_text="What the Ludii portal says of it; null if its description is not here.",
    )

    class Meta:
        model = Game
        fields: tuple[str, ...] = (
            "slug", "url", "page", "name", "is_reference", "description", "names", "records", "readings", "portal",
        )  # fmt: skip


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
    kinds = serializers.ListField(
        child=serializers.IntegerField(allow_null=True),
        help_text="How many of them are different in anything that is counted; null where it is not known.",
    )
    few = serializers.BooleanField(
        help_text="Whether these are so few that nothing is concluded of others than those who played."
    )


class LevelOfTwoSerializer(LevelDifferenceSerializer):
    """A level that thinks is played by two players; a difference is shown there if both show it."""

    wants_second = serializers.BooleanField(help_text="Whether a second player has to show it too.")
    again = LevelDifferenceSerializer(allow_null=True, help_text="The same of the second player; null without one.")


class DifferenceOverLevelsSerializer(serializers.Serializer[DifferenceOverLevels]):
    outcome = serializers.CharField(help_text="How games end: “won by the first player”.")
    counted = serializers.CharField(
        help_text="What ends so on every level: “games”; or “first rounds”, where some level has no more of a game."
    )
    first = serializers.CharField(source="first.slug", help_text="The slug of a reading.")
    second = serializers.CharField(source="second.slug", help_text="The slug of another.")
    becomes = serializers.ChoiceField(
        source="verdict",
        choices=[(str(level), str(level)) for level in OverLevels],
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
    levels = LevelOfTwoSerializer(source="judged.levels", many=True, help_text="From the weakest players on.")


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
    holds="games with their native names, glossed, and what the Ludii portal says of them",
    key="daramuti",
    identifies="game/{slug}",
    queries={"retrieve": 14},
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


class PortalRulesetSerializer(serializers.ModelSerializer[PortalRuleset]):
    url = ApiAddress("portal-ruleset", "number")
    page = PageAddress()
    identifier = serializers.CharField(read_only=True, help_text=f"{IDENTIFIER} For example DLP.Ruleset.57.")
    game = GameLink(read_only=True)
    origin_points = PlaceLink(many=True, read_only=True, help_text="Where the Ludii portal’s map puts its origin.")
    regions = PlaceLink(many=True, read_only=True)
    periods = serializers.SlugRelatedField[Period](slug_field="slug", many=True, read_only=True)
    evidence = serializers.SlugRelatedField[Evidence](
        slug_field="identifier", many=True, read_only=True, help_text="The records it rests on."
    )
    readings = serializers.SerializerMethodField(help_text="Rulesets of this catalogue read from the same records.")
    other_fields = OtherFields()

    class Meta:
        model = PortalRuleset
        fields = (
            "number", "url", "page", "identifier", "game", "name", "native_name", "type", "is_main", "summary",
            "description", "rules", "reference", "origin", "origin_points", "regions", "periods", "other_fields",
            "evidence", "readings",
        )  # fmt: skip

    def get_readings(self, ruleset: PortalRuleset) -> list[str]:
        return sorted({reading.slug for record in ruleset.evidence.all() for reading in record.readings.all()})


class PortalRulesetFilters(OfGame, WrittenSince):
    main = YesOrNo(field_name="is_main", label="yes: only the main ruleset of each game; no: only the others")


def _rows() -> "QuerySet[PortalRuleset]":
    readings = Prefetch("readings", Reading.objects.only("slug"))
    records = Prefetch("evidence", Evidence.objects.shown().prefetch_related(readings))
    return PortalRuleset.objects.select_related("game").prefetch_related(records, "origin_points", "regions", "periods")


@resource(
    "portal-rulesets",
    name="portal-ruleset",
    holds="rules as the Ludii portal tells them in prose, executable or not",
    key="{portal_ruleset}",
)
class PortalRulesetViewSet(CatalogueViewSet):
    """Rules as the Ludii portal gives them in prose, also of games that nobody has made executable yet."""

    serializer_class, filterset_class, lookup_field = PortalRulesetSerializer, PortalRulesetFilters, "number"
    lookup_value_regex = "[0-9]{1,9}"
    orderings = {"number": ("number",), "game": ("game__slug", "number")}
    queryset = _rows()

    def get_object(self) -> PortalRuleset:
        """The one of that number; else RefusedRequest, naming the nearest number."""
        number = int(self.kwargs["number"])
        row: PortalRuleset | None = self.get_queryset().filter(number=number).first()
        if row is None:
            by_distance = PortalRuleset.objects.order_by(Abs(F("number") - number), "number")
            raise no_such_row(
                "portal ruleset", "number", str(number), by_distance.values_list("number", flat=True).first()
            )
        return row
