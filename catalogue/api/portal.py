"""What the Ludii portal says of games beyond its records, in the API: its games, and its rulesets in prose."""

from django.db.models import F, Prefetch, QuerySet
from django.db.models.functions import Abs
from rest_framework import serializers

from catalogue.api.endpoints import resource
from catalogue.api.links import ApiAddress, GameLink, PageAddress, PlaceLink
from catalogue.api.viewsets import CatalogueViewSet, nothing_called
from catalogue.filters.common import OfGame
from catalogue.filters.fields import YesOrNo
from catalogue.models import Category, Evidence, Period, PortalGame, PortalRuleset, Reading, Source

PORTAL_LINKS = ("regions", "periods", "categories", "sources", "origin_points")
IDENTIFIER = "How the portal cites it."


class PortalGameSerializer(serializers.ModelSerializer[PortalGame]):
    identifier = serializers.CharField(read_only=True, help_text=f"{IDENTIFIER} For example DLP.Game.57.")
    regions = PlaceLink(many=True, read_only=True)
    periods = serializers.SlugRelatedField[Period](slug_field="slug", many=True, read_only=True)
    categories = serializers.SlugRelatedField[Category](slug_field="slug", many=True, read_only=True)
    origin_points = PlaceLink(many=True, read_only=True, help_text="Where the portal's map puts its origin.")
    sources = serializers.SlugRelatedField[Source](
        slug_field="key", many=True, read_only=True, help_text="Keys of the sources the portal names for the game."
    )
    other_fields = serializers.DictField(
        child=serializers.CharField(), read_only=True, help_text="Further columns of the portal, by name."
    )

    class Meta:
        model = PortalGame
        fields = (
            "identifier", "description", "reference", "origin", "origin_points", "regions", "periods", "categories",
            "sources", "bgg_number", "other_fields",
        )  # fmt: skip


class PortalRulesetSerializer(serializers.ModelSerializer[PortalRuleset]):
    url = ApiAddress("portal-ruleset", "number")
    page = PageAddress()
    identifier = serializers.CharField(read_only=True, help_text=f"{IDENTIFIER} For example DLP.Ruleset.57.")
    game = GameLink(read_only=True)
    origin_points = PlaceLink(many=True, read_only=True, help_text="Where the portal's map puts its origin.")
    regions = PlaceLink(many=True, read_only=True)
    periods = serializers.SlugRelatedField[Period](slug_field="slug", many=True, read_only=True)
    evidence = serializers.SlugRelatedField[Evidence](
        slug_field="identifier", many=True, read_only=True, help_text="The records it rests on."
    )
    readings = serializers.SerializerMethodField(help_text="Rulesets of this catalogue read from the same records.")
    other_fields = serializers.DictField(
        child=serializers.CharField(), read_only=True, help_text="Further columns of the portal, by name."
    )

    class Meta:
        model = PortalRuleset
        fields = (
            "number", "url", "page", "identifier", "game", "name", "native_name", "type", "is_main", "summary",
            "description", "rules", "reference", "origin", "origin_points", "regions", "periods", "other_fields",
            "evidence", "readings",
        )  # fmt: skip

    def get_readings(self, ruleset: PortalRuleset) -> list[str]:
        return sorted({reading.slug for record in ruleset.evidence.all() for reading in record.readings.all()})


class PortalRulesetFilters(OfGame):
    main = YesOrNo(field_name="is_main", label="yes: only the main ruleset of each game; no: only the others")


def _rows() -> "QuerySet[PortalRuleset]":
    readings = Prefetch("readings", Reading.objects.only("slug"))
    records = Prefetch("evidence", Evidence.objects.shown().prefetch_related(readings))
    return PortalRuleset.objects.select_related("game").prefetch_related(records, "origin_points", "regions", "periods")


@resource(
    "portal-rulesets",
    name="portal-ruleset",
    holds="rules as the portal tells them in prose, executable or not",
    key="91",
)
class PortalRulesetViewSet(CatalogueViewSet):
    """Rules as the Ludii portal gives them in prose, also of games that nobody has made executable yet."""

    serializer_class, filterset_class, lookup_field = PortalRulesetSerializer, PortalRulesetFilters, "number"
    lookup_value_regex = "[0-9]{1,9}"
    orderings = {"number": ("number",), "game": ("game__slug", "number")}
    queryset = _rows()

    def get_object(self) -> PortalRuleset:
        """The one of that number; else RefusedRequest, naming the nearest number."""
        wanted = int(self.kwargs["number"])
        row: PortalRuleset | None = self.get_queryset().filter(number=wanted).first()
        if row is None:
            by_distance = PortalRuleset.objects.order_by(Abs(F("number") - wanted), "number")
            raise nothing_called(
                "portal ruleset", "number", str(wanted), by_distance.values_list("number", flat=True).first()
            )
        return row
