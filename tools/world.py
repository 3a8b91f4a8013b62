"""The outlines of the lands as one SVG file, made once of Natural Earth's data and kept among the static files.

Lines are simplified before they are joined into rings: a border that two countries share stays one line. All points
are in the units of the map (`catalogue.geography.map`), rounded to whole ones. Pure Python, no Django.
"""

import math
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import Any

from catalogue.geography.map import HEIGHT, WIDTH, Point, projected
from catalogue.geography.queries import PARTS

TOLERANCE = 1.5  # units of the map, of 1.7 km each at the equator: no line is further than this from the original
SMALLEST = 2.0  # square units, of 3 km² each: what is smaller is no more than a speck when the map is at its largest
POLAR = -89.9  # degrees: the source closes Antarctica with a line along the pole, which here is an edge of the map
STEP = 2.0  # degrees between two points of a line along the map's curved edge
# Where the source abbreviates a name.
IN_FULL = {
    "Antigua and Barb.": "Antigua and Barbuda",
    "Ashmore and Cartier Is.": "Ashmore and Cartier Islands",
    "Bosnia and Herz.": "Bosnia and Herzegovina",
    "Br. Indian Ocean Ter.": "British Indian Ocean Territory",
    "British Virgin Is.": "British Virgin Islands",
    "Cayman Is.": "Cayman Islands",
    "Central African Rep.": "Central African Republic",
    "Congo": "Republic of the Congo",
    "Cook Is.": "Cook Islands",
    "Dem. Rep. Congo": "Democratic Republic of the Congo",
    "Dominican Rep.": "Dominican Republic",
    "Eq. Guinea": "Equatorial Guinea",
    "Faeroe Is.": "Faroe Islands",
    "Falkland Is.": "Falkland Islands",
    "Fr. Polynesia": "French Polynesia",
    "Fr. S. Antarctic Lands": "French Southern and Antarctic Lands",
    "Heard I. and McDonald Is.": "Heard Island and McDonald Islands",
    "Indian Ocean Ter.": "Indian Ocean Territories",
    "Marshall Is.": "Marshall Islands",
    "N. Cyprus": "Northern Cyprus",
    "N. Mariana Is.": "Northern Mariana Islands",
    "Pitcairn Is.": "Pitcairn Islands",
    "S. Geo. and the Is.": "South Georgia and the South Sandwich Islands",
    "S. Sudan": "South Sudan",
    "Solomon Is.": "Solomon Islands",
    "St. Kitts and Nevis": "Saint Kitts and Nevis",
    "St. Pierre and Miquelon": "Saint Pierre and Miquelon",
    "St. Vin. and Gren.": "Saint Vincent and the Grenadines",
    "Turks and Caicos Is.": "Turks and Caicos Islands",
    "U.S. Virgin Is.": "United States Virgin Islands",
    "W. Sahara": "Western Sahara",
    "Wallis and Futuna Is.": "Wallis and Futuna",
}

Place = tuple[float, float]  # degrees east and north, as the source has them
Line = list[Place]


def lines_of(topology: dict[str, Any]) -> list[Line]:
    """Return the lines of a TopoJSON topology in degrees, each without a jump at the date line, and simplified."""
    scale, shift = topology["transform"]["scale"], topology["transform"]["translate"]
    lines = []
    for arc in topology["arcs"]:
        x = y = 0
        line: Line = []
        for step in arc:
            x, y = x + step[0], y + step[1]
            line.append((x * scale[0] + shift[0], y * scale[1] + shift[1]))
        lines.append(_simplified(_without_jumps(line)))
    return lines


def _without_jumps(line: Line) -> Line:
    """Return the line with longitudes that go on beyond 180 degrees instead of jumping to the other side."""
    out = line[:1]
    for east, north in line[1:]:
        out.append((east - 360 * round((east - out[-1][0]) / 360), north))
    return out


def _simplified(line: Line) -> Line:
    """Douglas and Peucker 1973: the fewest of its points from which no other is further away than the tolerance."""
    points = [projected(north, east) for east, north in line]
    kept, open_spans = {0, len(line) - 1}, [(0, len(line) - 1)]
    while open_spans:
        first, last = open_spans.pop()
        between = range(first + 1, last)
        furthest = max(between, key=lambda i: _distance(points[i], points[first], points[last]), default=None)
        if furthest is not None and _distance(points[furthest], points[first], points[last]) > TOLERANCE:
            kept.add(furthest)
            open_spans += [(first, furthest), (furthest, last)]
    return [line[i] for i in sorted(kept)]


def _distance(point: Point, start: Point, end: Point) -> float:
    """Return the distance from a point to the stretch between two others."""
    along_x, along_y = end.x - start.x, end.y - start.y
    length = along_x**2 + along_y**2
    share = ((point.x - start.x) * along_x + (point.y - start.y) * along_y) / length if length else 0.0
    share = min(max(share, 0.0), 1.0)
    return math.hypot(point.x - start.x - share * along_x, point.y - start.y - share * along_y)


def land(topology: dict[str, Any], lines: list[Line]) -> str:
    """Return the path of all land: what it encloses is to be filled by the even-odd rule."""
    rings = (ring for polygon in _polygons(topology["objects"]["land"]) for ring in polygon)
    return "".join(_closed(piece) for ring in rings for piece in pieces_of(_joined(ring, lines)))


def borders(topology: dict[str, Any], lines: list[Line]) -> str:
    """Return the path of the lines that two countries share; a coast belongs to one country only."""
    countries = topology["objects"]["countries"]["geometries"]
    touched = Counter(
        line for country in countries for line in {i if i >= 0 else ~i for i in _flat(country.get("arcs", []))}
    )
    shared = sorted(line for line, count in touched.items() if count > 1)
    return "".join(_written(lines[line]) for line in shared)


def rings_of_countries(topology: dict[str, Any], lines: list[Line]) -> dict[str, list[list[tuple[int, int]]]]:
    """Name → the rings of a country, as `catalogue.geography.queries` keeps them."""
    found: dict[str, list[list[tuple[int, int]]]] = {}
    for country in topology["objects"]["countries"]["geometries"]:
        if not country.get("arcs"):
            continue
        rings = (ring for polygon in _polygons(country) for ring in polygon)
        pieces = (piece for ring in rings for piece in pieces_of(_joined(ring, lines)))
        name = country["properties"]["name"]
        rounded = ([(round(east * PARTS), round(north * PARTS)) for east, north in piece] for piece in pieces)
        found.setdefault(IN_FULL.get(name, name), []).extend(ring for ring in rounded if len(set(ring)) > 2)
    return found


def globe() -> str:
    """Return the path of the map's edge."""
    down = [90 - STEP * i for i in range(int(180 / STEP) + 1)]
    edge = [*((180.0, north) for north in down), *((-180.0, north) for north in reversed(down))]
    return _written(edge) + "z"


def _polygons(geometry: dict[str, Any]) -> Iterator[Any]:
    for one in geometry.get("geometries", [geometry]):
        yield from one["arcs"] if one["type"] == "MultiPolygon" else [one["arcs"]]


def _flat(nested: Any) -> Iterator[int]:
    for one in nested:
        if isinstance(one, list):
            yield from _flat(one)
        else:
            yield one


def _joined(ring: Iterable[int], lines: list[Line]) -> Line:
    out: Line = []
    for number in ring:
        line = lines[number] if number >= 0 else lines[~number][::-1]
        out += line[1:] if out else line
    return _without_jumps(out)


def pieces_of(ring: Line) -> Iterator[Line]:
    """Yield the ring within the map: what crosses the date line is cut there, and lies on both sides."""
    if max(north for _, north in ring) < POLAR:
        return
    if abs(ring[-1][0] - ring[0][0]) > 180:
        ring = _around_the_pole(ring)
    for turn in (-360.0, 0.0, 360.0):
        piece = _cut(_cut([(east + turn, north) for east, north in ring], 180, 1), -180, -1)
        if len(piece) > 2:
            yield piece


def _around_the_pole(ring: Line) -> Line:
    """Return a ring about the south pole, laid open at the date line and closed along the map's lower edge."""
    ring = [((east + 180) % 360 - 180, north) for east, north in ring[:-1]]
    first = min(range(len(ring)), key=lambda i: ring[i][0])
    ring = ring[first:] + ring[:first]
    if ring[1][0] > 0:  # it runs westwards
        ring = [ring[0], *reversed(ring[1:])]
    return [(-180.0, ring[0][1]), *ring, (180.0, ring[0][1]), (180.0, -90.0), (-180.0, -90.0)]


def _cut(ring: Line, limit: float, side: int) -> Line:
    """Return what lies on one side of a meridian (Sutherland and Hodgman 1974)."""
    out: Line = []
    for (east, north), (next_east, next_north) in zip(ring, ring[1:] + ring[:1], strict=True):
        inside, next_inside = side * east <= side * limit, side * next_east <= side * limit
        if inside:
            out.append((east, north))
        if inside != next_inside:
            share = (limit - east) / (next_east - east)
            out.append((limit, north + share * (next_north - north)))
    return out


def _closed(ring: Line) -> str:
    edge = [point for pair in zip(ring, ring[1:] + ring[:1], strict=True) for point in _along_the_edge(*pair)]
    points = [projected(north, east) for east, north in edge]
    doubled = sum(a.x * b.y - b.x * a.y for a, b in zip(points, points[1:] + points[:1], strict=True))
    written = _written(edge) if abs(doubled) / 2 >= SMALLEST else ""
    return f"{written}z" if written.count(" ") + written.count("-") > 2 else ""


def _along_the_edge(start: Place, end: Place) -> Line:
    """Return the first of two points, and those between them if they lie on the map's curved edge."""
    on_it = abs(start[0]) == 180 and start[0] == end[0]
    steps = max(1, math.ceil(abs(end[1] - start[1]) / STEP)) if on_it else 1
    return [(start[0], start[1] + (end[1] - start[1]) * i / steps) for i in range(steps)]


def _written(line: Line) -> str:
    """Return path data: one absolute point, then steps to the next, nothing where rounding leaves no step."""
    points = [projected(north, east) for east, north in line]
    rounded = [(round(point.x), round(point.y)) for point in points]
    steps = [(b[0] - a[0], b[1] - a[1]) for a, b in pairwise(rounded) if a != b]
    numbers = "".join(f"{x}{y}" if y < 0 else f"{x} {y}" for x, y in _spaced(steps))
    return f"M{rounded[0][0]} {rounded[0][1]}l{numbers}" if steps else ""


def _spaced(steps: list[tuple[int, int]]) -> Iterator[tuple[str, int]]:
    """Yield each step as two numbers to be joined: a minus sign separates them as well as a space does."""
    for place, (x, y) in enumerate(steps):
        yield (str(x) if x < 0 or place == 0 else f" {x}"), y


def drawing(topology: dict[str, Any], source: str) -> str:
    """Return the whole file; the page that shows it takes its three paths by their ids."""
    lines = lines_of(topology)
    paths = {"globe": globe(), "land": land(topology, lines), "borders": borders(topology, lines)}
    drawn = "\n".join(
        f'<path id="{name}" vector-effect="non-scaling-stroke" fill-rule="evenodd" d="{path}"/>'
        for name, path in paths.items()
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {round(HEIGHT)}">\n'
        f"<title>Outlines of the lands, Equal Earth projection</title>\n<desc>{source}</desc>\n{drawn}\n</svg>\n"
    )
