"""The filters of lists, for pages and API alike, with fields that name the nearest value of a wrong one."""

import datetime
from collections.abc import Iterable, Mapping
from functools import reduce
from operator import or_
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.db.models import Model, Q, QuerySet
from django_filters import CharFilter, ChoiceFilter, FilterSet, IsoDateTimeFilter, NumberFilter
from drf_spectacular.utils import extend_schema_field

from catalogue import models
from catalogue.analyses.claim_results import DEPENDING, DEPENDING_WORDS, claim_results, claim_rows, verdict_of
from catalogue.models.lookup import nearest_key
from catalogue.models.querysets import executable, of_place
from catalogue.texts.words import LONGEST_REPEATED
from simulator import rulesets
from simulator.batches import levels
from simulator.engine.players.names import PlayersProblem
from simulator.engine.ruleset import nearest
from simulator.models import Measurement
from simulator.problems import WrongRequest

EARLIEST_YEAR, LATEST_YEAR = -20_000, 3_000
NOT_GIVEN = {"type": "string", "maxLength": 0}  # as forms send what nobody filled in


class Several(list[str]):
    """Values of a filter that is given several: rows are meant that it leaves for any of them."""


def words_between(text: str) -> list[str]:
    """The values between the commas of a text; raises ValidationError where there are commas and nothing else."""
    words = [word for part in text.split(",") if (word := part.strip())]
    if text.strip() and not words:
        raise ValidationError("no value stands before or after the comma")
    return words


class KnownValueField(forms.CharField):
    """A text that some row must have in its column; or several, with commas between them."""

    def __init__(self, *args: Any, model: type[Model], column: str, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.rows, self.column = model._default_manager.order_by(), column

    def clean(self, value: Any) -> Any:
        text = super().clean(value)
        if "," in text and not self.rows.filter(**{self.column: text}).exists():
            return Several(str(self._known(word)) for word in words_between(text))
        return self._known(text)

    def _known(self, text: str) -> str:
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
        return [self.cleaned(word) for word in words_between(super().clean(value))]

    def cleaned(self, word: str) -> str:
        """One of them; raises ValidationError."""
        return word


class KnownValuesField(ValuesField):
    """Texts with commas between them, each of which some row must have in its column."""

    def __init__(self, *args: Any, model: type[Model], column: str, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._value_field = KnownValueField(model=model, column=column)

    def cleaned(self, word: str) -> str:
        return str(self._value_field.clean(word))


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


YES_OR_NO = {"true": "yes", "1": "yes", "false": "no", "0": "no"}  # as other interfaces say it


class YesOrNoField(forms.ChoiceField):
    def clean(self, value: Any) -> Any:
        return super().clean(YES_OR_NO.get(str(value).lower(), value))


@extend_schema_field({"type": "string", "enum": ["yes", "no", ""]})
class YesOrNo(ChoiceFilter):
    """A filter by a question that is answered `yes` or `no`."""

    field_class = YesOrNoField

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **{**kwargs, "choices": [("yes", "yes"), ("no", "no")]})

    def filter(self, qs: "QuerySet[Any]", value: str) -> "QuerySet[Any]":
        return self.get_method(qs)(**{f"{self.field_name}__{self.lookup_expr}": value == "yes"}) if value else qs


class ChoicesField(forms.ChoiceField):
    """A choice, or several with commas between them."""

    def clean(self, value: Any) -> Any:
        text, check = str(value or ""), super().clean
        return Several(check(word) for word in words_between(text)) if "," in text else check(value)


class ChoicesFilter(ChoiceFilter):
    """A filter by one choice or by several, "running,done"."""

    field_class = ChoicesField


BOUNDS = (("from", "to"),)  # of filters: the lower and the upper one
OUT_OF_ORDER = "out_of_order"  # the code of the error


class BoundsInOrder(forms.Form):
    """A lower bound that is above the upper one is a mistake, and no empty list."""

    def clean(self) -> dict[str, Any]:
        given = super().clean() or self.cleaned_data
        for lower, upper in BOUNDS:
            first, last = given.get(lower), given.get(upper)
            if first is not None and last is not None and first > last:
                message = f"must not be above “{upper}”: nothing is from {first} on and up to {last}"
                self.add_error(lower, ValidationError(message, OUT_OF_ORDER, {"nearest": last}))
        return given


class StrictFilterSet(FilterSet):
    """Filters as an address names them: `from_`, which Python cannot call `from`, is `from`."""

    def get_form_class(self) -> type[forms.Form]:
        form = super().get_form_class()
        return type(form.__name__, (BoundsInOrder, form), {})

    def filter_queryset(self, queryset: "QuerySet[Any]") -> "QuerySet[Any]":
        for name, value in self.form.cleaned_data.items():
            queryset = self.narrowed(queryset, name, value)
        return queryset

    def narrowed(self, rows: "QuerySet[Any]", name: str, value: Any) -> "QuerySet[Any]":
        """Return the rows that one filter leaves: for several values, those that it leaves for any."""
        one: Any = self.filters[name]
        if not isinstance(value, Several):
            left: QuerySet[Any] = one.filter(rows, value)
            return left
        every = rows.model._base_manager.all()
        return rows.filter(reduce(or_, (Q(pk__in=one.filter(every, word).order_by().values("pk")) for word in value)))

    @classmethod
    def get_filters(cls) -> dict[str, Any]:
        return {name.rstrip("_"): field for name, field in super().get_filters().items()}


class OfGame(StrictFilterSet):
    game = KnownValueFilter(field_name="game__slug", model=models.Game, column="slug", label="slugs of games")


class OfRecord(StrictFilterSet):
    evidence = KnownValueFilter(
        field_name="evidence__identifier", model=models.Evidence, column="identifier", label="identifier of a record"
    )


class OfWords(StrictFilterSet):
    """anchored: the link that leads from an anchor to such a row"""

    anchored: str
    evidence = KnownValueFilter(
        model=models.Evidence,
        column="identifier",
        method="in_record",
        label="identifier of a record whose words it uses",
    )

    def in_record(self, rows: "QuerySet[Any]", name: str, value: str) -> "QuerySet[Any]":
        return rows.filter(pk__in=models.Anchor.objects.filter(evidence__identifier=value).values(self.anchored))


class ChangedSince(StrictFilterSet):
    """Filters by the time of the last change.

    dates: the columns that may hold it; recorded: kinds of rows with a history whose changes are changes of these, with
    what leads from them here ("id" where they are the same rows); what was deleted counts too
    """

    dates: tuple[str, ...] = ("created",)
    recorded: Mapping[type[Model], str] = {}
    changed_since = IsoDateTimeFilter(
        method="since", label="2026-11-23 or 2026-11-23T10:00:00Z: what is new or changed since then"
    )

    def since(self, rows: "QuerySet[Any]", name: str, value: datetime.datetime) -> "QuerySet[Any]":
        changed = [Q(**{f"{column}__gte": value}) for column in self.dates]
        for model, link in self.recorded.items():
            revisions: Any = model.history.filter(history_date__gte=value)  # type: ignore[attr-defined]
            changed.append(Q(pk__in=revisions.values(link)))
        return rows.filter(reduce(or_, changed))


class WrittenSince(ChangedSince):
    """The same for rows that know when they were last written."""

    dates = ("changed",)


class OfRuleset(StrictFilterSet):
    ruleset = CharFilter(method="of_ruleset", label="slug, slug@number, hash or its beginning")

    def of_ruleset(self, rows: "QuerySet[Any]", name: str, value: str) -> "QuerySet[Any]":
        return rows.filter(ruleset__in=[rulesets.find(word.strip()).hash for word in value.split(",")])


class EvidenceFilters(ChangedSince):
    """The same names for readers and for programs."""

    dates, recorded = (), {models.Evidence: "id"}

    place = KnownValueFilter(
        model=models.Place,
        column="slug",
        method="from_place",
        label="slug of a place; its parts are meant as well",
    )
    game = KnownValueFilter(field_name="game__slug", model=models.Game, column="slug", label="slug of a game")
    type = KnownValueFilter(
        model=models.Evidence, column="type", label="the Ludii portal’s word, for example Ethnography"
    )
    source = KnownValueFilter(field_name="sources__key", model=models.Source, column="key", label="key of a source")
    uncertainty = KnownValueFilter(
        field_name="uncertainty_factors__slug", model=models.UncertaintyFactor, column="slug", label="slug of a factor"
    )
    from_ = YearFilter(field_name="year_latest", lookup_expr="gte", label="may be of this year or later")
    to = YearFilter(field_name="year_earliest", lookup_expr="lte", label="may be of this year or before")
    undated = YesOrNo(method="of_no_year", label="yes: only records without a date; no: only those with one")

    def from_place(self, rows: "QuerySet[models.Evidence]", name: str, value: str) -> "QuerySet[models.Evidence]":
        return rows.filter(of_place(value))

    def of_no_year(self, rows: "QuerySet[models.Evidence]", name: str, value: Any) -> "QuerySet[models.Evidence]":
        undated = Q(year_earliest__isnull=True, year_latest__isnull=True)
        return rows.filter(undated if value == "yes" else ~undated)


class GameFilters(ChangedSince):
    reference = YesOrNo(
        field_name="is_reference", label="yes: only games of published rules, without records; no: only the others"
    )
    place = KnownValueFilter(
        model=models.Place, column="slug", method="of_place", label="slug of a place that a record of the game is from"
    )

    category = KnownValueFilter(
        field_name="portal__categories__slug",
        model=models.Category,
        column="slug",
        label="slug of one of the Ludii portal’s kinds",
    )
    period = KnownValueFilter(
        field_name="portal__periods__slug",
        model=models.Period,
        column="slug",
        label="slug of one of the Ludii portal’s periods",
    )
    executable = YesOrNo(
        method="with_readings", label="yes: only games of which there is a ruleset; no: only the others"
    )

    def since(self, rows: "QuerySet[Any]", name: str, value: datetime.datetime) -> "QuerySet[Any]":
        renamed = models.GameName.objects.filter(changed__gte=value).values("game")
        return rows.filter(Q(changed__gte=value) | Q(pk__in=renamed))

    def of_place(self, rows: "QuerySet[models.Game]", name: str, value: str) -> "QuerySet[models.Game]":
        return rows.filter(pk__in=models.Evidence.objects.shown().filter(of_place(value)).values("game"))

    def with_readings(self, rows: "QuerySet[models.Game]", name: str, value: str) -> "QuerySet[models.Game]":
        return executable(rows, value == "yes")


class ClaimFilters(OfGame, OfWords, ChangedSince):
    dates, recorded = (), {models.Claim: "id", models.Anchor: "claim"}
    anchored = "claim"
    judged_by = ChoicesFilter(choices=models.Claim.JudgedBy.choices, label="what can judge it")
    verdict = ChoicesFilter(
        choices=(*models.Verdict.Kind.choices, (DEPENDING, DEPENDING_WORDS)),
        method="of_verdict",
        label="what its tests say",
    )

    def of_verdict(self, rows: "QuerySet[models.Claim]", name: str, value: str) -> "QuerySet[models.Claim]":
        return rows.filter(
            pk__in=[
                result.claim.pk
                for result in claim_results(claim_rows())
                if value in (result.verdict.kind, verdict_of(result))
            ]
        )


Rows = QuerySet[Any]  # of Measurement


class LevelsField(ValuesField):
    """Levels, and players by their canonical names, whatever level they are of."""

    def cleaned(self, word: str) -> str:
        try:
            return levels.parse_level(word)
        except PlayersProblem as problem:
            near = nearest(word, levels.KNOWN)
            message = f"{problem}; levels are {', '.join(levels.LEVELS)}; what is proved is at /api/v1/solutions/"
            raise ValidationError(message.replace("%", "%%"), params={"nearest": near}) from problem


class LevelsFilter(CharFilter):
    """Rows of these levels, and those of these players in every seat."""

    field_class = LevelsField

    def filter(self, rows: Rows, value: list[str]) -> Rows:
        if not value:
            return rows
        every_seat = [Q(batch__players__regex=levels.in_every_seat(level)) for level in value]
        return rows.filter(reduce(or_, every_seat, Q(level__in=value)))


class RulesetsField(ValuesField):
    """Hashes of rulesets, by whatever a ruleset is called."""

    def cleaned(self, word: str) -> str:
        try:
            return rulesets.find(word).hash
        except WrongRequest as error:
            (problem, *_) = error.problems
            raise ValidationError(problem.message.replace("%", "%%"), params={"nearest": problem.nearest}) from error


class RulesetsFilter(CharFilter):
    field_class = RulesetsField


class MeasurementFilters(ChangedSince):
    """Rows have the names `reading` and `level` beside their columns. Place and years are those of one record."""

    dates = ("batch__closed",)

    place = KnownValuesFilter(model=models.Place, column="slug", label="slugs of places; their parts are meant as well")
    from_ = YearFilter(label="of a record that may be of this year or later")
    to = YearFilter(label="of a record that may be of this year or before")
    record = KnownValuesFilter(model=models.Evidence, column="identifier", label="identifiers of records")
    game = KnownValuesFilter(model=models.Game, column="slug", method="read_as", label="slugs of games")
    authority = KnownValuesFilter(
        model=models.Reading, column="authority", method="read_as", label="whose readings they are"
    )
    reading = KnownValuesFilter(model=models.Reading, column="slug", lookup_expr="in", label="slugs of readings")
    ruleset = RulesetsFilter(
        field_name="batch__ruleset", lookup_expr="in", label="slugs, slug@number, hashes or their beginnings"
    )
    level = LevelsFilter(label="random, greedy, club, strong, uct:1000")
    measure = KnownValuesFilter(model=Measurement, column="measure", lookup_expr="in", label="first_player_advantage")

    def filter_queryset(self, queryset: Rows) -> Rows:
        cleaned = self.form.cleaned_data
        for name in (name for name in cleaned if name not in OF_RECORDS):
            queryset = self.filters[name].filter(queryset, cleaned[name])
        conditions = [
            condition(cleaned[name]) for name, condition in OF_RECORDS.items() if cleaned[name] not in (None, [])
        ]
        if not conditions:
            return queryset
        records = models.Evidence.objects.shown().filter(*conditions).order_by()
        return queryset.filter(
            reading__in=models.Reading.objects.filter(evidence__in=records).order_by().values("slug")
        )

    def read_as(self, rows: Rows, name: str, value: list[str]) -> Rows:
        column = {"game": "game__slug__in", "authority": "authority__in"}[name]
        return rows.filter(reading__in=models.Reading.objects.filter(**{column: value}).order_by().values("slug"))


# What one record must fulfil together: of two records of a game, one may be of the place and the other of the year.
OF_RECORDS: dict[str, Any] = {
    "place": lambda slugs: reduce(or_, map(of_place, slugs)),
    "from": lambda year: Q(year_latest__gte=year),
    "to": lambda year: Q(year_earliest__lte=year),
    "record": lambda identifiers: Q(identifier__in=identifiers),
}
