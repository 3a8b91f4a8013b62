"""Where one piece may step and where it may land, as sets: the two questions that every list of moves asks."""

from simulator.engine.bits import highest_bit, lowest_bit
from simulator.engine.compiled import inlined, kernel_function, noinline
from simulator.engine.families.points import position as code
from simulator.engine.families.points.kernel import layout, sets
from simulator.engine.families.points.kernel import rules as rule
from simulator.engine.families.points.kernel.layout import KINGS, MEN, TAKEN, set_at


@inlined
def look_round(rules, position, wide, seat):
    """Note what is vacant, and what the opponent has that can be jumped over."""
    for w in range(len(wide)):
        own = layout.pieces(position, wide, seat, w)
        other = layout.pieces(position, wide, 1 - seat, w)
        filled = own | other | position[set_at(wide, TAKEN) + w]
        position[layout.vacant_at(wide) + w] = rules[layout.board_set(wide, 0) + w] & ~filled
        position[layout.opposing_at(wide) + w] = other


@inlined
def captures(rules, seat):
    """Whether that player's pieces capture."""
    by = rules[rule.R_CAPTURES_BY]
    return (by == rule.CAPTURES_BOTH) | (by == 1 + seat)


@inlined
def chain_rule(rules, position, wide, seat, point):
    """Whether the piece there, once it has jumped, may or must go on: kings can have a rule of their own."""
    of_kings = rules[rule.R_KING_CHAIN]
    if of_kings and sets.has(position, set_at(wide, KINGS + seat), point):
        return of_kings
    return rules[rule.R_CHAIN]


@inlined
def find_steps(rules, position, wide, seat, point, anywhere):
    """Write the points that the piece there may step to; `anywhere`: to every vacant one."""
    at = layout.steps_at(wide)
    if anywhere:
        for w in range(len(wide)):
            position[at + w] = position[layout.vacant_at(wide) + w]
    elif rules[rule.R_KINGS] and sets.has(position, set_at(wide, KINGS + seat), point):
        if rules[rule.R_KINGS] == rule.FLYING and rules[rule.R_SIMPLE + seat]:
            _find_kings_steps(rules, position, wide, point)
        else:
            _find_long_steps(rules, position, wide, seat, point)
    elif rules[rule.R_SIMPLE + seat]:
        table = layout.step_table(rules, wide, seat, point)
        for w in range(len(wide)):
            position[at + w] = rules[table + w] & position[layout.vacant_at(wide) + w]
    else:
        _find_long_steps(rules, position, wide, seat, point)


@inlined
def _nearest(rules, position, wide, point, direction):
    """The first point in that direction that is not vacant, or -1. Directions 0 to 3 lead to higher numbers."""
    ray, vacant, found = layout.ray_table(rules, wide, point, direction), layout.vacant_at(wide), -1
    if direction < 4:
        for w in range(len(wide) - 1, -1, -1):
            filled = rules[ray + w] & ~position[vacant + w]
            if filled:
                found = 64 * w + lowest_bit(filled)
    else:
        for w in range(len(wide)):
            filled = rules[ray + w] & ~position[vacant + w]
            if filled:
                found = 64 * w + highest_bit(filled)
    return found


@inlined
def _add_vacant_ahead(rules, position, wide, point, direction, at):
    """Add to a set the vacant points in that direction, up to the first that is not."""
    ray, vacant = layout.ray_table(rules, wide, point, direction), layout.vacant_at(wide)
    stop = _nearest(rules, position, wide, point, direction)
    for w in range(len(wide)):
        beyond = rules[layout.ray_table(rules, wide, stop, direction) + w] if stop >= 0 else 0
        position[at + w] |= rules[ray + w] & position[vacant + w] & ~beyond


@kernel_function
def _find_kings_steps(rules, position, wide, point):
    noinline()
    at = layout.steps_at(wide)
    for w in range(len(wide)):
        position[at + w] = 0
    for direction in range(rules[rule.R_FIRST_WAY], rule.DIRECTIONS, rules[rule.R_WAY_STEP]):
        _add_vacant_ahead(rules, position, wide, point, direction, at)


@kernel_function
def _find_long_steps(rules, position, wide, seat, point):
    """Steps that may go farther than to the next point."""
    noinline()
    at, vacant = layout.steps_at(wide), layout.vacant_at(wide)
    king = sets.has(position, set_at(wide, KINGS + seat), point)
    kind = 2 if king else seat
    reach = rules[rule.R_POINTS] if king and rules[rule.R_KINGS] == rule.FLYING else rules[rule.R_REACH + seat]
    table = layout.step_table(rules, wide, kind, point)
    for w in range(len(wide)):
        position[at + w] = rules[table + w] & position[vacant + w]
    if reach == 1:
        return
    for w in range(len(wide)):
        near = rules[table + w] & position[vacant + w]
        while near:
            there = 64 * w + lowest_bit(near)
            near &= near - 1
            direction = layout.bearing(rules, wide, point, there)
            for _ in range(reach - 1):
                there = layout.towards(rules, wide, there, direction)
                if there < 0 or not sets.has(position, vacant, there):
                    break
                sets.add(position, at, there)


@inlined
def steps_anywhere(rules, position, wide, seat):
    """Whether a player's pieces may step to any vacant point, always or because they are so few."""
    few = rules[rule.R_FLIES_AT]
    if rules[rule.R_MOVES_TO] == rule.VACANT or few == 0:
        return rules[rule.R_MOVES_TO] == rule.VACANT
    pieces = sets.count(position, set_at(wide, MEN + seat), wide) + sets.count(
        position, set_at(wide, KINGS + seat), wide
    )
    return pieces + position[code.W_HAND + seat] <= few


@inlined
def find_jumps(rules, position, wide, seat, point):
    """Write the points that the piece there may land on when it captures."""
    if rules[rule.R_KINGS] and sets.has(position, set_at(wide, KINGS + seat), point):
        _find_kings_jumps(rules, position, wide, point)
    else:
        find_short_jumps(rules, position, wide, seat, point)


@inlined
def find_short_jumps(rules, position, wide, kind, point):
    at = layout.jumps_at(wide)
    for w in range(len(wide)):
        position[at + w] = 0
    table = layout.jump_table(rules, wide, kind, point)
    for w in range(len(wide)):
        over = rules[table + w] & position[layout.opposing_at(wide) + w]
        while over:
            beside = 64 * w + lowest_bit(over)
            over &= over - 1
            beyond = layout.towards(rules, wide, beside, layout.bearing(rules, wide, point, beside))
            if sets.has(position, layout.vacant_at(wide), beyond):
                sets.add(position, at, beyond)


@kernel_function
def _find_kings_jumps(rules, position, wide, point):
    """A king's landing points; in a chain only in the directions that are left to it."""
    noinline()
    at = layout.jumps_at(wide)
    for w in range(len(wide)):
        position[at + w] = 0
    for direction in range(rules[rule.R_FIRST_WAY], rule.DIRECTIONS, rules[rule.R_WAY_STEP]):
        if _may_turn(rules, position, wide, point, direction):
            _jump_along(rules, position, wide, point, direction)


@inlined
def _may_turn(rules, position, wide, point, direction):
    if rules[rule.R_KING_TURNS] != rule.AT_EDGE or position[code.W_CHAIN] == 0 or position[code.W_CHAIN_DIRECTION] == 0:
        return True
    last = position[code.W_CHAIN_DIRECTION] - 1
    if sets.has(rules, layout.board_set(wide, 5), point):
        return direction != (last + 4) % rule.DIRECTIONS
    return direction == last


@inlined
def _jump_along(rules, position, wide, point, direction):
    flies = rules[rule.R_KINGS] == rule.FLYING
    over = _nearest(rules, position, wide, point, direction) if flies else layout.towards(rules, wide, point, direction)
    if over < 0 or not sets.has(position, layout.opposing_at(wide), over):
        return
    if flies and rules[rule.R_KING_LANDS] == rule.ANY_BEYOND:
        _add_vacant_ahead(rules, position, wide, over, direction, layout.jumps_at(wide))
        return
    beyond = layout.towards(rules, wide, over, direction)
    if beyond >= 0 and sets.has(position, layout.vacant_at(wide), beyond):
        sets.add(position, layout.jumps_at(wide), beyond)


@inlined
def jumped_over(rules, position, wide, point, landing):
    """The opposing piece between the two points of a jump."""
    direction = layout.bearing(rules, wide, point, landing)
    there = layout.towards(rules, wide, point, direction)
    for _ in range(rules[rule.R_POINTS]):
        if sets.has(position, layout.opposing_at(wide), there):
            break
        there = layout.towards(rules, wide, there, direction)
    return there
