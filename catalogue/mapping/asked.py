"""The records that an address of the map or of the time line asks for.

They are narrowed by what the list of evidence is narrowed by, and by the same declared filters as in the API: the same
words after the question mark mean the same records everywhere.
"""

from collections.abc import Collection, Iterable, Mapping
from functools import cached_property
from typing import Any
from urllib.parse import urlencode

import rest_framework.views  # noqa: F401 (loads the API's parsers, which must come before its filters)
from django.db.models import QuerySet
from django.http import HttpRequest, QueryDict

from catalogue.api.evidence import EvidenceFilters
from catalogue.mapping.dated import UNDATED
from catalogue.mapping.view import View
from catalogue.models import Evidence
from catalogue.views.refusals import Suggested, WrongAddress, nearest_word

NARROWING = ("place", "game", "type", "source", "from", "to", "undated")
YEARS = ("from", "to", "undated")
SHOWN = 60  # characters of a wrong value that are repeated


class AskedRecords:
    """What an address asks for; WrongAddress, with the nearest address, if it makes no sense.

    own: parameters of the page itself, which it reads with `number`
    """

    def __init__(self, request: HttpRequest, own: tuple[str, ...] = ()) -> None:
        self.path, self.own = request.path, own
        self.asked: QueryDict = request.GET
        self._refuse_unknown()
        self._filters = EvidenceFilters(self._kept(NARROWING), queryset=Evidence.objects.none())
        self._refuse_wrong_values()
        cleaned = self._filters.form.cleaned_data
        self.earliest, self.latest = cleaned["from"], cleaned["to"]
        self.asked = self._plainly(cleaned)
        if self.earliest is not None and self.latest is not None and self.earliest > self.latest:
            swapped = self.address({"from": self.latest, "to": self.earliest})
            message = f"No year is from {self.earliest} on and up to {self.latest}."
            raise WrongAddress(message, Suggested(f"from {self.latest} to {self.earliest}", swapped))

    def _plainly(self, cleaned: dict[str, Any]) -> QueryDict:
        """Years as other pages read them: `1900.0` is 1900."""
        asked = self.asked.copy()
        for name in ("from", "to"):
            if cleaned[name] is not None:
                asked[name] = str(cleaned[name])
        return asked

    def given(self, name: str) -> str:
        return str(self.asked.get(name, ""))

    @cached_property
    def records(self) -> "QuerySet[Evidence]":
        return self.among(Evidence.objects.shown().order_by())

    def among(self, rows: "QuerySet[Evidence]", but: tuple[str, ...] = ()) -> "QuerySet[Evidence]":
        """Those of some rows that are asked for; as if some parameters had not been given."""
        for name, value in self._filters.form.cleaned_data.items():
            if name not in but:
                rows = self._filters.filters[name].filter(rows, value)
        return rows

    def undated_left_out(self) -> int:
        """Records that would be there if no years were asked for, but are of no year: one query, if years are."""
        if self.earliest is None and self.latest is None:
            return 0
        return self.among(Evidence.objects.shown().order_by(), but=YEARS).filter(UNDATED).count()

    @property
    def undated(self) -> str:
        return self.given("undated")

    @property
    def narrowed(self) -> bool:
        return bool(self._kept(NARROWING))

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
        return self._kept(NARROWING)

    @cached_property
    def _own(self) -> dict[str, str]:
        return self._kept(name for name in self.own if name != "page")

    def seen_as(self, view: View) -> str:
        return self.address({"z": view.z, "x": view.x, "y": view.y})

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
        known = (*NARROWING, *self.own)
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
            near = params.get("nearest", params.get("limit_value", "yes" if name == "undated" else None))
            message = f"“{self.given(name)[:SHOWN]}” is no value of “{name}”: {' '.join(errors[0].messages)}"
            raise WrongAddress(message, self._suggested(name, near) if near is not None else None)

    def _suggested(self, name: str, value: object) -> Suggested:
        return Suggested(f"{name}={str(value)[:SHOWN]}", self.address({name: value}))
