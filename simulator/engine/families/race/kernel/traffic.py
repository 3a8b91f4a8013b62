"""The traffic of a race, compiled: squares landed on and left, and where pieces were sent back from.

One piece that moves on changes the sum of its seat's steps by as much as it goes, and nothing of the others changes
theirs unless it is sent back: sums tell most plies. Else what a ply changed follows from the pieces before and after
it: the steps of a seat's pieces ascend.
"""

import numpy as np

from simulator.engine.boards.tracks import board_of
from simulator.engine.compiled import inlined, kernel_function, noinline, words
from simulator.engine.families.race import position as code
from simulator.engine.families.race.kernel import rules as rule
from simulator.engine.families.race.kernel.rooms import pieces_at

LANDED, LEFT, SENT_BACK = range(3)


def tables(parameters):
    """Return the number of squares."""
    return np.array([len(board_of(parameters).squares)], dtype=np.int64)


def room(parameters):
    return 0


@inlined
def begin_traffic(rules, tables, position, counts, cells):
    """Nothing is kept of the game before."""


@inlined
def keep_traffic(rules, tables, position, seat, before):
    """Note where all pieces stand."""
    _keep(words(rules), words(position), words(before))


@inlined
def _keep(rules, position, before):
    first = pieces_at(rules, 0)
    for place in range(rules[rule.R_SEATS] * rules[rule.R_PIECES]):
        before[place] = position[first + place]


@inlined
def count_traffic(rules, tables, before, position, move, seat, turn, cells):
    _count(words(rules), words(tables), words(before), words(position), move, seat, words(cells))


@inlined
def end_traffic(rules, tables, position, counts, cells):
    """Nothing is left to be counted."""


@inlined
def _use(rules, tables, seat, kind, step, cells):
    square = rules[rule.TRACKS + rule.ROW * seat + step]
    if square != rule.NOWHERE:
        cells[(3 * seat + kind) * tables[0] + square] += 1


@inlined
def _count(rules, tables, before, position, move, seat, cells):
    pieces, first = rules[rule.R_PIECES], pieces_at(rules, 0)
    own = others = 0
    for place in range(rules[rule.R_SEATS] * pieces):
        others += position[first + place] - before[place]
    for place in range(pieces * seat, pieces * seat + pieces):
        own += position[first + place] - before[place]
    step = move & (code.STRIDE - 1)
    if move < code.TOTAL and step > 0 and others == own:
        _use(rules, tables, seat, LEFT, step, cells)
        _use(rules, tables, seat, LANDED, step + own, cells)
    elif move != code.PASS and move != code.DECLINE:
        _compare(rules, tables, before, position, seat, cells)


@kernel_function
def _compare(rules, tables, before, position, seat, cells):
    noinline()
    pieces = rules[rule.R_PIECES]
    for other in range(rules[rule.R_SEATS]):
        old, new, left = pieces * other, pieces_at(rules, other), SENT_BACK
        if other == seat:
            left = LEFT
        one = two = 0
        # Both rows ascend: what stands in one alone has gone, what stands in the other alone has come.
        while one < pieces or two < pieces:
            if two == pieces or (one < pieces and before[old + one] < position[new + two]):
                _use(rules, tables, other, left, before[old + one], cells)
                one += 1
            elif one == pieces or position[new + two] < before[old + one]:
                if other == seat:
                    _use(rules, tables, other, LANDED, position[new + two], cells)
                two += 1
            else:
                one += 1
                two += 1
