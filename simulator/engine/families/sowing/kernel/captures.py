"""Captures after a lap, compiled: the fast counterpart of those in the referee's `laps`."""

from simulator.engine.compiled import inlined, kernel_function, noinline
from simulator.engine.families.sowing import measures
from simulator.engine.families.sowing import position as code
from simulator.engine.families.sowing.kernel import rules as rule
from simulator.engine.families.sowing.kernel.layout import HOLES, is_barred


@inlined
def take(position, counts, seat, hole):
    counters = position[HOLES + hole]
    position[HOLES + hole] = 0
    position[code.W_STORE + seat] += counters
    counts[measures.CAPTURES_0 + seat] += counters


@inlined
def next_for_lap(rules, position, place):
    """The hole after `place` that a lap may look at: blind and covered holes are no holes."""
    around = 2 * rules[rule.R_ROW]
    heading = position[code.W_DIRECTION]
    for _ in range(around):
        place += heading
        if place == around:
            place = 0
        elif place < 0:
            place = around - 1
        mark = position[HOLES + around + place]
        if mark != code.BLIND and mark != code.PALM and mark != code.PALM + 1:
            break
    return place


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


@kernel_function
def capture_opposite(rules, position, counts, seat, last):
    noinline()
    row = rules[rule.R_ROW]
    if rules[rule.R_OPPOSITE] == rule.OWN and (last >= row) != seat:
        return
    facing = 2 * row - 1 - last
    mark = position[HOLES + 2 * row + facing]
    barred = is_barred(mark)
    if position[HOLES + facing] and (mark == 0 or (barred and rules[rule.R_OPPOSITE_BARRED])):
        take(position, counts, seat, facing)
        if rules[rule.R_OPPOSITE_OWN]:
            take(position, counts, seat, last)


@kernel_function
def capture_chain(rules, position, counts, seat, hole):
    """Capture `hole`, then every second hole while the ones between are empty, up to the ruleset's number."""
    noinline()
    marks = HOLES + 2 * rules[rule.R_ROW]
    for _ in range(rules[rule.R_NEXT_HOLES]):
        if position[HOLES + hole] == 0 or position[marks + hole]:
            return
        take(position, counts, seat, hole)
        between = next_for_lap(rules, position, hole)
        mark = position[marks + between]
        barred = is_barred(mark)
        if position[HOLES + between] and not (barred and rules[rule.R_BARRED_NEXT] != rule.NEXT_ENDS):
            return
        hole = next_for_lap(rules, position, between)
