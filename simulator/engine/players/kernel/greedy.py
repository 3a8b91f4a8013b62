"""The greedy player: the turn after which the family's evaluation is best for it, ties drawn.

A turn may have several plies, which it all looks at, up to GREEDY_PLIES deep and GREEDY_POSITIONS wide; where its own
turn goes on with a throw it does not look further, since nobody knows it.
"""

from simulator.engine.compiled import inlined, kernel_function
from simulator.engine.players.kernel.calls import END, FIRST_STREAM, MOVING, WINNERS, lay, legal_moves, look, play
from simulator.engine.players.kernel.judging import MATE, copy, value
from simulator.engine.players.kernel.thought import AT, COUNT, GREEDY_PLIES, GREEDY_POSITIONS
from simulator.engine.randomness import CHOICE
from simulator.engine.randomness_kernel import below

TURNS = 0


@kernel_function
def greedy_move(desk, position, counts, thought):
    """The move that begins the best turn from `position`; `thought.streams` are opened for it."""
    levels, positions, tallies, lists = thought.levels, thought.positions, thought.counts, thought.lists
    copy(position, positions[0])
    copy(counts, tallies[0])
    lay(desk, positions[0], tallies[0])
    look(desk)
    seat, turn = desk[MOVING], counts[TURNS]
    levels[0, COUNT] = legal_moves(desk, lists[0])
    shuffle(lists[0], levels[0, COUNT], thought.streams)
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
        lay(desk, positions[level + 1], tallies[level + 1])
        drawn = _throws_drawn(desk, thought.streams)
        play(desk, move)
        looked += 1
        same_turn = tallies[level + 1, TURNS] == turn and _throws_drawn(desk, thought.streams) == drawn
        if desk[END] < 0 and same_turn and level + 1 < GREEDY_PLIES and looked < GREEDY_POSITIONS:
            level += 1
            levels[level, COUNT] = legal_moves(desk, lists[level])
            levels[level, AT] = 0
            continue
        worth = value(desk, desk[END], desk[WINNERS], seat, 0)
        if worth > best:
            best, best_move = worth, lists[0][levels[0, AT] - 1]
    return best_move


@inlined
def _throws_drawn(desk, streams):
    """How many words the streams of chance have given."""
    drawn = 0
    for stream in range(desk[FIRST_STREAM], CHOICE):
        drawn += streams[stream, 1]
    return drawn


@kernel_function
def shuffle(out, options, streams):
    """Put the moves into an order of which all are equally likely (Fisher and Yates)."""
    for last in range(options - 1, 0, -1):
        other = below(streams, CHOICE, last + 1)
        out[last], out[other] = out[other], out[last]
