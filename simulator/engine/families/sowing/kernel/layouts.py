"""Layouts of a further round, compiled: the fast twin of the layouts in the referee's `rounds`."""

from simulator.engine.compiled import apart, inlined, kernel_function
from simulator.engine.families.sowing.kernel.layout import HOLES
from simulator.engine.families.sowing.kernel.rules import (
    CHOSEN,
    R_CLOSED,
    R_EN_PASSANT,
    R_FULL,
    R_LAYOUT_FROM,
    R_LOAN,
    R_MATCHING,
    R_MATCHING_ALONE,
    R_MATCHING_BARRED,
    R_MATCHING_HOLE,
    R_PALM,
    R_PART_HOLE,
    R_REST,
    R_REST_ALONE,
    R_REST_BARRED,
    R_REST_ROUND,
    R_ROW,
    R_SHORT,
    R_SHORT_BELOW,
    R_SHORT_MIXED,
    R_SHORT_SURPLUS,
    REST_NEXT,
    SAME,
)
from simulator.engine.families.sowing.position import (
    BARRED,
    BLIND,
    LAYOUT,
    LAYOUT_END,
    MAY_BORROW,
    PALM,
    W_DIRECTION,
    W_EXCESS,
    W_LOAN,
    W_MOVER,
    W_REMAINDER,
    W_RICHER,
    W_ROUND,
    W_SHORT,
    W_SHORT_NUMBER,
    W_STORE,
)


@kernel_function
def lay_full_row(rules, position, seat):
    apart()
    for hole in range(seat * rules[R_ROW], (seat + 1) * rules[R_ROW]):
        counters = min(rules[R_FULL], position[W_STORE + seat])
        position[HOLES + hole] = counters
        position[W_STORE + seat] -= counters


@inlined
def place_of(row, seat, heading, step):
    """The hole of that seat's row that is `step` after its first one in that heading."""
    return seat * row + (step if heading > 0 else row - 1 - step)


@kernel_function
def lay_poorer_row(rules, position, seat, move):
    """Lay out the row of the player who is short, by a layout move; sets marks and the direction."""
    apart()
    row, full = rules[R_ROW], rules[R_FULL]
    pattern = (move - LAYOUT) % LAYOUT_END
    heading = 1 if move - LAYOUT < LAYOUT_END else -1
    if rules[R_LAYOUT_FROM] == CHOSEN:
        position[W_DIRECTION] = heading
    total = position[W_STORE + seat]
    unequal = total < full * row
    if pattern:
        _lay_pattern(rules, position, seat, heading, pattern)
    else:
        _lay_usual(rules, position, seat, heading)
    if unequal and rules[R_LOAN]:
        position[W_LOAN] = MAY_BORROW + seat
    if rules[R_CLOSED]:
        for hole in range(seat * row, seat * row + row):
            if position[HOLES + hole] == 0:
                position[HOLES + 2 * row + hole] = BLIND


@kernel_function
def _lay_pattern(rules, position, seat, heading, pattern):
    apart()
    row = rules[R_ROW]
    filled = 0
    while pattern >> (filled + 1):
        filled += 1
    left = position[W_STORE + seat]
    for step in range(filled):
        counters = 1 + ((pattern >> step) & 1)
        position[HOLES + place_of(row, seat, heading, step)] = counters
        left -= counters
    position[HOLES + place_of(row, seat, heading, row - 1)] = left
    position[W_STORE + seat] = 0
    position[W_SHORT] = 1 + seat
    position[W_SHORT_NUMBER] = 1 + (pattern & 1)


@kernel_function
def _lay_usual(rules, position, seat, heading):
    """Full holes from the first place on, the remainder where the rules put it; then marks and balance."""
    apart()
    row, full = rules[R_ROW], rules[R_FULL]
    holes_filled = min(position[W_STORE + seat] // full, row)
    rest = position[W_STORE + seat] - holes_filled * full
    laid = rest > 0 and holes_filled < row and rules[R_REST] > 0
    if laid and rules[R_REST_ROUND] > 2 and position[W_ROUND] < rules[R_REST_ROUND]:
        laid = False
    shift = 1 if laid and rules[R_REST] != REST_NEXT else 0
    for step in range(holes_filled):
        position[HOLES + place_of(row, seat, heading, step + shift)] = full
    part_hole = -1
    if laid:
        part_hole = place_of(row, seat, heading, 0 if shift else holes_filled)
        position[HOLES + part_hole] = rest
        position[W_STORE + seat] = 0
    else:
        position[W_STORE + seat] = rest
    if rules[R_PALM] or rules[R_PART_HOLE] or rules[R_EN_PASSANT]:
        _set_excess(rules, position, seat, part_hole)
    if part_hole >= 0:
        _balance(rules, position, seat, part_hole, rest, holes_filled == 0)


@kernel_function
def _balance(rules, position, seat, part_hole, rest, alone):
    """Bar the partly filled hole, and balance it on the opponent's side."""
    apart()
    row = rules[R_ROW]
    richer = 1 - seat
    if (rules[R_REST_BARRED] >> rest) & 1 or (alone and rules[R_REST_ALONE]):
        position[HOLES + 2 * row + part_hole] = BARRED + seat
    if rules[R_MATCHING] == 0 or (rules[R_MATCHING_ALONE] and not alone):
        return
    matched = 2 * row - 1 - part_hole
    if rules[R_MATCHING_HOLE] == 0:
        matched = place_of(row, richer, position[W_DIRECTION], row - 1)
    wanted = rest if rules[R_MATCHING] == SAME else rules[R_FULL] - rest
    removed = min(wanted, position[HOLES + matched])
    position[HOLES + matched] -= removed
    position[W_STORE + richer] += removed
    if rules[R_MATCHING_BARRED] and (rules[R_REST_BARRED] >> position[HOLES + matched]) & 1:
        position[HOLES + 2 * row + matched] = BARRED + richer


@kernel_function
def _set_excess(rules, position, seat, part_hole):
    """After a round in which one player came to own more than a full row: his excess, his covered hole, the part
    hole."""
    apart()
    row = rules[R_ROW]
    richer = 1 - seat
    if position[W_STORE + richer] == 0:
        return
    position[W_RICHER] = 1 + richer
    position[W_EXCESS] = position[W_STORE + richer]
    position[W_REMAINDER] = position[HOLES + part_hole] if part_hole >= 0 else 0
    if rules[R_PALM]:
        position[HOLES + 2 * row + richer * row] = PALM + richer
    if rules[R_PART_HOLE] and part_hole >= 0:
        position[HOLES + 2 * row + part_hole] = BARRED + richer


@kernel_function
def layout_moves(rules, position, out):
    """Every layout the player who is short may choose, in the order of moves; returns how many."""
    apart()
    row = rules[R_ROW]
    total = position[W_STORE + position[W_MOVER]]
    allowed = rules[R_SHORT] if total < rules[R_SHORT_BELOW] else 0
    found = 0
    for end in range(2):
        out[found] = LAYOUT + LAYOUT_END * end
        found += 1
        if not allowed:
            continue
        for filled in range(1, row):
            for bits in range(1 << filled):
                twos = 0
                for step in range(filled):
                    twos += (bits >> step) & 1
                ones = filled - twos
                if (ones and not allowed & 2) or (twos and not allowed & 4):
                    continue
                if ones and twos and not rules[R_SHORT_MIXED]:
                    continue
                surplus = total - ones - 2 * twos
                if 0 <= surplus <= rules[R_SHORT_SURPLUS]:
                    out[found] = LAYOUT + LAYOUT_END * end + (1 << filled) + bits
                    found += 1
    return found
