"""Where one piece may step and where it may land, as sets: the two questions that every list of moves asks."""

from simulator.engine.bits import highest_bit, lowest_bit
from simulator.engine.compiled import apart, inlined, kernel_function
from simulator.engine.families.points.kernel import sets
from simulator.engine.families.points.kernel.layout import (
    KINGS,
    MEN,
    TAKEN,
    bearing,
    board_set,
    jump_table,
    jumps_at,
    opposing_at,
    ray_table,
    set_at,
    step_table,
    steps_at,
    towards,
    vacant_at,
)
from simulator.engine.families.points.kernel.rules import (
    ANY_BEYOND,
    AT_EDGE,
    CAPTURES_BOTH,
    DIRECTIONS,
    FLYING,
    R_CAPTURES_BY,
    R_FIRST_WAY,
    R_FLIES_AT,
    R_KING_LANDS,
    R_KING_TURNS,
    R_KINGS,
    R_MOVES_TO,
    R_POINTS,
    R_REACH,
    R_SIMPLE,
    R_WAY_STEP,
    VACANT,
)
from simulator.engine.families.points.position import W_CHAIN, W_CHAIN_DIRECTION, W_HAND


@inlined
def look_round(rules, position, wide, seat):
    """Note what is vacant, and what the opponent has that can be jumped over."""
    for w in range(len(wide)):
        own = position[set_at(wide, MEN + seat) + w] | position[set_at(wide, KINGS + seat) + w]
        other = position[set_at(wide, MEN + 1 - seat) + w] | position[set_at(wide, KINGS + 1 - seat) + w]
        filled = own | other | position[set_at(wide, TAKEN) + w]
        position[vacant_at(wide) + w] = rules[board_set(wide, 0) + w] & ~filled
        position[opposing_at(wide) + w] = other


@inlined
def captures(rules, seat):
    """Whether that player's pieces capture."""
    by = rules[R_CAPTURES_BY]
    return (by == CAPTURES_BOTH) | (by == 1 + seat)


@inlined
def find_steps(rules, position, wide, seat, point, anywhere):
    """Write the points that the piece there may step to; `anywhere`: to every vacant one."""
    at = steps_at(wide)
    if anywhere:
        for w in range(len(wide)):
            position[at + w] = position[vacant_at(wide) + w]
    elif rules[R_KINGS] and sets.has(position, set_at(wide, KINGS + seat), point):
        if rules[R_KINGS] == FLYING and rules[R_SIMPLE + seat]:
            _find_kings_steps(rules, position, wide, point)
        else:
            _find_long_steps(rules, position, wide, seat, point)
    elif rules[R_SIMPLE + seat]:
        table = step_table(rules, wide, seat, point)
        for w in range(len(wide)):
            position[at + w] = rules[table + w] & position[vacant_at(wide) + w]
    else:
        _find_long_steps(rules, position, wide, seat, point)


@inlined
def _nearest(rules, position, wide, point, direction):
    """The first point in that direction that is not vacant, or -1. Directions 0 to 3 lead to higher numbers."""
    ray, vacant, found = ray_table(rules, wide, point, direction), vacant_at(wide), -1
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
    ray, vacant = ray_table(rules, wide, point, direction), vacant_at(wide)
    stop = _nearest(rules, position, wide, point, direction)
    for w in range(len(wide)):
        beyond = rules[ray_table(rules, wide, stop, direction) + w] if stop >= 0 else 0
        position[at + w] |= rules[ray + w] & position[vacant + w] & ~beyond


@kernel_function
def _find_kings_steps(rules, position, wide, point):
    apart()
    at = steps_at(wide)
    for w in range(len(wide)):
        position[at + w] = 0
    for direction in range(rules[R_FIRST_WAY], DIRECTIONS, rules[R_WAY_STEP]):
        _add_vacant_ahead(rules, position, wide, point, direction, at)


@kernel_function
def _find_long_steps(rules, position, wide, seat, point):
    """Steps that may go farther than to the next point."""
    apart()
    at, vacant = steps_at(wide), vacant_at(wide)
    king = sets.has(position, set_at(wide, KINGS + seat), point)
    kind = 2 if king else seat
    reach = rules[R_POINTS] if king and rules[R_KINGS] == FLYING else rules[R_REACH + seat]
    table = step_table(rules, wide, kind, point)
    for w in range(len(wide)):
        position[at + w] = rules[table + w] & position[vacant + w]
    if reach == 1:
        return
    for w in range(len(wide)):
        near = rules[table + w] & position[vacant + w]
        while near:
            there = 64 * w + lowest_bit(near)
            near &= near - 1
            direction = bearing(rules, wide, point, there)
            for _ in range(reach - 1):
                there = towards(rules, wide, there, direction)
                if there < 0 or not sets.has(position, vacant, there):
                    break
                sets.add(position, at, there)


@inlined
def steps_anywhere(rules, position, wide, seat):
    """Whether a player's pieces may step to any vacant point, always or because they are so few."""
    few = rules[R_FLIES_AT]
    if rules[R_MOVES_TO] == VACANT or few == 0:
        return rules[R_MOVES_TO] == VACANT
    pieces = sets.count(position, set_at(wide, MEN + seat), wide) + sets.count(
        position, set_at(wide, KINGS + seat), wide
    )
    return pieces + position[W_HAND + seat] <= few


@inlined
def find_jumps(rules, position, wide, seat, point):
    """Write the points that the piece there may land on when it captures."""
    if rules[R_KINGS] and sets.has(position, set_at(wide, KINGS + seat), point):
        _find_kings_jumps(rules, position, wide, point)
    else:
        find_short_jumps(rules, position, wide, seat, point)


@inlined
def find_short_jumps(rules, position, wide, kind, point):
    at = jumps_at(wide)
    for w in range(len(wide)):
        position[at + w] = 0
    table = jump_table(rules, wide, kind, point)
    for w in range(len(wide)):
        over = rules[table + w] & position[opposing_at(wide) + w]
        while over:
            beside = 64 * w + lowest_bit(over)
            over &= over - 1
            beyond = towards(rules, wide, beside, bearing(rules, wide, point, beside))
            if sets.has(position, vacant_at(wide), beyond):
                sets.add(position, at, beyond)


@kernel_function
def _find_kings_jumps(rules, position, wide, point):
    """A king's landing points; in a chain only in the directions that are left to it."""
    apart()
    at = jumps_at(wide)
    for w in range(len(wide)):
        position[at + w] = 0
    for direction in range(rules[R_FIRST_WAY], DIRECTIONS, rules[R_WAY_STEP]):
        if _may_turn(rules, position, wide, point, direction):
            _jump_along(rules, position, wide, point, direction)


@inlined
def _may_turn(rules, position, wide, point, direction):
    if rules[R_KING_TURNS] != AT_EDGE or position[W_CHAIN] == 0 or position[W_CHAIN_DIRECTION] == 0:
        return True
    last = position[W_CHAIN_DIRECTION] - 1
    if sets.has(rules, board_set(wide, 5), point):
        return direction != (last + 4) % DIRECTIONS
    return direction == last


@inlined
def _jump_along(rules, position, wide, point, direction):
    flies = rules[R_KINGS] == FLYING
    over = _nearest(rules, position, wide, point, direction) if flies else towards(rules, wide, point, direction)
    if over < 0 or not sets.has(position, opposing_at(wide), over):
        return
    if flies and rules[R_KING_LANDS] == ANY_BEYOND:
        _add_vacant_ahead(rules, position, wide, over, direction, jumps_at(wide))
        return
    beyond = towards(rules, wide, over, direction)
    if beyond >= 0 and sets.has(position, vacant_at(wide), beyond):
        sets.add(position, jumps_at(wide), beyond)


@inlined
def jumped_over(rules, position, wide, point, landing):
    """The opposing piece between the two points of a jump."""
    direction = bearing(rules, wide, point, landing)
    there = towards(rules, wide, point, direction)
    for _ in range(rules[R_POINTS]):
        if sets.has(position, opposing_at(wide), there):
            break
        there = towards(rules, wide, there, direction)
    return there
