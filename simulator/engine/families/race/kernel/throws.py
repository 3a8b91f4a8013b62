"""Throwing the lots: casts, a series of them, and the parts they lay into the hand.

The order of draws is part of the contract: one a shell, the marked one first, or one a die.
"""

import numpy as np

from simulator.engine.compiled import apart, inlined, kernel_function
from simulator.engine.families.race.kernel.layout import NOTED, W_HELD, W_SERIES, pieces_at
from simulator.engine.families.race.kernel.rules import (
    C_AGAIN,
    C_CANCELS,
    C_DOUBLE,
    C_JOINED,
    C_NUMBER,
    C_PART,
    C_SCORE,
    C_SECOND,
    C_SECONDS,
    CAST_WORDS,
    CASTS,
    DIE,
    R_CANCEL_AFTER,
    R_CANCEL_SAME,
    R_CANCELS_LAST,
    R_COWRIES,
    R_DICE,
    R_FACES,
    R_FREE,
    R_LIMIT,
    R_OF,
    R_ONE_AT_A_TIME,
    R_PIECES,
    R_UP,
)
from simulator.engine.families.race.position import W_AGAIN, W_DOUBLE, W_HAND, W_MOVER, W_POOL
from simulator.engine.randomness import CHANCE
from simulator.engine.randomness_kernel import GAMMA, LOW, ONE, S32, below, mix

UNKNOWN = -1


@kernel_function
def _cast_shells(rules, streams, stream):
    """2 * the mouths up, and 1 if the marked shell's is.

    All shells are drawn without looking whether a draw has to be repeated, which happens once in many million throws;
    then they are drawn again one by one.
    """
    apart()
    key, drawn = streams[2 * stream], streams[2 * stream + 1]
    of, up = np.uint64(rules[R_OF]), np.uint64(rules[R_UP])
    product = _draw(key, drawn + ONE, of)
    lowest, marked = product & LOW, 0 + (product >> S32 < up)
    mouths = marked
    for shell in range(2, rules[R_COWRIES] + 1):
        product = _draw(key, drawn + np.uint64(shell), of)
        lowest = min(lowest, product & LOW)
        mouths += product >> S32 < up
    if lowest < of:
        return _cast_one_by_one(rules, streams, stream)
    streams[2 * stream + 1] = drawn + np.uint64(rules[R_COWRIES])
    return 2 * mouths + marked


@inlined
def _draw(key, number, of):
    """Draw `number` of a stream: the outcome below `of` in the upper half, what tells a bad draw in the lower."""
    return (mix(key + number * GAMMA) >> S32) * of


@kernel_function
def _cast_one_by_one(rules, streams, stream):
    apart()
    of, up = rules[R_OF], rules[R_UP]
    marked = below(streams, stream, of) < up
    mouths = 0 + marked
    for _ in range(1, rules[R_COWRIES]):
        mouths += below(streams, stream, of) < up
    return 2 * mouths + marked


@inlined
def _cast(rules, streams, stream):
    """Throw the lots once; returns where the row of what they show begins."""
    if rules[R_COWRIES]:
        return CASTS + CAST_WORDS * _cast_shells(rules, streams, stream)
    place = below(streams, stream, rules[R_FACES])
    if rules[R_DICE] == 2:
        place = DIE * place + below(streams, stream, rules[R_FACES])
    return CASTS + CAST_WORDS * place


@kernel_function
def take_throws(rules, position, streams):
    """Make the mover's throw, or his series of throws, and lay its parts ready; nothing may be in the hand."""
    apart()
    stream, thrown, run, again = CHANCE + position[W_MOVER], 0, 0, 0
    for _ in range(rules[R_LIMIT]):
        cast = _cast(rules, streams, stream)
        again = rules[cast + C_AGAIN]
        position[W_SERIES + thrown] = cast
        if rules[cast + C_CANCELS]:
            run = 1 + (run if _goes_on(rules, position, thrown, run) else 0)
        else:
            run = 0
        thrown += 1
        if run == rules[R_CANCEL_AFTER]:
            thrown -= 1 if rules[R_CANCELS_LAST] else run
            run = 0
        if again == 0:
            break
    position[W_AGAIN] = again & rules[R_ONE_AT_A_TIME]
    _lay_ready(rules, position, thrown)


@inlined
def _goes_on(rules, position, thrown, run):
    """Whether the cast at that place of the series goes on with the run before it."""
    if run == 0 or rules[R_CANCEL_SAME] == 0:
        return True
    before = position[W_SERIES + thrown - 1]
    return rules[position[W_SERIES + thrown] + C_SCORE] == rules[before + C_SCORE]


@inlined
def _lay_ready(rules, position, thrown):
    """Lay the parts of a series; its first extra points pay for the pieces that wait."""
    if thrown:
        position[W_DOUBLE] = rules[position[W_SERIES + thrown - 1] + C_DOUBLE]
    held, owed = NOTED, UNKNOWN
    for place in range(thrown):
        cast = position[W_SERIES + place]
        joined = rules[cast + C_JOINED]
        if rules[R_FREE]:
            position[W_POOL] += rules[cast + C_SCORE]
            continue
        if joined >= 0:
            if owed == UNKNOWN:
                owed = _waiting(rules, position)
            if owed == 0:
                held |= _lay(position, joined, 1)
                continue
            owed -= 1
        held |= _lay(position, rules[cast + C_PART], rules[cast + C_NUMBER])
        held |= _lay(position, rules[cast + C_SECOND], rules[cast + C_SECONDS])
    position[W_HELD] = held


@inlined
def _lay(position, kind, number):
    """Lay so many parts of a kind; returns the kind as a bit if that is any."""
    position[W_HAND + kind] += number
    return (0 + (number > 0)) << kind


@kernel_function
def _waiting(rules, position):
    """How many of the mover's pieces wait."""
    apart()
    waiting, at = 0, pieces_at(rules, position[W_MOVER])
    for piece in range(rules[R_PIECES]):
        waiting += position[at + piece] == 0
    return waiting
