"""What ends a turn and a game: pieces taken, players who cannot move, bounds."""

from simulator.engine.compiled import apart, inlined, kernel_function
from simulator.engine.families.points.kernel import sets
from simulator.engine.families.points.kernel.choices import count_moves, waits
from simulator.engine.families.points.kernel.layout import (
    KINGS,
    MEN,
    TAKEN,
    idle_at,
    known_at,
    memory_at,
    remembered_at,
    set_at,
    turns_at,
)
from simulator.engine.families.points.kernel.rules import (
    LOSES,
    PASSES,
    R_BOUNDED,
    R_FIRST_MOVE_BY,
    R_IDLE,
    R_LOSES_BELOW,
    R_REPETITION,
    R_STUCK,
    R_STUCK_AFTER_LAYING,
    R_TURN_LIMIT,
)
from simulator.engine.families.points.measures import (
    COURSE,
    FIRST_ENDED,
    FIRST_TURNS,
    FIRST_WINNER,
    LEAD,
    LEAD_CHANGES,
    TAKEN_AT,
    TURNS,
)
from simulator.engine.families.points.measures import TAKEN as TAKEN_BY
from simulator.engine.families.points.position import (
    MEMORY,
    OVER,
    PLAY,
    RUNNING,
    W_CHAIN,
    W_CHAIN_DIRECTION,
    W_END,
    W_HAND,
    W_HOPS,
    W_LAID,
    W_MOVER,
    W_PHASE,
    W_WINNERS,
)
from simulator.engine.family import DRAW, ENDLESS, WIN
from simulator.engine.randomness_kernel import mix_signed


@inlined
def end_game(position, winner):
    """The game is won by a seat."""
    _end(position, WIN, 1 << winner)


@inlined
def _end(position, kind, winners):
    position[W_PHASE] = OVER
    position[W_END] = kind
    position[W_WINNERS] = winners
    position[W_LAID] = 0


@kernel_function
def count_taken(rules, position, wide, counts, seat):
    """Count a piece taken by that seat; whether the other player now has fewer than he must have."""
    apart()
    counts[TAKEN_BY + seat] += 1
    if counts[FIRST_ENDED] == 0:
        counts[FIRST_ENDED], counts[FIRST_WINNER], counts[FIRST_TURNS] = 1, seat, counts[TURNS] + 1
    for place in range(len(COURSE)):
        if counts[TURNS] < COURSE[place]:
            counts[TAKEN_AT + 2 * place + seat] = counts[TAKEN_BY + seat]
    other = 1 - seat
    left = position[W_HAND + other]
    left += sets.count(position, set_at(wide, MEN + other), wide)
    left += sets.count(position, set_at(wide, KINGS + other), wide)
    return left < rules[R_LOSES_BELOW + other]


@inlined
def count_turn(position, wide, counts):
    """The turn is over: count it, and follow who is ahead in pieces taken."""
    counts[TURNS] += 1
    ahead = counts[TAKEN_BY] - counts[TAKEN_BY + 1]
    if ahead:
        lead = 1 if ahead > 0 else -1
        counts[LEAD_CHANGES] += lead == -counts[LEAD]
        counts[LEAD] = lead
    for w in range(len(wide)):
        position[set_at(wide, TAKEN) + w] = 0
    position[W_CHAIN] = position[W_CHAIN_DIRECTION] = position[W_HOPS] = 0


@inlined
def hand_over(rules, position, wide, seat, passed):
    """The next player is found, and judged at the beginning of his turn."""
    position[W_PHASE] = PLAY
    position[W_MOVER] = 1 - seat
    if position[W_LAID]:
        if rules[R_FIRST_MOVE_BY] and position[W_HAND] + position[W_HAND + 1] == 0:
            position[W_MOVER] = rules[R_FIRST_MOVE_BY] - 1
        position[W_LAID] = rules[R_STUCK_AFTER_LAYING]
    position[idle_at(wide)] += 1
    position[turns_at(wide)] += 1
    position[known_at(wide)] = 0
    if count_moves(rules, position, wide) == 0:
        _judge_stuck(rules, position, position[W_MOVER], passed)
    if rules[R_BOUNDED] and position[W_END] == RUNNING:
        judge_bounds(rules, position, wide)


@inlined
def _judge_stuck(rules, position, seat, passed):
    """A player without a move has lost, or is to pass; if both have to, nothing can change any more."""
    if waits(rules, position, seat) or position[W_LAID]:
        return
    if rules[R_STUCK + seat] == LOSES:
        end_game(position, 1 - seat)
    elif passed and rules[R_STUCK] == PASSES and rules[R_STUCK + 1] == PASSES:
        _end(position, ENDLESS, 0)


@kernel_function
def judge_bounds(rules, position, wide):
    """Draws by idle turns, by the number of turns, by repetition."""
    apart()
    if rules[R_IDLE] and position[idle_at(wide)] >= rules[R_IDLE]:
        _end(position, DRAW, 0)
    elif rules[R_TURN_LIMIT] and position[turns_at(wide)] >= rules[R_TURN_LIMIT]:
        _end(position, DRAW, 0)
    elif rules[R_REPETITION]:
        remember(rules, position, wide)


@kernel_function
def remember(rules, position, wide):
    """Note the position a turn begins with; it is a draw if it stood often enough since something was laid or taken."""
    apart()
    if position[idle_at(wide)] == 0:
        position[remembered_at(wide)] = 0
    mark = _hash(position, wide)
    noted, seen = position[remembered_at(wide)], 1
    for place in range(min(noted, MEMORY)):
        seen += position[memory_at(wide) + place] == mark
    position[memory_at(wide) + noted % MEMORY] = mark
    position[remembered_at(wide)] = noted + 1
    if seen >= rules[R_REPETITION]:
        _end(position, DRAW, 0)


@inlined
def _hash(position, wide):
    mark = position[W_MOVER]
    mark = mix_signed(mark + position[W_HAND])
    mark = mix_signed(mark + position[W_HAND + 1])
    for w in range(4 * len(wide)):
        mark = mix_signed(mark + position[set_at(wide, MEN) + w])
    return mark
