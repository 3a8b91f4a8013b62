"""Lines of the log, with their time and what is known of the request, the batch and the chunk they belong to.

What a stranger sends stands in messages and errors: characters that end a line, move the cursor or turn the direction
of writing are written as `\u000a`, and what follows the first line of an error is indented, so that nobody can forge a
line that is not his.
"""

import json
import logging
import re
import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from http import HTTPStatus

# Controls (C0, DEL, C1), separators of lines and paragraphs, marks of direction, and halves of characters.
UNSEEN = re.compile("[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")
BELOW = "    "  # before each line of an error but the first
_known: ContextVar[dict[str, str]] = ContextVar("known", default={})  # noqa: B039 (never changed, only replaced)


@contextmanager
def log_context(**names: str) -> Iterator[None]:
    """Add these names to every line that is logged within: `log_context(batch=…, chunk=…)`."""
    token = _known.set({**_known.get(), **names})
    try:
        yield
    finally:
        _known.reset(token)


def printable(text: str) -> str:
    """The text with its unseen characters as JSON would write them; a document of JSON stays the same document."""
    return UNSEEN.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def printable_lines(text: str) -> str:
    """The same for a text of several lines, in which tabs stay too."""
    return UNSEEN.sub(lambda found: found[0] if found[0] in "\n\t" else printable(found[0]), text.replace("\r\n", "\n"))


class _Timed(logging.Formatter):
    """Times in UTC, to the millisecond (RFC 3339)."""

    def formatTime(self, record: logging.LogRecord, datefmt: str | None = None) -> str:  # noqa: N802
        return time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(record.created)) + f".{int(record.msecs):03}Z"

    def below(self, record: logging.LogRecord) -> Iterator[str]:
        """The error, and the stack, where the record has them."""
        if record.exc_info:
            yield self.formatException(record.exc_info)
        if record.stack_info:
            yield self.formatStack(record.stack_info)


class Line(_Timed):
    """`2026-11-23T02:00:00.000Z WARNING simulator.batches.playing [batch=… chunk=3] message`."""

    def format(self, record: logging.LogRecord) -> str:
        names = "".join(f" {key}={value}" for key, value in _known.get().items())
        known = f" [{names[1:]}]" if names else ""
        line = f"{self.formatTime(record)} {record.levelname} {record.name}{known} {record.getMessage()}"
        below = [BELOW + part for text in self.below(record) for part in text.splitlines()]
        return "\n".join(map(printable, (line, *below)))


class JSONLine(_Timed):
    """One JSON object a line: `time`, `level`, `logger`, `message`, `trace` of an error, and the names known."""

    def format(self, record: logging.LogRecord) -> str:
        line = {
            "time": self.formatTime(record),
            "level": record.levelname,
            "logger": record.name,
            "message": record.getMessage(),
            **_known.get(),
        }
        if below := list(self.below(record)):
            line["trace"] = "\n".join(below)
        return printable(json.dumps(line, ensure_ascii=False))


class Strangers(logging.Filter):
    """Leaves the trace out where the request was wrong, and not the site: whoever sends rubbish fills no disk."""

    def filter(self, record: logging.LogRecord) -> bool:
        is_refusal = HTTPStatus.BAD_REQUEST <= getattr(record, "status_code", 0) < HTTPStatus.INTERNAL_SERVER_ERROR
        if record.name.startswith("django.security") or is_refusal:
            record.exc_info = record.exc_text = None
        return True
