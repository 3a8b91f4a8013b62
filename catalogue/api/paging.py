"""Lists in pages. A reader follows `next` until it is null; a page that is not there is refused, not left empty."""

from typing import Any

from django.core.paginator import Paginator
from rest_framework.pagination import PageNumberPagination
from rest_framework.request import Request

from catalogue.api.problems import Refused
from simulator.engine.ruleset import Problem

PAGE_SIZE, LARGEST_PAGE = 25, 100


class Pages(PageNumberPagination):
    page_size = PAGE_SIZE
    page_size_query_param = "page_size"
    max_page_size = LARGEST_PAGE

    def get_page_size(self, request: Request) -> int:
        return _whole("page_size", request, PAGE_SIZE, LARGEST_PAGE)

    def get_page_number(self, request: Request, paginator: Paginator) -> int:
        return _whole("page", request, 1, paginator.num_pages)

    def get_paginated_response_schema(self, schema: dict[str, Any]) -> dict[str, Any]:
        address = {"type": ["string", "null"], "format": "uri"}
        return {
            "type": "object",
            "required": ["count", "next", "previous", "results"],
            "properties": {
                "count": {"type": "integer", "description": "Rows in all pages together."},
                "next": {**address, "description": "The address of the next page; null on the last one."},
                "previous": {**address, "description": "The address of the previous page; null on the first one."},
                "results": schema,
            },
        }

    def get_schema_operation_parameters(self, view: Any) -> list[dict[str, Any]]:
        parameters: list[dict[str, Any]] = super().get_schema_operation_parameters(view)
        for one in parameters:
            bounds = {"maximum": LARGEST_PAGE, "default": PAGE_SIZE} if one["name"] == "page_size" else {"default": 1}
            one["schema"].update({"minimum": 1, **bounds})
        return parameters


def _whole(name: str, request: Request, usual: int, most: int) -> int:
    """The number that the address gives, from 1 to `most`; raises Refused."""
    text = request.query_params.get(name) or str(usual)
    digits = text.removeprefix("-")
    readable = digits.isascii() and digits.isdigit() and len(digits) < 10
    number = int(text) if readable else 0
    if 1 <= number <= most:
        return number
    nearest = min(max(number, 1), most) if readable else min(usual, most)
    raise Refused([Problem(name, f"must be a whole number from 1 to {most}, not {text[:40]!r}", nearest)])
