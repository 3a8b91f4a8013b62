"""The board of a points game as SVG, from the geometry the engines play on. Pure text, for pages and replays.

The first player's pieces are discs, the second player's open squares, and a king has a second ring round it, so that
nothing rests on colour.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING
from xml.sax.saxutils import escape

from simulator.engine.boards.points import BOARDS, Board
from simulator.engine.families.points.notation import file_letters
from simulator.engine.families.points.position import Position
from simulator.engine.families.points.referee import start
from simulator.engine.naming import SEAT_NAMES

if TYPE_CHECKING:
    from simulator.engine.ruleset import Ruleset

UNIT, MARGIN, LABEL, PIECE, RING, DOT = 40, 42, 36, 12, 17, 3.5
SHAPES = ("discs", "squares")


def draw_start(ruleset: "Ruleset") -> str:
    """The board before the first move."""
    board = BOARDS[ruleset.parameters["board"]]
    return draw(board, start(ruleset.parameters), "The board before the first move")


def draw(board: Board, position: Position, title: str) -> str:
    """SVG of a position, the first player below."""
    canvas = _Canvas(board)
    shapes = [*(canvas.squares() if _is_chequered(board) else canvas.lines()), *canvas.labels()]
    for point in range(len(board.points)):
        shapes += canvas.piece(position, point)
    shapes += canvas.hands(position)
    width, height = canvas.width, canvas.height + (UNIT if any(position.hands) else 0)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" class="board" role="img" '
        f'style="max-width:{width}px"><title>{escape(title)}</title><desc>{escape(_described(board, position))}</desc>'
        '<g fill="none" stroke="currentColor" stroke-width="1.5" font-family="inherit" font-size="13" '
        f'text-anchor="middle">{"".join(shapes)}</g></svg>'
    )


def _is_chequered(board: Board) -> bool:
    return board.name.startswith("chequered")


class _Canvas:
    """The places of a board's points on the drawing."""

    def __init__(self, board: Board) -> None:
        self.board = board
        self.left, self.top = min(point.x for point in board.points), max(point.y for point in board.points)
        self.right, self.bottom = max(point.x for point in board.points), min(point.y for point in board.points)
        self.width = (self.right - self.left) * UNIT + 2 * MARGIN
        self.height = (self.top - self.bottom) * UNIT + 2 * MARGIN

    def place(self, x: int, y: int) -> tuple[int, int]:
        return MARGIN + (x - self.left) * UNIT, MARGIN + (self.top - y) * UNIT

    def squares(self) -> Iterator[str]:
        """All squares of a chequered board; the lower left corner is dark. Play is on one colour only."""
        for y in range(self.bottom, self.top + 1):
            for x in range(self.left, self.right + 1):
                is_dark = (x - self.left + y - self.bottom) % 2 == 0
                shade = ' fill="currentColor" fill-opacity="0.18"' if is_dark else ""
                across, down = (middle - UNIT / 2 for middle in self.place(x, y))
                yield f'<rect x="{across:g}" y="{down:g}" width="{UNIT}" height="{UNIT}" stroke-width="0.5"{shade}/>'

    def lines(self) -> Iterator[str]:
        for line in self.board.lines:
            (x1, y1), (x2, y2) = (self._at(point) for point in (line[0], line[-1]))
            yield f'<path d="M{x1} {y1}L{x2} {y2}"/>'

    def labels(self) -> Iterator[str]:
        """The letters of the files below, the numbers of the ranks at the left."""
        style = 'fill="currentColor" stroke="none" fill-opacity="0.75"'
        for x, letter in file_letters(self.board).items():
            across, down = self.place(x, self.bottom)
            yield f'<text x="{across}" y="{down + LABEL}" {style}>{letter}</text>'
        for y in sorted({point.y for point in self.board.points}):
            down = self.place(self.left, y)[1]
            yield f'<text x="{MARGIN - LABEL + 4}" y="{down + 4}" {style}>{y}</text>'

    def piece(self, position: Position, point: int) -> Iterator[str]:
        x, y = self._at(point)
        seat = next((seat for seat in (0, 1) if point in position.pieces(seat)), None)
        if seat is not None:
            yield _shape(seat, x, y, PIECE)
            if point in position.kings[seat]:
                yield _shape(seat, x, y, RING, "none")
        elif point in position.lifted:
            d = PIECE * 0.7
            yield f'<path d="M{x - d:g} {y - d:g}L{x + d:g} {y + d:g}M{x - d:g} {y + d:g}L{x + d:g} {y - d:g}"/>'
        elif not _is_chequered(self.board):
            yield f'<circle cx="{x}" cy="{y}" r="{DOT}" fill="currentColor" stroke="none"/>'

    def hands(self, position: Position) -> Iterator[str]:
        """What the players have still to lay, below the board."""
        if not any(position.hands):
            return
        down = self.height + UNIT // 2 - 4
        for seat, count in enumerate(position.hands):
            across = self.width * (1 + 2 * seat) // 4
            yield _shape(seat, across - 44, down, PIECE)
            yield f'<text x="{across + 12}" y="{down + 5}" fill="currentColor" stroke="none">{count} in hand</text>'

    def _at(self, point: int) -> tuple[int, int]:
        return self.place(self.board.points[point].x, self.board.points[point].y)


def _shape(seat: int, x: int, y: int, size: int, fill: str = "") -> str:
    """A disc or an open square; `Canvas` is the colour of the page, so that a square hides the lines under it."""
    if seat == 0:
        return f'<circle cx="{x}" cy="{y}" r="{size}" fill="{fill or "currentColor"}"/>'
    corner, side = f'x="{x - size + 1}" y="{y - size + 1}"', 2 * size - 2
    return f'<rect {corner} width="{side}" height="{side}" fill="{fill or "Canvas"}" stroke-width="2.5"/>'


def _described(board: Board, position: Position) -> str:
    sentences = [f"{board.title}."]
    for seat, name in enumerate(SEAT_NAMES[:2]):
        sentences.append(f"{name.capitalize()}, {SHAPES[seat]}: {_pieces(board, position, seat)}.")
    return " ".join(sentences)


def _pieces(board: Board, position: Position, seat: int) -> str:
    parts = []
    for kind, points in (("men", position.men[seat]), ("kings", position.kings[seat])):
        if points:
            parts.append(f"{kind} on {', '.join(board.names[point] for point in sorted(points))}")
    if position.hands[seat]:
        parts.append(f"{position.hands[seat]} in hand")
    return "; ".join(parts) or "none left"
