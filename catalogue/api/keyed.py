"""Rows that are called by a key of two parts: the address holds both, with a slash between them."""

from typing import Any

from rest_framework import serializers
from rest_framework.reverse import reverse

from catalogue.api.links import ApiAddress
from catalogue.api.viewsets import CatalogueViewSet, nothing_called
from catalogue.history.histories import address_of
from catalogue.models import Anchor, Evidence
from catalogue.models.lookup import nearest_key
from catalogue.texts.errors import nearest_word


class KeyAddress(serializers.URLField):
    """The row's own address in the API, by its natural key."""

    def __init__(self, view: str = "", **kwargs: Any) -> None:
        super().__init__(**{"source": "*", "read_only": True, "help_text": "Its address in this API.", **kwargs})
        self.view = f"v1:{view}-detail"

    def to_representation(self, value: Any) -> str:
        return str(reverse(self.view, ["/".join(value.natural_key())], request=self.context["request"]))


class HistoryAddress(serializers.URLField):
    """The address of the page that tells how a row came to be as it is."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**{"source": "*", "read_only": True, "help_text": "Its history, for readers.", **kwargs})

    def to_representation(self, value: Any) -> str:
        return str(self.context["request"].build_absolute_uri(address_of(value)))


class AnchoredWordsSerializer(serializers.ModelSerializer[Anchor]):
    """Words of a record; the annotation says where in it they stand."""

    annotation = ApiAddress("annotation", "key")
    record = serializers.SlugRelatedField[Evidence](source="evidence", slug_field="identifier", read_only=True)

    class Meta:
        model = Anchor
        fields = ("annotation", "record", "field", "stance", "exact")


class KeyedViewSet(CatalogueViewSet):
    """`columns`: what the parts of the key stand in."""

    columns: tuple[str, str]
    lookup_field, lookup_url_kwarg, lookup_value_regex = "slug", "key", ".+"

    def get_object(self) -> Any:
        wanted = self.kwargs["key"]
        rows = self.get_queryset()
        parts = wanted.split("/")
        row = rows.filter(**dict(zip(self.columns, parts, strict=True))).first() if len(parts) == 2 else None
        if row is None:
            raise nothing_called(str(rows.model._meta.verbose_name), "key", wanted, self._nearest(wanted))
        return row

    def _nearest(self, wanted: str) -> str | None:
        """Of the rows whose key begins most like it, the one whose whole key looks most like it."""
        rows, (before, _) = self.get_queryset().model._default_manager.order_by(), self.columns
        first = nearest_key(rows, before, wanted.split("/")[0])
        keys = rows.filter(**{before: first}).values_list(*self.columns) if first else ()
        return nearest_word(wanted, ["/".join(key) for key in keys])
