"""Monte Carlo tree search over any family's contract: UCT, for games with lots and for games without.

Selection is q + c sqrt(N) / (1 + n): no logarithm, so that every machine chooses alike. Moves are first tried in an
order drawn by lot at every node, ties go to the first, and the move that was tried most is played. (In the order of the
contract, which counts points from the first player's side, the two seats would imagine each other differently.) A game
is ended by consent, which stands last, only if that did better than all else; in games played on nobody consents. What
is proved of a node is not played on from; once it is of the root, the search ends and plays a move that keeps the
value.

Where throws decide, a node is a sequence of moves and no position: a move leads to different positions in different
games, and a node holds what they came to on average (Perez Liebana et al. 2015, "Open Loop Search for General Video
Game Playing"). A throw decides which moves there are, and a node's moves are a list that grows: of those there now, an
untried one is drawn by lot and joins the list. A child is weighed by how often it could have been played (Cowling,
Powley & Whitehouse 2012, "Information Set Monte Carlo Tree Search").

Without lots a node is a position and its children lie side by side. With a prior of w, every move is looked at when its
node is first expanded, and begins as if it had been tried w times with what the family's evaluation says of the
position behind it; without, each is tried once before any is tried again. A node that is passed often keeps its
position: a game is played from the last one kept, not from the root.
"""

from math import sqrt

import numpy as np

from simulator.engine.compiled import inlined, kernel_function, words
from simulator.engine.players.kernel import calls, memory
from simulator.engine.players.kernel.calls import copy, shuffle, throws_drawn
from simulator.engine.players.kernel.memory import nodes_of, worth_of
from simulator.engine.randomness import CHOICE
from simulator.engine.randomness_kernel import below


@kernel_function
def open_loop_move(frame, workspace, out, iterations, horizon):
    """Return the move that UCT plays from the position at the root's place, which has several."""
    tree, places = nodes_of(workspace), workspace.places
    room, begun, seat = 1, places[memory.ROOT, memory.TURNS], 0 + tree[0, memory.SEAT]
    for _ in range(iterations):
        calls.copy_place(frame, places, memory.ROOT, memory.HERE)
        frame[calls.END], frame[calls.MOVING] = -1, seat
        length, room, is_certain = _descend_by_lots(frame, workspace, out, room, begun, horizon)
        # A win that the mover brings about before any throw is proved: nothing better can be found.
        if is_certain and frame[calls.END] >= 0 and frame[calls.WINNERS] >> seat & 1:
            return workspace.moves[workspace.path[0]]
        memory.count_game(frame, workspace, length, places[memory.HERE, memory.TURNS] - begun)
    best = child = 0 + tree[0, memory.FIRST]
    while child:
        if tree[child, memory.VISITS] > tree[best, memory.VISITS]:
            best = child
        child = 0 + tree[child, memory.NEXT]
    return workspace.moves[best]


@inlined
def _descend_by_lots(frame, workspace, out, room, begun, horizon):
    """Play on down the tree, one move beyond it, and on from there.

    Returns (nodes passed below the root, nodes of the tree, whether the game ended in the tree after moves of the
    root's mover only, before any throw).
    """
    path, tree, moves = workspace.path, nodes_of(workspace), workspace.moves
    node, length, is_new, is_certain, c = 0, 0, False, True, memory.exploration(frame)
    while frame[calls.END] < 0 and not is_new:
        node, room, is_new = _pick_from_list(frame, workspace, out, node, room, begun, c)
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
        is_certain = is_certain and tree[node, memory.SEAT] == tree[0, memory.SEAT]
        is_certain = is_certain and throws_drawn(frame, workspace.streams) == drawn
    return length, room, is_certain and frame[calls.AT_ONCE]


@kernel_function
def _pick_from_list(frame, workspace, out, node, room, begun, c):
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
    best, most, child, untried = 0, -1.0, 0 + tree[node, memory.FIRST], options
    while child and untried:
        move = moves[child]
        # A node stands for a sequence of moves, which another seat may have to go on from in another game.
        if tree[child, memory.SEAT] == seat and marks[move] == now:
            marks[move] = now + 1
            untried -= 1
            tree[child, memory.SEEN] += 1
            # N is how often this child could have been chosen, not how often its parent was visited: a move that the
            # throws seldom allow is not thought neglected.
            attracts = memory.attraction(worth, child, c * sqrt(float(tree[child, memory.SEEN])))
            if attracts > most:
                best, most = child, attracts
        child = 0 + tree[child, memory.NEXT]
    if untried == 0 or room + untried > len(workspace.tree):
        return best, room, best > 0 and tree[best, memory.VISITS] == frame[calls.PRIOR]
    if frame[calls.PRIOR] == 0:
        consents = (out[options - 1] == frame[calls.CONSENT]) & (marks[out[options - 1]] == now)
        move = _nth_untried(marks, out, now, below(workspace.streams, CHOICE, untried - consents))
        _append(workspace, node, room, move, seat)
        return room, room + 1, True
    shuffle(out, calls.without_consent(frame, out, options), workspace.streams)
    for k in range(options):
        if marks[out[k]] == now:
            _append(workspace, node, room, out[k], seat)
            memory.foresee(frame, workspace, room, out[k], begun)
            attracts = memory.attraction(worth, room, c)
            if attracts > most:
                best, most = room, attracts
            room += 1
    memory.return_from_foreseeing(frame, workspace, seat)
    return best, room, tree[best, memory.VISITS] == frame[calls.PRIOR]


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
    memory.empty(tree, child, seat)
    tree[child, memory.SEEN] = 1
    if tree[node, memory.FIRST]:
        tree[tree[node, memory.LAST], memory.NEXT] = child
    else:
        tree[node, memory.FIRST] = child
    tree[node, memory.LAST] = child


KEPT_FROM = 1  # visits from which on a node keeps its position


@kernel_function
def uct_move(frame, position, counts, workspace, out, iterations, horizon):
    """Return the move that UCT plays from `position`, which has several; `workspace.streams` are opened for it."""
    root, at = workspace.places[memory.ROOT], frame[calls.COUNTS]
    copy(counts, root[: len(counts)])
    copy(position, root[at : at + len(position)])
    calls.set_place(frame, workspace.places, memory.ROOT)
    calls.read_outcome(frame)
    memory.empty(nodes_of(workspace), 0, frame[calls.MOVING])
    if frame[calls.THROWS]:
        return open_loop_move(frame, workspace, out, iterations, horizon)
    return tree_move(frame, workspace, out, iterations, horizon)


@kernel_function
def tree_move(frame, workspace, out, iterations, horizon):
    """Return the move that UCT plays from the position at the root's place, which has several; no lots are thrown."""
    frame[calls.AT_OUT] = calls.address(out)
    tree, places = nodes_of(workspace), workspace.places
    room, begun = 1, places[memory.ROOT, memory.TURNS]
    tree[0, memory.KEPT], frame[calls.KEPT] = memory.ROOT, memory.ROOT + 1
    for _ in range(iterations):
        length, room, turns = _descend(frame, workspace, room, begun, horizon)
        # A game that ended in the tree proves something; one that ended while it was played on is only a sample.
        if frame[calls.END] >= 0 and frame[calls.AT_ONCE]:
            if tree[workspace.path[length - 1], memory.PROVED] == memory.UNKNOWN:
                memory.note_end(frame, workspace, workspace.path[length - 1])
            memory.carry_up(workspace, length)
            if tree[0, memory.PROVED] != memory.UNKNOWN:
                break
        memory.count_game(frame, workspace, length, turns)
    return workspace.moves[_best(frame, workspace)]


@inlined
def _descend(frame, workspace, room, begun, horizon):
    """Go down to a node and play on from it; returns (nodes passed below the root, nodes of the tree, turns since).

    What is proved of the node is read, as is, with a horizon of 0, what a look ahead has shown: neither is played
    again. `place` holds the position of the last node passed that keeps one, `since` the nodes of the path before it.
    """
    path, tree, places = workspace.path, nodes_of(workspace), workspace.places
    node, length, place, since, is_new, is_here, c = 0, 0, 0, 0, False, False, memory.exploration(frame)
    while not is_new:
        if tree[node, memory.KEPT]:
            place, since = 0 + tree[node, memory.KEPT], length
        if tree[node, memory.FIRST] == 0:
            # Moves are listed from a position, so the game must be played up to this node now.
            _go_to(frame, workspace, place, since, length)
            room, is_here = _unfold(frame, workspace, node, room, begun), True
        # A node that was looked at but never visited counts as new: the game is played on from it.
        node, is_new = _pick(frame, workspace, node, c)
        if node == 0:  # no room for children: play on from the node itself
            calls.play_on(frame, horizon)
            return length, room, places[memory.HERE, memory.TURNS] - begun
        path[length] = node
        length += 1
        is_new |= tree[node, memory.PROVED] != memory.UNKNOWN
    is_proved = tree[node, memory.PROVED] != memory.UNKNOWN
    # With no turns to play on, the look ahead has already shown all that a visit would.
    if horizon == 0 and frame[calls.PRIOR] and not is_proved:
        frame[calls.END], frame[calls.AHEAD] = -1, tree[node, memory.WORTH]
        return length, room, np.int64(tree[node, memory.AFTER])
    if not is_here:
        _go_to(frame, workspace, place, since, length - 1)
    if is_proved:
        memory.read_end(frame, tree, node)
        frame[calls.AT_ONCE] = 1
    else:
        calls.play_out(frame, workspace.moves[node], horizon)
    return length, room, places[memory.HERE, memory.TURNS] - begun


@inlined
def _go_to(frame, workspace, place, since, length):
    """Play the first nodes of the path, from the place at which the position after some of them is kept."""
    tree, places = nodes_of(workspace), workspace.places
    calls.copy_place(frame, places, place, memory.HERE)
    for passed in range(since, length):
        node = workspace.path[passed]
        calls.play(frame, workspace.moves[node])
        if tree[node, memory.VISITS] >= KEPT_FROM and tree[node, memory.KEPT] == 0 and frame[calls.KEPT] < len(places):
            calls.copy_place(frame, places, memory.HERE, frame[calls.KEPT])
            calls.set_place(frame, places, memory.HERE)
            tree[node, memory.KEPT] = frame[calls.KEPT]
            frame[calls.KEPT] += 1


@kernel_function
def _unfold(frame, workspace, node, room, begun):
    """Give the node whose position is in the frame its children, if there is room; returns the nodes of the tree."""
    tree, out = nodes_of(workspace), workspace.moves[room:]
    seat, elsewhere = frame[calls.MOVING], frame[calls.AT_OUT]
    options = calls.legal_moves(frame, out)
    frame[calls.AT_OUT] = elsewhere  # games played on list their moves there
    tree[node, memory.MADE] = tree[node, memory.OPTIONS] = 0
    if room + options > len(workspace.tree):
        return room
    tree[node, memory.FIRST], tree[node, memory.OPTIONS] = room, options
    tree[room, memory.SEAT] = seat
    if frame[calls.PRIOR]:
        shuffle(out, calls.without_consent(frame, out, options), workspace.streams)
        tree[node, memory.MADE] = options
        for child in range(room, room + options):
            memory.empty(tree, child, seat)
            turns = memory.foresee(frame, workspace, child, workspace.moves[child], begun)
            tree[child, memory.AFTER], tree[child, memory.WORTH] = turns, frame[calls.AHEAD]
            if frame[calls.END] >= 0:
                memory.note_end(frame, workspace, child)
        memory.return_from_foreseeing(frame, workspace, seat)
    return room + options


@inlined
def _pick(frame, workspace, node, c):
    """Return (the child to try next, whether for the first time), or (0, False) where children had no room."""
    tree, worth = nodes_of(workspace), worth_of(workspace)
    first, made, options = tree[node, memory.FIRST], tree[node, memory.MADE], tree[node, memory.OPTIONS]
    if made < options:
        child = 0 + _draw_untried(frame, workspace, first, made, options)
        memory.empty(tree, child, 0 + tree[first, memory.SEAT])
        tree[node, memory.MADE] = made + 1
        return child, True
    # The square root belongs to the parent: it is taken once for all children.
    reach = c * sqrt(float(tree[node, memory.VISITS]))
    best, most = 0 + first, -1.0
    for child in range(first, first + options):
        attracts = memory.attraction(worth, child, reach)
        if attracts > most:
            best, most = child, attracts
    return best, frame[calls.PRIOR] and tree[best, memory.VISITS] == frame[calls.PRIOR]


@inlined
def _draw_untried(frame, workspace, first, made, options):
    """Return the next child, its move drawn from those not yet tried; a consent, which stands last, is tried last."""
    moves, child = workspace.moves, first + made
    consents = frame[calls.CONSENT] >= 0 and moves[first + options - 1] == frame[calls.CONSENT]
    # One step of a shuffle: the untried moves stand behind the tried ones, in any order.
    other = child + below(workspace.streams, CHOICE, options - made - consents)
    moves[child], moves[other] = moves[other], moves[child]
    return child


@inlined
def _best(frame, workspace):
    """Return the root's best child by proof where the root is proved, else the child tried most that is not lost."""
    tree = nodes_of(workspace)
    first, made, options = tree[0, memory.FIRST], tree[0, memory.MADE], tree[0, memory.OPTIONS]
    best = 0 + first
    for child in range(first, first + made):
        # Of a lost child the visits say nothing: then proofs are compared, in the order won, drawn or unknown, lost.
        if tree[0, memory.PROVED] != memory.UNKNOWN or tree[child, memory.PROVED] < 0 or tree[best, memory.PROVED] < 0:
            is_better = tree[child, memory.PROVED] > tree[best, memory.PROVED]
        else:
            is_better = tree[child, memory.VISITS] > tree[best, memory.VISITS]
        if is_better:
            best = child
    if tree[best, memory.PROVED] < 0 and made < options:  # all that were tried lose, so another may be better
        return 0 + _draw_untried(frame, workspace, first, made, options)
    return best
