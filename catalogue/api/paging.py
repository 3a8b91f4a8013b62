"""Lists in pages: by number as far as people leaf, and by cursor from there on or from the beginning.

A cursor says after which row of which order a list goes on. It is opaque and signed, and never a place in a count: the
database finds the rows after a given one by an index, however far down the list they stand, and rows that are written
meanwhile neither repeat nor hide others. A page that is not there is refused, not left empty.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.core import signing
from django.core.exceptions import ValidationError
from django.db.models import BooleanField, F, Func, QuerySet, Value
from django.db.models.expressions import Combinable
from rest_framework.pagination import BasePagination
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.utils.urls import remove_query_param, replace_query_param

from catalogue.texts.errors import nearest_word
from catalogue.web.problem_document import RefusedRequest

BEGIN = "*"
LONGEST = 2_000  # characters; no cursor of ours is longer
REPEATED = 40  # characters of a wrong value
Column = str | Combinable
Orderings = Mapping[str, Sequence[Column]]


class _Row(Func):
    """Several columns, or several values, compared as one."""

    template = "(%(expressions)s)"
    output_field = BooleanField()


class _Compared(Func):
    template = "%(expressions)s"
    output_field = BooleanField()


@dataclass(frozen=True, slots=True)
class Ordering:
    """An order of a list. columns: together they tell any two rows apart; all go up, or all go down."""

    name: str
    columns: tuple[Column, ...]
    down: bool

    @property
    def keys(self) -> list[str]:
        return [f"order_{place}" for place in range(len(self.columns))]

    def applied(self, rows: "QuerySet[Any]") -> "QuerySet[Any]":
        """The rows in this order, each with the values it is ordered by."""
        columns = [F(column) if isinstance(column, str) else column for column in self.columns]
        named = rows.annotate(**dict(zip(self.keys, columns, strict=True)))
        ordered: QuerySet[Any] = named.order_by(*(f"-{key}" if self.down else key for key in self.keys))
        return ordered

    def after(self, rows: "QuerySet[Any]", values: Sequence[Any]) -> "QuerySet[Any]":
        """Return the ordered rows that come after a row of these values; raises ValueError if no row can have them."""
        if len(values) != len(self.keys):
            raise ValueError("a cursor of another list")
        fields = [rows.query.annotations[key].output_field for key in self.keys]
        try:
            typed = [Value(field.to_python(value), field) for field, value in zip(fields, values, strict=True)]
        except ValidationError as error:
            raise ValueError("no such value") from error
        sign = " < " if self.down else " > "
        beyond: QuerySet[Any] = rows.filter(_Compared(_Row(*map(F, self.keys)), _Row(*typed), arg_joiner=sign))
        return beyond

    def cursor(self, of: str, row: Any) -> str:
        """The cursor of what comes after that row of the list called `of`."""
        return signed_cursor(of, self.name, [getattr(row, key) for key in self.keys])


class _Compact(signing.JSONSerializer):
    """Times are written to the last digit: rows of one millisecond are told apart by it."""

    def dumps(self, obj: Any) -> bytes:
        return json.dumps(obj, separators=(",", ":"), default=str).encode()


def signed_cursor(of: str, order: str, values: list[Any]) -> str:
    return _signer(of, order).sign_object(values, serializer=_Compact)


def read_cursor(of: str, order: str, cursor: str) -> list[Any]:
    """Return the values of the row at which the cursor was given out; raises RefusedRequest."""
    try:
        if len(cursor) > LONGEST:
            raise ValueError("too long")
        values: list[Any] = _signer(of, order).unsign_object(cursor, serializer=_Compact)
    except (signing.BadSignature, ValueError) as error:
        raise wrong_cursor(cursor) from error
    return values


def _signer(of: str, order: str) -> signing.Signer:
    """A cursor is of one list in one order: another's is not taken."""
    return signing.Signer(salt=f"catalogue.api.cursors {of} {order}")


def chosen_ordering(orderings: Orderings, text: str, usual: str) -> Ordering:
    """The order of that name, with a minus before it if it is to go down; raises RefusedRequest."""
    name = text.removeprefix("-")
    if name not in orderings:
        known = [way + column for column in orderings for way in ("", "-")]
        message = f"must be one of {', '.join(known)}, not {text[:REPEATED]!r}"
        raise RefusedRequest.of("ordering", message, nearest_word(text, known) or usual)
    return Ordering(text, tuple(orderings[name]), text.startswith("-"))


def wrong_cursor(cursor: str) -> RefusedRequest:
    message = f"must be {BEGIN} or a cursor that this list gave out for this order, not {cursor[:REPEATED]!r}"
    return RefusedRequest.of("cursor", message, BEGIN)


PAGE_SIZE, LARGEST_PAGE = 25, 100
LARGEST_TABLE = 1_000  # rows of a page that is sent as a table
TABLES = ("csv", "parquet")
MOST_LEAFED = 10_000  # rows that can be reached by the number of a page
PARAMETERS = ("page", "page_size", "cursor", "ordering")


class Pages(BasePagination):
    """count: rows in all pages together, or None where a cursor was asked for: nobody who follows one waits for it."""

    count: int | None = None
    next_page: str | None = None
    previous_page: str | None = None

    def paginate_queryset(self, queryset: Any, request: Request, view: Any = None) -> list[Any]:
        parameters = request.query_params
        is_page = request.accepted_renderer.format not in TABLES
        size = page_size(request, *((PAGE_SIZE, LARGEST_PAGE) if is_page else view.table_sizes))
        usual = view.usual_ordering
        ordering = chosen_ordering(view.orderings, parameters.get("ordering", usual), usual)
        rows = ordering.applied(queryset)
        if parameters.get("cursor"):
            window, number, most = list(_after(rows, ordering, parameters, view.basename)[: size + 1]), None, 0
        else:
            self.count = queryset.count()
            number, most = _page(parameters.get("page"), self.count, size)
            window = list(rows[(number - 1) * size : number * size + 1])
        page, more = window[:size], len(window) > size
        self._link(request, number, most, ordering.cursor(view.basename, page[-1]) if more else "")
        return page

    def _link(self, request: Request, number: int | None, most: int, cursor: str) -> None:
        """cursor: of the rows after this page; empty if there are none."""
        if number is not None:
            self.next_page, self.previous_page = neighbours(request, number, most)
        if not cursor:
            self.next_page = None
        elif self.next_page is None:
            first = remove_query_param(request.build_absolute_uri(), "page")
            self.next_page = replace_query_param(first, "cursor", cursor)

    def get_paginated_response(self, data: Any) -> Response:
        links = [f'<{to}>; rel="{rel}"' for to, rel in ((self.next_page, "next"), (self.previous_page, "prev")) if to]
        document = {"count": self.count, "next": self.next_page, "previous": self.previous_page, "results": data}
        return Response(document, headers={"Link": ", ".join(links)} if links else None)

    def get_paginated_response_schema(self, schema: dict[str, Any]) -> dict[str, Any]:
        address = {"type": ["string", "null"], "format": "uri"}
        back = "The address of the previous page; null on the first one, and wherever a cursor leads."
        return {
            "type": "object",
            "required": ["count", "next", "previous", "results"],
            "properties": {
                "count": {
                    "type": ["integer", "null"],
                    "description": "Rows in all pages together; null where a cursor leads.",
                },
                "next": {**address, "description": "The address of the next page; null on the last one."},
                "previous": {**address, "description": back},
                "results": schema,
            },
        }

    def get_schema_operation_parameters(self, view: Any) -> list[dict[str, Any]]:
        largest = view.table_sizes[1]
        orders = [way + name for name in view.orderings for way in ("", "-")]
        described = (
            ("page", f"Of the first {MOST_LEAFED:,} rows.", PAGE_NUMBER),
            ("page_size", f"Rows in a page; as a table up to {largest:,}.", size_schema(largest=largest)),
            ("cursor", f"{BEGIN} for the beginning; then follow `next`.", {"type": "string"}),
            ("ordering", "With a minus: from the end.", {"enum": orders, "default": view.usual_ordering}),
        )
        return [
            {"name": name, "in": "query", "required": False, "description": words, "schema": schema}
            for name, words, schema in described
        ]


PAGE_NUMBER: dict[str, Any] = {"type": "integer", "minimum": 1, "default": 1}


def size_schema(usual: int = PAGE_SIZE, largest: int = LARGEST_PAGE) -> dict[str, Any]:
    """Return the schema of the parameter `page_size`."""
    return {"type": "integer", "minimum": 1, "maximum": largest, "default": usual}


def page_size(request: Request, usual: int = PAGE_SIZE, largest: int = LARGEST_PAGE) -> int:
    """The rows in a page that the address wants; raises RefusedRequest."""
    return whole_number("page_size", request.query_params.get("page_size"), usual, largest)


def neighbours(request: Request, number: int, pages: int) -> tuple[str | None, str | None]:
    """The addresses of the next and of the previous page."""
    here = request.build_absolute_uri()
    back = replace_query_param(here, "page", number - 1) if number > 2 else remove_query_param(here, "page")
    return replace_query_param(here, "page", number + 1) if number < pages else None, back if number > 1 else None


def _after(rows: "QuerySet[Any]", ordering: Ordering, parameters: Any, of: str) -> "QuerySet[Any]":
    if parameters.get("page"):
        raise RefusedRequest.of("page", "goes with no cursor: a cursor says by itself where the list goes on")
    cursor = parameters["cursor"]
    if cursor == BEGIN:
        return rows
    try:
        return ordering.after(rows, read_cursor(of, ordering.name, cursor))
    except ValueError as error:
        raise wrong_cursor(cursor) from error


def _page(text: str | None, count: int, size: int) -> tuple[int, int]:
    """Return the requested number of a page and the greatest possible one; raises RefusedRequest."""
    there_are = max(1, -(-count // size))
    most = max(1, min(there_are, MOST_LEAFED // size))
    further = "" if most == there_are else f"; {there_are} pages are there: to read them all, begin with cursor=*"
    return whole_number("page", text, 1, most, further), most


def whole_number(name: str, text: str | None, usual: int, most: int, further: str = "") -> int:
    """The number that the address gives, from 1 to `most`; raises RefusedRequest."""
    if text is None:
        return min(usual, most)
    digits = text.removeprefix("-")
    readable = digits.isascii() and digits.isdigit() and len(digits) < 10
    number = int(text) if readable else 0
    if 1 <= number <= most:
        return number
    nearest = min(max(number, 1), most) if readable else min(usual, most)
    message = f"must be a whole number from 1 to {most}, not {text[:40]!r}{further}"
    raise RefusedRequest.of(name, message, nearest)
