"""The traffic of a race, compiled: squares landed on and left, where pieces were sent back from, and where games end.

One piece that moves or enters changes the sum of its seat's steps by as much as it goes, and nothing else changes
unless a piece is sent back: what the rules keep and count anyway tells most plies. Else what a ply changed follows from
the pieces before and after it: the steps of a seat's pieces ascend. Only single words are read just after a move: a
wider load of words that were just written waits for them.
"""

import numpy as np

from simulator.engine.boards.tracks import board_of
from simulator.engine.compiled import inlined, kernel_function, noinline, words
from simulator.engine.families.race import measures
from simulator.engine.families.race import position as code
from simulator.engine.families.race.kernel import rules as rule
from simulator.engine.families.race.kernel.rooms import W_PROGRESS, note, pieces_at
from simulator.engine.families.race.referee.way import course

LANDED, LEFT, SENT_BACK, LAST, KINDS = range(5)
# Tables: the number of squares; how many words there are for the steps of a seat; where the work begins behind the
# cells; then for each seat and step the cell of landing on its square, which of a step off the board is in the work.
SQUARES, STEPS, WORK, OF_STEPS = range(4)
# Work: 1 + the words of OF_STEPS for where a piece last came to stand, and for where it last left, and what is nothing.
CAME, WENT, NOTHING = range(3)
# What is noted before a move, of the mover; behind it stands where all pieces stand.
PROGRESS, SENT, ENTERED, STANDING = range(4)


def tables(parameters):
    """Return what the compiled functions read of a ruleset."""
    squares, tracks = len(board_of(parameters).squares), course(parameters).tracks[: parameters["seats"]]
    steps = max(map(len, tracks))
    work = KINDS * squares * parameters["seats"]
    of_steps = np.full((parameters["seats"], steps), work + NOTHING, dtype=np.int64)
    for seat, track in enumerate(tracks):
        for step, square in enumerate(track):
            if square >= 0:
                of_steps[seat, step] = (KINDS * seat + LANDED) * squares + square
    return np.concatenate([[squares, steps, work], of_steps.reshape(-1)]).astype(np.int64)


def room(parameters):
    """Return the words of work: what is nothing has room for each kind of use."""
    return NOTHING + 1 + KINDS * len(board_of(parameters).squares)


@inlined
def begin_traffic(rules, tables, position, counts, cells):
    """Forget the game before."""
    cells[tables[WORK] + CAME] = cells[tables[WORK] + WENT] = 0


@inlined
def keep_traffic(rules, tables, position, counts, seat, before):
    """Note how far the mover's pieces have come, how many he has sent back and entered, and where all pieces stand."""
    _keep(words(rules), words(position), words(counts), seat, words(before))


@inlined
def _keep(rules, position, counts, seat, before):
    note(rules, position)
    before[PROGRESS] = position[W_PROGRESS + seat]
    before[SENT] = counts[measures.SENT_BACK_0 + seat]
    before[ENTERED] = counts[measures.ENTRIES]
    first = pieces_at(rules, 0)
    for place in range(rules[rule.R_SEATS] * rules[rule.R_PIECES]):
        before[STANDING + place] = position[first + place]


@inlined
def count_traffic(rules, tables, before, position, counts, move, seat, turn, cells):
    _count(words(rules), words(tables), words(before), words(position), words(counts), move, seat, words(cells))


@inlined
def end_traffic(rules, tables, position, counts, cells):
    """Count where the last piece to move came to stand: of one that left the board, where it had stood."""
    work = tables[WORK]
    for place in (work + CAME, work + WENT):
        last = cells[place]
        if last and tables[OF_STEPS + last - 1] < work:
            cells[tables[OF_STEPS + last - 1] + LAST * tables[SQUARES]] = 1
            break


@inlined
def _use(tables, kind, at, cells):
    """Count a use of the square of a step. at: its word in OF_STEPS"""
    cells[tables[OF_STEPS + at] + kind * tables[SQUARES]] += 1


@inlined
def _count(rules, tables, before, position, counts, move, seat, cells):
    step, own = move & (code.STRIDE - 1), position[W_PROGRESS + seat] - before[PROGRESS]
    entered = counts[measures.ENTRIES] - before[ENTERED]
    is_several = counts[measures.SENT_BACK_0 + seat] != before[SENT] or entered > 1
    # A running fight keeps no sums of steps, and a piece that enters may be home at once.
    is_several |= rules[rule.R_TAKING] > 0
    if move >= code.TOTAL or is_several or (step == 0 and own >= tables[STEPS] - 1):
        if move != code.PASS and move != code.DECLINE:
            _compare(rules, tables, before, position, seat, cells)
        return
    if own == 0:  # it was led back
        return
    left = tables[STEPS] * seat + step
    _use(tables, LEFT, left, cells)  # which is nothing, of a piece that enters
    _use(tables, LANDED, left + own, cells)
    cells[tables[WORK] + CAME] = 1 + left + own
    cells[tables[WORK] + WENT] = 1 + left


@kernel_function
def _compare(rules, tables, before, position, seat, cells):
    noinline()
    pieces = rules[rule.R_PIECES]
    for other in range(rules[rule.R_SEATS]):
        old, new, steps = STANDING + pieces * other, pieces_at(rules, other), tables[STEPS] * other
        left = LEFT if other == seat else SENT_BACK
        one = two = came = went = 0
        # Both rows ascend: what stands in one alone has gone, what stands in the other alone has come.
        while one < pieces or two < pieces:
            if two == pieces or (one < pieces and before[old + one] < position[new + two]):
                at = steps + before[old + one]
                _use(tables, left, at, cells)
                if tables[OF_STEPS + at] < tables[WORK]:
                    went = 1 + at
                one += 1
            elif one == pieces or position[new + two] < before[old + one]:
                if other == seat:
                    at = steps + position[new + two]
                    _use(tables, LANDED, at, cells)
                    if tables[OF_STEPS + at] < tables[WORK]:
                        came = 1 + at
                two += 1
            else:
                one += 1
                two += 1
        if other == seat and came + went:
            cells[tables[WORK] + CAME] = came
            cells[tables[WORK] + WENT] = went
