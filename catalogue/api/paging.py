"""Lists in pages. A reader follows `next` until it is null; a page that is not there is refused, not left empty.

Pages have numbers as far as people leaf; beyond that, and for whoever wants everything, a list goes on by cursors.
"""

from typing import Any

from django.db.models import QuerySet
from rest_framework.pagination import BasePagination
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.utils.urls import remove_query_param, replace_query_param

from catalogue.api import cursors
from catalogue.web.problem_document import RefusedRequest

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
        ordering = cursors.chosen(view.orderings, parameters.get("ordering", usual), usual)
        rows = ordering.applied(queryset)
        if parameters.get("cursor"):
            found, number, most = list(_after(rows, ordering, parameters, view.basename)[: size + 1]), None, 0
        else:
            self.count = queryset.count()
            number, most = _page(parameters.get("page"), self.count, size)
            found = list(rows[(number - 1) * size : number * size + 1])
        page, more = found[:size], len(found) > size
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
            ("cursor", f"{cursors.BEGIN} for the beginning; then follow `next`.", {"type": "string"}),
            ("ordering", "With a minus: from the end.", {"enum": orders, "default": view.usual_ordering}),
        )
        return [
            {"name": name, "in": "query", "required": False, "description": words, "schema": schema}
            for name, words, schema in described
        ]


PAGE_NUMBER: dict[str, Any] = {"type": "integer", "minimum": 1, "default": 1}


def size_schema(usual: int = PAGE_SIZE, largest: int = LARGEST_PAGE) -> dict[str, Any]:
    """What OpenAPI says of the parameter `page_size`."""
    return {"type": "integer", "minimum": 1, "maximum": largest, "default": usual}


def page_size(request: Request, usual: int = PAGE_SIZE, largest: int = LARGEST_PAGE) -> int:
    """The rows in a page that the address wants; raises RefusedRequest."""
    return whole_number("page_size", request.query_params.get("page_size"), usual, largest)


def neighbours(request: Request, number: int, pages: int) -> tuple[str | None, str | None]:
    """The addresses of the next and of the previous page."""
    here = request.build_absolute_uri()
    back = replace_query_param(here, "page", number - 1) if number > 2 else remove_query_param(here, "page")
    return replace_query_param(here, "page", number + 1) if number < pages else None, back if number > 1 else None


def _after(rows: "QuerySet[Any]", ordering: cursors.Ordering, parameters: Any, of: str) -> "QuerySet[Any]":
    if parameters.get("page"):
        raise RefusedRequest.of("page", "goes with no cursor: a cursor says by itself where the list goes on")
    cursor = parameters["cursor"]
    if cursor == cursors.BEGIN:
        return rows
    try:
        return ordering.after(rows, cursors.read(of, ordering.name, cursor))
    except ValueError as error:
        raise cursors.refused(cursor) from error


def _page(text: str | None, count: int, size: int) -> tuple[int, int]:
    """The number that was asked for, and the greatest that can be; raises RefusedRequest."""
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
