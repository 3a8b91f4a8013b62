"""Monte Carlo tree search over any family's contract: UCT, and the tree of games without lots.

Selection is q + c sqrt(N) / (1 + n): no logarithm, so that every machine chooses alike. Moves are first tried in an
order drawn by lot at every node, ties go to the first, and the move that was tried most is played. (In the order of the
contract, which counts points from the first player's side, the two seats would imagine each other differently.) A game
is ended by consent, which stands last, only if that did better than all else; in games played on nobody consents. What
is proved of a node is not played on from; once it is of the root, the search ends and plays a move that keeps the
value.

Without lots, as here, a node is a position and its children lie side by side. With a prior of w, every move is looked
at when its node is first expanded, and begins as if it had been tried w times with what the family's evaluation says of
the position behind it; without, each is tried once before any is tried again. A node that is passed often keeps its
position: a game is played from the last one kept, not from the root. Where lots are thrown, `open_loop` searches.
"""

from math import sqrt

import numpy as np

from simulator.engine.compiled import inlined, kernel_function
from simulator.engine.players.kernel import calls, nodes
from simulator.engine.players.kernel.calls import copy, shuffle
from simulator.engine.players.kernel.nodes import (
    attraction,
    count_game,
    empty,
    exploration,
    foresee,
    return_from_foreseeing,
)
from simulator.engine.players.kernel.open_loop import open_loop_move
from simulator.engine.players.kernel.workspace import (
    AFTER,
    FIRST,
    HERE,
    KEPT,
    MADE,
    OPTIONS,
    PROVED,
    ROOT,
    SEAT,
    TURNS,
    VISITS,
    WORTH,
    nodes_of,
    worth_of,
)
from simulator.engine.randomness import CHOICE
from simulator.engine.randomness_kernel import below

KEPT_FROM = 1  # visits from which on a node keeps its position


@kernel_function
def uct_move(frame, position, counts, workspace, out, iterations, horizon):
    """Return the move that UCT plays from `position`, which has several; `workspace.streams` are opened for it."""
    root, at = workspace.places[ROOT], frame[calls.COUNTS]
    copy(counts, root[: len(counts)])
    copy(position, root[at : at + len(position)])
    calls.set_place(frame, workspace.places, ROOT)
    calls.read_outcome(frame)
    empty(nodes_of(workspace), 0, frame[calls.MOVING])
    if frame[calls.THROWS]:
        return open_loop_move(frame, workspace, out, iterations, horizon)
    return tree_move(frame, workspace, out, iterations, horizon)


@kernel_function
def tree_move(frame, workspace, out, iterations, horizon):
    """Return the move that UCT plays from the position at the root's place, which has several; no lots are thrown."""
    frame[calls.AT_OUT] = calls.address(out)
    tree, places = nodes_of(workspace), workspace.places
    room, begun = 1, places[ROOT, TURNS]
    tree[0, KEPT], frame[calls.KEPT] = ROOT, ROOT + 1
    for _ in range(iterations):
        length, room, turns = _descend(frame, workspace, room, begun, horizon)
        # A game that ended in the tree proves something; one that ended while it was played on is only a sample.
        if frame[calls.END] >= 0 and frame[calls.AT_ONCE]:
            if tree[workspace.path[length - 1], PROVED] == nodes.UNKNOWN:
                nodes.note_end(frame, workspace, workspace.path[length - 1])
            nodes.carry_up(workspace, length)
            if tree[0, PROVED] != nodes.UNKNOWN:
                break
        count_game(frame, workspace, length, turns)
    return workspace.moves[_best(frame, workspace)]


@inlined
def _descend(frame, workspace, room, begun, horizon):
    """Go down to a node and play on from it; returns (nodes passed below the root, nodes of the tree, turns since).

    What is proved of the node is read, as is, with a horizon of 0, what a look ahead has shown: neither is played
    again. `place` holds the position of the last node passed that keeps one, `since` the nodes of the path before it.
    """
    path, tree, places = workspace.path, nodes_of(workspace), workspace.places
    node, length, place, since, is_new, is_here, c = 0, 0, 0, 0, False, False, exploration(frame)
    while not is_new:
        if tree[node, KEPT]:
            place, since = 0 + tree[node, KEPT], length
        if tree[node, FIRST] == 0:
            # Moves are listed from a position, so the game must be played up to this node now.
            _go_to(frame, workspace, place, since, length)
            room, is_here = _unfold(frame, workspace, node, room, begun), True
        node, is_new = _pick(frame, workspace, node, c)
        if node == 0:  # no room for children: play on from the node itself
            calls.play_on(frame, horizon)
            return length, room, places[HERE, TURNS] - begun
        path[length] = node
        length += 1
        is_new |= tree[node, PROVED] != nodes.UNKNOWN
    is_proved = tree[node, PROVED] != nodes.UNKNOWN
    if horizon == 0 and frame[calls.PRIOR] and not is_proved:
        frame[calls.END], frame[calls.AHEAD] = -1, tree[node, WORTH]
        return length, room, np.int64(tree[node, AFTER])
    if not is_here:
        _go_to(frame, workspace, place, since, length - 1)
    if is_proved:
        nodes.read_end(frame, tree, node)
        frame[calls.AT_ONCE] = 1
    else:
        calls.play_out(frame, workspace.moves[node], horizon)
    return length, room, places[HERE, TURNS] - begun


@inlined
def _go_to(frame, workspace, place, since, length):
    """Play the first nodes of the path, from the place at which the position after some of them is kept."""
    tree, places = nodes_of(workspace), workspace.places
    calls.copy_place(frame, places, place, HERE)
    for passed in range(since, length):
        node = workspace.path[passed]
        calls.play(frame, workspace.moves[node])
        if tree[node, VISITS] >= KEPT_FROM and tree[node, KEPT] == 0 and frame[calls.KEPT] < len(places):
            calls.copy_place(frame, places, HERE, frame[calls.KEPT])
            calls.set_place(frame, places, HERE)
            tree[node, KEPT] = frame[calls.KEPT]
            frame[calls.KEPT] += 1


@kernel_function
def _unfold(frame, workspace, node, room, begun):
    """Give the node whose position is in the frame its children, if there is room; returns the nodes of the tree."""
    tree, out = nodes_of(workspace), workspace.moves[room:]
    seat, elsewhere = frame[calls.MOVING], frame[calls.AT_OUT]
    options = calls.legal_moves(frame, out)
    frame[calls.AT_OUT] = elsewhere  # games played on list their moves there
    tree[node, MADE] = tree[node, OPTIONS] = 0
    if room + options > len(workspace.tree):
        return room
    tree[node, FIRST], tree[node, OPTIONS] = room, options
    tree[room, SEAT] = seat
    if frame[calls.PRIOR]:
        shuffle(out, calls.without_consent(frame, out, options), workspace.streams)
        tree[node, MADE] = options
        for child in range(room, room + options):
            empty(tree, child, seat)
            turns = foresee(frame, workspace, child, workspace.moves[child], begun)
            tree[child, AFTER], tree[child, WORTH] = turns, frame[calls.AHEAD]
            if frame[calls.END] >= 0:
                nodes.note_end(frame, workspace, child)
        return_from_foreseeing(frame, workspace, seat)
    return room + options


@inlined
def _pick(frame, workspace, node, c):
    """Return (the child to try next, whether for the first time), or (0, False) where children had no room."""
    tree, worth = nodes_of(workspace), worth_of(workspace)
    first, made, options = tree[node, FIRST], tree[node, MADE], tree[node, OPTIONS]
    if made < options:
        child = 0 + _draw_untried(frame, workspace, first, made, options)
        empty(tree, child, 0 + tree[first, SEAT])
        tree[node, MADE] = made + 1
        return child, True
    reach = c * sqrt(float(tree[node, VISITS]))
    best, most = 0 + first, -1.0
    for child in range(first, first + options):
        attracts = attraction(worth, child, reach)
        if attracts > most:
            best, most = child, attracts
    return best, frame[calls.PRIOR] and tree[best, VISITS] == frame[calls.PRIOR]


@inlined
def _draw_untried(frame, workspace, first, made, options):
    """Return the next child, its move drawn from those not yet tried; a consent, which stands last, is tried last."""
    moves, child = workspace.moves, first + made
    consents = frame[calls.CONSENT] >= 0 and moves[first + options - 1] == frame[calls.CONSENT]
    other = child + below(workspace.streams, CHOICE, options - made - consents)
    moves[child], moves[other] = moves[other], moves[child]
    return child


@inlined
def _best(frame, workspace):
    """Return the root's best child by proof where the root is proved, else the child tried most that is not lost."""
    tree = nodes_of(workspace)
    first, made, options = tree[0, FIRST], tree[0, MADE], tree[0, OPTIONS]
    best = 0 + first
    for child in range(first, first + made):
        if tree[0, PROVED] != nodes.UNKNOWN or tree[child, PROVED] < 0 or tree[best, PROVED] < 0:
            is_better = tree[child, PROVED] > tree[best, PROVED]
        else:
            is_better = tree[child, VISITS] > tree[best, VISITS]
        if is_better:
            best = child
    if tree[best, PROVED] < 0 and made < options:  # all that were tried lose, so another may be better
        return 0 + _draw_untried(frame, workspace, first, made, options)
    return best
