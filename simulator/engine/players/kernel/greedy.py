"""The greedy player: the turn after which the family's evaluation is best for it, ties drawn.

A turn may have several plies, which it all looks at, up to GREEDY_PLIES deep and GREEDY_POSITIONS wide; where its own
turn goes on with a throw it does not look further, since nobody knows it. It ends no game by consent: that is no turn.
"""

import numpy as np

from simulator.engine.compiled import inlined, kernel_function
from simulator.engine.players.kernel import calls
from simulator.engine.players.kernel.evaluation import MATE, copy, value
from simulator.engine.players.kernel.search_workspace import AT, COUNT, GREEDY_PLIES, GREEDY_POSITIONS
from simulator.engine.randomness import CHOICE
from simulator.engine.randomness_kernel import below

TURNS = 0


@kernel_function
def greedy_move(frame, position, counts, workspace):
    """The move that begins the best turn from `position`; `workspace.streams` are opened for it."""
    levels, positions, tallies, lists = workspace.levels, workspace.positions, workspace.counts, workspace.lists
    copy(position, positions[0])
    copy(counts, tallies[0])
    calls.set_position(frame, positions[0], tallies[0])
    calls.read_outcome(frame)
    seat, turn = frame[calls.MOVING], counts[TURNS]
    levels[0, COUNT] = _turns_to_begin(frame, lists[0])
    shuffle(lists[0], levels[0, COUNT], workspace.streams)
    levels[0, AT] = 0
    best_move, best, looked, level = lists[0][0], -2 * MATE, 0, 0
    while level >= 0:
        if levels[level, AT] == levels[level, COUNT]:
            level -= 1
            continue
        move = lists[level][levels[level, AT]]
        levels[level, AT] += 1
        copy(positions[level], positions[level + 1])
        copy(tallies[level], tallies[level + 1])
        calls.set_position(frame, positions[level + 1], tallies[level + 1])
        drawn = throws_drawn(frame, workspace.streams)
        calls.play(frame, move)
        looked += 1
        same_turn = tallies[level + 1, TURNS] == turn and throws_drawn(frame, workspace.streams) == drawn
        if frame[calls.END] < 0 and same_turn and level + 1 < GREEDY_PLIES and looked < GREEDY_POSITIONS:
            level += 1
            levels[level, COUNT] = _turns_to_begin(frame, lists[level])
            levels[level, AT] = 0
            continue
        worth = value(frame, frame[calls.END], frame[calls.WINNERS], seat, 0)
        if worth > best:
            best, best_move = worth, lists[0][levels[0, AT] - 1]
    return best_move


@inlined
def _turns_to_begin(frame, out):
    """Write the moves that are looked at into `out`; returns how many."""
    return calls.without_consent(frame, out, calls.legal_moves(frame, out))


@inlined
def throws_drawn(frame, streams):
    """How many words the streams of chance have given."""
    drawn = 0
    for stream in range(frame[calls.FIRST_STREAM], CHOICE):
        drawn += np.int64(streams[stream, 1])
    return drawn


@kernel_function
def shuffle(out, options, streams):
    """Put the moves into an order of which all are equally likely (Fisher and Yates)."""
    for last in range(options - 1, 0, -1):
        other = below(streams, CHOICE, last + 1)
        out[last], out[other] = out[other], out[last]
