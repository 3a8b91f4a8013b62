"""What a lap captures, and what the other player takes in passing. Plain Python, for the referee."""

from simulator.engine.families.sowing.position import BLIND, ORDINARY, Position
from simulator.engine.families.sowing.referee.turn import Turn, next_for_lap

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
    """Whether a last counter in that hole, if it was empty, captures what lies opposite."""
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
        tell_vacant(turn, between, "capture_next_holes")
        hole, relation = next_in_chain(turn, between), "beyond"
    return ENDED_BY_CAPTURE


def next_in_chain(turn: Turn, place: int) -> int:
    """The hole after `place` that a chain looks at: barred holes may be passed over as if they did not exist."""
    position = turn.position
    hole = next_for_lap(turn.rules, position, place)
    for _ in range(2 * position.row):
        if turn.rules["barred_in_chain"] != "absent" or not position.is_barred(hole):
            break
        turn.tell("vacant", "absent", hole, "barred_in_chain")
        hole = next_for_lap(turn.rules, position, hole)
    return hole


def tell_vacant(turn: Turn, hole: int, *keys: str) -> None:
    """Say that a hole which was looked at is empty, or counts so."""
    why = "empty" if turn.position.marks[hole] == ORDINARY else "as_empty"
    turn.tell("vacant", why, hole, *keys, *looked_at(turn.position, hole))


def looked_at(position: Position, hole: int) -> tuple[str, ...]:
    """The parameter that says what a marked hole counts as where it is looked at."""
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
