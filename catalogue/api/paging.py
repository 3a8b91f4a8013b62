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
from catalogue.api.problems import Refused
from simulator.engine.ruleset import Problem

PAGE_SIZE, LARGEST_PAGE = 25, 100
LARGEST_TABLE = 1_000  # rows of a page that is sent as CSV
MOST_LEAFED = 10_000  # rows that can be reached by the number of a page
PARAMETERS = ("page", "page_size", "cursor", "ordering")


class Pages(BasePagination):
    """count: rows in all pages together, or None where a cursor was asked for: nobody who follows one waits for it."""

    count: int | None = None
    following: str | None = None
    preceding: str | None = None

    def paginate_queryset(self, queryset: Any, request: Request, view: Any = None) -> list[Any]:
        asked = request.query_params
        largest = LARGEST_TABLE if request.accepted_renderer.format == "csv" else LARGEST_PAGE
        size = whole_number("page_size", asked.get("page_size"), PAGE_SIZE, largest)
        ordering = cursors.chosen(view.orderings, asked.get("ordering", view.usual_ordering), view.usual_ordering)
        rows = ordering.applied(queryset)
        if asked.get("cursor"):
            found, number, most = list(_after(rows, ordering, asked, view.basename)[: size + 1]), None, 0
        else:
            self.count = queryset.count()
            number, most = _page(asked.get("page"), self.count, size)
            found = list(rows[(number - 1) * size : number * size + 1])
        page, more = found[:size], len(found) > size
        self._link(request, number, most, ordering.cursor(view.basename, page[-1]) if more else "")
        return page

    def _link(self, request: Request, number: int | None, most: int, cursor: str) -> None:
        """cursor: of the rows after this page; empty if there are none."""
        here = request.build_absolute_uri()
        if number is not None and number > 1:
            back = replace_query_param(here, "page", number - 1)
            self.preceding = back if number > 2 else remove_query_param(here, "page")
        if cursor and number is not None and number < most:
            self.following = replace_query_param(here, "page", number + 1)
        elif cursor:
            self.following = replace_query_param(remove_query_param(here, "page"), "cursor", cursor)

    def get_paginated_response(self, data: Any) -> Response:
        links = [f'<{to}>; rel="{rel}"' for to, rel in ((self.following, "next"), (self.preceding, "prev")) if to]
        document = {"count": self.count, "next": self.following, "previous": self.preceding, "results": data}
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
        number = {"type": "integer", "minimum": 1}
        orders = [way + name for name in view.orderings for way in ("", "-")]
        told = (
            ("page", f"Of the first {MOST_LEAFED:,} rows.", {**number, "default": 1}),
            (
                "page_size",
                f"Rows in a page; as CSV up to {LARGEST_TABLE:,}.",
                {**number, "maximum": LARGEST_TABLE, "default": PAGE_SIZE},
            ),
            ("cursor", f"{cursors.BEGIN} for the beginning; then follow `next`.", {"type": "string"}),
            ("ordering", "With a minus: from the end.", {"enum": orders, "default": view.usual_ordering}),
        )
        return [
            {"name": name, "in": "query", "required": False, "description": words, "schema": schema}
            for name, words, schema in told
        ]


def _after(rows: "QuerySet[Any]", ordering: cursors.Ordering, asked: Any, of: str) -> "QuerySet[Any]":
    if asked.get("page"):
        raise Refused([Problem("page", "goes with no cursor: a cursor says by itself where the list goes on")])
    cursor = asked["cursor"]
    if cursor == cursors.BEGIN:
        return rows
    try:
        return ordering.after(rows, cursors.read(of, ordering.name, cursor))
    except ValueError as error:
        raise cursors.refused(cursor) from error


def _page(text: str | None, count: int, size: int) -> tuple[int, int]:
    """The number that was asked for, and the greatest that can be; raises Refused."""
    there_are = max(1, -(-count // size))
    most = max(1, min(there_are, MOST_LEAFED // size))
    further = "" if most == there_are else f"; {there_are} pages are there: to read them all, begin with cursor=*"
    return whole_number("page", text, 1, most, further), most


def whole_number(name: str, text: str | None, usual: int, most: int, further: str = "") -> int:
    """The number that the address gives, from 1 to `most`; raises Refused."""
    if text is None:
        return min(usual, most)
    digits = text.removeprefix("-")
    readable = digits.isascii() and digits.isdigit() and len(digits) < 10
    number = int(text) if readable else 0
    if 1 <= number <= most:
        return number
    nearest = min(max(number, 1), most) if readable else min(usual, most)
    message = f"must be a whole number from 1 to {most}, not {text[:40]!r}{further}"
    raise Refused([Problem(name, message, nearest)])
