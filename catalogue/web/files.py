"""Files as answers: made when they are first asked for, kept, and sent as a whole or in part; drawings as pictures.

Tables and archives of what never changes again are written once into FILES_DIR, which is only a cache: `manage.py
expire` throws away what nobody asked for in a while. A file is not sent again to a client that has it, and parts can be
asked for (RFC 9110, sections 13 and 14). Where SENDFILE_URL names a place of the proxy, the site only says which file
it is, and the proxy sends it; else the site sends it in blocks, and holds no connection to the database meanwhile.

Pictures of points (PNG) are for slides and word processors that take no SVG. They are set in the typeface that comes
with matplotlib, which has every letter that the catalogue uses and is the same on every machine; matplotlib itself is
not loaded. A process of its own draws them, in a tenth of a second or a few: all threads of this one would stand still
meanwhile, and it would hold twice the points of the largest picture, 22 MB.
"""

import contextlib
import errno
import fcntl
import hashlib
import json
import logging
import os
import re
import shutil
import stat
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cache, reduce
from http import HTTPStatus
from importlib.util import find_spec
from pathlib import Path
from typing import BinaryIO

from django.conf import settings
from django.db import connections
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.utils.encoding import escape_uri_path
from django.utils.http import content_disposition_header, http_date
from rest_framework.request import Request

from catalogue.web.conditional import conditional
from simulator.batches.rows import csv_lines, json_lines, measure_names
from simulator.models import Batch

UNFINISHED = "."  # the names of what is being written begin so
DAY = 24 * 3600
PATIENCE = 5.0  # seconds that a request waits for what another one is making
ONE_PART = re.compile(r"bytes=[ \t]*(\d*)-(\d*)[ \t]*", re.ASCII | re.IGNORECASE)
LONGEST = 100  # characters of the header that are looked at
UNCHANGING = f"public, max-age={365 * DAY}, immutable"  # of an address that always means the same bytes (RFC 8246)
BLOCK = 1 << 16  # bytes
Headers = dict[str, str]
log = logging.getLogger(__name__)


class FileBusy(Exception):
    """Another request is making the file, and it takes long: it can be had in a while."""


def kept_file(name: str, changed: float, parts: Iterable[bytes]) -> Path | None:
    """Return the file of that name, made of the parts if it is not there; None if there is no room, which the log says.

    changed: when what it holds was last changed, in seconds since 1970. One request makes it, however many ask for it
    at the same moment; nobody ever sees half of one. Raises FileBusy for those who have waited in vain.
    """
    place = Path(settings.FILES_DIR) / name
    try:
        if not place.exists():
            with _one_at_a_time(place):
                if not place.exists():
                    _write(place, changed, parts)
        os.utime(place, (time.time(), changed))  # asked for now: not every disk keeps this by itself
    except OSError as error:
        log.warning("%s is not kept as a file: %s", name, error)
        return None
    return place


@contextlib.contextmanager
def _one_at_a_time(place: Path) -> Iterator[None]:
    """Hold the lock of a file: fifty requests for the same table do not write it fifty times.

    Raises OSError, FileBusy.
    """
    folder = place.parent
    if not folder.exists():
        folder.mkdir(parents=True, exist_ok=True)
        folder.chmod(0o755)
    beside = folder / f"{UNFINISHED}{place.name}.lock"
    with beside.open("wb") as lock:
        until = time.monotonic() + PATIENCE
        while not _locked(lock):
            if time.monotonic() > until:
                raise FileBusy(f"{place.name} is being made")
            time.sleep(PATIENCE / 100)
        try:
            yield
        finally:
            beside.unlink(missing_ok=True)


def _locked(file: BinaryIO) -> bool:
    with contextlib.suppress(BlockingIOError):
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        return True
    return False


def _write(place: Path, changed: float, parts: Iterable[bytes]) -> None:
    """Write the file, readable for the proxy too. Raises OSError."""
    folder = place.parent
    if shutil.disk_usage(folder).free < settings.DISK_FREE_MB << 20:
        raise OSError(errno.ENOSPC, f"less than {settings.DISK_FREE_MB} MB (DISK_FREE_MB) are free")
    descriptor, beside = tempfile.mkstemp(prefix=UNFINISHED, dir=folder)
    try:
        with open(descriptor, "wb") as file:
            file.writelines(parts)
            os.fchmod(file.fileno(), 0o644)
        os.replace(beside, place)
    except BaseException:
        Path(beside).unlink(missing_ok=True)
        raise


def old_files(age: float) -> Iterator[Path]:
    """Yield the files that nobody has asked for in so many seconds, and those that were left unfinished a day ago."""
    now = time.time()
    folder = Path(settings.FILES_DIR)
    for file in folder.iterdir() if folder.is_dir() else ():
        most = min(age, DAY) if file.name.startswith(UNFINISHED) else age
        if now - file.stat().st_atime > most:
            yield file


class Unsatisfiable(Exception):
    """The requested part begins beyond the end, or has no bytes."""


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a file. first, last: numbers of bytes, from 0"""

    first: int
    last: int

    @property
    def size(self) -> int:
        return self.last - self.first + 1


def requested_part(request: HttpRequest | Request, size: int, etag: str, changed: str) -> Part | None:
    """Return the part that a request asks for, None for the whole file.

    A header that is not understood, or that asks for several parts, means the whole file.

    size: bytes of the file; etag, changed: its ETag and Last-Modified, for a part that is wanted of that state only.
    Raises Unsatisfiable.
    """
    match = ONE_PART.fullmatch(request.headers.get("Range", "")[:LONGEST])
    if request.method != "GET" or not match or request.headers.get("If-Range", etag) not in (etag, changed):
        return None
    first, last = match.groups()
    if not first:
        return _last_bytes(int(last), size) if last else None
    if last and int(last) < int(first):
        return None
    if int(first) >= size:
        raise Unsatisfiable
    return Part(int(first), min(int(last or size), size - 1))


def _last_bytes(number: int, size: int) -> Part:
    if not number or not size:
        raise Unsatisfiable
    return Part(max(0, size - number), size - 1)


@dataclass(frozen=True, slots=True)
class About:
    """The headers of a file.

    name: what it is saved as; kind: its media type; digest: of all that its bytes follow from
    is_shown: whether a browser shows it, and does not save it
    is_final: whether its address will never mean other bytes, so that nobody needs to ask again
    """

    name: str
    kind: str
    digest: str
    is_shown: bool = False
    is_final: bool = True

    def headers(self, changed: float) -> Headers:
        return {
            "Content-Type": self.kind,
            "Content-Disposition": str(content_disposition_header(not self.is_shown, self.name)),
            "Cache-Control": UNCHANGING if self.is_final else "no-cache",
            "ETag": f'"{self.digest}"',
            "Last-Modified": http_date(changed),
        }


def send_made(
    request: HttpRequest | Request, about: About, changed: float, parts: Callable[[], Iterable[bytes]]
) -> HttpResponseBase:
    """Send what is made of parts: from a file that is kept, or part after part where there is no room for one.

    changed: when it was, in seconds since 1970
    """
    stem, dot, ending = about.name.rpartition(".")
    path = kept_file(f"{stem}-{about.digest[:16]}{dot}{ending}", changed, parts())
    if path is not None:
        return send(request, path, about)
    headers = about.headers(changed)
    return _refused(request, headers, changed) or StreamingHttpResponse(
        parts() if request.method == "GET" else (), headers=headers
    )


def send(request: HttpRequest | Request, path: Path, about: About) -> HttpResponseBase:
    """Send a file that never changes. Raises OSError."""
    file_status = path.stat()
    headers = about.headers(file_status.st_mtime) | {"Accept-Ranges": "bytes"}
    refused = _refused(request, headers, file_status.st_mtime)
    if refused is not None:
        return refused
    place = _at_the_proxy(path, file_status.st_mode)
    if place is not None:
        return HttpResponse(headers=headers | {"X-Accel-Redirect": place})
    try:
        part = requested_part(request, file_status.st_size, headers["ETag"], headers["Last-Modified"])
    except Unsatisfiable:
        headers = {"Content-Range": f"bytes */{file_status.st_size}", "Content-Type": "text/plain"}
        return HttpResponse(status=HTTPStatus.REQUESTED_RANGE_NOT_SATISFIABLE, headers=headers)
    if part is not None:
        headers["Content-Range"] = f"bytes {part.first}-{part.last}/{file_status.st_size}"
    headers["Content-Length"] = str(part.size if part else file_status.st_size)
    _let_go_of_the_database()
    return StreamingHttpResponse(
        _blocks(path, part or Part(0, file_status.st_size - 1)) if request.method == "GET" else (),
        status=HTTPStatus.PARTIAL_CONTENT if part else HTTPStatus.OK,
        headers=headers,
    )


def _blocks(path: Path, part: Part) -> Iterator[bytes]:
    """Yield the blocks of a part; the file is opened when the first of them is sent."""
    left = part.size
    with path.open("rb") as file:
        file.seek(part.first)
        while block := file.read(min(BLOCK, left)):
            left -= len(block)
            yield block


def _refused(request: HttpRequest | Request, headers: Headers, changed: float) -> HttpResponseBase | None:
    """Return 304 for a client that has the file, 412 for one that wants another; None if it is to be sent."""
    usual = HttpResponse(headers=headers)
    answer = conditional(request, usual, int(changed))
    return None if answer is usual else answer


def _at_the_proxy(path: Path, mode: int) -> str | None:
    """Return what the proxy calls the file; None if the proxy is not to send it, or may not read it."""
    folder = Path(settings.VAR_DIR)
    if not settings.SENDFILE_URL or not path.is_relative_to(folder) or not mode & stat.S_IROTH:
        return None
    return escape_uri_path(f"{settings.SENDFILE_URL}{path.relative_to(folder)}")


def _let_go_of_the_database() -> None:
    for connection in connections.all(initialized_only=True):
        if not connection.in_atomic_block:
            connection.close()


LAYOUT = "1"  # rises when the same rows would be written otherwise
FORMS: dict[str, tuple[Callable[[Batch], Iterator[str]], str]] = {
    "csv": (csv_lines, "text/csv; charset=utf-8"),
    "jsonl": (json_lines, "application/x-ndjson"),
}


def send_rows(request: HttpRequest | Request, batch: Batch, form: str) -> HttpResponseBase:
    """Send the rows of a finished batch, which never change. batch: one that keeps its rows; form: a key of FORMS"""
    lines, kind = FORMS[form]
    follows_from = "\n".join((LAYOUT, form, batch.id, batch.digest, *measure_names(batch)))
    about = About(f"batch-{batch.id}.{form}", kind, hashlib.sha256(follows_from.encode()).hexdigest())
    changed = (batch.closed or batch.created).timestamp()
    return send_made(request, about, changed, lambda: (text.encode() for text in lines(batch)))


TYPEFACE, OF_THE_SITE = "DejaVu Sans", "Edition Sans"
FILES = ("DejaVuSans.ttf", "DejaVuSans-Bold.ttf", "DejaVuSans-Oblique.ttf")
TYPEFACES = Path(__file__).with_name("typefaces")  # of the site, in the form that the renderer reads
SCALE = 2  # points for a pixel of the drawing: sharp on paper, too
PAPER, INK = "#ffffff", "#23201b"
# The colours of the page that a drawing stands on, which browsers know and the renderer would take for black.
COLOURS_OF_THE_PAGE = {'"Canvas"': f'"{PAPER}"', "currentColor": INK}
DRAW = "import json, resvg_py, sys; sys.stdout.buffer.write(resvg_py.svg_to_bytes(**json.load(sys.stdin.buffer)))"
DRAWING_SECONDS = 60
_drawing = threading.Lock()  # one at a time for each process of the site


def picture(svg: str, *, of_the_site: bool = False) -> bytes:
    """The drawing as PNG on white, twice its size. of_the_site: as large as it is, in the typefaces of the site"""
    typeface = OF_THE_SITE if of_the_site else TYPEFACE
    options = {
        "svg_string": reduce(lambda drawn, colour: drawn.replace(*colour), COLOURS_OF_THE_PAGE.items(), svg),
        "background": PAPER,
        "zoom": 1 if of_the_site else SCALE,
        "skip_system_fonts": True,
        "font_files": _fonts(),
        **dict.fromkeys(("font_family", "serif_family", "sans_serif_family", "monospace_family"), typeface),
    }
    command = [sys.executable, "-I", "-c", DRAW]
    with _drawing:
        done = subprocess.run(
            command, input=json.dumps(options).encode(), stdout=subprocess.PIPE, timeout=DRAWING_SECONDS, check=True
        )
    return done.stdout


@cache
def _fonts() -> tuple[str, ...]:
    package = find_spec("matplotlib")
    assert package is not None
    assert package.origin is not None  # a requirement of the site
    folder = Path(package.origin).parent / "mpl-data" / "fonts" / "ttf"
    return tuple(map(str, (*(folder / name for name in FILES), *sorted(TYPEFACES.glob("*.ttf")))))
