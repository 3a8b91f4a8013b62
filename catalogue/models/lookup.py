"""Rows by the names that readers write: the row, or the rows that were probably meant."""

from collections.abc import Callable, Iterable
from typing import Any, TypeVar

from django.db.models import Model, QuerySet
from django.http import Http404

from catalogue.models.evidence import Evidence
from catalogue.texts.errors import LONGEST_COMPARED, Suggested, nearest_word, nearest_words
from simulator.models import RulesetVersion

Found = TypeVar("Found", bound=Model)
MOST_COMPARED = 2_000  # names: of a longer list only those that begin alike are compared


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


def not_here(message: str, word: str, known: Iterable[str], suggested: Callable[[str], Suggested]) -> NothingHere:
    """The error for a word that is none of the known ones; `suggested` makes an address of the nearest of them."""
    near = nearest_word(word, known)
    return NothingHere(message, [suggested(near)] if near else [])


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


def version_called(rows: "QuerySet[RulesetVersion]", name: str) -> RulesetVersion | None:
    """The version of the name "slug@number", if there is one."""
    slug, _, number = name.partition("@")
    is_number = number.isascii() and number.isdigit() and len(number) < 10
    return rows.filter(slug=slug, number=int(number)).first() if is_number else None


def found_or_nearest(queryset: "QuerySet[Found]", field: str, value: str, kind: str) -> Found:
    """The one row whose field has this value; else NothingHere, naming the three rows that look most like it."""
    row = queryset.filter(**{field: value}).first()
    if row is not None:
        return row
    plain = shown_rows(queryset.model)
    near = nearest_words(value, keys_like(plain, field, value), most=3, least=0.5)
    rows: dict[str, Any] = {getattr(one, field): one for one in plain.filter(**{f"{field}__in": near})}
    suggested = [Suggested(str(rows[key]), rows[key].get_absolute_url()) for key in near if key in rows]
    raise NothingHere(f"There is no {kind} called “{value[:LONGEST_COMPARED]}”.", suggested)
