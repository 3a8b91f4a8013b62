"""What the address of a page asks for, of all that its list can be narrowed by.

A page is narrowed by declared filters of the API: the same words after the question mark mean the same there and here.
Every mistake is named, with the nearest address.
"""

from collections.abc import Collection, Iterable, Mapping
from functools import cached_property
from typing import Any
from urllib.parse import urlencode

from django import forms
from django.db.models import QuerySet
from django.http import HttpRequest, QueryDict

from catalogue.filters.fields import StrictFilterSet
from catalogue.texts.errors import Suggested, WrongAddress, nearest_word

SHOWN = 60  # characters of a wrong value that are repeated


class Asked:
    """What an address asks for; WrongAddress, with the nearest address, if it makes no sense.

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
        self.asked: QueryDict = request.GET
        self._refuse_unknown()
        self._filters = filters(self._kept(narrowing), queryset=filters.Meta.model._default_manager.none())
        self._refuse_wrong_values()
        self.cleaned: dict[str, Any] = self._filters.form.cleaned_data

    def given(self, name: str) -> str:
        return str(self.asked.get(name, ""))

    def among(self, rows: "QuerySet[Any]", but: tuple[str, ...] = ()) -> "QuerySet[Any]":
        """Those of some rows that are asked for; as if some parameters had not been given."""
        for name, value in self.cleaned.items():
            if name not in but:
                rows = self._filters.filters[name].filter(rows, value)
        return rows

    @property
    def narrowed(self) -> bool:
        return bool(self._wanted)

    def _kept(self, names: Iterable[str]) -> dict[str, str]:
        return {name: self.given(name).strip() for name in names if self.given(name).strip()}

    def address(
        self, changes: Mapping[str, object] | None = None, path: str = "", without: Collection[str] = ()
    ) -> str:
        """This page's address, or another's that is narrowed in the same way, with some parameters changed.

        Only a page's own address keeps what is its own; the number of a list's page is never kept.
        """
        own = {} if path else self._own
        kept = {name: text for name, text in (self._wanted | own).items() if name not in without}
        kept |= {name: str(value) for name, value in (changes or {}).items()}
        return f"{path or self.path}?{urlencode(kept)}" if kept else path or self.path

    @cached_property
    def _wanted(self) -> dict[str, str]:
        return self._kept(self.narrowing)

    @cached_property
    def _own(self) -> dict[str, str]:
        return self._kept(name for name in self.own if name != "page")

    def number(self, name: str, usual: int, most: int) -> int:
        """A whole number from 0 to `most`."""
        text = self.given(name).strip()
        digits = text.removeprefix("-")
        readable = digits.isascii() and digits.isdigit() and len(digits) < 10
        if not text or (readable and 0 <= int(text) <= most):
            return int(text or usual)
        nearest = min(max(int(text), 0), most) if readable else usual
        message = f"“{text[:SHOWN]}” is no value of “{name}”: a whole number from 0 to {most} is meant."
        raise WrongAddress(message, Suggested(f"{name}={nearest}", self.address({name: nearest})))

    def _refuse_unknown(self) -> None:
        known = (*self.narrowing, *self.own)
        for name in self.asked:
            if name not in known:
                near = nearest_word(name, known)
                message = f"There is no parameter “{name[:SHOWN]}” here; there are {', '.join(known)}."
                raise WrongAddress(message, self._suggested(near, str(self.asked[name])) if near else None)
            if len(self.asked.getlist(name)) > 1:
                raise WrongAddress(f"“{name}” is given {len(self.asked.getlist(name))} times; once is enough.")

    def _refuse_wrong_values(self) -> None:
        for name, errors in self._filters.form.errors.as_data().items():
            params = errors[0].params or {}
            near = params.get("nearest", params.get("limit_value", self._nearest_choice(name)))
            message = f"“{self.given(name)[:SHOWN]}” is no value of “{name}”: {' '.join(errors[0].messages)}"
            raise WrongAddress(message, self._suggested(name, near) if near is not None else None)

    def _nearest_choice(self, name: str) -> str | None:
        field = self._filters.form.fields[name]
        if not isinstance(field, forms.ChoiceField):
            return None
        choices: Iterable[tuple[Any, Any]] = field.choices  # type: ignore[assignment]
        words = [str(word) for word, _ in choices if word]
        return nearest_word(self.given(name), words) or words[0]

    def _suggested(self, name: str, value: object) -> Suggested:
        return Suggested(f"{name}={str(value)[:SHOWN]}", self.address({name: value}))
