"""Sources in the API: the reference as printed, and its parts as we read them."""

from django.db.models.functions import Coalesce
from rest_framework import serializers

from catalogue.api.endpoints import resource
from catalogue.api.links import ApiAddress, PageAddress
from catalogue.api.viewsets import CatalogueViewSet
from catalogue.filters.fields import StrictFilterSet, YearFilter
from catalogue.models import Source
from catalogue.models.evidence import heading
from catalogue.models.querysets import source_rows

UNDATED = 9_999  # where a source without a year stands among the years


class SourceSerializer(serializers.ModelSerializer[Source]):
    url = ApiAddress("source", "key")
    page = PageAddress()
    authors = serializers.SerializerMethodField(help_text="One by one, surname first.")
    address = serializers.CharField(read_only=True, help_text="Where the portal says it can be read; mostly empty.")
    records = serializers.IntegerField(read_only=True, help_text="How many records cite it.")

    class Meta:
        model = Source
        fields = (
            "key", "url", "page", "authors", "year", "title", "container", "volume", "pages", "place", "publisher",
            "as_printed", "address", "note", "records",
        )  # fmt: skip

    def get_authors(self, source: Source) -> list[str]:
        return [author.strip() for author in source.authors.split(";") if author.strip()]


class SourceFilters(StrictFilterSet):
    from_ = YearFilter(field_name="year", lookup_expr="gte", label="published in this year or later")
    to = YearFilter(field_name="year", lookup_expr="lte", label="published in this year or before")


@resource(
    "sources",
    name="source",
    holds="references as printed, and their parts",
    key="parker-1909",
    identifies="source/{key}",
)
class SourceViewSet(CatalogueViewSet):
    """Publications that the records were taken from."""

    serializer_class, filterset_class, lookup_field = SourceSerializer, SourceFilters, "key"
    orderings = {
        "authors": (heading(), Coalesce("year", UNDATED), "key"),
        "year": (Coalesce("year", UNDATED), "key"),
        "key": ("key",),
    }
    queryset = source_rows()
