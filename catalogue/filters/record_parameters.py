"""The records that an address of the list of evidence, of the map or of the time line asks for."""

from functools import cached_property

from django.db.models import QuerySet
from django.http import HttpRequest, QueryDict

from catalogue.filters.evidence import EvidenceFilters
from catalogue.filters.list_parameters import ListParameters
from catalogue.geography.dated import UNDATED
from catalogue.geography.view import View
from catalogue.models import Evidence
from catalogue.texts.errors import Suggested, WrongAddress

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
