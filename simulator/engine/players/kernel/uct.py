"""Monte Carlo tree search over any family's contract: UCT, open-loop where lots are thrown.

Without lots a node is a position (`tree`). With lots it is a sequence of moves: where throws decide, a move leads to
different positions in different games, and a node holds what they came to on average (Perez Liebana et al. 2015, "Open
Loop Search for General Video Game Playing"); a child is weighed by how often it could have been played (Cowling, Powley
& Whitehouse 2012, "Information Set Monte Carlo Tree Search"; `open_loop`). Selection is q + c sqrt(N) / (1 + n): no
logarithm, so that every machine chooses alike. Moves are first tried in an order drawn by lot at every node, ties go to
the first, and the move that was tried most is played. (In the order of the contract, which counts points from the first
player's side, each seat would imagine the other differently.) A game is ended by consent, which stands last, only if
that did better than all else; in games played on nobody consents. What is proved of a node is not played on from; once
it is of the root, the search ends and plays a move that keeps the value.
"""

from simulator.engine.compiled import kernel_function
from simulator.engine.players.kernel import calls
from simulator.engine.players.kernel.evaluation import copy
from simulator.engine.players.kernel.nodes import empty
from simulator.engine.players.kernel.open_loop import open_loop_move
from simulator.engine.players.kernel.rows import nodes_of
from simulator.engine.players.kernel.search_workspace import ROOT
from simulator.engine.players.kernel.tree import tree_move


@kernel_function
def uct_move(frame, position, counts, workspace, out, iterations, horizon):
    """The move that UCT plays from `position`, of which there are several; `workspace.streams` are opened for it."""
    root, at = workspace.places[ROOT], frame[calls.COUNTS]
    copy(counts, root[: len(counts)])
    copy(position, root[at : at + len(position)])
    calls.set_place(frame, workspace.places, ROOT)
    calls.read_outcome(frame)
    empty(nodes_of(workspace), 0, frame[calls.MOVING])
    if frame[calls.THROWS]:
        return open_loop_move(frame, workspace, out, iterations, horizon)
    return tree_move(frame, workspace, out, iterations, horizon)
