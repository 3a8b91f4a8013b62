"""Errors of the API: one form of answer for all, which names the field, the value and the nearest valid one."""

from collections.abc import Iterator
from http import HTTPStatus
from typing import Any

from django.http import Http404
from rest_framework import serializers, views
from rest_framework.exceptions import NotAcceptable, ValidationError
from rest_framework.renderers import JSONRenderer
from rest_framework.response import Response

from catalogue.api.fields import Document
from catalogue.edition.superseded import EditionPart, superseded_at
from catalogue.history.histories import Deletion, deletion_at
from catalogue.web.problem_document import MEDIA_TYPE, TYPES, RefusedRequest, problem_document
from simulator.engine.ruleset import Problem
from simulator.problems import QueueFull, WrongRequest


class ProblemSerializer(serializers.Serializer[Problem]):
    field = serializers.CharField(help_text="The parameter or field that is wrong; empty if it is the whole request.")
    message = serializers.CharField(help_text="What is wrong with it.")
    nearest = Document("NearestValue", help_text="The nearest valid value or name; null if there is none.")


class RefusalSerializer(serializers.Serializer[Any]):
    """The form of every answer that is an error: a problem document (RFC 9457)."""

    type = serializers.CharField(help_text=f"What sort of problem it is: {TYPES}bad-request and the like.")
    title = serializers.CharField(help_text="The status in words.")
    status = serializers.IntegerField()
    detail = serializers.CharField(help_text="All problems in one line.")
    instance = serializers.CharField(help_text="The address that was asked for, without its parameters.")
    problems = ProblemSerializer(many=True)


class ProblemResponse(Response):
    """A problem document, whatever form the answer should have had; a browser is shown it as a page."""

    @property
    def rendered_content(self) -> Any:
        if self.accepted_renderer.format != "api":
            self.accepted_renderer = JSONRenderer()
            self.content_type = MEDIA_TYPE
        return super().rendered_content


def answer_to_error(error: Exception, context: dict[str, Any]) -> Response | None:
    """The answer to an error; None for a failure of ours, which Django reports."""
    if isinstance(error, WrongRequest):
        error = RefusedRequest(error.problems)
    elif isinstance(error, QueueFull):
        error = RefusedRequest([Problem("", str(error))], HTTPStatus.TOO_MANY_REQUESTS, error.retry_after)
    elif isinstance(error, ValidationError):
        error = RefusedRequest(_flattened("", error.detail))
    if _is_missing(error) and (deletion := deletion_at(context["request"].resolver_match)):
        error = RefusedRequest([_gone(deletion)], HTTPStatus.GONE)
    elif _is_missing(error) and (part := superseded_at(context["request"].resolver_match)):
        error = RefusedRequest([_superseded(part)], HTTPStatus.GONE)
    plain = views.exception_handler(error, context)
    if plain is None:
        return None
    status = HTTPStatus(plain.status_code)
    problems = error.problems if isinstance(error, RefusedRequest) else (_problem(error, plain, context),)
    document = problem_document(problems, status, context["request"].path)
    return ProblemResponse(document, status, headers=dict(plain.items()))


def _is_missing(error: Exception) -> bool:
    return isinstance(error, Http404) or getattr(error, "status_code", None) == HTTPStatus.NOT_FOUND


def _gone(deletion: Deletion) -> Problem:
    why = f": {deletion.reason}" if deletion.reason else ""
    said = (
        f"the {deletion.kind.name} {deletion.key!r} was deleted on {deletion.date:%Y-%m-%d} by {deletion.author}{why}"
    )
    history = f"; what it said: {deletion.history}" if deletion.history else ""
    return Problem("", said + history)


def _superseded(part: EditionPart) -> Problem:
    said = f"{part.id} was a part of the edition of {part.date} (digest {part.digest}) and is superseded"
    return Problem("", f"{said}: {part.own_page}", part.successor_in_api or None)


def _problem(error: Exception, plain: Response, context: dict[str, Any]) -> Problem:
    if isinstance(error, NotAcceptable):
        known = [renderer.media_type for renderer in context["view"].get_renderers()]
        return Problem("Accept", f"this comes as {', '.join(known)}", known[0])
    return Problem("", str(plain.data["detail"]))


def _flattened(key: str, detail: Any) -> Iterator[Problem]:
    """Yield the problems of a serializer, whose errors are nested as its fields are."""
    if isinstance(detail, dict):
        for name, inner in detail.items():
            here = "" if name == "non_field_errors" else str(name)
            yield from _flattened(f"{key}.{here}".strip("."), inner)
    elif isinstance(detail, list):
        for inner in detail:
            yield from _flattened(key, inner)
    else:
        yield Problem(key, str(detail))
