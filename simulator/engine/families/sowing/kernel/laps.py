"""Which holes the mover may start from, and the laps that follow: the fast counterpart of the referee's `laps`.

A set of holes is one integer's bits, bit 0 the mover's leftmost. A turn is a chain of laps: `play_laps` runs the chain;
`after_lap` says from which hole the next lap starts, and makes the captures of a lap that is the last one.
"""

from simulator.engine.bits import lowest_bit, nth_bit, which_exceed
from simulator.engine.compiled import inlined, kernel_function, noinline
from simulator.engine.families.sowing import measures
from simulator.engine.families.sowing import position as code
from simulator.engine.families.sowing.kernel import rules as rule
from simulator.engine.families.sowing.kernel import sowing
from simulator.engine.families.sowing.kernel.layout import HOLES, is_barred


@inlined
def holes_with_more_than(rules, position, number):
    """Return the holes of both rows that hold more, as bits. The bits beyond the board mean nothing.

    Whether a hole is empty is a coin's throw: a branch on it would be guessed wrong half the time.
    """
    found = which_exceed(position, HOLES, number)
    if rules[rule.R_HOLES_PER_ROW] > 8:
        # Sixteen holes are compared at once; a board of more than eight a row takes a second look.
        found |= which_exceed(position, HOLES + 16, number) << 16
    return found


@inlined
def of_row(rules, holes, seat):
    """Return those of a set of holes of both rows that are in the seat's own, bit 0 its leftmost."""
    # Both rows are one set, the second behind the first: shifted down and cut off at the length of a row.
    return (holes >> (seat * rules[rule.R_HOLES_PER_ROW])) & ((1 << rules[rule.R_HOLES_PER_ROW]) - 1)


@inlined
def row_is_empty(rules, position, seat):
    return of_row(rules, holes_with_more_than(rules, position, 0), seat) == 0


@inlined
def row_sets(rules, position, seat, filled):
    """Return three sets of the seat's holes: filled and unmarked, with one counter, with several (barred too)."""
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
    # The last hole of a row is the one from which sowing leaves it at once.
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
        # After a shift the first three holes are closed: three bits, from the end where sowing begins.
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
    """Return the holes whose counters reach the opponent's row."""
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
    """Return the start after borrowing: the third hole only, whatever the rules of single counters say."""
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
        # The two end holes of a row.
        ends = 1 | 1 << (rules[rule.R_HOLES_PER_ROW] - 1)
        if (forward | backward) & ends or rules[rule.R_ENDS_EMPTY]:
            forward &= ends
            backward &= ends
    return forward, backward


@kernel_function
def start_sets(rules, position, seat):
    """Return what `find_starts` does, for callers that a game seldom comes to."""
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
    # A short-handed player makes his number plus one, whatever the others make: a set of one.
    making = 1 << (position[code.W_SHORT_NUMBER] + 1) if short else rules[rule.R_CAPTURE_MAKING]
    limit = rules[rule.R_LAP_LIMIT]
    laps = 0
    hole = start
    # None of the numbers above changes during a turn: they are worked out once, not for every lap.
    while laps < limit:
        laps += 1
        if rules[rule.TRAFFIC]:
            sowing.note_lap(rules, counts, seat, hole)
        if rules[rule.PLAIN]:
            last, held = sowing.sow_at_once(rules, position, counts, seat, hole)
        elif care:
            last, held = sowing.sow_closely(rules, position, counts, seat, hole, passing, group)
        else:
            last, held = sowing.sow(rules, position, counts, seat, hole, passed_over, closed)
        if rules[rule.TRAFFIC] and last >= 0 and (rules[rule.PLAIN] or not care):
            sowing.note_last(rules, counts, seat, last)
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
def is_end_hole(hole, row):
    return hole == 0 or hole == row - 1 or hole == row or hole == 2 * row - 1


@inlined
def _tie(position, counts, seat, hole, row):
    """Tie an end hole, which ends the turn."""
    position[HOLES + 2 * row + hole] = code.TIED + seat
    counts[measures.TIES] += 1
    return -1


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
    if rules[rule.R_TIED_ENDS] and short and rules[rule.R_SHORT_HANDED_TIES] == rule.SHORT_HANDED_TIES_USUAL_NUMBER:
        if count < 16 and (rules[rule.R_CAPTURE_MAKING] >> count) & 1 and mark == 0 and position[HOLES + last] == count:
            if is_end_hole(last, row):
                return _tie(position, counts, seat, last, row)
    if count < 16 and (making >> count) & 1 and mark == 0 and position[HOLES + last] == count:
        if short or rules[rule.R_CAPTURE_MAKING_SIDE] == 0 or (last >= row) != seat:
            end_hole = is_end_hole(last, row)
            if rules[rule.R_TIED_ENDS] and end_hole and not (short and rules[rule.R_SHORT_HANDED_TIES]):
                return _tie(position, counts, seat, last, row)
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
            sowing.take(rules, position, counts, seat, facing)
    return -1
