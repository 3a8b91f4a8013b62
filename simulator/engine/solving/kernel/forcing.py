"""The search for a forced win of limited length, compiled: moves and replies, with a table of what is known.

One seat wants the win, the other wants to prevent it within the depth. The search is compiled only as copies that
`bind` makes; the names that are not defined here (`moves`, `mover`, `outcome`, `play`) are the family's.
"""
# ruff: noqa: F821
# mypy: ignore-errors

import numpy as np

from simulator.engine.compiled import inlined
from simulator.engine.ends import WIN
from simulator.engine.randomness_kernel import GAMMA, mix
from simulator.engine.solving.kernel.retrograde import pack

REFUTED, FORCED, INTERRUPTED, NARROW_FIELD = range(4)  # what a call comes back with

# Notes of a known position: the fewest plies a win was proved in, the most that were proved too few, its best move.
PROVED, TOO_FEW, BEST = range(3)
NEVER, VACANT = 999, -1
PROBES = 4

# Words of `state`: plies above the root, what the position below came to, positions looked at; then the narrow field.
HEIGHT, CAME_TO, LOOKED_AT, FIELD, VALUE = range(5)
ENTERED = -1  # nothing has come from below yet: the position has just been reached


@inlined
def _place(known, key):
    """Return the place of a position among the known ones, a vacant place for it, or one that it takes from another.

    PROBES places in a row are tried, from a multiple of PROBES on; if all are taken, the top two bits of the hash
    choose which is given up.
    """
    mark = np.uint64(0)
    for k in range(len(key)):
        mark = mix((mark ^ np.uint64(key[k])) + GAMMA)
    # The mask clears the lowest bits too, so that probes begin at a multiple of PROBES.
    first = np.int64(mark & np.uint64(len(known) - PROBES))
    for probe in range(PROBES):
        at, same = first + probe, True
        for k in range(len(key)):
            same &= known[at, 3 + k] == key[k]
        if same or known[at, TOO_FEW] == VACANT:
            return at
    return first + np.int64(mark >> np.uint64(62))


@inlined
def _note(known, at, key):
    """Begin the notes of a position unless the place holds them already."""
    same = known[at, TOO_FEW] != VACANT
    for k in range(len(key)):
        same &= known[at, 3 + k] == key[k]
    if not same:
        known[at, PROVED], known[at, TOO_FEW], known[at, BEST] = NEVER, 0, -1
        for k in range(len(key)):
            known[at, 3 + k] = key[k]


@inlined
def _in_order(listed, options, best, credit):
    """Sort moves by their credit, descending, the best known move before all; insertion keeps equals in order."""
    for k in range(1, options):
        move = listed[k]
        worth = credit[move] if move != best else np.int64(1 << 62)
        place = k
        while place > 0 and (credit[listed[place - 1]] if listed[place - 1] != best else np.int64(1 << 62)) < worth:
            listed[place] = listed[place - 1]
            place -= 1
        listed[place] = move


def force(
    rules, fields, line, lists, totals, nexts, places, known, credit, key, state, seat, depth, most, streams, counts
):
    """Say whether `seat` can force a win within `depth` plies of line[0]; continues where it was interrupted.

    line:   int64[depth + 1, words], the positions from the root to the one looked at
    lists:  int64[depth + 1, moves], totals and nexts: how many moves each has and which is next
    known:  int64[places, 3 + key words], notes of positions: see PROVED, TOO_FEW, BEST
    credit: int64[2, codes], what moves were worth, for the seat that wants the win and for the other
    places: int64[depth + 1], where the notes of each position on the line are
    most:   positions to look at before it is interrupted
    Returns REFUTED, FORCED, INTERRUPTED or NARROW_FIELD.
    """
    height = state[HEIGHT]
    came_to = state[CAME_TO]
    stop = state[LOOKED_AT] + most
    # A depth-first search without recursion. Each pass of the loop does one of three things: it judges a position that
    # has just been reached; or it takes up the result of the position below and, if that settles the matter, goes up;
    # or it plays the next move and goes down. `came_to` is ENTERED before a position is judged, then its result.
    while True:
        if came_to == ENTERED:
            state[LOOKED_AT] += 1
            left = depth - height
            end, winners = outcome(rules, line[height])
            if end >= 0:
                came_to = FORCED if end == WIN and winners == 1 << seat else REFUTED
            elif left == 0:
                came_to = REFUTED
            else:
                field = pack(line[height], fields, key)
                if field >= 0:
                    state[FIELD], state[VALUE] = field, line[height, field]
                    return NARROW_FIELD
                at = _place(known, key)
                _note(known, at, key)
                places[height] = at
                # A win in fewer plies is one, and what more plies did not bring, fewer do not.
                if known[at, PROVED] <= left:
                    came_to = FORCED
                elif known[at, TOO_FEW] >= left:
                    came_to = REFUTED
                else:
                    totals[height] = moves(rules, line[height], lists[height])
                    against = 0 if mover(rules, line[height]) == seat else 1
                    _in_order(lists[height], totals[height], known[at, BEST], credit[against])
                    nexts[height] = 0
            if came_to != ENTERED:  # judged without a move: up with the result
                if height == 0:
                    return came_to
                height -= 1
        else:
            # A result from below. For the seat one forced win is enough, for the other one refutation; after the last
            # move the result of that move is the position's, since none before it settled the matter.
            left = depth - height
            move = lists[height, nexts[height] - 1]
            wants = mover(rules, line[height]) == seat
            settled = came_to == (FORCED if wants else REFUTED)
            if settled or nexts[height] == totals[height]:
                pack(line[height], fields, key)
                at = places[height]
                _note(known, at, key)  # another position may have taken the place meanwhile
                if came_to == FORCED:
                    known[at, PROVED] = min(known[at, PROVED], left)
                else:
                    known[at, TOO_FEW] = max(known[at, TOO_FEW], left)
                if settled:
                    known[at, BEST] = move
                    credit[0 if wants else 1, move] += left * left  # what settles much is tried first elsewhere
                if height == 0:
                    return came_to
                height -= 1
                continue
            came_to = ENTERED
        if came_to != ENTERED:
            continue
        if state[LOOKED_AT] >= stop:
            # The position is judged again when the search continues: its place among the notes may have changed.
            state[HEIGHT], state[CAME_TO] = height, ENTERED
            return INTERRUPTED
        move = lists[height, nexts[height]]
        nexts[height] += 1
        for w in range(line.shape[1]):
            line[height + 1, w] = line[height, w]
        counts[:] = 0
        play(rules, line[height + 1], move, streams, counts)
        height += 1
