"""What a position is worth, in the integers that all searches share."""

from simulator.engine.compiled import inlined, kernel_function, words
from simulator.engine.ends import WIN
from simulator.engine.players.kernel.calls import AHEAD, SCALE, SEATS, evaluate
from simulator.engine.players.kernel.pointers import copy_words

WHOLE = 1024  # the score of a game that was won
MOST_HASTE = WHOLE // 4  # turns
MATE = 1 << 20  # the value of a position that is won at once
MATED = MATE - 4096  # the least value of a win some plies on


@kernel_function
def score(frame, end, winners, seat, turns):
    """What a game that was played on came to for a seat after so many turns, 0 … WHOLE.

    A win is the whole; a game that was cut is judged by the family's evaluation e as (1 + e / (|e| + s)) / 2 of it, s
    being the family's EVALUATION_SCALE, which keeps the order of evaluations. What lies above or below a half is worth
    the less the later it comes, half of it after MOST_HASTE turns: who wins whatever he does would else never come to
    an end. All is rounded down.
    """
    half = WHOLE // 2
    if end == WIN:
        beyond = half if winners >> seat & 1 else -half
    elif end >= 0:
        beyond = 0
    else:
        ahead = _ahead(frame, seat)
        size = abs(ahead) + frame[SCALE]
        beyond = half * (ahead + size) // size - half
    return half + beyond * (WHOLE - 2 * min(turns, MOST_HASTE)) // WHOLE


@inlined
def _ahead(frame, seat):
    """The evaluation for a seat: what one of two is ahead the other is behind."""
    if seat == 0:
        return frame[AHEAD]
    return evaluate(frame, seat) if frame[SEATS] > 2 else -frame[AHEAD]


@kernel_function
def value(frame, end, winners, seat, plies):
    """What a position is worth to a seat after so many plies: a win the more the sooner, a loss the less the sooner."""
    if end == WIN:
        return MATE - plies if winners >> seat & 1 else plies - MATE
    if end >= 0:
        return 0
    return evaluate(frame, seat)


@inlined
def copy(source, target):
    """Copy one row of integers into another as long."""
    copy_words(words(source), words(target), len(target))
