"""Where things stand in a kernel's position, behind the identity that `position` describes.

Here is what was worked out for the player to move. Whoever writes an identity sets all that to 0: nothing known.
"""

from simulator.engine.compiled import inlined, kernel_function, noinline
from simulator.engine.families.race import position as code
from simulator.engine.families.race.kernel import rules as rule

AFTER_PIECES = code.W_PIECES + code.SEATS * rule.MOST_PIECES
# 1 + the number of moves; the kinds of part in hand as bits, and NOTED; the pieces that can play the first of them.
(W_KNOWN, W_HELD, W_PLACES) = range(AFTER_PIECES, AFTER_PIECES + 3)
NOTED = 1 << code.HAND
# A byte for each of the mover's pieces, in their order: its step, its room, whether the next stands on the same step,
# whether it is the first that waits. The last two are the highest bit of a byte.
(W_STEPS, W_ROOMS, W_SEVERAL, W_WAITING) = range(AFTER_PIECES + 3, AFTER_PIECES + 7)
W_PROGRESS = AFTER_PIECES + 7  # + seat: the steps of its pieces together
W_CLOSED = W_PROGRESS + code.SEATS  # the steps on which the mover may not land: a set, as two words
W_SERIES = W_CLOSED + 2  # the casts of a series while it is thrown


@inlined
def identity_words(rules):
    return code.W_PIECES + rules[rule.R_SEATS] * rules[rule.R_PIECES]


@inlined
def size(rules):
    return W_SERIES + rules[rule.R_LIMIT]


@inlined
def note(rules, position):
    """Work out what is known at all times, unless it is: the kinds in hand and the steps of every seat."""
    if position[W_HELD] == 0:
        _note(rules, position)


@kernel_function
def _note(rules, position):
    noinline()
    position[W_HELD] = NOTED
    for kind in range(code.HAND):
        position[W_HELD] |= (0 + (position[code.W_HAND + kind] > 0)) << kind
    for seat in range(rules[rule.R_SEATS]):
        position[W_PROGRESS + seat] = 0
        for piece in range(rules[rule.R_PIECES]):
            position[W_PROGRESS + seat] += position[pieces_at(rules, seat) + piece]


@inlined
def pieces_at(rules, seat):
    """Return where the steps of a seat's pieces begin."""
    return code.W_PIECES + seat * rules[rule.R_PIECES]
