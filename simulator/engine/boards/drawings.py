"""A figure while it is drawn: points, pieces of line between neighbours, and what goes on to what at each point.

Points that coincide are one, a piece of line that runs through a point is two, and pieces that meet and go straight on
are one line. What comes out is brought to the smallest grid of whole numbers with its corner at (0, 0), and its points
are named by column and row.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import combinations, pairwise, product
from math import gcd, hypot, isfinite, lcm
from typing import Any

import numpy as np

from simulator.engine.boards.points import FILES, Board, Point

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


def exact(value: Any, where: str) -> Fraction:
    """Return a number of a document as a fraction. Raises WrongFigure."""
    if not isfinite(value):
        raise WrongFigure(where, "is no number", 0)
    return Fraction(round(value * GRAIN), GRAIN) if isinstance(value, float) else Fraction(value)


def one_way(line: Sequence[int]) -> tuple[int, ...]:
    """Return a line from its lower end, or round from its lowest point towards the lower of its neighbours."""
    if line[0] != line[-1]:
        return tuple(line) if line[0] < line[-1] else tuple(line[::-1])
    place = line.index(min(line))
    once = [*line[place:-1], *line[:place]]
    once = once if once[1] < once[-1] else [once[0], *once[:0:-1]]
    return (*once, once[0])


def file_name(number: int) -> str:
    """Return the letters of a column: a to l, then aa, ab and so on, and aaa behind ll."""
    letters, left = "", number + 1
    while left:
        left, letter = divmod(left - 1, len(FILES))
        letters = FILES[letter] + letters
    return letters


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
            step = as_step(one, other)
            self.steps[step] = self.steps.get(step, True) and not is_bent
        closed = [*points, points[1]] if points[0] == points[-1] else points
        for before, here, after in zip(closed, closed[1:], closed[2:], strict=False):
            if before == after:
                raise WrongFigure(where, "a line does not turn back on itself")
            self.joins.setdefault(here, set()).add(as_step(before, after))

    def names(self) -> dict[str, int]:
        """Return the names of the points by column and row of those there are now, with their numbers."""
        columns, rows = (_levels(place[axis] for place in self.places) for axis in (0, 1))
        return {f"{file_name(columns[x])}{rows[y] + 1}": number for number, (x, y) in enumerate(self.places)}

    def divide(self) -> None:
        """Divide the pieces of line on whose way a point lies."""
        for step, divides in list(self.steps.items()):
            between = self.between(*step) if divides else []
            if not between:
                continue
            del self.steps[step]
            chain = [step[0], *between, step[1]]
            for point, away, instead in ((step[0], step[1], chain[1]), (step[1], step[0], chain[-2])):
                self.joins[point] = {
                    as_step(*(instead if one == away else one for one in join)) for join in self.joins.get(point, ())
                }
                if any(one == other for one, other in self.joins[point]):
                    raise WrongFigure("lines", "a line does not turn back on itself, over points that it has passed")
            self.line(chain, "")

    def between(self, one: int, other: int) -> list[int]:
        """Return the points on the way from one to another, in their order."""
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
        del self.steps[as_step(one, other)]
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
                    self.joins.setdefault(point, set()).add(as_step(*pair))
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
                left.pop(as_step(one, other), None)
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
        lines = sorted(one_way([numbers[point] for point in chain]) for chain in self.chains())
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


def as_step(one: int, other: int) -> Step:
    """Return the piece of line between two points."""
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
