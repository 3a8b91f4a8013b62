"""What a position is worth to a player who does not see the end: the features of `features`, each with its weight."""

from simulator.engine.compiled import inlined, kernel_function, noinline
from simulator.engine.families.sowing import position as code
from simulator.engine.families.sowing.kernel import rules as rule
from simulator.engine.families.sowing.kernel.layout import HOLES


@kernel_function
def worth(rules, position, seat):
    """The weighted features of a player less those of the other, if those count."""
    noinline()
    ahead = _own(rules, position, seat)
    return ahead - _own(rules, position, 1 - seat) if rules[rule.OTHERS] else ahead


@inlined
def _own(rules, position, seat):
    found = rules[rule.STORE] * position[code.W_STORE + seat] + _holes(rules, position, seat)
    if rules[rule.TO_STORE]:
        found += rules[rule.TO_STORE] * _to_store(rules, position, seat)
    return found + rules[rule.TEMPO] * (position[code.W_MOVER] == seat)


@inlined
def _holes(rules, position, seat):
    """The counters of a row, and the holes with so many of them that bear no mark."""
    row, found = rules[rule.R_ROW], 0
    for place in range(HOLES + seat * row, HOLES + (seat + 1) * row):
        held = position[place]
        found += rules[rule.ROW] * held
        if position[place + 2 * row] == 0:
            found += rules[rule.HOLES_OF + min(held, code.MANY)]
    return found


@inlined
def _to_store(rules, position, seat):
    """The holes of a row from which a lap ends in its owner's store without going round."""
    row, found = rules[rule.R_ROW], 0
    forward, backward = position[code.W_DIRECTION] >= 0, position[code.W_DIRECTION] <= 0
    for hole in range(row):
        held = position[HOLES + seat * row + hole]
        found += forward & (held == row - hole) | backward & (held == hole + 1)
    return found
