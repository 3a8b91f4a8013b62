"""Depth-first searches: alpha-beta for two seats without chance, and expectimax where lots are thrown.

Alpha-beta deepens ply by ply, keeps a table of positions and looks at refuting moves first. A position's value is that
for its mover, and the side to move need not alternate: the value of what a move leads to changes its sign only where
the mover changes. Depth is counted in plies. The moves at the root are shuffled, so that of equally good ones each may
be played; a game is ended by consent only if that is worth more than every other move. The table is emptied at every
move of the game by salting its keys anew; it knows a position by a 64-bit hash of its identity, and what only bounds
remember is no part of that. Beyond its depth a search may follow moves that take something for a number of further
plies: otherwise a position in which much hangs is judged in the middle of an exchange (quiescence search). The mover
need not take there, and has at least what the position is worth as it stands.

Expectimax of two sides takes every move and every throw so many plies ahead, each throw by its chance. The value of a
position is the share of the game that the root's mover may expect: 1 where his side has won, 0 where it has lost, and
(1 + e / (|e| + s)) / 2 where the family's evaluation e must serve, s being its EVALUATION_SCALE. His side takes the
best move, the other one the worst, and a throw is the mean over all throws. Every move is a ply, a pass too; throws are
none. Nothing is pruned: the sum over all throws is what it would be on paper. A throw is made to happen by opening a
stream of draws that begins with it.
"""

import numpy as np

from simulator.engine.compiled import inlined, kernel_function
from simulator.engine.ends import WIN
from simulator.engine.players.kernel import calls, memory
from simulator.engine.players.kernel.calls import MATE, MATED, copy, shuffle, throws_drawn, value
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
    # Entries of earlier moves stay in the table, under keys that no longer occur: cheaper than wiping it.
    salt = np.int64(word(workspace.streams, CHOICE))
    best_move = out[0]
    for plies in range(1, depth + 1):
        first = out[0] if best_move == frame[calls.CONSENT] else best_move
        worth, best_move = _searched(frame, workspace, out, options, first, plies, quiet, salt)
        # A forced end was found; deeper searches cannot find a sooner one.
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
    _open_window(frame, workspace, 0, -UNKNOWN, UNKNOWN, plies, options, np.int64(0))
    levels[0, memory.HINT] = first
    # Negamax without recursion. Each pass either closes the level whose moves are all searched or cut off, and takes
    # its value up one level; or it plays the next move, which is judged where it stands or opens a level below. The
    # window (alpha, beta) of a level is its mover's, turned round where the mover changes.
    level, worth = 0, np.int64(0)
    while True:
        if (
            levels[level, memory.AT] == levels[level, memory.COUNT]
            or levels[level, memory.BEST] >= levels[level, memory.BETA]
        ):
            _close(frame, workspace, level)
            worth = levels[level, memory.BEST]
            if level == 0:
                return worth, levels[0, memory.BEST_MOVE]
            level -= 1
            _take_value(
                workspace, level, worth if levels[level, memory.WHO] == levels[level + 1, memory.WHO] else -worth
            )
            continue
        move = _next_move(frame, workspace, level)
        copy(positions[level], positions[level + 1])
        copy(tallies[level], tallies[level + 1])
        calls.set_position(frame, positions[level + 1], tallies[level + 1])
        calls.play(frame, move)
        left, takes = levels[level, memory.LEFT] - 1, _taken(frame, tallies[level]) != _taken(frame, tallies[level + 1])
        if left < 0 and not takes and frame[calls.END] < 0:
            continue  # beyond the depth only moves that take something count
        if frame[calls.END] >= 0 or (left <= 0 and (left == -quiet or not takes)):
            _take_value(
                workspace,
                level,
                value(frame, frame[calls.END], frame[calls.WINNERS], levels[level, memory.WHO], level + 1),
            )
            continue
        # The window is the mover's: for the other side it is mirrored at 0, its lower bound becoming the upper one.
        same = frame[calls.MOVING] == levels[level, memory.WHO]
        alpha = levels[level, memory.ALPHA] if same else -levels[level, memory.BETA]
        beta = levels[level, memory.BETA] if same else -levels[level, memory.ALPHA]
        key = calls.key_of(frame, salt)
        known, hint = _looked_up(workspace, key, left, alpha, beta, level + 1)
        if known != UNKNOWN:
            _take_value(workspace, level, known if same else -known)
            continue
        level += 1
        found = calls.legal_moves(frame, lists[level])
        _open_window(frame, workspace, level, alpha, beta, left, found, key)
        if left <= 0:  # the mover may leave it at that
            levels[level, memory.BEST] = calls.evaluate(frame, frame[calls.MOVING])
            levels[level, memory.ALPHA] = max(alpha, levels[level, memory.BEST])
        levels[level, memory.HINT] = hint


@inlined
def _taken(frame, counts):
    """Return the number of pieces or counters taken so far, by both seats."""
    return counts[frame[calls.TAKEN]] + counts[frame[calls.TAKEN] + 1]


@inlined
def _open_window(frame, workspace, level, alpha, beta, left, options, key):
    """Begin a level for the position in the frame, whose moves are in its list."""
    levels = workspace.levels
    levels[level, memory.WHO] = frame[calls.MOVING]
    levels[level, memory.AT], levels[level, memory.COUNT] = 0, options
    levels[level, memory.ALPHA], levels[level, memory.FLOOR], levels[level, memory.BETA] = alpha, alpha, beta
    levels[level, memory.BEST], levels[level, memory.BEST_MOVE] = -UNKNOWN, workspace.lists[level][0]
    levels[level, memory.LEFT], levels[level, memory.KEY] = left, key


@inlined
def _next_move(frame, workspace, level):
    """Return the next move to search: the hinted one first, then, below the root, the one that refuted most."""
    levels, row, history = workspace.levels, workspace.lists[level], workspace.history
    at, count, hint = levels[level, memory.AT], levels[level, memory.COUNT], levels[level, memory.HINT]
    chosen = at
    if at == 0 and hint >= 0:
        for k in range(count):
            if row[k] == hint:
                chosen = k
    elif level:
        side = frame[calls.MOVE_CODES] * levels[level, memory.WHO]
        for k in range(at + 1, count):
            if history[side + row[k]] > history[side + row[chosen]]:
                chosen = k
    move = row[chosen]
    for k in range(chosen, at, -1):  # the others keep their order
        row[k] = row[k - 1]
    row[at] = move
    levels[level, memory.AT] = at + 1
    return move


@inlined
def _take_value(workspace, level, worth):
    """Take up the value of the move that was searched last."""
    levels = workspace.levels
    if worth > levels[level, memory.BEST]:
        levels[level, memory.BEST] = worth
        levels[level, memory.BEST_MOVE] = workspace.lists[level][levels[level, memory.AT] - 1]
        levels[level, memory.ALPHA] = max(levels[level, memory.ALPHA], worth)


@inlined
def _close(frame, workspace, level):
    """Store the result of a level in the table, and credit the move that refuted."""
    levels, table = workspace.levels, workspace.table
    best = levels[level, memory.BEST]
    kind = AT_LEAST if best >= levels[level, memory.BETA] else AT_MOST if best <= levels[level, memory.FLOOR] else EXACT
    move, left = levels[level, memory.BEST_MOVE], levels[level, memory.LEFT]
    if kind == AT_LEAST and left > 0:  # beyond the depth it may be the standing value that is enough, and no move
        # The square, since a refutation near the root saves more than one near the leaves.
        workspace.history[frame[calls.MOVE_CODES] * levels[level, memory.WHO] + move] += left * left
    if level:
        entry = table[levels[level, memory.KEY] & ((1 << memory.TABLE_BITS) - 1)]
        # A later result replaces an earlier one at the same place: it is the one that is likely to be asked for next.
        entry[0], entry[1], entry[2], entry[3] = (
            levels[level, memory.KEY],
            _from_here(best, level),
            move,
            4 * left + kind,
        )


@inlined
def _looked_up(workspace, key, left, alpha, beta, level):
    """Return (value or UNKNOWN, best move or -1) of a position; the value only if it was searched as deep before."""
    entry = workspace.table[key & ((1 << memory.TABLE_BITS) - 1)]
    if entry[0] != key:
        return np.int64(UNKNOWN), np.int64(-1)
    # The last word is 4 * plies left + kind of bound. A bound decides only if it lies outside the window.
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
    _open_plies(frame, workspace, 0, depth)
    shuffle(workspace.lists[0], levels[0, memory.COUNT], workspace.streams)
    # A depth-first search without recursion. A move after which lots are thrown is played once for every throw: THROW
    # is the throw that comes next, SUM the expectation over those that came before.
    level = 0
    while True:
        if levels[level, memory.AT] == levels[level, memory.COUNT]:
            if level == 0:
                return levels[0, memory.BEST_MOVE]
            worth = _for_root(expected[level, memory.FOUND], levels[level, memory.WHO], root)
            level -= 1
            _take_share(workspace, level, worth, root)
            continue
        copy(positions[level], positions[level + 1])
        copy(tallies[level], tallies[level + 1])
        calls.set_position(frame, positions[level + 1], tallies[level + 1])
        _open_streams(frame, workspace, levels[level, memory.THROW])
        calls.play(frame, workspace.lists[level][levels[level, memory.AT]])
        goes_on = frame[calls.END] < 0 and levels[level, memory.LEFT] > 1
        if levels[level, memory.THROW] == 0:  # the first time shows whether the move brings a throw at all
            levels[level, memory.IS_THROWN] = goes_on and throws_drawn(frame, workspace.streams) > 0
        if goes_on:
            level += 1
            _open_plies(frame, workspace, level, levels[level - 1, memory.LEFT] - 1)
        else:
            _take_share(workspace, level, _value(frame, root), root)


@inlined
def _open_plies(frame, workspace, level, left):
    """Begin a level for the moves of the position in the frame."""
    levels = workspace.levels
    levels[level, memory.WHO], levels[level, memory.LEFT] = frame[calls.MOVING], left
    levels[level, memory.COUNT] = calls.legal_moves(frame, workspace.lists[level])
    levels[level, memory.AT] = levels[level, memory.THROW] = 0
    workspace.expected[level, memory.FOUND], workspace.expected[level, memory.SUM] = WORST, 0.0


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
def _take_share(workspace, level, worth, root):
    """Take up the value, for the root's mover, of the move that was searched, or of one throw after it."""
    levels, expected = workspace.levels, workspace.expected
    worth = _for_root(worth, levels[level, memory.WHO], root)
    if levels[level, memory.IS_THROWN]:
        expected[level, memory.SUM] += workspace.chances[levels[level, memory.THROW]] * worth
        levels[level, memory.THROW] += 1
        if levels[level, memory.THROW] < len(workspace.chances):
            return
        # The sum is whole only after the last throw; before that the move is played again with the next one.
        worth = expected[level, memory.SUM]
    if worth > expected[level, memory.FOUND]:
        expected[level, memory.FOUND] = worth
        levels[level, memory.BEST_MOVE] = workspace.lists[level][levels[level, memory.AT]]
    levels[level, memory.AT] += 1
    levels[level, memory.THROW], expected[level, memory.SUM] = 0, 0.0


@inlined
def _value(frame, seat):
    """Return what the position in the frame is worth to a seat, without searching further."""
    if frame[calls.END] == WIN:
        return 1.0 if frame[calls.WINNERS] >> seat & 1 else 0.0
    if frame[calls.END] >= 0:
        return 0.5
    ahead = calls.evaluate(frame, seat)
    return 0.5 + 0.5 * float(ahead) / float(abs(ahead) + frame[calls.SCALE])
