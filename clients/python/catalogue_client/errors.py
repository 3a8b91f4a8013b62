"""What can go wrong. Everything the client raises on purpose is a CatalogueError."""

from dataclasses import dataclass

import httpx

Nearest = bool | float | str | list[float | str] | None  # what would be accepted in place of a value


class CatalogueError(Exception):
    """Anything below."""


class Unreachable(CatalogueError):
    """There was no answer, or none that a catalogue gives."""


class TooLong(CatalogueError):
    """The row was not done within the given seconds; it goes on there, and can be waited for again."""


class NotDone(CatalogueError):
    """The request failed or was cancelled, and will not be done unless it is repeated."""


@dataclass(frozen=True, slots=True)
class Problem:
    """field: what is wrong, "" if it is the whole request. nearest: the nearest valid value, None if there is none"""

    field: str
    message: str
    nearest: Nearest = None

    def __str__(self) -> str:
        where = f"{self.field}: " if self.field else ""
        near = "" if self.nearest is None else f" (nearest valid value: {self.nearest!r})"
        return f"{where}{self.message}{near}"


class RefusedRequest(CatalogueError):
    """The catalogue answered that it will not, and why.

    status:      of HTTP; 400 for what is wrong, 404 for what is not there, 410 for what was withdrawn, 429 for too much
    problems:    each mistake, with the nearest valid value
    retry_after: seconds until it is worth asking again, None if that would not help
    """

    def __init__(self, status: int, problems: tuple[Problem, ...], retry_after: float | None = None) -> None:
        super().__init__("; ".join(map(str, problems)) or f"HTTP status {status}")
        self.status, self.problems, self.retry_after = status, problems, retry_after


def refusal(answer: httpx.Response) -> RefusedRequest:
    """Return the refusal in an answer of 400 or more, whose body has been read."""
    try:
        found = tuple(
            Problem(problem["field"], problem["message"], problem["nearest"]) for problem in answer.json()["problems"]
        )
    except (ValueError, KeyError, TypeError):  # not the catalogue’s own: of a proxy, for example
        found = (Problem("", f"{answer.status_code} {answer.reason_phrase}"),)
    return RefusedRequest(answer.status_code, found, seconds_to_wait(answer))


def seconds_to_wait(answer: httpx.Response) -> float | None:
    written = answer.headers.get("Retry-After", "")
    return float(written) if written.isdecimal() else None
