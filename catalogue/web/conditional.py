"""Conditional answers and kept pages: ETag, Last-Modified, 304 (RFC 9110, section 13).

A page of a visitor without a session is kept with the state of the content that it was rendered from. While that state
is the same, the next visitor is sent the kept page, or told with 304 that his own is still right, and no view runs. The
state is one query (`catalogue.models.changes`): whatever writes a row makes it another one, so a change shows on the
next request. Not kept is what a session sees, what sets a cookie or holds a token, what reads a table that changes
while games are played, what writes something while it is rendered, and what says that it depends on more than rows.

An ETag is a digest of what is sent, so it cannot outlive a change, whatever was changed and by whom. The masks of
protected forms, which only readers with a session are sent, differ in every answer and mean nothing; the secret they
were made with takes their place in the digest, since a form of another secret would be refused. An address with a
question mark is one of countless ones, of which nothing is kept: its ETag is a digest of the address and the state, and
of the headers that went with it.

A 304 carries the headers of the 200 that it stands for, since browsers write them over those that they have (RFC 9111,
section 3.2): what may frame a page, and what its drawings may load, is the same on every visit.

Last-Modified is the time at which the digest of an address was first seen to be another, kept where all processes of
the site see it. What is forgotten there counts as changed now, and two changes never get the same second: a 304 may
come too seldom, never wrongly.
"""

import gzip
import hashlib
import os
import re
import time
from collections.abc import Callable, Iterator
from contextvars import ContextVar, Token
from dataclasses import dataclass, replace
from functools import cache
from http import HTTPStatus
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.cache import caches
from django.core.exceptions import DisallowedHost
from django.db import DatabaseError, connection
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.utils import timezone
from django.utils.cache import get_conditional_response, patch_vary_headers
from django.utils.http import http_date
from rest_framework.request import Request

from catalogue.models.changes import LIVE, content_version

OF_THE_CODE = ("catalogue", "simulator", "templates", "fixtures")
READS = ("SELECT", "WITH", "SAVEPOINT", "RELEASE", "BEGIN", "EXPLAIN")
LIVE_TABLE = re.compile("|".join(sorted(LIVE)))
_current: ContextVar["Rendering | None"] = ContextVar("rendering", default=None)


class Rendering:
    """An answer being rendered, and whether it may be kept until the content changes.

    It may not be kept where a statement writes, or reads a table that changes while games are played.
    """

    def __init__(self) -> None:
        self.may_be_kept = True
        self._outer: Token[Rendering | None] | None = None

    def __enter__(self) -> "Rendering":
        self._outer = _current.set(self)
        return self

    def __exit__(self, *_: object) -> None:
        if self._outer is not None:
            _current.reset(self._outer)

    def watch(self, execute: Callable[..., Any], sql: str, params: Any, many: bool, context: Any) -> Any:
        """See `connection.execute_wrapper`."""
        if self.may_be_kept and (not sql.lstrip("( \n").startswith(READS) or LIVE_TABLE.search(sql)):
            self.may_be_kept = False
        return execute(sql, params, many, context)


def keep_for_nobody() -> None:
    """Say that the answer that is being rendered shows more than rows, or is for one visitor, and is not to be kept."""
    if rendering := _current.get():
        rendering.may_be_kept = False


@cache
def build_digest() -> str:
    """A digest of the code, texts and data that this process runs with, the same on every machine.

    Kept answers outlive a restart, but no release. The index of the edition represents its many files.
    """
    root = Path(settings.BASE_DIR)
    digest = hashlib.sha256()
    for name in OF_THE_CODE:
        for file in _files(root / name):
            digest.update(str(file.relative_to(root)).encode())
            digest.update(hashlib.sha256(file.read_bytes()).digest())
    return digest.hexdigest()


def _files(folder: Path) -> Iterator[Path]:
    for place, folders, names in os.walk(folder):
        folders[:] = [] if Path(place).name == "edition" else sorted(name for name in folders if name[0] not in "_.")
        yield from (Path(place) / name for name in sorted(names))


MASK = re.compile(rb'csrf(?:middlewaretoken" value=|Token": )"[^"]*"')  # that all begin alike makes it fast
NOT_FOR_KEEPING = ("/admin/", "/workshop/", "/livez", "/healthz", "/readyz", "/metrics")
KEPT_SECONDS = 30 * 24 * 3600  # since it was last rendered
LONGEST_KEPT = 1 << 20  # bytes, compressed
OF_THE_BODY = ("content-disposition", "content-encoding", "content-length", "content-range", "content-type")
OF_AN_ADDRESS = ("ETag", "Last-Modified", "Link")
MOST_SAID = 1_000  # few are ever needed: answers of one kind say the same
_said: dict[str, tuple[tuple[tuple[str, str], ...], str]] = {}  # headers and media type, by the end of a tag
VARY = ("Accept", "Accept-Encoding", "Cookie", "HX-Request", "HX-Target")


@dataclass(frozen=True, slots=True)
class KeptAnswer:
    """The last answer of an address.

    digest, changed: of the body, and the time at which it was first seen, in seconds since 1970
    state:   of the content that it was rendered from; empty where the answer itself is not kept
    headers: of the answer; body: compressed; route: the name of the address's pattern
    """

    digest: str
    changed: int
    state: str = ""
    headers: tuple[tuple[str, str], ...] = ()
    body: bytes = b""
    route: str = ""

    def response(self, compressed: bool) -> HttpResponse:
        response = HttpResponse(self.body if compressed else gzip.decompress(self.body))
        del response["Content-Type"]
        for name, value in self.headers:
            response[name] = value
        response["Last-Modified"] = http_date(self.changed)
        if compressed:
            response["Content-Encoding"] = "gzip"
            response["ETag"] = f"W/{response['ETag']}"
        response["Content-Length"] = str(len(response.content))
        return response


class ConditionalMiddleware:
    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        state = _state(request) if _is_for_everybody(request) else ""
        has_parameters = bool(request.META.get("QUERY_STRING"))
        key = "" if has_parameters or not (state or _may_remember(request)) else _address(request)
        known = _remembered(key)
        if state and known and known.state == state:
            request.route = known.route  # type: ignore[attr-defined]
            return conditional(request, known.response(is_compressed(request)), known.changed)
        tag = _digest(_address(request).encode(), state.encode()) if state and has_parameters else ""
        if tag and (unchanged := _as_sent_before(tag, request.headers.get("If-None-Match", ""))):
            return conditional(request, unchanged, None)
        rendering = Rendering()
        with rendering, connection.execute_wrapper(rendering.watch):
            response = self.get_response(request)
        if not isinstance(response, HttpResponse) or not _has_validators(request, response):
            return response
        plain, masks = MASK.subn(b"", response.content)
        media_type = response.get("Content-Type", "").encode()
        secret = request.META.get("CSRF_COOKIE", "").encode() if masks else b""  # sent, or made for this answer
        is_for_all = bool(state) and rendering.may_be_kept and not masks and _sets_nothing(request, response)
        response["ETag"] = f'{"W/" if masks else ""}"{_digest(plain, media_type, secret)}"'
        # Without this a browser shows what it has for a while and does not ask.
        response.headers.setdefault("Cache-Control", "no-cache")
        del response["Last-Modified"]
        if tag and is_for_all:
            patch_vary_headers(response, VARY)
            response["ETag"] = f'"{tag}-{_remember_headers(response)}"'
        changed = _keep(request, response, known, key, _digest(plain, media_type), state if is_for_all else "")
        if changed is not None:
            response["Last-Modified"] = http_date(changed)
        return conditional(request, response, changed)


def conditional(request: HttpRequest | Request, response: HttpResponse, changed: int | None) -> HttpResponseBase:
    """304 or 412 where the request says so, else the response. changed: in seconds since 1970"""
    answer = get_conditional_response(request, response["ETag"], changed, response)
    if not isinstance(answer, HttpResponseBase):
        return response
    if answer.status_code == HTTPStatus.NOT_MODIFIED:
        for name, value in _carried(response):
            answer.headers.setdefault(name, value)
        answer.stands_for = response.get("Content-Type", "")  # type: ignore[attr-defined]
    return answer


def _carried(response: HttpResponse) -> Iterator[tuple[str, str]]:
    """The headers of an answer that hold without its body."""
    return ((name, value) for name, value in response.items() if name.lower() not in OF_THE_BODY)


def _remember_headers(response: HttpResponse) -> str:
    """A name for what is said with an answer, beside what differs from address to address."""
    headers = tuple(sorted((name, value) for name, value in _carried(response) if name not in OF_AN_ADDRESS))
    said = headers, str(response.get("Content-Type", ""))
    name = _digest(repr(said).encode())[:8]
    if len(_said) < MOST_SAID:
        _said[name] = said
    return name


def _as_sent_before(tag: str, known: str) -> HttpResponse | None:
    """An answer without a body, with the headers of the one that the client has; None if this process never sent it.

    known: the client's tags
    """
    found = re.search(rf'"{tag}-([0-9a-f]{{8}})"', known)
    if found is None or found[1] not in _said:
        return None
    headers, media_type = _said[found[1]]
    return HttpResponse(headers={**dict(headers), "ETag": found[0]}, content_type=media_type)


def _is_for_everybody(request: HttpRequest) -> bool:
    """Return whether every visitor gets the same answer to this request."""
    return (
        settings.KEEP_PAGES
        and request.method in ("GET", "HEAD")
        and not {settings.SESSION_COOKIE_NAME, "messages"} & request.COOKIES.keys()
        and not {"Authorization", "HX-Request"} & request.headers.keys()
        and not request.path_info.startswith(NOT_FOR_KEEPING)
    )


def is_compressed(request: HttpRequest) -> bool:
    """Return whether the answer is sent compressed, as `catalogue.web.middleware` has read Accept-Encoding."""
    return bool(request.META.get("HTTP_ACCEPT_ENCODING") == "gzip")  # `headers` may be older than what was read


def _state(request: HttpRequest) -> str:
    """A digest of content, code and day, which citations name; empty where it cannot be known."""
    try:
        request.get_host()
        parts = (build_digest(), settings.ENVIRONMENT_DIGEST, content_version(), str(timezone.now().date()), _tables())
        return _digest(*(part.encode() for part in parts))
    except (DatabaseError, DisallowedHost):
        return ""


def _tables() -> str:
    """The tables of solved rulesets on this disk, which decide where the perfect player is offered."""
    folder = Path(settings.VAR_DIR) / "tables"
    try:
        return " ".join(sorted(f"{place.name} {place.stat().st_mtime_ns}" for place in os.scandir(folder)))
    except OSError:
        return ""


def _may_remember(request: HttpRequest) -> bool:
    """Return whether an answer may be remembered: not what is shown to one reader only."""
    return (
        request.method in ("GET", "HEAD")
        and settings.SESSION_COOKIE_NAME not in request.COOKIES
        and not request.path_info.startswith(NOT_FOR_KEEPING)
    )


def _address(request: HttpRequest) -> str:
    """A digest of the address with the headers that decide what is sent; empty for an invalid host."""
    try:
        address = request.build_absolute_uri()
    except DisallowedHost:
        return ""
    headers = (request.headers.get(name, "") for name in ("Accept", "HX-Request", "HX-Target"))
    return _digest(*(text.encode() for text in (address, *headers)))


def _has_validators(request: HttpRequest, response: HttpResponse) -> bool:
    return (
        request.method in ("GET", "HEAD")
        and response.status_code == 200
        and not response.has_header("ETag")
        and "no-store" not in response.get("Cache-Control", "")
        and not request.path_info.startswith("/admin/")
    )


def _sets_nothing(request: HttpRequest, response: HttpResponse) -> bool:
    return not response.cookies and "CSRF_COOKIE_NEEDS_UPDATE" not in request.META


def _digest(*parts: bytes) -> str:
    return hashlib.sha256(b"\0".join(parts)).hexdigest()[:32]


def _remembered(key: str) -> KeptAnswer | None:
    if not key:
        return None
    try:
        known = caches["pages"].get(key)
    except Exception:  # whatever is wrong with the place it is kept in, the page is not
        return None
    return known if isinstance(known, KeptAnswer) else None


def _keep(
    request: HttpRequest, response: HttpResponse, known: KeptAnswer | None, key: str, digest: str, state: str
) -> int | None:
    """Remember the answer, and return the time since which it is the same; None where nothing is remembered.

    state: the state that it is kept with, empty if only its digest is kept
    """
    if not key:
        return None
    same = known if known and known.digest == digest else None
    changed = same.changed if same else max(int(time.time()), known.changed + 1 if known else 0)
    entry = KeptAnswer(digest, changed)
    if state and request.method == "GET":
        body = gzip.compress(response.content, 6, mtime=0)
        route = request.resolver_match.view_name if request.resolver_match else ""
        if len(body) <= LONGEST_KEPT:
            entry = replace(entry, state=state, headers=tuple(response.items()), body=body, route=route)
    if entry == known:
        return changed
    try:
        caches["pages"].set(key, entry, KEPT_SECONDS)
    except Exception:
        return None
    return changed
