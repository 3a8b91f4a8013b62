"""The nodes of a search's tree: a move, who made it, what the games through it came to, and what is proved of it.

Selection reads two numbers beside the node, computed when a game is counted: a node is looked at far more often than a
game passes it.

A node of a game without lots, which has two seats, is won for the seat that moved there if the other side has only
moves that lose, lost if it has one that wins, drawn if it has none that wins and one that draws (Winands, Björnsson &
Saito 2008, "Monte-Carlo Tree Search Solver"). Where lots are thrown, nodes are no positions: nothing is proved there
but that the mover can end the game before the next throw (`open_loop`).
"""

import numpy as np

from simulator.engine.compiled import inlined, kernel_function
from simulator.engine.ends import DRAW, WIN
from simulator.engine.players.kernel import calls
from simulator.engine.players.kernel.calls import WHOLE, score
from simulator.engine.players.kernel.workspace import (
    ASIDE,
    FIRST,
    HERE,
    LIGHTNESS,
    MADE,
    MEAN,
    NODE,
    OPTIONS,
    PROVED,
    SCORE,
    SEAT,
    TURNS,
    VISITS,
    nodes_of,
    worth_of,
)

HUNDREDTHS = 100.0

# Values that are proved, for the seat that moved to the node, in the order of its preference: a loss is less than
# nothing known, and a later loss more than an earlier one.
UNKNOWN, DRAWN = 0, 1
WON = 1 << 20  # less the plies to the end; a loss is the same below nothing


@inlined
def empty(tree, node, seat):
    """Clear a node: nothing is known of it but the seat that made its move."""
    for column in range(NODE):
        tree[node, column] = 0
    tree[node, SEAT] = seat


@inlined
def exploration(frame):
    """Return c of the selection formula; it takes a division, and so is computed once and not at every child."""
    return float(frame[calls.EXPLORATION]) / HUNDREDTHS


@inlined
def attraction(worth, node, reach):
    """Return q + c sqrt(N) / (1 + n), where q is between 0 and 1. reach: c sqrt(N)"""
    return worth[node, MEAN] + reach * worth[node, LIGHTNESS]


@inlined
def weigh(workspace, node):
    """Compute the two numbers of selection, q and 1 / (1 + n), from a node's score and visits."""
    tree, worth = nodes_of(workspace), worth_of(workspace)
    visits = float(tree[node, VISITS])
    worth[node, MEAN] = float(tree[node, SCORE]) / (visits * WHOLE)
    worth[node, LIGHTNESS] = 1.0 / (1.0 + visits)


@inlined
def foresee(frame, workspace, node, move, begun):
    """Play a node's move on a copy of the search's position, and let the node begin with what that is worth.

    Returns the number of turns from the root.
    """
    tree, places, prior = nodes_of(workspace), workspace.places, frame[calls.PRIOR]
    calls.copy_place(frame, places, HERE, ASIDE)
    calls.play_out(frame, move, 0)
    turns = places[ASIDE, TURNS] - begun
    tree[node, VISITS] = prior
    tree[node, SCORE] = prior * score(frame, frame[calls.END], frame[calls.WINNERS], tree[node, SEAT], turns)
    weigh(workspace, node)
    return turns


@inlined
def return_from_foreseeing(frame, workspace, seat):
    """Put the search's position, in which `seat` is to move, back into the frame."""
    calls.set_place(frame, workspace.places, HERE)
    frame[calls.END], frame[calls.MOVING] = -1, seat


@kernel_function
def count_game(frame, workspace, length, turns):
    """Count the game in the frame, which ended `turns` after the root, at every node that it passed."""
    tree, scores = nodes_of(workspace), workspace.scores
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
        if frame[calls.THROWS] or -1 < tree[node, PROVED] <= DRAWN:
            weigh(workspace, node)


@inlined
def _prove(workspace, node, known):
    """Note what is proved of a node, and make selection take a win before all else and a loss never."""
    nodes_of(workspace)[node, PROVED] = known
    if known != DRAWN:
        worth_of(workspace)[node, MEAN] = np.inf if known > 0 else -np.inf


@inlined
def note_end(frame, workspace, node):
    """Note how the game in the frame, which is over, ended at a node."""
    if frame[calls.END] != WIN:
        _prove(workspace, node, DRAWN)
    elif frame[calls.WINNERS] >> nodes_of(workspace)[node, SEAT] & 1:
        _prove(workspace, node, WON)
    else:
        _prove(workspace, node, -WON)


@inlined
def read_end(frame, tree, node):
    """Put the end that is proved of a node into the frame, as if the game had been played to that end."""
    seat, known = tree[node, SEAT], tree[node, PROVED]
    frame[calls.END] = DRAW if known == DRAWN else WIN
    frame[calls.WINNERS] = 0 if known == DRAWN else 1 << seat if known > 0 else 1 << (1 - seat)


@inlined
def carry_up(workspace, length):
    """Prove what follows from the last node of the path for the nodes before it, up to the root."""
    tree, path = nodes_of(workspace), workspace.path
    for place in range(length - 1, -1, -1):
        node = path[place]
        parent = path[place - 1] if place else 0
        best = np.int64(tree[node, PROVED])
        if best == UNKNOWN:
            return
        if best < WON // 2:  # no win: the parent is proved only if all its children are
            best = _best_of_all(tree, parent)
        if best == UNKNOWN or tree[parent, PROVED] != UNKNOWN:
            return
        # One ply more to the end: a win is worth less, a loss less bad. If the other seat moved to the parent, the
        # value is the opposite for it.
        nearer = best - 1 if best > DRAWN else best + 1 if best < 0 else best
        same = tree[parent, SEAT] == tree[node, SEAT] or best == DRAWN
        _prove(workspace, parent, nearer if same else -nearer)


@inlined
def _best_of_all(tree, parent):
    """Return the best value among a node's children, or UNKNOWN unless the value of every child is known."""
    first, options = tree[parent, FIRST], tree[parent, OPTIONS]
    if tree[parent, MADE] < options:
        return np.int64(UNKNOWN)
    best = np.int64(tree[first, PROVED])
    for child in range(first, first + options):
        if tree[child, PROVED] == UNKNOWN:
            return np.int64(UNKNOWN)
        best = max(best, np.int64(tree[child, PROVED]))
    return best
