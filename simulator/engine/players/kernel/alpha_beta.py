"""Alpha-beta search for two seats without chance: iterative deepening, a table of positions, refuting moves first.

A position's value is told from the side of its mover, and the side to move need not alternate: what a move leads to
changes its sign only where the mover does. Depth is counted in plies. The moves at the root are shuffled, so that of
equally good ones each may be played. The table is emptied at every move by changing its keys; it knows a position by a
hash of 64 bits of its identity, and what only bounds remember is no part of that.
"""

import numpy as np

from simulator.engine.compiled import inlined, kernel_function
from simulator.engine.players.kernel.calls import END, MOVE_CODES, MOVING, WINNERS, key_of, lay, legal_moves, look, play
from simulator.engine.players.kernel.greedy import shuffle
from simulator.engine.players.kernel.judging import MATE, MATED, copy, value
from simulator.engine.players.kernel.thought import (
    ALPHA,
    AT,
    BEST,
    BEST_MOVE,
    BETA,
    COUNT,
    FLOOR,
    HINT,
    KEY,
    LEFT,
    TABLE_BITS,
    WHO,
)
from simulator.engine.randomness import CHOICE
from simulator.engine.randomness_kernel import word

EXACT, AT_LEAST, AT_MOST = range(3)
UNKNOWN = 4 * MATE


@kernel_function
def alpha_beta_move(desk, position, counts, thought, out, depth):
    """The move with the best value `depth` plies on; `thought.streams` are opened for it."""
    history = thought.history
    for code in range(len(history)):
        history[code] = 0
    copy(position, thought.positions[0])
    copy(counts, thought.counts[0])
    lay(desk, thought.positions[0], thought.counts[0])
    options = legal_moves(desk, out)
    shuffle(out, options, thought.streams)
    salt = np.int64(word(thought.streams, CHOICE))
    best_move = out[0]
    for plies in range(1, depth + 1):
        worth, best_move = _searched(desk, thought, out, options, best_move, plies, salt)
        if abs(worth) > MATED:
            break
    return best_move


@kernel_function
def _searched(desk, thought, out, options, first, plies, salt):
    """(value, best move) of the root so many plies on; `first` is looked at before the moves in `out`."""
    levels, positions, tallies, lists = thought.levels, thought.positions, thought.counts, thought.lists
    for k in range(options):
        lists[0][k] = out[k]
    lay(desk, positions[0], tallies[0])
    look(desk)
    _open(desk, thought, 0, -UNKNOWN, UNKNOWN, plies, options, np.int64(0))
    levels[0, HINT] = first
    level, worth = 0, np.int64(0)
    while True:
        if levels[level, AT] == levels[level, COUNT] or levels[level, BEST] >= levels[level, BETA]:
            _close(desk, thought, level)
            worth = levels[level, BEST]
            if level == 0:
                return worth, levels[0, BEST_MOVE]
            level -= 1
            _take(thought, level, worth if levels[level, WHO] == levels[level + 1, WHO] else -worth)
            continue
        move = _next_move(desk, thought, level)
        copy(positions[level], positions[level + 1])
        copy(tallies[level], tallies[level + 1])
        lay(desk, positions[level + 1], tallies[level + 1])
        play(desk, move)
        if desk[END] >= 0 or levels[level, LEFT] == 1:
            _take(thought, level, value(desk, desk[END], desk[WINNERS], levels[level, WHO], level + 1))
            continue
        same = desk[MOVING] == levels[level, WHO]
        alpha = levels[level, ALPHA] if same else -levels[level, BETA]
        beta = levels[level, BETA] if same else -levels[level, ALPHA]
        key = key_of(desk, salt)
        known, hint = _looked_up(thought, key, levels[level, LEFT] - 1, alpha, beta, level + 1)
        if known != UNKNOWN:
            _take(thought, level, known if same else -known)
            continue
        level += 1
        found = legal_moves(desk, lists[level])
        _open(desk, thought, level, alpha, beta, levels[level - 1, LEFT] - 1, found, key)
        levels[level, HINT] = hint


@inlined
def _open(desk, thought, level, alpha, beta, left, options, key):
    levels = thought.levels
    levels[level, WHO] = desk[MOVING]
    levels[level, AT], levels[level, COUNT] = 0, options
    levels[level, ALPHA], levels[level, FLOOR], levels[level, BETA] = alpha, alpha, beta
    levels[level, BEST], levels[level, BEST_MOVE] = -UNKNOWN, thought.lists[level][0]
    levels[level, LEFT], levels[level, KEY] = left, key


@inlined
def _next_move(desk, thought, level):
    """The next move to look at: the hinted one first, below the root then the one that refuted most."""
    levels, row, history = thought.levels, thought.lists[level], thought.history
    at, count, hint = levels[level, AT], levels[level, COUNT], levels[level, HINT]
    chosen = at
    if at == 0 and hint >= 0:
        for k in range(count):
            if row[k] == hint:
                chosen = k
    elif level:
        side = desk[MOVE_CODES] * levels[level, WHO]
        for k in range(at + 1, count):
            if history[side + row[k]] > history[side + row[chosen]]:
                chosen = k
    move = row[chosen]
    for k in range(chosen, at, -1):  # the others keep their order
        row[k] = row[k - 1]
    row[at] = move
    levels[level, AT] = at + 1
    return move


@inlined
def _take(thought, level, worth):
    """Take up what the move looked at last has come to."""
    levels = thought.levels
    if worth > levels[level, BEST]:
        levels[level, BEST] = worth
        levels[level, BEST_MOVE] = thought.lists[level][levels[level, AT] - 1]
        levels[level, ALPHA] = max(levels[level, ALPHA], worth)


@inlined
def _close(desk, thought, level):
    """Remember what was found at a level."""
    levels, table = thought.levels, thought.table
    best = levels[level, BEST]
    kind = AT_LEAST if best >= levels[level, BETA] else AT_MOST if best <= levels[level, FLOOR] else EXACT
    move, left = levels[level, BEST_MOVE], levels[level, LEFT]
    if kind == AT_LEAST:
        thought.history[desk[MOVE_CODES] * levels[level, WHO] + move] += left * left
    if level:
        entry = table[levels[level, KEY] & ((1 << TABLE_BITS) - 1)]
        entry[0], entry[1], entry[2], entry[3] = levels[level, KEY], _from_here(best, level), move, 4 * left + kind


@inlined
def _looked_up(thought, key, left, alpha, beta, level):
    """(value or UNKNOWN, the move that was best or -1) of a position, if it was searched as deep before."""
    entry = thought.table[key & ((1 << TABLE_BITS) - 1)]
    if entry[0] != key:
        return np.int64(UNKNOWN), np.int64(-1)
    if entry[3] >> 2 >= left:
        worth, kind = _from_root(entry[1], level), entry[3] & 3
        if kind == EXACT or (kind == AT_LEAST and worth >= beta) or (kind == AT_MOST and worth <= alpha):
            return worth, entry[2]
    return np.int64(UNKNOWN), entry[2]


@inlined
def _from_here(worth, level):
    """A win or a loss counted from the position, as the table keeps it."""
    return worth + level if worth > MATED else worth - level if worth < -MATED else worth


@inlined
def _from_root(worth, level):
    """A win or a loss counted from the root, as a search compares it."""
    return worth - level if worth > MATED else worth + level if worth < -MATED else worth
