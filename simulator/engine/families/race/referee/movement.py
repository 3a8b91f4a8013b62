"""The way over a board, what keeps a piece from going along it, and the moves of a position.

A course says where a piece of a seat stands at each step, and where the steps with a rule of their own lie. Tracks of
different seats cross, so that whether two pieces meet is a question about squares, not about steps. What keeps a piece
is exact exit, home row by ones, no passing, safe squares, or the bar before the home row.

The order of moves is part of the contract: parts in ascending order of their kinds, for each the mover's pieces in
ascending order of their steps (pieces that stand together are one option) and one piece of a pair entering alone; then
the sum of a series, by each piece and by one of a pair, two pieces leaving the bar together, and declining. If no piece
can play anything of the throw, the one move is to pass; `hindrances` says what keeps each piece, and the parameters
that say so.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from simulator.engine.boards.race import Board
from simulator.engine.boards.tracks import board_of, text_of
from simulator.engine.families.race import position as code
from simulator.engine.families.race.marks import Effects, effects
from simulator.engine.families.race.position import Hindrance, Obstacle, Part, Position, Rules, partner, side
from simulator.engine.families.race.referee.throws import EXTRA, JOINED, NAMED, ONE, THROW, PartKind, kinds, number_of

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
    if to == way.home and rules["final_steps"]:
        return Obstacle("stays", ("final_steps",), missing)
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


def moves(rules: Rules, position: Position) -> list[int]:
    """Return every legal move of a running game."""
    found = list(plays(rules, position))
    if not found:
        return [code.PASS]
    if rules["plays_most"] and 1 < sum(position.hand) <= code.MOST_AHEAD:
        most = _playable(rules, position)
        found = [move for move in found if 1 + _playable(rules, _moved(rules, position, move)) == most]
    return [*found, code.DECLINE] if rules["may_decline"] else found


def plays(rules: Rules, position: Position) -> Iterator[int]:
    """Yield the ways to play some of what was thrown."""
    if rules["division"] == "free":
        yield from _divisions(rules, position)
        return
    table = kinds(rules)
    for number, kind in enumerate(table):
        if position.hand[number]:
            yield from _plays_of_part(rules, position, number, kind)
    yield from _totals(rules, position, table)
    if may_leave_together(rules, position):
        yield code.TOGETHER


def _playable(rules: Rules, position: Position) -> int:
    """Return how many parts of the throw can be played one after the other, if they are played as well as can be."""
    best, parts = 0, sum(position.hand)
    for move in plays(rules, position) if parts else ():
        best = max(best, 1 + _playable(rules, _moved(rules, position, move)))
        if best == parts:
            break
    return best


def _moved(rules: Rules, position: Position, move: int) -> Position:
    """Return the position with a piece moved by a part, and nothing else: what it sends back stands in nobody's way."""
    number, step = divmod(move, code.STRIDE)
    value, after = kinds(rules)[number].value, position.copy()
    distance = value if step else entry_distance(rules, value)
    after.shift(position.mover, step, course(rules).after(step, distance))
    after.hand[number] -= 1
    return after


def steps(position: Position) -> list[int]:
    """Return the different steps of the mover's pieces, ascending."""
    return sorted(set(position.pieces[position.mover]))


def _plays_of_part(rules: Rules, position: Position, number: int, kind: PartKind) -> Iterator[int]:
    for step in steps(position):
        if _may_play(rules, position, kind, step):
            yield number * code.STRIDE + step
    if _has_pair(rules, position) and _may_play(rules, position, kind, 0):
        yield code.ALONE_OF + number * code.STRIDE
    if kind.label != JOINED:
        return
    rest = kinds(rules)[number_of(rules, kind.value - 1, THROW)]
    for start, share in ((code.EXTRA_OF, PartKind(1, EXTRA)), (code.REST_OF, rest)):
        for step in steps(position):
            if _may_play(rules, position, share, step):
                yield start + number * code.STRIDE + step


def _has_pair(rules: Rules, position: Position) -> bool:
    """Return whether the mover may enter one of two pieces that were sent back together."""
    return rules["pairs_apart"] and position.pairs[position.mover] > 0


def _may_play(rules: Rules, position: Position, kind: PartKind, step: int) -> bool:
    if step == 0:
        return _may_enter(rules, position, kind) and may_go(rules, position, 0, entry_distance(rules, kind.value))
    if kind.label == EXTRA and position.waiting(position.mover) and _may_enter(rules, position, kind):
        return False
    if rules["series_played"] == "total" and kind.label in (THROW, NAMED, JOINED):
        return False
    by_one = kind.label == ONE
    return may_go(rules, position, step, kind.value, by_one) or (by_one and goes_over(rules, position, step))


def _may_enter(rules: Rules, position: Position, kind: PartKind) -> bool:
    """Return whether a waiting piece enters by such a part."""
    if rules["series_played"] == "total" and not _enters_alone(rules, kind):
        return False
    return admits(rules, position, kind)


def _enters_alone(rules: Rules, kind: PartKind) -> bool:
    """Return whether a piece enters by this throw apart from the sum as which a series is played."""
    return kind.label in (ONE, EXTRA) or (rules["entry"] == "by_score" and rules["entry_spends"] == "whole_throw")


def awaits_first(rules: Rules, position: Position) -> bool:
    """Return whether the mover's first piece of the game is still to enter, which takes scores of its own."""
    return bool(rules["first_enter_scores"]) and not position.entered >> position.mover & 1


def admits(rules: Rules, position: Position, kind: PartKind) -> bool:
    """Return whether a waiting piece of the mover enters by such a part."""
    if rules["entry"] == "by_score":
        if awaits_first(rules, position):
            return kind.label == THROW and kind.value in rules["first_enter_scores"]
        return kind.enters
    return rules["entry"] == "walks_on" or kind.label == EXTRA


def entry_distance(rules: Rules, value: int) -> int:
    """Return how far a piece comes that enters by a part of that value."""
    goes_on = rules["entry"] == "walks_on" or (rules["entry"] == "by_score" and rules["entry_spends"] == "its_score")
    return value if goes_on else 1


def series_sum(rules: Rules, position: Position) -> tuple[int, int]:
    """Return (how many, their sum) of the throws in hand that can be added up: no ones, no extra points."""
    number = total = 0
    for count, kind in zip(position.hand, kinds(rules), strict=False):
        if kind.label in (THROW, NAMED, JOINED):
            number, total = number + count, total + count * kind.value
    return number, total


def _totals(rules: Rules, position: Position, table: tuple[PartKind, ...]) -> Iterator[int]:
    if rules["series_played"] == "each_throw":
        return
    number, total = series_sum(rules, position)
    if number < (1 if rules["series_played"] == "total" else 2):
        return
    for step in steps(position):
        if (step or _total_enters(rules, position, table)) and may_go(rules, position, step, total):
            yield code.TOTAL + step
    enters = _total_enters(rules, position, table) and may_go(rules, position, 0, total)
    if enters and _has_pair(rules, position):
        yield code.ALONE_OF + code.TOTAL


def _total_enters(rules: Rules, position: Position, table: tuple[PartKind, ...]) -> bool:
    """Return whether a sum enters a piece: it does if one of its throws does and an entry does not use the throw up."""
    if rules["entry"] == "by_score" and rules["entry_spends"] == "whole_throw":
        return False
    return any(admits(rules, position, kind) for kind in summed(position, table))


def summed(position: Position, table: tuple[PartKind, ...]) -> list[PartKind]:
    """Return the kinds of the throws in hand that can be added up: no ones, no extra points."""
    found = [kind for kind, count in zip(table, position.hand, strict=False) if count]
    return [kind for kind in found if kind.label in (THROW, NAMED, JOINED)]


def _divisions(rules: Rules, position: Position) -> Iterator[int]:
    """Yield the shares of a freely divided throw: all of it by one piece, or two pieces' shares that make it up.

    A piece that goes home by a double (`exit_doubles`), or by any die (`exit_alone`), plays one die, and may do so if
    the other die cannot be played.
    """
    pool, own = position.pool, position.pieces[position.mover]
    if position.divided:
        others = _other_steps(rules, position, position.divided, pool)
        yield from (code.FREE + pool * code.STRIDE + step for step in others)
        return
    enters = pool and position.double == rules["enter_double"] and rules["entry"] == "by_double" and 0 in own
    if enters and may_go(rules, position, 0, 1):
        yield code.FREE
    for share in range(1, pool + 1):
        for step in steps(position):
            if _may_take(rules, position, step, share) and (
                share == pool
                or _leaves_by_one_die(rules, position, step, share)
                or _other_steps(rules, position, step, pool - share)
            ):
                yield code.FREE + share * code.STRIDE + step


def _may_take(rules: Rules, position: Position, step: int, share: int) -> bool:
    return (step > 0 or rules["entry"] == "walks_on") and may_go(rules, position, step, share)


def _other_steps(rules: Rules, position: Position, step: int, share: int) -> list[int]:
    """Return the steps of the mover's pieces, but for one that stands on `step`, that can play a share."""
    others = position.pieces[position.mover][:]
    # One piece takes the share; where several stand together, the rest of them may still play.
    others.remove(step)
    return [other for other in sorted(set(others)) if _may_take(rules, position, other, share)]


def _leaves_by_one_die(rules: Rules, position: Position, step: int, share: int) -> bool:
    if course(rules).home - step != share:
        return False
    if rules["exit_alone"] == "any_die":
        return bool(position.faces >> share & 1)
    return share == position.double and share in rules["exit_doubles"]


def left(rules: Rules, position: Position) -> tuple[Part, ...]:
    """Return the parts of the throw that are still to be played."""
    if position.pool:
        return ((position.pool, THROW),)
    in_hand = zip(kinds(rules), position.hand, strict=False)
    return tuple((kind.value, kind.label) for kind, count in in_hand for _ in range(count))


def hindrances(rules: Rules, position: Position) -> tuple[Hindrance, ...]:
    """Return why nothing of what is left can be played, piece by piece; empty if nothing is left."""
    found: dict[tuple[int, Obstacle], list[Part]] = {}
    for step, obstacle, part in _of_pool(rules, position) if position.pool else _of_hand(rules, position):
        if part not in found.setdefault((step, obstacle), []):
            found[step, obstacle].append(part)
    return tuple(Hindrance(step, obstacle, tuple(parts)) for (step, obstacle), parts in found.items())


def keys_of(found: tuple[Hindrance, ...]) -> tuple[str, ...]:
    """Return the parameters that say so, each once."""
    return tuple(dict.fromkeys(key for hindrance in found for key in hindrance.obstacle.keys))


def _of_hand(rules: Rules, position: Position) -> Iterator[tuple[int, Obstacle, Part]]:
    in_hand = [kind for kind, count in zip(kinds(rules), position.hand, strict=False) if count]
    for step in _on_the_way(rules, position):
        for kind in in_hand:
            obstacle = _of_part(rules, position, kind, step)
            if obstacle:
                yield step, obstacle, (kind.value, kind.label)


def _of_part(rules: Rules, position: Position, kind: PartKind, step: int) -> Obstacle | None:
    if step == 0:
        if not admits(rules, position, kind):
            return _unadmitted(rules, position)
        return what_keeps(rules, position, 0, entry_distance(rules, kind.value))
    is_summed = rules["series_played"] == "total" and kind.label in (THROW, NAMED, JOINED)
    distance = series_sum(rules, position)[1] if is_summed else kind.value
    return what_keeps(rules, position, step, distance, kind.label == ONE)


def _unadmitted(rules: Rules, position: Position) -> Obstacle:
    """Return the obstacle that says by what alone a waiting piece enters."""
    if rules["entry"] == "by_extra":
        return Obstacle("extra", ("entry", "extra_scores"))
    if awaits_first(rules, position):
        return Obstacle("first", ("entry", "first_enter_scores"))
    return Obstacle("score", ("entry", "enter_scores", "named_enters"))


def _of_pool(rules: Rules, position: Position) -> Iterator[tuple[int, Obstacle, Part]]:
    part, on_the_way = (position.pool, THROW), _on_the_way(rules, position)
    if any(on_the_way) and not position.divided:
        yield 0, Obstacle("whole", ("division", "exit_alone")), part
    for step in on_the_way:
        obstacle = _of_doubles(rules, position) if step == 0 else what_keeps(rules, position, step, position.pool)
        if obstacle:
            yield step, obstacle, part


def _of_doubles(rules: Rules, position: Position) -> Obstacle | None:
    """Return what keeps waiting pieces out where throws are divided freely: they walk on, or enter by a double
    alone."""
    if rules["entry"] == "walks_on":
        return what_keeps(rules, position, 0, position.pool)
    if position.double != rules["enter_double"]:
        return Obstacle("double", ("entry", "enter_double"), rules["enter_double"])
    return what_keeps(rules, position, 0, 1)


def _on_the_way(rules: Rules, position: Position) -> list[int]:
    """Return where the mover's pieces stand that are not home, 0 if any waits."""
    return [step for step in steps(position) if step < course(rules).home]
