"""What ends a turn and a game, and what is counted then."""

from simulator.engine.compiled import inlined
from simulator.engine.ends import WIN
from simulator.engine.families.race import measures
from simulator.engine.families.race import position as code
from simulator.engine.families.race.kernel import rules as rule
from simulator.engine.families.race.kernel.layout import W_PROGRESS, pieces_at


@inlined
def _is_home(rules, position, seat):
    """Whether all pieces of a seat are home: the last of them is."""
    return position[pieces_at(rules, seat)] == rules[rule.R_HOME]


@inlined
def is_won(rules, position, seat):
    """Whether all pieces of the seat's side are home."""
    return _is_home(rules, position, seat) and (rules[rule.R_TEAMS] == 0 or _is_home(rules, position, seat ^ 2))


@inlined
def end_game(rules, position, seat):
    position[code.W_END] = WIN
    position[code.W_WINNERS] = (1 << seat) | (rules[rule.R_TEAMS] << (seat ^ 2))


@inlined
def pass_turn(rules, position, seat):
    """The turn goes on from the mover to the next player who has pieces to bring home.

    Or it goes to the next of all, who throws for his partner if he has none.
    """
    seat = _next_seat(rules, seat ^ 2 if position[code.W_FOR_PARTNER] else seat)
    if rules[rule.R_FOR_PARTNER]:
        is_done = _is_home(rules, position, seat)
        position[code.W_FOR_PARTNER] = 0 + is_done
        seat = seat ^ 2 if is_done else seat
    else:
        while _is_home(rules, position, seat):
            seat = _next_seat(rules, seat)
    position[code.W_MOVER] = seat


@inlined
def _next_seat(rules, seat):
    seat += rules[rule.R_NEXT_SEAT]
    return seat if seat < rules[rule.R_SEATS] else seat - rules[rule.R_SEATS]


@inlined
def count_turn(rules, position, counts, seat):
    """The turn is over: count it, whether the player still waited for his first piece, and follow who is ahead."""
    counts[measures.TURNS] += 1
    arrived = counts[measures.ARRIVED] >> seat & 1
    counts[measures.WAIT + seat] += 1 - arrived
    if arrived == 0 and position[pieces_at(rules, seat) + rules[rule.R_PIECES] - 1] > 0:
        counts[measures.ARRIVED] |= 1 << seat
    first = second = -1  # the most steps of a side and the next most, each with the side behind it
    for side in range(2 if rules[rule.R_TEAMS] else rules[rule.R_SEATS]):
        steps = code.SEATS * _side_steps(rules, position, side) + side
        second = max(second, min(first, steps))
        first = max(first, steps)
    if first // code.SEATS > second // code.SEATS:
        leader = 1 + first % code.SEATS
        counts[measures.LEAD_CHANGES] += (counts[measures.LEAD] != 0) & (counts[measures.LEAD] != leader)
        counts[measures.LEAD] = leader


@inlined
def _side_steps(rules, position, seat):
    """The steps of all pieces of a seat's side together."""
    steps = position[W_PROGRESS + seat]
    return steps + position[W_PROGRESS + (seat ^ 2)] if rules[rule.R_TEAMS] else steps
