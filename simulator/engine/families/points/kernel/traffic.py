"""The traffic of a points game, compiled: lines moved along, points laid on, entered, left and occupied, and captures.

A ply is quick, so that little is done for it. What is taken follows from the other player's pieces before and after a
move. How long points are occupied is not counted turn by turn: since which turn each point is occupied is kept, and the
turns are added when the piece leaves it.
"""

import numpy as np

from simulator.engine.bits import lowest_bit
from simulator.engine.boards.figures import board_of
from simulator.engine.compiled import inlined, words
from simulator.engine.families.points import measures
from simulator.engine.families.points import position as code
from simulator.engine.families.points.kernel import layout
from simulator.engine.families.points.traffic import takes, ways

# Places of points among the cells of a seat, in numbers of points behind the lines.
LAID, ENTERED, LEFT, OCCUPIED, TAKEN, LAST = range(6)
# Tables: numbers of lines and of points; whether every move goes along one line; whether pieces are taken; where the
# work begins behind the cells; then for each move without its kind its line, or where the number of its lines stands
# with these lines behind it.
LINES, POINTS, SINGLE, TAKES, WORK, OF_MOVES = range(6)


def tables(parameters):
    """Return what the compiled functions read of a ruleset."""
    board = board_of(parameters)
    points, lines = len(board.points), len(board.edges)
    room_for = code.FROM if points <= code.FROM else code.FROM_WIDE
    of_moves, along, found = np.zeros(room_for * points, dtype=np.int64), list[int](), ways(parameters, board)
    is_single = all(len(edges) == 1 for edges in found.values())
    for (origin, to), edges in found.items():
        of_moves[room_for * origin + to] = edges[0] if is_single else OF_MOVES + len(of_moves) + len(along)
        along += (len(edges), *edges)
    head = [lines, points, is_single, takes(parameters), 2 * (lines + 6 * points)]
    return np.concatenate([head, of_moves, along]).astype(np.int64)


def room(parameters):
    """Return the words of work: since when each point is occupied, and the last move."""
    return len(board_of(parameters).points) + 1


@inlined
def begin_traffic(rules, tables, position, counts, cells):
    """Forget the game before: its cells are empty again."""
    _begin(words(tables), words(cells))


@inlined
def _begin(tables, cells):
    work = tables[WORK]
    for place in range(work, work + tables[POINTS] + 1):
        cells[place] = 0


@inlined
def keep_traffic(rules, tables, position, counts, seat, before):
    """Note where pieces stand that could be taken."""
    _keep(words(tables), words(position), rules[1], seat, words(before))


@inlined
def _keep(tables, position, wide, seat, before):
    if tables[TAKES]:
        for w in range(len(wide)):
            before[w] = layout.pieces(position, wide, 1 - seat, w)


@inlined
def count_traffic(rules, tables, before, position, counts, move, seat, turn, cells):
    _count(words(tables), words(before), words(position), rules[1], move, seat, turn, words(cells))


@inlined
def end_traffic(rules, tables, position, counts, cells):
    _end(words(tables), words(position), rules[1], counts[measures.TURNS], words(cells))


@inlined
def _cell(tables, seat, kind):
    """Return where the points of a kind of use begin."""
    return (seat + 1) * tables[LINES] + (6 * seat + kind) * tables[POINTS]


@inlined
def _count(tables, before, position, wide, move, seat, turn, cells):
    since = tables[WORK]
    if tables[TAKES]:
        for w in range(len(wide)):
            gone = before[w] & ~layout.pieces(position, wide, 1 - seat, w)
            while gone:
                point = 64 * w + lowest_bit(gone)
                gone &= gone - 1
                cells[_cell(tables, 1 - seat, TAKEN) + point] += 1
                cells[_cell(tables, 1 - seat, OCCUPIED) + point] += turn - cells[since + point]
    own = layout.origins(wide)
    if move >= code.STEP:
        jumps = code.JUMP if len(wide) <= 2 else code.JUMP_WIDE
        way = move - (jumps if move >= jumps else code.STEP)
        origin, to = way >> lowest_bit(own), way & (own - 1)
        cells[_cell(tables, seat, ENTERED) + to] += 1
        cells[_cell(tables, seat, LEFT) + origin] += 1
        cells[_cell(tables, seat, OCCUPIED) + origin] += turn - cells[since + origin]
        lines, along = seat * (tables[LINES] + 6 * tables[POINTS]), tables[OF_MOVES + way]
        if tables[SINGLE]:
            cells[lines + along] += 1
        else:
            for place in range(along + 1, along + 1 + tables[along]):
                cells[lines + tables[place]] += 1
    elif move < own:
        to = move
        cells[_cell(tables, seat, LAID) + to] += 1
    else:
        return
    cells[since + to] = turn
    cells[since + tables[POINTS]] = 1 + 2 * to + seat


@inlined
def _end(tables, position, wide, turns, cells):
    since = tables[WORK]
    last = cells[since + tables[POINTS]] - 1
    if last >= 0:
        cells[_cell(tables, last & 1, LAST) + (last >> 1)] += 1
    for seat in range(2):
        for w in range(len(wide)):
            left = layout.pieces(position, wide, seat, w)
            while left:
                point = 64 * w + lowest_bit(left)
                left &= left - 1
                cells[_cell(tables, seat, OCCUPIED) + point] += turns - cells[since + point]
