"""Rows: which points make one under the rules, what brings something, what is forbidden, and which pieces a row
removes. Plain Python, for the referee."""

from collections.abc import Mapping
from typing import Any

from simulator.engine.boards.points import Board, Row
from simulator.engine.families.points.position import Position

Rules = Mapping[str, Any]

SEATS = ("first", "second")


def every_row(rules: Rules, board: Board) -> dict[Row, Row]:
    """Return the points of every row that a board has under these rules, each with the points next to it that would
    make it longer."""
    length = rules["row_length"]
    alone = () if length else board.rows(rules["corner_rows"])
    found: dict[Row, Row] = dict.fromkeys(alone, ())
    if length and rules["row_lines"] == "whole":
        once = (line[:-1] if line[0] == line[-1] else line for line in board.lines)
        found = dict.fromkeys((line for line in once if len(line) >= length), ())
    elif length:
        found = board.windows(length, rules["row_lines"])
    return {**found, **dict.fromkeys(board.small_squares, ())} if rules["row_squares"] else found


def rows_of(rules: Rules, board: Board, seat: int) -> dict[Row, Row]:
    """Return the rows that can be rows of that seat: all, or all but those where its pieces stood at the start."""
    found = every_row(rules, board)
    if not rules["home_row"]:
        return found
    home = {number for number, name in enumerate(board.names) if name in rules[f"{SEATS[seat]}_array"]}
    return {row: beyond for row, beyond in found.items() if not home.issuperset(row)}


def deciding(rules: Rules) -> tuple[str, ...]:
    """Return the parameters that say what a row is."""
    which = "row_length" if rules["row_length"] else "corner_rows"
    others = {"row_lines": "drawn", "row_squares": False, "home_row": False, "longer_row": "counts"}
    return (which, *(key for key, off in others.items() if rules[key] != off))


def rows_through(rules: Rules, board: Board, position: Position, seat: int, point: int) -> int:
    """Count the rows in which the piece of that seat on that point stands."""
    return _rows_among(rules, board, position.pieces(seat), seat, point)


def stands_in_row(rules: Rules, board: Board, own: set[int], seat: int, point: int) -> bool:
    """Return whether a piece on a point would stand in a row among these pieces of its player, itself one of them."""
    return _rows_among(rules, board, own, seat, point) > 0


def _rows_among(rules: Rules, board: Board, own: set[int], seat: int, point: int) -> int:
    exact = rules["longer_row"] != "counts"
    return sum(
        point in row and own.issuperset(row) and not (exact and own.intersection(beyond))
        for row, beyond in rows_of(rules, board, seat).items()
    )


def is_too_long(rules: Rules, board: Board, seat: int, own: set[int], point: int) -> bool:
    """Return whether a piece that came to a point to stand among these would stand in a row that is forbidden because
    it is too long."""
    if rules["longer_row"] != "forbidden":
        return False
    filled = own | {point}
    return any(
        point in row and filled.issuperset(row) and filled.intersection(beyond)
        for row, beyond in rows_of(rules, board, seat).items()
    )


def counts(rules: Rules, seat: int) -> bool:
    """Return whether rows of that seat bring anything."""
    return rules["line_by"] in ("both", SEATS[seat])


def removable(rules: Rules, board: Board, position: Position, seat: int) -> list[int]:
    """Return the pieces of that seat its opponent may remove for a row, by ascending point."""
    pieces = sorted(position.pieces(seat))
    if rules["removable"] == "any":
        return pieces
    outside = [point for point in pieces if not rows_through(rules, board, position, seat, point)]
    return outside or pieces if rules["removable"] == "outside_lines_first" else outside
