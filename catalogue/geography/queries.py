"""Records by place and by year, as maps and time lines count them; and in which of today's countries a point lies.

The outlines are those of the map (`build_world` writes both), simplified by up to 3 km: near a border the neighbour may
be named, and a point off a coast belongs to the nearest land within 30 km.
"""

import json
import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from functools import cache
from itertools import chain, pairwise, product
from pathlib import Path
from typing import Any

from django.db import connection
from django.db.models import Case, Count, FloatField, Max, Min, Q, QuerySet, Sum, Value, When
from django.db.models.functions import Cast, Greatest, Least
from django.db.models.lookups import LessThanOrEqual

from catalogue.geography.map import PlacedRecords
from catalogue.geography.time_line import EARLIEST_YEAR, LATEST_YEAR, Bins, DatedRecord, KnownYears, Spans
from catalogue.models import Evidence, Place

FILE = Path(__file__).with_name("countries.json")
PARTS = 100  # of a degree, in which the outlines are kept: a kilometre
NEAR = 30.0  # kilometres
KM = 111.2  # a degree of latitude

Ring = list[tuple[int, int]]  # east and north, in parts of a degree; closed by its first point
Edge = tuple[str, float, float, float, float]  # country, and the two ends in degrees, east and north


def written(source: str, rings: Mapping[str, Iterable[Ring]]) -> str:
    """The file: of each country its rings, each as one absolute point and steps, in hundredths of a degree."""
    countries = {name: [_steps(ring) for ring in some] for name, some in sorted(rings.items())}
    lines = ",\n".join(f"{_json(name)}:{_json(some)}" for name, some in countries.items())
    return f'{{"source":{_json(source)},\n"countries":{{\n{lines}\n}}}}\n'


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _steps(ring: Ring) -> list[int]:
    return [*ring[0], *(number for a, b in pairwise(ring) if a != b for number in (b[0] - a[0], b[1] - a[1]))]


@cache
def _edges() -> tuple[Edge, ...]:
    found = []
    for name, rings in json.loads(FILE.read_text(encoding="utf-8"))["countries"].items():
        for ring in rings:
            points = list(_points(ring))
            found += [(name, *one, *next_one) for one, next_one in pairwise([*points, points[0]])]
    return tuple(found)


@cache
def _bands() -> dict[int, list[Edge]]:
    """Degree of latitude → the edges that touch it."""
    bands: defaultdict[int, list[Edge]] = defaultdict(list)
    for edge in _edges():
        for band in _whole(edge[2], edge[4]):
            bands[band].append(edge)
    return dict(bands)


@cache
def _cells() -> dict[tuple[int, int], list[Edge]]:
    """Degree of latitude and of longitude → the edges that may touch both."""
    cells: defaultdict[tuple[int, int], list[Edge]] = defaultdict(list)
    for edge in _edges():
        for cell in product(_whole(edge[2], edge[4]), _whole(edge[1], edge[3])):
            cells[cell].append(edge)
    return dict(cells)


def _whole(one: float, other: float) -> range:
    return range(math.floor(min(one, other)), math.floor(max(one, other)) + 1)


def _points(steps: list[int]) -> Iterator[tuple[float, float]]:
    east = north = 0
    for place in range(0, len(steps), 2):
        east, north = east + steps[place], north + steps[place + 1]
        yield east / PARTS, north / PARTS


@cache
def names() -> frozenset[str]:
    """The names of all countries that have outlines."""
    return frozenset(json.loads(FILE.read_text(encoding="utf-8"))["countries"])


def country_of(latitude: float, longitude: float) -> str | None:
    """Degrees north and east. None on the high seas."""
    return _around(latitude, longitude) or _nearest(latitude, longitude)


def _around(north: float, east: float) -> str | None:
    """The country whose rings a line from the point to the east crosses an odd number of times."""
    crossed: Counter[str] = Counter()
    for name, x1, y1, x2, y2 in _bands().get(math.floor(north), ()):
        if (y1 > north) != (y2 > north) and east < x1 + (north - y1) / (y2 - y1) * (x2 - x1):
            crossed[name] += 1
    return next((name for name in sorted(crossed) if crossed[name] % 2), None)


def _nearest(north: float, east: float) -> str | None:
    shrink = max(math.cos(math.radians(north)), 0.01)
    up, aside = NEAR / KM, NEAR / KM / shrink
    cells = product(_whole(north - up, north + up), _whole(east - aside, east + aside))
    near = chain.from_iterable(_cells().get(cell, ()) for cell in cells)
    distance, name = min(((_kilometres(north, east, edge, shrink), edge[0]) for edge in near), default=(math.inf, ""))
    return name if distance <= NEAR else None


def _kilometres(north: float, east: float, edge: Edge, shrink: float) -> float:
    """Measure the distance from a point to an edge, on a plane about the point."""
    _, x1, y1, x2, y2 = edge
    ax, ay, bx, by = (x1 - east) * shrink, y1 - north, (x2 - east) * shrink, y2 - north
    length = (bx - ax) ** 2 + (by - ay) ** 2
    share = min(max(-(ax * (bx - ax) + ay * (by - ay)) / length, 0.0), 1.0) if length else 0.0
    return KM * math.hypot(ax + share * (bx - ax), ay + share * (by - ay))


Placing = Evidence.places.through
WIDE = (Place.Kind.COUNTRY, Place.Kind.REGION, Place.Kind.PEOPLE)  # kinds of places of which a point is the middle only
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
    """Records with their places, those without a place included.

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
    return ByPlace(records, records - _number_placed(every) + _number_placed(withdrawn), _named(numbers))


def _by_place(placings: "QuerySet[Any]") -> Counter[int | None]:
    return Counter(dict(placings.values_list("place").annotate(number=Count("pk"))))


def _number_placed(placings: "QuerySet[Any]") -> int:
    return int(placings.aggregate(records=Count("evidence", distinct=True))["records"])


def _named(numbers: Counter[int | None]) -> list[PlacedRecords]:
    rows = Place.objects.order_by()
    if len(numbers) < FEW:
        rows = rows.filter(pk__in=[pk for pk in numbers if pk is not None])
    known = rows.values_list("pk", "slug", "name", "latitude", "longitude", "kind")
    places = [
        PlacedRecords(slug, name, numbers[pk], _degrees(north), _degrees(east), kind in WIDE)
        for pk, slug, name, north, east, kind in known
        if pk in numbers
    ]
    return sorted(places, key=lambda place: (-place.records, place.name))


def _degrees(at: Decimal | None) -> float | None:
    return None if at is None else float(at)


def of_places(records: "QuerySet[Evidence]", slugs: Iterable[str]) -> "QuerySet[Evidence]":
    return records.filter(pk__in=Placing.objects.filter(place__slug__in=list(slugs)).values("evidence"))


def types(most: int) -> list[str]:
    """The types that records are of, in order. One query."""
    with connection.cursor() as cursor:
        cursor.execute(TYPES, [most])
        return [row[0] for row in cursor.fetchall()]


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


def _number(year: Any, bins: Bins) -> Any:
    """The number of the bin that a year falls into."""
    before = Case(When(LessThanOrEqual(year, 0), then=Value(bins.shift)), default=Value(0))
    return (year - before - Value(bins.base)) / Value(bins.width)


def spans_of(records: "QuerySet[Evidence]", bins: Bins) -> list[Spans]:
    """Records with both years known that may be of the years of these bins. One query."""
    begin, end = Greatest("year_earliest", Value(bins.first)), Least("year_latest", Value(bins.last))
    length = Cast("year_latest", FloatField()) - Cast("year_earliest", FloatField()) + Value(1.0)
    rows = (
        records.filter(year_earliest__lte=bins.last, year_latest__gte=bins.first)
        .annotate(low=_number(begin, bins), high=_number(end, bins))
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
