"""Laps of sowing, compiled: the fast twin of the referee's `laps`."""

from simulator.engine.compiled import apart, inlined, kernel_function
from simulator.engine.families.sowing.kernel.captures import (
    capture_chain,
    capture_making,
    capture_opposite,
    next_for_lap,
)
from simulator.engine.families.sowing.kernel.layout import HOLES
from simulator.engine.families.sowing.kernel.rules import (
    AFTER_EMPTY,
    BEYOND_EMPTY,
    LAST_AS_EMPTY,
    LAST_ENDS,
    NEXT_AFTER_EMPTY,
    NEXT_EMPTY,
    OPPOSITE_EMPTY,
    R_BARRED_LAST,
    R_BARRED_NEXT,
    R_LAP_LIMIT,
    R_LAST_EMPTY_ENDS,
    R_MAKING,
    R_MAKING_SIDE,
    R_MAKING_THEN,
    R_NEXT,
    R_OPPOSITE,
    R_RELAY,
    R_ROW,
    R_SINGLES,
    R_STORE_AGAIN,
    R_TIED_ENDS,
    RELAY_LAST,
    RELAY_NEXT,
    THEN_END,
    THEN_NEXT_UNLESS_END,
    THROUGHOUT,
)
from simulator.engine.families.sowing.kernel.sowing import (
    NOWHERE,
    blind_holes,
    en_passant_number,
    gain,
    needs_care,
    pass_numbers,
    sow,
    sow_closely,
)
from simulator.engine.families.sowing.measures import LAPS
from simulator.engine.families.sowing.position import BARRED, TIED, W_SHORT, W_SHORT_NUMBER

# What follows a move.
END_OF_TURN, MOVE_AGAIN, ENDLESS_TURN, ROUND_OVER, GO_ON = range(5)


@inlined
def play_laps(rules, position, counts, seat, start):
    """Sow from `start` until the turn ends; returns what follows."""
    pass_1, pass_2 = pass_numbers(rules, position, seat)
    group = en_passant_number(rules, position, seat)
    care = needs_care(rules, pass_1, pass_2, group)
    closed = blind_holes(rules, position)
    short = position[W_SHORT] == 1 + seat
    making = 1 << (position[W_SHORT_NUMBER] + 1) if short else rules[R_MAKING]
    limit = rules[R_LAP_LIMIT]
    laps = 0
    hole = start
    while laps < limit:
        laps += 1
        if care:
            last, held = sow_closely(rules, position, counts, seat, hole, pass_1, pass_2, group)
        else:
            last, held = sow(rules, position, counts, seat, hole, pass_1, closed)
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
    return ENDLESS_TURN


@kernel_function
def may_go_on_from(rules, position, seat, hole):
    apart()
    row = rules[R_ROW]
    mark = position[HOLES + 2 * row + hole]
    if mark == BARRED or mark == BARRED + 1 or mark >= TIED or position[HOLES + hole] < 2:
        return False
    for own in range(seat * row, seat * row + row):
        if position[HOLES + own] > 1:
            return True
    return False


@inlined
def after_lap(rules, position, counts, seat, last, held, making, short):
    """The hole the lap goes on from, or -1 when the turn has ended; makes the captures."""
    row = rules[R_ROW]
    mark = position[HOLES + 2 * row + last]
    strict = rules[R_SINGLES] == THROUGHOUT
    barred = False
    if mark:
        barred = mark >= TIED or mark == BARRED or mark == BARRED + 1
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
    apart()
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
