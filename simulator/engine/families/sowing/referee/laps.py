"""A turn of sowing: its laps, what it captures, and what the other player takes in passing.

Plain Python, for the referee. After each lap the state of the board says whether the turn goes on, and from where.
"""

from dataclasses import replace

from simulator.engine.families.sowing.position import BLIND, ORDINARY, PALM, STORE, TIED, Event, Position
from simulator.engine.families.sowing.referee import after_lap as by_rows
from simulator.engine.families.sowing.referee.turn import END_OF_TURN, ENDLESS_TURN, MOVE_AGAIN, ROUND_OVER, Rules, Turn


def step(position: Position, place: int) -> int:
    """Return the next hole in the direction of sowing, whatever it is."""
    return position.board.step(position.mover, place, position.direction)


def next_for_lap(rules: Rules, position: Position, place: int) -> int:
    """Return the hole after `place` that a lap may look at: covered holes are no holes, nor are blind ones, by most
    rules."""
    skipped = (BLIND, PALM, PALM + 1) if rules["blind_next"] == "skipped" else (PALM, PALM + 1)
    for _ in position.holes:
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
        return count == position.short_number + 1 or ties_by_the_usual(turn, last)
    if rules["capture_making_side"] == "opposing" and position.owner_of_hole(last) == turn.mover:
        return False
    return count in rules["capture_making"]


def ties(turn: Turn, last: int) -> bool:
    """Return whether the number that was made in a hole ties it."""
    rules, position = turn.rules, turn.position
    if not rules["tied_ends"] or not is_end_hole(position, last):
        return False
    if not turn.is_short_handed or rules["short_handed_ties"] == "his_number":
        return True
    return ties_by_the_usual(turn, last)


def ties_by_the_usual(turn: Turn, last: int) -> bool:
    """Return whether a short-handed player has made the number in a hole that ties it for everybody."""
    rules, position = turn.rules, turn.position
    if rules["short_handed_ties"] != "usual_number" or not is_end_hole(position, last):
        return False
    return position.holes[last] in rules["capture_making"]


def capture_by_number(turn: Turn, last: int) -> bool:
    """Capture the last hole and, where runs are captured, those before it in the same row; False if that would be
    everything in the row, and nothing may be taken so."""
    rules, position = turn.rules, turn.position
    run = [last]
    if rules["capture_making_run"]:
        row = position.own_row(position.owner_of_hole(last))
        hole = position.board.step(turn.mover, last, -position.direction)
        while hole in row and position.holes[hole] in rules["capture_making"] and hole not in run:
            run.append(hole)
            hole = position.board.step(turn.mover, hole, -position.direction)
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
    for _ in position.holes:
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
    """Let the player who is not sowing take a group that has just reached his number."""
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


def play_laps(turn: Turn, start: int) -> str:
    """Sow from `start` until the turn ends, and take what is taken then; returns what follows it."""
    before = turn.position.holes[:]
    follows = run_laps(turn, start)
    if follows != ENDLESS_TURN and turn.rules["en_passant_when"] == "after_sowing":
        for hole, counters in enumerate(before):
            if turn.position.holes[hole] != counters:
                take_group(turn, hole, ("en_passant", "en_passant_when"))
    return follows


def run_laps(turn: Turn, goes_on: int | str | None) -> str:
    """Sow from a hole until the turn ends, or the player has to decide; returns what follows."""
    while isinstance(goes_on, int):
        start = goes_on
        turn.laps += 1
        if turn.laps + turn.position.laps > turn.rules["lap_limit"]:
            turn.events.append(Event("endless", ("lap_limit",), turn.mover, None, turn.rules["lap_limit"], "laps"))
            return ENDLESS_TURN
        last, previous = sow(turn, start)
        if last is None:
            turn.events.append(Event("endless", ("pass_over", "pass_over_full"), turn.mover, why="full"))
            return ENDLESS_TURN
        if last == STORE:
            if turn.rules["store_again"]:
                turn.record("again", "", None, "store_again")
                return MOVE_AGAIN
            turn.end("store", None, "store_again")
            return END_OF_TURN
        if turn.rules["begins_at"] == "after_last":
            turn.position.short_number = 1 + last
        goes_on = after_lap(turn, last, previous, start)
        if isinstance(goes_on, int) and (why := forbids_going_on(turn, goes_on)):
            turn.record("forbidden", why, goes_on, "singles")
            return ROUND_OVER
    return goes_on or END_OF_TURN


def sow(turn: Turn, start: int) -> tuple[int | None, int]:
    """Sow one lap; returns (last place, what its hole held before), the place None if no hole may be sown."""
    lap, turn.path = len(turn.events), []
    ends = _drop_one_by_one(turn, start, turn.path)
    turn.events[lap] = replace(turn.events[lap], path=tuple(turn.path))
    return ends


def _lifted(turn: Turn, start: int) -> int:
    """Take up the counters of a lap, which says so: those of a hole, or those that were taken and are sown on."""
    rules, position = turn.rules, turn.position
    hand, turn.hand = turn.hand, 0
    if hand:
        turn.events.append(Event("lap", ("after_lap",), turn.mover, start, hand, "taken"))
        return hand
    left = int(rules["leaves_one"])
    hand, position.holes[start] = position.holes[start] - left, left
    turn.events.append(Event("lap", ("relay",) if turn.laps > 1 else (), turn.mover, start, hand))
    return hand


def _drop_one_by_one(turn: Turn, start: int, path: list[int]) -> tuple[int | None, int]:
    """Sow one lap and write down into which places its counters fall."""
    rules, position = turn.rules, turn.position
    before = position.holes[:]
    carried = turn.hand > 0
    hand, place, passed = _lifted(turn, start), start, 0
    into_its_own = rules["origin_first"] and not carried
    while True:
        if (
            rules["store_sown"]
            and not into_its_own
            and place == position.from_first(turn.mover, position.direction, position.row - 1)
        ):
            turn.gain(turn.mover, 1)
            path.append(STORE)
            hand -= 1
            if hand == 0:
                return STORE, 0
        place = place if into_its_own else step(position, place)
        mark = position.marks[place]
        if is_closed_to(turn, place) or (place == start and rules["origin_passed"] and not into_its_own):
            if mark == PALM + 1 - turn.mover:
                turn.events.append(Event("passed_over", ("palm",), turn.mover, place, position.holes[place]))
            passed += 1
        elif mark == PALM + turn.mover:
            if drop_at_own_palm(turn, place):
                path.append(STORE)
                hand -= 1
                passed = 0
            else:
                passed += 1
        elif hand > 1 and is_passed_over(
            turn, place, before if rules["pass_over_judged"] == "before_lap" else position.holes
        ):
            by = passing_rules(turn, position.holes[place])
            turn.events.append(Event("passed_over", by, turn.mover, place, position.holes[place]))
            passed += 1
        else:
            position.holes[place] += 1
            path.append(place)
            hand -= 1
            passed = 0
        into_its_own = False
        if hand == 0:
            previous = position.holes[place] - 1
            take_in_passing(turn, place, True)
            return place, previous
        if passed == 0:
            take_in_passing(turn, place, False)
        elif passed >= len(position.holes):
            if rules["pass_over_full"] == "endless":
                return None, 0
            turn.events.append(Event("origin", ("pass_over_full",), turn.mover, start, 1))
            position.holes[start] += 1
            path.append(start)
            hand -= 1
            place, passed = start, 0
            if hand == 0:
                return place, position.holes[place] - 1


def take_in_passing(turn: Turn, place: int, is_last: bool) -> None:
    """Take a hole that a counter has just brought to a number."""
    if turn.position.tables is None:
        take_en_passant(turn, place)
    elif turn.position.tables.passing:
        by_rows.take_while_sowing(turn, place, is_last)


def is_closed_to(turn: Turn, hole: int) -> bool:
    """Return whether a hole is closed: blind holes are to both, a covered one to the opponent of its owner."""
    position, mark = turn.position, turn.position.marks[hole]
    if position.tables is not None and position.tables.special.get(hole, {}).get("sown") == "by_owner":
        return position.board.owner[hole] != turn.mover
    return mark == BLIND or mark == PALM + 1 - turn.mover


def passing_rules(turn: Turn, count: int) -> tuple[str, ...]:
    """Return the parameters by which the mover passes over a hole with so many."""
    if not turn.is_short_handed:
        return ("pass_over",)
    if count == turn.position.short_number:
        return ("short_handed",)
    return ("short_handed_passes_both",) if count in (1, 2) else ("pass_over", "short_handed_passes_usual")


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
    """Return the richer player passes the hole he covers and gains one; True if it came from his hand."""
    from_hand = bool(turn.rules["palm"] == "from_hand")
    if not from_hand and turn.position.holes[hole]:
        turn.position.holes[hole] -= 1
    elif not from_hand:
        return False
    turn.gain(turn.mover, 1)
    turn.record("gain", "", hole, "palm")
    return from_hand


def forbids_going_on(turn: Turn, hole: int) -> str:
    """Say what forbids a lap to go on, or nothing.

    Under `larger_throughout` it goes on only from several counters, while the mover's row holds several.
    """
    position = turn.position
    if turn.rules["singles"] != "larger_throughout":
        return ""
    if position.is_barred(hole):
        return "barred"
    if position.holes[hole] < 2:
        return "single"
    return "" if any(position.holes[own] > 1 for own in position.own_row(turn.mover)) else "row"


def after_lap(turn: Turn, last: int, previous: int, start: int = 0) -> int | str | None:
    """Return the hole the lap goes on from, None when the turn has ended, or what follows; makes the captures."""
    rules, position = turn.rules, turn.position
    if position.tables is not None:
        return by_rows.after_lap(turn, last, previous, start)
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
    keys = ("barred_last",) if as_empty else ("relay",)
    how = "as_empty" if as_empty else "empty" if previous == 0 else "fell"
    opposite, along_the_row = captures_opposite(turn, last), rules["capture_next"] == "after_empty"
    if how == "fell" or not (opposite or along_the_row):
        turn.end(how, last, *keys)
        return None
    turn.record("fell", how, last, *keys)
    if turn.is_short_handed:
        turn.end("short", None, "short_handed")
        return None
    ends = capture_opposite(turn, last) if opposite else ENDED_BY_CAPTURE
    if along_the_row:
        ends = capture_chain(turn, last, "next")
    turn.end(*ends)
    return None


def after_making_a_number(turn: Turn, last: int) -> int | None:
    """Settle a number that the last counter has made: the hole is tied or captured, and the lap may go on."""
    rules, position = turn.rules, turn.position
    if ties(turn, last):
        position.marks[last] = TIED + turn.mover
        keys = ("tied_ends", "short_handed_ties") if turn.is_short_handed else ("tied_ends",)
        turn.events.append(Event("tie", keys, turn.mover, last, position.holes[last]))
        return None
    if not capture_by_number(turn, last):
        turn.record("slam", "", last, "grand_slam")
    of_his_own = turn.is_short_handed and rules["short_handed_then"] != "as_usual"
    key = "short_handed_then" if of_his_own else "capture_making_then"
    if rules[key] == "end" or (rules[key] == "next_unless_end_hole" and is_end_hole(position, last)):
        turn.end("captured", None, key)
        return None
    following = next_for_lap(rules, position, last)
    if position.holes[following] and (not position.is_barred(following) or _strict(rules)):
        return following
    turn.end("next", following, key, *looked_at(position, following))
    return None


def is_end_hole(position: Position, hole: int) -> bool:
    return hole in position.board.ends


def _strict(rules: Rules) -> bool:
    return bool(rules["singles"] == "larger_throughout")


def after_lap_from_another(turn: Turn, last: int, previous: int) -> int | None:
    """Return the relay from the next hole, or the one opposite: go on from it, or capture because it is empty."""
    rules, position = turn.rules, turn.position
    opposite = rules["relay"] == "opposite"
    following = position.opposite(last) if opposite else next_for_lap(rules, position, last)
    if not position.is_barred(following):
        if rules["last_empty_ends"] and previous == 0:
            turn.end("empty", last, "last_empty_ends")
            return None
        if position.holes[following] and position.marks[following] == ORDINARY:
            return following
    turn.events.append(Event("fell", (), turn.mover, last, previous, how_it_fell(position, last, previous)))
    if position.is_barred(following) and (
        rules["barred_next"] == "ends" or (rules["barred_next"] == "empty_after_empty" and previous)
    ):
        turn.end("next", following, "barred_next")
    elif rules["capture_next"] == "off":
        turn.end("next", following, "relay", *looked_at(position, following))
    else:
        record_vacant(turn, following, "relay")
        capture_past(turn, following)
    return None


def how_it_fell(position: Position, last: int, previous: int) -> str:
    if position.marks[last] in (PALM, PALM + 1):
        return "gained"
    return "barred" if position.is_barred(last) else "held" if previous else "empty"


def capture_past(turn: Turn, vacant: int) -> None:
    """Make the capture that an empty hole after the last one makes, and the end of the turn."""
    position = turn.position
    facing = position.opposite(vacant)
    if turn.is_short_handed:
        turn.end("short", None, "short_handed")
    elif turn.rules["capture_next"] == "beyond_empty":
        turn.end(*capture_chain(turn, vacant, "beyond"))
    elif may_be_captured(turn, facing):
        turn.take(facing, turn.mover, ("capture_next",))
        turn.end("captured", None)
    else:
        turn.end("opposite", facing)
