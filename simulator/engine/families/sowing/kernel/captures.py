"""Captures after a lap, compiled: the fast counterpart of those in the referee's `laps`."""

from simulator.engine.compiled import inlined, kernel_function, noinline
from simulator.engine.families.sowing import measures
from simulator.engine.families.sowing import position as code
from simulator.engine.families.sowing.kernel import rules as rule
from simulator.engine.families.sowing.kernel.layout import HOLES, is_barred

MOST_COUNTERS = 512  # more than there are in any game


@inlined
def take(position, counts, seat, hole):
    counters = position[HOLES + hole]
    position[HOLES + hole] = 0
    position[code.W_STORE + seat] += counters
    counts[measures.CAPTURES_0 + seat] += counters


@inlined
def next_for_lap(rules, position, place):
    """The hole after `place` that a lap may look at: covered holes are no holes, nor are blind ones, by most rules."""
    around = 2 * rules[rule.R_ROW]
    heading = position[code.W_DIRECTION]
    for _ in range(around):
        place += heading
        if place == around:
            place = 0
        elif place < 0:
            place = around - 1
        mark = position[HOLES + around + place]
        if mark == 0 or (mark == code.BLIND and rules[rule.R_BLIND_NEXT] == rule.BLIND_EMPTY):
            break
        if mark != code.BLIND and mark != code.PALM and mark != code.PALM + 1:
            break
    return place


@kernel_function
def take_groups(rules, position, counts, seat, before):
    """When the seat has sown, the other takes every group that has his number now and had another `before`."""
    noinline()
    group = group_size(rules, position, seat)
    around = 2 * rules[rule.R_ROW]
    for hole in range(around):
        held = position[HOLES + hole]
        if group and held == group and position[before + hole] != group and position[HOLES + around + hole] == 0:
            take(position, counts, 1 - seat, hole)


@inlined
def group_size(rules, position, seat):
    """The size of the groups the waiting player takes from what `seat` sows; 0 for none."""
    if rules[rule.R_EN_PASSANT] == 0 or position[code.W_RICHER] == 0:
        return 0
    owner = 1 - seat if rules[rule.R_EN_PASSANT] == rule.OWN_NUMBER else seat
    return position[code.W_EXCESS] if owner == position[code.W_RICHER] - 1 else position[code.W_REMAINDER]


@kernel_function
def capture_making(rules, position, counts, seat, last, making):
    """Capture the last hole and, where runs are captured, those before it in the same row."""
    noinline()
    if not rules[rule.R_MAKING_RUN]:
        take(position, counts, seat, last)
        return
    row = rules[rule.R_ROW]
    heading = position[code.W_DIRECTION]
    first = row if last >= row else 0
    end = last - heading
    run = position[HOLES + last]
    while first <= end < first + row and position[HOLES + end] < 16 and (making >> position[HOLES + end]) & 1:
        run += position[HOLES + end]
        end -= heading
    if rules[rule.R_GRAND_SLAM]:
        whole = 0
        for hole in range(first, first + row):
            whole += position[HOLES + hole]
        if whole == run:
            return
    hole = last
    while hole != end:
        take(position, counts, seat, hole)
        hole -= heading


@inlined
def may_take_opposite(rules, position, seat, last, held):
    """Whether the last hole `held` nothing and is on the right side, and the one opposite holds something.

    Each of the three is as good as chance: in one comparison they are guessed wrong once, not three times.
    """
    row = rules[rule.R_ROW]
    other_side = (rules[rule.R_OPPOSITE] == rule.OWN) & ((last >= row) != seat)
    return position[HOLES + 2 * row - 1 - last] > MOST_COUNTERS * (held | other_side)


@kernel_function
def capture_opposite(rules, position, counts, seat, last):
    """Take what is opposite, unless a mark keeps it."""
    noinline()
    row = rules[rule.R_ROW]
    facing = 2 * row - 1 - last
    mark = position[HOLES + 2 * row + facing]
    if mark == 0 or (is_barred(mark) and rules[rule.R_OPPOSITE_BARRED]):
        take(position, counts, seat, facing)
        if rules[rule.R_OPPOSITE_OWN]:
            take(position, counts, seat, last)


@kernel_function
def capture_chain(rules, position, counts, seat, before):
    """Capture the hole after `before`, then every second one while those between are empty, up to the ruleset's number
    of holes."""
    noinline()
    if rules[rule.R_BARRED_IN_CHAIN] == rule.CHAIN_ABSENT:
        _capture_past_barred(rules, position, counts, seat, before)
        return
    marks = HOLES + 2 * rules[rule.R_ROW]
    hole = next_for_lap(rules, position, before)
    for _ in range(rules[rule.R_NEXT_HOLES]):
        if position[HOLES + hole] == 0 or position[marks + hole]:
            return
        take(position, counts, seat, hole)
        between = next_for_lap(rules, position, hole)
        barred = is_barred(position[marks + between])
        if position[HOLES + between] and not (barred and rules[rule.R_BARRED_NEXT] != rule.NEXT_ENDS):
            return
        if barred and rules[rule.R_BARRED_IN_CHAIN] == rule.CHAIN_ENDS:
            return
        hole = next_for_lap(rules, position, between)


@kernel_function
def _capture_past_barred(rules, position, counts, seat, before):
    """A chain that passes over barred holes as if they did not exist."""
    noinline()
    marks = HOLES + 2 * rules[rule.R_ROW]
    hole = _next_unbarred(rules, position, before)
    for _ in range(rules[rule.R_NEXT_HOLES]):
        if position[HOLES + hole] == 0 or position[marks + hole]:
            return
        take(position, counts, seat, hole)
        between = _next_unbarred(rules, position, hole)
        if position[HOLES + between]:
            return
        hole = _next_unbarred(rules, position, between)


@kernel_function
def _next_unbarred(rules, position, place):
    """The hole after a place that a lap may look at and that is not barred; if all are, one of them."""
    noinline()
    around = 2 * rules[rule.R_ROW]
    hole = next_for_lap(rules, position, place)
    for _ in range(around):
        if not is_barred(position[HOLES + around + hole]):
            break
        hole = next_for_lap(rules, position, hole)
    return hole
