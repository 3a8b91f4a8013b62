"""The way over a board, and what keeps a piece from going along it.

A course says where a piece of a seat stands at each step, and where the steps with a rule of their own lie. Tracks of
different seats cross, so that whether two pieces meet is a question about squares, not about steps. What keeps a piece
is exact exit, home row by ones, no passing, safe squares, or the bar before the home row.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from simulator.engine.boards.race import Board
from simulator.engine.boards.tracks import board_of, text_of
from simulator.engine.families.race import position as code
from simulator.engine.families.race.marks import Effects, effects, ends_in_place
from simulator.engine.families.race.position import Obstacle, Position, Rules, partner, side
from simulator.engine.families.race.referee.throws import ONE, number_of

WAITING_SQUARES = 3  # at the bar


@dataclass(frozen=True, slots=True)
class Course:
    """The tracks of one ruleset.

    tracks:   tracks[seat][step] -> square; step 0 (off the board) and home are no square (-1)
    does:     what its squares do to a piece that lands on them
    home:     the step of a piece that is home, or taken for good
    asleep:   the last step on which pieces sleep, 0 if none do; round_to: where the way goes on behind its end, 0 if it
              does not
    home_row: the first step of the home row; `home` if the board has none
    barred:   the first step behind the bar before the home row, if there is one
    corner:   the partner's step on the left inner corner of one's own arm (crosses only, else 0)
    past_bar: the partner's first step beyond the squares on which one's own pieces wait (crosses only, else 0)
    """

    tracks: tuple[tuple[int, ...], ...]
    does: Effects
    home: int
    home_row: int
    barred: int
    corner: int
    past_bar: int
    asleep: int = 0
    round_to: int = 0

    def after(self, step: int, distance: int) -> int:
        """Return the step so far on from another: awake, home at the most, or round again."""
        to = (step + self.asleep if step <= self.asleep else step) + distance
        if self.round_to and to >= self.home:
            return self.round_to + (to - self.home) % (self.home - self.round_to)
        return min(to, self.home)

    def passed(self, step: int, distance: int) -> Iterable[int]:
        """Return the steps between one and another so far on."""
        if self.round_to:
            return [self.after(step, on) for on in range(1, distance)]
        return range(step + 1, self.after(step, distance))

    def lies(self, seat: int, step: int) -> bool:
        """Return whether a piece on a step is shown lying: it sleeps, or treads its square again."""
        return step <= self.asleep if self.asleep else self.treads_again(seat, step)

    @property
    def waits_at(self) -> range:
        """Steps on which a piece waits before the bar."""
        return range(self.barred - WAITING_SQUARES, self.barred)

    def treads_again(self, seat: int, step: int) -> bool:
        """Return whether a seat's step is a square that it has trodden before."""
        return self.trodden_before(seat, step) > 0

    def trodden_before(self, seat: int, step: int) -> int:
        """Return how often a seat has trodden the square of a step before."""
        return self.tracks[seat][1:step].count(self.tracks[seat][step])

    def as_partner(self, step: int) -> int:
        """Return the partner's step on the square that is one's own step `step` of the outer way."""
        return step - self.barred + self.past_bar


def _course(rules: Rules, board: Board, does: Effects) -> Course:
    seats, asleep, bar_squares = rules["seats"], code.asleep(rules), rules["bar_squares"]
    home = asleep + board.steps + (rules["goal"] == "beyond_last" or rules["taking"])
    home_row = board.steps - board.home_row + 1 if board.home_row else home
    tracks = tuple((-1, *track[:asleep], *track[: home - 1 - asleep], -1) for track in board.tracks[seats])
    barred = home_row + (bar_squares == "with_row_end")
    past_bar = barred - board.opposite_lag if board.opposite_lag else 0
    corner = home_row - board.opposite_lag - board.home_row if board.opposite_lag else 0
    round_to = rules["round_to"] and asleep + rules["round_to"]
    return Course(tracks, does, home, home_row, barred, corner, past_bar, asleep, round_to)


def course(rules: Rules) -> Course:
    """Return the course of a ruleset's parameters."""
    known = (text_of(rules["board"]), rules["seats"], rules["goal"], rules["bar_squares"], rules["safe_squares"])
    fight = (rules["round_to"], code.asleep(rules)) if rules["taking"] else ()
    key = (*known, *fight, text_of(rules["marked"])) if rules["marked"] or fight else known
    if key not in _courses:
        if len(_courses) > KEPT:
            _courses.clear()
        _courses[key] = _course(rules, board_of(rules), effects(rules))
    return _courses[key]


_courses: dict[Any, Course] = {}
KEPT = 500  # of what-ifs there is no end


def may_go(rules: Rules, position: Position, step: int, distance: int, by_one: bool = False) -> bool:
    """Return whether a piece of the mover on `step` (0: entering) may go `distance` squares on."""
    return what_keeps(rules, position, step, distance, by_one) is None


def what_keeps(rules: Rules, position: Position, step: int, distance: int, by_one: bool = False) -> Obstacle | None:
    """Return what keeps a piece of the mover on `step` (0: entering) from going `distance` squares on, if anything
    does.

    by_one: whether it would go by one of the ones of the named throw
    """
    way = course(rules)
    missing = way.home - step
    if not missing:
        return Obstacle("home")
    if rules["enter_first"] and step and position.waiting(position.mover):
        return Obstacle("waiting", ("enter_first",))
    if rules["wake_scores"] and step and (found := _by_sleep(rules, position, way, step, distance)):
        return found
    if distance > missing and not rules["overshoot"] and not rules["taking"]:
        return Obstacle("far", ("overshoot",), missing)
    hindmost = position.pieces[position.mover][0]
    if distance > missing and rules["overshoot_by"] == "hindmost" and hindmost < step:
        return Obstacle("behind", ("overshoot", "overshoot_by"), missing)
    to = way.after(step, distance)
    if to == way.home and rules["home_field"] and hindmost < way.home - rules["home_field"]:
        return Obstacle("field", ("home_field",), rules["home_field"])
    if to == way.home and ends_in_place(rules):
        return Obstacle("stays", ends_in_place(rules), missing)
    if to == way.home and rules["exit_scores"] and distance not in rules["exit_scores"]:
        return Obstacle("leaves", ("exit_scores",), missing)
    if to == way.home and not _exit_is_thrown(rules, position, missing):
        return Obstacle("exit", ("exit_doubles",), missing)
    if rules["home_row_ones"] and to > way.home_row and distance > 1:
        return Obstacle("ones", ("home_row_ones",), step=way.home_row)
    if rules["leaving_shared"] == "ones_only" and not by_one and _is_shared(rules, position, way, step):
        return Obstacle("leaving", ("no_passing", "leaving_shared"), step=step)
    for between in way.passed(step, distance) if rules["no_passing"] else ():
        if stands_opposed(rules, position, way, between):
            return Obstacle("passing", ("no_passing",), step=between)
    if is_closed(rules, position, way, to):
        return Obstacle("meeting", ("safe_squares", "safe_meeting"), step=to)
    if found := _on_the_squares(rules, position, way, step, distance):
        return found
    return _bar_before(rules, position, way, step, to) if rules["partner_bar"] else None


def _by_sleep(rules: Rules, position: Position, way: Course, step: int, distance: int) -> Obstacle | None:
    """Return what keeps a piece that sleeps, or one that is awake while its throw could wake another."""
    if step <= way.asleep:
        return None if distance in rules["wake_scores"] else Obstacle("asleep", ("wake_scores",))
    sleeping = (other for other in steps(position) if 0 < other <= way.asleep)
    wakes = rules["wakes_first"] and distance in rules["wake_scores"]
    if wakes and any(may_go(rules, position, other, distance) for other in sleeping):
        return Obstacle("wakes", ("wake_scores", "wakes_first"))
    return None


def _on_the_squares(rules: Rules, position: Position, way: Course, step: int, distance: int) -> Obstacle | None:
    """Return what on the squares of its way keeps a piece: pieces that hold one, its player's own, or a mark."""
    to = way.after(step, distance)
    if rules["no_passing_own"]:
        for between in way.passed(step, distance):
            if _own_on(position, way, step, between):
                return Obstacle("past_own", ("no_passing_own",), step=between)
    if rules["block_of"]:
        for held in (*way.passed(step, distance), to) if rules["block_stops"] == "passing" else (to,):
            if is_held(rules, position, way, held):
                return Obstacle("block", ("block_of", "block_stops"), rules["block_of"], held)
    square = way.tracks[position.mover][to]
    if square in way.does.closed:
        return Obstacle("closed", ("marked",), step=to)
    if rules["own_on_square"] and _own_on(position, way, step, to) >= rules["own_on_square"]:
        return Obstacle("own", ("own_on_square",), rules["own_on_square"], to)
    return None


def _own_on(position: Position, way: Course, step: int, to: int) -> int:
    """Return how many of the mover's pieces stand on the square of his step `to`, but for those on `step`."""
    track = way.tracks[position.mover]
    own = [track[other] for other in position.pieces[position.mover] if other != step]
    return own.count(track[to]) if track[to] >= 0 else 0


def is_held(rules: Rules, position: Position, way: Course, step: int) -> bool:
    """Return whether so many pieces of one opponent stand on the square that is the mover's `step` that they hold
    it."""
    opposed = [seat for seat, _ in opponents_on(rules, position, way, step)]
    return any(opposed.count(seat) >= rules["block_of"] for seat in opposed)


def is_closed(rules: Rules, position: Position, way: Course, step: int) -> bool:
    """Return whether the square that is the mover's `step` is safe, and others stand on it beside whom he may not
    stand."""
    return rules["safe_meeting"] != "shared" and _is_shared(rules, position, way, step)


def _is_shared(rules: Rules, position: Position, way: Course, step: int) -> bool:
    """Return whether the square that is the mover's `step` is safe, and others stand on it."""
    if not 0 < step < way.home or way.tracks[position.mover][step] not in way.does.safe:
        return False
    return stands_opposed(rules, position, way, step)


def goes_over(rules: Rules, position: Position, step: int) -> bool:
    """Return whether a piece of the mover on `step` goes, by two ones together, beyond a safe square that is closed."""
    if rules["safe_meeting"] != "passed_by_ones" or step == 0:
        return False
    way = course(rules)
    if not is_closed(rules, position, way, step + 1) or is_closed(rules, position, way, step + 2):
        return False
    return position.hand[number_of(rules, 1, ONE)] >= 2


def _exit_is_thrown(rules: Rules, position: Position, missing: int) -> bool:
    """Return whether home is reached from here: from some distances, only if both dice show the distance."""
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


def steps(position: Position) -> list[int]:
    """Return the different steps of the mover's pieces, ascending."""
    return sorted(set(position.pieces[position.mover]))
