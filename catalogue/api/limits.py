"""Limits of the API: how often it may be used from one address or with a token, and what other sites may read.

Every answer says how much is left, in the fields of the draft "RateLimit header fields for HTTP"
(https://datatracker.ietf.org/doc/draft-ietf-httpapi-ratelimit-headers/, version 10); a refusal says when to come again.
Counts are kept in the cache that all processes of the site share. If it does not answer, nobody is refused.
"""

import logging
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from http import HTTPStatus

from corsheaders.middleware import CorsMiddleware
from django.conf import settings
from django.core.cache import cache
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.urls import Resolver404, resolve
from django.utils import timezone

from catalogue.models.site import ReadingToken, digest_of
from catalogue.web.addresses import address_of
from catalogue.web.problem_document import refusal
from catalogue.web.routes import ROUTES
from simulator.batches.queueing import hash_address
from simulator.engine.ruleset import Problem

COUNTED = "/api/"
SCHEME = "bearer "
log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Window:
    """A number of requests within some seconds, counted from a full minute or hour. most: 0 where nothing is bounded"""

    name: str
    seconds: int
    most: int


@dataclass(frozen=True, slots=True)
class Count:
    window: Window
    used: int
    reset: int  # seconds until it begins anew

    @property
    def left(self) -> int:
        return max(0, self.window.most - self.used)


class LimitsMiddleware:
    """Count the requests to the API, its description too, and answer 429 where there were too many.

    What a browser asks beforehand (a preflight) is answered before this, and not counted. A token that is not known
    counts for the address, so that guessing at tokens has an end.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if not request.path_info.startswith(COUNTED):
            return self.get_response(request)
        token, refused, sent = None, "", request.headers.get("Authorization", "")
        if sent.lower().startswith(SCHEME):
            token = _token(sent[len(SCHEME) :].strip())
            if refused := "this token is not known here" if token is None else token.refusal:
                token = None
        counts = list(_counted(f"token {token.pk}" if token else address_of(request), windows(token)))
        if spent := [count for count in counts if count.used > count.window.most]:
            response = _too_many(request, spent, token)
        else:
            response = _refused(request, refused) if refused else self.get_response(request)
        if counts:
            response["RateLimit-Policy"] = ", ".join(
                f'"{c.window.name}";q={c.window.most};w={c.window.seconds}' for c in counts
            )
            response["RateLimit"] = ", ".join(f'"{c.window.name}";r={c.left};t={c.reset}' for c in counts)
        return response


def windows(token: ReadingToken | None) -> tuple[Window, Window]:
    if token:
        return Window("minute", 60, token.requests_per_minute), Window("hour", 3600, token.requests_per_hour)
    return Window("minute", 60, settings.API_REQUESTS_PER_MINUTE), Window("hour", 3600, settings.API_REQUESTS_PER_HOUR)


def _counted(whose: str, bounds: tuple[Window, ...]) -> Iterator[Count]:
    """Count this request among those of the same visitor, in each bounded window."""
    now = int(time.time())
    for window in bounds:
        if not window.most:
            continue
        number, into = divmod(now, window.seconds)
        key = f"asked:{hash_address(whose)}:{window.seconds}:{number}"
        try:
            cache.add(key, 0, window.seconds + 60)
            used = cache.incr(key)
        except Exception as error:  # whatever the cache's server raises: reading must not depend on it
            log.warning("requests are not counted: %s", error)
            return
        yield Count(window, used, window.seconds - into)


def _token(sent: str) -> ReadingToken | None:
    token = ReadingToken.objects.filter(digest=digest_of(sent)).select_related("owner").first()
    today = timezone.now().date()
    if token and not token.refusal and token.last_day_used != today:
        ReadingToken.objects.filter(pk=token.pk).update(last_day_used=today)
    return token


def _refused(request: HttpRequest, why: str) -> HttpResponse:
    message = f"{why}; without one, everything can be read too"
    response = refusal(request, [Problem("Authorization", message)], HTTPStatus.UNAUTHORIZED)
    response["WWW-Authenticate"] = 'Bearer error="invalid_token"'
    return response


def _too_many(request: HttpRequest, spent: list[Count], token: ReadingToken | None) -> HttpResponse:
    last = max(spent, key=lambda count: count.reset)
    whose = "with this token" if token else "from one address"
    more = "" if token else "; who needs more can have a token (see /about/api/)"
    message = f"{last.window.most} requests {whose} are answered in one {last.window.name}{more}"
    response = refusal(request, [Problem("", message)], HTTPStatus.TOO_MANY_REQUESTS)
    response["Retry-After"] = str(last.reset)
    return response


class CrossOriginReadingMiddleware(CorsMiddleware):
    """What scripts of other sites may read: the API, and every address that is for everybody and only reads.

    The library opens addresses with all their methods; here what a POST is answered stays closed, unless it writes
    nothing, and so does what a reader with a session is sent.
    """

    def is_enabled(self, request: HttpRequest) -> bool:
        declared = ROUTES.get(_route_of(request))
        wanted = str(request.method)
        if wanted == "OPTIONS":  # of a preflight it counts what is asked for: browsers send a POST whatever is allowed
            wanted = request.headers.get("Access-Control-Request-Method", wanted)
        if wanted not in settings.CORS_ALLOW_METHODS and not (declared and declared.reads_only):
            return False
        if super().is_enabled(request):
            return True
        if settings.SESSION_COOKIE_NAME in request.COOKIES:
            return False
        return declared is not None and declared.is_read_elsewhere

    def check_preflight(self, request: HttpRequest) -> HttpResponseBase | None:
        if request.method != "OPTIONS":
            return None  # whether it may be read is looked at when its route is known
        response = super().check_preflight(request)
        if response is not None:
            response.status_code = HTTPStatus.NO_CONTENT
            del response["Content-Length"]
        return response


def _route_of(request: HttpRequest) -> str:
    """The name of the route that answers, or answered; empty where none does."""
    if known := getattr(request, "route", "") or (request.resolver_match and request.resolver_match.view_name):
        return str(known)
    try:
        return resolve(request.path_info).view_name
    except Resolver404:
        return ""
