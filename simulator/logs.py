"""Lines of the log, with their time and what is known of the request, the batch and the chunk they belong to."""

import json
import logging
import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

_known: ContextVar[dict[str, str]] = ContextVar("known", default={})  # noqa: B039 (never changed, only replaced)


@contextmanager
def log_context(**names: str) -> Iterator[None]:
    """Add these names to every line that is logged within: `log_context(batch=…, chunk=…)`."""
    token = _known.set({**_known.get(), **names})
    try:
        yield
    finally:
        _known.reset(token)


class _Timed(logging.Formatter):
    """Times in UTC, to the millisecond (RFC 3339)."""

    def formatTime(self, record: logging.LogRecord, datefmt: str | None = None) -> str:  # noqa: N802
        return time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(record.created)) + f".{int(record.msecs):03}Z"


class Line(_Timed):
    """`2026-11-23T02:00:00.000Z WARNING simulator.batches.playing [batch=… chunk=3] message`."""

    def format(self, record: logging.LogRecord) -> str:
        names = " ".join(f"{key}={value}" for key, value in _known.get().items())
        record.known = f" [{names}]" if names else ""
        return super().format(record)

    def __init__(self) -> None:
        super().__init__("{asctime} {levelname} {name}{known} {message}", style="{")


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
        if record.exc_info:
            line["trace"] = self.formatException(record.exc_info)
        return json.dumps(line, ensure_ascii=False)
