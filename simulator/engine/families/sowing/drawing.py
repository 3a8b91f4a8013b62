"""The board of a sowing game as SVG: holes, stores, counters, marks. Pure text, for pages and replays."""

from collections.abc import Iterable
from typing import TYPE_CHECKING
from xml.sax.saxutils import escape

from simulator.engine.families.sowing.position import BARRED, BLIND, PALM, TIED, Position
from simulator.engine.families.sowing.referee import start

if TYPE_CHECKING:
    from simulator.engine.ruleset import Ruleset

HOLE, GAP, MARGIN = 52, 12, 14
MARK_NAMES = {BLIND: "blind", BARRED: "barred", PALM: "covered", TIED: "tied"}


def draw_start(ruleset: "Ruleset") -> str:
    """The board before the first move."""
    return draw(start(ruleset.parameters), "The board before the first move")


def draw(position: Position, title: str) -> str:
    """SVG of a position: the first player's row below, the second's above, their stores to the right and left."""
    row, pitch = position.row, HOLE + GAP
    width, height = (row + 2) * pitch + 2 * MARGIN - GAP, 2 * pitch + 2 * MARGIN - GAP
    shapes = [_store(position, 1, MARGIN, height), _store(position, 0, MARGIN + (row + 1) * pitch, height)]
    for hole in range(2 * row):
        column = hole if hole < row else 2 * row - 1 - hole
        x = MARGIN + (column + 1) * pitch + HOLE / 2
        y = MARGIN + (pitch if hole < row else 0) + HOLE / 2
        shapes.append(_hole(position, hole, x, y))
    described = (
        f"Two rows of {row} holes. Second player above, left to right as seen from below: "
        f"{_counts(position, reversed(range(row, 2 * row)))}; store {position.stores[1]}. "
        f"First player below: {_counts(position, range(row))}; store {position.stores[0]}."
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" class="board" role="img" '
        f'style="max-width:{width}px"><title>{escape(title)}</title><desc>{escape(described)}</desc>'
        '<g fill="none" stroke="currentColor" stroke-width="1.5" '
        'font-family="inherit" font-size="18" text-anchor="middle">'
        f"{''.join(shapes)}</g></svg>"
    )


def _counts(position: Position, holes: Iterable[int]) -> str:
    parts = []
    for hole in holes:
        name = MARK_NAMES.get(position.marks[hole] if position.marks[hole] == BLIND else position.marks[hole] & ~1)
        parts.append(f"{position.holes[hole]}{f' ({name})' if name and position.marks[hole] else ''}")
    return ", ".join(parts)


def _store(position: Position, seat: int, x: float, height: float) -> str:
    middle = f'x="{x + HOLE / 2}" y="{height / 2 + 6}"'
    return (
        f'<rect x="{x}" y="{MARGIN}" width="{HOLE}" height="{height - 2 * MARGIN}" rx="14"/>'
        f'<text {middle} fill="currentColor" stroke="none">{position.stores[seat]}</text>'
    )


def _hole(position: Position, hole: int, x: float, y: float) -> str:
    """A circle with its number: blind, it is crossed out; barred or tied, it has a second ring; covered, a bar."""
    mark, radius = position.marks[hole], HOLE / 2
    extra = ""
    if mark == BLIND:
        d = radius * 0.7
        extra = f'<path d="M{x - d} {y - d}L{x + d} {y + d}M{x - d} {y + d}L{x + d} {y - d}"/>'
    elif mark & ~1 in (BARRED, TIED):
        dashes = "4 3" if mark & ~1 == BARRED else "none"
        extra = f'<circle cx="{x}" cy="{y}" r="{radius - 5}" stroke-dasharray="{dashes}"/>'
    elif mark & ~1 == PALM:
        extra = f'<path d="M{x - radius} {y}H{x + radius}" stroke-width="5"/>'
    number = (
        ""
        if mark == BLIND
        else f'<text x="{x}" y="{y + 6}" fill="currentColor" stroke="none">{position.holes[hole]}</text>'
    )
    return f'<circle cx="{x}" cy="{y}" r="{radius}"/>{extra}{number}'
