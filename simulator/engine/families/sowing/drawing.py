"""The board of a sowing game as SVG (holes, stores, counters, marks), which holes a move names and a ply touched, and
what is seen of it hole by hole.

Pure text, for pages and replays; what a move names or a ply touched is pointed out in a drawing.
"""

import math
from collections.abc import Collection, Iterable, Iterator

from simulator.engine.board_sheet import EDGE, HOLLOW, SEED, Sheet, Step, cross, lettering
from simulator.engine.families.sowing.board import ROW_LETTERS
from simulator.engine.families.sowing.notation import LETTERS, hole_name, mark_name
from simulator.engine.families.sowing.position import (
    BARRED,
    BLIND,
    LAYOUT,
    PALM,
    PICKED,
    STORE,
    TIED,
    Event,
    Position,
    is_start,
    start_of,
)
from simulator.engine.families.sowing.referee.contract import start
from simulator.engine.families.sowing.referee.turn import Rules
from simulator.engine.naming import SEAT_NAMES
from simulator.engine.referee_playout import Ply
from simulator.engine.ruleset import Ruleset

# A relay passes over most of the board, so that pointing out its laps would point out nothing.
NOT_POINTED_OUT = ("lap", "passed_over", "round_end")
MOVING = ("laid", "lap", "capture", "carried", "gain", "matching")


def store_name(seat: int) -> str:
    """Return the place of a seat's store on a drawing; no move names it."""
    return f"store-{seat + 1}"


def move_places(rules: Rules, position: Position, move: int) -> tuple[str, ...]:
    """Return the hole a turn starts from; passes, loans and layouts name none."""
    if PICKED <= move < LAYOUT:
        return (hole_name(position, move - PICKED),)
    if not is_start(move):
        return ()
    return (hole_name(position, position.own_row(position.mover)[start_of(move)[0]]),)


def touched(rules: Rules, ply: Ply) -> tuple[str, ...]:
    """Return where the ply began, and where it took, tied or ended."""
    holes = (event.hole for event in ply.played.events if event.kind not in NOT_POINTED_OUT)
    events = (hole_name(ply.before, hole) for hole in holes if hole is not None)
    return tuple(dict.fromkeys((*move_places(rules, ply.before, ply.move), *events)))


def motion(rules: Rules, ply: Ply) -> list[Step]:
    """Return what is seen of a ply: laps hole by hole, and what is taken on the way."""
    position, steps = ply.before, list[Step]()
    counts = position.holes[:]
    waiting = [event for event in ply.played.events if event.kind in MOVING]

    def take(event: Event) -> None:
        hole = event.hole or 0
        taken = 1 if event.kind == "gain" else event.counters
        counts[hole] -= taken
        steps.append(("take", hole_name(position, hole), store_name(event.seat), str(taken)))

    at_once = rules["en_passant_when"] == "at_once" or rules["while_sowing"]
    while waiting:
        event = waiting.pop(0)
        if event.kind == "laid":
            steps.append(("drop", hole_name(position, event.hole or 0)))
            continue
        if event.kind == "carried":
            steps.append(("lift", hole_name(position, event.hole or 0)))
            counts[event.hole or 0] = 0
            continue
        if event.kind != "lap":
            # A counter that comes to the store from the hand has been dropped there already.
            if not (event.kind == "gain" and rules["palm"] == "from_hand"):
                take(event)
            continue
        start = event.hole or 0
        if not event.why:  # what was taken is in the hand already
            steps.append(("lift", hole_name(position, start)))
            counts[start] = 0
        for place in event.path:
            steps.append(("drop", store_name(event.seat) if place == STORE else hole_name(position, place)))
            if place == STORE:
                continue
            counts[place] += 1
            # Who takes at once takes from a hole that has just come to his number.
            while at_once and waiting and _has_come_to(waiting[0], place, counts):
                take(waiting.pop(0))
    return steps


def _has_come_to(event: Event, place: int, counts: list[int]) -> bool:
    return (
        event.kind == "capture"
        and ("en_passant" in event.keys or "while_sowing" in event.keys)
        and (event.hole, event.counters)
        == (
            place,
            counts[place],
        )
    )


HOLE, GAP, MARGIN, LABEL, COUNT = 52, 12, 14, 18, 19
PITCH, RADIUS = HOLE + GAP, HOLE / 2
MOST_SEEDS, TURN, SPREAD = 22, math.pi * (3 - math.sqrt(5)), 4.5  # in a hole: laid as in the head of a sunflower
IN_A_ROW, APART, MOST_STORED = 5, 9.2, 75  # in a store, from its foot


LEGEND = {
    BLIND: "a crossed hole: blind",
    BARRED: "a dashed ring: barred",
    PALM: "a bar: covered by its owner",
    TIED: "a second ring: {}",
}


def legend(position: Position) -> list[str]:
    """Say what the marks mean that stand on the board."""
    kinds = {mark if mark == BLIND else mark & ~1 for mark in position.marks}
    found = [words.format(mark_name(position, mark)) for mark, words in LEGEND.items() if mark in kinds]
    return [*found, "1st, 2nd: whose hole it is"] if kinds - {0, BLIND} else found


def draw_start(ruleset: Ruleset) -> str:
    """Return the board before the first move."""
    return draw(ruleset, start(ruleset.parameters), "The board before the first move")


def draw(ruleset: Ruleset, position: Position, title: str, marked: Collection[str] = ()) -> str:
    """Draw a position as SVG: the first player's row below, the second's above, their stores to the right and left."""
    if position.tables is not None:
        return _draw_by_names(position, title, marked)
    row = position.row
    width, height = (row + 2) * PITCH + 2 * MARGIN - GAP, 2 * (MARGIN + LABEL + HOLE + COUNT)
    sheet = Sheet(width, height, marked, type_size=15)
    for seat, left in ((1, MARGIN), (0, MARGIN + (row + 1) * PITCH)):
        sheet.place(store_name(seat), (left + RADIUS, height / 2), RADIUS + 4, _store(position, seat, left, height))
    for hole in range(2 * row):
        x, y = _middle(row, hole)
        sheet.place(hole_name(position, hole), (x, y), RADIUS + 3, _hole(position, hole, x, y))
        foot = height - MARGIN if hole < row else MARGIN + LABEL - 7
        sheet.add([lettering(x, foot, LETTERS[hole % row], ' class="label" font-size="13" fill-opacity="0.75"')])
    return sheet.svg(title, _described(position))


MANY_COLUMNS = 6  # a longer row has its numbers in its holes, large enough to be read when it is drawn small


def _draw_by_names(position: Position, title: str, marked: Collection[str]) -> str:
    """Draw a board of any rows, or a ring: letters of the rows at the left, numbers below, a store at either side."""
    board = position.board
    is_large = board.columns > MANY_COLUMNS
    deep = float(PITCH if is_large else HOLE + COUNT + 6)
    across, high = (max(place[way] for place in board.places) for way in (0, 1))
    left, top = MARGIN + PITCH + (0 if board.rows == 1 else LABEL), MARGIN + RADIUS
    size = f' class="label" font-size="{24 if is_large else 15}" fill-opacity="0.75"'
    x: float
    width = int(left + across * PITCH + HOLE + GAP + HOLE + MARGIN)
    height = int(top + high * deep + RADIUS + COUNT + LABEL + MARGIN)
    sheet = Sheet(width, height, marked, type_size=15)
    for seat, x in ((1, MARGIN), (0, width - MARGIN - HOLE)):
        sheet.place(store_name(seat), (x + RADIUS, height / 2), RADIUS + 4, _store(position, seat, x, height, is_large))
    for hole, (column, row) in enumerate(board.places):
        x, y = left + column * PITCH + RADIUS, top + (high - row) * deep
        shapes = _large(position, hole, x, y) if is_large else _hole(position, hole, x, y, below=RADIUS + 15)
        sheet.place(board.name(hole), (x, y), RADIUS + 3, shapes, _whose(position, hole))
        if board.rows == 1:
            sheet.add([lettering(*_beside_in_ring(position, hole, x, y, deep, is_large), board.name(hole), size)])
        elif column == 0:
            sheet.add([lettering(x - RADIUS - 11, y + 6, board.name(hole)[0], size)])
        if board.rows > 1 and row == 0:
            sheet.add([lettering(x, height - MARGIN, int(column) + 1, size)])
    return sheet.svg(title, _described_by_names(position))


def _beside_in_ring(
    position: Position, hole: int, x: float, y: float, deep: float, is_large: bool
) -> tuple[float, float]:
    """Where the name of a hole of a ring stands: towards its middle, where no number is below the hole."""
    if not is_large:
        return x - RADIUS + 4, y - RADIUS + 10
    places = position.board.places
    middle = [sum(place[way] for place in places) / len(places) for way in (0, 1)]
    across, up = (middle[0] - places[hole][0]) * PITCH, (middle[1] - places[hole][1]) * deep
    far = (RADIUS + 14) / (math.hypot(across, up) or 1)
    return x + across * far, y - up * far + 8


def _whose(position: Position, hole: int) -> str:
    owner = position.owner_of_hole(hole)
    return "nobody’s" if owner < 0 else f"the {SEAT_NAMES[owner]}’s"


def _described_by_names(position: Position) -> str:
    board = position.board
    rows = []
    for row in reversed(range(board.rows)):
        holes = range(row * board.columns, (row + 1) * board.columns)
        rows.append(f"{ROW_LETTERS[row]}: {_counts(position, holes if board.is_lower(row) else reversed(holes))}")
    shape = "A ring" if board.rows == 1 else f"{board.rows} rows"
    stores = " and ".join(map(str, position.stores))
    told = f"{shape} of {board.columns} holes, from left to right, the highest row first. {'; '.join(rows)}."
    return f"{told} Stores: {stores}."


def _large(position: Position, hole: int, x: float, y: float) -> Iterator[str]:
    """Draw a hole with its number in it."""
    yield f'<circle class="spot hole" cx="{x:g}" cy="{y:g}" r="{RADIUS:g}" fill="{HOLLOW}" stroke="{EDGE}"/>'
    if position.marks[hole] == BLIND:
        yield cross(x, y, RADIUS * 0.7, RADIUS * 0.7)
        return
    yield _seeds(())
    yield lettering(x, y + 12, position.holes[hole], ' class="count" font-size="34"')


def _middle(row: int, hole: int) -> tuple[float, float]:
    # Seen from below the second row runs from right to left, so that each hole faces its opposite.
    column = hole if hole < row else 2 * row - 1 - hole
    down = MARGIN + LABEL + RADIUS + (HOLE + 2 * COUNT if hole < row else 0)
    return MARGIN + (column + 1) * PITCH + RADIUS, down


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
        parts.append(f"{position.holes[hole]}{_marked(position, position.marks[hole])}")
    return ", ".join(parts)


def _marked(position: Position, mark: int) -> str:
    """Put a mark into words, with whose it is."""
    whose = "" if mark == BLIND else f", the {SEAT_NAMES[mark & 1]}'s"
    return f" ({mark_name(position, mark)}{whose})" if mark else ""


def _store(position: Position, seat: int, x: float, height: float, is_large: bool = False) -> Iterator[str]:
    top, foot, count = MARGIN + LABEL, height - MARGIN - LABEL, position.stores[seat]
    yield (
        f'<rect class="spot hole" x="{x}" y="{top}" width="{HOLE}" height="{foot - top:g}" rx="20" '
        f'fill="{HOLLOW}" stroke="{EDGE}"/>'
    )
    heap = range(min(count, MOST_STORED))
    yield _seeds(
        (x + RADIUS + (number % IN_A_ROW - 2) * APART, foot - 9 - number // IN_A_ROW * (APART - 1)) for number in heap
    )
    large = ' class="count" font-size="24"' if is_large else ' class="count"'
    yield lettering(x + RADIUS, height - MARGIN + 1, count, large)


def _hole(position: Position, hole: int, x: float, y: float, below: float = 0) -> Iterator[str]:
    """Draw a hole as a circle with its counters, as many as there is room for, and how many they are beside it.

    A blind hole is crossed out; a barred or tied one has a second ring; a covered one, a bar. Beside the number of a
    marked hole stands whose it is.
    """
    mark, count = position.marks[hole], position.holes[hole]
    yield f'<circle class="spot hole" cx="{x:g}" cy="{y:g}" r="{RADIUS:g}" fill="{HOLLOW}" stroke="{EDGE}"/>'
    if mark == BLIND:
        yield cross(x, y, RADIUS * 0.7, RADIUS * 0.7)
        return
    if mark & ~1 in (BARRED, TIED):
        dashes = "4 3" if mark & ~1 == BARRED else "none"
        yield f'<circle cx="{x:g}" cy="{y:g}" r="{RADIUS - 2.5:g}" stroke-dasharray="{dashes}"/>'
    elif mark & ~1 == PALM:
        yield f'<path d="M{x - RADIUS:g} {y:g}H{x + RADIUS:g}" stroke-width="5"/>'
    around = ((number * TURN, SPREAD * math.sqrt(number + 0.5)) for number in range(min(count, MOST_SEEDS)))
    yield _seeds((x + far * math.cos(angle), y + far * math.sin(angle)) for angle, far in around)
    beside = y + (below or (RADIUS + 15 if hole >= position.row else -RADIUS - 5))
    yield lettering(x, beside, count, ' class="count"')
    if mark:
        yield lettering(x + 17, beside, ("1st", "2nd")[mark & 1], ' font-size="10"')


def _seeds(places: Iterable[tuple[float, float]]) -> str:
    """Draw counters as dots of one path; without any there is a path to which some may come."""
    dots = "".join(f"M{x:.1f} {y:.1f}h0" for x, y in places)
    return f'<path class="seeds" d="{dots}" stroke="{SEED}" stroke-width="7" stroke-linecap="round"/>'
