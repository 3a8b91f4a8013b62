"""Sending opposing pieces back."""

from simulator.engine.bits import lowest_bit
from simulator.engine.compiled import inlined, kernel_function, noinline
from simulator.engine.families.race import measures
from simulator.engine.families.race import position as code
from simulator.engine.families.race.kernel import rules as rule
from simulator.engine.families.race.kernel.layout import W_PROGRESS, pieces_at
from simulator.engine.families.race.kernel.rooms import opposed


@kernel_function
def strike(rules, position, counts, seat, step, to):
    """Send back what a piece meets on its way from a step to another, if there is such a rule."""
    noinline()
    if rules[rule.R_SENDS_BACK] == 0:
        return
    if rules[rule.R_SENDS_BACK] != rule.PASSING:
        _strike_where_it_lands(rules, position, counts, seat, to)
        return
    low, high = opposed(rules, position, seat)
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
    square, met = rules[rule.TRACKS + code.STRIDE * seat + to], 0
    for place in range(rules[rule.R_OPPOSING]):
        other = rules[rule.OPPOSING + code.SEATS * seat + place]
        track, at = rule.TRACKS + code.STRIDE * other, pieces_at(rules, other)
        for piece in range(rules[rule.R_PIECES]):
            met |= 0 + (rules[track + position[at + piece]] == square)
    if met and rules[rule.STRIKES_ON + 2 * seat + (to >> 6)] >> (to & 63) & 1:
        _send_back(rules, position, counts, seat, to)


@kernel_function
def _send_back(rules, position, counts, seat, step):
    """Every opposing piece on the square of a seat's step waits again."""
    noinline()
    square = rules[rule.TRACKS + code.STRIDE * seat + step]
    for place in range(rules[rule.R_OPPOSING]):
        other = rules[rule.OPPOSING + code.SEATS * seat + place]
        struck = _clear_square(rules, position, other, square)
        counts[measures.SENT_BACK + seat] += struck
        if rules[rule.R_PAIRS]:
            position[code.W_PAIRS + other] += struck // 2


@inlined
def _clear_square(rules, position, seat, square):
    """Send back a seat's pieces on a square; the steps stay in ascending order. Returns how many there were."""
    at = pieces_at(rules, seat)
    kept = rules[rule.R_PIECES]
    for piece in range(rules[rule.R_PIECES] - 1, -1, -1):
        step = position[at + piece]
        if rules[rule.TRACKS + code.STRIDE * seat + step] != square:
            kept -= 1
            position[at + kept] = step
        else:
            position[W_PROGRESS + seat] -= step
    for piece in range(kept):
        position[at + piece] = 0
    return kept
