"""Moves of games with many pieces, long ways, or rules about single squares, looked for piece by piece.

`rooms` and `choices` look at all pieces at once, which takes a byte for each of them, and rules that forbid all
distances from some distance on. Here are squares that are full, held by several pieces or closed, waiting pieces that
go first, and homes that open late. The order of moves is the same.
"""

from simulator.engine.bits import lowest_bit
from simulator.engine.compiled import inlined, kernel_function, noinline
from simulator.engine.families.race import position as code
from simulator.engine.families.race.kernel import rules as rule
from simulator.engine.families.race.kernel.rooms import NOTED, W_HELD, W_SERIES, pieces_at, shift, step_after

ALL = NONE = -1  # of the moves, none is looked for; none is found


@kernel_function
def find_play(rules, position, held, first, wanted, out, is_listed):
    """Go through the plays of the parts in hand; returns how many, or play number `wanted` unless that is ALL.

    is_listed: whether they are written into `out`
    """
    noinline()
    seat, found = position[code.W_MOVER], 0
    at = pieces_at(rules, seat)
    while held:
        kind = lowest_bit(held)
        held &= held - 1
        row, last = rule.KINDS + rule.KIND_WORDS * kind, -1
        for piece in range(rules[rule.R_PIECES]):
            step = position[at + piece]
            if step == last:
                continue  # pieces that stand together are one option
            last = step
            if rules[rule.R_WAKE_SCORES] and step and _sleep_keeps(rules, position, seat, step, row):
                continue
            distance = rules[row + rule.K_WALKS] if step else rules[row + rule.K_ENTERS + first]
            if distance < rule.NEVER and _may_go(rules, position, seat, step, distance):
                move = code.STRIDE * kind + step
                if found == wanted:
                    return move
                if is_listed:
                    out[found] = move
                found += 1
    return found if wanted == ALL else NONE


@kernel_function
def _sleep_keeps(rules, position, seat, step, row):
    """Return whether a piece sleeps on by parts of a kind, or is awake while they could wake another."""
    noinline()
    wakes, asleep, at = rules[row + rule.K_WAKES], rules[rule.R_WAKE_SCORES], pieces_at(rules, seat)
    if step <= asleep:
        return wakes == 0
    if wakes == 0 or rules[rule.R_WAKES_FIRST] == 0:
        return False
    for piece in range(rules[rule.R_PIECES]):
        other = position[at + piece]
        if 0 < other <= asleep and _may_go(rules, position, seat, other, rules[row + rule.K_VALUE]):
            return True
    return False


@kernel_function
def find_most(rules, position, held, first, wanted, out, is_listed):
    """Do the same for plays after which as many parts can be played as possible."""
    noinline()
    if not 1 < _parts(rules, position) <= rule.MOST_AHEAD:
        return find_play(rules, position, held, first, wanted, out, is_listed)
    most, found, number = _playable(rules, position, first), 0, 0
    while True:
        move = find_play(rules, position, held_kinds(position), first, number, out, False)
        if move == NONE:
            return found if wanted == ALL else NONE
        number += 1
        _try(rules, position, first, move, 1)
        left = _playable(rules, position, first)
        _try(rules, position, first, move, -1)
        if 1 + left == most:
            if found == wanted:
                return move
            if is_listed:
                out[found] = move
            found += 1


@kernel_function
def _playable(rules, position, first):
    """Return how many parts of the throw can be played one after the other, if they are played as well as can be."""
    noinline()
    stack, parts, best, depth = W_SERIES + rules[rule.R_LIMIT], _parts(rules, position), 0, 0
    position[stack] = 0
    while True:
        move = NONE
        if best < parts and depth < parts:
            move = find_play(rules, position, held_kinds(position), first, position[stack + 2 * depth], position, False)
        if move != NONE:
            _try(rules, position, first, move, 1)
            position[stack + 2 * depth + 1] = move
            depth += 1
            best = max(best, depth)
            position[stack + 2 * depth] = 0
            continue
        # The way ends here: back to the part before, and on to its next play.
        if depth == 0:
            return best
        depth -= 1
        _try(rules, position, first, position[stack + 2 * depth + 1], -1)
        position[stack + 2 * depth] += 1


@inlined
def _try(rules, position, first, move, way):
    """Move a piece by a part, or take that back (way: -1); nothing else is done."""
    kind, step = move // code.STRIDE, move % code.STRIDE
    row = rule.KINDS + rule.KIND_WORDS * kind
    distance = rules[row + rule.K_WALKS] if step else rules[row + rule.K_ENTERS + first]
    to = step_after(rules, step, distance)
    # Steps stay in ascending order either way.
    if way > 0:
        shift(rules, position, position[code.W_MOVER], step, to)
    else:
        shift(rules, position, position[code.W_MOVER], to, step)
    left = position[code.W_HAND + kind] - way
    position[code.W_HAND + kind] = left
    position[W_HELD] = position[W_HELD] & ~(1 << kind) | (0 + (left > 0)) << kind


@inlined
def held_kinds(position):
    """Return the kinds of which a part is in the hand, as bits."""
    return position[W_HELD] ^ NOTED


@inlined
def _parts(rules, position):
    """Return how many parts are in the hand."""
    number, held = 0, held_kinds(position)
    while held:
        number += position[code.W_HAND + lowest_bit(held)]
        held &= held - 1
    return number


@kernel_function
def _may_go(rules, position, seat, step, distance):
    """Return whether a piece of the mover on a step (0: it enters) may go so far."""
    noinline()
    home, hindmost = rules[rule.R_HOME], position[pieces_at(rules, seat)]
    missing = home - step
    # ROOMS has two halves: the second holds where the dice show the double that the piece needs to go home.
    if distance > rules[rule.ROOMS + step + rule.ROW * (missing == position[code.W_DOUBLE])]:
        return False
    if rules[rule.R_ENTER_FIRST] and step and hindmost == 0:
        return False
    if distance > missing and rules[rule.R_OVERSHOOT_BY] and hindmost < step:
        return False
    if distance >= missing and rules[rule.R_TAKING] == 0:
        if rules[rule.R_FINAL_STEPS]:
            return False
        if rules[rule.R_EXIT_SCORES] and rules[rule.R_EXIT_SCORES] >> distance & 1 == 0:
            return False
    if distance >= missing and hindmost < home - rules[rule.R_HOME_FIELD] and rules[rule.R_HOME_FIELD]:
        return False
    return _is_free(rules, position, seat, step, distance)


@inlined
def _is_free(rules, position, seat, step, distance):
    """Return whether no piece and no mark on the squares after a step keeps the mover's from going so far."""
    to = step_after(rules, step, distance)
    if rules[rule.R_NO_PASSING] | rules[rule.R_BLOCK_STOPS] | rules[rule.R_NO_PASSING_OWN]:
        for on in range(1, distance + 1):
            between = step_after(rules, step, on)
            if between == rules[rule.R_HOME]:
                break
            most, whole = _opposed(rules, position, seat, between)
            if rules[rule.R_NO_PASSING] and whole and on < distance:
                return False
            if rules[rule.R_NO_PASSING_OWN] and on < distance and _own(rules, position, seat, step, between):
                return False
            if rules[rule.R_BLOCK_STOPS] and most >= rules[rule.R_BLOCK_OF]:
                return False
    if to == rules[rule.R_HOME]:
        return True
    does = rules[rule.DOES + rule.ROW * seat + to]
    if does & rule.CLOSED:
        return False
    if rules[rule.R_BLOCK_OF] or (rules[rule.R_SAFE_MEETING] and does & rule.SAFE):
        most, whole = _opposed(rules, position, seat, to)
        if rules[rule.R_BLOCK_OF] and most >= rules[rule.R_BLOCK_OF]:
            return False
        if rules[rule.R_SAFE_MEETING] and does & rule.SAFE and whole:
            return False
    return rules[rule.R_OWN_ON_SQUARE] == 0 or _own(rules, position, seat, step, to) < rules[rule.R_OWN_ON_SQUARE]


@kernel_function
def _opposed(rules, position, seat, step):
    """Return the most pieces of one opponent, and those of all, on the square that is a seat's step."""
    noinline()
    square, most, whole = rules[rule.TRACKS + rule.ROW * seat + step], 0, 0
    for place in range(rules[rule.R_OPPOSING]):
        other = rules[rule.OPPOSING + code.SEATS * seat + place]
        track, at, standing = rule.TRACKS + rule.ROW * other, pieces_at(rules, other), 0
        for piece in range(rules[rule.R_PIECES]):
            standing += rules[track + position[at + piece]] == square
        most, whole = max(most, standing), whole + standing
    return most, whole


@kernel_function
def _own(rules, position, seat, step, to):
    """Return how many of a seat's pieces stand on the square of its step `to`, but for those on `step`."""
    noinline()
    track, at, standing = rule.TRACKS + rule.ROW * seat, pieces_at(rules, seat), 0
    for piece in range(rules[rule.R_PIECES]):
        other = position[at + piece]
        standing += (other != step) & (rules[track + other] == rules[track + to])
    return standing
