"""Which holes the mover may start from, compiled. A set of holes is one integer's bits, bit 0 the mover's leftmost."""

from simulator.engine.bits import lowest_bit, nth_bit, which_exceed
from simulator.engine.compiled import inlined, kernel_function, noinline
from simulator.engine.families.sowing import position as code
from simulator.engine.families.sowing.kernel import rules as rule
from simulator.engine.families.sowing.kernel.layout import HOLES


@inlined
def row_is_empty(rules, position, seat):
    return which_exceed(position, HOLES + seat * rules[rule.R_ROW], 0) & ((1 << rules[rule.R_ROW]) - 1) == 0


@inlined
def row_sets(rules, position, seat):
    """Three sets of the seat's holes: with counters and no mark, with one counter, with several (barred ones too).

    Whether a hole is empty is a coin's throw: a branch on it would be guessed wrong half the time.
    """
    row = rules[rule.R_ROW]
    base = HOLES + seat * row
    filled = which_exceed(position, base, 0) & ((1 << row) - 1)
    several = which_exceed(position, base, 1) & filled
    marked = which_exceed(position, base + 2 * row, 0) if rules[rule.HAS_MARKS] else 0
    return filled & ~marked, filled & ~several, several


@inlined
def start_set(rules, position, seat, heading, found, singles, several):
    """Which of the holes `found` the seat may start from when sowing in that heading (1 or -1)."""
    row = rules[rule.R_ROW]
    last = 1 << (row - 1 if heading > 0 else 0)
    singles_rule = rules[rule.R_SINGLES]
    if (
        singles_rule
        and not (rules[rule.R_SINGLES_EXEMPT] and not (position[code.W_MOVED] >> seat) & 1)
        and not (rules[rule.R_SINGLES_BELOW] and _on_board(rules, position) >= rules[rule.R_SINGLES_BELOW])
    ):
        if singles_rule == rule.LAST_ALONE:
            if singles & last and (singles | several) != last:
                found &= ~last
        elif singles_rule == rule.WITHOUT_LARGER:
            if several:
                found &= ~singles
            elif singles & last and singles != last:
                found &= ~last
        elif singles_rule == rule.THROUGHOUT:
            found &= ~singles
    if position[code.W_LOAN] == code.HAS_SHIFTED + seat:
        found &= ~(7 if heading > 0 else 7 << (row - 3))
    if rules[rule.R_MUST_FEED] and found and row_is_empty(rules, position, 1 - seat):
        found &= _feeding(rules, position, seat, heading)
    return found


@inlined
def _on_board(rules, position):
    """The counters in all holes together: those that are in no store."""
    return 2 * rules[rule.R_ROW] * rules[rule.R_FULL] - position[code.W_STORE] - position[code.W_STORE + 1]


@kernel_function
def _feeding(rules, position, seat, heading):
    """Holes whose counters reach the opponent's row."""
    noinline()
    row = rules[rule.R_ROW]
    reaching = 0
    for hole in range(row):
        left = row - 1 - hole if heading > 0 else hole
        if position[HOLES + seat * row + hole] > left:
            reaching |= 1 << hole
    return reaching


@kernel_function
def borrowed_start(rules, position, seat, heading):
    """After borrowing: the third hole only, whatever the rules of single counters say."""
    noinline()
    row = rules[rule.R_ROW]
    hole = 2 if heading > 0 else row - 3
    place = seat * row + hole
    if position[HOLES + place] and position[HOLES + 2 * row + place] == 0:
        return 1 << hole
    return 0


@inlined
def find_starts(rules, position, seat):
    """(holes to start from anticlockwise, holes to start from clockwise), with the rule of end holes applied."""
    heading = position[code.W_DIRECTION]
    either = heading == 0 or rules[rule.R_DIRECTION] == rule.EACH_TURN
    borrowed = position[code.W_LOAN] == code.HAS_BORROWED + seat
    found, singles, several = row_sets(rules, position, seat)
    forward = backward = 0
    if either or heading > 0:
        if borrowed:
            forward = borrowed_start(rules, position, seat, 1)
        else:
            forward = start_set(rules, position, seat, 1, found, singles, several)
    if either or heading < 0:
        if borrowed:
            backward = borrowed_start(rules, position, seat, -1)
        else:
            backward = start_set(rules, position, seat, -1, found, singles, several)
    if rules[rule.R_FIRST_END] and not (position[code.W_MOVED] >> seat) & 1:
        ends = 1 | 1 << (rules[rule.R_ROW] - 1)
        if (forward | backward) & ends or rules[rule.R_ENDS_EMPTY]:
            forward &= ends
            backward &= ends
    return forward, backward


@kernel_function
def start_sets(rules, position, seat):
    """`find_starts`, for callers that a game seldom comes to."""
    noinline()
    return find_starts(rules, position, seat)


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
