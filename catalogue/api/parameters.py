"""What stands behind the question mark: declared filters only, and every mistake in them named.

A parameter that no list knows, one given twice, and a value that no row has are mistakes; none is passed over in
silence, since the reader would take the list for a narrowed one.
"""

from collections.abc import Iterable, Iterator
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.db.models import Model, QuerySet
from django.http import QueryDict
from django_filters import CharFilter, ChoiceFilter, FilterSet, NumberFilter  # type: ignore[import-untyped]
from django_filters.rest_framework import DjangoFilterBackend  # type: ignore[import-untyped]
from drf_spectacular.utils import extend_schema_field
from rest_framework.request import Request
from rest_framework.views import APIView

from catalogue.api.problems import Refused
from catalogue.pages.errors import nearest_key, nearest_word
from simulator.engine.ruleset import Problem

EARLIEST_YEAR, LATEST_YEAR = -20_000, 3_000
NOT_GIVEN = {"type": "string", "maxLength": 0}  # as forms send what nobody filled in
SHOWN = 60  # characters of a wrong value that are repeated


def refuse_unknown(asked: QueryDict, known: Iterable[str]) -> None:
    """Raises Refused for each parameter that is not known, or given more than once."""
    names = sorted(known)
    problems = []
    for name in asked:
        if name not in names:
            message = f"there is no parameter {name[:SHOWN]!r} here; there are {', '.join(names)}"
            problems.append(Problem(name[:SHOWN], message, nearest_word(name, names)))
        elif len(asked.getlist(name)) > 1:
            problems.append(Problem(name, f"is given {len(asked.getlist(name))} times; once is enough"))
    if problems:
        raise Refused(problems)


class KnownValueField(forms.CharField):
    """A text that some row must have in its column."""

    def __init__(self, *args: Any, model: type[Model], column: str, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.rows, self.column = model._default_manager.order_by(), column

    def clean(self, value: Any) -> Any:
        text = super().clean(value)
        if text and not self.rows.filter(**{self.column: text}).exists():
            near = nearest_key(self.rows, self.column, text)
            name = self.rows.model._meta.verbose_name
            message = f"no {name} has the {self.column} {text[:SHOWN]!r}".replace("%", "%%")
            raise ValidationError(message, params={"nearest": near})
        return text


class KnownValueFilter(CharFilter):
    """A filter by a value of which some row must exist: an unknown one is a mistake, not an empty list."""

    field_class = KnownValueField


class YearField(forms.IntegerField):
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **{**kwargs, "min_value": EARLIEST_YEAR, "max_value": LATEST_YEAR})


@extend_schema_field({"anyOf": [{"type": "integer", "minimum": EARLIEST_YEAR, "maximum": LATEST_YEAR}, NOT_GIVEN]})
class YearFilter(NumberFilter):
    """A filter by an astronomical year: 0 is 1 BCE."""

    field_class = YearField


@extend_schema_field({"type": "string", "enum": ["yes", "no", ""]})
class YesOrNo(ChoiceFilter):
    """A filter by a question that is answered `yes` or `no`."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **{**kwargs, "choices": [("yes", "yes"), ("no", "no")]})

    def filter(self, qs: "QuerySet[Any]", value: str) -> "QuerySet[Any]":
        return self.get_method(qs)(**{f"{self.field_name}__{self.lookup_expr}": value == "yes"}) if value else qs


class StrictFilterSet(FilterSet):
    """Filters as an address names them: `from_`, which Python cannot call `from`, is `from`."""

    @classmethod
    def get_filters(cls) -> dict[str, Any]:
        return {name.rstrip("_"): found for name, found in super().get_filters().items()}


class StrictFilterBackend(DjangoFilterBackend):
    """Filters a list, or refuses with what is wrong and the nearest valid value."""

    def filter_queryset(self, request: Request, queryset: "QuerySet[Any]", view: APIView) -> "QuerySet[Any]":
        filters = self.get_filterset(request, queryset, view)
        if filters is None:
            return queryset
        if not filters.is_valid():
            raise Refused(_problems(filters.form))
        found: QuerySet[Any] = filters.qs
        return found


def _problems(form: forms.Form) -> Iterator[Problem]:
    for name, errors in form.errors.as_data().items():
        for error in errors:
            yield _problem(name, form.fields[name], form.data.get(name, ""), error)


def _problem(name: str, field: forms.Field, value: str, error: ValidationError) -> Problem:
    params = error.params or {}
    if isinstance(field, forms.ChoiceField):
        choices: Iterable[tuple[Any, Any]] = field.choices  # type: ignore[assignment]
        words = [str(word) for word, _ in choices if word]
        near = nearest_word(value, words) or words[0]
        return Problem(name, f"must be one of {', '.join(words)}, not {value[:SHOWN]!r}", near)
    if isinstance(field, YearField):
        message = f"must be a whole number from {EARLIEST_YEAR} to {LATEST_YEAR}, not {value[:SHOWN]!r}"
        return Problem(name, message, params.get("limit_value"))
    return Problem(name, " ".join(error.messages), params.get("nearest"))
