"""Boards of points joined by straight lines: the geometry that referees, kernels and drawings share.

A board is given by where its points lie and which lines are drawn. Everything else (the eight compass directions, rows
of three, the edge) is worked out from these two, so a picture of a board and the game on it cannot disagree.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

# Compass directions 0..7: east, north-east, north, … anticlockwise. The first player sees north ahead.
EAST, NORTH_EAST, NORTH, NORTH_WEST, WEST, SOUTH_WEST, SOUTH, SOUTH_EAST = range(8)
COMPASS = {(1, 0): 0, (1, 1): 1, (0, 1): 2, (-1, 1): 3, (-1, 0): 4, (-1, -1): 5, (0, -1): 6, (1, -1): 7}

FILES = "abcdefghijkl"
NOWHERE = -1


def opposite(direction: int) -> int:
    return (direction + 4) % 8


@dataclass(frozen=True, slots=True)
class Point:
    """A place for one piece. x grows eastward, y northward; y is also its rank, counted from 1."""

    name: str
    x: int
    y: int


@dataclass(frozen=True)
class Board:
    """Points in ascending order from the lowest rank, left to right, and the straight lines drawn through them.

    lines: every drawn line as the numbers of all its points, from one end to the other
    has_rows: whether three pieces on one line can be a row (boards whose every line has three points)
    """

    name: str
    title: str
    points: tuple[Point, ...]
    lines: tuple[tuple[int, ...], ...]
    has_rows: bool = False

    @property
    def is_chequered(self) -> bool:
        """Whether its points are the squares of one colour."""
        return self.name.startswith("chequered")

    @cached_property
    def towards(self) -> tuple[tuple[int, ...], ...]:
        """towards[point][direction]: the next point along the line in that compass direction, or -1."""
        table = [[NOWHERE] * 8 for _ in self.points]
        for line in self.lines:
            for here, there in pairwise(line):
                heading = self._heading(here, there)
                # A line is walked in both directions, so each step is entered twice, the second time with the opposite
                # heading.
                table[here][heading] = there
                table[there][opposite(heading)] = here
        return tuple(tuple(row) for row in table)

    @cached_property
    def rays(self) -> tuple[tuple[tuple[int, ...], ...], ...]:
        """rays[point][direction]: every point ahead along the line in that compass direction, the nearest first."""
        return tuple(
            tuple(tuple(self._ahead(point, direction)) for direction in range(8)) for point in range(len(self.points))
        )

    def _ahead(self, point: int, direction: int) -> Iterator[int]:
        while (point := self.towards[point][direction]) != NOWHERE:
            yield point

    def _heading(self, here: int, there: int) -> int:
        a, b = self.points[here], self.points[there]
        # Neighbours on a line may lie several units apart: only the signs of the differences make the direction.
        return COMPASS[_sign(b.x - a.x), _sign(b.y - a.y)]

    @cached_property
    def edges(self) -> tuple[tuple[int, int], ...]:
        """Pairs of neighbouring points, each once, ascending."""
        return tuple(
            # towards has each pair in both orders; the one with the lower point first is kept.
            sorted(
                (here, there) for here, neighbours in enumerate(self.towards) for there in neighbours if there > here
            )
        )

    @cached_property
    def rows_of_three(self) -> tuple[tuple[int, ...], ...]:
        """Return the lines on which three pieces make a row, in the order of `lines`; none on boards without rows."""
        return self.lines if self.has_rows else ()

    def rows(self, corner_rows: str = "count") -> tuple[tuple[int, ...], ...]:
        """Return the rows of three; without the slanting ones, which join corners, where those serve for steps only."""
        return self.rows_of_three if corner_rows == "count" else self._rows_along_sides

    @cached_property
    def _rows_along_sides(self) -> tuple[tuple[int, ...], ...]:
        # Even directions are along files and ranks, odd ones slant.
        return tuple(row for row in self.rows_of_three if self._heading(row[0], row[1]) % 2 == 0)

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

    def rank(self, point: int) -> int:
        return self.points[point].y


def _sign(value: int) -> int:
    return (value > 0) - (value < 0)


def _board(
    name: str, title: str, places: dict[str, tuple[int, int]], lines: Iterable[str], rows: bool = False
) -> Board:
    """Make a board from the places of its points and its lines written as names, end to end."""
    points = tuple(sorted((Point(key, x, y) for key, (x, y) in places.items()), key=lambda point: (point.y, point.x)))
    numbers = {point.name: number for number, point in enumerate(points)}
    return Board(name, title, points, tuple(tuple(numbers[key] for key in line.split()) for line in lines), rows)


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
    return _board(name, title, _on_grid(lines), lines, rows=True)


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
    return _board(name, title, {key: place for place, key in squares.items()}, lines)


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
