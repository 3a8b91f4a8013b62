"""What a lap captures, and what the other player takes in passing. Plain Python, for the referee."""

from simulator.engine.families.sowing.position import ORDINARY
from simulator.engine.families.sowing.referee.turn import Turn, next_for_lap


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


def capture_chain(turn: Turn, before: int) -> None:
    """Capture the hole after `before`, then every second one while those between are empty, up to the ruleset's number
    of holes."""
    rules, position = turn.rules, turn.position
    hole = next_in_chain(turn, before)
    for count in range(rules["capture_next_holes"]):
        if not may_be_captured(turn, hole):
            return
        turn.take(hole, turn.mover, ("capture_next",) if count == 0 else ("capture_next", "capture_next_holes"))
        between = next_in_chain(turn, hole)
        barred = position.is_barred(between)
        if barred and rules["barred_in_chain"] == "ends":
            return
        if position.holes[between] and not (barred and rules["barred_next"] != "ends"):
            return
        hole = next_in_chain(turn, between)


def next_in_chain(turn: Turn, place: int) -> int:
    """The hole after `place` that a chain looks at: barred holes may be passed over as if they did not exist."""
    position = turn.position
    hole = next_for_lap(turn.rules, position, place)
    for _ in range(2 * position.row):
        if turn.rules["barred_in_chain"] != "absent" or not position.is_barred(hole):
            break
        hole = next_for_lap(turn.rules, position, hole)
    return hole


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
