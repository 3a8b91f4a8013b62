"""From the ends backwards, compiled: who wins where, after how many plies, and which draws the rules bring about."""
# mypy: ignore-errors

from simulator.engine.compiled import kernel_function
from simulator.engine.solving.kernel.growing import DRAWN, RELEASES_NOBODY, WON_BY_FIRST, WON_BY_SECOND

# What best play comes to. Draws by the rules and draws by endless play are told apart.
FIRST_WINS, SECOND_WINS, RULES_DRAW, ENDLESS_PLAY, UNKNOWN = range(5)


@kernel_function
def turn_round(offsets, targets, starts, sources):
    """The moves by where they lead: those into position i come from sources[starts[i]:starts[i + 1]].

    starts: int64[positions + 1], zeros
    """
    positions = len(starts) - 1
    for move in range(offsets[positions]):
        starts[targets[move]] += 1
    total = 0
    for number in range(positions):
        total += starts[number]
        starts[number] = total
    starts[positions] = total
    for back in range(positions):  # from the last down, so that the sources of each stand in ascending order
        number = positions - 1 - back
        for move in range(offsets[number], offsets[number + 1]):
            starts[targets[move]] -= 1
            sources[starts[targets[move]]] = number


@kernel_function
def find_wins(kinds, offsets, starts, sources, values, distances, left, queue):
    """Every position that a seat can force, with the plies it takes: a win as soon, a loss as late as can be.

    One ply is one step, whoever made it, so positions come off the queue in order of distance: the first winning move
    found is the quickest, and the last losing one the slowest. values: int8, UNKNOWN where nobody can force a win.
    """
    waiting = 0
    for number in range(len(values)):
        values[number] = UNKNOWN
        left[number] = offsets[number + 1] - offsets[number]
        if kinds[number] == WON_BY_FIRST or kinds[number] == WON_BY_SECOND:
            values[number] = FIRST_WINS if kinds[number] == WON_BY_FIRST else SECOND_WINS
            queue[waiting] = number
            waiting += 1
    taken = 0
    while taken < waiting:
        number = queue[taken]
        taken += 1
        for place in range(starts[number], starts[number + 1]):
            source = sources[place]
            if values[source] != UNKNOWN:
                continue
            left[source] -= 1
            if kinds[source] == values[number] or left[source] == 0:
                values[source] = values[number]
                distances[source] = distances[number] + 1
                queue[waiting] = source
                waiting += 1


@kernel_function
def tell_draws_apart(kinds, offsets, targets, starts, sources, values, left, queue):
    """Where nobody can force a win: RULES_DRAW where play must come to a drawn end unless somebody gives up his draw,
    ENDLESS_PLAY where it need not."""
    waiting = 0
    for number in range(len(values)):
        if values[number] != UNKNOWN:
            continue
        if kinds[number] == DRAWN:
            values[number] = RULES_DRAW
            queue[waiting] = number
            waiting += 1
        elif kinds[number] == RELEASES_NOBODY:
            values[number] = ENDLESS_PLAY
        left[number] = 0
        for move in range(offsets[number], offsets[number + 1]):
            left[number] += values[targets[move]] > SECOND_WINS
    taken = 0
    while taken < waiting:
        number = queue[taken]
        taken += 1
        for place in range(starts[number], starts[number + 1]):
            source = sources[place]
            if values[source] != UNKNOWN:
                continue
            left[source] -= 1
            if left[source] == 0:
                values[source] = RULES_DRAW
                queue[waiting] = source
                waiting += 1
    for number in range(len(values)):
        if values[number] == UNKNOWN:
            values[number] = ENDLESS_PLAY


@kernel_function
def find_forced(kinds, offsets, starts, sources, allowed, reached, seat, left, queue):
    """Add to `reached` (int8) every position from which `seat` can force one that is in it already, never leaving
    `allowed` (int8) by his own move."""
    waiting = 0
    for number in range(len(reached)):
        left[number] = offsets[number + 1] - offsets[number]
        if reached[number]:
            queue[waiting] = number
            waiting += 1
    taken = 0
    while taken < waiting:
        number = queue[taken]
        taken += 1
        for place in range(starts[number], starts[number + 1]):
            source = sources[place]
            if reached[source] or not allowed[source]:
                continue
            left[source] -= 1
            if kinds[source] == seat or left[source] == 0:
                reached[source] = 1
                queue[waiting] = source
                waiting += 1
