"""What ends a turn and a game, and what is counted then."""

from simulator.engine.compiled import inlined
from simulator.engine.families.race.kernel.layout import W_PROGRESS, pieces_at
from simulator.engine.families.race.kernel.rules import R_HOME, R_PIECES, R_SEATS, R_TEAMS
from simulator.engine.families.race.measures import ARRIVED, LEAD, LEAD_CHANGES, TURNS, WAIT
from simulator.engine.families.race.position import SEATS, W_END, W_WINNERS
from simulator.engine.family import WIN


@inlined
def _is_home(rules, position, seat):
    """Whether all pieces of a seat are home: the last of them is."""
    return position[pieces_at(rules, seat)] == rules[R_HOME]


@inlined
def is_won(rules, position, seat):
    """Whether all pieces of the seat's side are home."""
    return _is_home(rules, position, seat) and (rules[R_TEAMS] == 0 or _is_home(rules, position, seat ^ 2))


@inlined
def end_game(rules, position, seat):
    position[W_END] = WIN
    position[W_WINNERS] = (1 << seat) | (rules[R_TEAMS] << (seat ^ 2))


@inlined
def next_seat(rules, position, seat):
    """The next seat to the right that still has pieces to bring home."""
    for _ in range(rules[R_SEATS]):
        seat = seat + 1 if seat + 1 < rules[R_SEATS] else 0
        if not _is_home(rules, position, seat):
            break
    return seat


@inlined
def count_turn(rules, position, counts, seat):
    """The turn is over: count it, whether the player still waited for his first piece, and follow who is ahead."""
    counts[TURNS] += 1
    arrived = counts[ARRIVED] >> seat & 1
    counts[WAIT + seat] += 1 - arrived
    if arrived == 0 and position[pieces_at(rules, seat) + rules[R_PIECES] - 1] > 0:
        counts[ARRIVED] |= 1 << seat
    first = second = -1  # the most steps of a side and the next most, each with the side behind it
    for side in range(2 if rules[R_TEAMS] else rules[R_SEATS]):
        steps = SEATS * _side_steps(rules, position, side) + side
        second = max(second, min(first, steps))
        first = max(first, steps)
    if first // SEATS > second // SEATS:
        leader = 1 + first % SEATS
        counts[LEAD_CHANGES] += (counts[LEAD] != 0) & (counts[LEAD] != leader)
        counts[LEAD] = leader


@inlined
def _side_steps(rules, position, seat):
    """The steps of all pieces of a seat's side together."""
    steps = position[W_PROGRESS + seat]
    return steps + position[W_PROGRESS + (seat ^ 2)] if rules[R_TEAMS] else steps
