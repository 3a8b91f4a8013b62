"""A node of a search's tree: a move, who made it, and what the games that passed it came to.

What selection looks at are two numbers beside the node, worked out when a game is counted: a node is looked at far more
often than a game passes it.
"""

from simulator.engine.compiled import inlined, kernel_function
from simulator.engine.players.kernel import calls
from simulator.engine.players.kernel.evaluation import WHOLE, score
from simulator.engine.players.kernel.proved import DRAWN
from simulator.engine.players.kernel.rows import nodes_of, worth_of
from simulator.engine.players.kernel.search_workspace import (
    ASIDE,
    HERE,
    LIGHTNESS,
    MEAN,
    NODE,
    PROVED,
    SCORE,
    SEAT,
    TURNS,
    VISITS,
)

HUNDREDTHS = 100.0


@inlined
def empty(tree, node, seat):
    """A node of which nothing is known."""
    for column in range(NODE):
        tree[node, column] = 0
    tree[node, SEAT] = seat


@inlined
def exploration(frame):
    """c, which is asked for once and not at every child: a division."""
    return float(frame[calls.EXPLORATION]) / HUNDREDTHS


@inlined
def attraction(worth, node, reach):
    """q + c sqrt(N) / (1 + n), q between 0 and 1; reach: c sqrt(N)."""
    return worth[node, MEAN] + reach * worth[node, LIGHTNESS]


@inlined
def weigh(workspace, node):
    tree, worth = nodes_of(workspace), worth_of(workspace)
    visits = float(tree[node, VISITS])
    worth[node, MEAN] = float(tree[node, SCORE]) / (visits * WHOLE)
    worth[node, LIGHTNESS] = 1.0 / (1.0 + visits)


@inlined
def foresee(frame, workspace, node, move, begun):
    """Play a node's move on a position beside the search's, and let the node begin with what that is worth.

    Returns how many turns on from the root that is.
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
    """Put the search's position, whose move it is, back into the frame."""
    calls.set_place(frame, workspace.places, HERE)
    frame[calls.END], frame[calls.MOVING] = -1, seat


@kernel_function
def count_game(frame, workspace, length, turns):
    """Count the game that is in the frame, so many turns on from the root, at every node it passed."""
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
