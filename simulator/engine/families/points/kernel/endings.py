"""What ends a turn and a game: pieces taken, players who cannot move, bounds."""

from simulator.engine.compiled import inlined, kernel_function, noinline
from simulator.engine.ends import DRAW, ENDLESS, WIN
from simulator.engine.families.points import measures
from simulator.engine.families.points import position as code
from simulator.engine.families.points.kernel import layout, sets
from simulator.engine.families.points.kernel import rules as rule
from simulator.engine.families.points.kernel.choices import count_moves, may_move, waits
from simulator.engine.families.points.kernel.layout import KINGS, MEN, TAKEN, set_at
from simulator.engine.randomness_kernel import mix_signed


@inlined
def end_game(position, winner):
    """The game is won by a seat."""
    _end(position, WIN, 1 << winner)


@inlined
def _end(position, kind, winners):
    position[code.W_PHASE] = code.OVER
    position[code.W_END] = kind
    position[code.W_WINNERS] = winners
    position[code.W_LAID] = 0


@inlined
def follow_first_moved(counts, point, to):
    """A piece goes from one point to another: follow the piece that moved first."""
    if counts[measures.MOVED_TO] == 0 or counts[measures.MOVED_TO] == point + 1:
        counts[measures.MOVED_TO] = to + 1


@kernel_function
def count_taken(rules, position, wide, counts, seat, point):
    """Count a piece taken there by that seat; whether the other player now has fewer than he must have."""
    noinline()
    counts[measures.TAKEN + seat] += 1
    if counts[measures.MOVED_TO] == point + 1:
        counts[measures.MOVED_TO] = -1
        counts[measures.MOVED_ENDED], counts[measures.MOVED_WINNER] = 1, seat
        counts[measures.MOVED_TURNS] = counts[measures.TURNS] + 1
    if counts[measures.FIRST_ENDED] == 0:
        counts[measures.FIRST_ENDED], counts[measures.FIRST_WINNER] = 1, seat
        counts[measures.FIRST_TURNS] = counts[measures.TURNS] + 1
    for place in range(len(measures.COURSE)):
        if counts[measures.TURNS] < measures.COURSE[place]:
            counts[measures.TAKEN_AT + 2 * place + seat] = counts[measures.TAKEN + seat]
    other = 1 - seat
    left = position[code.W_HAND + other]
    left += sets.count(position, set_at(wide, MEN + other), wide)
    left += sets.count(position, set_at(wide, KINGS + other), wide)
    return left < rules[rule.R_LOSES_BELOW + other]


@inlined
def count_row(counts, seat):
    """Count a row of three, if it is the first."""
    if counts[measures.ROW_ENDED] == 0:
        counts[measures.ROW_ENDED], counts[measures.ROW_WINNER] = 1, seat
        counts[measures.ROW_TURNS] = counts[measures.TURNS] + 1


@inlined
def count_turn(rules, position, wide, counts, seat):
    """The turn is over: count it, and follow who is ahead in pieces taken."""
    counts[measures.TURNS] += 1
    ahead = counts[measures.TAKEN] - counts[measures.TAKEN + 1]
    if ahead:
        lead = 1 if ahead > 0 else -1
        counts[measures.LEAD_CHANGES] += lead == -counts[measures.LEAD]
        counts[measures.LEAD] = lead
    keeps_huffable = rules[rule.R_HUFF] and position[code.W_END] == code.RUNNING
    for w in range(len(wide)):
        position[set_at(wide, TAKEN) + w] &= layout.pieces(position, wide, seat, w) if keeps_huffable else 0
    position[code.W_CHAIN] = position[code.W_CHAIN_DIRECTION] = position[code.W_HOPS] = 0


@inlined
def hand_over(rules, position, wide, seat, passed):
    """The next player is found; a game may end at the beginning of his turn."""
    position[code.W_PHASE] = code.PLAY
    position[code.W_MOVER] = 1 - seat
    if position[code.W_LAID]:
        if rules[rule.R_FIRST_MOVE_BY] and position[code.W_HAND] + position[code.W_HAND + 1] == 0:
            position[code.W_MOVER] = rules[rule.R_FIRST_MOVE_BY] - 1
        position[code.W_LAID] = rules[rule.R_STUCK_AFTER_LAYING]
    position[layout.idle_at(wide)] += 1
    position[layout.turns_at(wide)] += 1
    position[layout.known_at(wide)] = 0
    if rules[rule.R_HUFF] and sets.count(position, set_at(wide, TAKEN), wide):
        position[code.W_PHASE] = code.HUFF
    elif not _can_move(rules, position, wide):
        end_if_stuck(rules, position, position[code.W_MOVER], passed)
    if rules[rule.R_BOUNDED] and position[code.W_END] == code.RUNNING:
        end_by_bounds(rules, position, wide)
        if rules[rule.R_HUFF] and position[code.W_END] != code.RUNNING:
            forget_huffable(position, wide)


@inlined
def _can_move(rules, position, wide):
    """Whether there is a move, found in the way that costs least with what will be asked next."""
    if position[layout.looked_past_at(wide)]:
        return may_move(rules, position, wide)
    return count_moves(rules, position, wide) > 0


@inlined
def forget_huffable(position, wide):
    for w in range(len(wide)):
        position[set_at(wide, TAKEN) + w] = 0


@inlined
def end_if_stuck(rules, position, seat, passed):
    """A player without a move has lost, or is to pass; if both have to, nothing can change any more."""
    if waits(rules, position, seat) or position[code.W_LAID]:
        return
    if rules[rule.R_STUCK + seat] == rule.LOSES:
        end_game(position, 1 - seat)
    elif passed and rules[rule.R_STUCK] == rule.PASSES and rules[rule.R_STUCK + 1] == rule.PASSES:
        _end(position, ENDLESS, 0)


@kernel_function
def end_by_bounds(rules, position, wide):
    """Draws by idle turns, by the number of turns, by repetition."""
    noinline()
    if rules[rule.R_IDLE] and position[layout.idle_at(wide)] >= rules[rule.R_IDLE]:
        _end(position, DRAW, 0)
    elif rules[rule.R_TURN_LIMIT] and position[layout.turns_at(wide)] >= rules[rule.R_TURN_LIMIT]:
        _end(position, DRAW, 0)
    elif rules[rule.R_REPETITION]:
        remember(rules, position, wide)


@kernel_function
def remember(rules, position, wide):
    """Note the position a turn begins with; it is a draw if it stood often enough since something was laid or taken."""
    noinline()
    if position[layout.idle_at(wide)] == 0:
        position[layout.remembered_at(wide)] = 0
    mark = _hash(position, wide)
    noted, seen = position[layout.remembered_at(wide)], 1
    for place in range(min(noted, code.MEMORY)):
        seen += position[layout.memory_at(wide) + place] == mark
    position[layout.memory_at(wide) + noted % code.MEMORY] = mark
    position[layout.remembered_at(wide)] = noted + 1
    if seen >= rules[rule.R_REPETITION]:
        _end(position, DRAW, 0)


@inlined
def _hash(position, wide):
    mark = position[code.W_MOVER]
    mark = mix_signed(mark + position[code.W_HAND])
    mark = mix_signed(mark + position[code.W_HAND + 1])
    for w in range(4 * len(wide)):
        mark = mix_signed(mark + position[set_at(wide, MEN) + w])
    return mark
