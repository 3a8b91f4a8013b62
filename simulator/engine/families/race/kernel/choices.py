"""The moves of a position: how many, which is number n, and all of them, always in the order of the contract.

For each part of the throw the pieces that can play it are the bits of a word, the lowest step first; so move n is found
by counting bits, without a list. A throw that is divided freely has shares instead of parts: for each share the word
holds the pieces that can take it while another piece can take the rest.
"""

from simulator.engine.bits import count_bits, highest_bit, lowest_bit
from simulator.engine.compiled import inlined, kernel_function, noinline
from simulator.engine.families.race import position as code
from simulator.engine.families.race.kernel import rooms
from simulator.engine.families.race.kernel import rules as rule
from simulator.engine.families.race.kernel.wide import ALL, find_most, find_play


@inlined
def count_moves(rules, position):
    """Return how many moves the position has, a pass not counted; known from then on."""
    if position[rooms.W_KNOWN] == 0:
        position[rooms.W_KNOWN] = 1 + _count(rules, position)
    return position[rooms.W_KNOWN] - 1


@kernel_function
def _count(rules, position):
    noinline()
    rooms.note(rules, position)
    if rules[rule.R_HOW] == rule.AT_ONCE:
        held = kinds_in_hand(position)
        found = _count_plays(rules, position, held) if held else 0
    elif rules[rule.R_HOW] == rule.FREELY:
        found = count_divisions(rules, position)
    else:
        position[rooms.W_PLACES] = 0
        held = kinds_in_hand(position)
        found = _find_wide(rules, position, held, _is_first(rules, position), ALL, position, False) if held else 0
    return found + rules[rule.R_MAY_DECLINE] if found else 0


@kernel_function
def _find_wide(rules, position, held, first, wanted, out, is_listed):
    noinline()
    if rules[rule.R_PLAYS_MOST]:
        return find_most(rules, position, held, first, wanted, out, is_listed)
    return find_play(rules, position, held, first, wanted, out, is_listed)


@inlined
def kinds_in_hand(position):
    """Return the kinds of which a part is in the hand, as bits."""
    return position[rooms.W_HELD] ^ rooms.NOTED


@inlined
def _count_plays(rules, position, held):
    rooms.find_rooms(rules, position)
    first, found = _is_first(rules, position), 0
    # From the highest kind down, so that W_PLACES is left with the places of the lowest, which is asked for most.
    while held:
        kind = highest_bit(held)
        held ^= 1 << kind
        position[rooms.W_PLACES] = places = _plays(rules, position, kind, first)
        found += count_bits(places) + _enters_alone(rules, position, places)
        rest = rules[rule.KINDS + rule.KIND_WORDS * kind + rule.K_REST]
        if rest >= 0:
            found += count_bits(_plays(rules, position, rules[rule.R_EXTRA], first))
            found += count_bits(_plays(rules, position, rest, first))
    if rules[rule.R_SERIES_PLAYED] and _can_add(rules, position):
        places = _plays_of_sum(rules, position)
        found += count_bits(places) + _enters_alone(rules, position, places)
    if rules[rule.R_PARTNER_BAR] and position[code.W_DOUBLE]:
        found += rooms.may_leave_together(rules, position, _parts(position))
    return found


@inlined
def _enters_alone(rules, position, places):
    """Return 1 if a waiting piece is among the places and may enter without the one with which it was sent back, else
    0."""
    if rules[rule.R_PAIRS_APART] == 0:
        return 0
    return 0 + ((places & position[rooms.W_WAITING] != 0) & (position[code.W_PAIRS + position[code.W_MOVER]] > 0))


@inlined
def _can_add(rules, position):
    """Return whether the hand may hold as many throws as make a sum.

    The number of `series_played` is that many throws: one where only the total is played, two where either may be.
    """
    held = kinds_in_hand(position)
    return (held & (held - 1) != 0) | (position[code.W_HAND + lowest_bit(held)] >= rules[rule.R_SERIES_PLAYED])


@inlined
def _is_first(rules, position):
    """Return 1 while the rule about a player's first piece holds for the mover, else 0."""
    # R_FIRST is 1 or 0, so that of the shifted bits only the mover's own is left.
    return rules[rule.R_FIRST] & ~(position[code.W_ENTERED] >> position[code.W_MOVER])


@inlined
def _plays(rules, position, kind, first):
    """Return the places of the pieces that can play a part of that kind."""
    row, waiting = rule.KINDS + rule.KIND_WORDS * kind, position[rooms.W_WAITING]
    walking = rooms.may_go(rules, position, rules[row + rule.K_WALKS]) & ~waiting
    if rules[row + rule.K_ODD]:
        walking = _walk_oddly(rules, position, kind, walking)
    # K_ENTERS and K_FIRST_ENTERS are next to each other: `first` chooses between them without a branch.
    return walking | (rooms.may_go(rules, position, rules[row + rule.K_ENTERS + first]) & waiting)


@kernel_function
def _walk_oddly(rules, position, kind, walking):
    """Return the places of the pieces that can go by ones, or by others than ones, or by what only enters."""
    noinline()
    odd = rules[rule.KINDS + rule.KIND_WORDS * kind + rule.K_ODD]
    if odd & rule.ONES_PASS:
        if kind == rules[rule.R_ONE]:
            walking |= rooms.that_go_over(rules, position)
        else:
            walking &= ~rooms.that_share(rules, position)
    return 0 if odd & rule.ONLY_ENTERS and position[rooms.W_WAITING] else walking


@kernel_function
def _plays_of_sum(rules, position):
    """Return the places of the pieces that can play the sum of the series."""
    noinline()
    held, waiting, throws = kinds_in_hand(position), position[rooms.W_WAITING], 0
    if held & rules[rule.R_SUM_ENTERS + _is_first(rules, position)]:
        waiting = 0  # then the waiting pieces are left out no longer
    while held:
        kind = lowest_bit(held)
        held &= held - 1
        if rules[rule.KINDS + rule.KIND_WORDS * kind + rule.K_ADDS]:
            throws += position[code.W_HAND + kind]
    if throws < rules[rule.R_SERIES_PLAYED]:
        return 0
    places = rooms.may_go(rules, position, min(sum_in_hand(rules, position), rule.MOST_ROOM)) & ~waiting
    return places & ~rooms.that_share(rules, position) if rules[rule.R_LEAVING_SHARED] else places


@inlined
def sum_in_hand(rules, position):
    """Return the sum of the throws in hand: no ones, no extra points."""
    total, held = 0, kinds_in_hand(position)
    while held:
        kind = lowest_bit(held)
        held &= held - 1
        total += position[code.W_HAND + kind] * rules[rule.KINDS + rule.KIND_WORDS * kind + rule.K_ADDS]
    return total


@inlined
def _parts(position):
    """Return how many parts are in the hand."""
    number, held = 0, kinds_in_hand(position)
    while held:
        number += position[code.W_HAND + lowest_bit(held)]
        held &= held - 1
    return number


@inlined
def nth_move(rules, position, number):
    """Move `number` in the order of the contract; count_moves must have been asked."""
    # Most moves play the lowest part of the throw, whose places stand in W_PLACES since the moves were counted.
    if rules[rule.R_DIVISION] != rule.DIVISION_FREE and number < count_bits(position[rooms.W_PLACES]):
        return code.STRIDE * lowest_bit(position[rooms.W_HELD]) + rooms.nth_step(
            position, position[rooms.W_PLACES], number
        )
    return _nth_of_all(rules, position, number)


@kernel_function
def _nth_of_all(rules, position, number):
    noinline()
    if rules[rule.R_MAY_DECLINE] and number == position[rooms.W_KNOWN] - 2:
        return code.DECLINE
    if rules[rule.R_DIVISION] == rule.DIVISION_FREE:
        return nth_division(rules, position, number)
    held, first = kinds_in_hand(position), _is_first(rules, position)
    if rules[rule.R_HOW] == rule.WIDE:
        return _find_wide(rules, position, held, first, number, position, False)
    while held:
        kind = lowest_bit(held)
        held &= held - 1
        places = _plays(rules, position, kind, first)
        found = count_bits(places)
        if number < found:
            return code.STRIDE * kind + rooms.nth_step(position, places, number)
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
                return code.EXTRA_OF + code.STRIDE * kind + rooms.nth_step(position, places, number)
            number -= found
            places = _plays(rules, position, rest, first)
            found = count_bits(places)
            if number < found:
                return code.REST_OF + code.STRIDE * kind + rooms.nth_step(position, places, number)
            number -= found
    if rules[rule.R_SERIES_PLAYED]:
        places = _plays_of_sum(rules, position)
        if number < count_bits(places):
            return code.TOTAL + rooms.nth_step(position, places, number)
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
    if rules[rule.R_DIVISION] == rule.DIVISION_FREE:
        list_divisions(rules, position, out)
    elif _list_plays(rules, position, out) < found - rules[rule.R_MAY_DECLINE]:
        out[found - rules[rule.R_MAY_DECLINE] - 1] = code.TOGETHER
    if rules[rule.R_MAY_DECLINE]:
        out[found - 1] = code.DECLINE
    return found


@inlined
def _list_plays(rules, position, out):
    """Write all moves that play a part of the hand; returns how many."""
    held, first, found = kinds_in_hand(position), _is_first(rules, position), 0
    if rules[rule.R_HOW] == rule.WIDE:
        return _find_wide(rules, position, held, first, ALL, out, True)
    while held:
        kind = lowest_bit(held)
        held &= held - 1
        places = _plays(rules, position, kind, first)
        found = rooms.list_steps(position, places, code.STRIDE * kind, out, found)
        if _enters_alone(rules, position, places):
            out[found] = code.ALONE_OF + code.STRIDE * kind
            found += 1
        rest = rules[rule.KINDS + rule.KIND_WORDS * kind + rule.K_REST]
        if rest >= 0:
            places = _plays(rules, position, rules[rule.R_EXTRA], first)
            found = rooms.list_steps(position, places, code.EXTRA_OF + code.STRIDE * kind, out, found)
            places = _plays(rules, position, rest, first)
            found = rooms.list_steps(position, places, code.REST_OF + code.STRIDE * kind, out, found)
    if rules[rule.R_SERIES_PLAYED]:
        places = _plays_of_sum(rules, position)
        found = rooms.list_steps(position, places, code.TOTAL, out, found)
        if _enters_alone(rules, position, places):
            out[found] = code.ALONE_OF + code.TOTAL
            found += 1
    return found


@kernel_function
def count_divisions(rules, position):
    """Return how many ways there are to play some of the pool; notes the rooms."""
    noinline()
    pool = position[code.W_POOL]
    if pool == 0:
        return 0
    rooms.find_rooms(rules, position)
    if position[code.W_DIVIDED]:
        return count_bits(_takes_rest(rules, position, pool))
    # `0 +` makes a number of a truth value, as the compiler wants for a sum.
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
        rooms.list_steps(position, _takes_rest(rules, position, pool), code.FREE + code.STRIDE * pool, out, found)
        return
    if _enters(rules, position):
        out[0] = code.FREE
        found = 1
    for share in range(1, pool + 1):
        places = _takes(rules, position, share, pool)
        found = rooms.list_steps(position, places, code.FREE + code.STRIDE * share, out, found)


@inlined
def _move(position, share, places, number):
    return code.FREE + code.STRIDE * share + rooms.nth_step(position, places, number)


@inlined
def _enters(rules, position):
    """Return whether all waiting pieces enter by the double just thrown."""
    double = rules[rule.R_ENTER_DOUBLE]
    thrown = (double > 0) & (position[code.W_DOUBLE] == double) & (position[rooms.W_WAITING] > 0)
    return thrown & (rooms.is_closed(rules, position, 1) == 0)


@inlined
def _reach(rules, position, share):
    """Return the places of the pieces that can go that far."""
    barred = 0 if rules[rule.R_ENTRY] == rule.ENTRY_WALKS_ON else position[rooms.W_WAITING]
    return rooms.may_go(rules, position, share) & ~barred


@inlined
def _on_step(position, step):
    """Return the place of a step, as the highest bit of its byte; 0 if no piece that is not home stands there."""
    # Exclusive or: the bytes of the pieces on that step become 0.
    strange = position[rooms.W_STEPS] ^ (step * rooms.ONES)
    return ~((strange | rooms.TOPS) - rooms.ONES) & rooms.TOPS  # a byte of 0 borrows its highest bit


@inlined
def _takes_rest(rules, position, pool):
    """Return the places of the pieces that can play the rest, but for one that has had its share."""
    # Where others stand on the same step, one of them can still play the rest.
    only = _on_step(position, position[code.W_DIVIDED]) & ~position[rooms.W_SEVERAL]
    return _reach(rules, position, pool) & ~only


@inlined
def _takes(rules, position, share, pool):
    """Return the places of the pieces that can take a share, while another can play the rest."""
    places = _reach(rules, position, share)
    if share == pool:
        return places
    rest = _reach(rules, position, pool - share)
    # If two pieces can play the rest, one of them is always another than the piece that takes the share.
    if rest & (rest - 1) or rest & position[rooms.W_SEVERAL]:
        return places
    others = places & ~rest if rest else 0
    if position[code.W_FACES] >> share & 1:
        others |= places & _on_step(position, rules[rule.R_HOME] - share)
    elif share == position[code.W_DOUBLE]:
        others |= places & _leaves_by_double(rules, position, share)
    return others


@inlined
def _leaves_by_double(rules, position, double):
    """Return the place from which a piece goes home by one die of a double that it needs."""
    step = rules[rule.R_HOME] - double
    needs = rules[rule.ROOMS + step] != rules[rule.ROOMS + rule.ROW + step]
    return _on_step(position, step) if needs else 0
