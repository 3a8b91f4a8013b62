"""Which holes the mover may start from, compiled. A set of holes is the bits of an integer, bit 0 his leftmost."""

from simulator.engine.bits import lowest_bit, nth_bit
from simulator.engine.compiled import kernel_function
from simulator.engine.families.sowing.kernel.rules import (
    EACH_TURN,
    LAST_ALONE,
    R_DIRECTION,
    R_ENDS_EMPTY,
    R_FIRST_END,
    R_MUST_FEED,
    R_ROW,
    R_SINGLES,
    R_SINGLES_EXEMPT,
    THROUGHOUT,
    WITHOUT_LARGER,
)
from simulator.engine.families.sowing.kernel.words import HOLES
from simulator.engine.families.sowing.position import HAS_BORROWED, HAS_SHIFTED, W_DIRECTION, W_LOAN, W_MOVED


@kernel_function
def start_set(rules, position, seat, heading):
    """Holes the seat may start from when sowing in that heading (1 or -1)."""
    row = rules[R_ROW]
    base = HOLES + seat * row
    marks = HOLES + 2 * row + seat * row
    found = 0
    singles = 0
    others = 0  # holes with several counters, barred ones too
    filled = 0
    for hole in range(row):
        count = position[base + hole]
        if count:
            bit = 1 << hole
            filled += 1
            if count == 1:
                singles |= bit
            else:
                others += 1
            if position[marks + hole] == 0:
                found |= bit
    if found == 0:
        return 0
    last = 1 << (row - 1 if heading > 0 else 0)
    rule = rules[R_SINGLES]
    if rule and not (rules[R_SINGLES_EXEMPT] and not (position[W_MOVED] >> seat) & 1):
        if rule == LAST_ALONE:
            if singles & last and filled > 1:
                found &= ~last
        elif rule == WITHOUT_LARGER:
            if others:
                found &= ~singles
            elif singles & last and singles != last:
                found &= ~last
        elif rule == THROUGHOUT:
            found &= ~singles
    if position[W_LOAN] == HAS_SHIFTED + seat:
        found &= ~(7 if heading > 0 else 7 << (row - 3))
    if rules[R_MUST_FEED]:
        found &= _feeding(rules, position, seat, heading)
    return found


@kernel_function
def _feeding(rules, position, seat, heading):
    """Holes that reach the opponent's row, if that row is empty; else all."""
    row = rules[R_ROW]
    other = HOLES + (1 - seat) * row
    for hole in range(row):
        if position[other + hole]:
            return -1
    reaching = 0
    for hole in range(row):
        left = row - 1 - hole if heading > 0 else hole
        if position[HOLES + seat * row + hole] > left:
            reaching |= 1 << hole
    return reaching


@kernel_function
def borrowed_start(rules, position, seat, heading):
    """After borrowing: the third hole only, whatever the rules of single counters say."""
    row = rules[R_ROW]
    hole = 2 if heading > 0 else row - 3
    place = seat * row + hole
    if position[HOLES + place] and position[HOLES + 2 * row + place] == 0:
        return 1 << hole
    return 0


@kernel_function
def starts(rules, position, seat, heading):
    if position[W_LOAN] == HAS_BORROWED + seat:
        return borrowed_start(rules, position, seat, heading)
    return start_set(rules, position, seat, heading)


@kernel_function
def may_surely_start(rules, position, seat):
    """Whether a look at the counts alone shows that the seat can start: several counters may be started from under any
    rule of single counters, and one counter if there is no such rule. False means: look closer."""
    row = rules[R_ROW]
    base = HOLES + seat * row
    marks = base + 2 * row
    least = 1 if rules[R_SINGLES] else 0
    for hole in range(row):
        if position[base + hole] > least and position[marks + hole] == 0:
            return position[W_LOAN] == 0 and rules[R_FIRST_END] == 0 and rules[R_MUST_FEED] == 0
    return False


@kernel_function
def start_sets(rules, position, seat):
    """(holes to start from anticlockwise, holes to start from clockwise), with the rule of end holes applied."""
    heading = position[W_DIRECTION]
    if heading == 0 or rules[R_DIRECTION] == EACH_TURN:
        forward = starts(rules, position, seat, 1)
        backward = starts(rules, position, seat, -1)
    elif heading > 0:
        forward = starts(rules, position, seat, 1)
        backward = 0
    else:
        forward = 0
        backward = starts(rules, position, seat, -1)
    if rules[R_FIRST_END] and not (position[W_MOVED] >> seat) & 1:
        ends = 1 | 1 << (rules[R_ROW] - 1)
        if (forward | backward) & ends or rules[R_ENDS_EMPTY]:
            forward &= ends
            backward &= ends
    return forward, backward


@kernel_function
def nth_start(forward, backward, number):
    """The move of that number when holes are listed from the left, anticlockwise before clockwise."""
    if backward == 0:
        return 2 * nth_bit(forward, number)
    if forward == 0:
        return 2 * nth_bit(backward, number) + 1
    both = forward | backward
    while True:
        hole = lowest_bit(both)
        bit = 1 << hole
        if forward & bit:
            if number == 0:
                return 2 * hole
            number -= 1
        if backward & bit:
            if number == 0:
                return 2 * hole + 1
            number -= 1
        both &= both - 1
