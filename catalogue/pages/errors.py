"""Answers to addresses that mean nothing: what was wrong, and the nearest address that means something."""

import difflib
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any, TypeVar

from django.db.models import Model, QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.defaults import permission_denied, server_error

from catalogue.models import Evidence
from catalogue.web.problem_document import refusal
from simulator.engine.ruleset import Problem

Found = TypeVar("Found", bound=Model)
LONGEST_COMPARED = 100  # characters: no name is longer, and comparing costs time
MOST_COMPARED = 2_000  # names: of a longer list only those that begin alike are compared
API = "/api/"


@dataclass(frozen=True, slots=True)
class Suggested:
    """An address a reader may have meant."""

    text: str
    address: str


class WrongAddress(Exception):
    """The part of an address after the question mark asks for something that does not exist."""

    def __init__(self, message: str, nearest: Suggested | None = None) -> None:
        super().__init__(message)
        self.nearest = nearest


class NothingHere(Http404):
    """No record, game or ruleset has this name."""

    def __init__(self, message: str, nearest: Iterable[Suggested] = ()) -> None:
        super().__init__(message)
        self.nearest = tuple(nearest)


class Withdrawn(Exception):
    """The record was here, and was withdrawn."""

    def __init__(self, record: Evidence) -> None:
        super().__init__(f"{record} was withdrawn")
        self.record = record


def nearest_word(word: str, known: Iterable[str]) -> str | None:
    """The known word most like this one, or None if nothing is like it at all."""
    word = word[:LONGEST_COMPARED]
    by_folded = {name.casefold(): name for name in known}
    found = difflib.get_close_matches(word.casefold(), by_folded, n=1, cutoff=0.4)
    return by_folded[found[0]] if found else None


def keys_like(rows: "QuerySet[Any]", field: str, wanted: str) -> list[str]:
    """Keys among which the one that was meant may be: all of them, or of many those that begin most like it."""
    keys = rows.order_by().exclude(**{field: ""}).values_list(field, flat=True).distinct()
    found = list(keys[: MOST_COMPARED + 1])
    if len(found) <= MOST_COMPARED:
        return found
    whole = len(wanted[:LONGEST_COMPARED])
    for length in dict.fromkeys((whole - 1, whole - 2, 3 * whole // 4, whole // 2, whole // 4)):
        if length > 0:
            alike = keys.filter(**{f"{field}__startswith": wanted[:length]})[:MOST_COMPARED]
            if alike:
                return list(alike)
    return found


def nearest_key(rows: "QuerySet[Any]", field: str, wanted: str) -> str | None:
    """The key of these rows that looks most like the one asked for, or None if none does."""
    return nearest_word(wanted, keys_like(rows, field, wanted))


def shown_rows(model: type[Model]) -> "QuerySet[Any]":
    """All rows that a reader may be led to."""
    rows: Any = model._default_manager
    found: QuerySet[Any] = rows.shown() if hasattr(rows, "shown") else rows.all()
    return found


def record_called(rows: "QuerySet[Evidence]", identifier: str) -> Evidence:
    """The record; Withdrawn if it is no longer shown, NothingHere if there never was one."""
    row = rows.filter(identifier=identifier).first()
    if row is None:
        withdrawn = Evidence.objects.filter(identifier=identifier).exclude(withdrawn_on=None).first()
        if withdrawn is not None:
            raise Withdrawn(withdrawn)
        return found_or_nearest(rows, "identifier", identifier, "record")
    return row


def found_or_nearest(queryset: "QuerySet[Found]", field: str, value: str, kind: str) -> Found:
    """The one row whose field has this value; else NothingHere, naming the three rows that look most like it."""
    row = queryset.filter(**{field: value}).first()
    if row is not None:
        return row
    plain = shown_rows(queryset.model)
    folded = {str(name).casefold(): name for name in keys_like(plain, field, value)}
    near = difflib.get_close_matches(value[:LONGEST_COMPARED].casefold(), folded, n=3, cutoff=0.5)
    rows = {getattr(one, field): one for one in plain.filter(**{f"{field}__in": [folded[name] for name in near]})}
    suggested = [_suggestion(rows[folded[name]]) for name in near if folded[name] in rows]
    raise NothingHere(f"There is no {kind} called “{value[:LONGEST_COMPARED]}”.", suggested)


def _suggestion(row: Any) -> Suggested:
    return Suggested(str(row), row.get_absolute_url())


class WrongAddressMiddleware:
    """Answers a WrongAddress where it arises: a reader's slip of the pen is no event for the log.

    A null character is in no name, and PostgreSQL cannot even look for it.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if "\0" in request.path_info or "%00" in request.META.get("QUERY_STRING", ""):
            return bad_request(request, WrongAddress("The address contains a character that is in no name."))
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        if isinstance(exception, Withdrawn):
            return gone(request, exception.record)
        return bad_request(request, exception) if isinstance(exception, WrongAddress) else None


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """A page, or a document where programmes ask."""
    told = isinstance(exception, WrongAddress)
    if request.path_info.startswith(API):
        message = str(exception) if told else "the request is not as it should be"
        return refusal(request, [Problem("", message)], HTTPStatus.BAD_REQUEST)
    context = {"message": str(exception) if told else "", "nearest": getattr(exception, "nearest", None)}
    return render(request, "400.html", context, status=400)


def gone(request: HttpRequest, record: Evidence) -> HttpResponse:
    """410: what was here, since when it is not, and why. Its history stays where it is."""
    return render(request, "catalogue/withdrawn.html", {"record": record}, status=410)


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    told = isinstance(exception, NothingHere)
    if request.path_info.startswith(API):
        message = f"there is nothing at {request.path[:LONGEST_COMPARED]!r}; everything is below /api/v1/"
        return refusal(request, [Problem("", message, "/api/v1/")], HTTPStatus.NOT_FOUND)
    context = {"message": str(exception) if told else "", "nearest": getattr(exception, "nearest", ())}
    return render(request, "404.html", context, status=404)


def forbidden(request: HttpRequest, exception: Exception) -> HttpResponse:
    if request.path_info.startswith(API):
        return refusal(request, [Problem("", "this is not for you to do")], HTTPStatus.FORBIDDEN)
    return permission_denied(request, exception)


def failed(request: HttpRequest) -> HttpResponse:
    """A failure of ours, which is in the log. Nothing is asked of the database, which may be what failed."""
    if request.path_info.startswith(API):
        message = "something went wrong here; it is not the fault of the request"
        return refusal(request, [Problem("", message)], HTTPStatus.INTERNAL_SERVER_ERROR)
    return server_error(request)
