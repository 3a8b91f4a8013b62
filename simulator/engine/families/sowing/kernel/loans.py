"""Cutting ash-pumpkins, compiled: the fast twin of the referee's loans."""

from simulator.engine.compiled import apart, inlined, kernel_function
from simulator.engine.families.sowing.kernel.layout import HOLES
from simulator.engine.families.sowing.kernel.rules import BY_BORROWING, R_LOAN, R_LOAN_WHEN, R_ROW
from simulator.engine.families.sowing.kernel.starts import start_sets
from simulator.engine.families.sowing.position import (
    BLIND,
    BORROW,
    HAS_BORROWED,
    HAS_SHIFTED,
    MAY_BORROW,
    SHIFT_ONE,
    SHIFT_TWO,
    W_DIRECTION,
    W_LOAN,
    W_MOVER,
    W_STORE,
)


@inlined
def place_of(row, seat, heading, step):
    return seat * row + (step if heading > 0 else row - 1 - step)


@kernel_function
def loan_kind(rules, position):
    """How many loan moves the mover has: 0, or 1 to borrow, or 1 or 2 counters to shift."""
    apart()
    seat, row = position[W_MOVER], rules[R_ROW]
    if position[W_LOAN] != MAY_BORROW + seat:
        return 0
    heading = position[W_DIRECTION]
    marks = HOLES + 2 * row
    last = place_of(row, 1 - seat, heading, row - 1)
    before_last = place_of(row, 1 - seat, heading, row - 2)
    if rules[R_LOAN] == BY_BORROWING:
        for lent in (last, before_last):
            if position[HOLES + lent] == 0 or position[marks + lent]:
                return 0
        for step in (0, 1):
            if position[marks + place_of(row, seat, heading, step)] == BLIND:
                return 0
        third = place_of(row, seat, heading, 2)
        return 1 if position[HOLES + third] and position[marks + third] == 0 else 0
    if position[marks + before_last] or position[marks + last] == BLIND:
        return 0
    position[W_LOAN] = HAS_SHIFTED + seat
    forward, backward = start_sets(rules, position, seat)
    position[W_LOAN] = MAY_BORROW + seat
    return min(2, position[HOLES + before_last]) if forward | backward else 0


@kernel_function
def loan_moves(rules, position, out, found):
    """Append the loan moves after `found` moves; returns how many there are then."""
    apart()
    kinds = loan_kind(rules, position)
    if kinds and rules[R_LOAN] == BY_BORROWING:
        out[found] = BORROW
    else:
        for number in range(kinds):
            out[found + number] = SHIFT_ONE + number
    return found + kinds


@kernel_function
def lend(position, seat, move, row, borrows):
    apart()
    heading = position[W_DIRECTION]
    last = place_of(row, 1 - seat, heading, row - 1)
    before_last = place_of(row, 1 - seat, heading, row - 2)
    if borrows:
        position[HOLES + last] -= 1
        position[HOLES + before_last] -= 1
        position[HOLES + place_of(row, seat, heading, 0)] += 1
        position[HOLES + place_of(row, seat, heading, 1)] += 1
        position[W_LOAN] = HAS_BORROWED + seat
    else:
        counters = 2 if move == SHIFT_TWO else 1
        position[HOLES + before_last] -= counters
        position[HOLES + last] += counters
        position[W_LOAN] = HAS_SHIFTED + seat


@kernel_function
def return_loan(rules, position, seat):
    """Borrowed counters go back before the opponent sows: from the hole they lie in, else from the store, else not."""
    apart()
    row = rules[R_ROW]
    heading = position[W_DIRECTION]
    loan = position[W_LOAN]
    if loan == HAS_BORROWED + seat:
        for step in (0, 1):
            own = place_of(row, seat, heading, step)
            lent = place_of(row, 1 - seat, heading, row - 2 + step)
            if position[HOLES + own] and position[HOLES + 2 * row + own] == 0:
                position[HOLES + own] -= 1
            elif position[W_STORE + seat]:
                position[W_STORE + seat] -= 1
            else:
                continue
            position[HOLES + lent] += 1
    if loan == MAY_BORROW + seat or loan == HAS_BORROWED + seat or loan == HAS_SHIFTED + seat:
        position[W_LOAN] = MAY_BORROW + seat if rules[R_LOAN_WHEN] else 0
