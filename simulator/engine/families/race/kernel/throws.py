"""Throwing the lots: casts, a series of them, and the parts they lay into the hand.

The order of draws is part of the contract: one a shell, the marked one first, or one a die.
"""

import numpy as np

from simulator.engine.bits import count_bits
from simulator.engine.compiled import inlined, kernel_function, noinline
from simulator.engine.families.race import position as code
from simulator.engine.families.race.kernel import rules as rule
from simulator.engine.families.race.kernel.rooms import NOTED, W_HELD, W_SERIES, pieces_at
from simulator.engine.randomness import CHANCE
from simulator.engine.randomness_kernel import AT_ONCE, below, which_below

UNKNOWN = -1


@kernel_function
def _cast_shells(rules, streams, stream):
    """Return 2 * the mouths up, and 1 more if the marked shell's is.

    Eight shells are drawn at once, without looking whether a draw has to be repeated, which happens once in many
    million throws; then they are drawn again one by one.
    """
    noinline()
    key, drawn, shells = streams[2 * stream], streams[2 * stream + 1], rules[rule.R_COWRIES]
    of, up = np.uint64(rules[rule.R_OF]), np.uint64(rules[rule.R_UP])
    # The marked shell first, as the order of draws wants it.
    found = which_below(key, drawn, of, up)
    marked, mouths, biased = found & 1, 0, 0
    for first in range(0, shells, AT_ONCE):
        if first:
            found = which_below(key, drawn + np.uint64(first), of, up)
        thrown = (1 << min(shells - first, AT_ONCE)) - 1
        mouths += count_bits(found & thrown)
        biased |= found >> AT_ONCE & thrown
    if biased:
        return _cast_one_by_one(rules, streams, stream)
    streams[2 * stream + 1] = drawn + np.uint64(shells)
    return 2 * mouths + marked


@kernel_function
def _cast_one_by_one(rules, streams, stream):
    noinline()
    of, up = rules[rule.R_OF], rules[rule.R_UP]
    marked = below(streams, stream, of) < up
    mouths = 0 + marked
    for _ in range(1, rules[rule.R_COWRIES]):
        mouths += below(streams, stream, of) < up
    return 2 * mouths + marked


@kernel_function
def _cast_row(rules, streams, stream):
    """Return which row of the table of lots falls."""
    noinline()
    drawn, row = below(streams, stream, rules[rule.R_TIMES]), 0
    while drawn >= rules[rule.TIMES + row]:
        drawn -= rules[rule.TIMES + row]
        row += 1
    return row


@inlined
def _cast(rules, streams, stream):
    """Throw the lots once; returns where the row of what they show begins."""
    instead = rules[rule.R_NO_DICE]
    if instead == rule.SHELLS:
        return rule.CASTS + rule.CAST_WORDS * _cast_shells(rules, streams, stream)
    if instead:
        return rule.CASTS + rule.CAST_WORDS * _cast_row(rules, streams, stream)
    place = rules[rule.OUTCOMES + below(streams, stream, rules[rule.R_OUTCOMES])]
    if rules[rule.R_DICE] == 2:
        # Rows of two dice are numbered by the places of both faces.
        place = rule.DIE * place + rules[rule.OUTCOMES + below(streams, stream, rules[rule.R_OUTCOMES])]
    return rule.CASTS + rule.CAST_WORDS * place


@kernel_function
def take_throws(rules, position, streams):
    """Make the mover's throw, or his series of throws, and lay its parts ready; nothing may be in the hand."""
    noinline()
    stream, thrown, run, again = CHANCE + position[code.W_MOVER], 0, 0, 0
    for _ in range(rules[rule.R_LIMIT]):
        cast = _cast(rules, streams, stream)
        again = rules[cast + rule.C_AGAIN]
        position[W_SERIES + thrown] = cast
        # `run` counts the cancelling casts in succession; when it is full, they are taken off the end of the series.
        if rules[cast + rule.C_CANCELS]:
            run = 1 + (run if _goes_on(rules, position, thrown, run) else 0)
        else:
            run = 0
        thrown += 1
        if run == rules[rule.R_CANCEL_AFTER]:
            thrown -= 1 if rules[rule.R_CANCELLED] else run
            run = 0
        if again == 0:
            break
    # R_SERIES is 1 where throws are played one at a time, 0 where a series is thrown first and then played.
    position[code.W_AGAIN] = again & rules[rule.R_SERIES]
    _lay_ready(rules, position, thrown)


@inlined
def _goes_on(rules, position, thrown, run):
    """Return whether the cast at that place of the series goes on with the run before it."""
    if run == 0 or rules[rule.R_CANCEL_SAME] == 0:
        return True
    before = position[W_SERIES + thrown - 1]
    return rules[position[W_SERIES + thrown] + rule.C_SCORE] == rules[before + rule.C_SCORE]


@inlined
def _lay_ready(rules, position, thrown):
    """Lay the parts of a series; its first extra points pay for the pieces that wait."""
    if thrown:
        position[code.W_DOUBLE] = rules[position[W_SERIES + thrown - 1] + rule.C_DOUBLE]
    held, owed = NOTED, UNKNOWN
    for place in range(thrown):
        cast = position[W_SERIES + place]
        joined = rules[cast + rule.C_JOINED]
        if rules[rule.R_DIVISION] == rule.DIVISION_FREE:
            position[code.W_POOL] += rules[cast + rule.C_SCORE]
            position[code.W_FACES] |= rules[cast + rule.C_FACES]
            continue
        if joined >= 0:
            if owed == UNKNOWN:
                # Counted only when the first extra point turns up, which few throws bring.
                owed = waiting(rules, position)
            if owed == 0:
                held |= _lay(position, joined, 1)
                continue
            owed -= 1
        elif joined != rule.NOTHING:
            held |= _lay_more(rules, position, cast)
        held |= _lay(position, rules[cast + rule.C_PART], rules[cast + rule.C_NUMBER])
        held |= _lay(position, rules[cast + rule.C_SECOND], rules[cast + rule.C_SECONDS])
    position[W_HELD] = held


@kernel_function
def _lay_more(rules, position, cast):
    """Lay the third and the fourth kind of part that a row of a table may bring; note if only one part is played."""
    noinline()
    position[code.W_FACES] |= rules[cast + rule.C_FACES]
    third = rule.MORE + 4 * ((cast - rule.CASTS) // rule.CAST_WORDS)
    fourth = third + 2
    return _lay(position, rules[third], rules[third + 1]) | _lay(position, rules[fourth], rules[fourth + 1])


@inlined
def _lay(position, kind, number):
    """Lay so many parts of a kind; returns the kind as a bit if that is any."""
    position[code.W_HAND + kind] += number
    return (0 + (number > 0)) << kind


@kernel_function
def waiting(rules, position):
    """Return how many of the mover's pieces wait."""
    noinline()
    waiting, at = 0, pieces_at(rules, position[code.W_MOVER])
    for piece in range(rules[rule.R_PIECES]):
        waiting += position[at + piece] == 0
    return waiting
