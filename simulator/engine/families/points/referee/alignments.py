"""Rows of three, what they bring, and the line of the herd. Plain Python, for the referee."""

from simulator.engine.boards.points import Board
from simulator.engine.families.points.position import Position
from simulator.engine.families.points.referee.movement import SEATS, Rules


def rows_through(rules: Rules, board: Board, position: Position, seat: int, point: int) -> int:
    """In how many rows of three the piece of that seat on that point stands."""
    own = position.pieces(seat)
    return sum(point in row and own.issuperset(row) for row in board.rows(rules["corner_rows"]))


def row_counts(rules: Rules, seat: int) -> bool:
    """Whether rows of that seat bring anything."""
    return rules["line_by"] in ("both", SEATS[seat])


def removable(rules: Rules, board: Board, position: Position, seat: int) -> list[int]:
    """The pieces of that seat its opponent may remove for a row, by ascending point."""
    pieces = sorted(position.pieces(seat))
    if rules["removable"] == "any":
        return pieces
    outside = [point for point in pieces if not rows_through(rules, board, position, seat, point)]
    return outside or pieces if rules["removable"] == "outside_lines_first" else outside


def line_is_passed(rules: Rules, board: Board, position: Position) -> bool:
    """Whether a piece of the first player has passed all of the second player's, who come down the board.

    Pieces that are not on the board stand nowhere: without any there is no line to pass.
    """
    herd = [board.rank(point) for point in position.pieces(1)]
    hunters = [board.rank(point) for point in position.pieces(0)]
    if rules["line_passed"] == "off" or not herd or not hunters:
        return False
    hindmost, farthest = max(herd), max(hunters)
    return hindmost <= farthest if rules["line_passed"] == "level" else hindmost < farthest
