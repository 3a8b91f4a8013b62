"""What a position is worth, in the integers that all searches share."""

from simulator.engine.compiled import inlined, kernel_function
from simulator.engine.family import WIN
from simulator.engine.players.kernel.calls import SCALE, ask, evaluate

WHOLE = 1024  # the score of a game that was won
MATE = 1 << 20  # the value of a position that is won at once
MATED = MATE - 4096  # the least value of a win some plies on


@kernel_function
def score(desk, end, winners, seat):
    """What a game came to for a seat, 0 … WHOLE; one that was cut is judged by the family's evaluation e.

    That is (1 + e / (|e| + s)) / 2 of the whole, rounded down, s being the family's EVALUATION_SCALE: it keeps the
    order of evaluations.
    """
    if end == WIN:
        return WHOLE if winners >> seat & 1 else 0
    if end >= 0:
        return WHOLE // 2
    ahead = evaluate(desk, seat)
    size = abs(ahead) + ask(desk, SCALE)
    return WHOLE // 2 * (ahead + size) // size


@kernel_function
def value(desk, end, winners, seat, plies):
    """What a position is worth to a seat after so many plies: a win the more the sooner, a loss the less the sooner."""
    if end == WIN:
        return MATE - plies if winners >> seat & 1 else plies - MATE
    if end >= 0:
        return 0
    return evaluate(desk, seat)


@inlined
def copy(source, target):
    """Copy one row of integers into another as long."""
    for i in range(len(target)):
        target[i] = source[i]
