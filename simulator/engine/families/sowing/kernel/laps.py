"""Laps of sowing, compiled: the fast twin of the referee's `laps`."""

from simulator.engine.compiled import inlined, kernel_function
from simulator.engine.families.sowing.kernel.captures import (
    capture_chain,
    capture_making,
    capture_opposite,
    next_for_lap,
)
from simulator.engine.families.sowing.kernel.rules import (
    AFTER_EMPTY,
    BEYOND_EMPTY,
    FROM_HAND,
    LAST_AS_EMPTY,
    LAST_ENDS,
    NEXT_AFTER_EMPTY,
    NEXT_EMPTY,
    OPPOSITE_EMPTY,
    OWN_NUMBER,
    R_BARRED_LAST,
    R_BARRED_NEXT,
    R_EN_PASSANT,
    R_LAP_LIMIT,
    R_LAST_EMPTY_ENDS,
    R_MAKING,
    R_MAKING_SIDE,
    R_MAKING_THEN,
    R_NEXT,
    R_OPPOSITE,
    R_ORIGIN_PASSED,
    R_PALM,
    R_PASS_FULL,
    R_PASS_JUDGED,
    R_PASS_NEVER_MARKED,
    R_PASS_OVER,
    R_RELAY,
    R_ROW,
    R_SHORT_BOTH,
    R_SINGLES,
    R_STORE_AGAIN,
    R_STORE_SOWN,
    R_TIED_ENDS,
    RELAY_LAST,
    RELAY_NEXT,
    THEN_END,
    THEN_NEXT_UNLESS_END,
    THROUGHOUT,
)
from simulator.engine.families.sowing.kernel.words import HOLES, before_lap_at
from simulator.engine.families.sowing.measures import CAPTURES_0, LAPS
from simulator.engine.families.sowing.position import (
    BARRED,
    BLIND,
    PALM,
    TIED,
    W_DIRECTION,
    W_EXCESS,
    W_REMAINDER,
    W_RICHER,
    W_SHORT,
    W_SHORT_NUMBER,
    W_STORE,
)

# What follows a lap, and where a last counter may be.
END_OF_TURN, MOVE_AGAIN, ENDLESS_TURN, ROUND_OVER, GO_ON = 0, 1, 2, 3, 4
IN_STORE, NOWHERE = -1, -2


@inlined
def gain(position, counts, seat, counters):
    position[W_STORE + seat] += counters
    counts[CAPTURES_0 + seat] += counters


@inlined
def en_passant_number(rules, position, seat):
    """The size of the groups the waiting player takes while `seat` sows; 0 for none."""
    if rules[R_EN_PASSANT] == 0 or position[W_RICHER] == 0:
        return 0
    owner = 1 - seat if rules[R_EN_PASSANT] == OWN_NUMBER else seat
    return position[W_EXCESS] if owner == position[W_RICHER] - 1 else position[W_REMAINDER]


@inlined
def pass_numbers(rules, position, seat):
    """The two counts of holes that are passed over; -1 for none."""
    if position[W_SHORT] == 1 + seat:
        if rules[R_SHORT_BOTH]:
            return 1, 2
        return position[W_SHORT_NUMBER], -1
    if rules[R_PASS_OVER]:
        return rules[R_PASS_OVER], -1
    return -1, -1


@kernel_function
def sow(rules, position, counts, seat, start, pass_1, pass_2, group):
    """One lap; returns (place of the last counter, what its hole held before)."""
    row = rules[R_ROW]
    around = 2 * row
    marks = HOLES + around
    heading = position[W_DIRECTION]
    judged = HOLES
    if rules[R_PASS_JUDGED] and pass_1 >= 0:
        judged = before_lap_at(rules)
        for i in range(around):
            position[judged + i] = position[HOLES + i]
    store_after = -1
    if rules[R_STORE_SOWN]:
        store_after = seat * row + (row - 1 if heading > 0 else 0)
    closed_start = start if rules[R_ORIGIN_PASSED] else -1
    hand = position[HOLES + start]
    position[HOLES + start] = 0
    place = start
    passed = 0
    while True:
        if place == store_after:
            gain(position, counts, seat, 1)
            hand -= 1
            if hand == 0:
                return IN_STORE, 0
        place += heading
        if place == around:
            place = 0
        elif place < 0:
            place = around - 1
        mark = position[marks + place]
        count = position[judged + place]
        if mark == BLIND or mark == PALM + 1 - seat or place == closed_start:
            passed += 1
        elif mark == PALM + seat:
            if rules[R_PALM] == FROM_HAND:
                gain(position, counts, seat, 1)
                hand -= 1
                passed = 0
                if hand == 0:
                    return place, position[HOLES + place] - 1
            else:
                if position[HOLES + place]:
                    position[HOLES + place] -= 1
                    gain(position, counts, seat, 1)
                passed += 1
        elif hand > 1 and (count == pass_1 or count == pass_2) and not (mark and rules[R_PASS_NEVER_MARKED]):
            passed += 1
        else:
            held = position[HOLES + place]
            position[HOLES + place] = held + 1
            hand -= 1
            passed = 0
            if group and mark == 0 and held + 1 == group:
                position[HOLES + place] = 0
                gain(position, counts, 1 - seat, group)
            if hand == 0:
                return place, held
        if passed >= around:
            if rules[R_PASS_FULL] == 0:
                return NOWHERE, 0
            position[HOLES + start] += 1
            hand -= 1
            place = start
            passed = 0
            if hand == 0:
                return place, position[HOLES + place] - 1


@kernel_function
def play_laps(rules, position, counts, seat, start):
    """Sow from `start` until the turn ends; returns what follows."""
    pass_1, pass_2 = pass_numbers(rules, position, seat)
    group = en_passant_number(rules, position, seat)
    short = position[W_SHORT] == 1 + seat
    making = rules[R_MAKING]
    if short:
        making = 1 << (position[W_SHORT_NUMBER] + 1)
    limit = rules[R_LAP_LIMIT]
    laps = 0
    hole = start
    while True:
        laps += 1
        if laps > limit:
            return ENDLESS_TURN
        last, held = sow(rules, position, counts, seat, hole, pass_1, pass_2, group)
        if last < 0:
            if last == NOWHERE:
                return ENDLESS_TURN
            counts[LAPS] += laps
            return MOVE_AGAIN if rules[R_STORE_AGAIN] else END_OF_TURN
        hole = after_lap(rules, position, counts, seat, last, held, making, short)
        if hole < 0:
            counts[LAPS] += laps
            return END_OF_TURN
        if rules[R_SINGLES] == THROUGHOUT and not may_go_on_from(rules, position, seat, hole):
            counts[LAPS] += laps
            return ROUND_OVER


@kernel_function
def may_go_on_from(rules, position, seat, hole):
    row = rules[R_ROW]
    mark = position[HOLES + 2 * row + hole]
    if mark == BARRED or mark == BARRED + 1 or mark >= TIED or position[HOLES + hole] < 2:
        return False
    for own in range(seat * row, seat * row + row):
        if position[HOLES + own] > 1:
            return True
    return False


@kernel_function
def after_lap(rules, position, counts, seat, last, held, making, short):
    """The hole the lap goes on from, or -1 when the turn has ended; makes the captures."""
    row = rules[R_ROW]
    mark = position[HOLES + 2 * row + last]
    barred = mark >= TIED or mark == BARRED or mark == BARRED + 1
    strict = rules[R_SINGLES] == THROUGHOUT
    if barred and rules[R_BARRED_LAST] == LAST_ENDS and not strict:
        return -1
    as_empty = barred and rules[R_BARRED_LAST] == LAST_AS_EMPTY
    count = held + 1
    if count < 16 and (making >> count) & 1 and mark == 0 and position[HOLES + last] == count:
        if short or rules[R_MAKING_SIDE] == 0 or (last >= row) != seat:
            end_hole = last == 0 or last == row - 1 or last == row or last == 2 * row - 1
            if rules[R_TIED_ENDS] and end_hole:
                position[HOLES + 2 * row + last] = TIED + seat
                return -1
            capture_making(rules, position, counts, seat, last, making)
            if rules[R_MAKING_THEN] == THEN_END or (rules[R_MAKING_THEN] == THEN_NEXT_UNLESS_END and end_hole):
                return -1
            following = next_for_lap(rules, position, last)
            if position[HOLES + following] == 0:
                return -1
            if position[HOLES + 2 * row + following] and not strict:
                return -1
            return following
    relay = rules[R_RELAY]
    if relay == RELAY_NEXT:
        return after_lap_from_next(rules, position, counts, seat, last, held, short)
    if held > 0 and not as_empty and relay == RELAY_LAST:
        return last
    if (held == 0 or as_empty) and not short:
        if rules[R_OPPOSITE]:
            capture_opposite(rules, position, counts, seat, last)
        if rules[R_NEXT] == AFTER_EMPTY:
            capture_chain(rules, position, counts, seat, next_for_lap(rules, position, last))
    return -1


@kernel_function
def after_lap_from_next(rules, position, counts, seat, last, held, short):
    row = rules[R_ROW]
    following = next_for_lap(rules, position, last)
    mark = position[HOLES + 2 * row + following]
    if mark == BARRED or mark == BARRED + 1 or mark >= TIED:
        barred_next = rules[R_BARRED_NEXT]
        if not (barred_next == NEXT_EMPTY or (barred_next == NEXT_AFTER_EMPTY and held == 0)):
            return -1
    elif rules[R_LAST_EMPTY_ENDS] and held == 0:
        return -1
    elif position[HOLES + following]:
        return following
    if short:
        return -1
    if rules[R_NEXT] == BEYOND_EMPTY:
        capture_chain(rules, position, counts, seat, next_for_lap(rules, position, following))
    elif rules[R_NEXT] == OPPOSITE_EMPTY:
        facing = 2 * row - 1 - following
        if position[HOLES + facing] and position[HOLES + 2 * row + facing] == 0:
            gain(position, counts, seat, position[HOLES + facing])
            position[HOLES + facing] = 0
    return -1
