"""What happens while an answer is rendered, so far as it decides whether the answer can be kept for others."""

import re
from collections.abc import Callable
from contextvars import ContextVar, Token
from typing import Any

from catalogue.models.changes import LIVE

READS = ("SELECT", "WITH", "SAVEPOINT", "RELEASE", "BEGIN", "EXPLAIN")
LIVE_TABLE = re.compile("|".join(sorted(LIVE)))
_current: ContextVar["Rendering | None"] = ContextVar("rendering", default=None)


class Rendering:
    """One answer being rendered: whether it may be kept until the content changes.

    It may not where a statement writes, or reads a table that changes while games are played.
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


def depends_on_files() -> None:
    """Say that the answer that is being rendered shows more than rows, and is not to be kept."""
    if rendering := _current.get():
        rendering.may_be_kept = False
