"""Moves of games with many pieces, long ways, or rules about single squares, looked for piece by piece.

`rooms` and `choices` look at all pieces at once, which takes a byte for each of them, and rules that forbid all
distances from some distance on. Here are squares that are full, held by several pieces or closed, waiting pieces that
go first, and homes that open late. The order of moves is the same.
"""

from simulator.engine.bits import lowest_bit
from simulator.engine.compiled import inlined, kernel_function, noinline
from simulator.engine.families.race import position as code
from simulator.engine.families.race.kernel import rules as rule
from simulator.engine.families.race.kernel.rooms import pieces_at

ALL = -1  # of the moves, none is looked for


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
            distance = rules[row + rule.K_WALKS] if step else rules[row + rule.K_ENTERS + first]
            if distance < rule.NEVER and _may_go(rules, position, seat, step, distance):
                move = code.STRIDE * kind + step
                if found == wanted:
                    return move
                if is_listed:
                    out[found] = move
                found += 1
    return found


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
    if distance >= missing:
        if hindmost < home - rules[rule.R_HOME_FIELD] and rules[rule.R_HOME_FIELD]:
            return False
        return _is_free(rules, position, seat, step, home - 1, home)
    return _is_free(rules, position, seat, step, step + distance, step + distance)


@inlined
def _is_free(rules, position, seat, step, last, to):
    """Return whether no piece and no mark on the squares after a step keeps the mover's from landing on `to`.

    last: the last square that it passes over or lands on
    """
    if rules[rule.R_NO_PASSING] | rules[rule.R_BLOCK_STOPS]:
        for between in range(step + 1, last + 1):
            most, whole = _opposed(rules, position, seat, between)
            if rules[rule.R_NO_PASSING] and whole and between < to:
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
