"""The map: its projection, the part of it that is shown, and places that lie close together as one mark.

The projection is Equal Earth, in which areas keep their proportions and parallels are straight lines. An address
names a zoom and a middle. However many records there are, the marks stay few. Pure Python, no Django.
"""

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import NamedTuple

A1, A2, A3, A4 = 1.340264, -0.081106, 0.000893, 0.003796
HALF_ROOT_3 = math.sqrt(3) / 2
WIDTH = 20_000  # units of the map from its left to its right edge, along the equator
RADIUS = WIDTH / 2 * 3 * A1 / (4 * HALF_ROOT_3 * math.pi)  # units in a radius of the globe


class Point(NamedTuple):
    """A point of the map in its units: x to the right from the left edge, y downwards from the north pole."""

    x: float
    y: float


def _northing(theta: float) -> float:
    """y of the paper's equation (1), for a globe of radius 1."""
    square = theta * theta
    return theta * (A1 + A2 * square + square**3 * (A3 + A4 * square))


HALF_HEIGHT = RADIUS * _northing(math.pi / 3)
HEIGHT = 2 * HALF_HEIGHT


@lru_cache(maxsize=50_000)  # a record's place stands where it stands
def projected(latitude: float, longitude: float) -> Point:
    """Project a point of the globe to the map.

    latitude, longitude: degrees north, and east of Greenwich

    >>> projected(0, 0)
    Point(x=10000.0, y=4867.1697538740...)
    """
    theta = math.asin(HALF_ROOT_3 * math.sin(math.radians(latitude)))
    square = theta * theta
    slope = A1 + 3 * A2 * square + square**3 * (7 * A3 + 9 * A4 * square)
    easting = math.radians(longitude) * math.cos(theta) / (HALF_ROOT_3 * slope)
    return Point(WIDTH / 2 + RADIUS * easting, HALF_HEIGHT - RADIUS * _northing(theta))


MOST_ZOOM = 6  # 540 km from left to right on the equator; the outlines hold no more detail
STEP = 1 / 2  # how much of the view it moves by
ROOM = 0.8  # the share of a view that what it was chosen for may fill


@dataclass(frozen=True, slots=True)
class View:
    """A rectangle of the map, in its units; each zoom shows half the width of the one before.

    x, y: its middle, of which the view may lie off where it would leave the map
    """

    z: int = 0
    x: int = WIDTH // 2
    y: int = round(HEIGHT / 2)

    @property
    def width(self) -> float:
        return WIDTH / float(2**self.z)

    @property
    def height(self) -> float:
        return HEIGHT / float(2**self.z)

    @property
    def left(self) -> float:
        return min(max(self.x - self.width / 2, 0), WIDTH - self.width)

    @property
    def top(self) -> float:
        return min(max(self.y - self.height / 2, 0), HEIGHT - self.height)

    @property
    def box(self) -> str:
        """The part of the map that is shown, as an SVG writes a view box."""
        return f"{self.left:.0f} {self.top:.0f} {self.width:.0f} {self.height:.0f}"

    @property
    def world(self) -> str:
        """The size of the whole map and the nearest zoom, for the script that moves it."""
        return f"{WIDTH} {HEIGHT:.0f} {MOST_ZOOM}"

    @property
    def nearer(self) -> "View | None":
        return replace(self, z=self.z + 1) if self.z < MOST_ZOOM else None

    @property
    def further(self) -> "View | None":
        return replace(self, z=self.z - 1) if self.z else None

    def moves(self) -> Iterator[tuple[str, str, "View"]]:
        """Return the arrows with their words and views, without those that would show the same view again."""
        for arrow, words, across, down in (
            ("←", "west", -1, 0),
            ("↑", "north", 0, -1),
            ("↓", "south", 0, 1),
            ("→", "east", 1, 0),
        ):
            middle_x = self.left + self.width / 2 + across * STEP * self.width
            middle_y = self.top + self.height / 2 + down * STEP * self.height
            moved = View(self.z, round(min(max(middle_x, 0), WIDTH)), round(min(max(middle_y, 0), HEIGHT)))
            if moved.box != self.box:
                yield arrow, words, moved


def view_of(points: list[Point]) -> View:
    """The nearest view that shows all of some points, with room around them."""
    left, right = min(point.x for point in points), max(point.x for point in points)
    top, bottom = min(point.y for point in points), max(point.y for point in points)
    middle = round((left + right) / 2), round((top + bottom) / 2)
    for z in range(MOST_ZOOM, 0, -1):
        if right - left <= ROOM * WIDTH / 2**z and bottom - top <= ROOM * HEIGHT / 2**z:
            return View(z, *middle)
    return View()


OPENS_AT = 4  # the nearest zoom that a map opens with: an island, and the land that it is known by
MOST_OF = 0.9  # the share of the records that it opens on, where not all lie close together
TRIED = 12  # places of most records that it is opened round, to see how many records lie in sight


def opening_view(places: Iterable["PlacedRecords"]) -> View:
    """The view that a map opens with: the nearest that shows most records with room around them, else the whole map."""
    placed = [(place.point, place.records) for place in places if place.point]
    if not placed:
        return View()
    wanted = MOST_OF * sum(records for _, records in placed)
    for z in range(OPENS_AT, 0, -1):
        for middle, _ in sorted(placed, key=lambda one: -one[1])[:TRIED]:
            across, down = WIDTH / 2**z / 2, HEIGHT / 2**z / 2
            near = [
                (point, records)
                for point, records in placed
                if abs(point.x - middle.x) < across and abs(point.y - middle.y) < down
            ]
            if sum(records for _, records in near) >= wanted:
                around = view_of([point for point, _ in near])
                return around if around.z <= z else replace(around, z=z)
    return View()


LETTERS = 0.28  # of a cell: the height of the number in a mark
CELLS = 16  # from the left to the right of a view; there are half as many from top to bottom
FEWER_CELLS = 10  # where the map is drawn small
NEAR = 0.8  # of a cell: marks closer than this would cover each other
SMALLEST, LARGEST = 0.34, 0.46  # of a cell: the radius of a mark of one record, and of the mark of most records


@dataclass(frozen=True, slots=True)
class PlacedRecords:
    """A place with the number of records from it; it may have no coordinates.

    is_wide: whether it is a country, a region or a people, of which the coordinates are only the middle
    """

    slug: str
    name: str
    records: int
    latitude: float | None = None
    longitude: float | None = None
    is_wide: bool = False
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
    def is_wide(self) -> bool:
        """Whether it stands for one place of which nobody knows more than its middle: it is drawn beside it."""
        return not self.is_cluster and self.places[0].is_wide

    @property
    def disc(self) -> float:
        """Return its radius without the ring that marks a cluster."""
        return self.radius * (0.87 if self.is_cluster else 1)

    @property
    def label(self) -> str:
        """Return its number in at most four characters, since there is no room for more."""
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
        """Return a view in which its places may be apart."""
        nearest = view_of([place.point for place in self.places if place.point])
        return View(min(max(nearest.z, view.z + 1), MOST_ZOOM), nearest.x, nearest.y)


def letters(view: View, cells: int = CELLS) -> float:
    """The size of the numbers in the marks, in units of the map."""
    return LETTERS * view.width / cells


def seen_in(view: View, places: Iterable[PlacedRecords]) -> list[PlacedRecords]:
    """The places with coordinates that the view shows, in the order given."""
    right, bottom = view.left + view.width, view.top + view.height
    left, top = view.left, view.top
    return [
        place for place in places if place.point and left <= place.point.x <= right and top <= place.point.y <= bottom
    ]


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


BESIDE = 100.0  # units from the middle of a country to its mark: beside an island, not on it


@dataclass(frozen=True, slots=True)
class DrawnMark:
    """A mark as the drawing writes it. Lengths are words already: the template would take its time to make them.

    x, y: of its middle; from_x: of the point that a mark stands beside, empty where it stands on it; name: of one place
    """

    words: str
    label: str
    is_cluster: bool
    x: str
    y: str
    radius: str
    disc: str
    address: str
    name: str = ""
    from_x: str = ""
    dot: str = ""


def drawn_mark(mark: Mark, address: str) -> DrawnMark:
    beside = max(BESIDE, 1.3 * mark.radius) if mark.is_wide else 0.0
    x, y, radius, disc, from_x, dot = (
        f"{length:.1f}"
        for length in (mark.point.x + beside, mark.point.y, mark.radius, mark.disc, mark.point.x, mark.radius / 8)
    )
    name = "" if mark.is_cluster else mark.places[0].name
    return DrawnMark(
        mark.words, mark.label, mark.is_cluster, x, y, radius, disc, address, name, from_x if beside else "", dot
    )
