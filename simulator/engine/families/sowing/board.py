"""The holes of a sowing board: their names, whose they are, which one comes after which, and which lie opposite.

Two rows, one a player, are the usual board. Of any other number of rows (1 is a ring) the players own the lower and the
upper half, and sow round their own; of three each owns the outer row and what is to his right of the middle one. A
document may say otherwise by `circuits` and `owners`. In tables holes are called by the letter of their row, a the
lowest, and by their number from the left as seen from below: `b3`, `a1-a6`.
"""

import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

ROW_LETTERS = "abcdef"
MOST_HOLES, MOST_OWN = 128, 64  # on a board; that one player may start from
NOBODY = -1
PART = re.compile(r"([a-f])([1-9][0-9]?)(?:-([a-f])([1-9][0-9]?))?")

Pair = tuple[tuple[int, ...], tuple[int, ...]]


@dataclass(frozen=True, slots=True, eq=False)
class Board:
    """Holes by number: rows of the lower half from the left, those of the upper half from the right.

    own:    holes that a seat may start from, from his left, the row next to him first
    owner:  0, 1 or NOBODY, by hole
    after, before: by seat and hole the one that follows anticlockwise, or clockwise, mostly the same way turned round;
            the hole itself where it is on no way of that seat
    facing: by hole those of the other half in its column, the nearest first; on a ring the one across
    inner, ends: holes of the rows next to the middle; holes at the end of a row
    places: (x, y) by hole, for drawings: the pitch is 1, the first hole of the lowest row at (0, 0)
    standard: whether this is the usual board of two rows
    """

    rows: int
    columns: int
    own: Pair
    owner: tuple[int, ...]
    after: Pair
    before: Pair
    facing: tuple[tuple[int, ...], ...]
    inner: frozenset[int]
    ends: frozenset[int]
    places: tuple[tuple[float, float], ...]
    standard: bool

    @property
    def size(self) -> int:
        return self.rows * self.columns

    def name(self, hole: int) -> str:
        """Return the name of a hole in tables."""
        row, column = divmod(hole, self.columns)
        return f"{ROW_LETTERS[row]}{1 + (column if self.is_lower(row) else self.columns - 1 - column)}"

    def is_lower(self, row: int) -> bool:
        return is_lower(self.rows, row)

    def row_of(self, hole: int) -> int:
        return hole // self.columns

    def step(self, seat: int, hole: int, heading: int) -> int:
        return (self.after if heading > 0 else self.before)[seat][hole]


def is_lower(rows: int, row: int) -> bool:
    """Return whether holes of a row are counted from the left: those of the lower half, and of a middle row."""
    return 2 * row < rows


def number_of(rows: int, columns: int, row: int, column: int) -> int:
    """Return the number of a hole; rows and columns are counted from the lower left corner, from 0."""
    return row * columns + (column if is_lower(rows, row) else columns - 1 - column)


class NoSuchHole(ValueError):
    """A way or a list of holes names what is none."""


def holes_named(rows: int, columns: int, words: str | Iterable[str]) -> list[int]:
    """Return the numbers of holes that are named one by one or from one to another of a row; raises NoSuchHole."""
    found: list[int] = []
    for part in words.split() if isinstance(words, str) else words:
        named = PART.fullmatch(part)
        if named is None or (named[3] or named[1]) != named[1]:
            raise NoSuchHole(f"{part[:40]!r} is no hole, and no stretch of a row such as a1-a{columns}")
        row, first, last = ROW_LETTERS.index(named[1]), int(named[2]), int(named[4] or named[2])
        if row >= rows or max(first, last) > columns:
            raise NoSuchHole(f"{part!r} is not on a board of {rows} × {columns} holes")
        step = 1 if last >= first else -1
        found += [number_of(rows, columns, row, column - 1) for column in range(first, last + step, step)]
    return found


def written(board_rows: int, columns: int, holes: Sequence[int]) -> str:
    """Write holes as a way does, stretches of a row as such: the one form of what can be written in several."""
    spots = [_spot(board_rows, columns, hole) for hole in holes]
    parts, begin = [], 0
    while begin < len(spots):
        end = begin
        while end + 1 < len(spots) and _go_on(spots, begin, end):
            end += 1
        names = [f"{ROW_LETTERS[row]}{column + 1}" for row, column in (spots[begin], spots[end])]
        parts.append(names[0] if begin == end else "-".join(names))
        begin = end + 1
    return " ".join(parts)


def _spot(rows: int, columns: int, hole: int) -> tuple[int, int]:
    row, column = divmod(hole, columns)
    return row, column if is_lower(rows, row) else columns - 1 - column


def _go_on(spots: list[tuple[int, int]], begin: int, end: int) -> bool:
    step = spots[end + 1][1] - spots[end][1]
    same = spots[end + 1][0] == spots[end][0] and abs(step) == 1
    return same and (begin == end or step == spots[end][1] - spots[end - 1][1])


def usual_circuits(rows: int, columns: int) -> list[list[int]]:
    """Return the ways where a document draws none: one round two or three rows or a ring, else one round each half."""

    def row(number: int, left_to_right: bool, stretch: slice = slice(None)) -> list[int]:
        holes = [number_of(rows, columns, number, column) for column in range(columns)]
        return (holes if left_to_right else holes[::-1])[stretch]

    half = columns // 2
    if rows < 3:
        return [[hole for number in range(rows) for hole in row(number, number == 0)]]
    if rows == 3:
        middle = row(1, False)
        return [[*row(0, True), *middle[:half], *row(2, False), *middle[half:][::-1]]]
    lower = [hole for number in range(rows // 2) for hole in row(number, number % 2 == 0)]
    upper = [hole for number in range(rows // 2) for hole in row(rows - 1 - number, number % 2 == 1)]
    return [lower, upper]


def usual_owners(rows: int, columns: int) -> list[list[int]]:
    """Return whose holes are whose where a document does not say: nobody's on a ring and in a middle hole."""
    if rows == 1:
        return [list(range(columns)), list(range(columns))]
    lower = [hole for hole in range(rows * columns) if hole // columns < rows // 2]
    upper = [hole for hole in range(rows * columns) if hole // columns >= (rows + 1) // 2]
    if rows % 2:
        middle, half = [rows // 2 * columns + column for column in range(columns)], columns // 2
        lower, upper = lower + middle[columns - half :], upper + middle[:half]
    return [lower, upper]


@lru_cache(200)
def _board(rows: int, columns: int, circuits: tuple[str, ...], owners: tuple[str, ...]) -> Board:
    size = rows * columns
    ways = [holes_named(rows, columns, way) for way in circuits] or usual_circuits(rows, columns)
    owned = [holes_named(rows, columns, holes) for holes in owners] or usual_owners(rows, columns)
    after, before = [list(range(size)), list(range(size))], [list(range(size)), list(range(size))]
    for seat in (0, 1):
        way = ways[seat % len(ways)] if len(ways) < 3 else ways[2 * seat]
        back = way[::-1] if len(ways) < 3 else ways[2 * seat + 1]
        for steps, holes in ((after[seat], way), (before[seat], back)):
            for hole, following in zip(holes, [*holes[1:], holes[0]], strict=True):
                steps[hole] = following
    owner = [NOBODY] * size
    for hole in range(size):
        of = [seat for seat in (0, 1) if hole in owned[seat]]
        owner[hole] = of[0] if len(of) == 1 else NOBODY
    upper = sorted(owned[1], key=lambda hole: (-(hole // columns), hole))
    spots = [_spot(rows, columns, hole) for hole in range(size)]
    inner = {hole for hole in range(size) if hole // columns in ((rows - 1) // 2, rows // 2)}
    return Board(
        *(rows, columns, (tuple(sorted(owned[0])), tuple(upper)), tuple(owner)),
        *((tuple(after[0]), tuple(after[1])), (tuple(before[0]), tuple(before[1]))),
        tuple(tuple(_facing(rows, columns, hole)) for hole in range(size)),
        frozenset(inner),
        frozenset(hole for hole, (_, column) in enumerate(spots) if column in (0, columns - 1)),
        tuple(_places(rows, columns, spots)),
        rows == 2 and not circuits and not owners,
    )


def _facing(rows: int, columns: int, hole: int) -> Iterator[int]:
    row, column = _spot(rows, columns, hole)
    if rows == 1:
        if columns % 2 == 0:
            yield (hole + columns // 2) % columns
    elif is_lower(rows, row) and 2 * row != rows - 1:
        yield from (number_of(rows, columns, other, column) for other in range((rows + 1) // 2, rows))
    elif 2 * row != rows - 1:
        yield from (number_of(rows, columns, other, column) for other in reversed(range(rows // 2)))


def _places(rows: int, columns: int, spots: list[tuple[int, int]]) -> Iterator[tuple[float, float]]:
    if rows > 1:
        yield from ((column, row) for row, column in spots)
        return
    radius = 0.5 / math.sin(math.pi / columns)
    for column in range(columns):  # anticlockwise from the lower left
        angle = -math.pi / 2 + 2 * math.pi * (column - 0.5) / columns
        yield radius * (1 + math.cos(angle)), radius * (1 + math.sin(angle))


def two_rows(columns: int) -> Board:
    """Return the usual board."""
    return _board(2, columns, (), ())


def board_of(parameters: Mapping[str, Any]) -> Board:
    """Return the board of a ruleset's parameters; raises NoSuchHole for names of holes that it has not."""
    owners, circuits = tuple(parameters["owners"]), tuple(parameters["circuits"])
    return _board(parameters["rows"], parameters["holes_per_row"], circuits, owners)
