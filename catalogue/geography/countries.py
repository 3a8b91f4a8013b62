"""In which of today's countries a point lies: what can be said of a record that gives bare coordinates.

The outlines are those of the map (`build_world` writes both), simplified by up to 3 km: near a border the neighbour may
be named, and a point off a coast belongs to the nearest land within 30 km. Pure Python, no Django.
"""

import json
import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from itertools import chain, pairwise, product
from pathlib import Path

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
    """From a point to an edge, on a plane about the point."""
    _, x1, y1, x2, y2 = edge
    ax, ay, bx, by = (x1 - east) * shrink, y1 - north, (x2 - east) * shrink, y2 - north
    length = (bx - ax) ** 2 + (by - ay) ** 2
    share = min(max(-(ax * (bx - ax) + ay * (by - ay)) / length, 0.0), 1.0) if length else 0.0
    return KM * math.hypot(ax + share * (bx - ax), ay + share * (by - ay))
