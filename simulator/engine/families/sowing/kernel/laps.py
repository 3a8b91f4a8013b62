"""Laps of sowing, compiled: the fast counterpart of the referee's `laps`.

A turn is a chain of laps. `play_laps` runs the chain; `after_lap` says from which hole the next lap starts, and makes
the captures of a lap that is the last one.
"""

from simulator.engine.compiled import inlined, kernel_function, noinline
from simulator.engine.families.sowing import measures
from simulator.engine.families.sowing import position as code
from simulator.engine.families.sowing.kernel import rules as rule
from simulator.engine.families.sowing.kernel import sowing
from simulator.engine.families.sowing.kernel.layout import HOLES, is_barred

# What follows a move.
END_OF_TURN, MOVE_AGAIN, ENDLESS_TURN, ROUND_OVER, GO_ON = range(5)


@inlined
def play_laps(rules, position, counts, seat, start):
    """Sow from `start` until the turn ends; returns what follows."""
    passed_over, passing = sowing.pass_numbers(rules, position, seat)
    group = sowing.en_passant_number(rules, position, seat)
    care = sowing.needs_care(rules, passing, group)
    closed = sowing.blind_holes(rules, position)
    short = rules[rule.R_SHORT_HANDED] > 0 and position[code.W_SHORT] == 1 + seat
    making = 1 << (position[code.W_SHORT_NUMBER] + 1) if short else rules[rule.R_CAPTURE_MAKING]
    limit = rules[rule.R_LAP_LIMIT]
    laps = 0
    hole = start
    # None of the numbers above changes during a turn: they are worked out once, not for every lap.
    while laps < limit:
        laps += 1
        if rules[rule.PLAIN]:
            last, held = sowing.sow_at_once(rules, position, counts, seat, hole)
        elif care:
            last, held = sowing.sow_closely(rules, position, counts, seat, hole, passing, group)
        else:
            last, held = sowing.sow(rules, position, counts, seat, hole, passed_over, closed)
        if last < 0:  # the lap ended in no hole
            if last == sowing.NOWHERE:
                return ENDLESS_TURN
            counts[measures.LAPS] += laps
            return MOVE_AGAIN if rules[rule.R_STORE_AGAIN] else END_OF_TURN
        hole = after_lap(rules, position, counts, seat, last, held, making, short)
        if hole < 0:
            counts[measures.LAPS] += laps
            return END_OF_TURN
        if rules[rule.R_SINGLES] == rule.SINGLES_LARGER_THROUGHOUT and not may_go_on_from(rules, position, seat, hole):
            counts[measures.LAPS] += laps
            return ROUND_OVER
    return ENDLESS_TURN


@kernel_function
def may_go_on_from(rules, position, seat, hole):
    noinline()
    row = rules[rule.R_HOLES_PER_ROW]
    mark = position[HOLES + 2 * row + hole]
    if is_barred(mark) or position[HOLES + hole] < 2:
        return False
    for own in range(seat * row, seat * row + row):
        if position[HOLES + own] > 1:
            return True
    return False


@inlined
def after_lap(rules, position, counts, seat, last, held, making, short):
    """Return the hole the lap goes on from, or -1 when the turn has ended; makes the captures."""
    row = rules[rule.R_HOLES_PER_ROW]
    mark = 0 if rules[rule.PLAIN] else position[HOLES + 2 * row + last]
    strict = rules[rule.R_SINGLES] == rule.SINGLES_LARGER_THROUGHOUT
    barred = False
    if mark:
        barred = is_barred(mark)
        if barred and rules[rule.R_BARRED_LAST] == rule.BARRED_LAST_ENDS and not strict:
            return -1
    as_empty = barred and rules[rule.R_BARRED_LAST] == rule.BARRED_LAST_AS_EMPTY
    # A last counter that makes a number captures, and the lap may go on from the next hole. In the chain of conditions
    # the hole must still hold what was sown: groups that the other player took in passing left it empty.
    count = held + 1
    if count < 16 and (making >> count) & 1 and mark == 0 and position[HOLES + last] == count:
        if short or rules[rule.R_CAPTURE_MAKING_SIDE] == 0 or (last >= row) != seat:
            end_hole = last == 0 or last == row - 1 or last == row or last == 2 * row - 1
            if rules[rule.R_TIED_ENDS] and end_hole:
                position[HOLES + 2 * row + last] = code.TIED + seat
                counts[measures.TIES] += 1
                return -1
            sowing.capture_making(rules, position, counts, seat, last, making)
            then = rules[rule.R_CAPTURE_MAKING_THEN]
            if short and rules[rule.R_SHORT_HANDED_THEN]:
                then = (
                    rule.CAPTURE_MAKING_THEN_END
                    if rules[rule.R_SHORT_HANDED_THEN] == rule.SHORT_HANDED_THEN_END
                    else rule.CAPTURE_MAKING_THEN_NEXT
                )
            if then == rule.CAPTURE_MAKING_THEN_END or (
                then == rule.CAPTURE_MAKING_THEN_NEXT_UNLESS_END_HOLE and end_hole
            ):
                return -1
            following = sowing.next_for_lap(rules, position, last)
            if position[HOLES + following] == 0:
                return -1
            if position[HOLES + 2 * row + following] and not strict:
                return -1
            return following
    relay = rules[rule.R_RELAY]
    if relay >= rule.RELAY_NEXT:
        return after_lap_from_another(rules, position, counts, seat, last, held, short)
    if relay == rule.RELAY_LAST and position[HOLES + last] > 1 and not as_empty:  # one that was taken is left empty
        return last
    if short:  # a short-handed player captures by making his number, and in no other way
        return -1
    before = 0 if as_empty else held
    if rules[rule.R_CAPTURE_OPPOSITE] and sowing.may_take_opposite(rules, position, seat, last, before):
        sowing.capture_opposite(rules, position, counts, seat, last)
    if rules[rule.R_CAPTURE_NEXT] == rule.CAPTURE_NEXT_AFTER_EMPTY and before == 0:
        sowing.capture_chain(rules, position, counts, seat, last)
    return -1


@kernel_function
def after_lap_from_another(rules, position, counts, seat, last, held, short):
    """Return the relay from the next hole, or the one opposite: go on from it, or capture because it is empty."""
    noinline()
    row = rules[rule.R_HOLES_PER_ROW]
    if rules[rule.R_RELAY] == rule.RELAY_NEXT:
        following = sowing.next_for_lap(rules, position, last)
    else:
        following = 2 * row - 1 - last
    mark = position[HOLES + 2 * row + following]
    if is_barred(mark):
        # Rules differ in whether a barred next hole ends the turn, or is as an empty one, always or after an empty last
        # hole.
        barred_next = rules[rule.R_BARRED_NEXT]
        if not (
            barred_next == rule.BARRED_NEXT_EMPTY or (barred_next == rule.BARRED_NEXT_EMPTY_AFTER_EMPTY and held == 0)
        ):
            return -1
    elif rules[rule.R_LAST_EMPTY_ENDS] and held == 0:
        return -1
    elif position[HOLES + following] and mark == 0:
        return following
    if short:
        return -1
    if rules[rule.R_CAPTURE_NEXT] == rule.CAPTURE_NEXT_BEYOND_EMPTY:
        sowing.capture_chain(rules, position, counts, seat, following)
    elif rules[rule.R_CAPTURE_NEXT] == rule.CAPTURE_NEXT_OPPOSITE_EMPTY:
        facing = 2 * row - 1 - following
        if position[HOLES + facing] and position[HOLES + 2 * row + facing] == 0:
            sowing.take(position, counts, seat, facing)
    return -1
