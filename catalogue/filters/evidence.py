"""What records are narrowed by."""

from typing import Any

from django.db.models import Q, QuerySet

from catalogue.filters.common import RecordedSince
from catalogue.filters.fields import KnownValueFilter, YearFilter, YesOrNo
from catalogue.models import Evidence, Game, Place, Source, UncertaintyFactor
from catalogue.models.querysets import of_place


class EvidenceFilters(RecordedSince):
    """The same names for readers and for programmes."""

    place = KnownValueFilter(
        model=Place,
        column="slug",
        method="from_place",
        label="slug of a place; its parts are meant as well",
    )
    game = KnownValueFilter(field_name="game__slug", model=Game, column="slug", label="slug of a game")
    type = KnownValueFilter(model=Evidence, column="type", label="the portal's word, for example Ethnography")
    source = KnownValueFilter(field_name="sources__key", model=Source, column="key", label="key of a source")
    uncertainty = KnownValueFilter(
        field_name="uncertainty_factors__slug", model=UncertaintyFactor, column="slug", label="slug of a factor"
    )
    from_ = YearFilter(field_name="year_latest", lookup_expr="gte", label="may be of this year or later")
    to = YearFilter(field_name="year_earliest", lookup_expr="lte", label="may be of this year or before")
    undated = YesOrNo(method="of_no_year", label="yes: only records without a date; no: only those with one")

    def from_place(self, rows: "QuerySet[Evidence]", name: str, value: str) -> "QuerySet[Evidence]":
        return rows.filter(of_place(value))

    def of_no_year(self, rows: "QuerySet[Evidence]", name: str, value: Any) -> "QuerySet[Evidence]":
        undated = Q(year_earliest__isnull=True, year_latest__isnull=True)
        return rows.filter(undated if value == "yes" else ~undated)
