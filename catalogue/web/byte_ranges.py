"""Which part of a file a request wants (RFC 9110, section 14)."""

import re
from dataclasses import dataclass

from django.http import HttpRequest
from rest_framework.request import Request

ONE_PART = re.compile(r"bytes=[ \t]*(\d*)-(\d*)[ \t]*", re.ASCII | re.IGNORECASE)
LONGEST = 100  # characters of the header that are looked at


class Unsatisfiable(Exception):
    """The part begins beyond the end, or has no bytes."""


@dataclass(frozen=True, slots=True)
class Part:
    """first, last: numbers of bytes, from 0"""

    first: int
    last: int

    @property
    def size(self) -> int:
        return self.last - self.first + 1


def wanted_part(request: HttpRequest | Request, size: int, etag: str, changed: str) -> Part | None:
    """None for all of it, which is also what a header means that is not understood, or that wants several parts.

    size: bytes of the file; etag, changed: its ETag and Last-Modified, for a part that is wanted of that state only.
    Raises Unsatisfiable.
    """
    asked = ONE_PART.fullmatch(request.headers.get("Range", "")[:LONGEST])
    if request.method != "GET" or not asked or request.headers.get("If-Range", etag) not in (etag, changed):
        return None
    first, last = asked.groups()
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
