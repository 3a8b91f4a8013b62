"""Expectimax of two sides: every move and every throw so many plies ahead, each throw by its chance.

The value of a position is the share of the game that the root's mover may expect: 1 where his side has won, 0 where it
has lost, and (1 + e / (|e| + s)) / 2 where the family's evaluation e must serve, s being its EVALUATION_SCALE.
His side takes the best move, the other one the worst, and a throw is the mean over all throws. Every move is a ply, a
pass too; throws are none. The moves at the root are shuffled, so that of equally good ones each may be played. Nothing
is pruned: the sum over all throws is what it would be on paper. A throw is made to happen by opening a stream of draws
that begins with it.
"""

import numpy as np

from simulator.engine.compiled import inlined, kernel_function
from simulator.engine.ends import WIN
from simulator.engine.players.kernel import calls
from simulator.engine.players.kernel.calls import copy, shuffle, throws_drawn
from simulator.engine.players.kernel.workspace import AT, BEST_MOVE, COUNT, FOUND, IS_THROWN, LEFT, SUM, THROW, WHO
from simulator.engine.randomness import CHOICE

WORST = -1.0  # less than any value


@kernel_function
def expectimax_move(frame, position, counts, workspace, depth):
    """Return the move of the best expectation `depth` plies on; `workspace.streams` are opened for it."""
    levels, positions, tallies, expected = workspace.levels, workspace.positions, workspace.counts, workspace.expected
    copy(position, positions[0])
    copy(counts, tallies[0])
    calls.set_position(frame, positions[0], tallies[0])
    calls.read_outcome(frame)
    root = frame[calls.MOVING]
    _open(frame, workspace, 0, depth)
    shuffle(workspace.lists[0], levels[0, COUNT], workspace.streams)
    # A depth-first search without recursion. A move after which lots are thrown is played once for every throw: THROW
    # is the throw that comes next, SUM the expectation over those that came before.
    level = 0
    while True:
        if levels[level, AT] == levels[level, COUNT]:
            if level == 0:
                return levels[0, BEST_MOVE]
            worth = _for_root(expected[level, FOUND], levels[level, WHO], root)
            level -= 1
            _take(workspace, level, worth, root)
            continue
        copy(positions[level], positions[level + 1])
        copy(tallies[level], tallies[level + 1])
        calls.set_position(frame, positions[level + 1], tallies[level + 1])
        _open_streams(frame, workspace, levels[level, THROW])
        calls.play(frame, workspace.lists[level][levels[level, AT]])
        goes_on = frame[calls.END] < 0 and levels[level, LEFT] > 1
        if levels[level, THROW] == 0:  # the first time shows whether the move brings a throw at all
            levels[level, IS_THROWN] = goes_on and throws_drawn(frame, workspace.streams) > 0
        if goes_on:
            level += 1
            _open(frame, workspace, level, levels[level - 1, LEFT] - 1)
        else:
            _take(workspace, level, _value(frame, root), root)


@inlined
def _open(frame, workspace, level, left):
    """Begin a level for the moves of the position in the frame."""
    levels = workspace.levels
    levels[level, WHO], levels[level, LEFT] = frame[calls.MOVING], left
    levels[level, COUNT] = calls.legal_moves(frame, workspace.lists[level])
    levels[level, AT] = levels[level, THROW] = 0
    workspace.expected[level, FOUND], workspace.expected[level, SUM] = WORST, 0.0


@inlined
def _open_streams(frame, workspace, throw):
    """Open streams of draws that give that throw, whichever seat makes it."""
    streams = workspace.streams
    for stream in range(frame[calls.FIRST_STREAM], CHOICE):
        streams[stream, 0], streams[stream, 1] = workspace.keys[throw], np.uint64(0)


@inlined
def _for_root(worth, who, root):
    """Turn a share for the mover into one for the root's mover, or back.

    There are two sides, and their seats alternate round the board.
    """
    return 1.0 - worth if (who ^ root) & 1 else worth


@inlined
def _take(workspace, level, worth, root):
    """Take up the value, for the root's mover, of the move that was searched, or of one throw after it."""
    levels, expected = workspace.levels, workspace.expected
    worth = _for_root(worth, levels[level, WHO], root)
    if levels[level, IS_THROWN]:
        expected[level, SUM] += workspace.chances[levels[level, THROW]] * worth
        levels[level, THROW] += 1
        if levels[level, THROW] < len(workspace.chances):
            return
        worth = expected[level, SUM]
    if worth > expected[level, FOUND]:
        expected[level, FOUND] = worth
        levels[level, BEST_MOVE] = workspace.lists[level][levels[level, AT]]
    levels[level, AT] += 1
    levels[level, THROW], expected[level, SUM] = 0, 0.0


@inlined
def _value(frame, seat):
    """Return what the position in the frame is worth to a seat, without searching further."""
    if frame[calls.END] == WIN:
        return 1.0 if frame[calls.WINNERS] >> seat & 1 else 0.0
    if frame[calls.END] >= 0:
        return 0.5
    ahead = calls.evaluate(frame, seat)
    return 0.5 + 0.5 * float(ahead) / float(abs(ahead) + frame[calls.SCALE])
