"""Games in the API, with the names they go by."""

from typing import ClassVar

from django.db.models import Prefetch, QuerySet
from rest_framework import serializers

from catalogue.api.cursors import Orderings
from catalogue.api.links import ApiAddress, PageAddress, ReadingLink
from catalogue.api.parameters import KnownValueFilter, StrictFilterSet, YesOrNo
from catalogue.api.portal import PortalGameSerializer
from catalogue.api.viewsets import CatalogueViewSet
from catalogue.models import Category, Evidence, Game, GameName, Period, Place, PortalGame, Reading
from catalogue.models.querysets import executable, game_rows


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
        fields = (
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


class GameFilters(StrictFilterSet):
    reference = YesOrNo(field_name="is_reference", label="yes: only games that check the engine; no: only the others")
    place = KnownValueFilter(
        model=Place, column="slug", method="of_place", label="slug of a place that a record of the game is from"
    )

    category = KnownValueFilter(
        field_name="portal__categories__slug", model=Category, column="slug", label="slug of one of the portal's kinds"
    )
    period = KnownValueFilter(
        field_name="portal__periods__slug", model=Period, column="slug", label="slug of one of the portal's periods"
    )
    executable = YesOrNo(
        method="with_readings", label="yes: only games of which there is a ruleset; no: only the others"
    )

    class Meta:
        model = Game
        fields: tuple[str, ...] = ()

    def of_place(self, rows: "QuerySet[Game]", name: str, value: str) -> "QuerySet[Game]":
        return rows.filter(pk__in=Evidence.objects.shown().filter(places__slug=value).values("game"))

    def with_readings(self, rows: "QuerySet[Game]", name: str, value: str) -> "QuerySet[Game]":
        return executable(rows, value == "yes")


class GameViewSet(CatalogueViewSet):
    """Games, with their native names and their glosses, and the readings that can be played."""

    serializer_class, filterset_class, lookup_field = GameSerializer, GameFilters, "slug"
    orderings: ClassVar[Orderings] = {"name": ("name",), "slug": ("slug",)}
    usual_ordering = "name"
    queryset = game_rows().prefetch_related(
        Prefetch("readings", Reading.objects.order_by("position", "slug")),
        Prefetch("portal", PortalGame.objects.prefetch_related("regions", "periods", "categories")),
    )
