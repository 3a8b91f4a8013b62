"""One lap of sowing, and what the state of the board after it makes of the turn. Plain Python, for the referee."""

from simulator.engine.families.sowing.events import Event
from simulator.engine.families.sowing.position import BLIND, ORDINARY, PALM, TIED, Position
from simulator.engine.families.sowing.referee.captures import (
    capture_by_number,
    capture_chain,
    capture_opposite,
    makes_number,
    may_be_captured,
    take_en_passant,
    take_group,
)
from simulator.engine.families.sowing.referee.turn import Rules, Turn, next_for_lap, step

STORE = -1  # the place of a last counter that fell into the mover's own store

# What follows a lap.
END_OF_TURN, MOVE_AGAIN, ENDLESS_TURN, ROUND_OVER = "end of turn", "move again", "endless", "round over"


def play_laps(turn: Turn, start: int) -> str:
    """Sow from `start` until the turn ends, and take what is taken then; returns what follows it."""
    before = turn.position.holes[:]
    follows = _laps(turn, start)
    if follows != ENDLESS_TURN and turn.rules["en_passant_when"] == "after_sowing":
        for hole, counters in enumerate(before):
            if turn.position.holes[hole] != counters:
                take_group(turn, hole, ("en_passant", "en_passant_when"))
    return follows


def _laps(turn: Turn, start: int) -> str:
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
            if turn.rules["store_again"]:
                return MOVE_AGAIN
            turn.end("store", None, "store_again")
            return END_OF_TURN
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


def is_closed_to(turn: Turn, hole: int) -> bool:
    """Blind holes are closed to both, a covered one to the opponent of its owner."""
    mark = turn.position.marks[hole]
    return mark == BLIND or mark == PALM + 1 - turn.mover


def passing_rules(turn: Turn) -> tuple[str, ...]:
    """The parameters by which the mover passes over holes."""
    if turn.is_short_handed:
        return ("short_handed", "short_handed_passes_both", "short_handed_passes_usual")
    return ("pass_over",)


def is_passed_over(turn: Turn, hole: int, counts: list[int]) -> bool:
    rules = turn.rules
    if rules["pass_over_never_marked"] and turn.position.is_barred(hole):
        return False
    if turn.is_short_handed:
        of_his = (1, 2) if rules["short_handed_passes_both"] else (turn.position.short_number,)
        if counts[hole] in of_his or not rules["short_handed_passes_usual"]:
            return counts[hole] in of_his
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
        turn.end("barred", last, "tied_ends" if tied else "remainder_barred")
        return None
    as_empty = barred and rules["barred_last"] == "as_empty"
    if not barred and makes_number(turn, last, previous + 1):
        return after_making_a_number(turn, last)
    if rules["relay"] in ("next", "opposite"):
        return after_lap_from_another(turn, last, previous)
    if rules["relay"] == "last" and position.holes[last] > 1 and not as_empty:  # one that was taken is left empty
        return last
    taken = sum(turn.taken)
    if (previous == 0 or as_empty) and not turn.is_short_handed:
        capture_opposite(turn, last)
        if rules["capture_next"] == "after_empty":
            capture_chain(turn, last)
    if sum(turn.taken) > taken:
        turn.end("captured", None)
    else:
        turn.end("as_empty" if as_empty else "empty" if previous == 0 else "fell", last, "relay")
    return None


def after_making_a_number(turn: Turn, last: int) -> int | None:
    """The last counter has made a number: the hole is tied or captured, and the lap may go on from the next."""
    rules, position = turn.rules, turn.position
    if rules["tied_ends"] and is_end_hole(position, last):
        position.marks[last] = TIED + turn.mover
        turn.events.append(Event("tie", ("tied_ends",), turn.mover, last, position.holes[last]))
        return None
    capture_by_number(turn, last)
    of_his_own = turn.is_short_handed and rules["short_handed_then"] != "as_usual"
    key = "short_handed_then" if of_his_own else "capture_making_then"
    if rules[key] == "end" or (rules[key] == "next_unless_end_hole" and is_end_hole(position, last)):
        turn.end("captured", None, key)
        return None
    following = next_for_lap(rules, position, last)
    if position.holes[following] and (not position.is_barred(following) or _strict(rules)):
        return following
    turn.end("next_barred" if position.is_barred(following) else "next_empty", following, key)
    return None


def is_end_hole(position: Position, hole: int) -> bool:
    return hole % position.row in (0, position.row - 1)


def _strict(rules: Rules) -> bool:
    return bool(rules["singles"] == "larger_throughout")


def after_lap_from_another(turn: Turn, last: int, previous: int) -> int | None:
    """The relay from the next hole, or the one opposite: go on from it, or capture because it is empty."""
    rules, position = turn.rules, turn.position
    opposite = rules["relay"] == "opposite"
    following = position.opposite(last) if opposite else next_for_lap(rules, position, last)
    if position.is_barred(following):
        as_empty = rules["barred_next"] == "empty" or (rules["barred_next"] == "empty_after_empty" and previous == 0)
        if not as_empty:
            turn.end("next_barred", following, "barred_next")
            return None
    elif rules["last_empty_ends"] and previous == 0:
        turn.end("empty", last, "last_empty_ends")
        return None
    elif position.holes[following] and position.marks[following] == ORDINARY:
        return following
    if turn.is_short_handed or rules["capture_next"] == "off":
        turn.end("next_empty", following, "relay")
        return None
    taken = sum(turn.taken)
    turn.events.append(Event("vacant", ("relay",), turn.mover, following, position.holes[following]))
    facing = position.opposite(following)
    if rules["capture_next"] == "beyond_empty":
        capture_chain(turn, following)
    elif may_be_captured(turn, facing):
        turn.take(facing, turn.mover, ("capture_next",))
    turn.end("captured" if sum(turn.taken) > taken else "nothing", None)
    return None
