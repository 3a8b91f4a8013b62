"""The board of a race game as SVG: squares, marks, pieces, who waits and who is home. Pure text.

Every seat has a shape of its own, so that pieces are told apart without colour: circle, square, triangle, diamond; a
number in the shape says how many stand together.
"""

from collections import Counter
from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING

from simulator.engine.board_sheet import Sheet, cross, lettering
from simulator.engine.boards.race import BOARDS
from simulator.engine.boards.tracks import Board, Place, Square
from simulator.engine.families.race.notation import board_lines
from simulator.engine.families.race.places import HOME, waiting_name
from simulator.engine.families.race.position import Position
from simulator.engine.families.race.referee.contract import start_array
from simulator.engine.families.race.referee.course import course
from simulator.engine.naming import SEAT_NAMES

if TYPE_CHECKING:
    from simulator.engine.ruleset import Ruleset

CELL, MARGIN = 30, 1.2
SHAPE_NAMES = ("circle", "square", "triangle", "diamond")
# Where a seat's pieces stand in a square that another seat's pieces share.
CORNERS = ((-0.22, 0.22), (0.22, 0.22), (0.22, -0.22), (-0.22, -0.22))
ALONE, SHARED, WAITING = 0.36, 0.2, 0.45  # sizes of pieces


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

    for square, standing in zip(board.squares, _standing(position, board), strict=True):
        middle = at(square.x, square.y)
        sheet.place(square.name, middle, CELL / 2, [*_square(square, middle), *_pieces(standing, middle)])
    home = at(*board.home)
    wide = board.enclosure or 1.8
    sheet.place(HOME, home, wide * CELL / 2, [_box(home, wide, bool(board.enclosure)), *_at_home(position, home)])
    for seat, place in enumerate(waiting):
        count, middle = position.waiting(seat), at(*place)
        shapes = [_box(middle, 1, False), *([_piece(seat, count, middle, WAITING)] if count else [])]
        sheet.place(waiting_name(seat), middle, CELL * 0.6, shapes)
    return sheet.svg(title, _described(position, board))


def _described(position: Position, board: Board) -> str:
    shapes = ", ".join(
        f"{SEAT_NAMES[seat]} {SHAPE_NAMES[seat]}" for seat, _ in enumerate(board.waiting[position.rules["seats"]])
    )
    lines = list(board_lines(position))[: position.rules["seats"]]
    return f"{board.title}. {sum(square.is_marked for square in board.squares)} squares are marked. {shapes}. " + (
        ". ".join(line[0].upper() + line[1:] for line in lines) + "."
    )


def _square(square: Square, middle: Place) -> Iterator[str]:
    (x, y), half, wide = middle, CELL / 2, CELL * square.width / 2
    yield f'<rect x="{x - wide:g}" y="{y - half:g}" width="{2 * wide:g}" height="{CELL}"/>'
    if square.is_marked:
        yield cross(x, y, wide, half, ' stroke-width="0.8"')


def _box(middle: Place, wide: float, is_drawn: bool) -> str:
    """The central square; where the board has none, room for a click."""
    (x, y), width = middle, wide * CELL
    unseen = "" if is_drawn else ' class="room" stroke="none"'
    return f'<rect x="{x - width / 2:g}" y="{y - width / 2:g}" width="{width:g}" height="{width:g}"{unseen}/>'


def _standing(position: Position, board: Board) -> list[Counter[int]]:
    """For each square how many pieces of each seat stand on it."""
    way = course(position.rules)
    found: list[Counter[int]] = [Counter() for _ in board.squares]
    for seat, row in enumerate(position.pieces):
        for step in row:
            if 0 < step < way.home:
                found[way.tracks[seat][step]][seat] += 1
    return found


def _pieces(standing: Counter[int], middle: Place) -> Iterator[str]:
    """The pieces on one square: those of one seat in its middle, those of several in its corners."""
    for seat, count in standing.items():
        where = middle if len(standing) == 1 else _corner(seat, middle, 1)
        yield _piece(seat, count, where, ALONE if len(standing) == 1 else SHARED)


def _at_home(position: Position, middle: Place) -> Iterator[str]:
    for seat, row in enumerate(position.pieces):
        if count := row.count(course(position.rules).home):
            yield _piece(seat, count, _corner(seat, middle, 2), ALONE)


def _corner(seat: int, middle: Place, spread: float) -> Place:
    (x, y), (right, up) = middle, CORNERS[seat]
    return x + spread * right * CELL, y - spread * up * CELL


def _piece(seat: int, count: int, middle: Place, size: float) -> str:
    """A seat's shape; how many stand together is written in it."""
    (x, y), r = middle, size * CELL
    outlines = (
        f'<circle cx="{x:g}" cy="{y:g}" r="{r:g}"',
        f'<path d="M{x - r:g} {y - r:g}h{2 * r:g}v{2 * r:g}h{-2 * r:g}z"',
        f'<path d="M{x:g} {y - 1.15 * r:g}L{x + 1.15 * r:g} {y + 0.9 * r:g}H{x - 1.15 * r:g}z"',
        f'<path d="M{x:g} {y - 1.2 * r:g}L{x + 1.2 * r:g} {y:g}L{x:g} {y + 1.2 * r:g}L{x - 1.2 * r:g} {y:g}z"',
    )
    return f'{outlines[seat]} fill="Canvas" stroke-width="2"/>' + (lettering(x, y + 4.5, count) if count > 1 else "")
