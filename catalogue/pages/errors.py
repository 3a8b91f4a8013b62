"""Answers to requests that fail: a page, or a document for programs, with the nearest address where one is known."""

import sys
from collections.abc import Callable
from http import HTTPStatus
from typing import Any

from django.conf import settings
from django.core.exceptions import RequestDataTooBig
from django.db import OperationalError
from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed, QueryDict
from django.shortcuts import render
from django.template.loader import render_to_string
from django.urls import Resolver404, resolve
from django.views.defaults import permission_denied, server_error

from catalogue.edition.superseded import superseded_at
from catalogue.history.histories import deletion_at
from catalogue.models.lookup import NothingHere, Withdrawn
from catalogue.texts.words import LONGEST_COMPARED
from catalogue.web import addresses, files, problem_document
from catalogue.web.middleware import ForeignRequest
from catalogue.web.routes import ROUTES
from simulator.engine.ruleset import Problem

WAIT = 10  # seconds after which a database that took no writes may take them


class WrongAddressMiddleware:
    """Answers a WrongAddress where it arises: a mistyped address is no event for the log.

    A null character is in no name, and PostgreSQL cannot even look for it.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if "\0" in request.path_info or "%00" in request.META.get("QUERY_STRING", ""):
            return bad_request(request, addresses.WrongAddress("The address contains a character that is in no name."))
        if not _is_of_api(request) and int(request.META.get("CONTENT_LENGTH") or 0) > _most_bytes(request):
            return bad_request(request, RequestDataTooBig())
        if request.method == "POST" and not _is_of_api(request) and _holds_null(request.POST):
            return bad_request(request, addresses.WrongAddress("The form contains a character that is in no text."))
        response = self.get_response(request)
        return not_allowed(request, response) if isinstance(response, HttpResponseNotAllowed) else response

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        if isinstance(exception, Withdrawn):
            context = {"record": exception.record}  # its history stays where it is
            return render(request, "catalogue/withdrawn.html", context, status=HTTPStatus.GONE)
        if isinstance(exception, files.FileBusy):
            return busy(request, "what you asked for is being made just now, and takes long")
        return bad_request(request, exception) if isinstance(exception, addresses.WrongAddress) else None


def _holds_null(sent: QueryDict) -> bool:
    return any("\0" in text for name, values in sent.lists() for text in (name, *values))


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """400 or 413, with what was wrong."""
    is_ours, status = isinstance(exception, addresses.WrongAddress), HTTPStatus.BAD_REQUEST
    message = str(exception) if is_ours else ""
    if isinstance(exception, RequestDataTooBig):
        message, status = f"At most {_most_bytes(request):,} bytes can be sent.", HTTPStatus.REQUEST_ENTITY_TOO_LARGE
    if _is_of_api(request):
        return _document(request, status, message or "the request is not as it should be")
    context = {"message": message, "nearest": getattr(exception, "nearest", None)}
    # What is wrong may be the very name of the host, of which no page can then make an address.
    return render(request if is_ours else None, "400.html", context, status=status)


def not_allowed(request: HttpRequest, response: HttpResponse) -> HttpResponse:
    """405, with the methods that the address answers."""
    if _is_of_api(request):
        answer = _document(request, HTTPStatus.METHOD_NOT_ALLOWED, f"{request.method} is not for this address")
        answer["Allow"] = response["Allow"]
        return answer
    response.content = render_to_string("405.html", {"allowed": response["Allow"]}).encode()
    response["Content-Type"] = "text/html; charset=utf-8"
    return response


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """404; 410 for what was deleted, and for a part of an earlier edition, with what became of it."""
    if _is_of_api(request):
        message = f"there is nothing at {request.path[:LONGEST_COMPARED]!r}; everything is below /api/v1/"
        return _document(request, HTTPStatus.NOT_FOUND, message, "/api/v1/")
    if deletion := deletion_at(request.resolver_match):
        return render(request, "catalogue/deleted.html", {"deletion": deletion}, status=HTTPStatus.GONE)
    if part := superseded_at(request.resolver_match):
        return render(request, "catalogue/edition_part.html", {"part": part}, status=HTTPStatus.GONE)
    message = str(exception) if isinstance(exception, NothingHere) else ""
    context = {"message": message, "nearest": getattr(exception, "nearest", ())}
    return render(request, "404.html", context, status=HTTPStatus.NOT_FOUND)


def forbidden(request: HttpRequest, exception: Exception) -> HttpResponse:
    if isinstance(exception, ForeignRequest) and (
        _is_of_api(request) or "text/html" not in request.headers.get("Accept", "")
    ):
        problem = Problem(exception.header, str(exception), exception.nearest)
        return problem_document.refusal(request, [problem], HTTPStatus.FORBIDDEN)
    if _is_of_api(request):
        return _document(request, HTTPStatus.FORBIDDEN, "this is not for you to do")
    return permission_denied(request, exception)


def failed(request: HttpRequest) -> HttpResponse:
    """500, for a failure of the site, which is in the log. No query is made: the database may be what failed.

    Every failure comes here, wherever it arose: in a page, in the admin, in the API, while a session was saved.
    """
    if _takes_no_writes(sys.exc_info()[1]):
        return busy(request)
    if _is_of_api(request):
        message = "something went wrong here; it is not the fault of the request"
        return _document(request, HTTPStatus.INTERNAL_SERVER_ERROR, message)
    return server_error(request)


def busy(request: HttpRequest, reason: str = "the database is busy with something long") -> HttpResponse:
    """503: something long is being written, or the database is away. Nothing of the request was done."""
    status = HTTPStatus.SERVICE_UNAVAILABLE
    if _is_of_api(request):
        response = _document(request, status, f"{reason}; nothing was changed, and the same request can be sent again")
    else:
        response = HttpResponse(render_to_string("503.html", {"reason": reason}), status=status)
    response["Retry-After"] = str(WAIT)
    response["Cache-Control"] = "no-store"
    return response


def _document(request: HttpRequest, status: HTTPStatus, message: str, nearest: Any = None) -> HttpResponse:
    """The answer of the API, where none of its views gives one."""
    return problem_document.refusal(request, [Problem("", message, nearest)], status)


def _takes_no_writes(error: BaseException | None) -> bool:
    """Return whether the database refuses writes for a while.

    SQLite raises such an error when its time of waiting is over, PostgreSQL when it is away, full, or in a deadlock. A
    table that is missing is another matter.
    """
    return isinstance(error, OperationalError) and not str(error).startswith("no such")


def _most_bytes(request: HttpRequest) -> int:
    """The most that may be sent to an address. What is larger than usual is read only of those who may send it."""
    usual = settings.DATA_UPLOAD_MAX_MEMORY_SIZE or sys.maxsize
    if int(request.META.get("CONTENT_LENGTH") or 0) <= usual:
        return usual
    try:
        declared = ROUTES.get(resolve(request.path_info).view_name)
    except Resolver404:
        return usual
    if declared is None or not declared.most_bytes or not request.user.has_perm(declared.permission):
        return usual
    return max(usual, declared.most_bytes)


def _is_of_api(request: HttpRequest) -> bool:
    return request.path_info.startswith("/api/")
