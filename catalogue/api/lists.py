"""Lists: what they can be narrowed by, which fields are sent, and their pages.

A parameter that no list knows, one given twice, and a value that no row has are mistakes; none is passed over in
silence, since the reader would take the list for a narrowed one. Pages go by number as far as people leaf, and by
cursor from there on or from the beginning. A cursor says after which row of which order a list goes on. It is opaque
and signed, and never a place in a count: the database finds the rows after a given one by an index, however far down
the list they stand, and rows that are written meanwhile neither repeat nor hide others. A page that is not there is
refused, not left empty.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django import forms
from django.core import signing
from django.core.exceptions import ValidationError
from django.db.models import BooleanField, F, Func, QuerySet, Value
from django.db.models.expressions import Combinable
from django.http import QueryDict
from django_filters.rest_framework import DjangoFilterBackend
from rest_framework.pagination import BasePagination
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.serializers import ListSerializer
from rest_framework.utils.urls import remove_query_param, replace_query_param
from rest_framework.views import APIView

from catalogue.filters.filter_sets import EARLIEST_YEAR, LATEST_YEAR, OUT_OF_ORDER, YearField, choice_words
from catalogue.texts.words import LONGEST_REPEATED, nearest_word
from catalogue.web.problem_document import RefusedRequest
from simulator.engine.ruleset import Problem


def refuse_unknown(parameters: QueryDict, known: Iterable[str]) -> None:
    """Raises RefusedRequest for each parameter that is not known, or given more than once."""
    names = sorted(known)
    problems = []
    for name in parameters:
        if name not in names:
            message = f"there is no parameter {name[:LONGEST_REPEATED]!r} here; there are {', '.join(names)}"
            problems.append(Problem(name[:LONGEST_REPEATED], message, nearest_word(name, names)))
        elif len(parameters.getlist(name)) > 1:
            problems.append(Problem(name, f"is given {len(parameters.getlist(name))} times; once is enough"))
    if problems:
        raise RefusedRequest(problems)


class StrictFilterBackend(DjangoFilterBackend):
    """Filters a list, or refuses with what is wrong and the nearest valid value."""

    def filter_queryset(self, request: Request, queryset: "QuerySet[Any]", view: APIView) -> "QuerySet[Any]":
        filters = self.get_filterset(request, queryset, view)
        if filters is None:
            return queryset
        if not filters.is_valid():
            raise RefusedRequest(_problems(filters.form))
        narrowed: QuerySet[Any] = filters.qs
        return narrowed


def _problems(form: forms.Form) -> Iterator[Problem]:
    for name, errors in form.errors.as_data().items():
        for error in errors:
            yield _problem(name, form.fields[name], form.data.get(name, ""), error)


def _problem(name: str, field: forms.Field, value: str, error: ValidationError) -> Problem:
    params = error.params or {}
    if isinstance(field, forms.ChoiceField):
        words = choice_words(field)
        near = nearest_word(value, words) or words[0]
        return Problem(name, f"must be one of {', '.join(words)}, not {value[:LONGEST_REPEATED]!r}", near)
    if isinstance(field, YearField) and error.code != OUT_OF_ORDER:
        message = f"must be a whole number from {EARLIEST_YEAR} to {LATEST_YEAR}, not {value[:LONGEST_REPEATED]!r}"
        return Problem(name, message, params.get("limit_value"))
    return Problem(name, " ".join(error.messages), params.get("nearest"))


FIELDS = "fields"
REPEATED = 60  # characters of a wrong name
MOST_NAMED = 10


def chosen_fields(text: str, known: Iterable[str]) -> frozenset[str]:
    """The names, parted by commas; raises RefusedRequest for those that no row has."""
    names, chosen = list(known), [name.strip() for name in text.split(",")]
    unknown = [name for name in chosen if name not in names]
    if unknown:
        there_are = ", ".join(names)
        raise RefusedRequest(
            Problem(FIELDS, f"there is no field {name[:REPEATED]!r}; there are {there_are}", nearest_word(name, names))
            for name in unknown[:MOST_NAMED]
        )
    return frozenset(chosen)


def keep_only(chosen: frozenset[str], serializer: Any) -> Any:
    """The serializer with those fields only; with all of them if none is named."""
    row: Any = serializer.child if isinstance(serializer, ListSerializer) else serializer
    for name in [name for name in row.fields if chosen and name not in chosen]:
        row.fields.pop(name)
    return serializer


BEGIN = "*"
LONGEST = 2_000  # characters; no cursor of ours is longer
LONGEST_SHOWN = 40  # characters of a wrong value
Column = str | Combinable
Orderings = Mapping[str, Sequence[Column]]


class _Row(Func):
    """Several columns, or several values, compared as one."""

    template = "(%(expressions)s)"
    output_field = BooleanField()


class _Compared(Func):
    template = "%(expressions)s"
    output_field = BooleanField()


@dataclass(frozen=True, slots=True)
class Ordering:
    """An order of a list. columns: together they tell any two rows apart; all go up, or all go down."""

    name: str
    columns: tuple[Column, ...]
    down: bool

    @property
    def keys(self) -> list[str]:
        return [f"order_{place}" for place in range(len(self.columns))]

    def applied(self, rows: "QuerySet[Any]") -> "QuerySet[Any]":
        """The rows in this order, each with the values it is ordered by."""
        columns = [F(column) if isinstance(column, str) else column for column in self.columns]
        named = rows.annotate(**dict(zip(self.keys, columns, strict=True)))
        ordered: QuerySet[Any] = named.order_by(*(f"-{key}" if self.down else key for key in self.keys))
        return ordered

    def after(self, rows: "QuerySet[Any]", values: Sequence[Any]) -> "QuerySet[Any]":
        """Return the ordered rows that come after a row of these values; raises ValueError if no row can have them."""
        if len(values) != len(self.keys):
            raise ValueError("a cursor of another list")
        fields = [rows.query.annotations[key].output_field for key in self.keys]
        try:
            typed = [Value(field.to_python(value), field) for field, value in zip(fields, values, strict=True)]
        except ValidationError as error:
            raise ValueError("no such value") from error
        sign = " < " if self.down else " > "
        beyond: QuerySet[Any] = rows.filter(_Compared(_Row(*map(F, self.keys)), _Row(*typed), arg_joiner=sign))
        return beyond

    def cursor(self, of: str, row: Any) -> str:
        """Return the cursor of the rows after this one in the list that is called `of`."""
        return signed_cursor(of, self.name, [getattr(row, key) for key in self.keys])


class _Compact(signing.JSONSerializer):
    """Times are written to the last digit: rows of one millisecond are told apart by it."""

    def dumps(self, obj: Any) -> bytes:
        return json.dumps(obj, separators=(",", ":"), default=str).encode()


def signed_cursor(of: str, order: str, values: list[Any]) -> str:
    return _signer(of, order).sign_object(values, serializer=_Compact)


def read_cursor(of: str, order: str, cursor: str) -> list[Any]:
    """Return the values of the row at which the cursor was given out; raises RefusedRequest."""
    try:
        if len(cursor) > LONGEST:
            raise ValueError("too long")
        values: list[Any] = _signer(of, order).unsign_object(cursor, serializer=_Compact)
    except (signing.BadSignature, ValueError) as error:
        raise wrong_cursor(cursor) from error
    return values


def _signer(of: str, order: str) -> signing.Signer:
    """A cursor is of one list in one order: another's is not taken."""
    return signing.Signer(salt=f"catalogue.api.cursors {of} {order}")


def chosen_ordering(orderings: Orderings, text: str, usual: str) -> Ordering:
    """The order of that name, with a minus before it if it is to go down; raises RefusedRequest."""
    name = text.removeprefix("-")
    if name not in orderings:
        known = [way + column for column in orderings for way in ("", "-")]
        message = f"must be one of {', '.join(known)}, not {text[:LONGEST_SHOWN]!r}"
        raise RefusedRequest.of("ordering", message, nearest_word(text, known) or usual)
    return Ordering(text, tuple(orderings[name]), text.startswith("-"))


def wrong_cursor(cursor: str) -> RefusedRequest:
    message = f"must be {BEGIN} or a cursor that this list gave out for this order, not {cursor[:LONGEST_SHOWN]!r}"
    return RefusedRequest.of("cursor", message, BEGIN)


PAGE_SIZE, LARGEST_PAGE = 25, 100
LARGEST_TABLE = 1_000  # rows of a page that is sent as a table
TABLES = ("csv", "csv-excel", "parquet")
MOST_LEAFED = 10_000  # rows that can be reached by the number of a page
PAGE_PARAMETERS = ("page", "page_size", "cursor", "ordering")


class Pages(BasePagination):
    """A page of rows. count: of all pages, or None with a cursor, since nobody who follows one waits for it"""

    count: int | None = None
    next_page: str | None = None
    previous_page: str | None = None

    def paginate_queryset(self, queryset: Any, request: Request, view: Any = None) -> list[Any]:
        parameters = request.query_params
        is_page = request.accepted_renderer.format not in TABLES
        size = page_size(request, *((PAGE_SIZE, LARGEST_PAGE) if is_page else view.table_sizes))
        usual = view.usual_ordering
        ordering = chosen_ordering(view.orderings, parameters.get("ordering", usual), usual)
        rows = ordering.applied(queryset)
        if parameters.get("cursor"):
            window, number, most = list(_after(rows, ordering, parameters, view.basename)[: size + 1]), None, 0
        else:
            self.count = queryset.count()
            number, most = requested_page(parameters.get("page"), self.count, size)
            window = list(rows[(number - 1) * size : number * size + 1])
        page, more = window[:size], len(window) > size
        self._link(request, number, most, ordering.cursor(view.basename, page[-1]) if more else "")
        return page

    def _link(self, request: Request, number: int | None, most: int, cursor: str) -> None:
        """cursor: of the rows after this page; empty if there are none."""
        if number is not None:
            self.next_page, self.previous_page = neighbours(request, number, most)
        if not cursor:
            self.next_page = None
        elif self.next_page is None:
            first = remove_query_param(request.build_absolute_uri(), "page")
            self.next_page = replace_query_param(first, "cursor", cursor)

    def get_paginated_response(self, data: Any) -> Response:
        links = [f'<{to}>; rel="{rel}"' for to, rel in ((self.next_page, "next"), (self.previous_page, "prev")) if to]
        document = {"count": self.count, "next": self.next_page, "previous": self.previous_page, "results": data}
        return Response(document, headers={"Link": ", ".join(links)} if links else None)

    def get_paginated_response_schema(self, schema: dict[str, Any]) -> dict[str, Any]:
        address = {"type": ["string", "null"], "format": "uri"}
        back = "The address of the previous page; null on the first one, and wherever a cursor leads."
        return {
            "type": "object",
            "required": ["count", "next", "previous", "results"],
            "properties": {
                "count": {
                    "type": ["integer", "null"],
                    "description": "Rows in all pages together; null where a cursor leads.",
                },
                "next": {**address, "description": "The address of the next page; null on the last one."},
                "previous": {**address, "description": back},
                "results": schema,
            },
        }

    def get_schema_operation_parameters(self, view: Any) -> list[dict[str, Any]]:
        return [
            {"name": name, "in": "query", "required": False, "description": words, "schema": schema}
            for name, words, schema in _described(view.table_sizes, view.orderings, view.usual_ordering)
        ]


def _described(
    table_sizes: tuple[int, int], orderings: Iterable[str], usual: str
) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Name, words and schema of each parameter of a page."""
    largest, orders = table_sizes[1], [way + name for name in orderings for way in ("", "-")]
    yield "page", f"The number of the page, from 1, as far as row {MOST_LEAFED:,}.", PAGE_NUMBER
    yield "page_size", f"Rows on a page; up to {largest:,} as a table.", size_schema(largest=largest)
    yield "cursor", f"{BEGIN} for the beginning; then follow `next`.", {"type": "string"}
    yield "ordering", "By what the rows are ordered; with a minus sign, backwards.", {"enum": orders, "default": usual}


def described_pages(table_sizes: tuple[int, int], orderings: Sequence[str]) -> Iterator[dict[str, Any]]:
    """The same for a list that is described by hand."""
    for name, words, schema in _described(table_sizes, orderings, orderings[0]):
        yield {"name": name, "type": schema, "description": words}


PAGE_NUMBER: dict[str, Any] = {"type": "integer", "minimum": 1, "default": 1}


def size_schema(usual: int = PAGE_SIZE, largest: int = LARGEST_PAGE) -> dict[str, Any]:
    """Return the schema of the parameter `page_size`."""
    return {"type": "integer", "minimum": 1, "maximum": largest, "default": usual}


def page_size(request: Request, usual: int = PAGE_SIZE, largest: int = LARGEST_PAGE) -> int:
    """The rows in a page that the address wants; raises RefusedRequest."""
    return whole_number("page_size", request.query_params.get("page_size"), usual, largest)


def neighbours(request: Request, number: int, pages: int) -> tuple[str | None, str | None]:
    """The addresses of the next and of the previous page."""
    here = request.build_absolute_uri()
    back = replace_query_param(here, "page", number - 1) if number > 2 else remove_query_param(here, "page")
    return replace_query_param(here, "page", number + 1) if number < pages else None, back if number > 1 else None


def refuse_page_with_cursor(parameters: Any) -> None:
    if parameters.get("page"):
        raise RefusedRequest.of("page", "goes with no cursor: a cursor says by itself where the list goes on")


def last_seen(of: str, order: str, cursor: str) -> int:
    """The number after which a list goes on that is ordered by it; raises RefusedRequest."""
    values = read_cursor(of, order, cursor)
    if len(values) != 1 or not isinstance(values[0], int):
        raise wrong_cursor(cursor)
    return values[0]


def _after(rows: "QuerySet[Any]", ordering: Ordering, parameters: Any, of: str) -> "QuerySet[Any]":
    refuse_page_with_cursor(parameters)
    cursor = parameters["cursor"]
    if cursor == BEGIN:
        return rows
    try:
        return ordering.after(rows, read_cursor(of, ordering.name, cursor))
    except ValueError as error:
        raise wrong_cursor(cursor) from error


def requested_page(text: str | None, count: int, size: int) -> tuple[int, int]:
    """Return the requested number of a page and the greatest possible one; raises RefusedRequest."""
    there_are = max(1, -(-count // size))
    most = max(1, min(there_are, MOST_LEAFED // size))
    further = "" if most == there_are else f"; {there_are} pages are there: to read them all, begin with cursor=*"
    return whole_number("page", text, 1, most, further), most


def whole_number(name: str, text: str | None, usual: int, most: int, further: str = "") -> int:
    """The number that the address gives, from 1 to `most`; raises RefusedRequest."""
    if text is None:
        return min(usual, most)
    digits = text.removeprefix("-")
    readable = digits.isascii() and digits.isdigit() and len(digits) < 10
    number = int(text) if readable else 0
    if 1 <= number <= most:
        return number
    nearest = min(max(number, 1), most) if readable else min(usual, most)
    message = f"must be a whole number from 1 to {most}, not {text[:40]!r}{further}"
    raise RefusedRequest.of(name, message, nearest)
