"""The forms of answers, chosen by `format=`, else by `Accept`: JSON, a table, a page for a browser; and of requests."""

import codecs
import csv
import io
import json
import re
from collections.abc import Iterator, Mapping
from http import HTTPStatus
from importlib.util import find_spec
from typing import Any

from rest_framework import serializers
from rest_framework.exceptions import ParseError
from rest_framework.negotiation import DefaultContentNegotiation
from rest_framework.parsers import JSONParser
from rest_framework.renderers import BaseRenderer
from rest_framework.request import Request

from catalogue.web.problem_document import RefusedRequest

FORMAT = "format"  # not as a setting of the framework, which would carry it over into the addresses of other rows
Path = tuple[str, ...]


class Negotiation(DefaultContentNegotiation):
    """`format=` in the address goes before the header `Accept`."""

    def select_renderer(self, request: Request, renderers: Any, format_suffix: str | None = None) -> Any:
        named = request.query_params.get(FORMAT)
        for renderer in renderers:
            if renderer.format == named:
                return renderer, renderer.media_type
        return super().select_renderer(request, renderers, format_suffix)


class TableRenderer(BaseRenderer):
    """The rows of a list as CSV (RFC 4180), a column for each field.

    A field of a field has both names with a dot between them; what is a list or has names of its own is written as
    JSON. The columns follow from the description of the list, and not from the rows that happen to stand in it.
    """

    media_type, format, charset = "text/csv", "csv", "utf-8"

    def written(self, value: Any) -> Any:
        return _word(value)

    def render(self, data: Any, accepted_media_type: str | None = None, renderer_context: Any = None) -> bytes:
        view, response = renderer_context["view"], renderer_context["response"]
        response["Content-Disposition"] = f'attachment; filename="{view.basename}.csv"'
        paths = list(columns(view.get_serializer().fields))
        text = io.StringIO()
        table = csv.writer(text)
        table.writerow(".".join(path) for path in paths)
        table.writerows([self.written(_cell(row, path)) for path in paths] for row in data["results"])
        return text.getvalue().encode()


class ExcelTableRenderer(TableRenderer):
    """The same for a spreadsheet that takes a table without a byte order mark for one of Windows-1252, as Excel does.

    Other programs would read the mark as a part of the first column's name, so nobody gets it who does not ask. An
    apostrophe stands before text that a spreadsheet would run as a formula, or turn into a number or a day.
    """

    format = "csv-excel"

    def written(self, value: Any) -> Any:
        return f"'{value}" if isinstance(value, str) and TAKEN_FOR_ANOTHER.match(value) else _word(value)

    def render(self, data: Any, accepted_media_type: str | None = None, renderer_context: Any = None) -> bytes:
        return codecs.BOM_UTF8 + super().render(data, accepted_media_type, renderer_context)


class ParquetRenderer(BaseRenderer):
    """The rows of a list as Apache Parquet, a typed column for each field; of what has no type of its own, JSON."""

    media_type, format, charset = "application/vnd.apache.parquet", "parquet", None
    render_style = "binary"

    def render(self, data: Any, accepted_media_type: str | None = None, renderer_context: Any = None) -> bytes:
        import pyarrow
        from pyarrow import parquet

        view, response = renderer_context["view"], renderer_context["response"]
        response["Content-Disposition"] = f'attachment; filename="{view.basename}.parquet"'
        fields, paths = view.get_serializer().fields, list(columns(view.get_serializer().fields))
        types: dict[Any, Any] = {
            serializers.FloatField: pyarrow.float64(),
            serializers.IntegerField: pyarrow.int64(),
            serializers.BooleanField: pyarrow.bool_(),
        }
        schema = pyarrow.schema(
            (".".join(path), types.get(type(fields[path[0]]) if len(path) == 1 else None, pyarrow.string()))
            for path in paths
        )
        cells = [[_cell(row, path) for row in data["results"]] for path in paths]
        sink = io.BytesIO()
        parquet.write_table(pyarrow.table(cells, schema=schema), sink)
        return sink.getvalue()


def parquet_is_there() -> bool:
    """Return whether pyarrow is installed, which nothing else needs."""
    return find_spec("pyarrow") is not None


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
    return json.dumps(value, ensure_ascii=False) if isinstance(value, (list, dict)) else value


def _word(value: Any) -> Any:
    """A yes or no as JSON writes it."""
    return str(value).lower() if isinstance(value, bool) else value


# Formulas; numbers with an exponent, zeros before them or more digits than are kept; days and months.
TAKEN_FOR_ANOTHER = re.compile(
    r"\s*[=+\-@＝＋－＠]|[\t\r\n]|\d+\.?\d*[eE][+-]?\d+$|0\d+$|\d{12,}$|\d{1,4}[-/]\d{1,2}(?:[-/]\d{1,4})?$"
)

LARGEST_BODY = 65_536  # bytes; a request for a batch takes a few hundred


class SmallJSONParser(JSONParser):
    """JSON of at most 64 KiB, without lone surrogates and not nested without end."""

    def parse(self, stream: Any, media_type: Any = None, parser_context: Any = None) -> Any:
        length = int(parser_context["request"].META.get("CONTENT_LENGTH") or 0)
        if length > LARGEST_BODY:
            message = f"a request has at most {LARGEST_BODY} bytes, not {length}"
            raise RefusedRequest.of("", message, LARGEST_BODY, status=HTTPStatus.REQUEST_ENTITY_TOO_LARGE)
        try:
            sent = super().parse(stream, media_type, parser_context)
            json.dumps(sent, ensure_ascii=False).encode()
        except RecursionError as error:
            raise ParseError("the JSON is nested too deeply") from error
        except UnicodeEncodeError as error:
            raise ParseError("the JSON contains half of a surrogate pair, which is no character") from error
        return sent
