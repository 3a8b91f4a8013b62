"""Every request is held against the table of addresses, before its view sees it."""

import logging
from collections.abc import Callable
from typing import Any

from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed

from catalogue.permissions.addresses import ADDRESSES, API

ADMIN = "admin:"
log = logging.getLogger(__name__)


class RightsMiddleware:
    """405 for a method that an address does not answer, 403 where a permission is wanting or no row says who may."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_view(
        self, request: HttpRequest, view: Callable[..., Any], args: tuple[Any, ...], given: dict[str, Any]
    ) -> HttpResponse | None:
        name = request.resolver_match.view_name if request.resolver_match else ""
        if name.startswith(ADMIN):
            return None
        right = ADDRESSES.get(name)
        if right is None:
            log.error("no row of catalogue.permissions.addresses says who may ask for %r", name)
            raise PermissionDenied
        method = "GET" if request.method == "HEAD" else request.method
        if method not in right.methods and name not in API:  # the REST framework answers for itself
            return HttpResponseNotAllowed(sorted({*right.methods, *(["HEAD"] if "GET" in right.methods else [])}))
        if right.permission and not right.or_own and not request.user.has_perm(right.permission):
            raise PermissionDenied
        return None
