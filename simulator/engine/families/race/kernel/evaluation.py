"""What a position is worth to a player who does not see the end: the features of `features`, each with its weight."""

from simulator.engine.bits import lowest_bit
from simulator.engine.compiled import inlined, kernel_function, noinline
from simulator.engine.families.race import position as code
from simulator.engine.families.race.kernel import rules as rule
from simulator.engine.families.race.kernel.layout import pieces_at


@kernel_function
def worth(rules, position, seat):
    """The weighted features of a player's side less those of the others, as if there were as many players on each.

    Where those of the others do not count, the side's own.
    """
    noinline()
    own = others = 0
    for other in range(rules[rule.R_SEATS]):
        found = _progress(rules, position, other)
        if rules[rule.RISK]:
            found += rules[rule.RISK] * (_risk(rules, position, other) >> rule.CHANCE_BITS)
        if other == seat or (rules[rule.R_TEAMS] and other == seat ^ 2):
            own += found
        else:
            others += found
    if rules[rule.OTHERS] == 0:
        return own
    if rules[rule.R_TEAMS] == 0:
        own *= rules[rule.R_SEATS] - 1
    return own - others


@inlined
def _progress(rules, position, seat):
    """What is seen of a player's own pieces, and the turn."""
    at, found = pieces_at(rules, seat), rules[rule.TEMPO] * (position[code.W_MOVER] == seat)
    found += rules[rule.REAR] * position[at]
    found += rules[rule.SPREAD] * (position[at + rules[rule.R_PIECES] - 1] - position[at])
    for piece in range(rules[rule.R_PIECES]):
        step = position[at + piece]
        found += rules[rule.STEPS] * step + rules[rule.WAITING] * (step == 0)
        found += rules[rule.HOME] * (step == rules[rule.R_HOME])
    return found


@inlined
def _risk(rules, position, seat):
    """The steps that a player would lose on average, in parts of 1 << CHANCE_BITS."""
    found, at = 0, pieces_at(rules, seat)
    for piece in range(rules[rule.R_PIECES]):
        step = position[at + piece]
        square = rules[rule.TRACKS + code.STRIDE * seat + step]
        if square != rule.NOWHERE:
            for place in range(rules[rule.R_OPPOSING]):
                other = rules[rule.OPPOSING + code.SEATS * seat + place]
                found += step * _struck(rules, position, other, square)
    return found


@inlined
def _struck(rules, position, seat, square):
    """The chances that a throw brings the pieces of a player to a square where he sends others back, added up."""
    found, at = 0, pieces_at(rules, seat)
    table, strikes = rule.STEPS_ON + 2 * (code.STRIDE * seat + square), rule.STRIKES_ON + 2 * seat
    for word in range(2):
        steps = rules[table + word] & rules[strikes + word]
        while steps:
            step = 64 * word + lowest_bit(steps)
            steps &= steps - 1
            for piece in range(rules[rule.R_PIECES]):
                behind = step - position[at + piece]
                if 0 < behind < step:  # who waits is not behind
                    found += rules[rule.REACHES + min(behind, rule.FARTHEST)]
    return found
