"""One hunter against a herd that only advances, compiled: every formation of the herd in one sweep.

A man of the herd that steps comes to a lower point, so that every formation is decided after those it can become. For
one formation all places of the hunter are decided at once: the moves of the hunter are shifts of a set of places. What
is kept are the places from which each side wins with the hunter to move, 9 bytes each.
"""

from typing import Any, NamedTuple

import numpy as np

from simulator.engine.bits import advance, count_bits, rank, rank_after
from simulator.engine.compiled import inlined, kernel_function

HUNTER, HERD = 0, 1
POINTS = 72  # the most
ONE, WORD = np.uint64(1), np.uint64(64)
NOWHERE = (np.uint64(0), np.uint64(0))

# The result for a formation is three sets of places of the hunter: where the game goes on, where the hunter wins, where
# the herd wins. They come first for the hunter to move, then for the herd to move.
GOES_ON, HUNTER_WINS, HERD_WINS = range(3)


class Hunt(NamedTuple):
    """The rules and the board. A set of points is two words of bits: points 0 to 63, points 64 to 71.

    reach:   how many points the hunter may go along one line in a step
    loses:   (whether the hunter loses when he cannot move, whether the herd does); else he, or it, passes
    board:   uint64[2], all points; choose: int64[points + 1, men + 1], see `binomials`
    steps:   int64[points, 1 + most], how many points a man of the herd may step to from each, and these
    passed:  uint64[points, 2], where the hunter has passed the herd, by the foremost point that the herd stands on
    firsts:  int64[directions + 1], the ways of the hunter in each direction are ways[firsts[d]:firsts[d + 1]]
    offsets: int64[ways], how much further on the next point is; ways: uint64[ways, 2], from which points
    """

    reach: int
    loses: tuple[int, int]
    board: Any
    choose: Any
    steps: Any
    passed: Any
    firsts: Any
    offsets: Any
    ways: Any


class WinTable(NamedTuple):
    """Where each side wins with the hunter to move: lows uint64[formations, 2], highs uint8[formations, 2]."""

    lows: Any
    highs: Any


@inlined
def both(one, other):
    return one[0] & other[0], one[1] & other[1]


@inlined
def either(one, other):
    return one[0] | other[0], one[1] | other[1]


@inlined
def without(one, other):
    return one[0] & ~other[0], one[1] & ~other[1]


@inlined
def is_any(places):
    return (places[0] | places[1]) != 0


@inlined
def size(places):
    return count_bits(np.int64(places[0])) + count_bits(np.int64(places[1]))


@inlined
def row(sets, number):
    return sets[number, 0], sets[number, 1]


@inlined
def only(point):
    """Return the set of one point."""
    if point < 64:
        return ONE << np.uint64(point), np.uint64(0)
    return np.uint64(0), ONE << np.uint64(point - 64)


@inlined
def kept(table, number, side):
    return table.lows[number, side], np.uint64(table.highs[number, side])


@inlined
def shifted(places, by):
    """Shift every point of a set by so many points, up or, if negative, down; by: 1 to 63 either way."""
    low, high = places
    if by > 0:
        up = np.uint64(by)
        # What leaves one word comes into the other; shifts by 0 or 64, which hardware does not define, never arise.
        return low << up, high << up | low >> (WORD - up)
    down = np.uint64(-by)
    return low >> down | high << (WORD - down), high >> down


@inlined
def before(hunt, goal, vacant, reach):
    """Return the points from which the hunter can step to a vacant point of a set, at most `reach` points on."""
    points = NOWHERE
    for direction in range(len(hunt.firsts) - 1):
        # From the goal backwards: the points from which one step leads there, then those from which two do …
        to = both(goal, vacant)
        for _ in range(reach):
            come = NOWHERE
            for way in range(hunt.firsts[direction], hunt.firsts[direction + 1]):
                come = either(come, both(shifted(to, -hunt.offsets[way]), row(hunt.ways, way)))
            points, to = either(points, come), both(come, vacant)
    return points


@inlined
def _herd_to_move(hunt, men, number, table, vacant, won):
    """Return (where every step of the herd leads to a win of the hunter, where some step leads to a win of the herd,
    where the herd has no step), without the places where the game is over."""
    hunter, herd, stuck = vacant, NOWHERE, vacant
    for place in range(len(men)):
        for step in range(hunt.steps[men[place], 0]):
            to = hunt.steps[men[place], 1 + step]
            there = only(to)
            # A vacant point of the board; the hunter may still stand on it, which `there` takes account of below.
            if is_any(both(there, vacant)):
                # A step goes to a lower point, so `after` is smaller than `number` and has been decided.
                after = rank_after(hunt.choose, men, number, place, to)
                hunter = both(hunter, either(kept(table, after, HUNTER), there))  # he may stand in the way of this step
                herd = either(herd, without(kept(table, after, HERD), there))
                stuck = both(stuck, there)
    return without(without(hunter, stuck), won), without(both(herd, vacant), won), without(stuck, won)


@inlined
def _hunter_to_move(hunt, vacant, won, hunter, herd, near):
    """Return (where the hunter wins, where the herd wins) with the hunter to move, given the same for the herd to move.

    near: the places from which he has a step
    """
    shut = without(without(vacant, near), won)
    mine = both(before(hunt, hunter, vacant, hunt.reach), vacant)
    escapes = before(hunt, without(vacant, herd), vacant, hunt.reach)
    lost = without(without(both(near, vacant), escapes), won)
    if hunt.loses[HUNTER]:
        return either(mine, won), either(lost, shut)
    return either(either(mine, won), both(shut, hunter)), either(lost, both(shut, herd))


@inlined
def _decide(hunt, men, number, table):
    """Decide one formation from those that it can become; returns six sets, see GOES_ON."""
    own = NOWHERE
    for place in range(len(men)):
        own = either(own, only(men[place]))
    vacant = without((hunt.board[0], hunt.board[1]), own)
    won = both(row(hunt.passed, men[len(men) - 1]), vacant)
    hunter, herd, stuck = _herd_to_move(hunt, men, number, table, vacant, won)
    over = won
    if hunt.loses[HERD]:
        hunter, over, stuck = either(hunter, stuck), either(won, stuck), NOWHERE
    hunter = either(hunter, won)
    near = before(hunt, vacant, vacant, 1)
    mine, lost = _hunter_to_move(hunt, vacant, won, hunter, herd, near)
    # Where the herd can only pass, the herd to move is worth what the hunter to move is, which in turn depends on it:
    # the two are applied to each other until neither side wins from any further place (a least fixed point, so that
    # play that never ends is won by nobody).
    while is_any(without(both(stuck, mine), hunter)) or is_any(without(both(stuck, lost), herd)):
        hunter, herd = either(hunter, both(stuck, mine)), either(herd, both(stuck, lost))
        mine, lost = _hunter_to_move(hunt, vacant, won, hunter, herd, near)
    shut = without(without(vacant, near), won) if hunt.loses[HUNTER] else NOWHERE
    return without(without(vacant, won), shut), mine, lost, without(vacant, over), hunter, herd


@kernel_function
def sweep(hunt, men, number, most, table, counts):
    """Decide at most `most` formations from `number` on, whose points are `men`; returns the number of the next.

    men: int64[men], ascending; counts: int64[2, 3], added to: for each seat to move, where the game goes on, and how
    many of these each side wins
    """
    last = min(number + most, len(table.lows))
    while number < last:
        sets = _decide(hunt, men, number, table)
        for side in range(2):
            table.lows[number, side] = sets[1 + side][0]
            table.highs[number, side] = np.uint8(sets[1 + side][1])
        for mover in range(2):
            goes_on = sets[3 * mover]
            counts[mover, GOES_ON] += size(goes_on)
            counts[mover, HUNTER_WINS] += size(both(goes_on, sets[3 * mover + 1]))
            counts[mover, HERD_WINS] += size(both(goes_on, sets[3 * mover + 2]))
        # Behind the last formation there is none to go on to.
        if number + 1 < len(table.lows):
            advance(men)
        number += 1
    return number


@kernel_function
def look_up(hunt, men, table, found):
    """Write the six sets of a formation (see GOES_ON) into `found`, uint64[6, 2]."""
    sets = _decide(hunt, men, rank(hunt.choose, men), table)
    for k in range(6):
        found[k, 0], found[k, 1] = sets[k]
