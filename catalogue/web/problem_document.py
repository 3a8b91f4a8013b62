"""The form of every answer of the API that is an error, for whoever has to refuse, inside the REST framework or not.

It is a problem document of RFC 9457 (https://www.rfc-editor.org/rfc/rfc9457); `problems` is our extension of it.
"""

from collections.abc import Iterable
from dataclasses import replace
from http import HTTPStatus
from typing import Any

from django.http import HttpRequest, JsonResponse
from django.utils.encoding import escape_uri_path
from rest_framework.exceptions import APIException

from simulator.engine.ruleset import Problem

MEDIA_TYPE = "application/problem+json"
TYPES = "/about/problems/#"  # a page that says of each type what it means and what can be done
LONGEST_INSTANCE = 500  # characters of an address that are repeated
LONGEST_MESSAGE, LONGEST_DETAIL = 500, 5_000  # characters: whatever was sent, it need not all come back


class RefusedRequest(APIException):
    """The request cannot be answered as it stands; `problems` says why, one by one.

    wait: seconds after which it may be sent again, as Retry-After
    """

    def __init__(
        self, problems: Iterable[Problem], status: HTTPStatus = HTTPStatus.BAD_REQUEST, wait: int | None = None
    ) -> None:
        self.problems = tuple(problems)
        self.status_code = status
        self.wait = wait
        super().__init__("; ".join(map(str, self.problems)))

    @classmethod
    def of(
        cls, field: str, message: str, nearest: Any = None, status: HTTPStatus = HTTPStatus.BAD_REQUEST
    ) -> "RefusedRequest":
        """Refuse one field; an empty field means the whole request."""
        return cls([Problem(field, message, nearest)], status)


def problem_document(problems: Iterable[Problem], status: HTTPStatus, path: str) -> dict[str, Any]:
    """The document, as `problems.RefusalSerializer` describes it. path: of the request, without its parameters"""
    problems = tuple(replace(problem, message=shorten(problem.message, LONGEST_MESSAGE)) for problem in problems)
    return {
        "type": TYPES + status.name.lower().replace("_", "-"),
        "title": status.phrase,
        "status": int(status),
        "detail": shorten("; ".join(map(str, problems)), LONGEST_DETAIL),
        "instance": escape_uri_path(path[:LONGEST_INSTANCE]),
        "problems": [
            {"field": problem.key, "message": problem.message, "nearest": problem.nearest} for problem in problems
        ],
    }


def shorten(text: str, most: int) -> str:
    return text if len(text) <= most else text[: most - 1] + "…"


def refusal(request: HttpRequest, problems: Iterable[Problem], status: HTTPStatus) -> JsonResponse:
    """The document as a response, where no view of the REST framework makes it."""
    document = problem_document(problems, status, request.path)
    return JsonResponse(document, status=status, content_type=MEDIA_TYPE)
