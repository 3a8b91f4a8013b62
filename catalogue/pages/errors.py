"""Answers to addresses that mean nothing: what was wrong, and the nearest address that means something."""

from collections.abc import Callable
from http import HTTPStatus

from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render
from django.views.defaults import permission_denied, server_error

from catalogue.models import Evidence
from catalogue.models.lookup import NothingHere, Withdrawn
from catalogue.texts.errors import LONGEST_COMPARED, WrongAddress
from catalogue.web.problem_document import refusal
from simulator.engine.ruleset import Problem


class WrongAddressMiddleware:
    """Answers a WrongAddress where it arises: a reader's slip of the pen is no event for the log.

    A null character is in no name, and PostgreSQL cannot even look for it.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if "\0" in request.path_info or "%00" in request.META.get("QUERY_STRING", ""):
            return bad_request(request, WrongAddress("The address contains a character that is in no name."))
        if request.method == "POST" and not _is_of_api(request) and _holds_null(request.POST):
            return bad_request(request, WrongAddress("The form contains a character that is in no text."))
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        if isinstance(exception, Withdrawn):
            return gone(request, exception.record)
        return bad_request(request, exception) if isinstance(exception, WrongAddress) else None


def _holds_null(sent: QueryDict) -> bool:
    return any("\0" in text for name, values in sent.lists() for text in (name, *values))


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """A page, or a document where programmes ask."""
    message = str(exception) if isinstance(exception, WrongAddress) else ""
    if _is_of_api(request):
        return refusal(request, [Problem("", message or "the request is not as it should be")], HTTPStatus.BAD_REQUEST)
    context = {"message": message, "nearest": getattr(exception, "nearest", None)}
    return render(request, "400.html", context, status=HTTPStatus.BAD_REQUEST)


def gone(request: HttpRequest, record: Evidence) -> HttpResponse:
    """410: what was here, since when it is not, and why. Its history stays where it is."""
    return render(request, "catalogue/withdrawn.html", {"record": record}, status=HTTPStatus.GONE)


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    if _is_of_api(request):
        message = f"there is nothing at {request.path[:LONGEST_COMPARED]!r}; everything is below /api/v1/"
        return refusal(request, [Problem("", message, "/api/v1/")], HTTPStatus.NOT_FOUND)
    message = str(exception) if isinstance(exception, NothingHere) else ""
    context = {"message": message, "nearest": getattr(exception, "nearest", ())}
    return render(request, "404.html", context, status=HTTPStatus.NOT_FOUND)


def forbidden(request: HttpRequest, exception: Exception) -> HttpResponse:
    if _is_of_api(request):
        return refusal(request, [Problem("", "this is not for you to do")], HTTPStatus.FORBIDDEN)
    return permission_denied(request, exception)


def failed(request: HttpRequest) -> HttpResponse:
    """A failure of ours, which is in the log. Nothing is asked of the database, which may be what failed."""
    if _is_of_api(request):
        message = "something went wrong here; it is not the fault of the request"
        return refusal(request, [Problem("", message)], HTTPStatus.INTERNAL_SERVER_ERROR)
    return server_error(request)


def _is_of_api(request: HttpRequest) -> bool:
    return request.path_info.startswith("/api/")
