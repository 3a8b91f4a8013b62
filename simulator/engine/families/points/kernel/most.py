"""Captures that take the most, compiled: what the jumps of a turn come to, tried on the position and taken back.

Only rulesets that ask for it (R_MOST_CAPTURES) have room for it behind what a position remembers: for each jump of a
turn the position before it, what was taken by then, and the jumps that are still to be tried.
"""

from simulator.engine.compiled import inlined, kernel_function, noinline
from simulator.engine.families.points import position as code
from simulator.engine.families.points.kernel import layout, reach
from simulator.engine.families.points.kernel import rules as rule
from simulator.engine.families.points.kernel.layout import KINGS, MEN, TAKEN, set_at

# Pieces weigh more than to take with a king, and that more than all kings that are taken.
A_PIECE, BY_A_KING, A_KING = 1 << 17, 1 << 16, 1


@inlined
def find_jumps(rules, position, wide, seat, point):
    """Write where the piece there may land; where the most has to be taken, only if it can be."""
    reach.find_jumps(rules, position, wide, seat, point)
    if rules[rule.R_MOST_CAPTURES] and not layout.is_empty(position, layout.jumps_at(wide), wide):
        _keep_best(rules, position, wide, seat, point)


@kernel_function
def raise_best(rules, position, wide, seat, point):
    """Note what a piece can take at most, if none looked at before can take as much."""
    noinline()
    reach.find_jumps(rules, position, wide, seat, point)
    # The sets of the position are written while jumps are tried: what is still to be tried stands in the first room.
    left = _room(rules, wide, 0) + layout.identity_words(wide) + 2
    for w in range(len(wide)):
        position[left + w] = position[layout.jumps_at(wide) + w]
    to = layout.highest(position, left, wide)
    while to >= 0:
        layout.remove(position, left, to)
        worth = _worth(rules, position, wide, seat, point, to)
        if worth > position[layout.best_at(wide)]:
            position[layout.best_at(wide)] = worth
        to = layout.highest(position, left, wide)


@kernel_function
def _keep_best(rules, position, wide, seat, point):
    noinline()
    left = _room(rules, wide, 0) + layout.identity_words(wide) + 2
    kept = left + len(wide)
    for w in range(len(wide)):
        position[left + w] = position[layout.jumps_at(wide) + w]
        position[kept + w] = 0
    to = layout.highest(position, left, wide)
    while to >= 0:
        layout.remove(position, left, to)
        if _worth(rules, position, wide, seat, point, to) == position[layout.best_at(wide)]:
            layout.add(position, kept, to)
        to = layout.highest(position, left, wide)
    for w in range(len(wide)):
        position[layout.jumps_at(wide) + w] = position[kept + w]


@inlined
def _room(rules, wide, depth):
    """Return where the position before jump number `depth` is kept, with what was taken by then and is to be tried."""
    return layout.tried_at(rules, wide) + depth * (layout.identity_words(wide) + 2 + 2 * len(wide))


@inlined
def _keep(rules, position, wide, depth, taken):
    room, words = _room(rules, wide, depth), layout.identity_words(wide)
    for i in range(words):
        position[room + i] = position[i]
    position[room + words] = taken


@inlined
def _take_back(rules, position, wide, depth):
    """Bring back the position before a jump; returns what was taken by then."""
    room, words = _room(rules, wide, depth), layout.identity_words(wide)
    for i in range(words):
        position[i] = position[room + i]
    return position[room + words]


@kernel_function
def _worth(rules, position, wide, seat, point, to):
    """Return the most that a jump and those after it take."""
    noinline()
    words = layout.identity_words(wide)
    ranks = rules[rule.R_MOST_CAPTURES] == rule.MOST_CAPTURES_MOST_THEN_KINGS
    king = rules[rule.R_KINGS] and layout.has(position, set_at(wide, KINGS + seat), point)
    _keep(rules, position, wide, 0, 0)
    taken = _make(rules, position, wide, seat, point, to, ranks) + (BY_A_KING if king and ranks else 0)
    best, looked_at, depth = taken, 0, 1
    _keep(rules, position, wide, 1, taken)
    position[_room(rules, wide, 1) + words + 1] = to
    for w in range(len(wide)):
        position[_room(rules, wide, 1) + words + 2 + w] = position[layout.jumps_at(wide) + w]
    while depth > 0:
        room = _room(rules, wide, depth)
        there = _lowest(position, room + words + 2, wide)
        if there < 0:
            depth -= 1
            continue
        layout.remove(position, room + words + 2, there)
        taken = _take_back(rules, position, wide, depth)
        taken += _make(rules, position, wide, seat, position[room + words + 1], there, ranks)
        best = max(best, taken)
        looked_at += 1
        if looked_at >= code.MOST_LOOKED_AT:
            break
        if depth < code.MOST_DEEP:
            depth += 1
            _keep(rules, position, wide, depth, taken)
            room = _room(rules, wide, depth)
            position[room + words + 1] = there
            for w in range(len(wide)):
                position[room + words + 2 + w] = position[layout.jumps_at(wide) + w]
    _take_back(rules, position, wide, 0)
    reach.look_round(rules, position, wide, seat)
    return best


@inlined
def _lowest(position, at, wide):
    """Return the first point of a set, or -1."""
    return -1 if layout.is_empty(position, at, wide) else layout.nth(position, at, wide, 0)


@inlined
def _make(rules, position, wide, seat, point, to, ranks):
    """Jump, and write where the piece may land next; returns what was taken."""
    reach.look_round(rules, position, wide, seat)
    over = reach.jumped_over(rules, position, wide, point, to)
    king = layout.has(position, set_at(wide, KINGS + seat), point)
    taken = A_PIECE + (A_KING if ranks and layout.has(position, set_at(wide, KINGS + 1 - seat), over) else 0)
    pieces = set_at(wide, KINGS + seat) if king else set_at(wide, MEN + seat)
    layout.remove(position, pieces, point)
    layout.add(position, pieces, to)
    layout.remove(position, set_at(wide, MEN + 1 - seat), over)
    layout.remove(position, set_at(wide, KINGS + 1 - seat), over)
    if rules[rule.R_LIFTED] == rule.LIFTED_AFTER_TURN:
        layout.add(position, set_at(wide, TAKEN), over)
    crowning, ends = rules[rule.R_CROWNING], False
    is_crowned = rules[rule.R_KINGS] and not king and layout.has(rules, layout.board_set(wide, 3 + seat), to)
    if is_crowned and (crowning == rule.CROWNING_ENDS_TURN or crowning == rule.CROWNING_GOES_ON_AS_KING):
        layout.remove(position, set_at(wide, MEN + seat), to)
        layout.add(position, set_at(wide, KINGS + seat), to)
        king, ends = True, crowning == rule.CROWNING_ENDS_TURN
    position[code.W_CHAIN] = to + 1
    position[code.W_CHAIN_DIRECTION] = 0
    if king and not rules[rule.R_BENT]:
        position[code.W_CHAIN_DIRECTION] = 1 + layout.bearing(rules, wide, point, to)
    reach.look_round(rules, position, wide, seat)
    left = position[code.W_HAND + 1 - seat] + layout.count(position, layout.opposing_at(wide), wide)
    if ends or left < rules[rule.R_FIRST_LOSES_BELOW + 1 - seat]:
        for w in range(len(wide)):
            position[layout.jumps_at(wide) + w] = 0
    else:
        reach.find_jumps(rules, position, wide, seat, to)
    return taken
