"""Shapes of which a figure is made: grids, rings, crosses, triangles and stars, each drawn round (0, 0), then scaled,
turned and moved to its place."""

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from itertools import product
from math import cos, pi, sin
from typing import Any

from simulator.engine.boards.drawings import GRAIN, MOST_POINTS, Drawing, WrongFigure, exact

Put = Callable[[Fraction | float, Fraction | float], int]


def add_shape(drawn: Drawing, shape: Mapping[str, Any], where: str) -> None:
    """Draw a shape of a document where it says. Raises WrongFigure."""
    kinds = [kind for kind in SHAPES if kind in shape]
    if len(kinds) != 1:
        wrong = f"is {' and '.join(kinds)} at once" if kinds else "is no shape"
        raise WrongFigure(where, f"{wrong}: a shape is one of {', '.join(SHAPES)}")
    for key in shape:
        if key not in (kinds[0], "at", "turn", "scale", *SHAPES[kinds[0]][1]):
            raise WrongFigure(f"{where}/{key}", f"a {kinds[0]} has no {key}")
    x, y = (exact(value, f"{where}/at") for value in shape.get("at", (0, 0)))
    turn, scale = exact(shape.get("turn", 0), f"{where}/turn"), exact(shape.get("scale", 1), f"{where}/scale")
    if not scale:
        raise WrongFigure(f"{where}/scale", "must be more than 0", 1)

    def put(across: Fraction | float, up: Fraction | float) -> int:
        return drawn.point(tuple(map(_fine, _turned(across * scale, up * scale, turn, x, y))), where)  # type: ignore[arg-type]

    SHAPES[kinds[0]][0](drawn, put, shape, where)


def _turned(across: Any, up: Any, turn: Fraction, x: Fraction, y: Fraction) -> tuple[Any, Any]:
    if turn % 90 == 0:  # exactly
        for _ in range(int(turn // 90) % 4):
            across, up = -up, across
        return across + x, up + y
    angle = float(turn) * pi / 180
    a, b = float(across), float(up)
    return a * cos(angle) - b * sin(angle) + float(x), a * sin(angle) + b * cos(angle) + float(y)


def _fine(value: Fraction | float) -> Fraction:
    return Fraction(round(value * GRAIN), GRAIN) if isinstance(value, float) else value


def _grid(drawn: Drawing, put: Put, shape: Mapping[str, Any], where: str) -> None:
    width, height = shape["grid"]
    _rectangles(drawn, put, shape, where, [(0, 0, width, height)], width, height)


def _cross(drawn: Drawing, put: Put, shape: Mapping[str, Any], where: str) -> None:
    wide, long = shape["cross"]
    if long <= wide or (long - wide) % 2:
        message = f"its arms are {wide} points wide: it is {wide + 2}, {wide + 4} … points long"
        raise WrongFigure(f"{where}/cross", message, [wide, wide + 2])
    arm = (long - wide) // 2
    _rectangles(drawn, put, shape, where, [(0, arm, long, wide), (arm, 0, wide, long)], long, long)


def _rectangles(
    drawn: Drawing,
    put: Put,
    shape: Mapping[str, Any],
    where: str,
    parts: Sequence[tuple[int, ...]],
    width: int,
    height: int,
) -> None:
    colour, diagonals = shape.get("colour", "both"), shape.get("diagonals", "off")
    if colour != "both" and diagonals != "off":
        raise WrongFigure(f"{where}/diagonals", "squares of one colour are joined by diagonals anyway", "off")
    cells = {(x + i, y + j) for x, y, w, h in parts for i, j in product(range(w), range(h))}
    parity = 1 if colour == "light" else 0
    if colour != "both":
        cells = {cell for cell in cells if sum(cell) % 2 == parity}
    if len(cells) > MOST_POINTS:
        raise WrongFigure(where, f"a board has at most {MOST_POINTS} points")

    def at(x: int | Fraction, y: int | Fraction) -> int:
        return put(x - Fraction(width - 1, 2), y - Fraction(height - 1, 2))

    for x, y in sorted(cells):
        here = at(x, y)
        for dx, dy in ((1, 0), (0, 1)) if colour == "both" else ((1, 1), (-1, 1)):
            if (x + dx, y + dy) in cells:
                drawn.line([here, at(x + dx, y + dy)], where)
        if diagonals == "off" or not {(x + 1, y), (x, y + 1), (x + 1, y + 1)} <= cells:
            continue
        rising, falling = [here, at(x + 1, y + 1)], [at(x + 1, y), at(x, y + 1)]
        if diagonals == "meeting":
            middle = at(x + Fraction(1, 2), y + Fraction(1, 2))
            rising.insert(1, middle)
            falling.insert(1, middle)
        odd = (x + y) % 2
        if diagonals in ("all", "meeting") or odd == (diagonals == "between"):
            drawn.line(rising, where)
        if diagonals in ("all", "meeting") or odd != (diagonals == "between"):
            drawn.line(falling, where)


def _rings(drawn: Drawing, put: Put, shape: Mapping[str, Any], where: str) -> None:
    """Draw polygons one in another, with a point in the middle of each side, or circles with points at equal
    distances."""
    rings, sides, round_points = shape["rings"], shape.get("sides", 4), shape.get("round", 0)
    joined = shape.get("joined", "off")
    if round_points and "sides" in shape:
        raise WrongFigure(f"{where}/sides", "a circle has no sides")
    corners = round_points or sides
    middles = 0 if round_points else 1
    if rings * corners * (1 + middles) + 1 > MOST_POINTS:
        raise WrongFigure(where, f"a board has at most {MOST_POINTS} points")
    spokes: dict[int, list[int]] = {}
    for ring in range(1, rings + 1):
        round_it = [put(*_on_ring(ring, corner, corners, middles)) for corner in range(corners * (1 + middles))]
        for number, point in enumerate(round_it):
            spokes.setdefault(number, []).append(point)
        if round_points:
            drawn.line([*round_it, round_it[0]], where, is_bent=True)
        else:
            for side in range(sides):
                drawn.line([round_it[(2 * side + part) % (2 * sides)] for part in range(3)], where)
    centre = put(Fraction(0), Fraction(0)) if shape.get("centre") else None
    for number, spoke in spokes.items():
        is_corner = not middles or number % 2 == 0
        if joined == "both" or joined == ("corners" if is_corner else "middles"):
            spoke = spoke if centre is None else [centre, *spoke]
            if len(spoke) > 1:
                drawn.line(spoke, where)


def _on_ring(ring: int, number: int, corners: int, middles: int) -> tuple[Any, Any]:
    """Return a corner, or the middle of a side, of a ring; a square has its sides level, all others a corner above."""
    if middles and number % 2:
        ends = [_on_ring(ring, number + by, corners, middles) for by in (-1, 1)]
        return (ends[0][0] + ends[1][0]) / 2, (ends[0][1] + ends[1][1]) / 2
    corner = number // (1 + middles)
    if corners == 4 and middles:
        return Fraction((-ring, ring, ring, -ring)[corner % 4]), Fraction((ring, ring, -ring, -ring)[corner % 4])
    if corners in (2, 4):
        return Fraction((0, ring, 0, -ring)[corner % 4]), Fraction((ring, 0, -ring, 0)[corner % 4])
    angle = pi / 2 - 2 * pi * corner / corners
    return ring * cos(angle), ring * sin(angle)


def _triangle(drawn: Drawing, put: Put, shape: Mapping[str, Any], where: str) -> None:
    """Draw a triangle: lines from its apex to its base, and lines across."""
    rows, lines = shape["triangle"] - 1, shape.get("lines", 3)
    if rows * lines + 1 > MOST_POINTS:
        raise WrongFigure(where, f"a board has at most {MOST_POINTS} points")
    middle = Fraction(rows, 2)
    apex = put(Fraction(0), middle)
    across = [
        [put(Fraction(-row) + Fraction(2 * row * line, lines - 1), middle - row) for line in range(lines)]
        for row in range(1, rows + 1)
    ]
    for row in across:
        drawn.line(row, where)
    for line in range(lines):
        drawn.line([apex, *(row[line] for row in across)], where)


def _star(drawn: Drawing, put: Put, shape: Mapping[str, Any], where: str) -> None:
    """Draw a star: each line leads from a point past the next one, and is crossed twice on its way."""
    tips = shape["star"]
    inner = cos(2 * pi / tips) / cos(pi / tips)  # how far from the middle the lines cross
    angles = [pi / 2 - 2 * pi * number / tips for number in range(tips)]
    outside = [put(2 * cos(angle), 2 * sin(angle)) for angle in angles]
    crossing = [put(2 * inner * cos(angle - pi / tips), 2 * inner * sin(angle - pi / tips)) for angle in angles]
    for tip in range(tips):
        line = [outside[tip], crossing[tip], crossing[(tip + 1) % tips], outside[(tip + 2) % tips]]
        drawn.line(line, where)


SHAPES: dict[str, tuple[Callable[[Drawing, Put, Mapping[str, Any], str], None], tuple[str, ...]]] = {
    "grid": (_grid, ("diagonals", "colour")),
    "rings": (_rings, ("sides", "round", "joined", "centre")),
    "cross": (_cross, ("diagonals",)),
    "triangle": (_triangle, ("lines",)),
    "star": (_star, ()),
}


def is_coloured(shape: Mapping[str, Any]) -> bool:
    """Return whether a shape has squares of one colour only."""
    return bool(shape.get("colour", "both") != "both")
