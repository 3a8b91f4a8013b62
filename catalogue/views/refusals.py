"""Answers to addresses that mean nothing: what was wrong, and the nearest address that means something."""

import difflib
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any, TypeVar

from django.db.models import Model, QuerySet
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render

from catalogue.api.refusal_document import refusal_document
from simulator.engine.ruleset import Problem

Found = TypeVar("Found", bound=Model)
LONGEST_COMPARED = 100  # characters: no name is longer, and comparing costs time


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


def nearest_word(word: str, known: Iterable[str]) -> str | None:
    """The known word most like this one, or None if nothing is like it at all."""
    word = word[:LONGEST_COMPARED]
    by_folded = {name.casefold(): name for name in known}
    found = difflib.get_close_matches(word.casefold(), by_folded, n=1, cutoff=0.4)
    return by_folded[found[0]] if found else None


def found_or_nearest(queryset: "QuerySet[Found]", field: str, value: str, kind: str) -> Found:
    """The one row whose field has this value; else NothingHere, naming the three rows that look most like it."""
    row = queryset.filter(**{field: value}).first()
    if row is not None:
        return row
    plain = queryset.model._default_manager.all()
    folded = {str(name).casefold(): name for name in plain.values_list(field, flat=True) if name}
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
        return bad_request(request, exception) if isinstance(exception, WrongAddress) else None


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """A page, or a document where programmes ask."""
    told = isinstance(exception, WrongAddress)
    if request.path_info.startswith("/api/"):
        status = HTTPStatus.BAD_REQUEST
        problem = Problem("", str(exception) if told else "the request is not as it should be")
        return JsonResponse(refusal_document([problem], status), status=status)
    context = {"message": str(exception) if told else "", "nearest": getattr(exception, "nearest", None)}
    return render(request, "400.html", context, status=400)


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    told = isinstance(exception, NothingHere)
    context = {"message": str(exception) if told else "", "nearest": getattr(exception, "nearest", ())}
    return render(request, "404.html", context, status=404)
