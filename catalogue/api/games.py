"""Games in the API, with the names they go by."""

from django.db.models import Prefetch
from rest_framework import serializers

from catalogue.api.links import ApiAddress, PageAddress, ReadingLink
from catalogue.api.portal import PORTAL_LINKS, PortalGameSerializer
from catalogue.api.viewsets import CatalogueViewSet
from catalogue.filters.games import GameFilters
from catalogue.models import Evidence, Game, GameName, PortalGame, Reading
from catalogue.models.querysets import game_rows


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


class GameViewSet(CatalogueViewSet):
    """Games, with their native names and their glosses, and the readings that can be played."""

    serializer_class, filterset_class, lookup_field = GameSerializer, GameFilters, "slug"
    orderings = {"name": ("name",), "slug": ("slug",)}
    queryset = game_rows().prefetch_related(
        Prefetch("readings", Reading.objects.order_by("position", "slug")),
        Prefetch("portal", PortalGame.objects.prefetch_related(*PORTAL_LINKS)),
    )
