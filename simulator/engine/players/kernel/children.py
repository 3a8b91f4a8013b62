"""The moves of a tree's node: how they come into the tree, and which is tried next.

Without lots a node's moves are the same at every visit and lie side by side; with lots they are a list that grows. They
stand in an order drawn by lot. With a prior of w, every move is looked at when its node is first gone on from, and
begins as if it had been tried w times with what the family's evaluation says of the position behind it; without, each
is tried once before any is tried again.
"""

from math import sqrt

from simulator.engine.compiled import inlined, kernel_function
from simulator.engine.players.kernel import calls, proved
from simulator.engine.players.kernel.evaluation import WHOLE, copy, score
from simulator.engine.players.kernel.greedy import shuffle
from simulator.engine.players.kernel.search_workspace import (
    FIRST,
    LAST,
    MADE,
    MOVE,
    NEXT,
    NODE,
    OPTIONS,
    PROVED,
    SCORE,
    SEAT,
    SEEN,
    VISITS,
)
from simulator.engine.randomness import CHOICE
from simulator.engine.randomness_kernel import below

TURNS = 0
HUNDREDTHS = 100.0


@kernel_function
def unfold(frame, workspace, out, node, room, begun):
    """Give a node of a game without lots all its children, if there is room; the nodes of the tree.

    begun: turn of the root
    """
    tree, seat = workspace.tree, frame[calls.MOVING]
    options = calls.legal_moves(frame, out)
    if room + options > len(tree):
        return room
    shuffle(out, calls.without_consent(frame, out, options), workspace.streams)
    tree[node, FIRST], tree[node, OPTIONS] = room, options
    for k in range(options):
        empty(tree, room + k, out[k], seat)
    if frame[calls.PRIOR]:
        tree[node, MADE] = options
        for k in range(options):
            _foresee(frame, workspace, room + k, begun)
            if frame[calls.END] >= 0:
                proved.note_end(frame, tree, room + k)
        _return_from_foreseeing(frame, workspace)
    return room + options


@inlined
def pick(frame, workspace, node):
    """(the child to try next, whether it is tried for the first time); (0, False) where there was no room for any."""
    tree = workspace.tree
    first, options = tree[node, FIRST], tree[node, OPTIONS]
    if tree[node, MADE] < options:
        tree[node, MADE] += 1
        return first + tree[node, MADE] - 1, True
    reach = _reach(frame, tree[node, VISITS])
    best, most = first, -1.0
    for child in range(first, first + options):
        if tree[child, PROVED] >= 0:
            worth = _worth(tree, child, reach)
            if tree[child, PROVED] > proved.DRAWN:
                return child, False
            if worth > most:
                best, most = child, worth
    return best, tree[best, VISITS] == frame[calls.PRIOR]


@kernel_function
def pick_among(frame, workspace, out, node, room, begun):
    """(the child to try next, nodes of the tree, whether it is new) where a throw decides which moves there are.

    The child is 0 where there was no room for any.
    """
    tree, marks, seat = workspace.tree, workspace.marks, frame[calls.MOVING]
    options = calls.legal_moves(frame, out)
    marks[frame[calls.MOVE_CODES]] += 2  # every look has a number of its own, so that no mark needs to be wiped off
    now = marks[frame[calls.MOVE_CODES]]
    for k in range(options):
        marks[out[k]] = now
    best, most, child, untried = 0, -1.0, tree[node, FIRST], options
    while child:
        if tree[child, SEAT] == seat and marks[tree[child, MOVE]] == now:
            marks[tree[child, MOVE]] = now + 1
            untried -= 1
            tree[child, SEEN] += 1
            worth = _worth(tree, child, _reach(frame, tree[child, SEEN]))
            if worth > most:
                best, most = child, worth
        child = tree[child, NEXT]
    if untried == 0 or room + untried > len(tree):
        return best, room, best > 0 and tree[best, VISITS] == frame[calls.PRIOR]
    if frame[calls.PRIOR] == 0:
        last = out[options - 1]
        consents = (last == frame[calls.CONSENT]) & (marks[last] == now)
        move = _nth_untried(marks, out, now, below(workspace.streams, CHOICE, untried - consents))
        _append(tree, node, room, move, seat)
        return room, room + 1, True
    shuffle(out, calls.without_consent(frame, out, options), workspace.streams)
    for k in range(options):
        if marks[out[k]] == now:
            _append(tree, node, room, out[k], seat)
            _foresee(frame, workspace, room, begun)
            worth = _worth(tree, room, _reach(frame, tree[room, SEEN]))
            if worth > most:
                best, most = room, worth
            room += 1
    _return_from_foreseeing(frame, workspace)
    return best, room, tree[best, VISITS] == frame[calls.PRIOR]


@inlined
def _nth_untried(marks, out, now, number):
    """The move of that number, from 0, among those that bear the mark."""
    k = 0
    while marks[out[k]] != now or number:
        number -= marks[out[k]] == now
        k += 1
    return out[k]


@inlined
def _append(tree, node, child, move, seat):
    """A further child of a node whose children are a list, looked for once so far."""
    empty(tree, child, move, seat)
    tree[child, SEEN] = 1
    if tree[node, FIRST]:
        tree[tree[node, LAST], NEXT] = child
    else:
        tree[node, FIRST] = child
    tree[node, LAST] = child


@inlined
def _foresee(frame, workspace, child, begun):
    """Play a child's move on a position beside the search's, and let the child begin with what that is worth."""
    tree, tally, prior = workspace.tree, workspace.counts[1], frame[calls.PRIOR]
    copy(workspace.positions[0], workspace.positions[1])
    copy(workspace.counts[0], tally)
    calls.set_position(frame, workspace.positions[1], tally)
    calls.play(frame, tree[child, MOVE])
    worth = score(frame, frame[calls.END], frame[calls.WINNERS], tree[child, SEAT], tally[TURNS] - begun)
    tree[child, VISITS], tree[child, SCORE] = prior, prior * worth


@inlined
def _return_from_foreseeing(frame, workspace):
    calls.set_position(frame, workspace.positions[0], workspace.counts[0])
    calls.read_outcome(frame)


@inlined
def _reach(frame, looks):
    """c sqrt(N)."""
    return float(frame[calls.EXPLORATION]) / HUNDREDTHS * sqrt(float(looks))


@inlined
def _worth(tree, child, reach):
    """q + c sqrt(N) / (1 + n), q between 0 and 1."""
    visits = float(tree[child, VISITS])
    return float(tree[child, SCORE]) / (visits * WHOLE) + reach / (1.0 + visits)


@inlined
def empty(tree, node, move, seat):
    """A node of which nothing is known."""
    for column in range(NODE):
        tree[node, column] = 0
    tree[node, MOVE] = move
    tree[node, SEAT] = seat
