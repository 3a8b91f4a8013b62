"""What happens while an answer is rendered, so far as it decides whether the answer can be kept for others."""

import hashlib
import os
import re
from collections.abc import Callable, Iterator
from contextvars import ContextVar, Token
from functools import cache
from pathlib import Path
from typing import Any

from django.conf import settings

from catalogue.models.changes import LIVE

OF_THE_CODE = ("catalogue", "simulator", "templates", "fixtures")
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


def keep_for_nobody() -> None:
    """Say that the answer that is being rendered shows more than rows, or is for one visitor, and is not to be kept."""
    if rendering := _current.get():
        rendering.may_be_kept = False


@cache
def build_digest() -> str:
    """Of the code and of the texts and data that come with it, as this process found them: the same on every machine.

    What is kept outlives a restart, and no release. Of the edition its index speaks for its many files.
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
