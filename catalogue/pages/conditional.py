"""Nothing is sent twice: ETag, Last-Modified, and 304 for whoever has the page already (RFC 9110, section 13).

An ETag is a digest of what is sent, so it cannot outlive a change, whatever was changed and by whom. The masks of
protected forms differ in every answer and mean nothing; the secret they were made with takes their place in the digest,
since a form of another secret would be refused: whoever comes without one has a new one, and the page is sent.
Last-Modified does not know of secrets: a browser is judged by its ETag, and who has kept only the time is a programme,
which sends no forms.

No row knows when a page last changed: a page shows rows of many tables, and the code is part of it. So Last-Modified
is the time at which its digest was first seen to be another, kept where all processes of the site see it. What is
forgotten there counts as changed now, and two changes never get the same second: a 304 may come too seldom, never
wrongly.
"""

import hashlib
import re
import time
from collections.abc import Callable

from django.conf import settings
from django.core.cache import caches
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.utils.cache import get_conditional_response
from django.utils.http import http_date

MASK = re.compile(rb'(csrfmiddlewaretoken" value=|"csrfToken": )"[^"]*"')
NOT_FOR_KEEPING = "/admin/"
KEPT_SECONDS = 30 * 24 * 3600  # since it was last seen to change


class ConditionalMiddleware:
    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        response = self.get_response(request)
        if not isinstance(response, HttpResponse) or not _may_be_kept(request, response):
            return response
        plain, masks = MASK.subn(b"", response.content)
        media_type = response.get("Content-Type", "").encode()
        secret = request.META.get("CSRF_COOKIE", "").encode() if masks else b""  # sent, or made for this answer
        response["ETag"] = f'{"W/" if masks else ""}"{_digest(plain, media_type, secret)}"'
        # Without this a browser shows what it has for a while and does not ask.
        response.headers.setdefault("Cache-Control", "no-cache")
        changed = _last_changed(request, media_type, _digest(plain, media_type))
        if changed is not None:
            response["Last-Modified"] = http_date(changed)
        else:
            del response["Last-Modified"]
        answer = get_conditional_response(request, response["ETag"], changed, response)
        return answer if isinstance(answer, HttpResponseBase) else response


def _may_be_kept(request: HttpRequest, response: HttpResponse) -> bool:
    return (
        request.method in ("GET", "HEAD")
        and response.status_code == 200
        and not response.has_header("ETag")
        and "no-store" not in response.get("Cache-Control", "")
        and not request.path_info.startswith(NOT_FOR_KEEPING)
    )


def _digest(*parts: bytes) -> str:
    return hashlib.sha256(b"\0".join(parts)).hexdigest()[:32]


def _last_changed(request: HttpRequest, media_type: bytes, digest: str) -> int | None:
    """Seconds since 1970. None for what is shown to one reader only, and for the countless addresses with a question
    mark, of which nothing is remembered."""
    if request.META.get("QUERY_STRING") or settings.SESSION_COOKIE_NAME in request.COOKIES:
        return None
    key = _digest(request.build_absolute_uri().encode(), media_type)
    try:
        known, changed = caches["pages"].get(key, ("", 0))
        if known != digest:
            changed = max(int(time.time()), changed + 1)
            caches["pages"].set(key, (digest, changed), KEPT_SECONDS)
    except Exception:  # whatever is wrong with the place it is kept in, the page is not
        return None
    return int(changed)
