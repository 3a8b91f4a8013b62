"""Places that lie close together are one mark of the map: however many records there are, the marks stay few.

Marks are made anew for each view, on a grid whose cells are a share of it. Pure Python, no Django.
"""

import math
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from catalogue.geography.equal_earth import Point, projected
from catalogue.geography.view import MOST_ZOOM, View, view_of

LETTERS = 0.28  # of a cell: the height of the number in a mark
CELLS = 16  # from the left to the right of a view; there are half as many from top to bottom
FEWER_CELLS = 10  # where the map is drawn small
NEAR = 0.8  # of a cell: marks closer than this would cover each other
SMALLEST, LARGEST = 0.34, 0.46  # of a cell: the radius of a mark of one record, and of the mark of most records


@dataclass(frozen=True, slots=True)
class PlacedRecords:
    """A place that some of the records asked for are from, and how many; a place may have no coordinates."""

    slug: str
    name: str
    records: int
    latitude: float | None = None
    longitude: float | None = None
    point: Point | None = field(init=False)

    def __post_init__(self) -> None:
        known = self.latitude is not None and self.longitude is not None
        object.__setattr__(self, "point", projected(self.latitude, self.longitude) if known else None)


@dataclass(frozen=True, slots=True)
class Mark:
    """A circle of the map: one place, or some that lie close together.

    point: the middle of its places, each counted as often as it has records
    places: those of most records first
    """

    point: Point
    records: int
    places: tuple[PlacedRecords, ...]
    radius: float = 0

    @property
    def is_cluster(self) -> bool:
        return len(self.places) > 1

    @property
    def disc(self) -> float:
        """Its radius without the ring that tells a cluster."""
        return self.radius * (0.87 if self.is_cluster else 1)

    @property
    def label(self) -> str:
        """At most four characters: there is no room for more."""
        if self.records < 1_000:
            return str(self.records)
        thousands = self.records / 1_000
        return f"{thousands:.1f}k" if thousands < 9.95 else f"{thousands:.0f}k"

    @property
    def words(self) -> str:
        records = f"{self.records:,} record{'' if self.records == 1 else 's'}"
        if not self.is_cluster:
            return f"{self.places[0].name}: {records}"
        shown = self.places[:2]
        names = ", ".join(place.name for place in shown)
        others = len(self.places) - len(shown)
        return f"{names}{f' and {others:,} more places' if others > 1 else ' and one more place' * others}: {records}"

    def narrower(self, view: View) -> View:
        """A view in which its places may stand apart."""
        nearest = view_of([place.point for place in self.places if place.point])
        return View(min(max(nearest.z, view.z + 1), MOST_ZOOM), nearest.x, nearest.y)


def letters(view: View, cells: int = CELLS) -> float:
    """The size of the numbers in the marks, in units of the map."""
    return LETTERS * view.width / cells


def seen_in(view: View, places: Iterable[PlacedRecords]) -> list[PlacedRecords]:
    """Those with coordinates that the view shows, in the order they are given."""
    right, bottom = view.left + view.width, view.top + view.height
    left, top = view.left, view.top
    return [one for one in places if one.point and left <= one.point.x <= right and top <= one.point.y <= bottom]


def clustered(places: Iterable[PlacedRecords], view: View, cells: int = CELLS) -> list[Mark]:
    """The marks of places that a view shows, those of most records first."""
    size = view.width / cells
    held: defaultdict[tuple[int, int], list[PlacedRecords]] = defaultdict(list)
    for place in places:
        if place.point:
            held[int(place.point.x // size), int(place.point.y // size)].append(place)
    joined = _joined(sorted((_mark(of_one) for of_one in held.values()), key=_rank), size)
    most = max((mark.records for mark in joined), default=1)
    return [
        replace(mark, radius=size * (SMALLEST + (LARGEST - SMALLEST) * math.sqrt(mark.records / most)))
        for mark in joined
    ]


def _rank(mark: Mark) -> tuple[int, str]:
    return -mark.records, mark.places[0].slug


def _mark(places: Iterable[PlacedRecords]) -> Mark:
    held = sorted(places, key=lambda place: (-place.records, place.slug))
    records = sum(place.records for place in held)
    weighted = [(place.point, place.records / records) for place in held if place.point]
    middle = Point(sum(at.x * share for at, share in weighted), sum(at.y * share for at, share in weighted))
    return Mark(middle, records, tuple(held))


def _joined(marks: list[Mark], size: float) -> list[Mark]:
    """Joins marks that a line of the grid parts although they lie close; a smaller one goes into a larger one."""
    kept: list[Mark] = []
    for mark in marks:
        near = next((i for i, other in enumerate(kept) if math.dist(mark.point, other.point) < NEAR * size), None)
        if near is None:
            kept.append(mark)
        else:
            kept[near] = _mark((*kept[near].places, *mark.places))
    return sorted(kept, key=_rank)
