"""Monte Carlo tree search over any family's contract: UCT, open-loop where lots are thrown.

A node is a sequence of moves, not a position: where throws decide, a move leads to different positions in different
games, and a node holds what they came to on average (Perez Liebana et al. 2015, "Open Loop Search for General Video
Game Playing"); a child is weighed by how often it could have been played (Cowling, Powley & Whitehouse 2012,
"Information Set Monte Carlo Tree Search"). Selection is q + c sqrt(N) / (1 + n): no logarithm, so that every machine
chooses alike. Moves are first tried in an order drawn by lot at every node, ties go to the first, and the move that was
tried most is played. (In the order of the contract, which counts points from the first player's side, each seat would
imagine the other differently.) A game is ended by consent, which stands last, only if that did better than all else; in
games played on nobody consents. What is proved of a node is not played on from; once it is of the root, the search ends
and plays a move that keeps the value.
"""

from simulator.engine.compiled import inlined, kernel_function
from simulator.engine.players.kernel import calls, proved
from simulator.engine.players.kernel.children import empty, pick, pick_among, unfold
from simulator.engine.players.kernel.evaluation import copy, score
from simulator.engine.players.kernel.greedy import throws_drawn
from simulator.engine.players.kernel.search_workspace import (
    FIRST,
    MOVE,
    NEXT,
    OPTIONS,
    PROVED,
    SCORE,
    SEAT,
    VISITS,
)

TURNS = 0


@kernel_function
def uct_move(frame, position, counts, workspace, out, iterations, horizon):
    """The move that UCT plays from `position`, of which there are several; `workspace.streams` are opened for it."""
    tree, here, tally = workspace.tree, workspace.positions[0], workspace.counts[0]
    room, begun = 1, counts[TURNS]
    empty(tree, 0, -1, frame[calls.MOVING])
    for _ in range(iterations):
        copy(position, here)
        copy(counts, tally)
        calls.set_position(frame, here, tally)
        calls.read_outcome(frame)
        length, room, is_certain = _descend(frame, workspace, out, room, begun)
        if frame[calls.END] >= 0 and frame[calls.THROWS] == 0:
            _prove(frame, workspace, length)
            if tree[0, PROVED] != proved.UNKNOWN:
                break
        elif frame[calls.END] >= 0 and is_certain and frame[calls.WINNERS] >> tree[0, SEAT] & 1:
            return tree[workspace.path[0], MOVE]
        elif frame[calls.END] < 0:
            calls.play_on(frame, tally[TURNS] + horizon)
        _count(frame, workspace, length, tally[TURNS] - begun)
    return tree[_best(frame, tree), MOVE]


@inlined
def _best(frame, tree):
    """The root's child that is proved best, where the root is proved; else the one tried most that is not lost."""
    best = child = tree[0, FIRST]
    if frame[calls.THROWS]:
        while child:
            if tree[child, VISITS] > tree[best, VISITS]:
                best = child
            child = tree[child, NEXT]
        return best
    for child in range(tree[0, FIRST], tree[0, FIRST] + tree[0, OPTIONS]):
        if tree[0, PROVED] != proved.UNKNOWN or tree[child, PROVED] < 0 or tree[best, PROVED] < 0:
            is_better = tree[child, PROVED] > tree[best, PROVED]
        else:
            is_better = tree[child, VISITS] > tree[best, VISITS]
        if is_better:
            best = child
    return best


@inlined
def _descend(frame, workspace, out, room, begun):
    """Play on down the tree and one move beyond it.

    Returns (nodes passed below the root, nodes of the tree, whether one seat made all these moves before any throw).
    """
    path, tree = workspace.path, workspace.tree
    node, length, is_new, is_certain = 0, 0, False, True
    drawn = throws_drawn(frame, workspace.streams)
    while frame[calls.END] < 0 and not is_new:
        if frame[calls.THROWS]:
            looked = throws_drawn(frame, workspace.streams)
            node, room, is_new = pick_among(frame, workspace, out, node, room, begun)
            drawn += throws_drawn(frame, workspace.streams) - looked  # in looking ahead
        else:
            if tree[node, FIRST] == 0:
                room = unfold(frame, workspace, out, node, room, begun)
            node, is_new = pick(frame, workspace, node)
        if node == 0:
            break
        path[length] = node
        length += 1
        if frame[calls.THROWS] == 0 and tree[node, PROVED] != proved.UNKNOWN:
            proved.read_end(frame, tree, node)
            break
        is_certain &= tree[node, SEAT] == tree[0, SEAT]
        calls.play(frame, tree[node, MOVE])
        is_certain &= throws_drawn(frame, workspace.streams) == drawn
    return length, room, is_certain


@inlined
def _prove(frame, workspace, length):
    """Note that the game was over at the last node of the path, and what follows."""
    tree, path = workspace.tree, workspace.path
    if tree[path[length - 1], PROVED] == proved.UNKNOWN:
        proved.note_end(frame, tree, path[length - 1])
    proved.carry_up(tree, path, length)


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
