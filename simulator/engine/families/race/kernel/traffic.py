"""The traffic of a race, compiled: squares landed on and left, where pieces were sent back from, and where games end.

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

LANDED, LEFT, SENT_BACK, LAST, KINDS = range(5)
# Tables: the number of squares, and where behind the cells stands 1 + the cell of the square that was used last.
SQUARES, LAST_USED = range(2)


def tables(parameters):
    """Return what the compiled functions read of a ruleset."""
    squares = len(board_of(parameters).squares)
    return np.array([squares, KINDS * squares * parameters["seats"]], dtype=np.int64)


def room(parameters):
    return 1


@inlined
def begin_traffic(rules, tables, position, counts, cells):
    """Forget the game before."""
    cells[tables[LAST_USED]] = 0


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
    last = cells[tables[LAST_USED]]
    if last:
        cells[last - 1] = 1


@inlined
def _use(rules, tables, seat, kind, step, cells):
    square = rules[rule.TRACKS + rule.ROW * seat + step]
    if square != rule.NOWHERE:
        cells[(KINDS * seat + kind) * tables[SQUARES] + square] += 1
        if kind != SENT_BACK:
            cells[tables[LAST_USED]] = 1 + (KINDS * seat + LAST) * tables[SQUARES] + square


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
    pieces, came = rules[rule.R_PIECES], 0
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
                if other == seat:  # where a piece has landed is the last square, though others left theirs
                    went = cells[tables[LAST_USED]]
                    cells[tables[LAST_USED]] = 0
                    _use(rules, tables, other, LANDED, position[new + two], cells)
                    if cells[tables[LAST_USED]]:
                        came = cells[tables[LAST_USED]]
                    else:
                        cells[tables[LAST_USED]] = went
                two += 1
            else:
                one += 1
                two += 1
    if came:
        cells[tables[LAST_USED]] = came
