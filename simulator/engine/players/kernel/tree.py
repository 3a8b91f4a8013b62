"""Monte Carlo tree search of games without lots, where a node is a position.

A node's moves lie side by side; which is tried next is drawn by lot. With a prior of w, every move is looked at when
its node is first gone on from, and begins as if it had been tried w times with what the family's evaluation says of the
position behind it; without, each is tried once before any is tried again. A node that is passed often keeps its
position: a game is played from the last one kept, not from the root.
"""

from math import sqrt

import numpy as np

from simulator.engine.compiled import inlined, kernel_function
from simulator.engine.players.kernel import calls, proved
from simulator.engine.players.kernel.greedy import shuffle
from simulator.engine.players.kernel.nodes import (
    attraction,
    count_game,
    empty,
    exploration,
    foresee,
    return_from_foreseeing,
)
from simulator.engine.players.kernel.rows import nodes_of, worth_of
from simulator.engine.players.kernel.search_workspace import (
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
)
from simulator.engine.randomness import CHOICE
from simulator.engine.randomness_kernel import below

KEPT_FROM = 1  # visits from which on a node keeps its position


@kernel_function
def tree_move(frame, workspace, out, iterations, horizon):
    """The move that UCT plays from the position at the root's place, of which there are several."""
    frame[calls.AT_OUT] = calls.address(out)
    tree, places = nodes_of(workspace), workspace.places
    room, begun = 1, places[ROOT, TURNS]
    tree[0, KEPT], frame[calls.KEPT] = ROOT, ROOT + 1
    for _ in range(iterations):
        length, room, turns = _descend(frame, workspace, room, begun, horizon)
        if frame[calls.END] >= 0 and frame[calls.AT_ONCE]:
            if tree[workspace.path[length - 1], PROVED] == proved.UNKNOWN:
                proved.note_end(frame, workspace, workspace.path[length - 1])
            proved.carry_up(workspace, length)
            if tree[0, PROVED] != proved.UNKNOWN:
                break
        count_game(frame, workspace, length, turns)
    return workspace.moves[_best(frame, workspace)]


@inlined
def _descend(frame, workspace, room, begun, horizon):
    """Choose a node to play on from, and do so; (nodes passed below the root, nodes of the tree, turns from the root).

    What is proved, and what a look ahead has shown to a horizon of 0, is read and not played again.
    """
    path, tree, places = workspace.path, nodes_of(workspace), workspace.places
    node, length, place, since, is_new, is_here, c = 0, 0, 0, 0, False, False, exploration(frame)
    while not is_new:
        if tree[node, KEPT]:
            place, since = 0 + tree[node, KEPT], length
        if tree[node, FIRST] == 0:
            _go_to(frame, workspace, place, since, length)
            room, is_here = _unfold(frame, workspace, node, room, begun), True
        node, is_new = _pick(frame, workspace, node, c)
        if node == 0:
            calls.play_on(frame, horizon)
            return length, room, places[HERE, TURNS] - begun
        path[length] = node
        length += 1
        is_new |= tree[node, PROVED] != proved.UNKNOWN
    is_proved = tree[node, PROVED] != proved.UNKNOWN
    if horizon == 0 and frame[calls.PRIOR] and not is_proved:
        frame[calls.END], frame[calls.AHEAD] = -1, tree[node, WORTH]
        return length, room, np.int64(tree[node, AFTER])
    if not is_here:
        _go_to(frame, workspace, place, since, length - 1)
    if is_proved:
        proved.read_end(frame, tree, node)
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
    """Give the node whose position is in the frame all its children, if there is room; the nodes of the tree."""
    tree, out = nodes_of(workspace), workspace.moves[room:]
    seat, elsewhere = frame[calls.MOVING], frame[calls.AT_OUT]
    options = calls.legal_moves(frame, out)
    frame[calls.AT_OUT] = elsewhere  # for those who list moves in games played on
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
                proved.note_end(frame, workspace, child)
        return_from_foreseeing(frame, workspace, seat)
    return room + options


@inlined
def _pick(frame, workspace, node, c):
    """(the child to try next, whether it is tried for the first time); (0, False) where there was no room for any."""
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
    """The next child, whose move is drawn from those not yet tried; a consent, which stands last, is tried last."""
    moves, child = workspace.moves, first + made
    consents = frame[calls.CONSENT] >= 0 and moves[first + options - 1] == frame[calls.CONSENT]
    other = child + below(workspace.streams, CHOICE, options - made - consents)
    moves[child], moves[other] = moves[other], moves[child]
    return child


@inlined
def _best(frame, workspace):
    """The root's child that is proved best, where the root is proved; else the one tried most that is not lost."""
    tree = nodes_of(workspace)
    first, made, options = tree[0, FIRST], tree[0, MADE], tree[0, OPTIONS]
    best = 0 + first
    for child in range(first, first + made):
        if tree[0, PROVED] != proved.UNKNOWN or tree[child, PROVED] < 0 or tree[best, PROVED] < 0:
            is_better = tree[child, PROVED] > tree[best, PROVED]
        else:
            is_better = tree[child, VISITS] > tree[best, VISITS]
        if is_better:
            best = child
    if tree[best, PROVED] < 0 and made < options:
        return 0 + _draw_untried(frame, workspace, first, made, options)
    return best
