"""Filters that lists share, for pages and API alike, with fields that name the nearest value of a wrong one."""

import datetime
from collections.abc import Iterable
from functools import reduce
from operator import or_
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.db.models import Model, Q, QuerySet
from django_filters import CharFilter, ChoiceFilter, FilterSet, IsoDateTimeFilter, NumberFilter
from drf_spectacular.utils import extend_schema_field

from catalogue.models import Anchor, Evidence, Game
from catalogue.models.lookup import nearest_key
from catalogue.texts.errors import LONGEST_REPEATED
from simulator import rulesets

EARLIEST_YEAR, LATEST_YEAR = -20_000, 3_000
NOT_GIVEN = {"type": "string", "maxLength": 0}  # as forms send what nobody filled in


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
            message = f"no {name} has the {self.column} {text[:LONGEST_REPEATED]!r}".replace("%", "%%")
            raise ValidationError(message, params={"nearest": near})
        return text


class KnownValueFilter(CharFilter):
    """A filter by a value of which some row must exist: an unknown one is a mistake, not an empty list."""

    field_class = KnownValueField


class ValuesField(forms.CharField):
    """Texts with commas between them."""

    def clean(self, value: Any) -> list[str]:
        words = [word.strip() for word in super().clean(value).split(",")]
        return [self.cleaned(word) for word in words if word]

    def cleaned(self, word: str) -> str:
        """One of them; raises ValidationError."""
        return word


class KnownValuesField(ValuesField):
    """Each of them must be a text that some row has in its column."""

    def __init__(self, *args: Any, model: type[Model], column: str, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._one = KnownValueField(model=model, column=column)

    def cleaned(self, word: str) -> str:
        return str(self._one.clean(word))


class KnownValuesFilter(CharFilter):
    """A filter by one value or by several, "a,b": of each some row must exist."""

    field_class = KnownValuesField


def choice_words(field: forms.ChoiceField) -> list[str]:
    """Return the possible choices as they are sent, without the empty word for no choice."""
    choices: Iterable[tuple[Any, Any]] = field.choices  # type: ignore[assignment]
    return [str(word) for word, _ in choices if word]


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
        return {name.rstrip("_"): field for name, field in super().get_filters().items()}


class OfGame(StrictFilterSet):
    game = KnownValueFilter(field_name="game__slug", model=Game, column="slug", label="slug of a game")


class OfRecord(StrictFilterSet):
    evidence = KnownValueFilter(
        field_name="evidence__identifier", model=Evidence, column="identifier", label="identifier of a record"
    )


class OfWords(StrictFilterSet):
    """anchored: the link that leads from an anchor to such a row"""

    anchored: str
    evidence = KnownValueFilter(
        model=Evidence, column="identifier", method="in_record", label="identifier of a record whose words it uses"
    )

    def in_record(self, rows: "QuerySet[Any]", name: str, value: str) -> "QuerySet[Any]":
        return rows.filter(pk__in=Anchor.objects.filter(evidence__identifier=value).values(self.anchored))


class ChangedSince(StrictFilterSet):
    """dates: columns, one of which says when a row last became another"""

    dates: tuple[str, ...] = ("created",)
    changed_since = IsoDateTimeFilter(
        method="since", label="2026-11-23 or 2026-11-23T10:00:00Z: what is new or changed since then"
    )

    def since(self, rows: "QuerySet[Any]", name: str, value: datetime.datetime) -> "QuerySet[Any]":
        return rows.filter(reduce(or_, (Q(**{f"{column}__gte": value}) for column in self.dates)))


class RecordedSince(StrictFilterSet):
    """Narrows rows whose changes are recorded."""

    changed_since = IsoDateTimeFilter(
        method="since", label="2026-11-23 or 2026-11-23T10:00:00Z: what is new or changed since then"
    )

    def since(self, rows: "QuerySet[Any]", name: str, value: datetime.datetime) -> "QuerySet[Any]":
        recorded: Any = rows.model
        return rows.filter(pk__in=recorded.history.filter(history_date__gte=value).values("id"))


class OfRuleset(StrictFilterSet):
    ruleset = CharFilter(method="of_ruleset", label="slug, slug@number, hash or its beginning")

    def of_ruleset(self, rows: "QuerySet[Any]", name: str, value: str) -> "QuerySet[Any]":
        return rows.filter(ruleset=rulesets.find(value).hash)
