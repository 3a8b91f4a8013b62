"""Captures after a lap, compiled: the fast twin of those in the referee's `laps`."""

from simulator.engine.compiled import apart, inlined, kernel_function
from simulator.engine.families.sowing.kernel.layout import HOLES
from simulator.engine.families.sowing.kernel.rules import (
    NEXT_ENDS,
    OWN,
    R_BARRED_NEXT,
    R_GRAND_SLAM,
    R_MAKING_RUN,
    R_NEXT_HOLES,
    R_OPPOSITE,
    R_OPPOSITE_BARRED,
    R_OPPOSITE_OWN,
    R_ROW,
)
from simulator.engine.families.sowing.measures import CAPTURES_0
from simulator.engine.families.sowing.position import BARRED, BLIND, PALM, TIED, W_DIRECTION, W_STORE


@inlined
def take(position, counts, seat, hole):
    counters = position[HOLES + hole]
    position[HOLES + hole] = 0
    position[W_STORE + seat] += counters
    counts[CAPTURES_0 + seat] += counters


@inlined
def next_for_lap(rules, position, place):
    """The hole after `place` that a lap may look at: blind and covered holes are no holes."""
    around = 2 * rules[R_ROW]
    heading = position[W_DIRECTION]
    for _ in range(around):
        place += heading
        if place == around:
            place = 0
        elif place < 0:
            place = around - 1
        mark = position[HOLES + around + place]
        if mark != BLIND and mark != PALM and mark != PALM + 1:
            break
    return place


@kernel_function
def capture_making(rules, position, counts, seat, last, making):
    """Capture the last hole and, where runs are captured, those before it in the same row."""
    apart()
    if not rules[R_MAKING_RUN]:
        take(position, counts, seat, last)
        return
    row = rules[R_ROW]
    heading = position[W_DIRECTION]
    first = row if last >= row else 0
    end = last - heading
    run = position[HOLES + last]
    while first <= end < first + row and position[HOLES + end] < 16 and (making >> position[HOLES + end]) & 1:
        run += position[HOLES + end]
        end -= heading
    if rules[R_GRAND_SLAM]:
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
    apart()
    row = rules[R_ROW]
    if rules[R_OPPOSITE] == OWN and (last >= row) != seat:
        return
    facing = 2 * row - 1 - last
    mark = position[HOLES + 2 * row + facing]
    barred = mark == BARRED or mark == BARRED + 1 or mark >= TIED
    if position[HOLES + facing] and (mark == 0 or (barred and rules[R_OPPOSITE_BARRED])):
        take(position, counts, seat, facing)
        if rules[R_OPPOSITE_OWN]:
            take(position, counts, seat, last)


@kernel_function
def capture_chain(rules, position, counts, seat, hole):
    """Capture `hole`, then every second hole while the ones between are empty, up to the ruleset's number."""
    apart()
    marks = HOLES + 2 * rules[R_ROW]
    for _ in range(rules[R_NEXT_HOLES]):
        if position[HOLES + hole] == 0 or position[marks + hole]:
            return
        take(position, counts, seat, hole)
        between = next_for_lap(rules, position, hole)
        mark = position[marks + between]
        barred = mark == BARRED or mark == BARRED + 1 or mark >= TIED
        if position[HOLES + between] and not (barred and rules[R_BARRED_NEXT] != NEXT_ENDS):
            return
        hole = next_for_lap(rules, position, between)
