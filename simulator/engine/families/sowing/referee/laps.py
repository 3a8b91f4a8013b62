"""One lap of sowing, and what the state of the board after it makes of the turn. Plain Python, for the referee."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from simulator.engine.families.sowing.events import Event
from simulator.engine.families.sowing.position import BLIND, ORDINARY, PALM, TIED, Position

Rules = Mapping[str, Any]

STORE = -1  # the place of a last counter that fell into the mover's own store

# What follows a lap.
END_OF_TURN, MOVE_AGAIN, ENDLESS_TURN, ROUND_OVER = "end of turn", "move again", "endless", "round over"


@dataclass(slots=True)
class Turn:
    """A sowing under way: the position being changed, and what happened in it so far."""

    rules: Rules
    position: Position
    events: list[Event] = field(default_factory=list)
    laps: int = 0
    taken: list[int] = field(default_factory=lambda: [0, 0])

    @property
    def mover(self) -> int:
        return self.position.mover

    @property
    def is_short_handed(self) -> bool:
        return self.position.short == 1 + self.mover

    def take(self, hole: int, seat: int, keys: tuple[str, ...]) -> None:
        """Everything in a hole goes to a player's store, as a capture."""
        counters = self.position.holes[hole]
        self.position.holes[hole] = 0
        self.gain(seat, counters)
        self.events.append(Event("capture", keys, seat, hole, counters))

    def gain(self, seat: int, counters: int) -> None:
        self.position.stores[seat] += counters
        self.taken[seat] += counters


def play_laps(turn: Turn, start: int) -> str:
    """Sow from `start` until the turn ends; returns what follows it."""
    hole: int | None = start
    while hole is not None:
        turn.laps += 1
        if turn.laps > turn.rules["lap_limit"]:
            turn.events.append(Event("endless", ("lap_limit",), turn.mover))
            return ENDLESS_TURN
        last, previous = sow(turn, hole)
        if last is None:
            turn.events.append(Event("endless", ("pass_over", "pass_over_full"), turn.mover))
            return ENDLESS_TURN
        if last == STORE:
            return MOVE_AGAIN if turn.rules["store_again"] else END_OF_TURN
        hole = after_lap(turn, last, previous)
        if hole is not None and not may_go_on_from(turn, hole):
            return ROUND_OVER
    return END_OF_TURN


def sow(turn: Turn, start: int) -> tuple[int | None, int]:
    """One lap: the place of the last counter and what its hole held before; (None, 0) if no hole may be sown."""
    rules, position = turn.rules, turn.position
    before = position.holes[:]
    hand, place, passed = position.holes[start], start, 0
    position.holes[start] = 0
    turn.events.append(Event("lap", ("relay",) if turn.laps > 1 else (), turn.mover, start, hand))
    while True:
        if rules["store_sown"] and place == position.from_first(turn.mover, position.direction, position.row - 1):
            turn.gain(turn.mover, 1)
            hand -= 1
            if hand == 0:
                return STORE, 0
        place = step(position, place)
        mark = position.marks[place]
        if is_closed_to(turn, place) or (place == start and rules["origin_passed"]):
            passed += 1
        elif mark == PALM + turn.mover:
            if drop_at_own_palm(turn, place):
                hand -= 1
                passed = 0
            else:
                passed += 1
        elif hand > 1 and is_passed_over(
            turn, place, before if rules["pass_over_judged"] == "before_lap" else position.holes
        ):
            turn.events.append(Event("passed_over", passing_rules(turn), turn.mover, place, position.holes[place]))
            passed += 1
        else:
            position.holes[place] += 1
            hand -= 1
            passed = 0
        if hand == 0:
            previous = position.holes[place] - 1
            take_en_passant(turn, place)
            return place, previous
        if passed == 0:
            take_en_passant(turn, place)
        elif passed >= 2 * position.row:
            if rules["pass_over_full"] == "endless":
                return None, 0
            position.holes[start] += 1
            hand -= 1
            place, passed = start, 0
            if hand == 0:
                return place, position.holes[place] - 1


def step(position: Position, place: int) -> int:
    """The next hole in the direction of sowing, whatever it is."""
    return (place + position.direction) % (2 * position.row)


def is_closed_to(turn: Turn, hole: int) -> bool:
    """Blind holes are closed to both, a covered one to the opponent of its owner."""
    mark = turn.position.marks[hole]
    return mark == BLIND or mark == PALM + 1 - turn.mover


def passing_rules(turn: Turn) -> tuple[str, ...]:
    """The parameters by which the mover passes over holes."""
    return ("short_handed", "short_handed_passes_both") if turn.is_short_handed else ("pass_over",)


def is_passed_over(turn: Turn, hole: int, counts: list[int]) -> bool:
    rules = turn.rules
    if rules["pass_over_never_marked"] and turn.position.is_barred(hole):
        return False
    if turn.is_short_handed:
        if rules["short_handed_passes_both"]:
            return counts[hole] in (1, 2)
        return counts[hole] == turn.position.short_number
    return bool(rules["pass_over"]) and counts[hole] == rules["pass_over"]


def drop_at_own_palm(turn: Turn, hole: int) -> bool:
    """The richer player passes the hole he covers and gains one; True if it came from his hand."""
    if turn.rules["palm"] == "from_hand":
        turn.gain(turn.mover, 1)
        return True
    if turn.position.holes[hole]:
        turn.position.holes[hole] -= 1
        turn.gain(turn.mover, 1)
    return False


def take_en_passant(turn: Turn, hole: int) -> None:
    """The player who is not sowing takes a group that has just reached his number."""
    position, waiting = turn.position, 1 - turn.mover
    if turn.rules["en_passant"] == "off" or not position.richer or position.marks[hole] != ORDINARY:
        return
    owner = waiting if turn.rules["en_passant"] == "own_number" else turn.mover
    number = position.excess if owner == position.richer - 1 else position.remainder
    if number and position.holes[hole] == number:
        turn.take(hole, waiting, ("en_passant",))


def next_for_lap(position: Position, place: int) -> int:
    """The hole after `place` that a lap may look at: blind and covered holes are no holes."""
    for _ in range(2 * position.row):
        place = step(position, place)
        if position.marks[place] not in (BLIND, PALM, PALM + 1):
            break
    return place


def may_go_on_from(turn: Turn, hole: int) -> bool:
    """Under `larger_throughout` a lap goes on only from several counters, while the mover's row holds several."""
    if turn.rules["singles"] != "larger_throughout":
        return True
    position = turn.position
    if position.is_barred(hole) or position.holes[hole] < 2:
        return False
    return any(position.holes[own] > 1 for own in position.own_row(turn.mover))


def after_lap(turn: Turn, last: int, previous: int) -> int | None:
    """The hole the lap goes on from, or None when the turn has ended; makes the captures."""
    rules, position = turn.rules, turn.position
    barred = position.is_barred(last)
    if barred and rules["barred_last"] == "ends" and rules["singles"] != "larger_throughout":
        tied = position.marks[last] in (TIED, TIED + 1)
        turn.events.append(Event("end_of_turn", ("tied_ends" if tied else "remainder_barred",), turn.mover, last))
        return None
    as_empty = barred and rules["barred_last"] == "as_empty"
    if not barred and makes_number(turn, last, previous + 1):
        if rules["tied_ends"] and is_end_hole(position, last):
            position.marks[last] = TIED + turn.mover
            turn.events.append(Event("tie", ("tied_ends",), turn.mover, last, position.holes[last]))
            return None
        capture_by_number(turn, last)
        if rules["capture_making_then"] == "end" or (
            rules["capture_making_then"] == "next_unless_end_hole" and is_end_hole(position, last)
        ):
            return None
        following = next_for_lap(position, last)
        return (
            following if position.holes[following] and (not position.is_barred(following) or _strict(rules)) else None
        )
    if rules["relay"] == "next":
        return after_lap_from_next(turn, last, previous)
    if previous > 0 and not as_empty and rules["relay"] == "last":
        return last
    if (previous == 0 or as_empty) and not turn.is_short_handed:
        capture_opposite(turn, last)
        if rules["capture_next"] == "after_empty":
            capture_chain(turn, next_for_lap(position, last))
    return None


def is_end_hole(position: Position, hole: int) -> bool:
    return hole % position.row in (0, position.row - 1)


def _strict(rules: Rules) -> bool:
    return bool(rules["singles"] == "larger_throughout")


def makes_number(turn: Turn, last: int, count: int) -> bool:
    rules, position = turn.rules, turn.position
    if position.holes[last] != count or position.marks[last] != ORDINARY:  # taken en passant, or under a palm
        return False
    if turn.is_short_handed:
        return count == position.short_number + 1
    if rules["capture_making_side"] == "opposing" and position.owner_of_hole(last) == turn.mover:
        return False
    return count in rules["capture_making"]


def capture_by_number(turn: Turn, last: int) -> None:
    """Capture the last hole and, where runs are captured, those before it in the same row."""
    rules, position = turn.rules, turn.position
    run = [last]
    if rules["capture_making_run"]:
        row = position.own_row(position.owner_of_hole(last))
        hole = last - position.direction
        while hole in row and position.holes[hole] in rules["capture_making"]:
            run.append(hole)
            hole -= position.direction
        if rules["grand_slam"] == "takes_nothing" and all(hole in run or not position.holes[hole] for hole in row):
            return
    for hole in run:
        turn.take(hole, turn.mover, ("short_handed" if turn.is_short_handed else "capture_making",))


def capture_opposite(turn: Turn, last: int) -> None:
    rules, position = turn.rules, turn.position
    if rules["capture_opposite"] == "off":
        return
    if rules["capture_opposite"] == "own" and position.owner_of_hole(last) != turn.mover:
        return
    facing = position.opposite(last)
    if not may_be_captured(turn, facing, rules["capture_opposite_barred"]):
        return
    turn.take(facing, turn.mover, ("capture_opposite",))
    if rules["capture_opposite_own_counter"]:
        turn.take(last, turn.mover, ("capture_opposite_own_counter",))


def may_be_captured(turn: Turn, hole: int, even_barred: bool = False) -> bool:
    position = turn.position
    if not position.holes[hole]:
        return False
    return position.marks[hole] == ORDINARY or (even_barred and position.is_barred(hole))


def after_lap_from_next(turn: Turn, last: int, previous: int) -> int | None:
    """The relay from the next hole: go on from it, or capture because it is empty."""
    rules, position = turn.rules, turn.position
    following = next_for_lap(position, last)
    if position.is_barred(following):
        as_empty = rules["barred_next"] == "empty" or (rules["barred_next"] == "empty_after_empty" and previous == 0)
        if not as_empty:
            turn.events.append(Event("end_of_turn", ("barred_next",), turn.mover, following))
            return None
    elif rules["last_empty_ends"] and previous == 0:
        turn.events.append(Event("end_of_turn", ("last_empty_ends",), turn.mover, last))
        return None
    elif position.holes[following]:
        return following
    if turn.is_short_handed:
        return None
    if rules["capture_next"] == "beyond_empty":
        capture_chain(turn, next_for_lap(position, following))
    elif rules["capture_next"] == "opposite_empty" and may_be_captured(turn, position.opposite(following)):
        turn.take(position.opposite(following), turn.mover, ("capture_next",))
    return None


def capture_chain(turn: Turn, hole: int) -> None:
    """Capture `hole`, then every second hole while the ones between are empty, up to the ruleset's number of holes."""
    rules, position = turn.rules, turn.position
    for count in range(rules["capture_next_holes"]):
        if not may_be_captured(turn, hole):
            return
        turn.take(hole, turn.mover, ("capture_next",) if count == 0 else ("capture_next", "capture_next_holes"))
        between = next_for_lap(position, hole)
        as_empty = position.is_barred(between) and rules["barred_next"] != "ends"
        if position.holes[between] and not as_empty:
            return
        hole = next_for_lap(position, between)
