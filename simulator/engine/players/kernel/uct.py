"""Monte Carlo tree search over any family's contract: UCT, open-loop where lots are thrown.

A node is a sequence of moves, not a position: where throws decide, a move leads to different positions in different
games, and a node holds what they came to on average (Perez Liebana et al. 2015, "Open Loop Search for General Video
Game Playing"); a child is weighed by how often it could have been played (Cowling, Powley & Whitehouse 2012,
"Information Set Monte Carlo Tree Search"). Selection is q + c sqrt(N) / (1 + n): no logarithm, so that every machine
chooses alike. Each game played on tries one move that was not tried before; moves are first tried in an order drawn by
lot at every node, ties go to the first, and the move that was tried most is played. (In the order of the contract,
which counts points from the first player's side, each seat would imagine the other differently.) A game is ended by
consent, which stands last, only if that did better than all else; in games played on nobody consents.
"""

from math import sqrt

from simulator.engine.compiled import inlined, kernel_function
from simulator.engine.players.kernel import calls
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
def uct_move(frame, position, counts, workspace, out, iterations, horizon):
    """The move that UCT plays from `position`, of which there are several; `workspace.streams` are opened for it."""
    tree, here, tally = workspace.tree, workspace.positions[0], workspace.counts[0]
    _empty(tree, 0, -1, -1)
    room = 1
    for _ in range(iterations):
        copy(position, here)
        copy(counts, tally)
        calls.set_position(frame, here, tally)
        calls.read_outcome(frame)
        length, room = _descend(frame, workspace, out, room)
        if frame[calls.END] < 0:
            calls.play_on(frame, tally[TURNS] + horizon)
        _count(frame, workspace, length, tally[TURNS] - counts[TURNS])
    best = child = tree[0, FIRST]
    for _ in range(1, tree[0, OPTIONS] if frame[calls.THROWS] == 0 else room):
        child = tree[child, NEXT] if frame[calls.THROWS] else child + 1
        if child == 0:
            break
        if tree[child, VISITS] > tree[best, VISITS]:
            best = child
    return tree[best, MOVE]


@inlined
def _descend(frame, workspace, out, room):
    """Play on down the tree and one move beyond it; (nodes passed below the root, nodes of the tree)."""
    path = workspace.path
    node, length, is_new = 0, 0, False
    while frame[calls.END] < 0 and not is_new:
        if frame[calls.THROWS]:
            node, room, is_new = _pick_among(frame, workspace, out, node, room)
        else:
            if workspace.tree[node, FIRST] == 0:
                room = _unfold(frame, workspace, out, node, room)
            node, is_new = _pick(frame, workspace, node)
            if node == 0:
                break
        path[length] = node
        length += 1
        calls.play(frame, workspace.tree[node, MOVE])
    return length, room


@inlined
def _unfold(frame, workspace, out, node, room):
    """Give a node all its children side by side, if there is room; without throws they are the same at every visit."""
    tree, seat = workspace.tree, frame[calls.MOVING]
    options = calls.legal_moves(frame, out)
    if room + options > len(tree):
        return room
    shuffle(out, calls.without_consent(frame, out, options), workspace.streams)
    tree[node, FIRST], tree[node, OPTIONS] = room, options
    for k in range(options):
        _empty(tree, room + k, out[k], seat)
    return room + options


@inlined
def _pick(frame, workspace, node):
    """(the child to try next, whether it is tried for the first time); (0, False) where there was no room for any."""
    tree = workspace.tree
    first, options = tree[node, FIRST], tree[node, OPTIONS]
    if tree[node, MADE] < options:
        tree[node, MADE] += 1
        return first + tree[node, MADE] - 1, True
    reach = _reach(frame, tree[node, VISITS])
    best, most = 0, -1.0
    for child in range(first, first + options):
        worth = _worth(tree, child, reach)
        if worth > most:
            best, most = child, worth
    return best, False


@inlined
def _pick_among(frame, workspace, out, node, room):
    """(the child to try next, nodes of the tree, whether it is new) where a throw decides which moves there are."""
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
    if untried == 0:
        return best, room, False
    last = out[options - 1]
    consents = (last == frame[calls.CONSENT]) & (marks[last] == now)
    _empty(tree, room, _nth_untried(marks, out, now, below(workspace.streams, CHOICE, untried - consents)), seat)
    tree[room, SEEN] = 1
    if tree[node, FIRST]:
        tree[tree[node, LAST], NEXT] = room
    else:
        tree[node, FIRST] = room
    tree[node, LAST] = room
    return room, room + 1, True


@inlined
def _nth_untried(marks, out, now, number):
    """The move of that number, from 0, among those that bear the mark."""
    k = 0
    while marks[out[k]] != now or number:
        number -= marks[out[k]] == now
        k += 1
    return out[k]


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
def _count(frame, workspace, length, turns):
    """Count the game that is in the frame, so many turns on from the root, at every node it passed."""
    tree, scores = workspace.tree, workspace.scores
    for seat in range(len(scores)):
        scores[seat] = -1
    tree[0, VISITS] += 1
    for place in range(length):
        node = workspace.path[place]
        seat = tree[node, SEAT]
        if scores[seat] < 0:
            scores[seat] = score(frame, frame[calls.END], frame[calls.WINNERS], seat, turns)
        tree[node, VISITS] += 1
        tree[node, SCORE] += scores[seat]


@inlined
def _empty(tree, node, move, seat):
    """A node of which nothing is known."""
    for column in range(NODE):
        tree[node, column] = 0
    tree[node, MOVE] = move
    tree[node, SEAT] = seat
