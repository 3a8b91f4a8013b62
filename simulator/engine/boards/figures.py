"""Boards of points as data: shapes that are placed, turned and joined, points and lines by hand, and one form for each.

Two ways of writing one figure are one board, and a figure that is a named board is its name.
"""

import json
from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import cache, lru_cache
from itertools import pairwise
from typing import Any

from simulator.engine.boards.drawings import Drawing, Place, WrongFigure, as_step, exact, one_way
from simulator.engine.boards.points import BOARDS, Board
from simulator.engine.boards.shapes import add_shape, is_coloured
from simulator.engine.ruleset import nearest


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
    board, called, _ = _read(json.dumps(figure))
    return board, dict(called)


def places_of(board: str | Mapping[str, Any]) -> dict[str, Place]:
    """Return where the points of a board lie, in units of its figure, by the names they have on it. Raises WrongFigure.

    The points of a named board lie round (0, 0), as a shape does.
    """
    if not isinstance(board, str):
        return dict(_read(json.dumps(board))[2])
    points = BOARDS[board].points
    middle = [Fraction(max(axis) + min(axis), 2) for axis in zip(*((one.x, one.y) for one in points), strict=True)]
    return {one.name: (one.x - middle[0], one.y - middle[1]) for one in points}


@lru_cache(KEPT)  # a document is parsed again for every change of its rules, and its board is drawn besides
def _read(written: str) -> tuple[Board, dict[str, str], dict[str, Place]]:
    figure = json.loads(written)
    drawn = Drawing()
    for number, shape in enumerate(figure.get("shapes", ())):
        add_shape(drawn, shape, f"shapes/{number}")
    names = drawn.names()
    for part, where in ((figure, ""), (figure.get("also", {}), "also/")):
        _add_by_hand(drawn, part, where, names)
    _take_out(drawn, figure.get("without", {}), names)
    if not drawn.steps:
        raise WrongFigure("", "a board has points, and lines that join them")
    board, numbers = drawn.board(bool(figure.get("squares")) or any(map(is_coloured, figure.get("shapes", ()))))
    by_hand = {
        name: board.names[numbers[number]]
        for part in (figure, figure.get("also", {}))
        for name in part.get("points", {})
        if (number := names[name]) in numbers
    }
    called = {name: name for name in board.names} | by_hand
    known = _named().get(_key(board))
    if known is not None:
        # The points of a named board stand in the same order, whatever they are called.
        instead = dict(zip(board.names, known.names, strict=True))
        called = instead | {name: instead[place] for name, place in by_hand.items()}
        board = known
    return board, called, {board.names[number]: drawn.places[one] for one, number in numbers.items()}


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
    lines = frozenset(one_way(line) for line in board.lines)
    return tuple((point.x - left, point.y - low) for point in board.points), lines, board.is_chequered


@cache
def _named() -> dict[tuple[Any, ...], Board]:
    return {_key(board): board for board in BOARDS.values()}


# By hand


def _add_by_hand(drawn: Drawing, part: Mapping[str, Any], where: str, names: dict[str, int]) -> None:
    for name, place in part.get("points", {}).items():
        here = f"{where}points/{name}"
        x, y = (exact(value, here) for value in place)
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
            between = drawn.between(one, other) if one != other else []
            for step in pairwise([one, *between, other]):
                if as_step(*step) not in drawn.steps:
                    raise WrongFigure(where, f"no piece of line joins {' and '.join(line.split()[:2])}")
                drawn.cut(*step)
    for number, name in enumerate(part.get("points", ())):
        drawn.remove(_numbers([name], names, f"without/points/{number}")[0])
