"""Boards of points as data: shapes that are placed, turned and joined, points and lines by hand, and one form for each.

A figure is read into points and pieces of line between neighbours, with what goes on to what at each point. Points that
coincide are one, a piece of line that runs through a point is two, and pieces that meet and go straight on are one
line. What comes out is brought to the smallest grid of whole numbers with its corner at (0, 0), and its points are
named by column and row: so two ways of writing one figure are one board. A figure that is a named board is its name.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache, lru_cache
from itertools import combinations, pairwise, product
from math import cos, gcd, hypot, isfinite, lcm, pi, sin
from typing import Any

import numpy as np

from simulator.engine.boards.points import BOARDS, FILES, Board, Point
from simulator.engine.ruleset import nearest

MOST_POINTS, MOST_WAYS = 256, 16
GRAIN = 1000  # parts of a unit: what is given or worked out more finely is rounded to one
SAME = Fraction(1, 200)  # columns and rows that lie no farther apart are one
STRAIGHT = 0.02  # the sine of the angle up to which two pieces of line go straight on

Place = tuple[Fraction, Fraction]
Step = tuple[int, int]  # a piece of line between two points, the lower number first


class WrongFigure(ValueError):
    """A figure means no board: where in it something is wrong, what, and the nearest that would do."""

    def __init__(self, where: str, message: str, near: Any = None) -> None:
        self.where, self.message, self.near = where, message, near
        super().__init__(f"{where}: {message}")


def board_of(parameters: Mapping[str, Any]) -> Board:
    """Return the board on which a points game with these parameters is played; they are in canonical form."""
    board = parameters["board"]
    if isinstance(board, str):
        return BOARDS[board]
    # The same object is asked for again and again: to write it as text each time would take longer than a move.
    known = _by_identity.get(id(board))
    if known is None or known[0] is not board:
        if len(_by_identity) >= KEPT:
            _by_identity.clear()
        known = _by_identity[id(board)] = board, _board_of(json.dumps(board, sort_keys=True))
    return known[1]


KEPT = 500
_by_identity: dict[int, tuple[Any, Board]] = {}


@lru_cache(KEPT)
def _board_of(written: str) -> Board:
    return read_figure(json.loads(written))[0]


def read_board(board: str | Mapping[str, Any]) -> tuple[Board, dict[str, str]]:
    """Return a board, and what the names mean by which a document may call its points. Raises WrongFigure."""
    if not isinstance(board, str):
        return read_figure(board)
    return BOARDS[board], {name: name for name in BOARDS[board].names}


def read_figure(figure: Mapping[str, Any]) -> tuple[Board, dict[str, str]]:
    """Return the board that a figure is, a named one if it is one of these, and what the names mean that can be used
    for its points: those given by hand, and those by column and row. Raises WrongFigure."""
    drawn = Drawing()
    for number, shape in enumerate(figure.get("shapes", ())):
        _add_shape(drawn, shape, f"shapes/{number}")
    names = drawn.names()
    for part, where in ((figure, ""), (figure.get("also", {}), "also/")):
        _add_by_hand(drawn, part, where, names)
    _take_out(drawn, figure.get("without", {}), names)
    if not drawn.steps:
        raise WrongFigure("", "a board has points, and lines that join them")
    board, numbers = drawn.board(bool(figure.get("squares")) or any(map(_is_coloured, figure.get("shapes", ()))))
    by_hand = {
        name: board.names[numbers[number]]
        for part in (figure, figure.get("also", {}))
        for name in part.get("points", {})
        if (number := names[name]) in numbers
    }
    known = _named().get(_key(board))
    if known is None:
        return board, {name: name for name in board.names} | by_hand
    # The points of a named board stand in the same order, whatever they are called.
    called = dict(zip(board.names, known.names, strict=True))
    return known, called | {name: called[place] for name, place in by_hand.items()}


def canonical(board: Board) -> str | dict[str, Any]:
    """Return the one form in which a board stands in a document."""
    if BOARDS.get(board.name) is board:
        return board.name
    form: dict[str, Any] = {
        "points": {point.name: [point.x, point.y] for point in board.points},
        "lines": [" ".join(board.names[point] for point in line) for line in board.lines],
    }
    return {**form, "squares": True} if board.is_chequered else form


def _key(board: Board) -> tuple[Any, ...]:
    left, low = (min(getattr(point, axis) for point in board.points) for axis in "xy")
    lines = frozenset(_one_way(line) for line in board.lines)
    return tuple((point.x - left, point.y - low) for point in board.points), lines, board.is_chequered


@cache
def _named() -> dict[tuple[Any, ...], Board]:
    return {_key(board): board for board in BOARDS.values()}


def _one_way(line: Sequence[int]) -> tuple[int, ...]:
    """Return a line from its lower end, or round from its lowest point towards the lower of its neighbours."""
    if line[0] != line[-1]:
        return tuple(line) if line[0] < line[-1] else tuple(line[::-1])
    place = line.index(min(line))
    once = [*line[place:-1], *line[:place]]
    once = once if once[1] < once[-1] else [once[0], *once[:0:-1]]
    return (*once, once[0])


def file_name(number: int) -> str:
    """Return the letters of a column: a to z without x, which stands for a jump, then aa, ab and so on."""
    size = len(FILES)
    return FILES[number] if number < size else FILES[number // size - 1] + FILES[number % size]


@dataclass(slots=True)
class Drawing:
    """A figure while it is drawn.

    places: where the points lie; steps: pieces of line, each with whether it may be divided by a point on its way;
    joins: for a point, pairs of neighbours between which a line goes on there; at, cells: the points by where they lie,
    exactly and to a unit
    """

    places: list[Place] = field(default_factory=list)
    steps: dict[Step, bool] = field(default_factory=dict)
    joins: dict[int, set[Step]] = field(default_factory=dict)
    at: dict[Place, int] = field(default_factory=dict)
    cells: dict[tuple[int, int], list[int]] = field(default_factory=dict)
    removed: set[int] = field(default_factory=set)
    floats: np.ndarray = field(default_factory=lambda: np.zeros((0, 2)))

    def point(self, place: Place, where: str = "") -> int:
        """Return the number of the point there, a new one if there is none."""
        if place in self.at:
            return self.at[place]
        cell = int(place[0] // 1), int(place[1] // 1)
        beside = (self.cells.get((cell[0] + dx, cell[1] + dy), ()) for dx, dy in product((-1, 0, 1), repeat=2))
        for number in (number for some in beside for number in some):
            x, y = self.places[number]
            if abs(x - place[0]) <= SAME and abs(y - place[1]) <= SAME:
                return number
        if len(self.places) >= MOST_POINTS:
            raise WrongFigure(where, f"a board has at most {MOST_POINTS} points")
        self.at[place] = len(self.places)
        self.cells.setdefault(cell, []).append(len(self.places))
        self.places.append(place)
        return self.at[place]

    def line(self, points: Sequence[int], where: str, is_bent: bool = False) -> None:
        """Draw a line through points, in their order; one that ends where it begins is closed."""
        for one, other in pairwise(points):
            if one == other:
                raise WrongFigure(where, "a line does not go from a point to itself")
            step = _step(one, other)
            self.steps[step] = self.steps.get(step, True) and not is_bent
        closed = [*points, points[1]] if points[0] == points[-1] else points
        for before, here, after in zip(closed, closed[1:], closed[2:], strict=False):
            if before == after:
                raise WrongFigure(where, "a line does not turn back on itself")
            self.joins.setdefault(here, set()).add(_step(before, after))

    def names(self) -> dict[str, int]:
        """Return the names of the points by column and row of those there are now, with their numbers."""
        columns, rows = (_levels(place[axis] for place in self.places) for axis in (0, 1))
        return {f"{file_name(columns[x])}{rows[y] + 1}": number for number, (x, y) in enumerate(self.places)}

    def divide(self) -> None:
        """Divide the pieces of line on whose way a point lies."""
        for step, divides in list(self.steps.items()):
            between = self._between(*step) if divides else []
            if not between:
                continue
            del self.steps[step]
            chain = [step[0], *between, step[1]]
            for point, away, instead in ((step[0], step[1], chain[1]), (step[1], step[0], chain[-2])):
                self.joins[point] = {
                    _step(*(instead if one == away else one for one in join)) for join in self.joins.get(point, ())
                }
            self.line(chain, "")

    def _between(self, one: int, other: int) -> list[int]:
        places = self._floats()
        ahead, (dx, dy) = places - places[one], places[other] - places[one]
        length = hypot(dx, dy)
        along, aside = (ahead @ (dx, dy)) / length, np.abs(ahead @ (dy, -dx)) / length
        within = np.flatnonzero((along > float(SAME)) & (along < length - float(SAME)) & (aside <= float(SAME)))
        return [int(number) for number in within[np.argsort(along[within])] if number not in self.removed]

    def _floats(self) -> np.ndarray:
        if len(self.floats) != len(self.places):
            self.floats = np.array([[float(x), float(y)] for x, y in self.places])
        return self.floats

    def _from(self, one: int, other: int) -> tuple[float, float]:
        places = self._floats()
        dx, dy = places[other] - places[one]
        return float(dx), float(dy)

    def remove(self, point: int) -> None:
        """Take out a point with the pieces of line that end there."""
        for step in [step for step in self.steps if point in step]:
            self.cut(*step)
        self.removed.add(point)
        self.joins.pop(point, None)

    def cut(self, one: int, other: int) -> None:
        """Take out a piece of line; those that it joined end there."""
        del self.steps[_step(one, other)]
        for point, away in ((one, other), (other, one)):
            self.joins[point] = {join for join in self.joins.get(point, ()) if away not in join}

    def straighten(self) -> None:
        """Join pieces of line that end at a point and go straight on; each goes on to one other there."""
        neighbours: dict[int, list[int]] = {}
        for one, other in self.steps:
            neighbours.setdefault(one, []).append(other)
            neighbours.setdefault(other, []).append(one)
        for point, beside in neighbours.items():
            taken = [away for join in self.joins.get(point, ()) for away in join]
            free = sorted(set(beside) - set(taken))
            bends = sorted((self._bend(point, *pair), pair) for pair in combinations(free, 2))
            for bend, pair in bends:
                if bend <= STRAIGHT and not {*pair} & {*taken}:
                    self.joins.setdefault(point, set()).add(_step(*pair))
                    taken += pair

    def _bend(self, point: int, one: int, other: int) -> float:
        """Return the sine of the angle by which a line through a point bends; 1 for more than a right angle."""
        (a, b), (c, d) = self._from(point, one), self._from(point, other)
        ahead = -(a * c + b * d) / (hypot(a, b) * hypot(c, d))
        return abs(a * d - b * c) / (hypot(a, b) * hypot(c, d)) if ahead > 0 else 1.0

    def chains(self) -> Iterator[list[int]]:
        """Yield every line as its points; a closed one ends with the point it begins with."""
        onward: dict[tuple[int, int], int] = {}  # (from, at) -> to
        for here, joins in self.joins.items():
            for before, after in joins:
                for one, other in ((before, after), (after, before)):
                    if onward.setdefault((one, here), other) != other:
                        raise WrongFigure(
                            "", f"the piece of line from {self._name(one)} to {self._name(here)} goes on in two ways"
                        )
        left = dict.fromkeys(self.steps)
        for step in self.steps:
            if step not in left:
                continue
            chain = list(step)
            for _ in (0, 1):  # to one end, then turned round to the other
                while (further := onward.get((chain[-2], chain[-1]))) is not None and len(chain) <= len(self.steps):
                    chain.append(further)
                    if chain[-2:] == chain[:2]:  # it has come round
                        chain.pop()
                        break
                else:
                    chain.reverse()
                    continue
                break
            for one, other in pairwise(chain):
                left.pop(_step(one, other), None)
            yield chain

    def _name(self, point: int) -> str:
        return next(name for name, number in self.names().items() if number == point)

    def board(self, is_chequered: bool) -> tuple[Board, dict[int, int]]:
        """Return the board, and the number on it of each point of the drawing."""
        self.divide()
        self.straighten()
        kept = [number for number in range(len(self.places)) if number not in self.removed]
        grid = _on_grid([self.places[number] for number in kept])
        order = sorted(range(len(kept)), key=lambda one: (grid[one][1], grid[one][0]))
        numbers = {kept[one]: number for number, one in enumerate(order)}
        columns, rows = (_levels(place[axis] for place in grid) for axis in (0, 1))
        points = [Point(f"{file_name(columns[x])}{rows[y] + 1}", x, y) for x, y in (grid[one] for one in order)]
        lines = sorted(_one_way([numbers[point] for point in chain]) for chain in self.chains())
        kind = "squares" if is_chequered else "points"
        board = Board(
            f"of {len(points)} {kind}", f"Board of {len(points)} {kind}", tuple(points), tuple(lines), is_chequered
        )
        _check(board)
        return board, numbers


def _check(board: Board) -> None:
    most = max(range(len(board.points)), key=lambda point: sum(ahead != -1 for ahead in board.towards[point]))
    ways = sum(ahead != -1 for ahead in board.towards[most])
    if ways > MOST_WAYS:
        raise WrongFigure("", f"{ways} ways lead from {board.names[most]}: a point has at most {MOST_WAYS}")
    slanted = all(abs(a.x - b.x) == abs(a.y - b.y) for a, b in _ends(board))
    if board.is_chequered and not slanted:
        raise WrongFigure("squares", "squares of one colour are joined by diagonals only", False)


def _ends(board: Board) -> Iterator[tuple[Point, Point]]:
    return ((board.points[one], board.points[other]) for one, other in board.edges)


def _step(one: int, other: int) -> Step:
    return (one, other) if one < other else (other, one)


def _levels(values: Iterable[Any]) -> dict[Any, int]:
    """Number columns or rows from 0; those that lie no farther apart than `SAME` are one."""
    found, number, last = dict[Any, int](), -1, None
    for value in sorted(set(values)):
        if last is None or value - last > SAME:
            number += 1
        found[value], last = number, value
    return found


def _on_grid(places: Sequence[Place]) -> list[tuple[int, int]]:
    """Return places on the smallest grid of whole numbers that has them all, its corner at (0, 0)."""
    aligned = [_aligned([place[axis] for place in places]) for axis in (0, 1)]
    size = lcm(*(value.denominator for axis in aligned for value in axis))
    whole = [[int(value * size) for value in axis] for axis in aligned]
    common = gcd(*(value for axis in whole for value in axis)) or 1
    return [(x // common, y // common) for x, y in zip(*whole, strict=True)]


def _aligned(values: list[Fraction]) -> list[Fraction]:
    """Move values to begin at 0; those of one column or row become the one that is written most simply."""
    levels, low = _levels(values), min(values)
    simplest: dict[int, Fraction] = {}
    for value in sorted(set(values), key=lambda value: (value.denominator, value)):
        simplest.setdefault(levels[value], value)
    low = simplest[0]
    return [simplest[levels[value]] - low for value in values]


# Shapes, each drawn round (0, 0)


def _number(value: Any, where: str) -> Fraction:
    if not isfinite(value):
        raise WrongFigure(where, "is no number", 0)
    return Fraction(round(value * GRAIN), GRAIN) if isinstance(value, float) else Fraction(value)


Put = Callable[[Fraction | float, Fraction | float], int]


def _add_shape(drawn: Drawing, shape: Mapping[str, Any], where: str) -> None:
    kinds = [kind for kind in SHAPES if kind in shape]
    if len(kinds) != 1:
        wrong = f"is {' and '.join(kinds)} at once" if kinds else "is no shape"
        raise WrongFigure(where, f"{wrong}: a shape is one of {', '.join(SHAPES)}")
    for key in shape:
        if key not in (kinds[0], "at", "turn", "scale", *SHAPES[kinds[0]][1]):
            raise WrongFigure(f"{where}/{key}", f"a {kinds[0]} has no {key}")
    x, y = (_number(value, f"{where}/at") for value in shape.get("at", (0, 0)))
    turn, scale = _number(shape.get("turn", 0), f"{where}/turn"), _number(shape.get("scale", 1), f"{where}/scale")
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


def _is_coloured(shape: Mapping[str, Any]) -> bool:
    return bool(shape.get("colour", "both") != "both")


# By hand


def _add_by_hand(drawn: Drawing, part: Mapping[str, Any], where: str, names: dict[str, int]) -> None:
    for name, place in part.get("points", {}).items():
        here = f"{where}points/{name}"
        x, y = (_number(value, here) for value in place)
        names[name] = drawn.point((x, y), here)
    for number, line in enumerate(part.get("lines", ())):
        here = f"{where}lines/{number}"
        points = _numbers(line.split(), names, here)
        if len(points) < 2 or (len(points) == 3 and points[0] == points[-1]):
            raise WrongFigure(here, "a line joins two points or more")
        drawn.line(points, here)


def _numbers(named: Sequence[str], names: Mapping[str, int], where: str) -> list[int]:
    for name in named:
        if name not in names:
            near = nearest(name, list(names)) if names else None
            instead = " ".join(str(near) if one == name else one for one in named)
            raise WrongFigure(where, f"the figure has no point {name[:20]}", near and instead)
    return [names[name] for name in named]


def _take_out(drawn: Drawing, part: Mapping[str, Any], names: Mapping[str, int]) -> None:
    drawn.divide()
    for number, line in enumerate(part.get("lines", ())):
        where = f"without/lines/{number}"
        for one, other in pairwise(_numbers(line.split(), names, where)):
            between = drawn._between(one, other) if one != other else []
            for step in pairwise([one, *between, other]):
                if _step(*step) not in drawn.steps:
                    raise WrongFigure(where, f"no piece of line joins {' and '.join(line.split()[:2])}")
                drawn.cut(*step)
    for number, name in enumerate(part.get("points", ())):
        drawn.remove(_numbers([name], names, f"without/points/{number}")[0])
