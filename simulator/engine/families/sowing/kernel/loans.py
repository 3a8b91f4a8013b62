"""Cutting ash-pumpkins, compiled: the fast counterpart of the referee's loans."""

from simulator.engine.compiled import kernel_function, noinline
from simulator.engine.families.sowing import position as code
from simulator.engine.families.sowing.kernel import rules as rule
from simulator.engine.families.sowing.kernel.layout import HOLES
from simulator.engine.families.sowing.kernel.layouts import place_of
from simulator.engine.families.sowing.kernel.starts import start_sets


@kernel_function
def loan_kind(rules, position):
    """How many loan moves the mover has: 0, or 1 to borrow, or 1 or 2 counters to shift."""
    noinline()
    seat, row = position[code.W_MOVER], rules[rule.R_ROW]
    if position[code.W_LOAN] != code.MAY_BORROW + seat:
        return 0
    heading = position[code.W_DIRECTION]
    marks = HOLES + 2 * row
    last = place_of(row, 1 - seat, heading, row - 1)
    before_last = place_of(row, 1 - seat, heading, row - 2)
    if rules[rule.R_LOAN] == rule.BY_BORROWING:
        for lent in (last, before_last):
            if position[HOLES + lent] == 0 or position[marks + lent]:
                return 0
        for step in (0, 1):
            if position[marks + place_of(row, seat, heading, step)] == code.BLIND:
                return 0
        third = place_of(row, seat, heading, 2)
        return 1 if position[HOLES + third] and position[marks + third] == 0 else 0
    if position[marks + before_last] or position[marks + last] == code.BLIND:
        return 0
    position[code.W_LOAN] = code.HAS_SHIFTED + seat
    forward, backward = start_sets(rules, position, seat)
    position[code.W_LOAN] = code.MAY_BORROW + seat
    return min(2, position[HOLES + before_last]) if forward | backward else 0


@kernel_function
def loan_moves(rules, position, out, found):
    """Append the loan moves after `found` moves; returns how many there are then."""
    noinline()
    kinds = loan_kind(rules, position)
    if kinds and rules[rule.R_LOAN] == rule.BY_BORROWING:
        out[found] = code.BORROW
    else:
        for number in range(kinds):
            out[found + number] = code.SHIFT_ONE + number
    return found + kinds


@kernel_function
def lend(position, seat, move, row, borrows):
    noinline()
    heading = position[code.W_DIRECTION]
    last = place_of(row, 1 - seat, heading, row - 1)
    before_last = place_of(row, 1 - seat, heading, row - 2)
    if borrows:
        position[HOLES + last] -= 1
        position[HOLES + before_last] -= 1
        position[HOLES + place_of(row, seat, heading, 0)] += 1
        position[HOLES + place_of(row, seat, heading, 1)] += 1
        position[code.W_LOAN] = code.HAS_BORROWED + seat
    else:
        counters = 2 if move == code.SHIFT_TWO else 1
        position[HOLES + before_last] -= counters
        position[HOLES + last] += counters
        position[code.W_LOAN] = code.HAS_SHIFTED + seat


@kernel_function
def return_loan(rules, position, seat):
    """Borrowed counters go back before the opponent sows: from the hole they lie in, else from the store, else not."""
    noinline()
    row = rules[rule.R_ROW]
    heading = position[code.W_DIRECTION]
    loan = position[code.W_LOAN]
    if loan == code.HAS_BORROWED + seat:
        for step in (0, 1):
            own = place_of(row, seat, heading, step)
            lent = place_of(row, 1 - seat, heading, row - 2 + step)
            if position[HOLES + own] and position[HOLES + 2 * row + own] == 0:
                position[HOLES + own] -= 1
            elif position[code.W_STORE + seat]:
                position[code.W_STORE + seat] -= 1
            else:
                continue
            position[HOLES + lent] += 1
    if loan == code.MAY_BORROW + seat or loan == code.HAS_BORROWED + seat or loan == code.HAS_SHIFTED + seat:
        position[code.W_LOAN] = code.MAY_BORROW + seat if rules[rule.R_LOAN_WHEN] else 0
