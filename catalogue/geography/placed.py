"""What the map asks the database: records by place. Constant in the number of queries."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.db import connection
from django.db.models import Count, Q, QuerySet

from catalogue.geography.clusters import PlacedRecords
from catalogue.models import Evidence, Place

Placing = Evidence.places.through
FEW = 500  # places that are asked for one by one

# Each distinct word is looked up in the index, where DISTINCT would read all records (the same on both databases).
TYPES = """
WITH RECURSIVE known(type) AS (
    SELECT MIN(type) FROM catalogue_evidence
    UNION ALL
    SELECT (SELECT MIN(type) FROM catalogue_evidence WHERE type > known.type) FROM known WHERE known.type IS NOT NULL
)
SELECT type FROM known WHERE type IS NOT NULL LIMIT %s
"""


@dataclass(frozen=True, slots=True)
class ByPlace:
    """All records that are asked for, those of no place among them, and the places of the others.

    places: those of most records first
    """

    records: int
    without_place: int
    places: list[PlacedRecords]

    @property
    def without_coordinates(self) -> list[PlacedRecords]:
        return [place for place in self.places if not place.point]


def by_place(records: "QuerySet[Evidence]", place: str = "") -> ByPlace:
    """Three queries. place: the slug of the one the records are narrowed to; they count there and in its parts only"""
    there = records.filter(Q(places__slug=place) | Q(places__part_of__slug=place)) if place else records
    numbers: Counter[int | None] = Counter(dict(there.values_list("places").annotate(number=Count("pk"))))
    without_place = numbers.pop(None, 0)
    return ByPlace(records.count(), without_place, _named(numbers))


def all_by_place() -> ByPlace:
    """The same of all records: six queries, which count in an index instead of joining all records to their places."""
    every, withdrawn = Placing.objects.all(), Placing.objects.filter(evidence__withdrawn_on__isnull=False)
    numbers = _by_place(every) - _by_place(withdrawn)
    records = Evidence.objects.shown().order_by().count()
    return ByPlace(records, records - _of_a_place(every) + _of_a_place(withdrawn), _named(numbers))


def _by_place(placings: "QuerySet[Any]") -> Counter[int | None]:
    return Counter(dict(placings.values_list("place").annotate(number=Count("pk"))))


def _of_a_place(placings: "QuerySet[Any]") -> int:
    return int(placings.aggregate(records=Count("evidence", distinct=True))["records"])


def _named(numbers: Counter[int | None]) -> list[PlacedRecords]:
    rows = Place.objects.order_by()
    if len(numbers) < FEW:
        rows = rows.filter(pk__in=[pk for pk in numbers if pk is not None])
    places = [
        PlacedRecords(slug, name, numbers[pk], *(None if at is None else float(at) for at in (north, east)))
        for pk, slug, name, north, east in rows.values_list("pk", "slug", "name", "latitude", "longitude")
        if pk in numbers
    ]
    return sorted(places, key=lambda place: (-place.records, place.name))


def of_places(records: "QuerySet[Evidence]", slugs: Iterable[str]) -> "QuerySet[Evidence]":
    return records.filter(pk__in=Placing.objects.filter(place__slug__in=list(slugs)).values("evidence"))


def types(most: int) -> list[str]:
    """The types that records are of, in order. One query."""
    with connection.cursor() as cursor:
        cursor.execute(TYPES, [most])
        return [row[0] for row in cursor.fetchall()]
