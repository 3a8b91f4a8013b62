"""Every request has a name that the log and the answer say, and is counted by route and status."""

import logging
import re
import time
import uuid
from collections.abc import Callable
from typing import Any

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from prometheus_client import Counter, Histogram

from simulator.logs import log_context

WELL_FORMED = re.compile(r"[A-Za-z0-9._-]{8,64}")
METHODS = {"GET", "HEAD", "POST", "OPTIONS"}
OTHER = "other"  # for what a stranger may invent, so that no one can make a series of each
REQUESTS = Counter("http_requests", "Requests answered.", ("route", "method", "status"))
SECONDS = Histogram(
    "http_request_seconds",
    "Time until an answer began.",
    ("route",),
    buckets=(0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30),
)
log = logging.getLogger(__name__)


class WatchedMiddleware:
    """The first of all, so that whatever the others answer is named and counted too."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        name, started = name_of(request), time.perf_counter()
        with log_context(request=name):
            response = self.get_response(request)
            seconds = time.perf_counter() - started
            log.info("%s %s %d %.0f ms", request.method, request.path, response.status_code, 1000 * seconds)
        route = route_of(request)
        REQUESTS.labels(route, request.method if request.method in METHODS else OTHER, response.status_code).inc()
        SECONDS.labels(route).observe(seconds)
        response["X-Request-ID"] = name
        return response


def name_of(request: HttpRequest) -> str:
    """What the proxy calls this request, if that is a name, else a new one."""
    given = request.headers.get("X-Request-ID", "")
    return given if WELL_FORMED.fullmatch(given) else uuid.uuid4().hex


def route_of(request: HttpRequest) -> str:
    """The name of the address's pattern, never the address, of which there are countless.

    A page that is kept knows its own, and no pattern was looked for.
    """
    if kept := getattr(request, "route", ""):
        return str(kept)
    match: Any = request.resolver_match
    return match.view_name or OTHER if match else OTHER
