"""Alpha-beta search for two seats without chance: iterative deepening, a table of positions, refuting moves first.

A position's value is that for its mover, and the side to move need not alternate: the value of what a move leads to
changes its sign only where the mover changes. Depth is counted in plies. The moves at the root are shuffled, so that of
equally good ones each may be played; a game is ended by consent only if that is worth more than every other move. The
table is emptied at every move of the game by salting its keys anew; it knows a position by a 64-bit hash of its
identity, and what only bounds remember is no part of that.

Beyond its depth a search may follow moves that take something for a number of further plies: otherwise a position in
which much hangs is judged in the middle of an exchange (quiescence search). The mover need not take there, and has at
least what the position is worth as it stands.
"""

import numpy as np

from simulator.engine.compiled import inlined, kernel_function
from simulator.engine.players.kernel import calls
from simulator.engine.players.kernel.calls import MATE, MATED, copy, shuffle, value
from simulator.engine.players.kernel.workspace import (
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
def alpha_beta_move(frame, position, counts, workspace, out, depth, quiet):
    """Return the move with the best value `depth` plies on, and up to `quiet` more where something is taken.

    `workspace.streams` are opened for it.
    """
    history = workspace.history
    for code in range(len(history)):
        history[code] = 0
    copy(position, workspace.positions[0])
    copy(counts, workspace.counts[0])
    calls.set_position(frame, workspace.positions[0], workspace.counts[0])
    options = calls.legal_moves(frame, out)
    shuffle(out, calls.without_consent(frame, out, options), workspace.streams)
    salt = np.int64(word(workspace.streams, CHOICE))
    best_move = out[0]
    for plies in range(1, depth + 1):
        first = out[0] if best_move == frame[calls.CONSENT] else best_move
        worth, best_move = _searched(frame, workspace, out, options, first, plies, quiet, salt)
        if abs(worth) > MATED:
            break
    return best_move


@kernel_function
def _searched(frame, workspace, out, options, first, plies, quiet, salt):
    """Return (value, best move) of the root `plies` deep; the move `first` is searched before the others in `out`."""
    levels, positions, tallies, lists = workspace.levels, workspace.positions, workspace.counts, workspace.lists
    for k in range(options):
        lists[0][k] = out[k]
    calls.set_position(frame, positions[0], tallies[0])
    calls.read_outcome(frame)
    _open(frame, workspace, 0, -UNKNOWN, UNKNOWN, plies, options, np.int64(0))
    levels[0, HINT] = first
    # Negamax without recursion. Each pass either closes the level whose moves are all searched or cut off, and takes
    # its value up one level; or it plays the next move, which is judged where it stands or opens a level below. The
    # window (alpha, beta) of a level is its mover's, turned round where the mover changes.
    level, worth = 0, np.int64(0)
    while True:
        if levels[level, AT] == levels[level, COUNT] or levels[level, BEST] >= levels[level, BETA]:
            _close(frame, workspace, level)
            worth = levels[level, BEST]
            if level == 0:
                return worth, levels[0, BEST_MOVE]
            level -= 1
            _take(workspace, level, worth if levels[level, WHO] == levels[level + 1, WHO] else -worth)
            continue
        move = _next_move(frame, workspace, level)
        copy(positions[level], positions[level + 1])
        copy(tallies[level], tallies[level + 1])
        calls.set_position(frame, positions[level + 1], tallies[level + 1])
        calls.play(frame, move)
        left, takes = levels[level, LEFT] - 1, _taken(frame, tallies[level]) != _taken(frame, tallies[level + 1])
        if left < 0 and not takes and frame[calls.END] < 0:
            continue  # beyond the depth only moves that take something count
        if frame[calls.END] >= 0 or (left <= 0 and (left == -quiet or not takes)):
            _take(workspace, level, value(frame, frame[calls.END], frame[calls.WINNERS], levels[level, WHO], level + 1))
            continue
        same = frame[calls.MOVING] == levels[level, WHO]
        alpha = levels[level, ALPHA] if same else -levels[level, BETA]
        beta = levels[level, BETA] if same else -levels[level, ALPHA]
        key = calls.key_of(frame, salt)
        known, hint = _looked_up(workspace, key, left, alpha, beta, level + 1)
        if known != UNKNOWN:
            _take(workspace, level, known if same else -known)
            continue
        level += 1
        found = calls.legal_moves(frame, lists[level])
        _open(frame, workspace, level, alpha, beta, left, found, key)
        if left <= 0:  # the mover may leave it at that
            levels[level, BEST] = calls.evaluate(frame, frame[calls.MOVING])
            levels[level, ALPHA] = max(alpha, levels[level, BEST])
        levels[level, HINT] = hint


@inlined
def _taken(frame, counts):
    """Return the number of pieces or counters taken so far, by both seats."""
    return counts[frame[calls.TAKEN]] + counts[frame[calls.TAKEN] + 1]


@inlined
def _open(frame, workspace, level, alpha, beta, left, options, key):
    """Begin a level for the position in the frame, whose moves are in its list."""
    levels = workspace.levels
    levels[level, WHO] = frame[calls.MOVING]
    levels[level, AT], levels[level, COUNT] = 0, options
    levels[level, ALPHA], levels[level, FLOOR], levels[level, BETA] = alpha, alpha, beta
    levels[level, BEST], levels[level, BEST_MOVE] = -UNKNOWN, workspace.lists[level][0]
    levels[level, LEFT], levels[level, KEY] = left, key


@inlined
def _next_move(frame, workspace, level):
    """Return the next move to search: the hinted one first, then, below the root, the one that refuted most."""
    levels, row, history = workspace.levels, workspace.lists[level], workspace.history
    at, count, hint = levels[level, AT], levels[level, COUNT], levels[level, HINT]
    chosen = at
    if at == 0 and hint >= 0:
        for k in range(count):
            if row[k] == hint:
                chosen = k
    elif level:
        side = frame[calls.MOVE_CODES] * levels[level, WHO]
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
def _take(workspace, level, worth):
    """Take up the value of the move that was searched last."""
    levels = workspace.levels
    if worth > levels[level, BEST]:
        levels[level, BEST] = worth
        levels[level, BEST_MOVE] = workspace.lists[level][levels[level, AT] - 1]
        levels[level, ALPHA] = max(levels[level, ALPHA], worth)


@inlined
def _close(frame, workspace, level):
    """Store the result of a level in the table, and credit the move that refuted."""
    levels, table = workspace.levels, workspace.table
    best = levels[level, BEST]
    kind = AT_LEAST if best >= levels[level, BETA] else AT_MOST if best <= levels[level, FLOOR] else EXACT
    move, left = levels[level, BEST_MOVE], levels[level, LEFT]
    if kind == AT_LEAST and left > 0:  # beyond the depth it may be the standing value that is enough, and no move
        workspace.history[frame[calls.MOVE_CODES] * levels[level, WHO] + move] += left * left
    if level:
        entry = table[levels[level, KEY] & ((1 << TABLE_BITS) - 1)]
        entry[0], entry[1], entry[2], entry[3] = levels[level, KEY], _from_here(best, level), move, 4 * left + kind


@inlined
def _looked_up(workspace, key, left, alpha, beta, level):
    """Return (value or UNKNOWN, best move or -1) of a position; the value only if it was searched as deep before."""
    entry = workspace.table[key & ((1 << TABLE_BITS) - 1)]
    if entry[0] != key:
        return np.int64(UNKNOWN), np.int64(-1)
    if entry[3] >> 2 >= left:
        worth, kind = _from_root(entry[1], level), entry[3] & 3
        if kind == EXACT or (kind == AT_LEAST and worth >= beta) or (kind == AT_MOST and worth <= alpha):
            return worth, entry[2]
    return np.int64(UNKNOWN), entry[2]


@inlined
def _from_here(worth, level):
    """Turn a win or a loss counted from the root into one counted from the position, as the table keeps it."""
    return worth + level if worth > MATED else worth - level if worth < -MATED else worth


@inlined
def _from_root(worth, level):
    """Turn a win or a loss counted from the position into one counted from the root, as the search compares it."""
    return worth - level if worth > MATED else worth + level if worth < -MATED else worth
