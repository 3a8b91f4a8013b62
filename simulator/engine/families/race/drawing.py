"""The board of a race game as SVG: squares, marks, pieces, who waits and who is home. Pure text.

Every seat has a shape of its own, so that pieces are told apart without colour: circle, square, triangle, diamond; a
number in the shape says how many stand together.
"""

from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING
from xml.sax.saxutils import escape

from simulator.engine.boards.race import BOARDS
from simulator.engine.boards.tracks import Board, Place, Square
from simulator.engine.families.race.course import course
from simulator.engine.families.race.notation import board_lines
from simulator.engine.families.race.position import Position
from simulator.engine.families.race.referee import start_array
from simulator.engine.naming import SEAT_NAMES

if TYPE_CHECKING:
    from simulator.engine.ruleset import Ruleset

CELL, MARGIN = 30, 1.2
SHAPE_NAMES = ("circle", "square", "triangle", "diamond")
# Where a seat's pieces stand in a square that another seat's pieces share.
CORNERS = ((-0.22, 0.22), (0.22, 0.22), (0.22, -0.22), (-0.22, -0.22))


def draw_start(ruleset: "Ruleset") -> str:
    """The board before the first throw."""
    return draw(start_array(ruleset.parameters), "The board before the first throw")


def draw(position: Position, title: str) -> str:
    """SVG of a position on its board; marked squares are crossed by diagonals."""
    board = BOARDS[position.rules["board"]]
    waiting = board.waiting[position.rules["seats"]]
    places = [(square.x, square.y) for square in board.squares] + [board.home, *waiting]
    left, right = min(x for x, _ in places) - MARGIN, max(x for x, _ in places) + MARGIN
    low, high = min(y for _, y in places) - MARGIN, max(y for _, y in places) + MARGIN
    width, height = round((right - left) * CELL), round((high - low) * CELL)

    def at(place: Place) -> Place:
        return (place[0] - left) * CELL, (high - place[1]) * CELL

    shapes = [_square(square, at((square.x, square.y))) for square in board.squares]
    if board.enclosure:
        (x, y), wide = at(board.home), board.enclosure * CELL
        shapes.append(f'<rect x="{x - wide / 2:g}" y="{y - wide / 2:g}" width="{wide}" height="{wide}"/>')
    shapes += [_pieces(seat, count, at(place), size) for seat, count, place, size in _standing(position, board)]
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" class="board" role="img" '
        f'style="max-width:{width}px"><title>{escape(title)}</title><desc>{escape(_described(position, board))}</desc>'
        '<g fill="none" stroke="currentColor" stroke-width="1.5" '
        'font-family="inherit" font-size="13" text-anchor="middle">'
        f"{''.join(shapes)}</g></svg>"
    )


def _described(position: Position, board: Board) -> str:
    shapes = ", ".join(
        f"{SEAT_NAMES[seat]} {SHAPE_NAMES[seat]}" for seat, _ in enumerate(board.waiting[position.rules["seats"]])
    )
    lines = list(board_lines(position))[: position.rules["seats"]]
    return f"{board.title}. {sum(square.is_marked for square in board.squares)} squares are marked. {shapes}. " + (
        ". ".join(line[0].upper() + line[1:] for line in lines) + "."
    )


def _square(square: Square, middle: Place) -> str:
    (x, y), half, wide = middle, CELL / 2, CELL * square.width / 2
    frame = f'<rect x="{x - wide:g}" y="{y - half:g}" width="{2 * wide:g}" height="{CELL}"/>'
    if not square.is_marked:
        return frame
    a, b = x - wide, y - half
    cross = f"M{a:g} {b:g}L{x + wide:g} {y + half:g}M{a:g} {y + half:g}L{x + wide:g} {b:g}"
    return f'{frame}<path d="{cross}" stroke-width="0.8"/>'


def _standing(position: Position, board: Board) -> Iterator[tuple[int, int, Place, float]]:
    """(seat, how many, where, size) of pieces that stand together, those that wait and those that are home too."""
    way = course(position.rules)
    on_squares: dict[int, Counter[int]] = {}
    for seat, row in enumerate(position.pieces):
        waiting, home = row.count(0), row.count(way.home)
        if waiting:
            yield seat, waiting, board.waiting[position.rules["seats"]][seat], 0.45
        if home:
            x, y = CORNERS[seat]
            yield seat, home, (board.home[0] + 2 * x, board.home[1] + 2 * y), 0.36
        for step in row:
            if 0 < step < way.home:
                on_squares.setdefault(way.tracks[seat][step], Counter())[seat] += 1
    for number, seats in on_squares.items():
        square = board.squares[number]
        for seat, count in seats.items():
            x, y = (0.0, 0.0) if len(seats) == 1 else CORNERS[seat]
            yield seat, count, (square.x + x, square.y + y), 0.36 if len(seats) == 1 else 0.2


def _pieces(seat: int, count: int, middle: Place, size: float) -> str:
    (x, y), r = middle, size * CELL
    outlines = (
        f'<circle cx="{x:g}" cy="{y:g}" r="{r:g}"',
        f'<path d="M{x - r:g} {y - r:g}h{2 * r:g}v{2 * r:g}h{-2 * r:g}z"',
        f'<path d="M{x:g} {y - 1.15 * r:g}L{x + 1.15 * r:g} {y + 0.9 * r:g}H{x - 1.15 * r:g}z"',
        f'<path d="M{x:g} {y - 1.2 * r:g}L{x + 1.2 * r:g} {y:g}L{x:g} {y + 1.2 * r:g}L{x - 1.2 * r:g} {y:g}z"',
    )
    number = f'<text x="{x:g}" y="{y + 4.5:g}" fill="currentColor" stroke="none">{count}</text>' if count > 1 else ""
    return f'{outlines[seat]} style="fill:Canvas" stroke-width="2"/>{number}'
