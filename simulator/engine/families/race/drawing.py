"""The board of a race game as SVG, which of its places a move names and a ply touched, and what is seen of it.

A square is called as in the notation, without the mark of a second time round: it is one square on the board.
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterator
from itertools import pairwise
from math import hypot

from simulator.engine.board_sheet import BONE, EDGE, INK, Sheet, Step, cross, lettering
from simulator.engine.board_sheet import CELL as SQUARE
from simulator.engine.boards.race import Board, Place, Square
from simulator.engine.boards.tracks import board_of
from simulator.engine.families.race import position as code
from simulator.engine.families.race.notation import board_lines, lying
from simulator.engine.families.race.position import Event, Position, Rules
from simulator.engine.families.race.referee.contract import start_array
from simulator.engine.families.race.referee.movement import entry_distance, series_sum
from simulator.engine.families.race.referee.throws import ONE, kinds
from simulator.engine.families.race.referee.way import course, goes_over
from simulator.engine.naming import SEAT_NAMES
from simulator.engine.referee_playout import Ply
from simulator.engine.ruleset import Ruleset

HOME = "home"
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

# Of each seat, the colours of DLP.Evidence.828 ("coloured red, yellow, black, and green"): the piece, and what stands
# on it.
COLOURS = (("#b4402f", BONE), ("#e0b23a", INK), (INK, BONE), ("#4c7a45", BONE))

Standing = Counter[tuple[int, bool]]  # (seat, whether they lie) -> how many pieces
MARGIN = 1.2
HEAD = 4.0  # half of the length of an arrow that shows the way
THIN = ' stroke-width="0.8"'  # of marks
INSIDE = " Of the pieces in the central square those at its sides wait, those round its middle are home."
LYING = {
    "on the way home": " A flat piece treads its square for the second time, on the way home.",
    "on the way back": " A flat piece treads its square for the second time, on the way back.",
    "asleep": " A flat piece is asleep.",
}
At = Callable[[float, float], Place]  # a place of the board -> a place of the sheet


def waiting_name(seat: int) -> str:
    """Return where the pieces of a seat wait off the board."""
    return f"waiting-{seat + 1}"


def place_name(rules: Rules, seat: int, step: int) -> str:
    """Return where a piece of that seat stands on that step of its way, or on the last step if it would go beyond."""
    way = course(rules)
    if step == 0:
        return waiting_name(seat)
    return HOME if step >= way.home else board_of(rules).squares[way.tracks[seat][step]].name


def move_places(rules: Rules, position: Position, move: int) -> tuple[str, ...]:
    """Return where the piece stands and where it goes; passing and declining name no place."""
    if move in (code.PASS, code.DECLINE):
        return ()
    step, distance = _way_of(rules, position, move)
    to = course(rules).after(step, distance)
    return place_name(rules, position.mover, step), place_name(rules, position.mover, to)


def _way_of(rules: Rules, position: Position, move: int) -> tuple[int, int]:
    """Return (the step the piece stands on, how far it goes)."""
    if move == code.TOGETHER:
        return course(rules).corner, position.double
    share, place = divmod(move % code.ALONE_OF, code.FREE)
    number, step = divmod(place, code.STRIDE)
    if share == code.FREE // code.FREE:
        distance = number  # none where all waiting pieces enter by a double
    elif share:
        distance = 1 if share == code.EXTRA_OF // code.FREE else kinds(rules)[number].value - 1
    elif place >= code.TOTAL:
        distance = series_sum(rules, position)[1]
    else:
        kind = kinds(rules)[number]
        distance = kind.value + (kind.label == ONE and goes_over(rules, position, step))
    return step, distance if step else entry_distance(rules, distance)


def touched(rules: Rules, ply: Ply) -> tuple[str, ...]:
    """Return the places of the move, and the squares from which pieces were sent back."""
    squares = board_of(rules).squares
    sent_back = (event.square for event in ply.played.events if event.kind in ("sent_back", "taken"))
    struck = (squares[square].name for square in sent_back if square is not None)
    return tuple(dict.fromkeys((*move_places(rules, ply.before, ply.move), *struck)))


def motion(rules: Rules, ply: Ply) -> list[Step]:
    """Return what is seen of a ply: a piece that goes from square to square, those it sends back, the next throw."""
    squares, way, steps = board_of(rules).squares, course(rules), list[Step]()
    for event in ply.played.events:
        if event.kind == "move":
            step, _ = _way_of(rules, ply.before, ply.move)
            over = (step, *way.passed(step, event.number), way.after(step, event.number))
            steps.append(("walk", *(place_name(rules, event.seat, at) for at in over)))
        elif event.kind == "entry":
            to = HOME if event.square is None else squares[event.square].name
            steps += [("walk", waiting_name(event.seat), to)] * event.number
        elif event.kind == "led" and event.square is not None:
            landed = next(step[-1] for step in reversed(steps) if step[0] == "walk")
            steps += [("walk", landed, squares[event.square].name)] * event.number
        elif event.kind in ("returned", "sent_back", "taken") and event.square is not None:
            to = HOME if event.kind == "taken" else waiting_name(event.seat)
            steps += [("return", squares[event.square].name, to)] * event.number
        elif event.kind == "throw" and event.lots:
            steps.append(thrown(rules, event))
    return steps


def thrown(rules: Rules, event: Event) -> Step:
    """Return what is seen of a throw; of lots in a table, which are of any kind, the numbers that are played."""
    if rules["lots"]:
        return "throw", "dice", ",".join(map(str, rules["lots"][event.lots[0]].get("moves", ()))) or "0"
    return "throw", "cowries" if rules["cowries"] else "dice", ",".join(map(str, event.lots))


def pieces_by_square(position: Position, board: Board) -> list[Standing]:
    """Count for each square how many pieces of each seat stand on it, and how many lie."""
    way = course(position.rules)
    found: list[Standing] = [Counter() for _ in board.squares]
    for seat, row in enumerate(position.pieces):
        for step in row:
            if 0 < step < way.home:
                found[way.tracks[seat][step]][seat, way.lies(seat, step)] += 1
    return found


def on_square(those: Standing, middle: Place) -> Iterator[str]:
    """Yield the pieces on one square: those of one seat in its middle, those of several in its corners."""
    is_shared = len({seat for seat, _ in those}) > 1
    for (seat, is_flat), count in sorted(those.items()):
        x, y = _corner(seat, middle, 1) if is_shared else middle
        size = SHARED if is_shared else ALONE
        if (seat, not is_flat) in those:
            size = IN_CORNER if is_shared else (LIES if is_flat else STANDS)
            distance = APART_IN_CORNER if is_shared else APART
            # Pieces that stand are drawn above those that lie; y grows downwards.
            y += (distance if is_flat else -distance) * CELL
        yield _piece(seat, count, (x, y), size, is_flat)


def in_words(those: Standing, lying: str = "on the way home") -> str:
    """Return whose the pieces on one square are; empty if there are none. lying: what those that lie are"""
    return ", ".join(
        f"{count} piece{'' if count == 1 else 's'} of the {SEAT_NAMES[seat]}{f' {lying}' if is_flat else ''}"
        for (seat, is_flat), count in sorted(those.items())
    )


def waiting_pieces(position: Position, seat: int, middle: Place) -> str:
    """Return the pieces of a seat that wait."""
    count = position.waiting(seat)
    return _piece(seat, count, middle, ALONE) if count else ""


def at_home(position: Position, middle: Place) -> Iterator[str]:
    """Yield the pieces of all seats that are home."""
    for seat, row in enumerate(position.pieces):
        if count := row.count(course(position.rules).home):
            yield _piece(seat, count, _corner(seat, middle, 1.3), AT_HOME)


def _corner(seat: int, middle: Place, spread: float) -> Place:
    (x, y), (right, up) = middle, CORNERS[seat]
    # The board counts y upwards, the drawing downwards.
    return x + spread * right * CELL, y - spread * up * CELL


def _piece(seat: int, count: int, middle: Place, size: float, is_flat: bool = False) -> str:
    """Draw a seat's shape; how many stand together is written in it."""
    (x, y), r = middle, size * CELL
    h = r * FLAT if is_flat else r
    circle = f'<circle cx="{x:g}" cy="{y:g}" r="{r:g}"'
    outlines = (
        f'<ellipse cx="{x:g}" cy="{y:g}" rx="{r:g}" ry="{h:g}"' if is_flat else circle,
        f'<path d="M{x - r:g} {y - h:g}h{2 * r:g}v{2 * h:g}h{-2 * r:g}z"',
        # Triangle and diamond fill less of their box: they are drawn a little larger, to weigh the same to the eye.
        f'<path d="M{x:g} {y - 1.15 * h:g}L{x + 1.15 * r:g} {y + 0.9 * h:g}H{x - 1.15 * r:g}z"',
        f'<path d="M{x:g} {y - 1.2 * h:g}L{x + 1.2 * r:g} {y:g}L{x:g} {y + 1.2 * h:g}L{x - 1.2 * r:g} {y:g}z"',
    )
    fill, ink = COLOURS[seat]
    piece = f'{outlines[seat]} class="piece side-{seat}" fill="{fill}" stroke-width="1.5"/>'
    return piece + (_number(x, y, h, count, ink) if count > 1 else "")


def _number(x: float, y: float, half: float, count: int, ink: str) -> str:
    """Return how many, in a shape that reaches so far above its middle."""
    is_small = half < NUMBER_FITS
    size = ' class="on-piece" font-size="9"' if is_small else ' class="on-piece"'
    return lettering(x, y + (3.2 if is_small else 4.5), count, size, ink)


def legend(position: Position) -> list[str]:
    """Say what the ways mean in which pieces lie on the board."""
    standing, what = pieces_by_square(position, board_of(position.rules)), lying(position.rules)
    is_lying = any(is_flat for those in standing for _, is_flat in those)
    return [f"a flat piece: {what.replace('on the', 'on its')}"] if is_lying else []


def draw_start(ruleset: Ruleset) -> str:
    """Return the board before the first throw."""
    return draw(ruleset, start_array(ruleset.parameters), "The board before the first throw")


def draw(ruleset: Ruleset, position: Position, title: str, marked: Collection[str] = ()) -> str:
    """Draw a position on its board as SVG; marked squares are crossed by diagonals."""
    board = board_of(ruleset.parameters)
    waiting = board.waiting[ruleset.parameters["seats"]]
    # The sheet is as large as all that is drawn on it, with a margin.
    places = [(square.x, square.y) for square in board.squares] + [board.home, *waiting]
    left, right = min(x for x, _ in places) - MARGIN, max(x for x, _ in places) + MARGIN
    low, high = min(y for _, y in places) - MARGIN, max(y for _, y in places) + MARGIN
    sheet = Sheet(round((right - left) * CELL), round((high - low) * CELL), marked)

    def at(x: float, y: float) -> Place:
        return (x - left) * CELL, (high - y) * CELL

    standing = pieces_by_square(position, board)
    _draw_squares(sheet, board, standing, at, lying(ruleset.parameters))
    if board.is_drawn:
        sheet.add(_arrows(board, ruleset.parameters["seats"], at))
    _draw_home(sheet, board, position, at(*board.home))
    for seat, place in enumerate(waiting):
        middle = at(*place)
        shapes = [_box(middle, 0.8, False), waiting_pieces(position, seat, middle)]
        sheet.place(waiting_name(seat), middle, CELL * 0.45, shapes)
    is_lying = any(is_flat for those in standing for _, is_flat in those)
    return sheet.svg(title, _described(position, board) + (LYING[lying(ruleset.parameters)] if is_lying else ""))


def _described(position: Position, board: Board) -> str:
    shapes = ", ".join(
        f"{SEAT_NAMES[seat]} {SHAPE_NAMES[seat]}" for seat, _ in enumerate(board.waiting[position.rules["seats"]])
    )
    lines = list(board_lines(position))[: position.rules["seats"]]
    words = ". ".join(line[0].upper() + line[1:] for line in lines)
    marks = sum(square.is_marked for square in board.squares)
    return f"{board.title}. {marks} squares are marked. {shapes}. {words}." + (INSIDE if board.waits_inside else "")


def _draw_squares(sheet: Sheet, board: Board, standing: list[Standing], at: At, lying: str) -> None:
    sheet.add(_joint_mark([board.squares[number] for number in joint], at) for joint in board.joint_marks)
    joined = {number for joint in board.joint_marks for number in joint}
    for number, (square, those) in enumerate(zip(board.squares, standing, strict=True)):
        middle = at(square.x, square.y)
        has_cross = number not in joined and not board.is_drawn
        shapes = [*_square(square, middle, has_cross), *_marks(board, number, middle), *on_square(those, middle)]
        sheet.place(square.name, middle, CELL / 2, shapes, in_words(those, lying))


def _square(square: Square, middle: Place, has_own_mark: bool) -> Iterator[str]:
    (x, y), half, wide = middle, CELL / 2, CELL * square.width / 2
    yield (
        f'<rect class="spot cell" x="{x - wide:g}" y="{y - half:g}" width="{2 * wide:g}" height="{CELL}" '
        f'fill="{SQUARE}" stroke="{EDGE}"/>'
    )
    if square.is_marked and has_own_mark:
        yield cross(x, y, wide, half, THIN)


def _marks(board: Board, number: int, middle: Place) -> Iterator[str]:
    """Draw the marks of a square of a drawn board, each by a sign of its own: cross, circle, diamond, upright cross."""
    (x, y), r = middle, 0.42 * CELL
    signs = (
        cross(x, y, r, r, THIN),
        f'<circle cx="{x:g}" cy="{y:g}" r="{r:g}"{THIN}/>',
        f'<path d="M{x - r:g} {y:g}L{x:g} {y - r:g}L{x + r:g} {y:g}L{x:g} {y + r:g}z"{THIN}/>',
        f'<path d="M{x - r:g} {y:g}h{2 * r:g}M{x:g} {y - r:g}v{2 * r:g}"{THIN}/>',
    )
    for place, (mark, squares) in enumerate(board.marks.items() if board.is_drawn else ()):
        if number in squares:
            yield signs[place] if place < len(signs) else lettering(x, y + 4, mark[0])


def _arrows(board: Board, seats: int, at: At) -> Iterator[str]:
    """Draw where each way begins, bends and ends: heads of arrows on the edges of squares, out of the pieces' way."""
    for seat, way in enumerate(board.tracks[seats]):
        places = [at(board.squares[square].x, board.squares[square].y) for square in way]
        before, heads = (0.0, 0.0), []
        for number, ((x, y), (to_x, to_y)) in enumerate(pairwise(places), 2):
            ahead = round(to_x - x, 1), round(to_y - y, 1)
            if ahead != before or number == len(places):
                heads.append(_head((x + to_x) / 2, (y + to_y) / 2, *ahead, seat))
            before = ahead
        yield f'<path class="way" d="{"".join(heads)}" fill="{COLOURS[seat][0]}" stroke="{INK}" stroke-width="0.6"/>'


def _head(x: float, y: float, right: float, down: float, seat: int) -> str:
    """Return the head of an arrow, those of two ways beside each other."""
    far = hypot(right, down) or 1
    a, b = HEAD * right / far, HEAD * down / far
    x, y = x - b * (seat - 0.5), y + a * (seat - 0.5)
    return f"M{x + a:.1f} {y + b:.1f}L{x - a - b:.1f} {y - b + a:.1f}L{x - a + b:.1f} {y - b - a:.1f}z"


def _joint_mark(squares: list[Square], at: At) -> str:
    """Draw one cross over several squares."""
    left, right = min(square.x for square in squares) - 0.5, max(square.x for square in squares) + 0.5
    low, high = min(square.y for square in squares) - 0.5, max(square.y for square in squares) + 0.5
    x, y = at((left + right) / 2, (low + high) / 2)
    return cross(x, y, (right - left) * CELL / 2, (high - low) * CELL / 2, THIN)


def _draw_home(sheet: Sheet, board: Board, position: Position, middle: Place) -> None:
    """Draw where pieces go out; where there is a central square, that."""
    wide = board.enclosure or 1.8
    half = wide * CELL / 2
    diagonals = [cross(*middle, half, half, THIN)] if board.has_diagonals else []
    box = _box(middle, wide, bool(board.enclosure))
    sheet.place(HOME, middle, half, [box, *diagonals, *at_home(position, middle)])


def _box(middle: Place, wide: float, is_drawn: bool) -> str:
    """Return the central square; where the board has none, room for a click."""
    (x, y), width = middle, wide * CELL
    unseen = f' class="spot cell" fill="{SQUARE}" stroke="{EDGE}"' if is_drawn else ' class="spot room" stroke="none"'
    return f'<rect x="{x - width / 2:g}" y="{y - width / 2:g}" width="{width:g}" height="{width:g}"{unseen}/>'
