"""Playing a move, and everything that follows: pieces sent back, the end of a turn and of a game, the next throw."""

from simulator.engine.bits import lowest_bit
from simulator.engine.compiled import inlined, kernel_function, noinline
from simulator.engine.ends import WIN
from simulator.engine.families.race import measures
from simulator.engine.families.race import position as code
from simulator.engine.families.race.kernel import rules as rule
from simulator.engine.families.race.kernel.choices import count_moves, kinds_in_hand, sum_in_hand
from simulator.engine.families.race.kernel.rooms import (
    NOTED,
    W_HELD,
    W_KNOWN,
    W_PROGRESS,
    goes_over,
    opposed,
    pieces_at,
    shift,
    step_after,
)
from simulator.engine.families.race.kernel.throws import take_throws, waiting


@kernel_function
def play_move(rules, position, move, streams, counts):
    """Play a legal move; when nothing more of the throw can be played, the next throw is made."""
    noinline()
    seat = position[code.W_MOVER]
    count_moves(rules, position)  # notes what is in the hand
    if move == code.PASS or move == code.DECLINE:
        counts[measures.PASSES] += move == code.PASS
    else:
        position[W_KNOWN] = 0
        if move < code.TOTAL:
            kind, step = move // code.STRIDE, move % code.STRIDE
            distance = rules[rule.KINDS + rule.KIND_WORDS * kind + rule.K_VALUE]
            if rules[rule.KINDS + rule.KIND_WORDS * kind + rule.K_ODD]:
                distance = _take_another_one(rules, position, kind, step, distance)
            _take(position, kind, 1)
            _advance(rules, position, counts, seat, step, distance)
        else:
            _play_otherwise(rules, position, counts, seat, move)
        if rules[rule.R_OTHERWISE] and position[code.W_FACES]:
            _clear_throw(rules, position)  # the other numbers are not played
        if is_won(rules, position, seat):
            # No further throw belongs to a game that is won.
            position[code.W_AGAIN] = 0
            end_game(rules, position, seat)
        elif _has_more(rules, position) and count_moves(rules, position):
            return  # something of the throw can still be played: the mover goes on
    _clear_throw(rules, position)
    # Where throws are played one at a time, a further throw belongs to the same turn.
    if position[code.W_AGAIN] == 0:
        count_turn(rules, position, counts, seat)
        if position[code.W_END] != code.RUNNING:
            return
        pass_turn(rules, position, seat)
    take_throws(rules, position, streams)
    position[W_KNOWN] = 0


@inlined
def _has_more(rules, position):
    """Return whether anything may be left of the throw: where parts are played, the hand says so before any is looked
    at."""
    return (position[W_HELD] != NOTED) | (rules[rule.R_HOW] != rule.AT_ONCE)


@kernel_function
def _take_another_one(rules, position, kind, step, distance):
    """Return how far a piece goes by a part; two ones are taken together where they lead beyond a closed square."""
    noinline()
    if rules[rule.KINDS + rule.KIND_WORDS * kind + rule.K_ODD] & rule.ONES_PASS == 0 or kind != rules[rule.R_ONE]:
        return distance
    if step == 0 or not goes_over(rules, position, step):
        return distance
    _take(position, kind, 1)
    return 2 * distance


@inlined
def _clear_throw(rules, position):
    """Clear the throw."""
    if rules[rule.R_DIVISION] == rule.DIVISION_FREE:
        position[code.W_POOL] = position[code.W_DIVIDED] = position[code.W_FACES] = 0
    else:
        held = kinds_in_hand(position)
        while held:
            position[code.W_HAND + lowest_bit(held)] = 0
            held &= held - 1
        position[W_HELD] = NOTED
        position[code.W_FACES] = 0
    position[code.W_DOUBLE] = 0


@inlined
def _take(position, kind, number):
    """Take so many parts of a kind out of the hand."""
    left = position[code.W_HAND + kind] - number
    position[code.W_HAND + kind] = left
    # The bit of the kind is cleared and set again, which takes no branch on what is left.
    position[W_HELD] = position[W_HELD] & ~(1 << kind) | (0 + (left > 0)) << kind


@kernel_function
def _play_otherwise(rules, position, counts, seat, move):
    """Play anything but a part as it was thrown."""
    noinline()
    # FREE is a power of two and a multiple of STRIDE: the low bits are the kind, or the share, and the step.
    kind, step = (move & (code.FREE - 1)) // code.STRIDE, move % code.STRIDE
    row = rule.KINDS + rule.KIND_WORDS * kind
    if move >= code.ALONE_OF:
        _enter_alone(rules, position, counts, seat, kind)
    elif move >= code.REST_OF:
        _take(position, kind, 1)
        _take(position, rules[rule.R_EXTRA], -1)
        _advance(rules, position, counts, seat, step, rules[row + rule.K_VALUE] - 1)
    elif move >= code.EXTRA_OF:
        _take(position, kind, 1)
        _take(position, rules[row + rule.K_REST], -1)
        _advance(rules, position, counts, seat, step, 1)
    elif move >= code.FREE:
        _play_share(rules, position, counts, seat, kind, step)
    elif move == code.TOGETHER:
        _leave_together(rules, position, counts, seat)
    else:
        _advance(rules, position, counts, seat, step, _take_sum(rules, position))


@kernel_function
def _take_sum(rules, position):
    """Take all the throws that can be added up out of the hand; returns their sum."""
    noinline()
    total, held = sum_in_hand(rules, position), kinds_in_hand(position)
    while held:
        kind = lowest_bit(held)
        if rules[rule.KINDS + rule.KIND_WORDS * kind + rule.K_ADDS]:
            _take(position, kind, position[code.W_HAND + kind])
        held &= held - 1
    return total


@inlined
def _enter_alone(rules, position, counts, seat, kind):
    """Let one piece of a pair enter, by a part of that kind or by the sum; other pairs are put aside meanwhile."""
    if code.STRIDE * kind == code.TOTAL:
        distance = _take_sum(rules, position)
    else:
        _take(position, kind, 1)
        distance = rules[rule.KINDS + rule.KIND_WORDS * kind + rule.K_VALUE]
    others = position[code.W_PAIRS + seat] - 1
    # `_advance` brings in a whole pair as long as there is one.
    position[code.W_PAIRS + seat] = 0
    _advance(rules, position, counts, seat, 0, distance)
    position[code.W_PAIRS + seat] = others


@inlined
def _play_share(rules, position, counts, seat, share, step):
    """Move one piece by a share of the pool; share 0: all waiting pieces enter, and the throw is used up."""
    if share == 0:
        position[code.W_POOL] = 0
        while position[pieces_at(rules, seat)] == 0:
            shift(rules, position, seat, 0, 1)
            counts[measures.ENTRIES] += 1
        if rules[rule.R_LANDS]:
            _land(rules, position, counts, seat, 0, 1, 1)
        return
    position[code.W_POOL] -= share
    to = _advance(rules, position, counts, seat, step, share)
    position[code.W_DIVIDED] = to if position[code.W_POOL] else 0
    position[code.W_FACES] = 0


@inlined
def _leave_together(rules, position, counts, seat):
    """Let two pieces leave the waiting partner's corner by a double; his home row is open from then on."""
    double = position[code.W_DOUBLE]
    _take(position, rules[rule.FACE_KINDS + double], 2)
    for _ in range(2):
        _advance(rules, position, counts, seat, rules[rule.R_CORNER], double)
    position[code.W_OPENED] |= 1 << (seat ^ 2)


@kernel_function
def _advance(rules, position, counts, seat, step, distance):
    """Bring a piece from a step (0: it enters, with its pair if it was sent back with one) to another; returns it."""
    noinline()
    value = distance
    if step == 0 and rules[rule.R_GOES_ON] == 0:
        distance = 1
    to, moved = step_after(rules, step, distance), 1
    if step == 0:
        if position[code.W_PAIRS + seat]:
            position[code.W_PAIRS + seat] -= 1
            moved = 2
        elif rules[rule.R_ENTER_ALL_SCORES] >> value & 1:
            moved = waiting(rules, position)
        position[code.W_ENTERED] |= rules[rule.R_FIRST] << seat
        counts[measures.ENTRIES] += moved
    # A pair enters with two pieces by one part.
    for _ in range(moved):
        shift(rules, position, seat, step, to)
    if to == rules[rule.R_HOME]:
        counts[measures.HOME_0 + seat] += moved
    if rules[rule.R_LANDS]:
        _land(rules, position, counts, seat, step, to, moved)
    return to


@kernel_function
def _follow(rules, position, counts, seat, to, moved):
    """Do what follows when so many pieces have landed together: another throw, another square."""
    noinline()
    if to == rules[rule.R_HOME]:
        position[code.W_AGAIN] |= rules[rule.R_AGAIN_HOME]
        return
    step = rules[rule.LEADS + rule.ROW * seat + to]
    does = rules[rule.DOES + rule.ROW * seat + to]
    if step != to:
        for _ in range(moved):
            shift(rules, position, seat, to, step)
        if step:
            if rules[rule.R_SENDS_BACK]:
                _strike_where_it_lands(rules, position, counts, seat, step)
            does |= rules[rule.DOES + rule.ROW * seat + step]
    position[code.W_AGAIN] |= 0 + (does & rule.AGAIN > 0)


@kernel_function
def _land(rules, position, counts, seat, step, to, moved):
    """Do all that follows when so many pieces have come from a step to another."""
    noinline()
    if rules[rule.R_SENDS_BACK]:
        _strike(rules, position, counts, seat, step, to)
    if rules[rule.R_FOLLOWS]:
        _follow(rules, position, counts, seat, to, moved)


@inlined
def _strike(rules, position, counts, seat, step, to):
    """Send back what a piece meets on its way from a step to another."""
    if rules[rule.R_SENDS_BACK] != rule.SENDS_BACK_LANDING_OR_PASSING:
        _strike_where_it_lands(rules, position, counts, seat, to)
        return
    if rules[rule.R_HOW] == rule.WIDE:
        while step != to:
            step = step_after(rules, step, 1)
            _strike_where_it_lands(rules, position, counts, seat, step)
        return
    low, high = opposed(rules, position, seat)
    # The squares passed are the steps up to `to` without those up to `step`: two tables instead of a loop.
    low &= rules[rule.STRIKES_ON + 2 * seat] & rules[rule.UP_TO + 2 * to] & ~rules[rule.UP_TO + 2 * step]
    high &= rules[rule.STRIKES_ON + 2 * seat + 1] & rules[rule.UP_TO + 2 * to + 1] & ~rules[rule.UP_TO + 2 * step + 1]
    while low:
        _send_back(rules, position, counts, seat, lowest_bit(low))
        low &= low - 1
    while high:
        _send_back(rules, position, counts, seat, 64 + lowest_bit(high))
        high &= high - 1


@inlined
def _strike_where_it_lands(rules, position, counts, seat, to):
    square, met = rules[rule.TRACKS + rule.ROW * seat + to], 0
    for place in range(rules[rule.R_OPPOSING]):
        other = rules[rule.OPPOSING + code.SEATS * seat + place]
        track, at = rule.TRACKS + rule.ROW * other, pieces_at(rules, other)
        for piece in range(rules[rule.R_PIECES]):
            # Whether a piece is met is seldom, where it stands is chance: all are compared, and one branch is left.
            met |= 0 + (rules[track + position[at + piece]] == square)
    if met and rules[rule.DOES + rule.ROW * seat + to] & rule.SAFE == 0 and to < rules[rule.R_HOME]:
        _send_back(rules, position, counts, seat, to)


@kernel_function
def _send_back(rules, position, counts, seat, step):
    """Send back every opposing piece on the square of a seat's step: it waits again."""
    noinline()
    square = rules[rule.TRACKS + rule.ROW * seat + step]
    for place in range(rules[rule.R_OPPOSING]):
        other = rules[rule.OPPOSING + code.SEATS * seat + place]
        if rules[rule.R_BLOCK_OF] and _hold(rules, position, other, square):
            continue
        if rules[rule.R_TAKING]:
            struck = _take_all(rules, position, other, square)
        else:
            struck = _clear_square(rules, position, other, square)
        position[code.W_AGAIN] |= rules[rule.R_AGAIN_SENDING_BACK] & (0 + (struck > 0))
        counts[measures.SENT_BACK_0 + seat] += struck
        if rules[rule.R_PAIRS_REENTER]:
            position[code.W_PAIRS + other] += struck // 2


@kernel_function
def _hold(rules, position, seat, square):
    """Return whether so many of a seat's pieces stand on a square that they hold it."""
    noinline()
    at, found = pieces_at(rules, seat), 0
    for piece in range(rules[rule.R_PIECES]):
        found += rules[rule.TRACKS + rule.ROW * seat + position[at + piece]] == square
    return found >= rules[rule.R_BLOCK_OF]


@inlined
def _clear_square(rules, position, seat, square):
    """Send back a seat's pieces on a square; the steps stay in ascending order. Returns how many there were."""
    at = pieces_at(rules, seat)
    kept = rules[rule.R_PIECES]
    for piece in range(rules[rule.R_PIECES] - 1, -1, -1):
        step = position[at + piece]
        if rules[rule.TRACKS + rule.ROW * seat + step] != square:
            # From the last piece down: those that stay are moved up to the end, and zeros fill the beginning.
            kept -= 1
            position[at + kept] = step
        else:
            position[W_PROGRESS + seat] -= step
    for piece in range(kept):
        position[at + piece] = 0
    return kept


@kernel_function
def _take_all(rules, position, seat, square):
    """Take a seat's pieces on a square for good: they come behind the others. Returns how many there were."""
    noinline()
    at, kept = pieces_at(rules, seat), 0
    for piece in range(rules[rule.R_PIECES]):
        step = position[at + piece]
        if rules[rule.TRACKS + rule.ROW * seat + step] != square:
            position[at + kept] = step
            kept += 1
    for piece in range(kept, rules[rule.R_PIECES]):
        position[at + piece] = rules[rule.R_HOME]
    return rules[rule.R_PIECES] - kept


@inlined
def _is_home(rules, position, seat):
    """Return whether all pieces of a seat are home, or taken for good: the last of them is."""
    return position[pieces_at(rules, seat)] == rules[rule.R_HOME]


@inlined
def is_won(rules, position, seat):
    """Return whether all pieces of the seat's side are home, or all of the others taken, or stand in place."""
    if rules[rule.R_OTHERWISE]:
        return _has_won(rules, position, seat)
    return _is_home(rules, position, seat) and (rules[rule.R_TEAMS] == 0 or _is_home(rules, position, seat ^ 2))


@kernel_function
def _has_won(rules, position, seat):
    """Return whether a side's pieces stand in place, or no other side has a piece left."""
    noinline()
    if rules[rule.R_FINAL_STEPS]:
        for side in (seat, seat ^ 2 if rules[rule.R_TEAMS] else seat):
            for piece in range(rules[rule.R_PIECES]):
                if position[pieces_at(rules, side) + piece] != rules[rule.FINAL + rule.MOST_PIECES * side + piece]:
                    return False
        return True
    if rules[rule.R_TAKING] == 0:
        return _is_home(rules, position, seat) and (rules[rule.R_TEAMS] == 0 or _is_home(rules, position, seat ^ 2))
    for place in range(rules[rule.R_OPPOSING]):
        if not _is_home(rules, position, rules[rule.OPPOSING + code.SEATS * seat + place]):
            return False
    return True


@inlined
def end_game(rules, position, seat):
    position[code.W_END] = WIN
    position[code.W_WINNERS] = (1 << seat) | (rules[rule.R_TEAMS] << (seat ^ 2))


@inlined
def pass_turn(rules, position, seat):
    """Pass the turn from the mover to the next player who has pieces to bring home.

    Or it goes to the next of all, who throws for his partner if he has none.
    """
    # Who threw for his partner sits opposite: the turn goes on from his own place.
    seat = _next_seat(rules, seat ^ 2 if position[code.W_FOR_PARTNER] else seat)
    if rules[rule.R_FINISHED_PLAYER]:
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
    """Count a turn that is over, whether the player still waited for his first piece, and who is ahead."""
    counts[measures.TURNS] += 1
    arrived = counts[measures.ARRIVED] >> seat & 1
    counts[measures.WAIT_0 + seat] += 1 - arrived
    if arrived == 0 and position[pieces_at(rules, seat) + rules[rule.R_PIECES] - 1] > 0:
        counts[measures.ARRIVED] |= 1 << seat
    if rules[rule.R_TAKING]:
        _count_left(rules, position)
    first = second = -1  # the most steps of a side and the next most, each with the side behind it
    for side in range(2 if rules[rule.R_TEAMS] else rules[rule.R_SEATS]):
        # Steps and side in one number: comparing it compares the steps, and the remainder says whose they are.
        steps = code.SEATS * _side_steps(rules, position, side) + side
        second = max(second, min(first, steps))
        first = max(first, steps)
    # Nobody leads while two sides are equally far.
    if first // code.SEATS > second // code.SEATS:
        leader = 1 + first % code.SEATS
        counts[measures.LEAD_CHANGES] += (counts[measures.LEAD] != 0) & (counts[measures.LEAD] != leader)
        counts[measures.LEAD] = leader


@inlined
def _side_steps(rules, position, seat):
    """Return the steps of all pieces of a seat's side together."""
    steps = position[W_PROGRESS + seat]
    return steps + position[W_PROGRESS + (seat ^ 2)] if rules[rule.R_TEAMS] else steps


@kernel_function
def _count_left(rules, position):
    """Count the pieces that every seat has left in place of their steps, by which nothing else is decided there."""
    noinline()
    for seat in range(rules[rule.R_SEATS]):
        at, found = pieces_at(rules, seat), 0
        for piece in range(rules[rule.R_PIECES]):
            found += position[at + piece] < rules[rule.R_HOME]
        position[W_PROGRESS + seat] = found
