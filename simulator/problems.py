"""The errors of a request to the simulator, and checks that raise them, for site, API and commands."""

import errno
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from simulator.engine.ruleset import Problem


class WrongRequest(ValueError):
    """The request cannot be met as it stands; nothing was written.

    problems: every mistake, each with its key ("games"), a sentence, and the nearest valid value if there is one
    """

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = tuple(problems)
        super().__init__("; ".join(str(problem) for problem in self.problems))

    @classmethod
    def of(cls, key: str, message: str, nearest: Any = None) -> "WrongRequest":
        """Make the error of a single mistake."""
        return cls([Problem(key, message, nearest)])


class QueueFull(Exception):
    """The request is right, but visitors have requested enough already; nothing was written.

    retry_after: seconds after which it may be tried again
    """

    def __init__(self, message: str, retry_after: int) -> None:
        self.retry_after = retry_after
        super().__init__(message)


class BrokerSilent(Exception):
    """No broker answers, so no worker can hear of the batch."""


class DigestsDiffer(Exception):
    """The same games were played twice and came out differently, which must never happen."""


DISK_FULL = "The disk is full. What is kept already stays as it is; make room, and it goes on."
_FULL_WORDS = ("disk is full", "no space left on device", "disk full")


def is_disk_full(error: BaseException | None) -> bool:
    """Return whether it came of a disk that is full, of this process or of a database."""
    while error is not None:
        if isinstance(error, OSError) and error.errno in (errno.ENOSPC, errno.EDQUOT):
            return True
        if any(words in str(error).lower() for words in _FULL_WORDS):
            return True
        error = error.__cause__ or error.__context__
    return False


@contextmanager
def collecting(problems: list[Problem], key: str = "") -> Iterator[None]:
    """Add the mistakes of a WrongRequest to these, under this key if one is given, so that the rest is checked too."""
    try:
        yield
    except WrongRequest as error:
        problems += [replace(problem, key=key or problem.key) for problem in error.problems]


def whole_number(key: str, typed: object, least: int, most: int) -> int:
    """`typed` as a number from `least` to `most`; raises WrongRequest, which names the nearest one."""
    try:
        number = int(str(typed).strip())
    except ValueError:
        raise WrongRequest.of(key, f"must be a whole number, not {typed!r}", _nearest(typed, least, most)) from None
    if not least <= number <= most:
        nearest = min(max(number, least), most)
        raise WrongRequest.of(key, f"must be a whole number from {least} to {most}, not {number}", nearest)
    return number


def _nearest(typed: object, least: int, most: int) -> int:
    """Return the nearest whole number: 3 for 2.6; the least for what is no number at all."""
    try:
        return round(min(max(float(str(typed)), least), most))
    except ValueError:
        return least
