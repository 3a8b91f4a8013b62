"""The board of a sowing game as SVG (holes, stores, counters, marks), and which holes a move names and a ply touched.

Pure text, for pages and replays; what a move names or a ply touched is pointed out in a drawing.
"""

from collections.abc import Collection, Iterable, Iterator

from simulator.engine.board_sheet import Sheet, cross, lettering
from simulator.engine.families.sowing.notation import LETTERS, hole_name
from simulator.engine.families.sowing.position import BARRED, BLIND, PALM, PASS, TIED, Position
from simulator.engine.families.sowing.referee.contract import start
from simulator.engine.families.sowing.referee.laps import Rules
from simulator.engine.naming import SEAT_NAMES
from simulator.engine.referee_playout import Ply
from simulator.engine.ruleset import Ruleset

# A relay passes over most of the board, so that pointing out its laps would point out nothing.
NOT_POINTED_OUT = ("lap", "passed_over", "round_end")


def store_name(seat: int) -> str:
    """Return the place of a seat's store on a drawing; no move names it."""
    return f"store-{seat + 1}"


def move_places(rules: Rules, position: Position, move: int) -> tuple[str, ...]:
    """Return the hole a turn starts from; passes, loans and layouts name none."""
    return (hole_name(position, position.mover * position.row + move // 2),) if move < PASS else ()


def touched(rules: Rules, ply: Ply) -> tuple[str, ...]:
    """Return where the ply began, and where it took, tied or ended."""
    holes = (event.hole for event in ply.played.events if event.kind not in NOT_POINTED_OUT)
    events = (hole_name(ply.before, hole) for hole in holes if hole is not None)
    return tuple(dict.fromkeys((*move_places(rules, ply.before, ply.move), *events)))


HOLE, GAP, MARGIN, LABEL = 52, 12, 14, 16
PITCH, RADIUS = HOLE + GAP, HOLE / 2
MARK_NAMES = {BLIND: "blind", BARRED: "barred", PALM: "covered", TIED: "tied"}


def draw_start(ruleset: Ruleset) -> str:
    """Return the board before the first move."""
    return draw(ruleset, start(ruleset.parameters), "The board before the first move")


def draw(ruleset: Ruleset, position: Position, title: str, marked: Collection[str] = ()) -> str:
    """Draw a position as SVG: the first player's row below, the second's above, their stores to the right and left."""
    row = position.row
    width, height = (row + 2) * PITCH + 2 * MARGIN - GAP, 2 * (PITCH + MARGIN + LABEL) - GAP
    sheet = Sheet(width, height, marked, type_size=18)
    for seat, left in ((1, MARGIN), (0, MARGIN + (row + 1) * PITCH)):
        sheet.place(store_name(seat), (left + RADIUS, height / 2), RADIUS + 4, _store(position, seat, left, height))
    for hole in range(2 * row):
        x, y = _middle(row, hole)
        sheet.place(hole_name(position, hole), (x, y), RADIUS + 3, _hole(position, hole, x, y))
        foot = height - MARGIN if hole < row else MARGIN + LABEL - 6
        sheet.add([lettering(x, foot, LETTERS[hole % row], ' font-size="13" fill-opacity="0.75"')])
    return sheet.svg(title, _described(position))


def _middle(row: int, hole: int) -> tuple[float, float]:
    # Seen from below the second row runs from right to left, so that each hole faces its opposite.
    column = hole if hole < row else 2 * row - 1 - hole
    return MARGIN + (column + 1) * PITCH + RADIUS, MARGIN + LABEL + (PITCH if hole < row else 0) + RADIUS


def _described(position: Position) -> str:
    row = position.row
    return (
        f"Two rows of {row} holes. Second player above, left to right as seen from below: "
        f"{_counts(position, reversed(range(row, 2 * row)))}; store {position.stores[1]}. "
        f"First player below: {_counts(position, range(row))}; store {position.stores[0]}."
    )


def _counts(position: Position, holes: Iterable[int]) -> str:
    parts = []
    for hole in holes:
        parts.append(f"{position.holes[hole]}{_marked(position.marks[hole])}")
    return ", ".join(parts)


def _marked(mark: int) -> str:
    """Put a mark into words, with whose it is."""
    if mark == BLIND:
        return f" ({MARK_NAMES[BLIND]})"
    return f" ({MARK_NAMES[mark & ~1]}, the {SEAT_NAMES[mark & 1]}'s)" if mark else ""


def _store(position: Position, seat: int, x: float, height: float) -> Iterator[str]:
    above = MARGIN + LABEL
    yield f'<rect x="{x}" y="{above}" width="{HOLE}" height="{height - 2 * above:g}" rx="14"/>'
    yield lettering(x + RADIUS, height / 2 + 6, position.stores[seat])


def _hole(position: Position, hole: int, x: float, y: float) -> Iterator[str]:
    """Draw a hole as a circle with its number.

    A blind hole is crossed out; a barred or tied one has a second ring; a covered one, a bar. Below the number of a
    marked hole stands whose it is.
    """
    mark = position.marks[hole]
    yield f'<circle cx="{x:g}" cy="{y:g}" r="{RADIUS:g}"/>'
    if mark == BLIND:
        yield cross(x, y, RADIUS * 0.7, RADIUS * 0.7)
        return
    if mark & ~1 in (BARRED, TIED):
        dashes = "4 3" if mark & ~1 == BARRED else "none"
        yield f'<circle cx="{x:g}" cy="{y:g}" r="{RADIUS - 5:g}" stroke-dasharray="{dashes}"/>'
    elif mark & ~1 == PALM:
        yield f'<path d="M{x - RADIUS:g} {y:g}H{x + RADIUS:g}" stroke-width="5"/>'
    yield lettering(x, y + (2 if mark else 6), position.holes[hole])
    if mark:
        yield lettering(x, y + 15, ("1st", "2nd")[mark & 1], ' font-size="10"')
