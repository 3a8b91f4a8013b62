"""The board of a race game as SVG: squares, marks, pieces, who waits and who is home. Pure text."""

from collections.abc import Callable, Collection, Iterator
from typing import TYPE_CHECKING

from simulator.engine.board_sheet import Sheet, cross
from simulator.engine.boards.race import BOARDS
from simulator.engine.boards.tracks import Board, Place, Square
from simulator.engine.families.race import drawn_pieces
from simulator.engine.families.race.drawn_pieces import CELL, SHAPE_NAMES, Standing
from simulator.engine.families.race.notation import board_lines
from simulator.engine.families.race.places import HOME, waiting_name
from simulator.engine.families.race.position import Position
from simulator.engine.families.race.referee.contract import start_array
from simulator.engine.naming import SEAT_NAMES

if TYPE_CHECKING:
    from simulator.engine.ruleset import Ruleset

MARGIN = 1.2
THIN = ' stroke-width="0.8"'  # of marks
INSIDE = " Of the pieces in the central square those at its sides wait, those round its middle are home."
LYING = " A flat piece treads its square for the second time, on the way home."
At = Callable[[float, float], Place]  # a place of the board -> a place of the sheet


def draw_start(ruleset: "Ruleset") -> str:
    """The board before the first throw."""
    return draw(ruleset, start_array(ruleset.parameters), "The board before the first throw")


def draw(ruleset: "Ruleset", position: Position, title: str, marked: Collection[str] = ()) -> str:
    """SVG of a position on its board; marked squares are crossed by diagonals."""
    board = BOARDS[ruleset.parameters["board"]]
    waiting = board.waiting[ruleset.parameters["seats"]]
    places = [(square.x, square.y) for square in board.squares] + [board.home, *waiting]
    left, right = min(x for x, _ in places) - MARGIN, max(x for x, _ in places) + MARGIN
    low, high = min(y for _, y in places) - MARGIN, max(y for _, y in places) + MARGIN
    sheet = Sheet(round((right - left) * CELL), round((high - low) * CELL), marked)

    def at(x: float, y: float) -> Place:
        return (x - left) * CELL, (high - y) * CELL

    standing = drawn_pieces.standing(position, board)
    _draw_squares(sheet, board, standing, at)
    _draw_home(sheet, board, position, at(*board.home))
    for seat, place in enumerate(waiting):
        middle = at(*place)
        shapes = [_box(middle, 0.8, False), drawn_pieces.waiting(position, seat, middle)]
        sheet.place(waiting_name(seat), middle, CELL * 0.45, shapes)
    is_lying = any(is_flat for those in standing for _, is_flat in those)
    return sheet.svg(title, _described(position, board) + (LYING if is_lying else ""))


def _described(position: Position, board: Board) -> str:
    shapes = ", ".join(
        f"{SEAT_NAMES[seat]} {SHAPE_NAMES[seat]}" for seat, _ in enumerate(board.waiting[position.rules["seats"]])
    )
    lines = list(board_lines(position))[: position.rules["seats"]]
    words = ". ".join(line[0].upper() + line[1:] for line in lines)
    marks = sum(square.is_marked for square in board.squares)
    return f"{board.title}. {marks} squares are marked. {shapes}. {words}." + (INSIDE if board.waits_inside else "")


def _draw_squares(sheet: Sheet, board: Board, standing: list[Standing], at: At) -> None:
    sheet.add(_joint_mark([board.squares[number] for number in joint], at) for joint in board.joint_marks)
    joined = {number for joint in board.joint_marks for number in joint}
    for number, (square, those) in enumerate(zip(board.squares, standing, strict=True)):
        middle = at(square.x, square.y)
        shapes = [*_square(square, middle, number not in joined), *drawn_pieces.on_square(those, middle)]
        sheet.place(square.name, middle, CELL / 2, shapes, drawn_pieces.in_words(those))


def _square(square: Square, middle: Place, has_own_mark: bool) -> Iterator[str]:
    (x, y), half, wide = middle, CELL / 2, CELL * square.width / 2
    yield f'<rect x="{x - wide:g}" y="{y - half:g}" width="{2 * wide:g}" height="{CELL}"/>'
    if square.is_marked and has_own_mark:
        yield cross(x, y, wide, half, THIN)


def _joint_mark(squares: list[Square], at: At) -> str:
    """One cross over several squares."""
    left, right = min(square.x for square in squares) - 0.5, max(square.x for square in squares) + 0.5
    low, high = min(square.y for square in squares) - 0.5, max(square.y for square in squares) + 0.5
    x, y = at((left + right) / 2, (low + high) / 2)
    return cross(x, y, (right - left) * CELL / 2, (high - low) * CELL / 2, THIN)


def _draw_home(sheet: Sheet, board: Board, position: Position, middle: Place) -> None:
    """Where pieces go out; where there is a central square, it."""
    wide = board.enclosure or 1.8
    half = wide * CELL / 2
    diagonals = [cross(*middle, half, half, THIN)] if board.has_diagonals else []
    box = _box(middle, wide, bool(board.enclosure))
    sheet.place(HOME, middle, half, [box, *diagonals, *drawn_pieces.at_home(position, middle)])


def _box(middle: Place, wide: float, is_drawn: bool) -> str:
    """The central square; where the board has none, room for a click."""
    (x, y), width = middle, wide * CELL
    unseen = "" if is_drawn else ' class="room" stroke="none"'
    return f'<rect x="{x - width / 2:g}" y="{y - width / 2:g}" width="{width:g}" height="{width:g}"{unseen}/>'
