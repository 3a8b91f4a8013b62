"""The moves of a position: how many, which is number n, and all of them, always in the order of the contract.

For each part the pieces that can play it are the bits of a word, the lowest step first; so move n is found by counting
bits, without a list.
"""

from simulator.engine.bits import count_bits, highest_bit, lowest_bit
from simulator.engine.compiled import inlined, kernel_function, noinline
from simulator.engine.families.race import position as code
from simulator.engine.families.race.kernel import rules as rule
from simulator.engine.families.race.kernel.divisions import count_divisions, list_divisions, nth_division
from simulator.engine.families.race.kernel.layout import NOTED, W_HELD, W_KNOWN, W_PLACES, W_WAITING, note
from simulator.engine.families.race.kernel.rooms import find_rooms, list_steps, may_go, may_leave_together, nth_step


@inlined
def count_moves(rules, position):
    """How many moves the position has, a pass not counted; known from then on."""
    if position[W_KNOWN] == 0:
        position[W_KNOWN] = 1 + _count(rules, position)
    return position[W_KNOWN] - 1


@kernel_function
def _count(rules, position):
    noinline()
    note(rules, position)
    if rules[rule.R_FREE]:
        found = count_divisions(rules, position)
    else:
        held = kinds_in_hand(position)
        found = _count_plays(rules, position, held) if held else 0
    return found + rules[rule.R_DECLINE] if found else 0


@inlined
def kinds_in_hand(position):
    """The kinds of which a part is in the hand, as bits."""
    return position[W_HELD] ^ NOTED


@inlined
def _count_plays(rules, position, held):
    find_rooms(rules, position)
    first, found = _is_first(rules, position), 0
    while held:
        kind = highest_bit(held)
        held ^= 1 << kind
        position[W_PLACES] = places = _plays(rules, position, kind, first)  # of the lowest in the end
        found += count_bits(places) + _enters_alone(rules, position, places)
        rest = rules[rule.KINDS + rule.KIND_WORDS * kind + rule.K_REST]
        if rest >= 0:
            found += count_bits(_plays(rules, position, rules[rule.R_EXTRA], first))
            found += count_bits(_plays(rules, position, rest, first))
    if rules[rule.R_ADDED_UP] and _can_add(rules, position):
        places = _plays_of_sum(rules, position)
        found += count_bits(places) + _enters_alone(rules, position, places)
    if rules[rule.R_BAR] and position[code.W_DOUBLE]:
        found += may_leave_together(rules, position, _parts(position))
    return found


@inlined
def _enters_alone(rules, position, places):
    """1 if a waiting piece is among the places and may enter without the one with which it was sent back, else 0."""
    if rules[rule.R_APART] == 0:
        return 0
    return 0 + ((places & position[W_WAITING] != 0) & (position[code.W_PAIRS + position[code.W_MOVER]] > 0))


@inlined
def _can_add(rules, position):
    """Whether the hand may hold as many throws as make a sum."""
    held = kinds_in_hand(position)
    return (held & (held - 1) != 0) | (position[code.W_HAND + lowest_bit(held)] >= rules[rule.R_ADDED_UP])


@inlined
def _is_first(rules, position):
    """1 while the rule about a player's first piece holds for the mover, else 0."""
    return rules[rule.R_FIRST] & ~(position[code.W_ENTERED] >> position[code.W_MOVER])


@inlined
def _plays(rules, position, kind, first):
    """The places of the pieces that can play a part of that kind."""
    row, waiting = rule.KINDS + rule.KIND_WORDS * kind, position[W_WAITING]
    walking = may_go(rules, position, rules[row + rule.K_WALKS]) & ~waiting
    if rules[row + rule.K_ONLY_ENTERS] and waiting:
        walking = 0
    return walking | (may_go(rules, position, rules[row + rule.K_ENTERS + first]) & waiting)


@kernel_function
def _plays_of_sum(rules, position):
    """The places of the pieces that can play the sum of the series."""
    noinline()
    held, waiting, throws = kinds_in_hand(position), position[W_WAITING], 0
    if held & rules[rule.R_SUM_ENTERS + _is_first(rules, position)]:
        waiting = 0
    while held:
        kind = lowest_bit(held)
        held &= held - 1
        if rules[rule.KINDS + rule.KIND_WORDS * kind + rule.K_ADDS]:
            throws += position[code.W_HAND + kind]
    if throws < rules[rule.R_ADDED_UP]:
        return 0
    return may_go(rules, position, min(sum_in_hand(rules, position), rule.MOST_ROOM)) & ~waiting


@inlined
def sum_in_hand(rules, position):
    """The sum of the throws in hand: no ones, no extra points."""
    total, held = 0, kinds_in_hand(position)
    while held:
        kind = lowest_bit(held)
        held &= held - 1
        total += position[code.W_HAND + kind] * rules[rule.KINDS + rule.KIND_WORDS * kind + rule.K_ADDS]
    return total


@inlined
def _parts(position):
    """How many parts are in the hand."""
    number, held = 0, kinds_in_hand(position)
    while held:
        number += position[code.W_HAND + lowest_bit(held)]
        held &= held - 1
    return number


@inlined
def nth_move(rules, position, number):
    """Move `number` in the order of the contract; count_moves must have been asked."""
    if rules[rule.R_FREE] == 0 and number < count_bits(position[W_PLACES]):
        return code.STRIDE * lowest_bit(position[W_HELD]) + nth_step(position, position[W_PLACES], number)
    return _nth_of_all(rules, position, number)


@kernel_function
def _nth_of_all(rules, position, number):
    noinline()
    if rules[rule.R_DECLINE] and number == position[W_KNOWN] - 2:
        return code.DECLINE
    if rules[rule.R_FREE]:
        return nth_division(rules, position, number)
    held, first = kinds_in_hand(position), _is_first(rules, position)
    while held:
        kind = lowest_bit(held)
        held &= held - 1
        places = _plays(rules, position, kind, first)
        found = count_bits(places)
        if number < found:
            return code.STRIDE * kind + nth_step(position, places, number)
        number -= found
        if _enters_alone(rules, position, places):
            if number == 0:
                return code.ALONE_OF + code.STRIDE * kind
            number -= 1
        rest = rules[rule.KINDS + rule.KIND_WORDS * kind + rule.K_REST]
        if rest >= 0:
            places = _plays(rules, position, rules[rule.R_EXTRA], first)
            found = count_bits(places)
            if number < found:
                return code.EXTRA_OF + code.STRIDE * kind + nth_step(position, places, number)
            number -= found
            places = _plays(rules, position, rest, first)
            found = count_bits(places)
            if number < found:
                return code.REST_OF + code.STRIDE * kind + nth_step(position, places, number)
            number -= found
    if rules[rule.R_ADDED_UP]:
        places = _plays_of_sum(rules, position)
        if number < count_bits(places):
            return code.TOTAL + nth_step(position, places, number)
        number -= count_bits(places)
        if number == 0 and _enters_alone(rules, position, places):
            return code.ALONE_OF + code.TOTAL
    return code.TOGETHER


@kernel_function
def list_moves(rules, position, out):
    """Write every legal move into `out`; returns how many."""
    noinline()
    if position[code.W_END] != code.RUNNING:
        return 0
    found = count_moves(rules, position)
    if found == 0:
        out[0] = code.PASS
        return 1
    if rules[rule.R_FREE]:
        list_divisions(rules, position, out)
    elif _list_plays(rules, position, out) < found - rules[rule.R_DECLINE]:
        out[found - rules[rule.R_DECLINE] - 1] = code.TOGETHER
    if rules[rule.R_DECLINE]:
        out[found - 1] = code.DECLINE
    return found


@inlined
def _list_plays(rules, position, out):
    """Write all moves that play a part of the hand; returns how many."""
    held, first, found = kinds_in_hand(position), _is_first(rules, position), 0
    while held:
        kind = lowest_bit(held)
        held &= held - 1
        places = _plays(rules, position, kind, first)
        found = list_steps(position, places, code.STRIDE * kind, out, found)
        if _enters_alone(rules, position, places):
            out[found] = code.ALONE_OF + code.STRIDE * kind
            found += 1
        rest = rules[rule.KINDS + rule.KIND_WORDS * kind + rule.K_REST]
        if rest >= 0:
            places = _plays(rules, position, rules[rule.R_EXTRA], first)
            found = list_steps(position, places, code.EXTRA_OF + code.STRIDE * kind, out, found)
            places = _plays(rules, position, rest, first)
            found = list_steps(position, places, code.REST_OF + code.STRIDE * kind, out, found)
    if rules[rule.R_ADDED_UP]:
        places = _plays_of_sum(rules, position)
        found = list_steps(position, places, code.TOTAL, out, found)
        if _enters_alone(rules, position, places):
            out[found] = code.ALONE_OF + code.TOTAL
            found += 1
    return found
