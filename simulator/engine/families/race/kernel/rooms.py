"""Where things stand in a kernel's position, and how far each of the mover's pieces may go.

Behind the identity that `position` describes stands what was worked out for the player to move. Whoever writes an
identity sets all that to 0: nothing known.

Nearly every rule that stops a piece (exact exit, home row by ones, exit by doubles, no passing, the bar) forbids all
distances from some distance on. So one number a piece is enough: it may go as far as its room and no farther. The rooms
of all pieces stand as bytes in one word, to be compared all at once; of pieces that stand together only the first has
room. One rule forbids single squares, safe ones where others stand; where it holds these are looked at piece by piece.
"""

from simulator.engine.bits import lowest_bit
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
W_CLOSED = W_PROGRESS + code.SEATS  # the steps that are safe, and on which others stand: a set, as two words
STACK = 2 * (rule.MOST_AHEAD + 1)  # words behind the series: a look ahead at the parts of a throw, two for each
W_SERIES = W_CLOSED + 2  # the casts of a series while it is thrown


@inlined
def identity_words(rules):
    return code.W_PIECES + rules[rule.R_SEATS] * rules[rule.R_PIECES]


@inlined
def size(rules):
    return W_SERIES + rules[rule.R_LIMIT] + STACK * rules[rule.R_PLAYS_MOST]


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


@inlined
def shift(rules, position, seat, step, to):
    """Move one piece of a seat from `step` to another; the steps stay in ascending order.

    Every piece is written again, so that the processor need not guess where the piece stood and where it comes to.
    """
    at = pieces_at(rules, seat)
    last = at + rules[rule.R_PIECES] - 1
    below = -1
    while at < last:
        other = position[at]
        if other >= step:
            other = position[at + 1]
        position[at] = max(below, min(other, to))
        below = other
        at += 1
    position[last] = max(below, to)
    position[W_PROGRESS + seat] += to - step


@inlined
def step_after(rules, step, distance):
    """Return the step so far on from another (0: entering): home at the most, or round again."""
    if rules[rule.R_TAKING]:
        return _round(rules, step, distance)
    return min(step + distance, rules[rule.R_HOME])


@kernel_function
def _round(rules, step, distance):
    """Return the same of a way that goes round: pieces that slept are awake then."""
    noinline()
    home, round_to = rules[rule.R_HOME], rules[rule.R_ROUND_TO]
    asleep = rules[rule.R_WAKE_SCORES]
    if step <= asleep:
        step += asleep
    to = step + distance
    return to if to < home else round_to + (to - home) % (home - round_to)


ONES, TOPS = 0x01010101010101, 0x80808080808080  # of the bytes of up to seven pieces
TOP = 0x80
WAITING_SQUARES = 3  # at the bar
UNSTOPPED = 512


@inlined
def which_reach(rooms, distance):
    """Return the places whose room is at least the distance (at most 128), as the highest bits of their bytes."""
    # One subtraction for all pieces. With its highest bit set first, a byte of 128 + room keeps that bit after the
    # distance is taken away only if the room is at least as large, and it never borrows from its neighbour.
    return ((rooms | TOPS) - distance * ONES) & TOPS


@inlined
def may_go(rules, position, distance):
    """Return the places of the pieces that may go that far (at most 128)."""
    places = which_reach(position[W_ROOMS], distance)
    if rules[rule.R_SAFE_MEETING] and places:
        places &= ~_kept_off(rules, position, distance)
    return places


@kernel_function
def _kept_off(rules, position, distance):
    """Return the places of the pieces that would land on a closed square."""
    noinline()
    kept = 0
    for place in range(0, 8 * rules[rule.R_PIECES], 8):
        kept |= is_closed(rules, position, (position[W_STEPS] >> place & 0xFF) + distance) << (place + 7)
    return kept


@inlined
def is_closed(rules, position, step):
    """Return 1 if the mover may not land on a step, because it is safe and others stand there; `find_rooms` notes
    it."""
    if rules[rule.R_SAFE_MEETING] == 0 or step >= rules[rule.R_HOME]:
        return 0
    return is_shared(position, step)


@inlined
def is_shared(position, step):
    """Return 1 if a step on the board is safe and others stand there."""
    return position[W_CLOSED + (step >> 6)] >> (step & 63) & 1


@kernel_function
def that_share(rules, position):
    """Return the places of the pieces that stand beside others and go on by ones only."""
    noinline()
    found = 0
    if rules[rule.R_LEAVING_SHARED]:
        for place in range(0, 8 * rules[rule.R_PIECES], 8):
            step = position[W_STEPS] >> place & 0xFF
            if step < rules[rule.R_HOME]:
                found |= is_shared(position, step) << (place + 7)
    return found


@kernel_function
def that_go_over(rules, position):
    """Return the places of the pieces that go, by two ones together, beyond a safe square on which others stand."""
    noinline()
    found = 0
    if rules[rule.R_SAFE_MEETING] == rule.SAFE_MEETING_PASSED_BY_ONES and position[code.W_HAND + rules[rule.R_ONE]] > 1:
        places = which_reach(position[W_ROOMS], 1) & ~position[W_WAITING]
        while places:
            place = lowest_bit(places)
            if goes_over(rules, position, position[W_STEPS] >> (place - 7) & 0xFF):
                found |= 1 << place
            places &= places - 1
    return found


@inlined
def goes_over(rules, position, step):
    """Return whether the next step is closed to the mover, and the one behind it is not."""
    # `0 +` makes a number of a truth value, as the compiler wants for a sum.
    return 0 + (is_closed(rules, position, step + 1) > is_closed(rules, position, step + 2))


@inlined
def opposed(rules, position, seat):
    """Return the steps of a seat on whose squares opposing pieces stand: a set, as two words."""
    low = high = 0
    for place in range(rules[rule.R_OPPOSING]):
        other = rules[rule.OPPOSING + code.SEATS * seat + place]
        at = pieces_at(rules, other)
        for piece in range(rules[rule.R_PIECES]):
            square = rules[rule.TRACKS + rule.ROW * other + position[at + piece]]
            table = rule.STEPS_ON + 2 * (rule.ROW * seat + square)
            low |= rules[table]
            high |= rules[table + 1]
    return low, high


@inlined
def nth_step(position, places, number):
    """Return the step of piece `number` of a set of places, counted from 0; there must be that many."""
    # A multiplication by 1 in every byte adds up all lower bytes in each: running totals of up to seven pieces.
    counted = (places >> 7) * ONES  # each byte: how many there are up to it
    return (position[W_STEPS] >> (lowest_bit(which_reach(counted, number + 1)) - 7)) & (code.STRIDE - 1)


@inlined
def list_steps(position, places, begin, out, found):
    """Write a code for the step of every piece of a set of places, from place `found` on; the place behind them."""
    while places:
        out[found] = begin + ((position[W_STEPS] >> (lowest_bit(places) - 7)) & (code.STRIDE - 1))
        places &= places - 1
        found += 1
    return found


@inlined
def find_rooms(rules, position):
    """Note the different steps of the mover's pieces and their rooms."""
    seat, home = position[code.W_MOVER], rules[rule.R_HOME]
    steps = rooms = several = place = 0
    at = pieces_at(rules, seat)
    unlocked, last = home - position[code.W_DOUBLE], -1
    for piece in range(rules[rule.R_PIECES]):
        step = position[at + piece]
        # ROOMS has two halves: the second holds where the dice show the double that the piece needs to go home.
        room = rules[rule.ROOMS + step + rule.ROW * (step == unlocked)]
        # Of pieces on one step only the first gets room, so that they count as one option.
        again = 0 - (step == last)  # every bit set, or none
        steps |= step << place
        rooms |= (room & ~again) << place
        several |= (TOP & again) << place >> 8
        place += 8
        last = step
    position[W_STEPS], position[W_SEVERAL] = steps, several
    # Steps ascend, so whoever waits comes first: one bit says whether any piece does.
    position[W_WAITING] = TOP & (0 - (position[at] == 0))
    if rules[rule.R_SHARED]:
        low, high = opposed(rules, position, seat)
        position[W_CLOSED] = low & ~rules[rule.STRIKES_ON + 2 * seat]
        position[W_CLOSED + 1] = high & ~rules[rule.STRIKES_ON + 2 * seat + 1]
    if rules[rule.R_NO_PASSING] | rules[rule.R_PARTNER_BAR]:
        rooms = _stopped_rooms(rules, position, seat, steps, rooms)
    position[W_ROOMS] = rooms


@kernel_function
def _stopped_rooms(rules, position, seat, steps, rooms):
    """Return the rooms as far as other pieces and the bars leave them."""
    noinline()
    low = high = stopped = 0
    row = corner = UNSTOPPED
    if rules[rule.R_NO_PASSING]:
        low, high = opposed(rules, position, seat)
    if rules[rule.R_PARTNER_BAR]:
        if is_barred(rules, position, seat):
            # The last step that is open while the home row is closed.
            row = rules[rule.R_BARRED] - 1
        if is_waited_for(rules, position, seat ^ 2):
            corner = rules[rule.R_CORNER]
    for place in range(0, 8 * rules[rule.R_PIECES], 8):
        step, room = steps >> place & 0xFF, rooms >> place & 0xFF
        if rules[rule.R_NO_PASSING]:
            room = min(room, _clear_way(low, high, step))
        # A piece before the closed row, or before the corner where it has to wait, may go as far as that and no
        # farther.
        room = min(room, row - step if step <= row else UNSTOPPED)
        room = min(room, corner - step if step <= corner else UNSTOPPED)
        stopped |= room << place
    return stopped


@inlined
def _clear_way(low, high, step):
    """Return how far it is to the next of a set of steps."""
    if step < 63:
        # Shifted so that the next step is bit 0; then the place of the lowest bit is the way to it, less 1.
        ahead = low >> (step + 1)
        if ahead:
            return 1 + lowest_bit(ahead)
        return 64 + lowest_bit(high) - step if high else rule.MOST_ROOM
    ahead = high >> (step - 63)
    return 1 + lowest_bit(ahead) if ahead else rule.MOST_ROOM


@inlined
def is_barred(rules, position, seat):
    """Return whether a seat's home row is closed: too few of its partner's pieces have passed, and none were let
    out."""
    if position[code.W_OPENED] >> seat & 1:
        return False
    # Steps ascend: that many of the partner's pieces are past the bar if the one so many from the end is.
    return position[pieces_at(rules, seat ^ 2) + rules[rule.R_PIECES] - rules[rule.R_PARTNER_BAR]] < rules[rule.R_PAST]


@kernel_function
def is_waited_for(rules, position, seat):
    """Return whether a seat waits before its closed home row for pieces of its partner."""
    noinline()
    if not is_barred(rules, position, seat):
        return False
    row, at, waiting = rules[rule.R_BARRED], pieces_at(rules, seat), False
    for piece in range(rules[rule.R_PIECES]):
        waiting |= (row - WAITING_SQUARES <= position[at + piece]) & (position[at + piece] < row)
    return waiting


@kernel_function
def may_leave_together(rules, position, parts):
    """Return whether two pieces may leave the waiting partner's inner corner by the double thrown, with so many parts
    left."""
    noinline()
    seat, double, corner = position[code.W_MOVER], position[code.W_DOUBLE], rules[rule.R_CORNER]
    if parts < 2 or not is_waited_for(rules, position, seat ^ 2):
        return False
    if is_closed(rules, position, corner + double):
        return False
    own, partners, standing, row = pieces_at(rules, seat), pieces_at(rules, seat ^ 2), 0, rules[rule.R_BARRED]
    for piece in range(rules[rule.R_PIECES]):
        standing += position[own + piece] == corner
        waits_at = position[partners + piece]
        if row - WAITING_SQUARES <= waits_at < row and waits_at - row + rules[rule.R_PAST] == corner + double:
            return False
    return standing >= 2
