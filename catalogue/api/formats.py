"""The forms an answer can have: JSON, a table, or a page for a browser; chosen by `format=`, else by `Accept`."""

import csv
import io
import json
from collections.abc import Iterator, Mapping
from typing import Any

from rest_framework import serializers
from rest_framework.negotiation import DefaultContentNegotiation
from rest_framework.renderers import BaseRenderer
from rest_framework.request import Request

FORMAT = "format"  # not as a setting of the framework, which would carry it over into the addresses of other rows
Path = tuple[str, ...]


class Negotiation(DefaultContentNegotiation):
    """What the address says counts for more than what the programme that asks would rather have."""

    def select_renderer(self, request: Request, renderers: Any, format_suffix: str | None = None) -> Any:
        wanted = request.query_params.get(FORMAT)
        for renderer in renderers:
            if renderer.format == wanted:
                return renderer, renderer.media_type
        return super().select_renderer(request, renderers, format_suffix)


class TableRenderer(BaseRenderer):
    """The rows of a list as CSV (RFC 4180), a column for each field.

    A field of a field has both names with a dot between them; what is a list or has names of its own is written as
    JSON. The columns follow from the description of the list, and not from the rows that happen to stand in it.
    """

    media_type, format, charset = "text/csv", "csv", "utf-8"

    def render(self, data: Any, accepted_media_type: str | None = None, renderer_context: Any = None) -> bytes:
        view, response = renderer_context["view"], renderer_context["response"]
        response["Content-Disposition"] = f'attachment; filename="{view.basename}.csv"'
        paths = list(columns(view.get_serializer().fields))
        text = io.StringIO()
        table = csv.writer(text)
        table.writerow(".".join(path) for path in paths)
        table.writerows([_cell(row, path) for path in paths] for row in data["results"])
        return text.getvalue().encode()


def columns(fields: Mapping[str, serializers.Field[Any, Any, Any, Any]], before: Path = ()) -> Iterator[Path]:
    for name, field in fields.items():
        if isinstance(field, serializers.Serializer) and not isinstance(field, serializers.ListSerializer):
            yield from columns(field.fields, (*before, name))
        else:
            yield (*before, name)


def _cell(row: Any, path: Path) -> Any:
    value = row
    for name in path:
        value = value.get(name) if isinstance(value, Mapping) else None
    if isinstance(value, bool):
        return str(value).lower()
    return json.dumps(value, ensure_ascii=False) if isinstance(value, (list, dict)) else value
