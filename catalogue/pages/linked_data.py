"""The linked data of a page from the page's own address: `Accept: application/ld+json`.

What is sent is what stands in the page, so the two can never differ.
"""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.utils.cache import patch_vary_headers

from catalogue.templatetags.citing import CLOSING, OPENING

HTML, LINKED_DATA = "text/html", "application/ld+json"


def wants_linked_data(request: HttpRequest) -> bool:
    """Whether it is named in Accept and liked better than a page; whoever takes anything gets the page.

    A profile (`application/ld+json;profile="…"`) asks for another arrangement of the same, and is passed over.
    """
    for accepted in request.accepted_types:  # the best liked first
        if accepted.match(HTML):
            return False
        if f"{accepted.main_type}/{accepted.sub_type}".lower() == LINKED_DATA:
            return True
    return False


class LinkedDataMiddleware:
    """Works before anything is said of the body: how long it is, and what its digest is."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        response = self.get_response(request)
        if not isinstance(response, HttpResponse) or not _is_page(request, response):
            return response
        start = response.content.find(OPENING.encode())
        if start < 0:
            return response
        patch_vary_headers(response, ["Accept"])
        if wants_linked_data(request):
            end = response.content.index(CLOSING.encode(), start)
            response.content = response.content[start + len(OPENING) : end]
            response["Content-Type"] = LINKED_DATA
        return response


def _is_page(request: HttpRequest, response: HttpResponse) -> bool:
    return (
        request.method in ("GET", "HEAD")
        and response.status_code == 200
        and response.get("Content-Type", "").startswith(HTML)
    )
