"""The pieces of a race game as SVG: shapes of their own for every seat, and where they stand in a square.

Circle, square, triangle, diamond tell seats apart without colour; a number in the shape says how many stand together. A
piece that treads its square for the second time is drawn flat, as it is laid on its side in Sokkattan and Asi keliya.
"""

from collections import Counter
from collections.abc import Iterator

from simulator.engine.board_sheet import lettering
from simulator.engine.boards.tracks import Board, Place
from simulator.engine.families.race.position import Position
from simulator.engine.families.race.referee.course import course
from simulator.engine.naming import SEAT_NAMES

CELL = 30
SHAPE_NAMES = ("circle", "square", "triangle", "diamond")
# Where a seat's pieces stand in a square that another seat's pieces share.
CORNERS = ((-0.22, 0.22), (0.22, 0.22), (0.22, -0.22), (-0.22, -0.22))
ALONE, SHARED, AT_HOME = 0.36, 0.2, 0.26  # sizes
FLAT = 0.6  # how high a piece is that lies on its side
# Pieces of one seat of which some stand and some lie, alone in their square or beside those of others: how far they are
# set apart, and their sizes.
APART, APART_IN_CORNER, STANDS, LIES, IN_CORNER = 0.24, 0.11, 0.22, 0.34, 0.15
NUMBER_FITS = 7  # half of how high a shape must be to hold a number as large as others

Standing = Counter[tuple[int, bool]]  # (seat, whether they lie) -> how many pieces


def standing(position: Position, board: Board) -> list[Standing]:
    """For each square how many pieces of each seat stand on it, and how many lie."""
    way = course(position.rules)
    found: list[Standing] = [Counter() for _ in board.squares]
    for seat, row in enumerate(position.pieces):
        for step in row:
            if 0 < step < way.home:
                found[way.tracks[seat][step]][seat, way.treads_again(seat, step)] += 1
    return found


def on_square(those: Standing, middle: Place) -> Iterator[str]:
    """The pieces on one square: those of one seat in its middle, those of several in its corners."""
    is_shared = len({seat for seat, _ in those}) > 1
    for (seat, is_flat), count in sorted(those.items()):
        x, y = _corner(seat, middle, 1) if is_shared else middle
        size = SHARED if is_shared else ALONE
        if (seat, not is_flat) in those:
            size = IN_CORNER if is_shared else (LIES if is_flat else STANDS)
            distance = APART_IN_CORNER if is_shared else APART
            y += (distance if is_flat else -distance) * CELL
        yield _piece(seat, count, (x, y), size, is_flat)


def in_words(those: Standing) -> str:
    """Whose the pieces on one square are; empty if there are none."""
    return ", ".join(
        f"{count} piece{'' if count == 1 else 's'} of the {SEAT_NAMES[seat]}{' on the way home' if is_flat else ''}"
        for (seat, is_flat), count in sorted(those.items())
    )


def waiting(position: Position, seat: int, middle: Place) -> str:
    """The pieces of a seat that wait."""
    count = position.waiting(seat)
    return _piece(seat, count, middle, ALONE) if count else ""


def at_home(position: Position, middle: Place) -> Iterator[str]:
    """The pieces of all seats that are home."""
    for seat, row in enumerate(position.pieces):
        if count := row.count(course(position.rules).home):
            yield _piece(seat, count, _corner(seat, middle, 1.3), AT_HOME)


def _corner(seat: int, middle: Place, spread: float) -> Place:
    (x, y), (right, up) = middle, CORNERS[seat]
    return x + spread * right * CELL, y - spread * up * CELL


def _piece(seat: int, count: int, middle: Place, size: float, is_flat: bool = False) -> str:
    """A seat's shape; how many stand together is written in it."""
    (x, y), r = middle, size * CELL
    h = r * FLAT if is_flat else r
    circle = f'<circle cx="{x:g}" cy="{y:g}" r="{r:g}"'
    outlines = (
        f'<ellipse cx="{x:g}" cy="{y:g}" rx="{r:g}" ry="{h:g}"' if is_flat else circle,
        f'<path d="M{x - r:g} {y - h:g}h{2 * r:g}v{2 * h:g}h{-2 * r:g}z"',
        f'<path d="M{x:g} {y - 1.15 * h:g}L{x + 1.15 * r:g} {y + 0.9 * h:g}H{x - 1.15 * r:g}z"',
        f'<path d="M{x:g} {y - 1.2 * h:g}L{x + 1.2 * r:g} {y:g}L{x:g} {y + 1.2 * h:g}L{x - 1.2 * r:g} {y:g}z"',
    )
    return f'{outlines[seat]} fill="Canvas" stroke-width="2"/>' + (_number(x, y, h, count) if count > 1 else "")


def _number(x: float, y: float, half: float, count: int) -> str:
    """How many, in a shape that reaches so far above its middle."""
    is_small = half < NUMBER_FITS
    return lettering(x, y + (3.2 if is_small else 4.5), count, ' font-size="9"' if is_small else "")
