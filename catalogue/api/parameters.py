"""Parameters of an address: declared filters and `fields=` only, with every mistake in them named.

A parameter that no list knows, one given twice, and a value that no row has are mistakes; none is passed over in
silence, since the reader would take the list for a narrowed one.
"""

from collections.abc import Iterable, Iterator
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.db.models import QuerySet
from django.http import QueryDict
from django_filters.rest_framework import DjangoFilterBackend
from rest_framework.request import Request
from rest_framework.serializers import ListSerializer
from rest_framework.views import APIView

from catalogue.filters.fields import EARLIEST_YEAR, LATEST_YEAR, YearField, choice_words
from catalogue.texts.errors import LONGEST_REPEATED, nearest_word
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
    if isinstance(field, YearField):
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
