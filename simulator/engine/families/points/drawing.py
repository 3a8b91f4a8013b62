"""The board of a points game as SVG, from the geometry the engines play on, which points a move names, and what is seen
of it.

Pure text, for pages and replays. The first player's pieces are discs, the second player's open squares, and a king has
a second ring round it, so that nothing rests on colour.
"""

from collections.abc import Collection, Iterator, Mapping
from functools import lru_cache
from itertools import combinations, pairwise
from math import hypot

from simulator.engine.board_sheet import CELL, DARK_CELL, INK, SIDES, Sheet, Step, Weight, cross, lettering
from simulator.engine.boards.figures import board_of
from simulator.engine.boards.points import Board
from simulator.engine.families.points.notation import file_letters
from simulator.engine.families.points.parameters import owners, roles
from simulator.engine.families.points.position import Position, read_move
from simulator.engine.families.points.referee.contract import start
from simulator.engine.families.points.referee.movement import Rules
from simulator.engine.naming import seat_name, seat_title
from simulator.engine.referee_playout import Ply
from simulator.engine.ruleset import Ruleset


def hand_name(seat: int) -> str:
    """Return the place, on a drawing, of what a seat has still to lay; no move names it."""
    return f"hand-{seat + 1}"


def move_places(rules: Rules, position: Position, move: int) -> tuple[str, ...]:
    """Return the point laid on, removed or huffed from; of a step or jump where it begins and where it ends."""
    names = board_of(rules).names
    _, origin, to = read_move(position.points, move)
    return tuple(dict.fromkeys(names[point] for point in (origin, to) if point >= 0))


def touched(rules: Rules, ply: Ply) -> tuple[str, ...]:
    """Return the points of the move, and of every piece taken, removed or crowned."""
    names = board_of(rules).names
    events = (names[event.point] for event in ply.played.events if event.point is not None)
    return tuple(dict.fromkeys((*move_places(rules, ply.before, ply.move), *events)))


def motion(rules: Rules, ply: Ply) -> list[Step]:
    """Return what is seen of a ply: a piece that is laid, slides or leaps, and every piece that leaves the board."""
    names, steps = board_of(rules).names, list[Step]()
    for event in ply.played.events:
        if event.point is None:
            continue
        to = names[event.point]
        if event.kind == "lay":
            steps.append(("lay", hand_name(0 if ply.before.has_common_supply else ply.seat), to))
        elif event.kind in ("step", "jump") and event.origin is not None:
            steps.append(("slide" if event.kind == "step" else "leap", names[event.origin], to))
        elif event.kind in ("capture", "removal", "huff"):
            steps.append(("remove", to))
    return steps


PHONE, SMALLEST = 340, 13  # how wide a drawing is on a phone, and how high letters have to be there
UNIT, MARGIN, LABEL, PIECE, RING, DOT = 40, 42, 36, 12, 17, 3.5
SHAPES = ("discs", "squares")


def legend(position: Position) -> list[str]:
    """Say what the marks mean that stand on the board."""
    kings = [f"a second ring: a {position.special}"] if any(position.kings) else []
    return [*kings, "a cross: taken, and still on the board"] if position.lifted else kings


def draw_start(ruleset: Ruleset) -> str:
    """Return the board before the first move."""
    return draw(ruleset, start(ruleset.parameters), "The board before the first move")


def draw(ruleset: Ruleset, position: Position, title: str, marked: Collection[str] = ()) -> str:
    """Draw a position as SVG, the first player below; room for pieces in hand if the game has a laying phase."""
    board = board_of(ruleset.parameters)
    canvas, sides = _Canvas(board), sides_of(ruleset)
    lays = any(start(ruleset.parameters).hands)
    sheet = Sheet(canvas.width, canvas.height + (UNIT if lays else 0), marked)
    sheet.add([*(canvas.squares() if board.is_chequered else canvas.lines()), *canvas.labels()])
    regions = ruleset.parameters["regions"].values()
    small = {name for points in regions if 2 * len(points) < len(board.points) for name in points}
    sheet.add(canvas.region(name) for name in sorted(small))
    for number, point in enumerate(board.points):
        sheet.place(
            point.name,
            canvas.place(point.x, point.y),
            canvas.size(RING) + 1,
            canvas.point(position, number),
            _stands(position, number, sides),
        )
    if lays and position.has_common_supply:
        left = f"{position.hands[0]} still to lay"
        words = lettering(canvas.width // 2, canvas.height + UNIT // 2 + 1, left, canvas.readable)
        sheet.place(hand_name(0), (canvas.width // 2, canvas.height + UNIT // 2), RING, (words,))
    for seat, count in enumerate(position.hands if lays and not position.has_common_supply else ()):
        # A quarter and three quarters of the width.
        across, down = canvas.width * (1 + 2 * seat) // 4, canvas.height + UNIT // 2 - 4
        words = lettering(across + 12, down + 5, f"{count} in hand", canvas.readable)
        sheet.place(hand_name(seat), (across - 44, down), RING, (_shape(seat, across - 44, down, PIECE), words))
    called = [seat_title(seat, side) for seat, side in enumerate(sides)]
    told = [f"The {name}: {', '.join(points)}." for name, points in ruleset.parameters["regions"].items()]
    return sheet.svg(title, " ".join([_described(board, position, called), *told]))


def draw_weights(board: Board, weights: Mapping[str, Weight], title: str, description: str) -> str:
    """Draw a board whose pieces of line ("a1-b1") and points ("a1") are as wide and as dark as they weigh.

    A place without a weight is drawn thinly; every one of them is a place of the drawing.
    """
    canvas = _Canvas(board)
    sheet = Sheet(canvas.width, canvas.height)
    sheet.add(canvas.labels())
    steps = {(min(step), max(step)) for line in board.lines for step in pairwise(line)}
    for one, other in sorted(steps):
        (x1, y1), (x2, y2) = canvas.place_of(one), canvas.place_of(other)
        name, path = "-".join((board.names[one], board.names[other])), f"M{x1} {y1}L{x2} {y2}"
        shapes = [f'<path class="reach" d="{path}" stroke="{INK}" stroke-opacity="0" stroke-width="{RING}"/>']
        sheet.place(
            name,
            ((x1 + x2) / 2, (y1 + y2) / 2),
            RING,
            [*shapes, _weighed(path, weights.get(name))],
            _told(name, weights),
        )
    for number, point in enumerate(board.points):
        x, y = canvas.place_of(number)
        weight = weights.get(point.name)
        size = canvas.size(DOT + (PIECE - DOT) * weight.share) if weight else canvas.size(DOT)
        dark = f' fill-opacity="{weight.opacity}"' if weight else ""
        room = f'<circle cx="{x}" cy="{y}" r="{canvas.size(PIECE)}" class="spot room" stroke="none"/>'
        dot = f'<circle cx="{x}" cy="{y}" r="{size:g}" class="dot" fill="{INK}" stroke="none"{dark}/>'
        sheet.place(point.name, (x, y), canvas.size(RING), (room, dot), _told(point.name, weights))
    return sheet.svg(title, description)


THIN, WIDE = 1.0, 11.0  # pixels of a line that weighs nothing, and of one that weighs most


def _weighed(path: str, weight: Weight | None) -> str:
    width = THIN + (WIDE - THIN) * weight.share if weight else THIN
    dark = weight.opacity if weight else "0.50"
    return f'<path class="line" d="{path}" stroke-linecap="round" stroke-width="{width:.1f}" stroke-opacity="{dark}"/>'


def _told(name: str, weights: Mapping[str, Weight]) -> str:
    return f"{name}: {weights[name].words}" if name in weights else name


def sides_of(ruleset: Ruleset) -> list[str]:
    """Return what each seat is called on the board: as in the sources, else by its role, if it has one."""
    parameters = ruleset.parameters
    return list(owners(parameters) or roles(parameters)) or [seat_name(seat) for seat in (0, 1)]


def _stands(position: Position, point: int, sides: list[str]) -> str:
    """Say who stands on a point."""
    for seat, side in enumerate(sides):
        if point in position.pieces(seat):
            return f"{position.special if point in position.kings[seat] else 'man'} of the {side}"
    return ""


MOST = 18 * UNIT  # pixels from the first point to the last: on boards of many small steps pieces are smaller instead
LEAST = 260  # pixels of width: what is in hand stands below the smallest board too
CROWDED = 15  # pixels between two files or ranks that are too few for their letters


class _Canvas:
    """The places of a board's points on the drawing.

    unit: pixels of a unit of the co-ordinates; the nearest points are UNIT apart, in pixels, or what MOST leaves them
    """

    def __init__(self, board: Board) -> None:
        self.board = board
        self.left, self.top = min(point.x for point in board.points), max(point.y for point in board.points)
        self.right, self.bottom = max(point.x for point in board.points), min(point.y for point in board.points)
        across, up = self.right - self.left, self.top - self.bottom
        self.unit = min(UNIT / _nearest(board), MOST / max(across, up))
        self.part = self.unit * _nearest(board) / UNIT
        width, self.height = (round(size * self.unit) + 2 * MARGIN for size in (across, up))
        self.width = max(width, LEAST)
        self.margin = MARGIN + (self.width - width) // 2

    def place(self, x: int, y: int) -> tuple[int, int]:
        return self.margin + round((x - self.left) * self.unit), MARGIN + round((self.top - y) * self.unit)

    def size(self, pixels: float) -> float:
        """Return how large something is drawn where points are nearer to each other than usual."""
        return pixels if self.part == 1 else round(pixels * self.part, 1)

    def squares(self) -> Iterator[str]:
        """Yield all squares of a chequered board; the lower left corner is dark. Play is on one colour only."""
        for y in range(self.bottom, self.top + 1):
            for x in range(self.left, self.right + 1):
                is_dark = (x - self.left + y - self.bottom) % 2 == 0
                shade = f'class="dark" fill="{DARK_CELL}"' if is_dark else f'class="cell" fill="{CELL}"'
                across, down = (middle - UNIT / 2 for middle in self.place(x, y))
                yield f'<rect {shade} x="{across:g}" y="{down:g}" width="{UNIT}" height="{UNIT}" stroke-width="0.5"/>'

    def lines(self) -> Iterator[str]:
        for line in self.board.lines:
            if circle := self._circle(line):
                yield circle
                continue
            ends = [line[0], line[-1]] if self._is_straight(line) else line
            yield f'<path class="line" d="M{"L".join(f"{x} {y}" for x, y in map(self.place_of, ends))}"/>'

    def _is_straight(self, line: tuple[int, ...]) -> bool:
        (x1, y1), (x2, y2) = self.place_of(line[0]), self.place_of(line[-1])
        aside = max(abs((x - x1) * (y2 - y1) - (y - y1) * (x2 - x1)) for x, y in map(self.place_of, line))
        return line[0] != line[-1] and aside <= 2 * hypot(x2 - x1, y2 - y1)

    def _circle(self, line: tuple[int, ...]) -> str:
        """Return a circle if the line is closed and its points, more than a square has, lie on one."""
        places = [self.place_of(point) for point in line[1:]]
        if line[0] != line[-1] or len(places) < 5:
            return ""
        x, y = (sum(place[axis] for place in places) / len(places) for axis in (0, 1))
        radii = [hypot(a - x, b - y) for a, b in places]
        if max(radii) - min(radii) > 3:
            return ""
        return f'<circle class="line" cx="{x:g}" cy="{y:g}" r="{sum(radii) / len(radii):.1f}"/>'

    @property
    def readable(self) -> str:
        """The size of words that can be read where the whole drawing is as wide as a phone."""
        size = SMALLEST * self.width / PHONE
        return f' font-size="{size:.0f}"' if size > SMALLEST else ""

    def labels(self) -> Iterator[str]:
        """Yield the letters of the files below, the numbers of the ranks at the left; where these would be too near to
        each other, the name of each point beside it."""
        style = ' class="label" fill-opacity="0.75"'
        files, ranks = ({getattr(point, axis) for point in self.board.points} for axis in "xy")
        gaps = [(b - a) * self.unit for some in (files, ranks) for a, b in pairwise(sorted(some))]
        if min(gaps) < CROWDED:
            for number, point in enumerate(self.board.points):
                across, down = self.place_of(number)
                side, size = self.size(PIECE) + 1, max(8, round(self.size(11)))
                smaller = f'{style} font-size="{size}" text-anchor="start"'
                yield lettering(across + side, down - side + 3, point.name, smaller)
            return
        for x, letter in file_letters(self.board).items():
            across, down = self.place(x, self.bottom)
            yield lettering(across, down + LABEL, letter, style)
        for y, rank in sorted({(point.y, self.board.ranks[number]) for number, point in enumerate(self.board.points)}):
            yield lettering(MARGIN - LABEL + 4, self.place(self.left, y)[1] + 4, rank, style)

    def point(self, position: Position, point: int) -> Iterator[str]:
        """Draw room for a click, and what stands on the point."""
        x, y = self.place_of(point)
        seat = next((seat for seat in (0, 1) if point in position.pieces(seat)), None)
        piece, ring = self.size(PIECE), self.size(RING)
        yield f'<circle cx="{x}" cy="{y}" r="{ring}" class="spot room" stroke="none"/>'
        if seat is not None:
            yield _shape(seat, x, y, piece)
            if point in position.kings[seat]:
                yield _shape(seat, x, y, ring, "none")
        elif point in position.lifted:
            yield cross(x, y, piece * 0.7, piece * 0.7)
        elif not self.board.is_chequered:
            yield f'<circle cx="{x}" cy="{y}" r="{self.size(DOT)}" class="dot" fill="{INK}" stroke="none"/>'

    def region(self, name: str) -> str:
        """Draw the ground of a point that belongs to a region."""
        x, y = self.place_of(self.board.number(name))
        half = self.size(RING)
        place = f'x="{x - half}" y="{y - half}" width="{2 * half}" height="{2 * half}"'
        return f'<rect class="region" {place} fill="{INK}" fill-opacity="0.15" stroke="none"/>'

    def place_of(self, point: int) -> tuple[int, int]:
        return self.place(self.board.points[point].x, self.board.points[point].y)


@lru_cache(maxsize=256)  # a board is drawn again and again, and of all pairs of its points some thousand are looked at
def _nearest(board: Board) -> int:
    """Return the least distance of two points, along files or ranks, whichever is more."""
    return min(max(abs(a.x - b.x), abs(a.y - b.y)) for a, b in combinations(board.points, 2))


def _shape(seat: int, x: int, y: int, size: float, fill: str = "") -> str:
    """Draw a disc of dark wood or a square of bone, which hides the lines under it."""
    fill = fill or SIDES[seat][0]
    kind = f'class="{"ring" if fill == "none" else "piece"} side-{seat}"'
    if seat == 0:
        return f'<circle {kind} cx="{x}" cy="{y}" r="{size}" fill="{fill}"/>'
    # One smaller all round, for its line is thicker and half of it lies outside.
    corner, side = f'x="{x - size + 1}" y="{y - size + 1}"', 2 * size - 2
    return f'<rect {kind} {corner} width="{side}" height="{side}" rx="3" fill="{fill}" stroke-width="2.5"/>'


def _described(board: Board, position: Position, called: list[str]) -> str:
    sentences = [f"{board.title}."]
    for seat, name in enumerate(called):
        sentences.append(f"{name.capitalize()}, {SHAPES[seat]}: {_pieces(board, position, seat)}.")
    if position.has_common_supply and any(position.hands):
        sentences.append(f"{position.hands[0]} pieces are still to lay, by whoever lays.")
    return " ".join(sentences)


def _pieces(board: Board, position: Position, seat: int) -> str:
    parts = []
    for kind, points in (("men", position.men[seat]), (position.special + "s", position.kings[seat])):
        if points:
            parts.append(f"{kind} on {', '.join(board.names[point] for point in sorted(points))}")
    if position.hands[seat] and not position.has_common_supply:
        parts.append(f"{position.hands[seat]} in hand")
    return "; ".join(parts) or ("none on the board" if position.has_common_supply else "none left")
