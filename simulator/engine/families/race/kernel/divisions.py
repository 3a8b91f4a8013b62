"""The moves of a freely divided throw: shares for one or two pieces that make up the pool, and entry by a double.

For each share the pieces that can take it, with another piece for the rest, are the bits of a word.
"""

from simulator.engine.bits import count_bits
from simulator.engine.compiled import inlined, kernel_function, noinline
from simulator.engine.families.race import position as code
from simulator.engine.families.race.kernel import rules as rule
from simulator.engine.families.race.kernel.layout import W_SEVERAL, W_STEPS, W_WAITING
from simulator.engine.families.race.kernel.rooms import ONES, TOPS, find_rooms, is_closed, list_steps, may_go, nth_step


@kernel_function
def count_divisions(rules, position):
    """How many ways there are to play some of the pool; notes the rooms."""
    noinline()
    pool = position[code.W_POOL]
    if pool == 0:
        return 0
    find_rooms(rules, position)
    if position[code.W_DIVIDED]:
        return count_bits(_takes_rest(rules, position, pool))
    found = 0 + _enters(rules, position)
    for share in range(1, pool + 1):
        found += count_bits(_takes(rules, position, share, pool))
    return found


@kernel_function
def nth_division(rules, position, number):
    """Move `number` of them; count_divisions must have been asked."""
    noinline()
    pool = position[code.W_POOL]
    if position[code.W_DIVIDED]:
        return _move(position, pool, _takes_rest(rules, position, pool), number)
    if _enters(rules, position):
        if number == 0:
            return code.FREE
        number -= 1
    for share in range(1, pool):
        places = _takes(rules, position, share, pool)
        found = count_bits(places)
        if number < found:
            return _move(position, share, places, number)
        number -= found
    return _move(position, pool, _takes(rules, position, pool, pool), number)


@kernel_function
def list_divisions(rules, position, out):
    """Write all of them; count_divisions must have been asked."""
    noinline()
    pool, found = position[code.W_POOL], 0
    if position[code.W_DIVIDED]:
        list_steps(position, _takes_rest(rules, position, pool), code.FREE + code.STRIDE * pool, out, found)
        return
    if _enters(rules, position):
        out[0] = code.FREE
        found = 1
    for share in range(1, pool + 1):
        places = _takes(rules, position, share, pool)
        found = list_steps(position, places, code.FREE + code.STRIDE * share, out, found)


@inlined
def _move(position, share, places, number):
    return code.FREE + code.STRIDE * share + nth_step(position, places, number)


@inlined
def _enters(rules, position):
    """Whether all waiting pieces enter by the double just thrown."""
    double = rules[rule.R_ENTER_DOUBLE]
    thrown = (double > 0) & (position[code.W_DOUBLE] == double) & (position[W_WAITING] > 0)
    return thrown & (is_closed(rules, position, 1) == 0)


@inlined
def _reach(rules, position, share):
    """The places of the pieces that can go that far."""
    barred = 0 if rules[rule.R_WALKS_ON] else position[W_WAITING]
    return may_go(rules, position, share) & ~barred


@inlined
def _on_step(position, step):
    """The place of a step, as the highest bit of its byte; 0 if no piece that is not home stands there."""
    strange = position[W_STEPS] ^ (step * ONES)
    return ~((strange | TOPS) - ONES) & TOPS  # a byte of 0 borrows its highest bit


@inlined
def _takes_rest(rules, position, pool):
    """The places of the pieces that can play the rest, but for one that has had its share."""
    only = _on_step(position, position[code.W_DIVIDED]) & ~position[W_SEVERAL]
    return _reach(rules, position, pool) & ~only


@inlined
def _takes(rules, position, share, pool):
    """The places of the pieces that can take a share, while another can play the rest."""
    places = _reach(rules, position, share)
    if share == pool:
        return places
    rest = _reach(rules, position, pool - share)
    if rest & (rest - 1) or rest & position[W_SEVERAL]:
        return places
    others = places & ~rest if rest else 0
    if position[code.W_FACES] >> share & 1:
        others |= places & _on_step(position, rules[rule.R_HOME] - share)
    elif share == position[code.W_DOUBLE]:
        others |= places & _leaves_by_double(rules, position, share)
    return others


@inlined
def _leaves_by_double(rules, position, double):
    """The place from which a piece goes home by one die of a double that it needs."""
    step = rules[rule.R_HOME] - double
    needs = rules[rule.ROOMS + step] != rules[rule.ROOMS + code.STRIDE + step]
    return _on_step(position, step) if needs else 0
