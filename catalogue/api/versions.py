"""Versions of rulesets in the API: which content a name stood for, since when, and what it was made from."""

from typing import Any

from django_filters import CharFilter
from rest_framework import serializers

from catalogue.api.endpoints import resource
from catalogue.api.links import Address
from catalogue.api.ruleset_fields import VersionSerializer
from catalogue.api.viewsets import CatalogueViewSet, nothing_called
from catalogue.filters.fields import KnownValueFilter, StrictFilterSet
from catalogue.models.lookup import nearest_key, version_called
from catalogue.texts.errors import nearest_word
from simulator.models import RulesetVersion


class NamedVersionSerializer(VersionSerializer):
    slug = serializers.SlugField(read_only=True)
    url = Address("v1:version-detail", "__str__", help_text="Its address in this API.")
    ruleset = Address("v1:ruleset-detail", "__str__", help_text="The ruleset with its document, in this API.")
    page = Address("ruleset", "__str__", help_text="Its page for readers.")
    family = serializers.CharField(source="ruleset.family", read_only=True)
    children = serializers.SerializerMethodField(help_text="Versions that were made from it.")

    class Meta(VersionSerializer.Meta):
        fields = ("name", "url", "ruleset", "page", "slug", "number", "family", "hash", "date", "parent", "children")

    def get_children(self, version: RulesetVersion) -> list[str]:
        return sorted(map(str, version.children.all()))


class VersionFilters(StrictFilterSet):
    slug = KnownValueFilter(model=RulesetVersion, column="slug", label="name of a ruleset")
    hash = CharFilter(field_name="ruleset", label="the whole hash of a ruleset: all names of this content")


@resource(
    "versions",
    name="version",
    holds="every version of every ruleset: its content, its date, what it was made from",
    key="daramuti-parker@1",
)
class VersionViewSet(CatalogueViewSet):
    """Every version of every ruleset that has a name. A version never changes."""

    serializer_class, filterset_class = NamedVersionSerializer, VersionFilters
    lookup_field, lookup_url_kwarg = "slug", "name"
    orderings = {"name": ("slug", "number"), "date": ("date", "slug", "number")}
    queryset = RulesetVersion.objects.select_related("ruleset", "parent").prefetch_related("children")

    def get_object(self) -> Any:
        name = self.kwargs["name"]
        found = version_called(self.get_queryset(), name)
        if found is None:
            known = nearest_key(RulesetVersion.objects.all(), "slug", name.partition("@")[0])
            names = [str(row) for row in RulesetVersion.objects.filter(slug=known)] if known else []
            raise nothing_called("version", "name", name, nearest_word(name, names))
        return found
