"""Places in the API."""

from django_filters import ChoiceFilter
from rest_framework import serializers

from catalogue.api.endpoints import resource
from catalogue.api.links import ApiAddress, PageAddress, PlaceLink
from catalogue.api.viewsets import CatalogueViewSet
from catalogue.filters.fields import KnownValueFilter, StrictFilterSet
from catalogue.models import Place
from catalogue.models.querysets import place_rows


class PlaceSerializer(serializers.ModelSerializer[Place]):
    url = ApiAddress("place")
    page = PageAddress()
    part_of = PlaceLink(read_only=True, allow_null=True)
    records = serializers.IntegerField(
        read_only=True, help_text="How many records are from there, or from a part of it."
    )

    class Meta:
        model = Place
        fields = (
            "slug", "url", "page", "name", "kind", "latitude", "longitude", "coordinates_note", "part_of",
            "part_of_is_derived", "records",
        )  # fmt: skip


class PlaceFilters(StrictFilterSet):
    kind = ChoiceFilter(choices=Place.Kind.choices)
    part_of = KnownValueFilter(field_name="part_of__slug", model=Place, column="slug", label="slug of a place")


@resource(
    "places", name="place", holds="countries, peoples, regions, towns", key="sri-lanka", identifies="place/{slug}"
)
class PlaceViewSet(CatalogueViewSet):
    """Places that records are from: countries, peoples, regions, towns."""

    serializer_class, filterset_class, lookup_field = PlaceSerializer, PlaceFilters, "slug"
    orderings = {"name": ("name",), "slug": ("slug",)}
    queryset = place_rows()
