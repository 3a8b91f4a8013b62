"""A file as an answer: all of it or a part, and not again to whoever has it (RFC 9110, sections 13 and 14).

Where SENDFILE_URL names a place of the proxy, the site only says which file it is, and the proxy sends it. Else the
site does, in blocks; no connection to the database waits until a slow reader has read.
"""

import stat
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from http import HTTPStatus
from pathlib import Path

from django.conf import settings
from django.db import connections
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.utils.cache import get_conditional_response
from django.utils.encoding import escape_uri_path
from django.utils.http import content_disposition_header, http_date
from rest_framework.request import Request

from catalogue.web.byte_ranges import Part, Unsatisfiable, wanted_part
from catalogue.web.kept_files import kept

BLOCK = 1 << 16  # bytes
Headers = dict[str, str]


@dataclass(frozen=True, slots=True)
class About:
    """name: what it is saved as; kind: its media type; digest: of all that its bytes follow from

    is_shown: whether a browser shows it, and does not save it
    """

    name: str
    kind: str
    digest: str
    is_shown: bool = False

    def headers(self, changed: float) -> Headers:
        return {
            "Content-Type": self.kind,
            "Content-Disposition": str(content_disposition_header(not self.is_shown, self.name)),
            "Cache-Control": "no-cache",
            "ETag": f'"{self.digest}"',
            "Last-Modified": http_date(changed),
        }


def send_made(
    request: HttpRequest | Request, about: About, changed: float, parts: Callable[[], Iterable[bytes]]
) -> HttpResponseBase:
    """What is made of parts: from a file that is kept, or part after part where there is no room for one.

    changed: when it was, in seconds since 1970
    """
    stem, dot, ending = about.name.rpartition(".")
    path = kept(f"{stem}-{about.digest[:16]}{dot}{ending}", changed, parts())
    if path is not None:
        return send(request, path, about)
    headers = about.headers(changed)
    return _refused(request, headers, changed) or StreamingHttpResponse(
        parts() if request.method == "GET" else (), headers=headers
    )


def send(request: HttpRequest | Request, path: Path, about: About) -> HttpResponseBase:
    """A file that never changes. Raises OSError."""
    found = path.stat()
    headers = about.headers(found.st_mtime) | {"Accept-Ranges": "bytes"}
    refused = _refused(request, headers, found.st_mtime)
    if refused is not None:
        return refused
    place = _at_the_proxy(path, found.st_mode)
    if place is not None:
        return HttpResponse(headers=headers | {"X-Accel-Redirect": place})
    try:
        part = wanted_part(request, found.st_size, headers["ETag"], headers["Last-Modified"])
    except Unsatisfiable:
        headers = {"Content-Range": f"bytes */{found.st_size}", "Content-Type": "text/plain"}
        return HttpResponse(status=HTTPStatus.REQUESTED_RANGE_NOT_SATISFIABLE, headers=headers)
    if part is not None:
        headers["Content-Range"] = f"bytes {part.first}-{part.last}/{found.st_size}"
    headers["Content-Length"] = str(part.size if part else found.st_size)
    _let_go_of_the_database()
    return StreamingHttpResponse(
        _blocks(path, part or Part(0, found.st_size - 1)) if request.method == "GET" else (),
        status=HTTPStatus.PARTIAL_CONTENT if part else HTTPStatus.OK,
        headers=headers,
    )


def _blocks(path: Path, part: Part) -> Iterator[bytes]:
    """Opened when the first of them is sent."""
    left = part.size
    with path.open("rb") as file:
        file.seek(part.first)
        while block := file.read(min(BLOCK, left)):
            left -= len(block)
            yield block


def _refused(request: HttpRequest | Request, headers: Headers, changed: float) -> HttpResponseBase | None:
    """304 for whoever has it, 412 for who wants another; None if it is to be sent."""
    usual = HttpResponse(headers=headers)
    answer = get_conditional_response(request, headers["ETag"], int(changed), usual)
    return None if answer is usual else answer


def _at_the_proxy(path: Path, mode: int) -> str | None:
    """What the proxy calls it; None if the proxy is not to send it, or may not read it."""
    folder = Path(settings.VAR_DIR)
    if not settings.SENDFILE_URL or not path.is_relative_to(folder) or not mode & stat.S_IROTH:
        return None
    return escape_uri_path(f"{settings.SENDFILE_URL}{path.relative_to(folder)}")


def _let_go_of_the_database() -> None:
    for one in connections.all(initialized_only=True):
        if not one.in_atomic_block:
            one.close()
