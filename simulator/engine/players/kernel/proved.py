"""Values that are proved, carried up a tree of moves: what is won, drawn or lost whatever the other side does.

A node of a game without lots, which has two seats, is won for whoever moved there if the other side has only moves that
lose, lost if it has one that wins, drawn if it has none that wins and one that draws (Winands, Björnsson & Saito 2008,
"Monte-Carlo Tree Search Solver"). Where lots are thrown, nodes are no positions: nothing is proved there but that the
mover can end the game before the next throw (`open_loop`).
"""

import numpy as np

from simulator.engine.compiled import inlined
from simulator.engine.ends import DRAW, WIN
from simulator.engine.players.kernel import calls
from simulator.engine.players.kernel.rows import nodes_of, worth_of
from simulator.engine.players.kernel.search_workspace import FIRST, MADE, MEAN, OPTIONS, PROVED, SEAT

# For whoever moved to the node, ordered as he would have them: a loss is less than nothing known, later is more.
UNKNOWN, DRAWN = 0, 1
WON = 1 << 20  # less the plies to the end; a loss is the same below nothing


@inlined
def _prove(workspace, node, known):
    """Write down what is proved of a node: a win is taken before all else, a loss never."""
    nodes_of(workspace)[node, PROVED] = known
    if known != DRAWN:
        worth_of(workspace)[node, MEAN] = np.inf if known > 0 else -np.inf


@inlined
def note_end(frame, workspace, node):
    """Write down how the game in the frame, which is over, ended at a node."""
    if frame[calls.END] != WIN:
        _prove(workspace, node, DRAWN)
    elif frame[calls.WINNERS] >> nodes_of(workspace)[node, SEAT] & 1:
        _prove(workspace, node, WON)
    else:
        _prove(workspace, node, -WON)


@inlined
def read_end(frame, tree, node):
    """Put the end that is proved of a node into the frame, as if the game had been played to it."""
    seat, known = tree[node, SEAT], tree[node, PROVED]
    frame[calls.END] = DRAW if known == DRAWN else WIN
    frame[calls.WINNERS] = 0 if known == DRAWN else 1 << seat if known > 0 else 1 << (1 - seat)


@inlined
def carry_up(workspace, length):
    """Prove what follows from the last node of the path about those before it, up to the root."""
    tree, path = nodes_of(workspace), workspace.path
    for place in range(length - 1, -1, -1):
        node = path[place]
        parent = path[place - 1] if place else 0
        best = np.int64(tree[node, PROVED])
        if best == UNKNOWN:
            return
        if best < WON // 2:
            best = _best_of_all(tree, parent)
        if best == UNKNOWN or tree[parent, PROVED] != UNKNOWN:
            return
        nearer = best - 1 if best > DRAWN else best + 1 if best < 0 else best
        same = tree[parent, SEAT] == tree[node, SEAT] or best == DRAWN
        _prove(workspace, parent, nearer if same else -nearer)


@inlined
def _best_of_all(tree, parent):
    """The best value among a node's children, UNKNOWN unless that of every one is known."""
    first, options = tree[parent, FIRST], tree[parent, OPTIONS]
    if tree[parent, MADE] < options:
        return np.int64(UNKNOWN)
    best = np.int64(tree[first, PROVED])
    for child in range(first, first + options):
        if tree[child, PROVED] == UNKNOWN:
            return np.int64(UNKNOWN)
        best = max(best, np.int64(tree[child, PROVED]))
    return best
