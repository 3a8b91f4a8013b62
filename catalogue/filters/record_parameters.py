"""The records that an address of the map or of the time line asks for."""

from functools import cached_property

from django.db.models import QuerySet
from django.http import HttpRequest, QueryDict

from catalogue.filters.evidence import EvidenceFilters
from catalogue.filters.list_parameters import Asked
from catalogue.geography.dated import UNDATED
from catalogue.geography.view import View
from catalogue.models import Evidence
from catalogue.texts.errors import Suggested, WrongAddress

NARROWING = ("place", "game", "type", "source", "from", "to", "undated")
YEARS = ("from", "to", "undated")


class AskedRecords(Asked):
    """Narrowed by what the list of evidence is narrowed by."""

    def __init__(self, request: HttpRequest, own: tuple[str, ...] = ()) -> None:
        super().__init__(request, EvidenceFilters, NARROWING, own)
        self.earliest, self.latest = self.cleaned["from"], self.cleaned["to"]
        self.asked = self._plainly()
        if self.earliest is not None and self.latest is not None and self.earliest > self.latest:
            swapped = self.address({"from": self.latest, "to": self.earliest})
            message = f"No year is from {self.earliest} on and up to {self.latest}."
            raise WrongAddress(message, Suggested(f"from {self.latest} to {self.earliest}", swapped))

    def _plainly(self) -> QueryDict:
        """Years as other pages read them: `1900.0` is 1900."""
        asked = self.asked.copy()
        for name in ("from", "to"):
            if self.cleaned[name] is not None:
                asked[name] = str(self.cleaned[name])
        return asked

    @cached_property
    def records(self) -> "QuerySet[Evidence]":
        return self.among(Evidence.objects.shown().order_by())

    def undated_left_out(self) -> int:
        """Records that would be there if no years were asked for, but are of no year: one query, if years are."""
        if self.earliest is None and self.latest is None:
            return 0
        return self.among(Evidence.objects.shown().order_by(), but=YEARS).filter(UNDATED).count()

    @property
    def undated(self) -> str:
        return self.given("undated")

    def seen_as(self, view: View) -> str:
        return self.address({"z": view.z, "x": view.x, "y": view.y})
