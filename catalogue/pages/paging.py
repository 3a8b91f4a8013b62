"""Long lists in pages, each with an address of its own."""

from typing import Any

from django.core.paginator import Page, Paginator
from django.db.models import QuerySet
from django.http import HttpRequest

from catalogue.texts.errors import Suggested, WrongAddress

PAGE_SIZE = 25


class FromTheNearerEnd(Paginator):
    """A database counts its way to a page: those of the second half are counted to from the end."""

    def page(self, number: int | str) -> "Page[Any]":
        number = self.validate_number(number)
        first, after = (number - 1) * self.per_page, min(number * self.per_page, self.count)
        if isinstance(self.object_list, QuerySet) and 2 * first > self.count:
            backwards = self.object_list.reverse()[self.count - after : self.count - first]
            return Page(list(backwards)[::-1], number, self)
        found: Page[Any] = super().page(number)
        return found


def page_of(request: HttpRequest, rows: "QuerySet[Any] | list[Any]", size: int = PAGE_SIZE) -> "Page[Any]":
    """The page that the address asks for (`?page=2`); WrongAddress names the nearest page if there is none such."""
    pages = FromTheNearerEnd(rows, size)
    typed = request.GET.get("page", "1")
    number = int(typed) if typed.isascii() and typed.isdigit() and len(typed) < 10 else 0
    if 1 <= number <= pages.num_pages:
        return pages.page(number)
    nearest = min(max(number, 1), pages.num_pages)
    parameters = request.GET.copy()
    parameters["page"] = str(nearest)
    raise WrongAddress(
        f"There is no page “{typed[:40]}” of this list: it has {pages.num_pages}.",
        Suggested(f"page {nearest}", f"{request.path}?{parameters.urlencode()}"),
    )
