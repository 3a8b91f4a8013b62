"""Value iteration for races of two, compiled: every position before a throw, and the chance of winning from it.

A position is numbered by the squares of the mover's pieces and of the other's; the chance is the mover's.
`list_children` is compiled only as copies that `bind` makes; `moves`, `play`, `mover`, `outcome` are the family's.
"""
# ruff: noqa: F821
# mypy: ignore-errors

from simulator.engine.bits import rank, unrank
from simulator.engine.compiled import inlined, kernel_function
from simulator.engine.families.race.position import RUNNING, W_END, W_HAND, W_MOVER, W_PIECES

# What a move leads to, in `children`: 2 * a position and 1 if the same player throws again there, or one of these.
NO_MOVE, WON = -1, -2

# Columns of `chances`: how the mover and the other play. Each has a lower and an upper bound.
BEST_AND_BEST, RANDOM_AND_RANDOM, BEST_AND_RANDOM, RANDOM_AND_BEST = range(4)
POLICIES = 4
LOWER, UPPER = range(2)


@inlined
def _number(position, choose, pieces, members, sides):
    """Return the number of a position by the steps of the pieces, the mover's first.

    Pieces of a side are alike and may share a step: with its rank added, each becomes a member of a set.
    """
    first = position[W_MOVER]
    number = 0
    for side in range(2):
        at = W_PIECES + (first if side == 0 else 1 - first) * pieces
        for piece in range(pieces):
            # Steps 0, 0, 3 become 0, 1, 5: ascending and different, as a set is.
            members[piece] = position[at + piece] + piece
        number = number * sides + rank(choose, members)
    return number


def list_children(rules, choose, kinds, children, members, position, child, streams, counts, out, first, last):
    """Write what every throw and move of the positions from `first` up to `last` (exclusive) leads to.

    choose: int64[home + pieces + 1, pieces + 1]; kinds: int64[throws], the part that each lays, or -1
    children: int32[positions, throws, moves], NO_MOVE beforehand; members: int64[pieces]
    """
    pieces = len(members)
    home = len(choose) - 1 - pieces
    sides = choose[home + pieces, pieces]
    for number in range(first, last):
        for throw in range(len(kinds)):
            for word in range(len(position)):
                position[word] = 0
            for side in range(2):
                unrank(choose, number // sides if side == 0 else number % sides, members)
                for piece in range(pieces):
                    position[W_PIECES + side * pieces + piece] = members[piece] - piece
            # Steps ascend: if the first piece of a side is home, all are.
            if position[W_PIECES] == home or position[W_PIECES + pieces] == home:
                continue  # it is over
            position[W_END] = RUNNING
            if kinds[throw] >= 0:
                position[W_HAND + kinds[throw]] = 1
            options = moves(rules, position, out)
            for k in range(options):
                for word in range(len(position)):
                    child[word] = position[word]
                counts[:] = 0
                play(rules, child, out[k], streams, counts)
                if outcome(rules, child)[0] >= 0:
                    children[number, throw, k] = WON
                else:
                    again = 1 if mover(rules, child) == 0 else 0
                    children[number, throw, k] = 2 * _number(child, choose, pieces, members, sides) + again


@inlined
def _after(chances, child, policy, bound):
    """Return the mover's chance after one of his moves."""
    if child == WON:
        return 1.0
    number = child >> 1
    if child & 1:
        return chances[number, policy, bound]
    # The other player throws next: his chance is one less the mover's, his lower bound gives the mover's upper one, and
    # his way of playing is the mover's opponent's.
    swapped = policy if policy < BEST_AND_RANDOM else BEST_AND_RANDOM + RANDOM_AND_BEST - policy
    return 1.0 - chances[number, swapped, 1 - bound]


@inlined
def _expected(children, weights, chances, number, policy, bound):
    """Return the mover's chance before his throw, by those of what follows: the mean over all throws of his best move,
    or of all his moves alike where he plays at random."""
    chooses = policy == BEST_AND_BEST or policy == BEST_AND_RANDOM
    chance = 0.0
    for throw in range(len(weights)):
        best, total, options = 0.0, 0.0, 0
        while options < children.shape[2] and children[number, throw, options] != NO_MOVE:
            after = _after(chances, children[number, throw, options], policy, bound)
            # Both are kept, since the policy is the same for all moves and chosen once.
            best, total, options = max(best, after), total + after, options + 1
        chance += weights[throw] * (best if chooses else total / options)
    return chance


@inlined
def _narrow(children, weights, chances, number):
    """Narrow the bounds of a position, which never widen; returns the widest of them."""
    widest = 0.0
    for policy in range(POLICIES):
        lower = _expected(children, weights, chances, number, policy, LOWER)
        upper = _expected(children, weights, chances, number, policy, UPPER)
        chances[number, policy, LOWER] = max(chances[number, policy, LOWER], lower)
        chances[number, policy, UPPER] = min(chances[number, policy, UPPER], upper)
        widest = max(widest, chances[number, policy, UPPER] - chances[number, policy, LOWER])
    return widest


@kernel_function
def narrow(children, weights, chances, sides):
    """Narrow the bounds of every position once; returns the widest that is left.

    Positions in which the sides are further on come first: a move then leads to a position that this round has already
    narrowed, unless a piece is sent back.
    weights: float64[throws]; chances: float64[positions, policies, 2], between which the true chances lie and stay
    """
    widest = 0.0
    for back in range(1, sides):  # the last is home: it is over there
        ahead = sides - 1 - back
        for behind in range(ahead, -1, -1):
            widest = max(widest, _narrow(children, weights, chances, ahead * sides + behind))
            if behind != ahead:
                widest = max(widest, _narrow(children, weights, chances, behind * sides + ahead))
    return widest
