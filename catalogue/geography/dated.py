"""What the time line asks the database. Constant in the number of queries, and of rows that are fetched."""

from typing import Any

from django.db.models import Count, FloatField, Max, Min, Q, QuerySet, Sum, Value
from django.db.models.functions import Cast, Greatest, Least

from catalogue.geography.spans import EARLIEST_YEAR, LATEST_YEAR, Bins, KnownYears, Spans
from catalogue.geography.time_line import DatedRecord
from catalogue.models import Evidence

UNDATED = Q(year_earliest__isnull=True, year_latest__isnull=True)
OPEN_ENDED = Q(year_earliest__isnull=True, year_latest__isnull=False) | Q(
    year_earliest__isnull=False, year_latest__isnull=True
)
# An earliest year may be the last that is named at all, if its latest year is open.
ENDS = {
    f"{name}_{column}": end(column)
    for name, end in (("first", Min), ("last", Max))
    for column in ("year_earliest", "year_latest")
}


def known_of(records: "QuerySet[Evidence]") -> KnownYears:
    """One query."""
    found: dict[str, Any] = records.aggregate(
        all=Count("pk"),
        undated=Count("pk", filter=UNDATED),
        open_ended=Count("pk", filter=OPEN_ENDED),
        **ENDS,
    )
    numbers = found.pop("all"), found.pop("undated"), found.pop("open_ended")
    return KnownYears(*numbers, _outermost(found))


def years_of_all() -> tuple[int, int] | None:
    """The first and the last year of any record that an address can name. One query, answered from the indexes."""
    years = _outermost(Evidence.objects.shown().order_by().aggregate(**ENDS))
    return (max(years[0], EARLIEST_YEAR), min(years[1], LATEST_YEAR)) if years else None


def _outermost(ends: dict[str, int | None]) -> tuple[int, int] | None:
    years = [year for year in ends.values() if year is not None]
    return (min(years), max(years)) if years else None


def spans_of(records: "QuerySet[Evidence]", bins: Bins) -> list[Spans]:
    """Of the records both of whose years are known, those that may be of the years of these bins. One query."""
    begin, end = Greatest("year_earliest", Value(bins.first)), Least("year_latest", Value(bins.last))
    length = Cast("year_latest", FloatField()) - Cast("year_earliest", FloatField()) + Value(1.0)
    rows = (
        records.filter(year_earliest__lte=bins.last, year_latest__gte=bins.first)
        .annotate(low=(begin - bins.base) / bins.width, high=(end - bins.base) / bins.width)
        .values("low", "high")
        .annotate(
            records=Count("pk"),
            inside=Count("pk", filter=Q(year_earliest__gte=bins.first, year_latest__lte=bins.last)),
            shares=Sum(Value(1.0) / length),
            from_begins=Sum(Cast(begin, FloatField()) / length),
            to_ends=Sum(Cast(end, FloatField()) / length),
        )
    )
    return [Spans(**row) for row in rows]


def dated_record(record: Evidence) -> DatedRecord:
    """A record as the time line draws it: with its own notation, where that says more than the years do."""
    says_more = set(record.date_edtf) & set("?~%X")
    words = f"{record.game.name}, {record.date_edtf if says_more else record.years_in_words}"
    address = record.get_absolute_url()
    return DatedRecord(record.identifier, address, words, record.year_earliest, record.year_latest)
