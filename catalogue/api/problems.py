"""How the API refuses: one form of answer for every error, naming the field, the value and the nearest valid one."""

from collections.abc import Iterable, Iterator
from http import HTTPStatus
from typing import Any

from rest_framework import serializers, views
from rest_framework.exceptions import APIException, ValidationError
from rest_framework.response import Response

from catalogue.api.refusal_document import refusal_document
from simulator.engine.ruleset import Problem
from simulator.problems import QueueFull, WrongRequest


class Refused(APIException):
    """The request cannot be answered as it stands; `problems` says why, one by one.

    wait: seconds after which it may be asked again, sent as Retry-After
    """

    def __init__(
        self, problems: Iterable[Problem], status: HTTPStatus = HTTPStatus.BAD_REQUEST, wait: int | None = None
    ) -> None:
        self.problems = tuple(problems)
        self.status_code = status
        self.wait = wait
        super().__init__("; ".join(str(problem) for problem in self.problems))


class ProblemSerializer(serializers.Serializer[Problem]):
    field = serializers.CharField(help_text="The parameter or field that is wrong; empty if it is the whole request.")
    message = serializers.CharField(help_text="What is wrong with it.")
    nearest = serializers.JSONField(
        help_text="The nearest valid value or name; null if there is none.", allow_null=True
    )


class RefusalSerializer(serializers.Serializer[Any]):
    """The form of every answer that is an error."""

    status = serializers.IntegerField()
    title = serializers.CharField(help_text="The status in words.")
    detail = serializers.CharField(help_text="All problems in one line.")
    problems = ProblemSerializer(many=True)


def answer(error: Exception, context: dict[str, Any]) -> Response | None:
    """The answer to an error; None for a failure of ours, which Django reports."""
    if isinstance(error, WrongRequest):
        error = Refused(error.problems)
    elif isinstance(error, QueueFull):
        error = Refused([Problem("", str(error))], HTTPStatus.TOO_MANY_REQUESTS, error.retry_after)
    elif isinstance(error, ValidationError):
        error = Refused(_flattened("", error.detail))
    response = views.exception_handler(error, context)
    if response is None:
        return None
    problems = error.problems if isinstance(error, Refused) else (Problem("", str(response.data["detail"])),)
    response.data = refusal_document(problems, HTTPStatus(response.status_code))
    return response


def _flattened(key: str, detail: Any) -> Iterator[Problem]:
    """What a serializer found, whose errors are nested as its fields are."""
    if isinstance(detail, dict):
        for name, inner in detail.items():
            here = "" if name == "non_field_errors" else str(name)
            yield from _flattened(f"{key}.{here}".strip("."), inner)
    elif isinstance(detail, list):
        for inner in detail:
            yield from _flattened(key, inner)
    else:
        yield Problem(key, str(detail))
