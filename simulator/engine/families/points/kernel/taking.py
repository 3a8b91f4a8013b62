"""Moves and captures of rulesets with a table of captures or a leader, compiled, as the referee's `taking` has them.

A move is tried on the position itself: what it would take is marked in a set behind the position, where the pieces as
they stood are kept too, and they are put back. Kinds of piece are four: men of either seat, then leaders.
"""

from simulator.engine.bits import lowest_bit
from simulator.engine.compiled import inlined, kernel_function, noinline
from simulator.engine.families.points import position as code
from simulator.engine.families.points.kernel import layout, reach
from simulator.engine.families.points.kernel import rules as rule
from simulator.engine.families.points.kernel.layout import KINGS, MEN, set_at

END, MAY_GO_ON, MUST_GO_ON = range(3)


@inlined
def kind_of(position, wide, seat, point):
    return seat + 2 * layout.has(position, set_at(wide, KINGS + seat), point)


@inlined
def _is_one(position, wide, seat, point, which):
    """Return whether a piece of that seat stands there, and is one of those that a column means."""
    man = layout.has(position, set_at(wide, MEN + seat), point)
    leader = layout.has(position, set_at(wide, KINGS + seat), point)
    if which == rule.CAPTURES_ROW_OF_MEN:
        return man
    return leader if which == rule.CAPTURES_ROW_OF_LEADER else man | leader


@inlined
def _is_vacant(position, wide, point):
    filled = 0
    for pieces in range(4):
        filled |= layout.has(position, set_at(wide, MEN + pieces), point)
    return filled == 0


@inlined
def _fits(number, count):
    if number == rule.CAPTURES_ROW_NUMBER_ANY:
        return count > 0
    if number == rule.CAPTURES_ROW_NUMBER_ODD:
        return (count & 1) == 1
    return count == number + 1  # one, two and three are 0, 1 and 2


@inlined
def _can_be_taken(rules, position, wide, seat, row, point):
    of = rules[row + rule.CAPTURES_COLUMN_OF]
    return _is_one(position, wide, 1 - seat, point, of) & layout.has(rules, layout.row_at(rules, wide, row), point)


@inlined
def _is_against(rules, position, wide, row, point):
    return layout.has(rules, layout.row_against(rules, wide, row), point) and _is_vacant(position, wide, point)


@inlined
def _holds(rules, position, wide, seat, row, point):
    which = rules[row + rule.CAPTURES_COLUMN_WITH]
    return _is_one(position, wide, seat, point, which) or _is_against(rules, position, wide, row, point)


@inlined
def _is_by(rules, position, wide, seat, row, point):
    """Return whether the piece there may take by a row."""
    by = rules[row + rule.CAPTURES_COLUMN_BY]
    if by == 2 - seat:  # both, the first player, the second: 0 to 2
        return False
    return _is_one(position, wide, seat, point, rules[row + rule.CAPTURES_COLUMN_WITH]) != 0


@kernel_function
def find_moves(rules, position, wide, seat, point, anywhere):
    """Write where the piece there may step, and where it may land when it leaps or takes by landing."""
    noinline()
    steps, jumps, vacant = layout.steps_at(wide), layout.jumps_at(wide), layout.vacant_at(wide)
    kind = kind_of(position, wide, seat, point)
    barred = layout.barred_at(rules, wide, kind)
    for w in range(len(wide)):
        position[steps + w] = position[vacant + w] & ~rules[barred + w] if anywhere else 0
        position[jumps + w] = 0
    if not anywhere:
        ways, passes = layout.step_ways(rules, wide, kind, point), layout.passes(rules, wide, kind)
        far = layout.reach_of(rules, wide, kind)
        for first in range(rules[rule.R_WAYS]):
            if ways >> first & 1:
                here, way, there = point, first, layout.towards(rules, wide, point, first)
                for _ in range(far):
                    if there < 0 or not layout.has(position, vacant, there):
                        break
                    if layout.has(rules, barred, there):
                        if not passes:
                            break
                    else:
                        layout.add(position, steps, there)
                    here, way = there, layout.onward(rules, wide, here, way)
                    there = layout.towards(rules, wide, here, way)
    for number in range(rules[rule.R_TAKES]):
        row = layout.row_of(rules, wide, number)
        manner = rules[row + rule.CAPTURES_COLUMN_MANNER]
        leaps = manner == rule.CAPTURES_ROW_MANNER_LEAP
        if (leaps or manner == rule.CAPTURES_ROW_MANNER_LAND) and _is_by(rules, position, wide, seat, row, point):
            ways = layout.row_ways(rules, wide, row, seat, point)
            for way in range(rules[rule.R_WAYS]):
                if ways >> way & 1:
                    to = _lands(rules, position, wide, seat, point, row, way, leaps)
                    if to >= 0:
                        layout.add(position, jumps, to)


@kernel_function
def _lands(rules, position, wide, seat, point, row, way, leaps):
    """Return where a leap or a landing along a way leads, or -1."""
    noinline()
    kind = kind_of(position, wide, seat, point)
    barred, there = layout.barred_at(rules, wide, kind), layout.towards(rules, wide, point, way)
    here, count, fits = point, 0, True
    if not leaps:
        passes = layout.passes(rules, wide, kind)
        for _ in range(layout.reach_of(rules, wide, kind)):
            if there < 0:
                return -1
            if not _is_vacant(position, wide, there):
                fits = _can_be_taken(rules, position, wide, seat, row, there) != 0
                return there if fits and not layout.has(rules, barred, there) else -1
            if layout.has(rules, barred, there) and not passes:
                return -1
            here, way = there, layout.onward(rules, wide, here, way)
            there = layout.towards(rules, wide, here, way)
        return -1
    over = rules[row + rule.CAPTURES_COLUMN_OVER]
    takes = rules[row + rule.CAPTURES_COLUMN_OF] != rule.CAPTURES_ROW_OF_NOTHING
    while there >= 0 and there != point and not _is_vacant(position, wide, there):
        count += 1
        if _is_one(position, wide, seat, there, 0):
            fits &= over != rule.CAPTURES_ROW_OVER_OPPOSING
        else:
            fits &= over != rule.CAPTURES_ROW_OVER_OWN
            if takes:
                fits &= _can_be_taken(rules, position, wide, seat, row, there) != 0
        here, way = there, layout.onward(rules, wide, here, way)
        there = layout.towards(rules, wide, here, way)
    if there < 0 or there == point or not fits or layout.has(rules, barred, there):
        return -1
    return there if _fits(rules[row + rule.CAPTURES_COLUMN_NUMBER], count) else -1


@kernel_function
def _leap(rules, position, wide, seat, point, to):
    """Take off the board what a leap to that point, or a landing there, takes, and mark it; what follows."""
    noinline()
    marked = layout.marked_at(rules, wide)
    for number in range(rules[rule.R_TAKES]):
        row = layout.row_of(rules, wide, number)
        manner = rules[row + rule.CAPTURES_COLUMN_MANNER]
        leaps = manner == rule.CAPTURES_ROW_MANNER_LEAP
        if not (leaps or manner == rule.CAPTURES_ROW_MANNER_LAND):
            continue
        if not _is_by(rules, position, wide, seat, row, point):
            continue
        ways = layout.row_ways(rules, wide, row, seat, point)
        for first in range(rules[rule.R_WAYS]):
            if ways >> first & 1 and _lands(rules, position, wide, seat, point, row, first, leaps) == to:
                if leaps and rules[row + rule.CAPTURES_COLUMN_OF] == rule.CAPTURES_ROW_OF_NOTHING:
                    return END
                taken, here, way, there = 0, point, first, point
                while (leaps and there != to) or there == point:
                    here, there = there, layout.towards(rules, wide, there, way)
                    way = layout.onward(rules, wide, here, way)
                    if not leaps:
                        there = to
                    if _is_one(position, wide, 1 - seat, there, 0):
                        layout.add(position, marked, there)
                        layout.remove(position, set_at(wide, MEN + 1 - seat), there)
                        layout.remove(position, set_at(wide, KINGS + 1 - seat), there)
                        taken += 1
                return rules[row + rule.CAPTURES_COLUMN_THEN] if taken else END
    return END


@inlined
def _mark_run(rules, position, wide, point, way, count):
    """Mark so many points along a way."""
    for _ in range(count):
        there = layout.towards(rules, wide, point, way)
        layout.add(position, layout.marked_at(rules, wide), there)
        point, way = there, layout.onward(rules, wide, point, way)


@kernel_function
def _run(rules, position, wide, seat, row, point, way):
    """Return how many opposing pieces stand next to each other along a way, less 1000 if one cannot be taken so, and
    the point behind them, or -1."""
    noinline()
    start, count, fits = point, 0, True
    there = layout.towards(rules, wide, point, way)
    while there >= 0 and there != start and _is_one(position, wide, 1 - seat, there, 0):
        count += 1
        fits &= _can_be_taken(rules, position, wide, seat, row, there) != 0
        point, way = there, layout.onward(rules, wide, point, way)
        there = layout.towards(rules, wide, point, way)
    return (count if fits else count - 1000), (-1 if there == start else there)


@kernel_function
def _enclose(rules, position, wide, seat, row, to):
    noinline()
    ways, found = layout.row_ways(rules, wide, row, seat, to), 0
    for way in range(rules[rule.R_WAYS]):
        if ways >> way & 1:
            count, behind = _run(rules, position, wide, seat, row, to, way)
            if count > 0 and behind >= 0 and _fits(rules[row + rule.CAPTURES_COLUMN_NUMBER], count):
                if _holds(rules, position, wide, seat, row, behind):
                    _mark_run(rules, position, wide, to, way, count)
                    found = 1
    return found


@kernel_function
def _surround(rules, position, wide, seat, row, to, shut_in):
    """Take what stands beside the piece, and has its own side's pieces, or any where it is shut in, all round it."""
    noinline()
    found = 0
    for side in range(rules[rule.R_WAYS]):
        point = layout.towards(rules, wide, to, side)
        if point < 0 or not _can_be_taken(rules, position, wide, seat, row, point):
            continue
        ways, is_round, is_beside = layout.row_ways(rules, wide, row, seat, point), True, False
        for way in range(rules[rule.R_WAYS]):
            if ways >> way & 1:
                beside = layout.towards(rules, wide, point, way)
                is_beside |= beside == to
                if shut_in:
                    is_round &= not _is_vacant(position, wide, beside) or _is_against(
                        rules, position, wide, row, beside
                    )
                else:
                    is_round &= _holds(rules, position, wide, seat, row, beside) != 0
        if is_round and is_beside:
            layout.add(position, layout.marked_at(rules, wide), point)
            found = 1
    return found


@kernel_function
def _go_between(rules, position, wide, seat, row, to):
    noinline()
    ways, found, marked = layout.row_ways(rules, wide, row, seat, to), 0, layout.marked_at(rules, wide)
    for way in range(rules[rule.R_WAYS]):
        back = layout.across(rules, wide, to, way)
        if ways >> way & 1 and back >= 0:
            one, other = layout.towards(rules, wide, to, way), layout.towards(rules, wide, to, back)
            if _can_be_taken(rules, position, wide, seat, row, one):
                if _can_be_taken(rules, position, wide, seat, row, other):
                    layout.add(position, marked, one)
                    layout.add(position, marked, other)
                    found = 1
    return found


@kernel_function
def _in_line(rules, position, wide, seat, row, origin, to, approaches):
    """Take what stands in the line of a step: before it, or behind where it began."""
    noinline()
    way = layout.bearing(rules, wide, origin, to)
    if way < 0 or not layout.row_ways(rules, wide, row, seat, origin) >> way & 1:
        return 0
    point = origin
    if approaches:
        while point != to:
            here, point = point, layout.towards(rules, wide, point, way)
            way = layout.onward(rules, wide, here, way)
    else:
        way = layout.across(rules, wide, origin, way)
        if way < 0:
            return 0
    number = rules[row + rule.CAPTURES_COLUMN_NUMBER]
    if number == rule.CAPTURES_ROW_NUMBER_ONE:
        there = layout.towards(rules, wide, point, way)
        count = 1 if there >= 0 and _can_be_taken(rules, position, wide, seat, row, there) else 0
    else:
        count, _ = _run(rules, position, wide, seat, row, point, way)
    if count <= 0 or not _fits(number, count):
        return 0
    _mark_run(rules, position, wide, point, way, count)
    return 1


@kernel_function
def _look_around(rules, position, wide, seat, origin, to, steps):
    """Mark what the piece that has come to a point takes there; what follows."""
    noinline()
    then = END
    for number in range(rules[rule.R_TAKES]):
        row = layout.row_of(rules, wide, number)
        if not _is_by(rules, position, wide, seat, row, to):
            continue
        manner, found = rules[row + rule.CAPTURES_COLUMN_MANNER], 0
        if manner == rule.CAPTURES_ROW_MANNER_ENCLOSE:
            found = _enclose(rules, position, wide, seat, row, to)
        elif manner == rule.CAPTURES_ROW_MANNER_SURROUND or manner == rule.CAPTURES_ROW_MANNER_SHUT_IN:
            found = _surround(rules, position, wide, seat, row, to, manner == rule.CAPTURES_ROW_MANNER_SHUT_IN)
        elif manner == rule.CAPTURES_ROW_MANNER_GO_BETWEEN:
            found = _go_between(rules, position, wide, seat, row, to)
        elif steps and manner >= rule.CAPTURES_ROW_MANNER_WITHDRAW:
            approaches = manner == rule.CAPTURES_ROW_MANNER_APPROACH
            found = _in_line(rules, position, wide, seat, row, origin, to, approaches)
        if found:
            then = max(then, rules[row + rule.CAPTURES_COLUMN_THEN])
    return then


@kernel_function
def make_move(rules, position, wide, seat, origin, to, leaps):
    """Move the piece, and mark what it takes: what it leapt over is off the board, the others are not; what follows."""
    noinline()
    marked, steps = layout.marked_at(rules, wide), not leaps and not reach.steps_anywhere(rules, position, wide, seat)
    for w in range(len(wide)):
        position[marked + w] = 0
    then = _leap(rules, position, wide, seat, origin, to) if leaps else END
    leader = layout.has(position, set_at(wide, KINGS + seat), origin)
    pieces = set_at(wide, KINGS + seat) if leader else set_at(wide, MEN + seat)
    layout.remove(position, pieces, origin)
    layout.add(position, pieces, to)
    return max(then, _look_around(rules, position, wide, seat, origin, to, steps))


@inlined
def _takes(rules, position, wide, seat, origin, to, leaps):
    """Return whether a move takes anything; the position is as before."""
    kept = layout.kept_at(rules, wide)
    for w in range(4 * len(wide)):
        position[kept + w] = position[set_at(wide, MEN) + w]
    make_move(rules, position, wide, seat, origin, to, leaps)
    for w in range(4 * len(wide)):
        position[set_at(wide, MEN) + w] = position[kept + w]
    return not layout.is_empty(position, layout.marked_at(rules, wide), wide)


@kernel_function
def find_taking(rules, position, wide, seat, point, anywhere):
    """Write the moves of the piece there by which it takes something."""
    noinline()
    find_moves(rules, position, wide, seat, point, anywhere)
    for leaps in range(2):
        at = layout.jumps_at(wide) if leaps else layout.steps_at(wide)
        for w in range(len(wide)):
            left = position[at + w]
            while left:
                to = 64 * w + lowest_bit(left)
                left &= left - 1
                if not _takes(rules, position, wide, seat, point, to, leaps == 1):
                    layout.remove(position, at, to)


@inlined
def _find(rules, position, wide, seat, point, anywhere, taking):
    if taking:
        find_taking(rules, position, wide, seat, point, anywhere)
    else:
        find_moves(rules, position, wide, seat, point, anywhere)


@inlined
def _found(position, wide):
    return layout.count(position, layout.steps_at(wide), wide) + layout.count(position, layout.jumps_at(wide), wide)


@kernel_function
def count_moves(rules, position, wide, seat):
    """Count the moves of a turn, or those by which a piece that has taken goes on, and the choice to stop. A flag says
    whether they are those alone that take."""
    noinline()
    anywhere, flag = reach.steps_anywhere(rules, position, wide, seat), layout.known_at(wide) + 1
    position[flag] = 0
    if position[code.W_PHASE] == code.CHAIN:
        find_taking(rules, position, wide, seat, position[code.W_CHAIN] - 1, anywhere)
        return _found(position, wide) + position[code.W_CHAIN_DIRECTION]
    for taking in range(1 if rules[rule.R_CAPTURE_COMPULSORY] else 0, -1, -1):
        found = 0
        for w in range(len(wide)):
            pieces = layout.pieces(position, wide, seat, w)
            while pieces:
                _find(rules, position, wide, seat, 64 * w + lowest_bit(pieces), anywhere, taking)
                pieces &= pieces - 1
                found += _found(position, wide)
        if taking and found:
            position[flag] = layout.ONLY_JUMPS
            return found
    return found


@kernel_function
def nth_move(rules, position, wide, seat, number):
    """Return move `number` in the order of the contract; they must have been counted."""
    noinline()
    anywhere, chain = reach.steps_anywhere(rules, position, wide, seat), position[code.W_PHASE] == code.CHAIN
    taking = chain or position[layout.known_at(wide) + 1] == layout.ONLY_JUMPS
    for w in range(len(wide)):
        pieces = layout.pieces(position, wide, seat, w)
        while pieces:
            point = 64 * w + lowest_bit(pieces)
            pieces &= pieces - 1
            if chain and point != position[code.W_CHAIN] - 1:
                continue
            _find(rules, position, wide, seat, point, anywhere, taking)
            steps = layout.count(position, layout.steps_at(wide), wide)
            if number < steps:
                return layout.step_from(wide, point) + layout.nth(position, layout.steps_at(wide), wide, number)
            number -= steps
            jumps = layout.count(position, layout.jumps_at(wide), wide)
            if number < jumps:
                return layout.jump_from(wide, point) + layout.nth(position, layout.jumps_at(wide), wide, number)
            number -= jumps
    return code.STOP if chain else code.PASS


@kernel_function
def list_moves(rules, position, wide, seat, out):
    """Write every move into `out`; they must have been counted."""
    noinline()
    anywhere, chain = reach.steps_anywhere(rules, position, wide, seat), position[code.W_PHASE] == code.CHAIN
    taking, found = chain or position[layout.known_at(wide) + 1] == layout.ONLY_JUMPS, 0
    for w in range(len(wide)):
        pieces = layout.pieces(position, wide, seat, w)
        while pieces:
            point = 64 * w + lowest_bit(pieces)
            pieces &= pieces - 1
            if chain and point != position[code.W_CHAIN] - 1:
                continue
            _find(rules, position, wide, seat, point, anywhere, taking)
            for leaps in range(2):
                at = layout.jumps_at(wide) if leaps else layout.steps_at(wide)
                begin = layout.jump_from(wide, point) if leaps else layout.step_from(wide, point)
                for v in range(len(wide)):
                    left = position[at + v]
                    while left:
                        out[found] = begin + 64 * v + lowest_bit(left)
                        left &= left - 1
                        found += 1
    if chain and position[code.W_CHAIN_DIRECTION]:
        out[found] = code.STOP
