"""The parameters of a page's address, and what its forms offer to narrow by: facets with counts, groups, and choices.

Parameters are checked, with the nearest address for a wrong one, and applied to the rows of the page.
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any
from urllib.parse import urlencode

from django import forms
from django.db.models import Case, Count, F, QuerySet, When
from django.db.models.functions import Left
from django.http import HttpRequest, QueryDict
from django.urls import reverse

from catalogue.filters.filter_sets import BOUNDS, OUT_OF_ORDER, EvidenceFilters, Several, StrictFilterSet, choice_words
from catalogue.geography.map import View
from catalogue.geography.queries import UNDATED, types
from catalogue.models import Evidence, Game, Place, Source
from catalogue.models.evidence import source_words
from catalogue.search.ranking import cached
from catalogue.texts.dates import centuries_of
from catalogue.texts.formatting import span_words
from catalogue.texts.words import LONGEST_REPEATED, Suggested, nearest_word
from catalogue.web.addresses import WrongAddress


class ListParameters:
    """The parameters of a list's address; raises WrongAddress, with the nearest address, for a wrong one.

    filters:   the API's, of which this page takes those named in `narrowing`
    own:       parameters of the page itself, which it reads with `number`
    """

    def __init__(
        self,
        request: HttpRequest,
        filters: type[StrictFilterSet],
        narrowing: tuple[str, ...],
        own: tuple[str, ...] = ("page",),
    ) -> None:
        self.path, self.narrowing, self.own = request.path, narrowing, own
        self.query: QueryDict = request.GET
        refuse_unknown(request, (*narrowing, *own))
        self._filters = filters(self._given(narrowing), queryset=QuerySet())
        self._refuse_wrong_values()
        self.cleaned: dict[str, Any] = self._filters.form.cleaned_data
        for name, value in self.cleaned.items():
            if isinstance(value, Several):
                one = Suggested(f"{name}={value[0]}", self.address({name: value[0]}))
                raise WrongAddress(f"A page is narrowed by one {name}; the API takes several.", one)

    def given(self, name: str) -> str:
        return str(self.query.get(name, "")).strip()

    def among(self, rows: "QuerySet[Any]", but: Collection[str] = ()) -> "QuerySet[Any]":
        """Return those of some rows that the parameters leave, as if the parameters in `but` had not been given."""
        for name, value in self.cleaned.items():
            if name not in but:
                rows = self._filters.narrowed(rows, name, value)
        return rows

    @property
    def narrowed(self) -> bool:
        return bool(self._wanted)

    def _given(self, names: Iterable[str]) -> dict[str, str]:
        return {name: self.given(name) for name in names if self.given(name)}

    def address(
        self, changes: Mapping[str, object] | None = None, path: str = "", without: Collection[str] = ()
    ) -> str:
        """This page's address, or another's that is narrowed in the same way, with some parameters changed.

        Only a page's own address keeps what is its own; the number of a list's page is never kept.
        """
        own = {} if path else self._own
        parameters = {name: text for name, text in (self._wanted | own).items() if name not in without}
        parameters |= {name: str(value) for name, value in (changes or {}).items()}
        return f"{path or self.path}?{urlencode(parameters)}" if parameters else path or self.path

    @cached_property
    def _wanted(self) -> dict[str, str]:
        return self._given(self.narrowing)

    @cached_property
    def _own(self) -> dict[str, str]:
        return self._given(name for name in self.own if name != "page")

    def number(self, name: str, usual: int, most: int) -> int:
        """A whole number from 0 to `most`."""
        text = self.given(name)
        digits = text.removeprefix("-")
        readable = digits.isascii() and digits.isdigit() and len(digits) < 10
        if not text or (readable and 0 <= int(text) <= most):
            return int(text or usual)
        nearest = min(max(int(text), 0), most) if readable else usual
        message = f"“{text[:LONGEST_REPEATED]}” is no value of “{name}”: a whole number from 0 to {most} is meant."
        raise WrongAddress(message, Suggested(f"{name}={nearest}", self.address({name: nearest})))

    def _refuse_wrong_values(self) -> None:
        for name, errors in self._filters.form.errors.as_data().items():
            params = errors[0].params or {}
            near = params.get("nearest", params.get("limit_value", self._nearest_choice(name)))
            if errors[0].code == OUT_OF_ORDER:
                self._refuse_bounds(name)
            text = self.given(name)[:LONGEST_REPEATED]
            suggested = Suggested(f"the same without “{name}”", self.address(without=(name,)))
            if near is not None:
                suggested = Suggested(f"{name}={str(near)[:LONGEST_REPEATED]}", self.address({name: near}))
            raise WrongAddress(f"“{text}” is no value of “{name}”: {' '.join(errors[0].messages)}", suggested)

    def _refuse_bounds(self, lower: str) -> None:
        upper = dict(BOUNDS)[lower]
        first, last = (self._filters.form.fields[name].clean(self.given(name)) for name in (lower, upper))
        message = f"No year is from {first} on and up to {last}."
        raise WrongAddress(message, Suggested(f"from {last} to {first}", self.address({lower: last, upper: first})))

    def _nearest_choice(self, name: str) -> str | None:
        field = self._filters.form.fields[name]
        if not isinstance(field, forms.ChoiceField):
            return None
        words = choice_words(field)
        return nearest_word(self.given(name), words) or words[0]


def refuse_unknown(request: HttpRequest, known: Collection[str], several: Collection[str] = ()) -> None:
    """Raises WrongAddress, with the nearest address, for a parameter that is not known, or given more than once.

    several: those that may be given more than once
    """
    for name, values in request.GET.lists():
        if name not in known:
            near = nearest_word(name, known)
            parameters = {one: text for one, text in request.GET.items() if one in known and one != "page" and text}
            parameters |= {near: str(values[-1])} if near else {}
            message = f"There is no parameter “{name[:LONGEST_REPEATED]}” here; there are {', '.join(known)}."
            words = f"{near}={values[-1][:LONGEST_REPEATED]}" if near else "the same without it"
            raise WrongAddress(message, Suggested(words, f"{request.path}?{urlencode(parameters)}"))
        if len(values) > 1 and name not in several:
            raise WrongAddress(f"“{name}” is given {len(values)} times; once is enough.")


YEARS = ("from", "to", "undated")
NARROWING = ("place", "game", "type", "source", *YEARS)


class RecordParameters(ListParameters):
    """Narrowed by place, game, type, source and year."""

    def __init__(self, request: HttpRequest, own: tuple[str, ...] = ()) -> None:
        super().__init__(request, EvidenceFilters, NARROWING, own)
        self.earliest, self.latest = self.cleaned["from"], self.cleaned["to"]
        self.query = self._plainly()

    def _plainly(self) -> QueryDict:
        """Years as other pages read them: `1900.0` is 1900."""
        query = self.query.copy()
        for name in ("from", "to"):
            if self.cleaned[name] is not None:
                query[name] = str(self.cleaned[name])
        return query

    def records_but(self, *left_out: str) -> "QuerySet[Evidence]":
        """The records as if some parameters had not been given."""
        return self.among(Evidence.objects.shown().order_by(), but=left_out)

    @cached_property
    def records(self) -> "QuerySet[Evidence]":
        return self.records_but()

    def undated_left_out(self) -> int:
        """The number of undated records that a choice of years leaves out: one query, if years are given."""
        if self.earliest is None and self.latest is None:
            return 0
        return self.records_but(*YEARS).filter(UNDATED).count()

    @property
    def undated(self) -> str:
        return self.given("undated")

    def in_view(self, view: View) -> str:
        """The address of the map that shows this part of the world."""
        return self.address({"z": view.z, "x": view.x, "y": view.y})


MOST_OFFERED = 120  # in one list: more can be neither read nor sent quickly


@dataclass(frozen=True, slots=True)
class Choice:
    """A value to narrow by. count: of the records that have it; None where they are not counted"""

    value: str
    text: str
    count: int | None = None


@dataclass(frozen=True, slots=True)
class NarrowingField:
    """A way of narrowing a list of records.

    choices: those with the most records, or all; empty if they are too many for a form
    rarer: how many others there are; every: the address of all of them
    """

    name: str
    title: str
    chosen: str
    choices: tuple[Choice, ...]
    hint: str = ""
    rarer: int = 0
    every: str = ""

    @property
    def chosen_text(self) -> str:
        return next((choice.text for choice in self.choices if choice.value == self.chosen), self.chosen)


@dataclass(frozen=True, slots=True)
class RecordGroup:
    """Some records that have something in common, and the address of their list."""

    text: str
    count: int | None
    address: str


def narrowing_fields(parameters: RecordParameters) -> list[NarrowingField]:
    """One query each."""
    named = Place.objects.exclude(part_of_is_derived=True).order_by("name")
    fields = (
        ("place", "Place", "for example sri-lanka", _first(named, "slug", "name")),
        ("type", "Type", "for example Ethnography", tuple(Choice(word, word) for word in types(MOST_OFFERED + 1))),
        ("game", "Game", "for example daramuti", _first(Game.objects.order_by("name"), "slug", "name")),
        ("source", "Source", "for example parker-1909", _first(Source.objects.order_by("key"), "key", "key")),
    )
    return [
        NarrowingField(name, title, parameters.given(name), rows if len(rows) <= MOST_OFFERED else (), hint)
        for name, title, hint, rows in fields
    ]


def _first(rows: "QuerySet[Any]", value: str, words: str) -> tuple[Choice, ...]:
    return tuple(Choice(*row) for row in rows.values_list(value, words)[: MOST_OFFERED + 1])


MOST_YEARS_SINGLY = 30
MOST_CHOICES = 60  # of one list: the others are found by the search
Spans = dict[tuple[int, int], int]


@dataclass(frozen=True, slots=True)
class Lookup:
    """The expressions for values of a facet and their names. repeats: a record may have a value several times"""

    title: str
    value: Any
    text: tuple[Any, ...]
    write: Callable[..., str] = str
    repeats: bool = False

    def counted(self, records: "QuerySet[Any]") -> "QuerySet[Any, Any]":
        """Value, the columns of its text, and its number of records.

        No record has a source twice, so that rows are counted, which is quicker than telling records apart.
        """
        rows = records.annotate(facet=self.value).filter(facet__isnull=False).order_by(*self.text)
        number = Count("pk", distinct=self.repeats)
        counted: QuerySet[Any, Any] = rows.values_list("facet", *self.text).annotate(records=number)
        return counted

    def choice(self, row: tuple[Any, ...]) -> Choice:
        return Choice(row[0], self.write(*row[1:-1]), row[-1])


def _named_place(column: str) -> Case:
    """The place, or for a point its country: a list of coordinates would tell a reader nothing."""
    return Case(When(places__part_of_is_derived=True, then=f"places__part_of__{column}"), default=f"places__{column}")


# What a source without authors is called by, and where the letter of a year stands.
PRINTED = Left("sources__as_printed", 120)
LOOKUPS = {
    "place": Lookup("Place", _named_place("slug"), (_named_place("name"),), repeats=True),
    "game": Lookup("Game", F("game__slug"), ("game__name",)),
    "type": Lookup("Type", F("type"), ("type",)),
    "source": Lookup("Source", F("sources__key"), ("sources__authors", "sources__year", PRINTED), source_words),
}


def facets_and_years(parameters: RecordParameters) -> tuple[list[NarrowingField], list[RecordGroup]]:
    """One query each; the counts are of the records that the *other* choices leave."""
    choices, undated, spans = cached(("facets of records", parameters.address()), lambda: _counted(parameters))
    years = [_year_bin(parameters, first, last, count) for (first, last), count in sorted(spans.items())]
    if undated:
        years.append(RecordGroup("undated", undated, parameters.address({"undated": "yes"}, without=("from", "to"))))
    return [_facet(parameters, name, *choices[name]) for name in LOOKUPS], years


def _counted(parameters: RecordParameters) -> tuple[dict[str, tuple[tuple[Choice, ...], int]], int, Spans]:
    return {name: _choices(parameters, name) for name in LOOKUPS}, *_spans(parameters.records_but(*YEARS))


def _choices(parameters: RecordParameters, name: str) -> tuple[tuple[Choice, ...], int]:
    """Return the values with the most records and the chosen one, in order, and the number of all others."""
    lookup = LOOKUPS[name]
    rows = list(lookup.counted(parameters.records_but(name)))
    most = set(sorted(range(len(rows)), key=lambda number: -rows[number][-1])[:MOST_CHOICES])
    chosen = [row for number, row in enumerate(rows) if number in most or row[0] == parameters.given(name)]
    return tuple(map(lookup.choice, chosen)), len(rows) - len(chosen)


def _facet(parameters: RecordParameters, name: str, choices: tuple[Choice, ...], rarer: int) -> NarrowingField:
    every = parameters.address({"kind": "record", "all": name}, reverse("search"), without=YEARS)  # it knows no years
    return NarrowingField(name, LOOKUPS[name].title, parameters.given(name), choices, rarer=rarer, every=every)


def _spans(records: "QuerySet[Any]") -> tuple[int, Spans]:
    """The number of undated records, and those of each span of years; of each century where there are many."""
    counted = list(records.values_list("year_earliest", "year_latest").annotate(records=Count("pk")))
    undated = sum(count for first, last, count in counted if first is None and last is None)
    dated = {(first, last): n for first, last, n in counted if first is not None and last is not None}
    return undated, _by_century(dated) if len(dated) > MOST_YEARS_SINGLY else dated


def _by_century(spans: Spans) -> Spans:
    """A span belongs to every century it touches, as the list of that century shows it."""
    centuries: Counter[tuple[int, int]] = Counter()
    for (first, last), count in spans.items():
        for century in centuries_of(first, last):
            centuries[century] += count
    return centuries


def _year_bin(parameters: RecordParameters, first: int, last: int, count: int) -> RecordGroup:
    return RecordGroup(
        span_words(first, last), count, parameters.address({"from": first, "to": last}, without=("undated",))
    )


MOST_GROUPS = 12


@dataclass(frozen=True, slots=True)
class Grouping:
    """every: the address of all groups, empty if these are all"""

    title: str
    groups: tuple[RecordGroup, ...]
    every: str


def groupings(records: "QuerySet[Evidence]", of: dict[str, str], by: tuple[str, ...]) -> list[Grouping]:
    """The largest groups of some records, a query each; none where all are of one group.

    of: what the records have in common, as the list of evidence calls it, for example {"place": "sri-lanka"}
    """
    counted = cached(("groups", of, by), lambda: {name: _largest(records, LOOKUPS[name]) for name in by})
    return [_grouping(name, counted[name], of) for name in by if len(counted[name]) > 1]


def _largest(records: "QuerySet[Evidence]", lookup: Lookup) -> list[Choice]:
    """The largest groups, and one more if there are more."""
    most = lookup.counted(records).order_by("-records", *lookup.text)[: MOST_GROUPS + 1]
    return [lookup.choice(row) for row in most]


def _grouping(by: str, choices: list[Choice], of: dict[str, str]) -> Grouping:
    groups = (
        RecordGroup(choice.text, choice.count, f"{reverse('evidence-list')}?{urlencode({**of, by: choice.value})}")
        for choice in choices[:MOST_GROUPS]
    )
    every = f"{reverse('search')}?{urlencode({**of, 'kind': 'record', 'all': by})}"
    return Grouping(LOOKUPS[by].title, tuple(groups), every if len(choices) > MOST_GROUPS else "")
