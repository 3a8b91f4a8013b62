"""Rows that are called by a key of two parts: the address holds both, with a slash between them."""

from typing import Any

from catalogue.api.viewsets import CatalogueViewSet, nothing_called
from catalogue.models.lookup import nearest_key
from catalogue.texts.errors import nearest_word


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
