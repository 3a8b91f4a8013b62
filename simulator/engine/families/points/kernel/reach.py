"""What can be done from where pieces stand, as sets of points: where one piece may step and where it may land, where a
piece may be laid, which pieces may be removed or huffed.
"""

import numpy as np

from simulator.engine.bits import highest_bit, lowest_bit
from simulator.engine.compiled import inlined, kernel_function, noinline
from simulator.engine.families.points import position as code
from simulator.engine.families.points.kernel import laying, layout, ways
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
    """Return whether that player's pieces capture."""
    by = rules[rule.R_CAPTURES_BY]  # none, the first player, the second, both: 0 to 3
    return (by == rule.CAPTURES_BY_BOTH) | (by == 1 + seat)


@inlined
def chain_rule(rules, position, wide, seat, point):
    """Return whether the piece there, once it has jumped, may or must go on: kings can have a rule of their own."""
    of_kings = rules[rule.R_KING_CHAIN]
    if of_kings and layout.has(position, set_at(wide, KINGS + seat), point):
        return of_kings
    return rules[rule.R_CHAIN]


@inlined
def find_steps(rules, position, wide, seat, point, anywhere):
    """Write the points that the piece there may step to; `anywhere`: to every vacant one."""
    at = layout.steps_at(wide)
    if anywhere:
        for w in range(len(wide)):
            position[at + w] = position[layout.vacant_at(wide) + w]
        if rules[rule.R_LONGER_ROW] == rule.LONGER_ROW_FORBIDDEN:
            drop_long_rows(rules, position, wide, seat, point)
    elif rules[rule.R_KINGS] and layout.has(position, set_at(wide, KINGS + seat), point):
        if rules[rule.R_KINGS] == rule.KINGS_FLYING and rules[rule.R_SIMPLE + seat]:
            _find_kings_steps(rules, position, wide, point)
        else:
            _find_long_steps(rules, position, wide, seat, point)
    elif rules[rule.R_SIMPLE + seat]:
        find_near_steps(rules, position, wide, seat, point)
    else:
        _find_long_steps(rules, position, wide, seat, point)


@inlined
def find_near_steps(rules, position, wide, seat, point):
    table = layout.step_table(rules, wide, seat, point)
    for w in range(len(wide)):
        position[layout.steps_at(wide) + w] = rules[table + w] & position[layout.vacant_at(wide) + w]


@inlined
def _nearest(rules, position, wide, point, direction):
    """Return the first point in that direction that is not vacant, or -1. Directions 0 to 3 lead to higher numbers."""
    ray, vacant, found = layout.ray_table(rules, wide, point, direction), layout.vacant_at(wide), -1
    if rules[rule.R_BENT]:
        # A line with a bend does not lead to ever higher or lower numbers: it is walked.
        found = layout.towards(rules, wide, point, direction)
        while found >= 0 and layout.has(position, vacant, found):
            point, direction = found, layout.onward(rules, wide, point, direction)
            found = layout.towards(rules, wide, point, direction)
    elif direction < 4:
        for w in range(len(wide) - 1, -1, -1):
            # A ray that leads to higher numbers meets the lowest of them first; words are taken from the farthest to
            # the nearest, so that the nearest is written last.
            filled = rules[ray + w] & ~position[vacant + w]
            if filled:
                found = 64 * w + lowest_bit(filled)
    else:
        for w in range(len(wide)):
            # A ray that leads to lower numbers meets the highest of them first.
            filled = rules[ray + w] & ~position[vacant + w]
            if filled:
                found = 64 * w + highest_bit(filled)
    return found


@inlined
def _add_vacant_ahead(rules, position, wide, point, direction, at):
    """Add to a set the vacant points in that direction, up to the first that is not."""
    ray, vacant = layout.ray_table(rules, wide, point, direction), layout.vacant_at(wide)
    if rules[rule.R_BENT]:
        there, way = layout.towards(rules, wide, point, direction), layout.onward(rules, wide, point, direction)
        while there >= 0 and layout.has(position, vacant, there):
            layout.add(position, at, there)
            there, way = layout.towards(rules, wide, there, way), layout.onward(rules, wide, there, way)
        return
    stop = _nearest(rules, position, wide, point, direction)
    for w in range(len(wide)):
        # What lies ahead, less what lies behind the first piece: no loop from point to point.
        beyond = rules[layout.ray_table(rules, wide, stop, direction) + w] if stop >= 0 else 0
        position[at + w] |= rules[ray + w] & position[vacant + w] & ~beyond


@kernel_function
def _find_kings_steps(rules, position, wide, point):
    noinline()
    at = layout.steps_at(wide)
    for w in range(len(wide)):
        position[at + w] = 0
    for direction in range(rules[rule.R_FIRST_WAY], rules[rule.R_WAYS], rules[rule.R_WAY_STEP]):
        _add_vacant_ahead(rules, position, wide, point, direction, at)


@kernel_function
def _find_long_steps(rules, position, wide, seat, point):
    """Write steps that may go farther than to the next point."""
    noinline()
    at, vacant = layout.steps_at(wide), layout.vacant_at(wide)
    king = layout.has(position, set_at(wide, KINGS + seat), point)
    kind = 2 if king else seat
    reach = (
        rules[rule.R_POINTS] if king and rules[rule.R_KINGS] == rule.KINGS_FLYING else rules[rule.R_FIRST_REACH + seat]
    )
    table = layout.step_table(rules, wide, kind, point)
    for w in range(len(wide)):
        position[at + w] = rules[table + w] & position[vacant + w]
    if reach > 1:
        _go_on(rules, position, wide, table, point, reach)
    if rules[rule.R_LONGER_ROW] == rule.LONGER_ROW_FORBIDDEN:
        drop_long_rows(rules, position, wide, seat, point)


@inlined
def _go_on(rules, position, wide, table, point, reach):
    """Add to the steps to the next point those that go farther along the same lines."""
    at, vacant = layout.steps_at(wide), layout.vacant_at(wide)
    for w in range(len(wide)):
        near = rules[table + w] & position[vacant + w]
        while near:
            there = 64 * w + lowest_bit(near)
            near &= near - 1
            direction = layout.bearing(rules, wide, point, there)
            direction = layout.onward(rules, wide, point, direction)
            for _ in range(reach - 1):
                last, there = there, layout.towards(rules, wide, there, direction)
                direction = layout.onward(rules, wide, last, direction)
                if there < 0 or not layout.has(position, vacant, there):
                    break
                layout.add(position, at, there)


@inlined
def steps_anywhere(rules, position, wide, seat):
    """Return whether a player's pieces may step to any vacant point, always or because they are so few."""
    few = rules[rule.R_FLIES_AT]
    if rules[rule.R_MOVES_TO] == rule.MOVES_TO_VACANT or few == 0:
        return rules[rule.R_MOVES_TO] == rule.MOVES_TO_VACANT
    pieces = layout.count(position, set_at(wide, MEN + seat), wide) + layout.count(
        position, set_at(wide, KINGS + seat), wide
    )
    return pieces + position[code.W_HAND + seat] <= few


@inlined
def find_jumps(rules, position, wide, seat, point):
    """Write the points that the piece there may land on when it captures."""
    if rules[rule.R_KINGS] and layout.has(position, set_at(wide, KINGS + seat), point):
        _find_kings_jumps(rules, position, wide, point)
    else:
        find_short_jumps(rules, position, wide, seat, point)


@inlined
def find_short_jumps(rules, position, wide, kind, point):
    over, beyond = ways.over_table(rules, point), ways.landing_table(rules, point)
    table = layout.jump_table(rules, wide, kind, point)
    for w in range(len(wide)):
        landings = 0
        # Every way is looked at: a processor would guess wrong where pieces stand that can be jumped over.
        for block in range(0, rules[rule.R_LANES], rule.BLOCK):
            for lane in range(block, block + rule.BLOCK, len(wide)):
                met = 0
                for v in range(len(wide)):
                    met |= rules[over + lane + v] & rules[table + v] & position[layout.opposing_at(wide) + v]
                landings |= rules[beyond + lane + w] & -np.int64(met != 0)
        position[layout.jumps_at(wide) + w] = landings & position[layout.vacant_at(wide) + w]


@kernel_function
def _find_kings_jumps(rules, position, wide, point):
    """Write a king's landing points; in a chain only in the directions that are left to it."""
    noinline()
    at = layout.jumps_at(wide)
    for w in range(len(wide)):
        position[at + w] = 0
    for direction in range(rules[rule.R_FIRST_WAY], rules[rule.R_WAYS], rules[rule.R_WAY_STEP]):
        if _may_turn(rules, position, wide, point, direction):
            _jump_along(rules, position, wide, point, direction)


@inlined
def _may_turn(rules, position, wide, point, direction):
    if (
        rules[rule.R_KING_TURNS] == rule.KING_TURNS_ANYWHERE
        or position[code.W_CHAIN] == 0
        or position[code.W_CHAIN_DIRECTION] == 0
    ):
        return True
    last = position[code.W_CHAIN_DIRECTION] - 1
    if rules[rule.R_KING_TURNS] == rule.KING_TURNS_NOT_BACK or layout.has(rules, layout.board_set(wide, 5), point):
        # At the edge a king may turn any way but back; elsewhere it goes straight on.
        return direction != (last + 4) % 8
    return direction == last


@inlined
def _jump_along(rules, position, wide, point, direction):
    over = layout.towards(rules, wide, point, direction)
    if over < 0 or not layout.has(rules, layout.jump_table(rules, wide, 2, point), over):
        return
    if rules[rule.R_KINGS] != rule.KINGS_FLYING:
        beyond = layout.landing(rules, wide, point, direction)
        if layout.has(position, layout.opposing_at(wide), over):
            if layout.has(position, layout.vacant_at(wide), beyond):
                layout.add(position, layout.jumps_at(wide), beyond)
        return
    over = _nearest(rules, position, wide, point, direction)
    if over < 0 or not layout.has(position, layout.opposing_at(wide), over):
        return
    if rules[rule.R_BENT]:
        direction = _way_behind(rules, wide, point, direction, over)
    if rules[rule.R_KING_LANDS] == rule.KING_LANDS_ANY_BEYOND:
        _add_vacant_ahead(rules, position, wide, over, direction, layout.jumps_at(wide))
        return
    beyond = layout.towards(rules, wide, over, direction)
    if beyond >= 0 and layout.has(position, layout.vacant_at(wide), beyond):
        layout.add(position, layout.jumps_at(wide), beyond)


@inlined
def _way_behind(rules, wide, point, way, over):
    """Return the way that goes on from a point further along a line with bends."""
    there = point
    while there != over:
        there, way = layout.towards(rules, wide, there, way), layout.onward(rules, wide, there, way)
    return way


@inlined
def jumped_over(rules, position, wide, point, landing):
    """Return the opposing piece between the two points of a jump."""
    if rules[rule.R_BENT] and rules[rule.R_KINGS] != rule.KINGS_FLYING:
        return _jumped_round(rules, position, wide, point, landing)
    # A flying king may jump from afar: the piece is looked for along the way.
    direction = layout.bearing(rules, wide, point, landing)
    there = layout.towards(rules, wide, point, direction)
    for _ in range(rules[rule.R_POINTS]):
        if layout.has(position, layout.opposing_at(wide), there):
            break
        point, direction = there, layout.onward(rules, wide, point, direction)
        there = layout.towards(rules, wide, point, direction)
    return there


@inlined
def _jumped_round(rules, position, wide, point, landing):
    """Return the same where lines have bends: a point may lie behind one that is jumped over, and beside as well."""
    found = -1
    for way in range(rules[rule.R_WAYS]):
        over = layout.towards(rules, wide, point, way)
        if over >= 0 and layout.landing(rules, wide, point, way) == landing:
            if layout.has(position, layout.opposing_at(wide), over):
                found = over
    return found


@kernel_function
def note_huffable(rules, position, wide, seat):
    """Note the pieces that could jump now: a step leaves them to the huff. They stand where taken pieces do."""
    noinline()
    for w in range(len(wide)):
        position[set_at(wide, TAKEN) + w] = 0
    if not captures(rules, seat):
        return
    look_round(rules, position, wide, seat)
    for w in range(len(wide)):
        pieces = layout.pieces(position, wide, seat, w)
        while pieces:
            point = 64 * w + lowest_bit(pieces)
            pieces &= pieces - 1
            find_jumps(rules, position, wide, seat, point)
            if layout.count(position, layout.jumps_at(wide), wide):
                layout.add(position, set_at(wide, TAKEN), point)


@inlined
def find_layings(rules, position, wide, seat):
    """Write the points a piece may be laid on, where steps stand."""
    _all_layings(rules, position, wide, seat)
    safe = rules[rule.R_LAY_SAFE]
    # R_HAND is the hand at the start: a hand that is still full has laid none.
    first = position[code.W_HAND + seat] == rules[rule.R_HAND + seat]
    if safe == rule.LAY_SAFE_EVERY_PIECE or (safe == rule.LAY_SAFE_FIRST_PIECE and first):
        _keep_safe(rules, position, wide, seat)


@inlined
def _all_layings(rules, position, wide, seat):
    """Write the vacant points, but for those where a row would be too long, or where the plan of laying has none."""
    for w in range(len(wide)):
        position[layout.steps_at(wide) + w] = position[layout.vacant_at(wide) + w]
    if rules[rule.R_PLANS]:
        _keep_to_plan(rules, position, wide, seat)
    if rules[rule.R_LONGER_ROW] == rule.LONGER_ROW_FORBIDDEN:
        drop_long_rows(rules, position, wide, seat, -1)


@kernel_function
def _keep_to_plan(rules, position, wide, seat):
    """Leave out the points where the plan of laying has no piece, and those where one would form a forbidden row."""
    noinline()
    plan = laying.part(rules, position, wide, seat, 0)
    for w in range(len(wide)):
        there = position[layout.steps_at(wide) + w] & rules[plan + laying.POINTS + w]
        position[layout.steps_at(wide) + w] = there
        while there and rules[plan + laying.FLAGS] & laying.FORBIDS_ROWS:
            point = 64 * w + lowest_bit(there)
            there &= there - 1
            if stands_in_a_row(rules, position, wide, seat, point):
                layout.remove(position, layout.steps_at(wide), point)


@kernel_function
def _keep_safe(rules, position, wide, seat):
    """Leave out the points where the opponent could take the piece at once, unless no others are there."""
    noinline()
    if not captures(rules, 1 - seat):
        return
    for w in range(len(wide)):
        hunters = position[layout.opposing_at(wide) + w]
        while hunters:
            point = 64 * w + lowest_bit(hunters)
            hunters &= hunters - 1
            king = rules[rule.R_KINGS] and layout.has(position, set_at(wide, KINGS + 1 - seat), point)
            if king and rules[rule.R_KINGS] == rule.KINGS_FLYING:
                _keep_from_flying(rules, position, wide, point)
                continue
            for v in range(len(wide)):
                # From an opposing piece, a vacant point with a vacant one behind it is where a piece laid now could be
                # taken.
                table = layout.jump_table(rules, wide, 2 if king else 1 - seat, point)
                beside = rules[table + v] & position[layout.vacant_at(wide) + v]
                while beside:
                    laid = 64 * v + lowest_bit(beside)
                    beside &= beside - 1
                    beyond = layout.landing(rules, wide, point, layout.bearing(rules, wide, point, laid))
                    if layout.has(position, layout.vacant_at(wide), beyond):
                        layout.remove(position, layout.steps_at(wide), laid)
    if layout.count(position, layout.steps_at(wide), wide) == 0:
        _all_layings(rules, position, wide, seat)


@inlined
def _keep_from_flying(rules, position, wide, point):
    """Leave out the points where a flying king could take a piece."""
    vacant = layout.vacant_at(wide)
    for direction in range(rules[rule.R_WAYS]):
        way = layout.onward(rules, wide, point, direction)
        there = layout.towards(rules, wide, point, direction)
        if there < 0 or not layout.has(rules, layout.jump_table(rules, wide, 2, point), there):
            continue  # no king takes that way
        while there >= 0 and layout.has(position, vacant, there):
            beyond = layout.towards(rules, wide, there, way)
            if beyond >= 0 and layout.has(position, vacant, beyond):
                layout.remove(position, layout.steps_at(wide), there)
            there, way = beyond, layout.onward(rules, wide, there, way)


@inlined
def stands_in_a_row(rules, position, wide, seat, point):
    """Return whether the other points of a row through this one hold pieces of that player."""
    table = layout.row_table(rules, wide, seat, point)
    for row in range(rules[rule.R_ROWS_OF_POINT]):
        any_points = missing = 0
        for w in range(len(wide)):
            points = rules[table + row * len(wide) + w]
            any_points |= points
            missing |= points & ~layout.pieces(position, wide, seat, w)
        if any_points == 0:
            return False  # the rows of a point stand before the empty places
        if missing == 0 and not _is_longer(rules, position, wide, seat, table + row * len(wide)):
            return True
    return False


@inlined
def _is_longer(rules, position, wide, seat, row):
    """Return whether a row is part of a longer one, and counts for nothing therefore."""
    if rules[rule.R_ROW_ENDS] == 0:
        return False
    beyond = 0
    for w in range(len(wide)):
        beyond |= rules[row + rules[rule.R_ROW_ENDS] + w] & layout.pieces(position, wide, seat, w)
    return beyond != 0


@kernel_function
def drop_long_rows(rules, position, wide, seat, origin):
    """Take out of the steps, or of the layings (`origin` is -1 then), those that form a row that is too long."""
    noinline()
    if origin >= 0:
        layout.add(position, layout.vacant_at(wide), origin)
    for w in range(len(wide)):
        there = position[layout.steps_at(wide) + w]
        while there:
            point = 64 * w + lowest_bit(there)
            there &= there - 1
            if _forms_long_row(rules, position, wide, seat, point):
                layout.remove(position, layout.steps_at(wide), point)
    if origin >= 0:
        layout.remove(position, layout.vacant_at(wide), origin)


@inlined
def _forms_long_row(rules, position, wide, seat, point):
    """Return whether a piece that comes to a point stands in a row that another of its player's makes longer. The point
    it comes from is noted as vacant."""
    vacant = layout.vacant_at(wide)
    table = layout.row_table(rules, wide, seat, point)
    for row in range(rules[rule.R_ROWS_OF_POINT]):
        any_points = missing = beyond = 0
        for w in range(len(wide)):
            own = layout.pieces(position, wide, seat, w) & ~position[vacant + w]
            points = rules[table + row * len(wide) + w]
            any_points |= points
            missing |= points & ~own
            beyond |= rules[table + rules[rule.R_ROW_ENDS] + row * len(wide) + w] & own
        if any_points == 0:
            return False
        if missing == 0 and beyond != 0:
            return True
    return False


@kernel_function
def find_removable(rules, position, wide, seat):
    """Write the opposing pieces that a row of three may remove, where steps stand."""
    noinline()
    outside = 0
    for w in range(len(wide)):
        pieces = layout.pieces(position, wide, 1 - seat, w)
        position[layout.steps_at(wide) + w] = pieces
        while pieces and rules[rule.R_REMOVABLE]:
            point = 64 * w + lowest_bit(pieces)
            pieces &= pieces - 1
            if stands_in_a_row(rules, position, wide, 1 - seat, point):
                layout.remove(position, layout.steps_at(wide), point)
            else:
                outside += 1
    if rules[rule.R_REMOVABLE] == rule.REMOVABLE_OUTSIDE_LINES_FIRST and outside == 0:
        for w in range(len(wide)):
            position[layout.steps_at(wide) + w] = layout.pieces(position, wide, 1 - seat, w)
