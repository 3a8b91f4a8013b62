"""The parameters of a page's address: checked, with the nearest address for a wrong one, and applied to its rows."""

from collections.abc import Collection, Iterable, Mapping
from functools import cached_property
from typing import Any
from urllib.parse import urlencode

from django import forms
from django.db.models import QuerySet
from django.http import HttpRequest, QueryDict

from catalogue.filters.fields import StrictFilterSet, choice_words
from catalogue.filters.filter_sets import EvidenceFilters
from catalogue.geography.map import View
from catalogue.geography.queries import UNDATED
from catalogue.models import Evidence
from catalogue.texts.errors import LONGEST_REPEATED, Suggested, nearest_word
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

    def given(self, name: str) -> str:
        return str(self.query.get(name, "")).strip()

    def among(self, rows: "QuerySet[Any]", but: Collection[str] = ()) -> "QuerySet[Any]":
        """Return those of some rows that the parameters leave, as if the parameters in `but` had not been given."""
        for name, value in self.cleaned.items():
            if name not in but:
                rows = self._filters.filters[name].filter(rows, value)
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
            text = self.given(name)[:LONGEST_REPEATED]
            suggested = Suggested(f"the same without “{name}”", self.address(without=(name,)))
            if near is not None:
                suggested = Suggested(f"{name}={str(near)[:LONGEST_REPEATED]}", self.address({name: near}))
            raise WrongAddress(f"“{text}” is no value of “{name}”: {' '.join(errors[0].messages)}", suggested)

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
        if self.earliest is not None and self.latest is not None and self.earliest > self.latest:
            swapped = self.address({"from": self.latest, "to": self.earliest})
            message = f"No year is from {self.earliest} on and up to {self.latest}."
            raise WrongAddress(message, Suggested(f"from {self.latest} to {self.earliest}", swapped))

    def _plainly(self) -> QueryDict:
        """Years as other pages read them: `1900.0` is 1900."""
        query = self.query.copy()
        for name in ("from", "to"):
            if self.cleaned[name] is not None:
                query[name] = str(self.cleaned[name])
        return query

    def records_but(self, *left_out: str) -> "QuerySet[Evidence]":
        """The records that would be asked for if some parameters had not been given."""
        return self.among(Evidence.objects.shown().order_by(), but=left_out)

    @cached_property
    def records(self) -> "QuerySet[Evidence]":
        return self.records_but()

    def undated_left_out(self) -> int:
        """Records that would be there if no years were asked for, but are of no year: one query, if years are."""
        if self.earliest is None and self.latest is None:
            return 0
        return self.records_but(*YEARS).filter(UNDATED).count()

    @property
    def undated(self) -> str:
        return self.given("undated")

    def in_view(self, view: View) -> str:
        """The address of the map that shows this part of the world."""
        return self.address({"z": view.z, "x": view.x, "y": view.y})
