"""A ruleset's parameters and its board as one array of integers, for the kernel.

A word of text becomes its place in the schema's list, a flag 0 or 1; lists of points become sets. Behind the parameters
stands the geometry: where a piece may step and whom it may jump over, point by point, as sets of bits. The number of
words of a set is the length of a tuple, so that it is a constant of the compiled code: small boards do not pay for
large ones.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import numpy as np

from simulator.engine.boards.points import BOARDS, Board
from simulator.engine.families.points.parameters import PROPERTIES

KEYS = tuple(key for key in PROPERTIES if key != "family")

(R_BOARD, R_FIRST_PIECES, R_SECOND_PIECES, R_FIRST_ARRAY, R_SECOND_ARRAY, R_BEGINS, R_LAYING_ENDS) = range(7)
(R_LAYING_LEAVES, R_FIRST_MOVE_BY, R_LAY_SAFE, R_REACH, _, R_STEPS, _, R_MOVES_TO, R_FLIES_AT) = range(7, 16)
(R_CAPTURES_BY, R_CAPTURES, R_COMPULSORY, R_CHAIN, R_LIFTED, R_KINGS, R_KING_LANDS, R_KING_TURNS) = range(16, 24)
(R_CROWNING, _, _, R_LINE_LAYING, R_LINE_MOVING, R_LINE_BY, R_REMOVABLE, R_LOSES_BELOW, _) = range(24, 33)
(R_STUCK, _, R_STUCK_AFTER_LAYING, R_LINE_PASSED, R_REPETITION, R_IDLE, R_TURN_LIMIT) = range(33, 40)
# What follows from the parameters and the board.
R_POINTS, R_SIMPLE, _, R_PLAIN, _, R_HAND, _, R_BOUNDED, R_FIRST_WAY, R_WAY_STEP, R_TABLES = range(40, 51)

# Values the kernel asks for, by the place of the word in the schema's list.
BOTH_HANDS, EITHER_HAND = 1, 2
FIRST_PIECE, EVERY_PIECE = 1, 2
VACANT = 1
CAPTURES_BOTH = 3
MAY_GO_ON, MUST_GO_ON = 1, 2
AFTER_TURN = 1
FLYING = 2
ANY_BEYOND = 1
AT_EDGE = 1
ON_STOPPING, ENDS_TURN, GOES_ON_AS_KING, FIRST_HOP_ONLY = range(4)
LAY_AGAIN, LINE_REMOVES, LINE_WINS = 1, 2, 3
MOVING_REMOVES, MOVING_REMOVES_AND_MOVES = 1, 2
OUTSIDE_FIRST, OUTSIDE_ONLY = 1, 2
PASSES, LOSES, LOSES_AFTER_PASS = 0, 1, 2
LEVEL = 1

DIRECTIONS = 8
MOST_ROWS = 4  # of three, through one point

Sets = tuple[int, ...]


def width(points: int) -> int:
    """Words of a set of points."""
    return 1 if points <= 64 else 2


def compile_rules(parameters: Mapping[str, Any]) -> tuple[np.ndarray, tuple[int, ...]]:
    """(the parameters in schema order, what follows from them, the tables; one 0 for each word of a set)."""
    board = BOARDS[parameters["board"]]
    numbers = [_number(parameters[key], PROPERTIES[key]) for key in KEYS]
    hands = [parameters[f"{seat}_pieces"] - len(parameters[f"{seat}_array"]) for seat in ("first", "second")]
    simple = [int(parameters[f"{seat}_reach"] == 1) for seat in ("first", "second")]
    takes = {"off": (), "first": ("first",), "second": ("second",), "both": ("first", "second")}
    plain = [
        int(near and parameters["kings"] == "off" and seat not in takes[parameters["captures_by"]])
        for seat, near in zip(("first", "second"), simple, strict=True)
    ]
    bounded = bool(parameters["repetition"] or parameters["idle_turns"] or parameters["turn_limit"])
    head = [*numbers, len(board.points), *simple, *plain, *hands, int(bounded), *_ways(board)]
    words = width(len(board.points))
    return np.array([*head, *_tables(board, parameters, words)], dtype=np.int64), (0,) * words


def _number(value: Any, spec: Mapping[str, Any]) -> int:
    if isinstance(value, list):
        return 0
    if isinstance(value, str):
        return int(spec["enum"].index(value))
    return int(value)


# The tables, in order; P points, W words of a set. See `places` below for where each begins.
def _tables(board: Board, parameters: Mapping[str, Any], words: int) -> Iterable[int]:
    points = range(len(board.points))
    everything = (1 << len(board.points)) - 1
    yield from _words(everything, words)
    for key in ("first_array", "second_array", "first_crowned_at", "second_crowned_at"):
        yield from _words(_set(board.number(name) for name in parameters[key]), words)
    yield from _words(_set(board.edge), words)
    for kind in range(3):  # first player's men, second player's men, kings
        for point in points:
            yield from _words(_steps(board, parameters, kind, point), words)
    for kind in range(3):
        for point in points:
            yield from _words(_jumped(board, parameters, kind, point), words)
    for point in points:
        yield from board.towards[point]
    for point in points:
        yield from _bearings(board, point)
    for point in points:
        yield board.points[point].y
    for point in points:
        for direction in range(DIRECTIONS):
            yield from _words(_set(_ray(board, point, direction)), words)
    for point in points:
        others = [_set(p for p in row if p != point) for row in board.rows_of_three if point in row]
        for row in (*others, *[0] * (MOST_ROWS - len(others))):
            yield from _words(row, words)


def _words(points: int, words: int) -> Iterable[int]:
    """A set as signed words of 64 bits."""
    for place in range(words):
        word = points >> (64 * place) & (1 << 64) - 1
        yield word - (1 << 64) if word >> 63 else word


def _set(points: Iterable[int]) -> int:
    return sum(1 << point for point in points)


def _is_allowed(rule: str, kind: int, direction: int) -> bool:
    """Whether a piece of that kind may go in that direction; 1 to 3 lead up the board, 5 to 7 down."""
    if kind == 2 or rule == "any":
        return True
    forward = (1, 2, 3) if kind == 0 else (5, 6, 7)
    return direction in forward or (rule == "forward_and_sideways" and direction in (0, 4))


def _steps(board: Board, parameters: Mapping[str, Any], kind: int, point: int) -> int:
    rule = parameters[("first_steps", "second_steps", "first_steps")[kind]]
    ways = enumerate(board.towards[point])
    return _set(to for direction, to in ways if to >= 0 and _is_allowed(rule, kind, direction))


def _jumped(board: Board, parameters: Mapping[str, Any], kind: int, point: int) -> int:
    """The points a piece may jump over from here, if the point beyond is vacant."""
    ways = enumerate(board.towards[point])
    return _set(
        over
        for direction, over in ways
        if over >= 0 and board.towards[over][direction] >= 0 and _is_allowed(parameters["captures"], kind, direction)
    )


def _ways(board: Board) -> tuple[int, int]:
    """The first direction in which the board has lines, and from each to the next."""
    diagonal = all(row[direction] < 0 for row in board.towards for direction in range(0, DIRECTIONS, 2))
    return (1, 2) if diagonal else (0, 1)


def _ray(board: Board, point: int, direction: int) -> Iterator[int]:
    """The points that lie in that direction, the nearest first."""
    there = board.towards[point][direction]
    while there >= 0:
        yield there
        there = board.towards[there][direction]


def _bearings(board: Board, point: int) -> list[int]:
    """For every other point the direction it lies in from here along a line, plus 1; 0 if it lies in none."""
    found = [0] * len(board.points)
    for direction in range(DIRECTIONS):
        for there in _ray(board, point, direction):
            found[there] = direction + 1
    return found
