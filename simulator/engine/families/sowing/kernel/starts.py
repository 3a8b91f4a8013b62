"""Which holes the mover may start from, compiled. A set of holes is one integer's bits, bit 0 the mover's leftmost."""

from simulator.engine.bits import lowest_bit, nth_bit, which_exceed
from simulator.engine.compiled import inlined, kernel_function, noinline
from simulator.engine.families.sowing import position as code
from simulator.engine.families.sowing.kernel import rules as rule
from simulator.engine.families.sowing.kernel.layout import HOLES


@inlined
def holes_with_more_than(rules, position, number):
    """Return the holes of both rows that hold more, as bits. The bits beyond the board mean nothing.

    Whether a hole is empty is a coin's throw: a branch on it would be guessed wrong half the time.
    """
    found = which_exceed(position, HOLES, number)
    if rules[rule.R_HOLES_PER_ROW] > 8:
        found |= which_exceed(position, HOLES + 16, number) << 16
    return found


@inlined
def of_row(rules, holes, seat):
    """Return those of a set of holes of both rows that are in the seat's own, bit 0 its leftmost."""
    return (holes >> (seat * rules[rule.R_HOLES_PER_ROW])) & ((1 << rules[rule.R_HOLES_PER_ROW]) - 1)


@inlined
def row_is_empty(rules, position, seat):
    return of_row(rules, holes_with_more_than(rules, position, 0), seat) == 0


@inlined
def row_sets(rules, position, seat, filled):
    """Three sets of the seat's holes: with counters and no mark, with one counter, with several (barred ones too)."""
    own = of_row(rules, filled, seat)
    several = of_row(rules, holes_with_more_than(rules, position, 1), seat) if rules[rule.R_SINGLES] else 0
    marked = 0
    if rules[rule.HAS_MARKS]:
        marked = which_exceed(position, HOLES + (2 + seat) * rules[rule.R_HOLES_PER_ROW], 0)
    return own & ~marked, own & ~several, several


@inlined
def start_set(rules, position, seat, heading, filled, found, singles, several):
    """Return which of the holes `found` the seat may start from when sowing in that heading (1 or -1)."""
    row = rules[rule.R_HOLES_PER_ROW]
    last = 1 << (row - 1 if heading > 0 else 0)
    singles_rule = rules[rule.R_SINGLES]
    if (
        singles_rule
        and not (rules[rule.R_SINGLES_EXEMPT] and not (position[code.W_MOVED] >> seat) & 1)
        and not (rules[rule.R_SINGLES_BELOW] and _on_board(rules, position) >= rules[rule.R_SINGLES_BELOW])
    ):
        if singles_rule == rule.SINGLES_LAST_HOLE_ALONE:
            if singles & last and (singles | several) != last:
                found &= ~last
        elif singles_rule == rule.SINGLES_ONLY_WITHOUT_LARGER:
            if several:
                found &= ~singles
            elif singles & last and singles != last:
                found &= ~last
        elif singles_rule == rule.SINGLES_LARGER_THROUGHOUT:
            found &= ~singles
    if rules[rule.R_LOAN] and position[code.W_LOAN] == code.HAS_SHIFTED + seat:
        found &= ~(7 if heading > 0 else 7 << (row - 3))
    if rules[rule.R_MUST_FEED] and found and of_row(rules, filled, 1 - seat) == 0:
        found &= _feeding(rules, position, seat, heading)
    return found


@inlined
def _on_board(rules, position):
    """Return the counters in all holes together: those that are in no store."""
    return (
        2 * rules[rule.R_HOLES_PER_ROW] * rules[rule.R_COUNTERS_PER_HOLE]
        - position[code.W_STORE]
        - position[code.W_STORE + 1]
    )


@kernel_function
def _feeding(rules, position, seat, heading):
    """Holes whose counters reach the opponent's row."""
    noinline()
    row = rules[rule.R_HOLES_PER_ROW]
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
    row = rules[rule.R_HOLES_PER_ROW]
    hole = 2 if heading > 0 else row - 3
    place = seat * row + hole
    if position[HOLES + place] and position[HOLES + 2 * row + place] == 0:
        return 1 << hole
    return 0


@inlined
def find_starts(rules, position, seat, filled):
    """Return (holes to start from anticlockwise, holes to start from clockwise), with the rule of end holes applied.

    filled: the holes of both rows that are not empty
    """
    heading = position[code.W_DIRECTION]
    either = rules[rule.MAY_TURN] > 0 and (heading == 0 or rules[rule.R_DIRECTION] == rule.DIRECTION_EACH_TURN)
    borrowed = rules[rule.R_LOAN] > 0 and position[code.W_LOAN] == code.HAS_BORROWED + seat
    found, singles, several = row_sets(rules, position, seat, filled)
    forward = backward = 0
    if either or heading > 0:
        if borrowed:
            forward = borrowed_start(rules, position, seat, 1)
        else:
            forward = start_set(rules, position, seat, 1, filled, found, singles, several)
    if either or heading < 0:
        if borrowed:
            backward = borrowed_start(rules, position, seat, -1)
        else:
            backward = start_set(rules, position, seat, -1, filled, found, singles, several)
    # End holes bind a first move, unless none can be played from and the rules let another hole stand in.
    if rules[rule.R_FIRST_MOVE_FROM_END] and not (position[code.W_MOVED] >> seat) & 1:
        ends = 1 | 1 << (rules[rule.R_HOLES_PER_ROW] - 1)
        if (forward | backward) & ends or rules[rule.R_ENDS_EMPTY]:
            forward &= ends
            backward &= ends
    return forward, backward


@kernel_function
def start_sets(rules, position, seat):
    """`find_starts`, for callers that a game seldom comes to."""
    noinline()
    return find_starts(rules, position, seat, holes_with_more_than(rules, position, 0))


@inlined
def nth_start(forward, backward, number):
    """Return the move of that number when holes are listed from the left, anticlockwise before clockwise."""
    if backward == 0:
        return 2 * nth_bit(forward, number)
    if forward == 0:
        return 2 * nth_bit(backward, number) + 1
    return _nth_of_both(forward, backward, number)


@kernel_function
def _nth_of_both(forward, backward, number):
    noinline()
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
