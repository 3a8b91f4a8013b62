"""The way over a board, and what keeps a piece from going along it.

A course says where a piece of a seat stands at each step, and where the steps with a rule of their own lie. Tracks of
different seats cross, so that whether two pieces meet is a question about squares, not about steps. What keeps a piece
is exact exit, home row by ones, no passing, safe squares, or the bar before the home row.
"""

from dataclasses import dataclass
from functools import cache

from simulator.engine.boards.race import BOARDS
from simulator.engine.families.race.position import Obstacle, Position, Rules, partner, side

WAITING_SQUARES = 3  # at the bar


@dataclass(frozen=True, slots=True)
class Course:
    """The tracks of one ruleset.

    tracks:   tracks[seat][step] -> square; step 0 (off the board) and home are no square (-1)
    marked:   for each square whether the board marks it
    home:     the step of a piece that is home
    home_row: the first step of the home row; `home` if the board has none
    barred:   the first step behind the bar before the home row, if there is one
    corner:   the partner's step on the left inner corner of one's own arm (crosses only, else 0)
    past_bar: the partner's first step beyond the squares on which one's own pieces wait (crosses only, else 0)
    """

    tracks: tuple[tuple[int, ...], ...]
    marked: tuple[bool, ...]
    home: int
    home_row: int
    barred: int
    corner: int
    past_bar: int

    @property
    def waits_at(self) -> range:
        """Steps on which a piece waits before the bar."""
        return range(self.barred - WAITING_SQUARES, self.barred)

    def treads_again(self, seat: int, step: int) -> bool:
        """Return whether a seat's step is a square that it has trodden before."""
        return self.tracks[seat][step] in self.tracks[seat][1:step]

    def as_partner(self, step: int) -> int:
        """Return the partner's step on the square that is one's own step `step` of the outer way."""
        return step - self.barred + self.past_bar


@cache
def _course(board_name: str, seats: int, goal: str, bar_squares: str) -> Course:
    board = BOARDS[board_name]
    home = board.steps + (goal == "beyond_last")
    home_row = board.steps - board.home_row + 1 if board.home_row else home
    tracks = tuple((-1, *track[: home - 1], -1) for track in board.tracks[seats])
    marked = tuple(square.is_marked for square in board.squares)
    barred = home_row + (bar_squares == "with_row_end")
    past_bar = barred - board.opposite_lag if board.opposite_lag else 0
    corner = home_row - board.opposite_lag - board.home_row if board.opposite_lag else 0
    return Course(tracks, marked, home, home_row, barred, corner, past_bar)


def course(rules: Rules) -> Course:
    """Return the course of a ruleset's parameters."""
    return _course(rules["board"], rules["seats"], rules["goal"], rules["bar_squares"])


def may_go(rules: Rules, position: Position, step: int, distance: int) -> bool:
    """Return whether a piece of the mover on `step` (0: entering) may go `distance` squares on."""
    return what_keeps(rules, position, step, distance) is None


def what_keeps(rules: Rules, position: Position, step: int, distance: int) -> Obstacle | None:
    """Return what keeps a piece of the mover on `step` (0: entering) from going `distance` squares on, if anything
    does."""
    way = course(rules)
    missing = way.home - step
    if not missing:
        return Obstacle("home")
    if distance > missing and not rules["overshoot"]:
        return Obstacle("far", ("overshoot",), missing)
    to = min(step + distance, way.home)
    if to == way.home and not _exit_is_thrown(rules, position, missing):
        return Obstacle("exit", ("exit_doubles",), missing)
    if rules["home_row_ones"] and to > way.home_row and distance > 1:
        return Obstacle("ones", ("home_row_ones",), step=way.home_row)
    for between in range(step + 1, to) if rules["no_passing"] else ():
        if stands_opposed(rules, position, way, between):
            return Obstacle("passing", ("no_passing",), step=between)
    if is_closed(rules, position, way, to):
        return Obstacle("meeting", ("safe_squares", "safe_meeting"), step=to)
    return _bar_before(rules, position, way, step, to) if rules["partner_bar"] else None


def is_closed(rules: Rules, position: Position, way: Course, step: int) -> bool:
    """Return whether the square that is the mover's `step` is safe, and others stand on it beside whom he may not
    stand."""
    if rules["safe_meeting"] == "shared" or step >= way.home or not way.marked[way.tracks[position.mover][step]]:
        return False
    return stands_opposed(rules, position, way, step)


def _exit_is_thrown(rules: Rules, position: Position, missing: int) -> bool:
    """From some distances home is reached only if both dice show the distance."""
    return position.double == missing or missing not in rules["exit_doubles"]


def stands_opposed(rules: Rules, position: Position, way: Course, step: int) -> bool:
    """Return whether a piece of another side stands on the square that is the mover's `step`."""
    return any(opponents_on(rules, position, way, step))


def opponents_on(rules: Rules, position: Position, way: Course, step: int) -> list[tuple[int, int]]:
    """Return (seat, its step) for every opposing piece on the square that is the mover's `step`."""
    square = way.tracks[position.mover][step]
    if square < 0:
        return []
    return [
        (seat, other)
        for seat, row in enumerate(position.pieces)
        if side(rules, seat) != side(rules, position.mover)
        for other in row
        if 0 < other < way.home and way.tracks[seat][other] == square
    ]


def is_barred(rules: Rules, position: Position, seat: int) -> bool:
    """Return whether a seat's home row is still closed: too few of its partner's pieces have passed, and none were let
    out."""
    if position.opened >> seat & 1:
        return False
    past = course(rules).past_bar
    passed = sum(step >= past for step in position.pieces[partner(seat)])
    return passed < int(rules["partner_bar"])


def is_waited_for(rules: Rules, position: Position, seat: int) -> bool:
    """Return whether a seat waits before its closed home row for two of its partner's pieces."""
    waits_at = course(rules).waits_at
    return is_barred(rules, position, seat) and any(step in waits_at for step in position.pieces[seat])


def _bar_before(rules: Rules, position: Position, way: Course, step: int, to: int) -> Obstacle | None:
    seat = position.mover
    if step < way.barred <= to and is_barred(rules, position, seat):
        return Obstacle("bar", ("partner_bar", "bar_squares"), step=way.barred)
    if step <= way.corner < to and is_waited_for(rules, position, partner(seat)):
        return Obstacle("corner", ("partner_bar", "bar_squares"), step=way.corner)
    return None


def may_leave_together(rules: Rules, position: Position) -> bool:
    """Return whether two of the mover's pieces may leave his waiting partner's inner corner by the double just thrown.

    A double that would take them onto a square where one of the waiting pieces stands cannot be used.
    """
    seat, way = position.mover, course(rules)
    waits = partner(seat)
    if not rules["partner_bar"] or not position.double or position.pieces[seat].count(way.corner) < 2:
        return False
    if sum(position.hand) < 2 or not is_waited_for(rules, position, waits):
        return False
    to = way.corner + position.double
    if is_closed(rules, position, way, to):
        return False
    return not any(way.as_partner(step) == to for step in position.pieces[waits] if step in way.waits_at)
