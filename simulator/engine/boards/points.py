"""Boards of points joined by lines: the geometry that referees, kernels and drawings share.

A board is given by where its points lie and which lines are drawn. Everything else (ways, compass directions, rows of
three, the edge) is worked out from these two, so a picture of a board and the game on it cannot disagree. What is
straight on is said by the line, whatever its angle: a piece that leaps follows it round bends and circles.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from math import atan2, pi
from typing import TypeVar

T = TypeVar("T")
Row = tuple[int, ...]
Strand = tuple[int, int, bool]  # a way: the line, a place in it, and whether it is followed to its end

# Compass directions 0..7: east, north-east, north, … anticlockwise. The first player sees north ahead.
EAST, NORTH_EAST, NORTH, NORTH_WEST, WEST, SOUTH_WEST, SOUTH, SOUTH_EAST = range(8)
COMPASS = {(1, 0): 0, (1, 1): 1, (0, 1): 2, (-1, 1): 3, (-1, 0): 4, (-1, -1): 5, (0, -1): 6, (1, -1): 7}

# What is the same all along a rank, a file and the two kinds of diagonals: so many x and so many y.
_LEVEL, _SLANTING = ((0, 1), (1, 0)), ((1, -1), (1, 1))
STRAIGHT = {"files_and_ranks": _LEVEL, "diagonals": _SLANTING, "any_direction": (*_LEVEL, *_SLANTING)}

FILES = "abcdefghijkl"
NOWHERE = -1


def opposite(direction: int) -> int:
    return (direction + 4) % 8


@dataclass(frozen=True, slots=True)
class Point:
    """A place for one piece. x grows eastward, y northward."""

    name: str
    x: int
    y: int


@dataclass(frozen=True)
class Board:
    """Points in ascending order from the lowest rank, left to right, and the lines drawn through them.

    lines: every drawn line as the numbers of all its points, from one end to the other; one that closes, such as a
           circle, ends with the point it begins with
    is_chequered: whether its points are squares of one colour
    """

    name: str
    title: str
    points: tuple[Point, ...]
    lines: tuple[tuple[int, ...], ...]
    is_chequered: bool = False

    @property
    def has_rows(self) -> bool:
        """Whether three pieces on one line are a row: so it is where every line has three points."""
        return all(len(line) == 3 and line[0] != line[-1] for line in self.lines)

    @cached_property
    def _strands(self) -> tuple[dict[Strand, tuple[int, ...]], ...]:
        """For each point, the ways along lines, and the points ahead on each, the nearest first. A closed line is
        followed until it comes back."""
        found: list[dict[Strand, tuple[int, ...]]] = [{} for _ in self.points]
        for number, line in enumerate(self.lines):
            closes = line[0] == line[-1]
            once = line[:-1] if closes else line
            for place, point in enumerate(once):
                after, before = once[place + 1 :], once[:place]
                for onward, ahead in ((True, after + before * closes), (False, (before[::-1] + after[::-1] * closes))):
                    if ahead:
                        # A line that crosses itself is followed until it comes back to the piece.
                        back = ahead.index(point) if point in ahead else len(ahead)
                        found[point][number, place, onward] = ahead[:back]
        return tuple(found)

    @cached_property
    def _slots(self) -> tuple[dict[Strand, int], ...]:
        """For each point, the number of each of its ways.

        Where lines are straight and eight directions tell them apart it is the compass direction, from 0 to 7, which
        stays the same along a line. On other boards ways are counted at each point, anticlockwise from the east.
        """
        if self.is_compass:
            return tuple(
                {key: self.heading(point, ahead[0]) for key, ahead in strands.items()}
                for point, strands in enumerate(self._strands)
            )
        angles = [
            {key: self._angle(point, ahead) for key, ahead in one.items()} for point, one in enumerate(self._strands)
        ]
        by_angle = [sorted((angle, key) for key, angle in one.items()) for one in angles]
        return tuple({key: way for way, (_, key) in enumerate(one)} for one in by_angle)

    @cached_property
    def is_compass(self) -> bool:
        """Whether all lines are straight, no two of them leave a point in the same of eight directions, and where one
        ends none goes on in its direction."""
        taken = [set[int]() for _ in self.points]
        ends = set[tuple[int, int]]()
        for point, strands in enumerate(self._strands):
            for ahead in strands.values():
                headings = {self.heading(*step) for step in pairwise((point, *ahead))}
                if len(headings) != 1 or headings <= taken[point]:
                    return False
                taken[point] |= headings
                ends.add((ahead[-1], next(iter(headings))))
        return not any(heading in taken[point] for point, heading in ends)

    def _angle(self, point: int, ahead: tuple[int, ...]) -> float:
        here, there = self.points[point], self.points[ahead[0]]
        return atan2(there.y - here.y, there.x - here.x) % (2 * pi)

    @cached_property
    def ways(self) -> int:
        """The number of ways that the tables below have for every point: eight, or one more than any point has."""
        return 8 if self.is_compass else max(map(len, self._strands)) + 1

    def _by_way(self, value: Callable[[Strand, tuple[int, ...]], T], none: T) -> tuple[tuple[T, ...], ...]:
        table = [[none] * self.ways for _ in self.points]
        for row, strands, slots in zip(table, self._strands, self._slots, strict=True):
            for key, ahead in strands.items():
                row[slots[key]] = value(key, ahead)
        return tuple(map(tuple, table))

    @cached_property
    def rays(self) -> tuple[tuple[tuple[int, ...], ...], ...]:
        """rays[point][way]: every point ahead along the line, the nearest first."""
        return self._by_way(lambda key, ahead: ahead, ())

    @cached_property
    def towards(self) -> tuple[tuple[int, ...], ...]:
        """towards[point][way]: the next point along the line, or -1."""
        return self._by_way(lambda key, ahead: ahead[0], NOWHERE)

    @cached_property
    def landings(self) -> tuple[tuple[int, ...], ...]:
        """landings[point][way]: the point behind the next one along the line, or -1."""
        return self._by_way(lambda key, ahead: ahead[1] if len(ahead) > 1 else NOWHERE, NOWHERE)

    @cached_property
    def onward(self) -> tuple[tuple[int, ...], ...]:
        """onward[point][way]: the way at the next point that goes on along the line; where it ends, one that leads
        nowhere."""
        if self.is_compass:
            return tuple(tuple(range(8)) for _ in self.points)
        nowhere = self.ways - 1

        def following(key: Strand, ahead: tuple[int, ...]) -> int:
            line, place, to_end = key
            once = len(self.lines[line]) - (self.lines[line][0] == self.lines[line][-1])
            return self._slots[ahead[0]].get((line, (place + (1 if to_end else -1)) % once, to_end), nowhere)

        return self._by_way(following, nowhere)

    @cached_property
    def across(self) -> tuple[tuple[int, ...], ...]:
        """across[point][way]: the way that leads along the same line on the other side of the point, or -1."""
        return tuple(
            tuple(
                {slots[key]: slots.get((key[0], key[1], not key[2]), NOWHERE) for key in slots}.get(way, NOWHERE)
                for way in range(self.ways)
            )
            for slots in self._slots
        )

    @cached_property
    def headings(self) -> tuple[tuple[int, ...], ...]:
        """headings[point][way]: the compass direction in which the way begins, or -1 where there is none."""
        return tuple(
            tuple(NOWHERE if there == NOWHERE else self.heading(here, there) for there in row)
            for here, row in enumerate(self.towards)
        )

    def ways_in(self, directions: frozenset[int], near: tuple[frozenset[int], ...] = ()) -> tuple[tuple[int, ...], ...]:
        """Return for each point its ways that begin in one of these compass directions, and whose next point is no
        farther from any of the sets of points `near`."""
        if (directions, near) not in self._ways_by_directions:
            away = list(map(self.distances, near))
            self._ways_by_directions[directions, near] = tuple(
                tuple(
                    way
                    for way, heading in enumerate(row)
                    if heading in directions and all(far[self.towards[point][way]] <= far[point] for far in away)
                )
                for point, row in enumerate(self.headings)
            )
        return self._ways_by_directions[directions, near]

    @cached_property
    def _ways_by_directions(self) -> dict[tuple[frozenset[int], tuple[frozenset[int], ...]], tuple[Row, ...]]:
        return {}

    def distances(self, points: Iterable[int]) -> list[int]:
        """Return how many pieces of line lie between each point and the nearest of some; more than there are points
        where no line leads there."""
        found = [len(self.points) + 1] * len(self.points)
        reached, away = set(points), 0
        while reached:
            for point in reached:
                found[point] = away
            away += 1
            reached = {to for at in reached for to in self.towards[at] if to != NOWHERE and found[to] > away}
        return found

    def heading(self, here: int, there: int) -> int:
        """Return the compass direction from a point to another; only the signs of the differences make it."""
        a, b = self.points[here], self.points[there]
        return COMPASS[_sign(b.x - a.x), _sign(b.y - a.y)]

    @cached_property
    def edges(self) -> tuple[tuple[int, int], ...]:
        """Pairs of neighbouring points, each once, ascending."""
        # towards has each pair in both orders; the one with the lower point first is kept.
        return tuple(sorted((here, there) for here, row in enumerate(self.towards) for there in row if there > here))

    @cached_property
    def is_single(self) -> bool:
        """Whether no two ways lead from a point to the same other point: then a piece that goes along a line, however
        far, has gone one way only."""
        return all(
            len(seen) == len(set(seen)) and point not in seen
            for point, rays in enumerate(self.rays)
            for seen in ([there for ray in rays for there in ray],)
        )

    @cached_property
    def forks(self) -> tuple[tuple[int, int], ...]:
        """Pairs of points from one of which jumps over two different points lead to the other."""
        return tuple(
            (point, to)
            for point, row in enumerate(self.landings)
            for to in sorted(set(row) - {NOWHERE})
            if row.count(to) > 1 or to == point
        )

    @cached_property
    def rows_of_three(self) -> tuple[tuple[int, ...], ...]:
        """Return the lines on which three pieces make a row, in the order of `lines`; none on boards without rows."""
        return self.lines if self.has_rows else ()

    def rows(self, corner_rows: str = "count") -> tuple[Row, ...]:
        """Return the rows that are whole lines of three; without the slanting ones, which join corners, where those
        serve for steps only."""
        return self.rows_of_three if corner_rows == "count" else self._rows_along_sides

    def windows(self, length: int, along: str = "drawn") -> dict[Row, Row]:
        """Return so many points next to each other on a line, each with the points that would make them more."""
        if (length, along) not in self._windows_by_length:
            found = dict[Row, Row]()
            for line in self.lines if along == "drawn" else self._straight(along):
                closes, once = line[0] == line[-1], len(set(line))
                # Round a closed line a row may begin at any of its points.
                longer = (line[-2], *line, *line[1:length]) if closes else (NOWHERE, *line, NOWHERE)
                for start in range(1, len(longer) - length):
                    row = longer[start : start + length]
                    beyond = {longer[start - 1], longer[start + length]} - {NOWHERE, *row}
                    if len(set(row)) == length <= once:
                        found.setdefault(row, tuple(sorted(beyond)))
            self._windows_by_length[length, along] = found
        return self._windows_by_length[length, along]

    @cached_property
    def _windows_by_length(self) -> dict[tuple[int, str], dict[Row, Row]]:
        return {}

    def _straight(self, along: str) -> list[Row]:
        """Return files, ranks or diagonals, drawn or not, as points that lie as near to the next as any two that lie in
        that direction."""
        found = list[Row]()
        for way in STRAIGHT[along]:
            lines: dict[int, list[int]] = {}
            for number, point in enumerate(self.points):
                lines.setdefault(way[0] * point.x + way[1] * point.y, []).append(number)
            gaps = [self._gap(one, other) for line in lines.values() for one, other in pairwise(line)]
            for line in lines.values():
                ends = [place for place, pair in enumerate(pairwise(line), 1) if self._gap(*pair) > min(gaps)]
                found += [tuple(line[start:end]) for start, end in pairwise([0, *ends, len(line)])]
        return [line for line in found if len(line) > 1]

    def _gap(self, one: int, other: int) -> int:
        a, b = self.points[one], self.points[other]
        return max(abs(b.x - a.x), abs(b.y - a.y))

    @cached_property
    def small_squares(self) -> tuple[Row, ...]:
        """Return the corners of every square whose sides lie along ranks and files and have no point between them."""
        at = {(point.x, point.y): number for number, point in enumerate(self.points)}
        found = list[Row]()
        for point in self.points:
            right = min((other.x for other in self.points if other.y == point.y and other.x > point.x), default=point.x)
            up = min((other.y for other in self.points if other.x == point.x and other.y > point.y), default=point.y)
            corners = ((point.x, point.y), (right, point.y), (point.x, up), (right, up))
            if right - point.x == up - point.y > 0 and all(corner in at for corner in corners):
                found.append(tuple(at[corner] for corner in corners))
        return tuple(found)

    @cached_property
    def _rows_along_sides(self) -> tuple[tuple[int, ...], ...]:
        # Even directions are along files and ranks, odd ones slant.
        return tuple(row for row in self.rows_of_three if self.heading(row[0], row[1]) % 2 == 0)

    @cached_property
    def edge(self) -> frozenset[int]:
        """Points on the outermost ranks and files."""
        xs, ys = [point.x for point in self.points], [point.y for point in self.points]
        outer = ((min(xs), max(xs)), (min(ys), max(ys)))
        return frozenset(
            number for number, point in enumerate(self.points) if point.x in outer[0] or point.y in outer[1]
        )

    @cached_property
    def names(self) -> tuple[str, ...]:
        return tuple(point.name for point in self.points)

    @cached_property
    def _numbers(self) -> dict[str, int]:
        return {name: number for number, name in enumerate(self.names)}

    def number(self, name: str) -> int:
        """Return the number of the point of that name; raises KeyError."""
        return self._numbers[name]

    @cached_property
    def ranks(self) -> tuple[int, ...]:
        """The rank of each point: the number of its height among all heights, from 1 on."""
        heights = sorted({point.y for point in self.points})
        return tuple(heights.index(point.y) + 1 for point in self.points)

    @cached_property
    def files(self) -> tuple[int, ...]:
        """The file of each point, counted from the left, from 1 on."""
        across = sorted({point.x for point in self.points})
        return tuple(across.index(point.x) + 1 for point in self.points)

    def rank(self, point: int) -> int:
        return self.ranks[point]


def _sign(value: int) -> int:
    return (value > 0) - (value < 0)


def _board(
    name: str, title: str, places: dict[str, tuple[int, int]], lines: Iterable[str], is_chequered: bool = False
) -> Board:
    """Make a board from the places of its points and its lines written as names, end to end."""
    points = tuple(sorted((Point(key, x, y) for key, (x, y) in places.items()), key=lambda point: (point.y, point.x)))
    numbers = {point.name: number for number, point in enumerate(points)}
    return Board(
        name, title, points, tuple(tuple(numbers[key] for key in line.split()) for line in lines), is_chequered
    )


def _on_grid(lines: Iterable[str]) -> dict[str, tuple[int, int]]:
    """Return where the points of these lines lie when file and rank of their names are their co-ordinates."""
    return {name: (FILES.index(name[0]), int(name[1:])) for line in lines for name in line.split()}


def _alquerque_triangles() -> Board:
    """Return the alquerque board of five by five with a triangle of six points on each side (Parker 1909: 581–583)."""
    lines = (
        *(f"c{rank} d{rank} e{rank} f{rank} g{rank}" for rank in (3, 4, 6, 7)),
        *(f"{file}3 {file}4 {file}5 {file}6 {file}7" for file in "cdfg"),
        "a5 b5 c5 d5 e5 f5 g5 h5 i5",
        "e1 e2 e3 e4 e5 e6 e7 e8 e9",
        "c3 d4 e5 f6 g7",
        "c7 d6 e5 f4 g3",
        "c1 d2 e3 f4 g5 h6 i7",
        "c9 d8 e7 f6 g5 h4 i3",
        "a3 b4 c5 d6 e7 f8 g9",
        "a7 b6 c5 d4 e3 f2 g1",
        *("h4 h5 h6", "i3 i5 i7", "b4 b5 b6", "a3 a5 a7"),
        *("d2 e2 f2", "c1 e1 g1", "d8 e8 f8", "c9 e9 g9"),
    )
    return _board("alquerque_triangles", "Alquerque board with four triangles", _on_grid(lines), lines)


def _triangle_10() -> Board:
    """Return a triangle with a line down its middle and two lines across beside its base (Ludovisi 1873: 33–34)."""
    places = {"b4": (4, 4)}
    for rank in (3, 2, 1):
        spread = 4 - rank
        places |= {f"a{rank}": (4 - spread, rank), f"b{rank}": (4, rank), f"c{rank}": (4 + spread, rank)}
    lines = (
        *(f"b4 {file}3 {file}2 {file}1" for file in "abc"),
        *(f"a{rank} b{rank} c{rank}" for rank in (3, 2, 1)),
    )
    return _board("triangle_10", "Triangle of ten points", places, lines)


def _squares_3(diagonals: bool) -> Board:
    """Return three squares one in another, joined at the middles of their sides, and at the corners if `diagonals`."""
    lines = (
        *("a1 d1 g1", "b2 d2 f2", "c3 d3 e3", "c5 d5 e5", "b6 d6 f6", "a7 d7 g7"),
        *("a1 a4 a7", "b2 b4 b6", "c3 c4 c5", "e3 e4 e5", "f2 f4 f6", "g1 g4 g7"),
        *("d1 d2 d3", "a4 b4 c4", "e4 f4 g4", "d5 d6 d7"),
        *(("a1 b2 c3", "g1 f2 e3", "a7 b6 c5", "g7 f6 e5") if diagonals else ()),
    )
    name, title = "squares_3", "Three squares"
    if diagonals:
        name, title = "squares_3_diagonals", "Three squares with diagonals"
    return _board(name, title, _on_grid(lines), lines)


def _chequered(name: str, title: str, side: int, corner: bool) -> Board:
    """Return the squares of one colour on a chequered board; `corner`: the lower left square is of that colour."""
    squares = {
        (x, y): f"{FILES[x]}{y}" for x in range(side) for y in range(1, side + 1) if (x + y) % 2 == (1 if corner else 0)
    }
    lines = []
    # Diagonals rise to the right, then to the left; each begins where no square lies before its first.
    for dx in (1, -1):
        for x, y in sorted(squares):
            if (x - dx, y - 1) in squares:
                continue
            # A line of one square, in a corner of the board, leads nowhere.
            line = [squares[x + dx * i, y + i] for i in range(side) if (x + dx * i, y + i) in squares]
            if len(line) > 1:
                lines.append(" ".join(line))
    return _board(name, title, {key: place for place, key in squares.items()}, lines, is_chequered=True)


BOARDS: dict[str, Board] = {
    board.name: board
    for board in (
        _alquerque_triangles(),
        _triangle_10(),
        _squares_3(diagonals=False),
        _squares_3(diagonals=True),
        _chequered("chequered_12", "White squares of a board of twelve by twelve", 12, corner=False),
        _chequered("chequered_8", "Dark squares of a board of eight by eight", 8, corner=True),
    )
}
