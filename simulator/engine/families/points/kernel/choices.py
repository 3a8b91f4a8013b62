"""The moves of a position: how many, which is number n, and all of them, always in the order of the contract.

Pieces are looked at from the lowest point up, each with its steps and then its jumps. So move n is found by counting
bits, without a list.
"""

import numpy as np

from simulator.engine.bits import count_bits, highest_bit, lowest_bit, nth_bit_of_64
from simulator.engine.compiled import inlined, kernel_function, noinline
from simulator.engine.families.points import position as code
from simulator.engine.families.points.kernel import laying, layout, most, reach, taking, ways
from simulator.engine.families.points.kernel import rules as rule
from simulator.engine.families.points.kernel.layout import KINGS, MEN, TAKEN, set_at


@inlined
def count_moves(rules, position, wide):
    """Return how many moves the position has, a pass not counted; known from then on."""
    if position[layout.known_at(wide)] == 0:
        # Stored plus 1, since whoever writes an identity leaves 0 behind it, which has to mean "not known".
        position[layout.known_at(wide)] = 1 + _count(rules, position, wide)
    return position[layout.known_at(wide)] - 1


@kernel_function
def _count(rules, position, wide):
    noinline()
    seat, phase = position[code.W_MOVER], position[code.W_PHASE]
    if phase == code.PLAY and position[code.W_HAND + seat] == 0:
        if rules[rule.R_HOW + seat] == rule.BY_LINKS:
            return _count_links(rules, position, wide, seat)
        return _count_moves_of_pieces(rules, position, wide, seat)
    reach.look_round(rules, position, wide, seat)
    if phase == code.CHAIN:
        if rules[rule.R_BY_TABLE]:
            return taking.count_moves(rules, position, wide, seat)
        point = position[code.W_CHAIN] - 1
        if rules[rule.R_MOST_CAPTURES]:
            position[layout.best_at(wide)] = 0
            most.raise_best(rules, position, wide, seat, point)
        most.find_jumps(rules, position, wide, seat, point)
        may_stop = reach.chain_rule(rules, position, wide, seat, point) == rule.CHAIN_MAY_GO_ON
        return layout.count(position, layout.jumps_at(wide), wide) + may_stop
    if phase == code.PLAY:
        reach.find_layings(rules, position, wide, seat)
        if laying.may_move_instead(rules, position, wide, seat):
            return _count_both(rules, position, wide, seat)
    elif phase == code.REMOVE:
        reach.find_removable(rules, position, wide, seat)
    elif phase == code.HUFF:
        return layout.count(position, set_at(wide, TAKEN), wide) + 1
    else:
        return 0
    return layout.count(position, layout.steps_at(wide), wide)


@inlined
def count_at_turn(rules, position, wide, notes):
    """Do as `count_moves` where a turn begins, which is most of all: each kind of rules is called from here."""
    seat, how = position[code.W_MOVER], rules[rule.R_HOW + position[code.W_MOVER]]
    # Functions of their own: each has few registers to save, and only one is called.
    if how == rule.OTHERWISE or position[code.W_HAND + seat] or position[layout.known_at(wide)]:
        return count_moves(rules, position, wide)
    if how == rule.BY_LINKS:
        found = _count_links(rules, position, wide, seat)
    elif how == rule.PLAINLY:
        found = _count_plain_steps(rules, position, wide, seat)
    elif how == rule.BY_WAYS:
        found = _count_by_ways(rules, position, wide, notes, seat)
    else:
        found = _count_near(rules, position, wide, seat)
    position[layout.known_at(wide)] = 1 + found
    return found


@kernel_function
def _count_both(rules, position, wide, seat):
    """Count layings, which stand where steps do, and moves of pieces, or these alone if they have to be made."""
    noinline()
    layings = layout.count(position, layout.steps_at(wide), wide)
    moves = _count_moves_of_pieces(rules, position, wide, seat)
    return moves if position[layout.known_at(wide) + 1] == layout.ONLY_JUMPS else layings + moves


@kernel_function
def _nth_of_both(rules, position, wide, seat, number):
    """Find a laying, or a move of a piece behind them."""
    noinline()
    if position[layout.known_at(wide) + 1] != layout.ONLY_JUMPS:
        reach.find_layings(rules, position, wide, seat)
        layings = layout.count(position, layout.steps_at(wide), wide)
        if number < layings:
            return code.LAY + layout.nth(position, layout.steps_at(wide), wide, number)
        number -= layings
    return _nth_move_of_pieces(rules, position, wide, seat, number)


@inlined
def may_move(rules, position, wide):
    """Return whether the position has a move, a pass not counted: one is found sooner than all are counted."""
    seat, known = position[code.W_MOVER], position[layout.known_at(wide)]
    if known == 0 and position[code.W_PHASE] == code.PLAY and position[code.W_HAND + seat] == 0:
        return _may_move_a_piece(rules, position, wide, seat)
    return count_moves(rules, position, wide) > 0


@kernel_function
def _may_move_a_piece(rules, position, wide, seat):
    noinline()
    if rules[rule.R_BY_TABLE]:
        return count_moves(rules, position, wide) > 0
    if waits(rules, position, seat):
        return False
    reach.look_round(rules, position, wide, seat)
    return _may_step(rules, position, wide, seat) or (
        reach.captures(rules, seat) and _may_jump(rules, position, wide, seat)
    )


@inlined
def _may_step(rules, position, wide, seat):
    """Return whether a piece can step. The foremost one is asked first: those behind it often stand in each other's
    way."""
    anywhere = reach.steps_anywhere(rules, position, wide, seat)
    for place in range(len(wide)):
        # The first player goes up the board, so his foremost pieces have the highest numbers; the second player's the
        # lowest.
        w = place if seat else len(wide) - 1 - place
        pieces = layout.pieces(position, wide, seat, w)
        while pieces:
            within = lowest_bit(pieces) if seat else highest_bit(pieces)
            pieces ^= 1 << within
            reach.find_steps(rules, position, wide, seat, 64 * w + within, anywhere)
            if not layout.is_empty(position, layout.steps_at(wide), wide):
                return True
    return False


@inlined
def _may_jump(rules, position, wide, seat):
    for w in range(len(wide)):
        pieces = layout.pieces(position, wide, seat, w)
        while pieces:
            reach.find_jumps(rules, position, wide, seat, 64 * w + lowest_bit(pieces))
            pieces &= pieces - 1
            if not layout.is_empty(position, layout.jumps_at(wide), wide):
                return True
    return False


@inlined
def waits(rules, position, seat):
    """Return whether the player has nothing left to lay and has to wait until the other has laid everything."""
    return (
        (rules[rule.R_LAYING_ENDS] == rule.LAYING_ENDS_BOTH_HANDS)
        & (position[code.W_HAND + seat] == 0)
        & (position[code.W_HAND + 1 - seat] > 0)
    )  # fmt: skip


@inlined
def _plain_steps(rules, position, wide, seat, point):
    """Return how many points a man may step to that never jumps and goes to the next point only."""
    table, found = layout.step_table(rules, wide, seat, point), 0
    for w in range(len(wide)):
        found += count_bits(rules[table + w] & position[layout.vacant_at(wide) + w])
    return found


@inlined
def _count_moves_of_pieces(rules, position, wide, seat):
    if rules[rule.R_BY_TABLE]:
        reach.look_round(rules, position, wide, seat)
        return 0 if waits(rules, position, seat) else taking.count_moves(rules, position, wide, seat)
    if rules[rule.R_HOW + seat] == rule.PLAINLY:
        return _count_plain_steps(rules, position, wide, seat)
    return _count_piece_by_piece(rules, position, wide, seat)


@kernel_function
def _count_plain_steps(rules, position, wide, seat):
    """Count the moves of men that only step; most plies of a hunt or of an alignment game ask no more."""
    noinline()
    if waits(rules, position, seat):
        return 0
    if reach.steps_anywhere(rules, position, wide, seat):
        return _count_piece_by_piece(rules, position, wide, seat)
    reach.look_round(rules, position, wide, seat)
    found = 0
    for w in range(len(wide)):
        pieces = position[set_at(wide, MEN + seat) + w]
        while pieces:
            found += _plain_steps(rules, position, wide, seat, 64 * w + lowest_bit(pieces))
            pieces &= pieces - 1
    position[layout.known_at(wide) + 1] = layout.NO_JUMPS
    return found


@kernel_function
def _count_links(rules, position, wide, seat):
    """Count the moves of men on a small board, which stand where steps do, as the bits of a word."""
    noinline()
    if waits(rules, position, seat):
        return 0
    if reach.steps_anywhere(rules, position, wide, seat):
        return _count_piece_by_piece(rules, position, wide, seat)
    reach.look_round(rules, position, wide, seat)
    found = ways.links(rules, position, wide, seat)
    jumps = found & rules[ways.links_table(rules, seat)]
    if rules[rule.R_CAPTURE_COMPULSORY] and jumps:
        found = jumps
    position[layout.steps_at(wide)] = found
    return count_bits(found)


@kernel_function
def _count_near(rules, position, wide, seat):
    """Count the moves of men that step and jump; those of the last, a hunter often, stand as its sets."""
    noinline()
    if waits(rules, position, seat):
        return 0
    if reach.steps_anywhere(rules, position, wide, seat):
        return _count_piece_by_piece(rules, position, wide, seat)
    reach.look_round(rules, position, wide, seat)
    steps = jumps = 0
    for w in range(len(wide)):
        pieces, jumpers = position[set_at(wide, MEN + seat) + w], 0
        while pieces:
            within = lowest_bit(pieces)
            pieces &= pieces - 1
            reach.find_near_steps(rules, position, wide, seat, 64 * w + within)
            steps += layout.count(position, layout.steps_at(wide), wide)
            reach.find_short_jumps(rules, position, wide, seat, 64 * w + within)
            found = layout.count(position, layout.jumps_at(wide), wide)
            jumps += found
            jumpers |= np.int64(found > 0) << within
        position[layout.jumpers_at(wide) + w] = jumpers
    return _settle_which(rules, position, wide, steps, jumps)


@kernel_function
def _count_by_ways(rules, position, wide, notes, seat):
    """Count the moves of all men at once, and of flying kings one by one; note who can jump."""
    noinline()
    if waits(rules, position, seat):
        return 0
    if reach.steps_anywhere(rules, position, wide, seat):
        return _count_piece_by_piece(rules, position, wide, seat)
    reach.look_round(rules, position, wide, seat)
    ways.follow(rules, position, wide, notes)
    for w in range(len(wide)):
        position[layout.jumpers_at(wide) + w] = 0
    steps, jumps = ways.count(rules, position, wide, notes, seat, set_at(wide, MEN + seat), seat)
    if rules[rule.R_KINGS] and not layout.is_empty(position, set_at(wide, KINGS + seat), wide):
        more_steps, more_jumps = _count_of_kings(rules, position, wide, notes, seat)
        steps, jumps = steps + more_steps, jumps + more_jumps
    return _settle_which(rules, position, wide, steps, jumps)


@kernel_function
def _count_of_kings(rules, position, wide, notes, seat):
    noinline()
    if rules[rule.R_KINGS] == rule.KINGS_SHORT:
        return ways.count(rules, position, wide, notes, seat, set_at(wide, KINGS + seat), np.int64(2))
    return _count_each(rules, position, wide, seat, False, False)


@kernel_function
def _count_piece_by_piece(rules, position, wide, seat):
    """Count the moves of each piece; note who can jump."""
    noinline()
    if waits(rules, position, seat):
        return 0
    reach.look_round(rules, position, wide, seat)
    for w in range(len(wide)):
        position[layout.jumpers_at(wide) + w] = 0
    steps, jumps = _count_each(rules, position, wide, seat, True, reach.steps_anywhere(rules, position, wide, seat))
    if rules[rule.R_MOST_CAPTURES] and jumps:
        jumps = _count_best(rules, position, wide, seat)
    return _settle_which(rules, position, wide, steps, jumps)


@inlined
def _settle_which(rules, position, wide, steps, jumps):
    # Kept beside the number of moves: the draw of move n need not find out again whether steps or jumps are left out.
    only_jumps = (rules[rule.R_CAPTURE_COMPULSORY] != 0) & (jumps > 0)
    position[layout.known_at(wide) + 1] = layout.ONLY_JUMPS if only_jumps else layout.NO_JUMPS if jumps == 0 else 0
    return jumps if only_jumps else steps + jumps


@inlined
def _count_each(rules, position, wide, seat, men, anywhere):
    """Return (steps, jumps) of kings, and of men where these are asked for."""
    steps = jumps = 0
    may_capture = reach.captures(rules, seat)
    # Steps are counted even if captures turn out to be compulsory: whether any piece can jump is known only at the end.
    for w in range(len(wide)):
        pieces, jumpers = position[set_at(wide, KINGS + seat) + w], 0
        if men:
            pieces |= position[set_at(wide, MEN + seat) + w]
        while pieces:
            within = lowest_bit(pieces)
            pieces &= pieces - 1
            reach.find_steps(rules, position, wide, seat, 64 * w + within, anywhere)
            steps += layout.count(position, layout.steps_at(wide), wide)
            if may_capture:
                reach.find_jumps(rules, position, wide, seat, 64 * w + within)
                found = layout.count(position, layout.jumps_at(wide), wide)
                jumps += found
                jumpers |= np.int64(found > 0) << within
        position[layout.jumpers_at(wide) + w] |= jumpers
    return steps, jumps


@kernel_function
def _count_best(rules, position, wide, seat):
    """Return how many jumps begin a capture that takes the most."""
    noinline()
    found, position[layout.best_at(wide)] = 0, 0
    for again in range(2):
        for w in range(len(wide)):
            pieces = layout.pieces(position, wide, seat, w)
            while pieces:
                point = 64 * w + lowest_bit(pieces)
                pieces &= pieces - 1
                if again:
                    most.find_jumps(rules, position, wide, seat, point)
                    found += layout.count(position, layout.jumps_at(wide), wide)
                else:
                    most.raise_best(rules, position, wide, seat, point)
    return found


@inlined
def nth_move(rules, position, wide, number):
    """Move `number` in the order of the contract; count_moves must have been asked.

    What is vacant and what the opponent has stand in the position since the moves were counted.
    """
    seat, phase = position[code.W_MOVER], position[code.W_PHASE]
    if phase == code.PLAY and position[code.W_HAND + seat] == 0:
        if _steps_near(rules, position, wide, seat):
            if rules[rule.R_HOW + seat] == rule.BY_LINKS:
                link = nth_bit_of_64(position[layout.steps_at(wide)], number)
                return rules[ways.links_table(rules, seat) + 1 + link]
            return _nth_move_of_men(rules, position, wide, seat, number)
        return _nth_move_of_pieces(rules, position, wide, seat, number)
    if phase == code.PLAY and laying.may_move_instead(rules, position, wide, seat):
        return _nth_of_both(rules, position, wide, seat, number)
    if phase == code.CHAIN and rules[rule.R_BY_TABLE]:
        return taking.nth_move(rules, position, wide, seat, number)
    return _nth_other(position, wide, number)


@inlined
def _steps_near(rules, position, wide, seat):
    """Return whether the player's pieces step to the next point, and capture by short jumps or not at all."""
    how = rules[rule.R_HOW + seat]
    if how == rule.OTHERWISE or (how == rule.BY_WAYS and rules[rule.R_KINGS] and _has_kings(position, wide, seat)):
        return False
    return not reach.steps_anywhere(rules, position, wide, seat)


@inlined
def _has_kings(position, wide, seat):
    return not layout.is_empty(position, set_at(wide, KINGS + seat), wide)


@kernel_function
def _nth_move_of_men(rules, position, wide, seat, number):
    noinline()
    flag = position[layout.known_at(wide) + 1]
    only_jumps, no_jumps = flag == layout.ONLY_JUMPS, flag == layout.NO_JUMPS
    for w in range(len(wide)):
        jumpers = 0 if no_jumps else position[layout.jumpers_at(wide) + w]
        pieces = jumpers if only_jumps else position[set_at(wide, MEN + seat) + w]
        while pieces:
            within = lowest_bit(pieces)
            point = 64 * w + within
            pieces &= pieces - 1
            steps = 0 if only_jumps else _plain_steps(rules, position, wide, seat, point)
            if number < steps:
                reach.find_near_steps(rules, position, wide, seat, point)
                return layout.step_from(wide, point) + layout.nth(position, layout.steps_at(wide), wide, number)
            number -= steps
            if jumpers >> within & 1:
                reach.find_short_jumps(rules, position, wide, seat, point)
                jumps = layout.count(position, layout.jumps_at(wide), wide)
                if number < jumps:
                    return layout.jump_from(wide, point) + layout.nth(position, layout.jumps_at(wide), wide, number)
                number -= jumps
    return code.PASS


@inlined
def _nth_other(position, wide, number):
    """Find layings, removals, huffs and jumps of a chain, whose sets stand as they were counted."""
    if position[code.W_PHASE] == code.HUFF:
        if number == layout.count(position, set_at(wide, TAKEN), wide):
            return code.LEAVE
        return layout.removal_from(wide, 0) + layout.nth(position, set_at(wide, TAKEN), wide, number)
    if position[code.W_PHASE] == code.CHAIN:
        if number == layout.count(position, layout.jumps_at(wide), wide):
            return code.STOP
        return layout.jump_from(wide, position[code.W_CHAIN] - 1) + layout.nth(
            position, layout.jumps_at(wide), wide, number
        )
    point = layout.nth(position, layout.steps_at(wide), wide, number)
    return layout.removal_from(wide, point) if position[code.W_PHASE] == code.REMOVE else code.LAY + point


@kernel_function
def _nth_move_of_pieces(rules, position, wide, seat, number):
    noinline()
    if rules[rule.R_BY_TABLE]:
        return taking.nth_move(rules, position, wide, seat, number)
    # A lone piece, such as a hunter, was looked at last when the moves were counted: its sets still stand.
    are_written = rules[rule.R_HOW + seat] == rule.OTHERWISE and rules[rule.R_MOST_CAPTURES] == 0
    if are_written and position[code.W_HAND + seat] == 0 and _has_one_piece(position, wide, seat):
        return _nth_move_of_one_piece(position, wide, seat, number)
    anywhere, flag = reach.steps_anywhere(rules, position, wide, seat), position[layout.known_at(wide) + 1]
    only_jumps, no_jumps = flag == layout.ONLY_JUMPS, flag == layout.NO_JUMPS
    for w in range(len(wide)):
        jumpers = 0 if no_jumps else position[layout.jumpers_at(wide) + w]
        pieces = jumpers if only_jumps else layout.pieces(position, wide, seat, w)
        while pieces:
            within = lowest_bit(pieces)
            point = 64 * w + within
            pieces &= pieces - 1
            if not only_jumps:
                reach.find_steps(rules, position, wide, seat, point, anywhere)
                steps = layout.count(position, layout.steps_at(wide), wide)
                if number < steps:
                    return layout.step_from(wide, point) + layout.nth(position, layout.steps_at(wide), wide, number)
                number -= steps
            if jumpers >> within & 1:
                most.find_jumps(rules, position, wide, seat, point)
                jumps = layout.count(position, layout.jumps_at(wide), wide)
                if number < jumps:
                    return layout.jump_from(wide, point) + layout.nth(position, layout.jumps_at(wide), wide, number)
                number -= jumps
    return code.PASS


@inlined
def _has_one_piece(position, wide, seat):
    """Return whether a player has a single piece; then its sets stand as they were counted."""
    before = others = 0
    for w in range(len(wide)):
        pieces = layout.pieces(position, wide, seat, w)
        # x & (x - 1) is x without its lowest bit: what is left of a word of one piece is 0.
        others |= pieces & (pieces - 1) | (pieces if before else 0)
        before |= pieces
    return others == 0


@inlined
def _nth_move_of_one_piece(position, wide, seat, number):
    point = layout.highest(position, set_at(wide, MEN + seat), wide)
    if point < 0:
        point = layout.highest(position, set_at(wide, KINGS + seat), wide)
    only_jumps = position[layout.known_at(wide) + 1] == layout.ONLY_JUMPS
    steps = 0 if only_jumps else layout.count(position, layout.steps_at(wide), wide)
    # Chosen without a branch: whether a hunter steps or jumps nobody guesses.
    jumps = np.int64(number >= steps)
    at = layout.steps_at(wide) + jumps * (layout.jumps_at(wide) - layout.steps_at(wide))
    begin = layout.step_from(wide, point)
    begin += jumps * (layout.jump_from(wide, point) - begin)
    return begin + layout.nth(position, at, wide, number - jumps * steps)


@kernel_function
def list_moves(rules, position, wide, out):
    """Write every legal move into `out`; returns how many."""
    noinline()
    # Layings, removals and huffs are one set that already stands in the position; steps and jumps are found anew for
    # each piece, in the order in which they were counted.
    found, seat = count_moves(rules, position, wide), position[code.W_MOVER]
    of_pieces = (position[code.W_PHASE] == code.PLAY) & (position[code.W_HAND + seat] == 0)
    if found and rules[rule.R_BY_TABLE] and (of_pieces or position[code.W_PHASE] == code.CHAIN):
        taking.list_moves(rules, position, wide, seat, out)
        return found
    if found and of_pieces and rules[rule.R_HOW + seat] == rule.BY_LINKS:
        if not reach.steps_anywhere(rules, position, wide, seat):
            moves = position[layout.steps_at(wide)]
            for number in range(found):
                out[number] = rules[ways.links_table(rules, seat) + 1 + lowest_bit(moves)]
                moves &= moves - 1
            return found
    if found and of_pieces:
        _list_moves_of_pieces(rules, position, wide, seat, out)
        return found
    if found and position[code.W_PHASE] == code.PLAY and laying.may_move_instead(rules, position, wide, seat):
        for number in range(found):
            out[number] = _nth_of_both(rules, position, wide, seat, number)
        return found
    for number in range(found):
        out[number] = _nth_other(position, wide, number)
    if found == 0 and position[code.W_PHASE] == code.PLAY:
        out[0] = code.PASS
        return 1
    return found


@inlined
def _list_moves_of_pieces(rules, position, wide, seat, out):
    anywhere, flag = reach.steps_anywhere(rules, position, wide, seat), position[layout.known_at(wide) + 1]
    only_jumps, no_jumps, found = flag == layout.ONLY_JUMPS, flag == layout.NO_JUMPS, 0
    for w in range(len(wide)):
        jumpers = 0 if no_jumps else position[layout.jumpers_at(wide) + w]
        pieces = jumpers if only_jumps else layout.pieces(position, wide, seat, w)
        while pieces:
            within = lowest_bit(pieces)
            point = 64 * w + within
            pieces &= pieces - 1
            if not only_jumps:
                reach.find_steps(rules, position, wide, seat, point, anywhere)
                found = _write_each(position, layout.steps_at(wide), wide, layout.step_from(wide, point), out, found)
            if jumpers >> within & 1:
                most.find_jumps(rules, position, wide, seat, point)
                found = _write_each(position, layout.jumps_at(wide), wide, layout.jump_from(wide, point), out, found)


@inlined
def _write_each(position, at, wide, begin, out, found):
    """Write a code for every point of a set, from place `found` on; the place behind them."""
    for w in range(len(wide)):
        points = position[at + w]
        while points:
            out[found] = begin + 64 * w + lowest_bit(points)
            points &= points - 1
            found += 1
    return found
