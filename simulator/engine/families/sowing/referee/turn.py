"""A sowing under way: what it captures, and what the other player takes in passing. Plain Python, for the referee."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from simulator.engine.families.sowing.position import BLIND, ORDINARY, PALM, Event, Position

Rules = Mapping[str, Any]


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

    def end(self, why: str, hole: int | None, *keys: str) -> None:
        """Say why the turn ends, and at which hole."""
        self.record("end_of_turn", why, hole, *keys)

    def record(self, kind: str, why: str, hole: int | None, *keys: str) -> None:
        """Say what happened at a hole, and how many counters it holds now."""
        counters = 0 if hole is None else self.position.holes[hole]
        self.events.append(Event(kind, keys, self.mover, hole, counters, why))

    def take(self, hole: int, seat: int, keys: tuple[str, ...]) -> None:
        """Everything in a hole goes to a player's store, as a capture."""
        counters = self.position.holes[hole]
        self.position.holes[hole] = 0
        self.gain(seat, counters)
        self.events.append(Event("capture", keys, seat, hole, counters))

    def gain(self, seat: int, counters: int) -> None:
        self.position.stores[seat] += counters
        self.taken[seat] += counters


def step(position: Position, place: int) -> int:
    """Return the next hole in the direction of sowing, whatever it is."""
    return (place + position.direction) % (2 * position.row)


def next_for_lap(rules: Rules, position: Position, place: int) -> int:
    """Return the hole after `place` that a lap may look at: covered holes are no holes, nor are blind ones, by most
    rules."""
    skipped = (BLIND, PALM, PALM + 1) if rules["blind_next"] == "skipped" else (PALM, PALM + 1)
    for _ in range(2 * position.row):
        place = step(position, place)
        if position.marks[place] not in skipped:
            break
    return place


# Why a turn ends, at which hole, and the parameters that ended it: what `Turn.end` is given.
End = tuple[str, int | None, *tuple[str, ...]]
ENDED_BY_CAPTURE: End = ("captured", None)


def makes_number(turn: Turn, last: int, count: int) -> bool:
    rules, position = turn.rules, turn.position
    if position.holes[last] != count or position.marks[last] != ORDINARY:  # taken en passant, or under a palm
        return False
    if turn.is_short_handed:
        return count == position.short_number + 1
    if rules["capture_making_side"] == "opposing" and position.owner_of_hole(last) == turn.mover:
        return False
    return count in rules["capture_making"]


def capture_by_number(turn: Turn, last: int) -> bool:
    """Capture the last hole and, where runs are captured, those before it in the same row; False if that would be
    everything in the row, and nothing may be taken so."""
    rules, position = turn.rules, turn.position
    run = [last]
    if rules["capture_making_run"]:
        row = position.own_row(position.owner_of_hole(last))
        hole = last - position.direction
        while hole in row and position.holes[hole] in rules["capture_making"]:
            run.append(hole)
            hole -= position.direction
        if rules["grand_slam"] == "takes_nothing" and all(hole in run or not position.holes[hole] for hole in row):
            return False
    for hole in run:
        turn.take(hole, turn.mover, ("short_handed" if turn.is_short_handed else "capture_making",))
    return True


def captures_opposite(turn: Turn, last: int) -> bool:
    """Return whether a last counter in that hole, if it was empty, captures what lies opposite."""
    side = turn.rules["capture_opposite"]
    return bool(side == "either" or (side == "own" and turn.position.owner_of_hole(last) == turn.mover))


def capture_opposite(turn: Turn, last: int) -> End:
    rules, position = turn.rules, turn.position
    facing = position.opposite(last)
    if not may_be_captured(turn, facing, rules["capture_opposite_barred"]):
        return "opposite", facing
    turn.take(facing, turn.mover, ("capture_opposite",))
    if rules["capture_opposite_own_counter"]:
        turn.take(last, turn.mover, ("capture_opposite_own_counter",))
    return ENDED_BY_CAPTURE


def may_be_captured(turn: Turn, hole: int, even_barred: bool = False) -> bool:
    position = turn.position
    if not position.holes[hole]:
        return False
    return position.marks[hole] == ORDINARY or (even_barred and position.is_barred(hole))


def capture_chain(turn: Turn, before: int, relation: str) -> End:
    """Capture the hole after `before`, then every second one while those between are empty, up to the ruleset's number
    of holes; says why the chain ends. relation: how the first hole stands to what was told last, "next" or "beyond"."""
    rules, position = turn.rules, turn.position
    hole = next_in_chain(turn, before)
    keys: tuple[str, ...] = ("capture_next",)
    for _ in range(rules["capture_next_holes"]):
        if not may_be_captured(turn, hole):
            return relation, hole, *(("barred_in_chain",) if position.is_barred(hole) else looked_at(position, hole))
        turn.take(hole, turn.mover, keys)
        keys = ("capture_next", "capture_next_holes")
        if rules["capture_next_holes"] == 1:
            break
        between = next_in_chain(turn, hole)
        barred = position.is_barred(between)
        if barred and rules["barred_in_chain"] == "ends":
            return "next", between, "barred_in_chain"
        if position.holes[between] and not (barred and rules["barred_next"] != "ends"):
            return "next" if barred else "next_full", between, "capture_next_holes"
        record_vacant(turn, between, "capture_next_holes")
        hole, relation = next_in_chain(turn, between), "beyond"
    return ENDED_BY_CAPTURE


def next_in_chain(turn: Turn, place: int) -> int:
    """Return the hole after `place` that a chain looks at: barred holes may be passed over as if they did not exist."""
    position = turn.position
    hole = next_for_lap(turn.rules, position, place)
    for _ in range(2 * position.row):
        if turn.rules["barred_in_chain"] != "absent" or not position.is_barred(hole):
            break
        turn.record("vacant", "absent", hole, "barred_in_chain")
        hole = next_for_lap(turn.rules, position, hole)
    return hole


def record_vacant(turn: Turn, hole: int, *keys: str) -> None:
    """Say that a hole which was looked at is empty, or counts so."""
    why = "empty" if turn.position.marks[hole] == ORDINARY else "as_empty"
    turn.record("vacant", why, hole, *keys, *looked_at(turn.position, hole))


def looked_at(position: Position, hole: int) -> tuple[str, ...]:
    """Return the parameter that says what a marked hole counts as where it is looked at."""
    if position.marks[hole] == BLIND:
        return ("blind_next",)
    return ("barred_next",) if position.is_barred(hole) else ()


def take_en_passant(turn: Turn, hole: int) -> None:
    """The player who is not sowing takes a group that has just reached his number."""
    if turn.rules["en_passant_when"] == "at_once":
        take_group(turn, hole, ("en_passant",))


def take_group(turn: Turn, hole: int, keys: tuple[str, ...]) -> None:
    position, waiting = turn.position, 1 - turn.mover
    if turn.rules["en_passant"] == "off" or not position.richer or position.marks[hole] != ORDINARY:
        return
    owner = waiting if turn.rules["en_passant"] == "own_number" else turn.mover
    number = position.excess if owner == position.richer - 1 else position.remainder
    if number and position.holes[hole] == number:
        turn.take(hole, waiting, keys)
