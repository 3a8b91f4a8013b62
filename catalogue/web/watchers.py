"""Who may see how the site is: addresses and a token by setting. What it tells is of no use to readers."""

import secrets
from collections.abc import Callable
from functools import wraps

from django.conf import settings
from django.http import HttpRequest, HttpResponse

from catalogue.web.visitors import called_from, parsed

SCHEME = "Bearer "


def for_watchers(view: Callable[[HttpRequest], HttpResponse]) -> Callable[[HttpRequest], HttpResponse]:
    """403 for everybody else; nothing of it is kept by anybody."""

    @wraps(view)
    def guarded(request: HttpRequest) -> HttpResponse:
        if not may_watch(request):
            return HttpResponse(
                "Only for those whom WATCH_ADDRESSES or WATCH_TOKEN names.\n", status=403, content_type="text/plain"
            )
        response = view(request)
        response["Cache-Control"] = "no-store"
        return response

    return guarded


def may_watch(request: HttpRequest) -> bool:
    """By token, else by address. Who came through a proxy that TRUSTED_PROXIES does not count comes from anywhere."""
    sent = request.headers.get("Authorization", "")
    if settings.WATCH_TOKEN and sent.startswith(SCHEME):
        return secrets.compare_digest(sent[len(SCHEME) :].encode(), settings.WATCH_TOKEN.encode())
    if "X-Forwarded-For" in request.headers and not settings.TRUSTED_PROXIES:
        return False
    address = parsed(called_from(request))
    return any(address in network for network in settings.WATCH_ADDRESSES if address)
