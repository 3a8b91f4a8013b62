"""Monte Carlo tree search of games with lots: a node is a sequence of moves and no position.

Where throws decide, a move leads to different positions in different games, and a node holds what they came to on
average (Perez Liebana et al. 2015, "Open Loop Search for General Video Game Playing"). A throw decides which moves
there are, and a node's moves are a list that grows: of those there now, an untried one is drawn by lot and joins the
list. A child is weighed by how often it could have been played (Cowling, Powley & Whitehouse 2012, "Information Set
Monte Carlo Tree Search"). With a prior of w, every untried move is looked at, and begins as if it had been
tried w times with what the family's evaluation says of the position behind it.
"""

from math import sqrt

from simulator.engine.compiled import inlined, kernel_function, words
from simulator.engine.players.kernel import calls
from simulator.engine.players.kernel.calls import shuffle, throws_drawn
from simulator.engine.players.kernel.nodes import (
    attraction,
    count_game,
    empty,
    exploration,
    foresee,
    return_from_foreseeing,
)
from simulator.engine.players.kernel.workspace import (
    FIRST,
    HERE,
    LAST,
    NEXT,
    ROOT,
    SEAT,
    SEEN,
    TURNS,
    VISITS,
    nodes_of,
    worth_of,
)
from simulator.engine.randomness import CHOICE
from simulator.engine.randomness_kernel import below


@kernel_function
def open_loop_move(frame, workspace, out, iterations, horizon):
    """Return the move that UCT plays from the position at the root's place, which has several."""
    tree, places = nodes_of(workspace), workspace.places
    room, begun, seat = 1, places[ROOT, TURNS], 0 + tree[0, SEAT]
    for _ in range(iterations):
        calls.copy_place(frame, places, ROOT, HERE)
        frame[calls.END], frame[calls.MOVING] = -1, seat
        length, room, is_certain = _descend(frame, workspace, out, room, begun, horizon)
        # A win that the mover brings about before any throw is proved: nothing better can be found.
        if is_certain and frame[calls.END] >= 0 and frame[calls.WINNERS] >> seat & 1:
            return workspace.moves[workspace.path[0]]
        count_game(frame, workspace, length, places[HERE, TURNS] - begun)
    best = child = 0 + tree[0, FIRST]
    while child:
        if tree[child, VISITS] > tree[best, VISITS]:
            best = child
        child = 0 + tree[child, NEXT]
    return workspace.moves[best]


@inlined
def _descend(frame, workspace, out, room, begun, horizon):
    """Play on down the tree, one move beyond it, and on from there.

    Returns (nodes passed below the root, nodes of the tree, whether the game ended in the tree after moves of the
    root's mover only, before any throw).
    """
    path, tree, moves = workspace.path, nodes_of(workspace), workspace.moves
    node, length, is_new, is_certain, c = 0, 0, False, True, exploration(frame)
    while frame[calls.END] < 0 and not is_new:
        node, room, is_new = _pick(frame, workspace, out, node, room, begun, c)
        if node == 0:
            calls.play_on(frame, horizon)
            return length, room, False
        path[length] = node
        length += 1
        drawn = throws_drawn(frame, workspace.streams) if is_certain else 0
        if is_new:
            calls.play_out(frame, moves[node], horizon)
        else:
            calls.play(frame, moves[node])
        is_certain = is_certain and tree[node, SEAT] == tree[0, SEAT]
        is_certain = is_certain and throws_drawn(frame, workspace.streams) == drawn
    return length, room, is_certain and frame[calls.AT_ONCE]


@kernel_function
def _pick(frame, workspace, out, node, room, begun, c):
    """Return (the child to try next, nodes of the tree, whether it is new); the child is 0 where there was no room.

    Moves that are legal now are marked with the number of this look; a child whose move bears the mark could be played,
    and its mark is raised by 1, so that the moves that still bear the mark in the end have no child yet.
    """
    tree, worth, seat = nodes_of(workspace), worth_of(workspace), frame[calls.MOVING]
    marks, moves = words(workspace.marks), words(workspace.moves)
    options = calls.legal_moves(frame, out)
    marks[frame[calls.MOVE_CODES]] += 2  # every look has a number of its own, so that no mark needs to be wiped off
    now = marks[frame[calls.MOVE_CODES]]
    for k in range(options):
        marks[out[k]] = now
    best, most, child, untried = 0, -1.0, 0 + tree[node, FIRST], options
    while child and untried:
        move = moves[child]
        if tree[child, SEAT] == seat and marks[move] == now:
            marks[move] = now + 1
            untried -= 1
            tree[child, SEEN] += 1
            attracts = attraction(worth, child, c * sqrt(float(tree[child, SEEN])))
            if attracts > most:
                best, most = child, attracts
        child = 0 + tree[child, NEXT]
    if untried == 0 or room + untried > len(workspace.tree):
        return best, room, best > 0 and tree[best, VISITS] == frame[calls.PRIOR]
    if frame[calls.PRIOR] == 0:
        consents = (out[options - 1] == frame[calls.CONSENT]) & (marks[out[options - 1]] == now)
        move = _nth_untried(marks, out, now, below(workspace.streams, CHOICE, untried - consents))
        _append(workspace, node, room, move, seat)
        return room, room + 1, True
    shuffle(out, calls.without_consent(frame, out, options), workspace.streams)
    for k in range(options):
        if marks[out[k]] == now:
            _append(workspace, node, room, out[k], seat)
            foresee(frame, workspace, room, out[k], begun)
            attracts = attraction(worth, room, c)
            if attracts > most:
                best, most = room, attracts
            room += 1
    return_from_foreseeing(frame, workspace, seat)
    return best, room, tree[best, VISITS] == frame[calls.PRIOR]


@inlined
def _nth_untried(marks, out, now, number):
    """Return the move of that number, from 0, among those that bear the mark."""
    k = 0
    while marks[out[k]] != now or number:
        number -= marks[out[k]] == now
        k += 1
    return out[k]


@inlined
def _append(workspace, node, child, move, seat):
    """Append a child to the list of a node; its move could be played once so far."""
    tree = nodes_of(workspace)
    workspace.moves[child] = move
    empty(tree, child, seat)
    tree[child, SEEN] = 1
    if tree[node, FIRST]:
        tree[tree[node, LAST], NEXT] = child
    else:
        tree[node, FIRST] = child
    tree[node, LAST] = child
