"""Layouts of a further round and loans of counters, compiled: the fast counterpart of those in the referee's `rounds`.

A loan ("cutting ash-pumpkins") is a move of a player who laid out fewer counters than a full row.
"""

from simulator.engine.compiled import inlined, kernel_function, noinline
from simulator.engine.families.sowing import measures
from simulator.engine.families.sowing import position as code
from simulator.engine.families.sowing.kernel import rules as rule
from simulator.engine.families.sowing.kernel.laps import start_sets
from simulator.engine.families.sowing.kernel.layout import HOLES


@kernel_function
def lay_full_row(rules, position, seat):
    noinline()
    for hole in range(seat * rules[rule.R_HOLES_PER_ROW], (seat + 1) * rules[rule.R_HOLES_PER_ROW]):
        counters = min(rules[rule.R_COUNTERS_PER_HOLE], position[code.W_STORE + seat])
        position[HOLES + hole] = counters
        position[code.W_STORE + seat] -= counters


@inlined
def place_of(row, seat, heading, step):
    """Return the hole of that seat's row that is `step` after its first one in that heading."""
    return seat * row + (step if heading > 0 else row - 1 - step)


@kernel_function
def lay_poorer_row(rules, position, seat, move):
    """Lay out the row of the player who is short, by a layout move; sets marks and the direction."""
    noinline()
    row, full = rules[rule.R_HOLES_PER_ROW], rules[rule.R_COUNTERS_PER_HOLE]
    pattern = (move - code.LAYOUT) % code.LAYOUT_END
    heading = 1 if move - code.LAYOUT < code.LAYOUT_END else -1
    if rules[rule.R_LAYOUT_FROM] == rule.LAYOUT_FROM_CHOSEN:
        position[code.W_DIRECTION] = heading
    total = position[code.W_STORE + seat]
    unequal = total < full * row
    if pattern:
        _lay_pattern(rules, position, seat, heading, pattern)
    else:
        _lay_usual(rules, position, seat, heading)
    if unequal and rules[rule.R_LOAN]:
        position[code.W_LOAN] = code.MAY_BORROW + seat
    if rules[rule.R_UNFILLED_CLOSED]:
        for hole in range(seat * row, seat * row + row):
            if position[HOLES + hole] == 0:
                position[HOLES + 2 * row + hole] = code.BLIND


@inlined
def laid_by(rules, pattern, step):
    """Return what that many holes after the first one a pattern of a short-handed layout lays; the last hole is not
    told."""
    if rules[rule.R_SHORT_HANDED_HOLES] == rule.SHORT_HANDED_HOLES_SOME_EMPTY:
        # A pattern is 1 + a number to the base of three, whose digits are what the holes hold, the first one lowest.
        digits = pattern - 1
        for _ in range(step):
            digits //= 3
        return digits % 3
    # A pattern is a leading 1 and one bit a hole below it: 0 lays one counter, 1 lays two.
    return 1 + ((pattern >> step) & 1) if pattern >> (step + 1) else 0


@kernel_function
def _lay_pattern(rules, position, seat, heading, pattern):
    noinline()
    row = rules[rule.R_HOLES_PER_ROW]
    left = position[code.W_STORE + seat]
    for step in range(row - 1):
        counters = laid_by(rules, pattern, step)
        position[HOLES + place_of(row, seat, heading, step)] = counters
        left -= counters
    position[HOLES + place_of(row, seat, heading, row - 1)] = left
    position[code.W_STORE + seat] = 0
    position[code.W_SHORT] = 1 + seat
    position[code.W_SHORT_NUMBER] = laid_by(rules, pattern, 0)


@kernel_function
def _lay_usual(rules, position, seat, heading):
    """Lay full holes from the first place on, the remainder where the rules put it; then marks and balance."""
    noinline()
    row, full = rules[rule.R_HOLES_PER_ROW], rules[rule.R_COUNTERS_PER_HOLE]
    holes_filled = min(position[code.W_STORE + seat] // full, row)
    rest = position[code.W_STORE + seat] - holes_filled * full
    laid = rest > 0 and holes_filled < row and rules[rule.R_REMAINDER] > 0
    if laid and rules[rule.R_REMAINDER_FROM_ROUND] > 2 and position[code.W_ROUND] < rules[rule.R_REMAINDER_FROM_ROUND]:
        laid = False
    # The remainder lies next to the last full hole, or in the first hole, which moves the full ones on by one.
    shift = 1 if laid and rules[rule.R_REMAINDER] != rule.REMAINDER_NEXT else 0
    for step in range(holes_filled):
        position[HOLES + place_of(row, seat, heading, step + shift)] = full
    part_hole = -1
    if laid:
        part_hole = place_of(row, seat, heading, 0 if shift else holes_filled)
        position[HOLES + part_hole] = rest
        position[code.W_STORE + seat] = 0
    else:
        position[code.W_STORE + seat] = rest
    if rules[rule.R_PALM] or rules[rule.R_PART_HOLE_TO_RICHER] or rules[rule.R_EN_PASSANT]:
        _set_excess(rules, position, seat, part_hole)
    if part_hole >= 0:
        _balance(rules, position, seat, part_hole, rest, holes_filled == 0)


@kernel_function
def _balance(rules, position, seat, part_hole, rest, alone):
    """Bar the partly filled hole, and balance it on the opponent's side."""
    noinline()
    row = rules[rule.R_HOLES_PER_ROW]
    richer = 1 - seat
    if (rules[rule.R_REMAINDER_BARRED] >> rest) & 1 or (alone and rules[rule.R_REMAINDER_ALONE_BARRED]):
        position[HOLES + 2 * row + part_hole] = code.BARRED + seat
    if rules[rule.R_MATCHING] == 0 or (rules[rule.R_MATCHING_ALONE] and not alone):
        return
    matched = 2 * row - 1 - part_hole
    if rules[rule.R_MATCHING_HOLE] == 0:
        matched = place_of(row, richer, position[code.W_DIRECTION], row - 1)
    wanted = rest if rules[rule.R_MATCHING] == rule.MATCHING_SAME else rules[rule.R_COUNTERS_PER_HOLE] - rest
    # Never more than lies there.
    removed = min(wanted, position[HOLES + matched])
    position[HOLES + matched] -= removed
    position[code.W_STORE + richer] += removed
    if rules[rule.R_MATCHING_BARRED] and (rules[rule.R_REMAINDER_BARRED] >> position[HOLES + matched]) & 1:
        position[HOLES + 2 * row + matched] = code.BARRED + richer


@kernel_function
def _set_excess(rules, position, seat, part_hole):
    """Set what follows from owning more than a full row: the excess, the covered hole, the part hole."""
    noinline()
    row = rules[rule.R_HOLES_PER_ROW]
    richer = 1 - seat
    # The richer player has laid a full row: what is still in his store is his excess.
    if position[code.W_STORE + richer] == 0:
        return
    position[code.W_RICHER] = 1 + richer
    position[code.W_EXCESS] = position[code.W_STORE + richer]
    position[code.W_REMAINDER] = position[HOLES + part_hole] if part_hole >= 0 else 0
    if rules[rule.R_PALM]:
        position[HOLES + 2 * row + richer * row] = code.PALM + richer
    if rules[rule.R_PART_HOLE_TO_RICHER] and part_hole >= 0:
        position[HOLES + 2 * row + part_hole] = code.BARRED + richer


@kernel_function
def layout_moves(rules, position, out):
    """Write every layout that the player who is short may choose, in the order of moves; returns how many."""
    noinline()
    row = rules[rule.R_HOLES_PER_ROW]
    total = position[code.W_STORE + position[code.W_MOVER]]
    is_short = rules[rule.R_SHORT_HANDED] and total < rules[rule.R_SHORT_HANDED_BELOW]
    # At least one hole is laid, and the last hole takes what is left: patterns of 1 to row - 1 bits.
    first, last = 2, 1 << row
    if rules[rule.R_SHORT_HANDED_HOLES] == rule.SHORT_HANDED_HOLES_SOME_EMPTY:
        first, last = 1, 1 + 3 ** (row - 1)
    found = 0
    for end in range(2):
        if rules[rule.R_LAYOUT_FROM] != rule.LAYOUT_FROM_CHOSEN and (position[code.W_DIRECTION] < 0) != (end == 1):
            continue
        out[found] = code.LAYOUT + code.LAYOUT_END * end
        found += 1
        if is_short:
            for pattern in range(first, last):
                if _is_short_handed_layout(rules, total, pattern):
                    out[found] = code.LAYOUT + code.LAYOUT_END * end + pattern
                    found += 1
    return found


@kernel_function
def _is_short_handed_layout(rules, total, pattern):
    """Return whether the rules allow the holes of that pattern."""
    noinline()
    row = rules[rule.R_HOLES_PER_ROW]
    ones = twos = empty_between = 0
    for step in range(row - 1):
        counters = laid_by(rules, pattern, step)
        ones += counters == 1
        twos += counters == 2
        empty_between += counters == 0 and step > 0
    if (ones and not rules[rule.R_SHORT_HANDED] & 2) or (twos and not rules[rule.R_SHORT_HANDED] & 4):
        return False
    if ones + twos == 0 or (ones and twos and not rules[rule.R_SHORT_HANDED_MIXED]):
        return False
    if rules[rule.R_SHORT_HANDED_HOLES] == rule.SHORT_HANDED_HOLES_SOME_EMPTY and (
        laid_by(rules, pattern, 0) == 0 or not empty_between
    ):
        return False
    # What is left falls into the last hole, which holds no more than the rule's surplus.
    surplus = total - ones - 2 * twos
    if rules[rule.R_SHORT_HANDED_HOLES] == rule.SHORT_HANDED_HOLES_AS_MANY_AS_FIT and (
        ones + twos < row - 1 and surplus >= (1 if ones else 2)
    ):
        return False
    return 0 <= surplus <= rules[rule.R_SHORT_HANDED_SURPLUS]


@kernel_function
def count_layout(rules, position, counts):
    """Take down what has just been laid out: holes that are barred, and whether it is a short-handed layout."""
    noinline()
    row = rules[rule.R_HOLES_PER_ROW]
    for hole in range(2 * row):
        mark = position[HOLES + 2 * row + hole]
        counts[measures.PART_HOLES] += mark == code.BARRED or mark == code.BARRED + 1
    counts[measures.SHORT_HANDED_ROUNDS] += position[code.W_SHORT] > 0


@kernel_function
def loan_kind(rules, position):
    """Return how many loan moves the mover has: 0, or 1 to borrow, or 1 or 2 counters to shift."""
    noinline()
    seat, row = position[code.W_MOVER], rules[rule.R_HOLES_PER_ROW]
    if position[code.W_LOAN] != code.MAY_BORROW + seat:
        return 0
    heading = position[code.W_DIRECTION]
    marks = HOLES + 2 * row
    last = place_of(row, 1 - seat, heading, row - 1)
    before_last = place_of(row, 1 - seat, heading, row - 2)
    if rules[rule.R_LOAN] == rule.LOAN_BORROW:
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
    # Shifting is offered only if it leaves a start: tried on the position, and taken back.
    position[code.W_LOAN] = code.HAS_SHIFTED + seat
    forward, backward = start_sets(rules, position, seat)
    position[code.W_LOAN] = code.MAY_BORROW + seat
    return min(2, position[HOLES + before_last]) if forward | backward else 0


@kernel_function
def loan_moves(rules, position, out, found):
    """Append the loan moves after `found` moves; returns how many there are then."""
    noinline()
    kinds = loan_kind(rules, position)
    if kinds and rules[rule.R_LOAN] == rule.LOAN_BORROW:
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
    """Give borrowed counters back before the opponent sows: from their hole, else from the store, else not at all."""
    noinline()
    row = rules[rule.R_HOLES_PER_ROW]
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
