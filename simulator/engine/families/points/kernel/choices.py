"""The moves of a position: how many, which is number n, and all of them, always in the order of the contract.

Pieces are looked at from the lowest point up, each with its steps and then its jumps. So move n is found by counting
bits, without a list.
"""

from simulator.engine.bits import count_bits, lowest_bit
from simulator.engine.compiled import apart, inlined, kernel_function
from simulator.engine.families.points.kernel import sets
from simulator.engine.families.points.kernel.layout import (
    KINGS,
    MEN,
    bearing,
    jump_table,
    jumps_at,
    known_at,
    opposing_at,
    row_table,
    set_at,
    step_table,
    steps_at,
    towards,
    vacant_at,
)
from simulator.engine.families.points.kernel.reach import captures, find_jumps, find_steps, look_round, steps_anywhere
from simulator.engine.families.points.kernel.rules import (
    BOTH_HANDS,
    DIRECTIONS,
    EVERY_PIECE,
    FIRST_PIECE,
    FLYING,
    MAY_GO_ON,
    MOST_ROWS,
    OUTSIDE_FIRST,
    R_CHAIN,
    R_COMPULSORY,
    R_HAND,
    R_KINGS,
    R_LAY_SAFE,
    R_LAYING_ENDS,
    R_PLAIN,
    R_REMOVABLE,
)
from simulator.engine.families.points.position import (
    CHAIN,
    JUMP,
    LAY,
    PASS,
    PLAY,
    REMOVE,
    REMOVE_MOVE,
    STEP,
    STOP,
    W_CHAIN,
    W_HAND,
    W_MOVER,
    W_PHASE,
)


@inlined
def count_moves(rules, position, wide):
    """How many moves the position has, a pass not counted; known from then on."""
    if position[known_at(wide)] == 0:
        position[known_at(wide)] = 1 + _count(rules, position, wide)
    return position[known_at(wide)] - 1


@kernel_function
def _count(rules, position, wide):
    apart()
    seat, phase = position[W_MOVER], position[W_PHASE]
    look_round(rules, position, wide, seat)
    if phase == PLAY and position[W_HAND + seat] == 0:
        return _count_moves_of_pieces(rules, position, wide, seat)
    if phase == CHAIN:
        find_jumps(rules, position, wide, seat, position[W_CHAIN] - 1)
        return sets.count(position, jumps_at(wide), wide) + (rules[R_CHAIN] == MAY_GO_ON)
    if phase == PLAY:
        _find_layings(rules, position, wide, seat)
    elif phase == REMOVE:
        find_removable(rules, position, wide, seat)
    else:
        return 0
    return sets.count(position, steps_at(wide), wide)


@inlined
def waits(rules, position, seat):
    """Whether the player has nothing left to lay and has to wait until the other has laid everything."""
    return (
        (rules[R_LAYING_ENDS] == BOTH_HANDS)
        & (position[W_HAND + seat] == 0)
        & (position[W_HAND + 1 - seat] > 0)
    )  # fmt: skip


@inlined
def _plain_steps(rules, position, wide, seat, point):
    """How many points a man may step to that never jumps and goes to the next point only."""
    table, found = step_table(rules, wide, seat, point), 0
    for w in range(len(wide)):
        found += count_bits(rules[table + w] & position[vacant_at(wide) + w])
    return found


@inlined
def _count_plain_steps(rules, position, wide, seat):
    """The moves of men that only step; most plies of a hunt or of an alignment game ask no more."""
    found = 0
    for w in range(len(wide)):
        pieces = position[set_at(wide, MEN + seat) + w]
        while pieces:
            found += _plain_steps(rules, position, wide, seat, 64 * w + lowest_bit(pieces))
            pieces &= pieces - 1
    position[known_at(wide) + 1] = 0
    return found


@inlined
def _nth_plain_step(rules, position, wide, seat, number):
    for w in range(len(wide)):
        pieces = position[set_at(wide, MEN + seat) + w]
        while pieces:
            point = 64 * w + lowest_bit(pieces)
            steps = _plain_steps(rules, position, wide, seat, point)
            if number < steps:
                find_steps(rules, position, wide, seat, point, False)
                return STEP + 128 * point + sets.nth(position, steps_at(wide), wide, number)
            number -= steps
            pieces &= pieces - 1
    return PASS


@inlined
def _count_moves_of_pieces(rules, position, wide, seat):
    if waits(rules, position, seat):
        return 0
    anywhere = steps_anywhere(rules, position, wide, seat)
    if rules[R_PLAIN + seat] and not anywhere:
        return _count_plain_steps(rules, position, wide, seat)
    steps = jumps = 0
    may_capture = captures(rules, seat)
    for w in range(len(wide)):
        pieces = position[set_at(wide, MEN + seat) + w] | position[set_at(wide, KINGS + seat) + w]
        while pieces:
            point = 64 * w + lowest_bit(pieces)
            pieces &= pieces - 1
            find_steps(rules, position, wide, seat, point, anywhere)
            steps += sets.count(position, steps_at(wide), wide)
            if may_capture:
                find_jumps(rules, position, wide, seat, point)
                jumps += sets.count(position, jumps_at(wide), wide)
    only_jumps = (rules[R_COMPULSORY] != 0) & (jumps > 0)
    position[known_at(wide) + 1] = only_jumps
    return jumps if only_jumps else steps + jumps


@inlined
def nth_move(rules, position, wide, number):
    """Move `number` in the order of the contract; count_moves must have been asked.

    What is vacant and what the opponent has stand in the position since the moves were counted.
    """
    seat, phase = position[W_MOVER], position[W_PHASE]
    if phase == PLAY and position[W_HAND + seat] == 0:
        return _nth_move_of_pieces(rules, position, wide, seat, number)
    return _nth_other(position, wide, number)


@inlined
def _nth_other(position, wide, number):
    """Of layings, removals and jumps of a chain: their sets stand as they were counted."""
    if position[W_PHASE] == CHAIN:
        if number == sets.count(position, jumps_at(wide), wide):
            return STOP
        return JUMP + 128 * (position[W_CHAIN] - 1) + sets.nth(position, jumps_at(wide), wide, number)
    point = sets.nth(position, steps_at(wide), wide, number)
    return (REMOVE_MOVE if position[W_PHASE] == REMOVE else LAY) + point


@kernel_function
def _nth_move_of_pieces(rules, position, wide, seat, number):
    apart()
    anywhere = steps_anywhere(rules, position, wide, seat)
    if rules[R_PLAIN + seat] and not anywhere:
        return _nth_plain_step(rules, position, wide, seat, number)
    if _has_one_piece(position, wide, seat):
        return _nth_move_of_one_piece(position, wide, seat, number)
    may_capture, only_jumps = captures(rules, seat), position[known_at(wide) + 1]
    for w in range(len(wide)):
        pieces = position[set_at(wide, MEN + seat) + w] | position[set_at(wide, KINGS + seat) + w]
        while pieces:
            point = 64 * w + lowest_bit(pieces)
            pieces &= pieces - 1
            if only_jumps == 0:
                find_steps(rules, position, wide, seat, point, anywhere)
                steps = sets.count(position, steps_at(wide), wide)
                if number < steps:
                    return STEP + 128 * point + sets.nth(position, steps_at(wide), wide, number)
                number -= steps
            if may_capture:
                find_jumps(rules, position, wide, seat, point)
                jumps = sets.count(position, jumps_at(wide), wide)
                if number < jumps:
                    return JUMP + 128 * point + sets.nth(position, jumps_at(wide), wide, number)
                number -= jumps
    return PASS


@inlined
def _has_one_piece(position, wide, seat):
    """Whether a player has a single piece; then its sets stand as they were counted."""
    before = others = 0
    for w in range(len(wide)):
        pieces = position[set_at(wide, MEN + seat) + w] | position[set_at(wide, KINGS + seat) + w]
        others |= pieces & (pieces - 1) | (pieces if before else 0)
        before |= pieces
    return others == 0


@inlined
def _nth_move_of_one_piece(position, wide, seat, number):
    point = sets.highest(position, set_at(wide, MEN + seat), wide)
    if point < 0:
        point = sets.highest(position, set_at(wide, KINGS + seat), wide)
    steps = 0 if position[known_at(wide) + 1] else sets.count(position, steps_at(wide), wide)
    if number < steps:
        return STEP + 128 * point + sets.nth(position, steps_at(wide), wide, number)
    return JUMP + 128 * point + sets.nth(position, jumps_at(wide), wide, number - steps)


@kernel_function
def list_moves(rules, position, wide, out):
    """Write every legal move into `out`; returns how many."""
    apart()
    found = count_moves(rules, position, wide)
    for number in range(found):
        out[number] = nth_move(rules, position, wide, number)
    if found == 0 and position[W_PHASE] == PLAY:
        out[0] = PASS
        return 1
    return found


@inlined
def _find_layings(rules, position, wide, seat):
    """The points a piece may be laid on, written where steps stand."""
    for w in range(len(wide)):
        position[steps_at(wide) + w] = position[vacant_at(wide) + w]
    safe = rules[R_LAY_SAFE]
    first = position[W_HAND + seat] == rules[R_HAND + seat]
    if safe == EVERY_PIECE or (safe == FIRST_PIECE and first):
        _keep_safe(rules, position, wide, seat)


@kernel_function
def _keep_safe(rules, position, wide, seat):
    """Leave out the points where the opponent could take the piece at once, unless no others are there."""
    apart()
    if not captures(rules, 1 - seat):
        return
    for w in range(len(wide)):
        hunters = position[opposing_at(wide) + w]
        while hunters:
            point = 64 * w + lowest_bit(hunters)
            hunters &= hunters - 1
            king = rules[R_KINGS] and sets.has(position, set_at(wide, KINGS + 1 - seat), point)
            if king and rules[R_KINGS] == FLYING:
                _keep_from_flying(rules, position, wide, point)
                continue
            for v in range(len(wide)):
                table = jump_table(rules, wide, 2 if king else 1 - seat, point)
                beside = rules[table + v] & position[vacant_at(wide) + v]
                while beside:
                    laid = 64 * v + lowest_bit(beside)
                    beside &= beside - 1
                    if sets.has(
                        position, vacant_at(wide), towards(rules, wide, laid, bearing(rules, wide, point, laid))
                    ):
                        sets.remove(position, steps_at(wide), laid)
    if sets.count(position, steps_at(wide), wide) == 0:
        for w in range(len(wide)):
            position[steps_at(wide) + w] = position[vacant_at(wide) + w]


@inlined
def _keep_from_flying(rules, position, wide, point):
    """Leave out the points where a flying king could take a piece."""
    vacant = vacant_at(wide)
    for direction in range(DIRECTIONS):
        there = towards(rules, wide, point, direction)
        while there >= 0 and sets.has(position, vacant, there):
            beyond = towards(rules, wide, there, direction)
            if beyond >= 0 and sets.has(position, vacant, beyond):
                sets.remove(position, steps_at(wide), there)
            there = beyond


@inlined
def stands_in_a_row(rules, position, wide, seat, point):
    """Whether the other two points of a row of three through this one hold pieces of that player."""
    men, kings, table = set_at(wide, MEN + seat), set_at(wide, KINGS + seat), row_table(rules, wide, point)
    for row in range(MOST_ROWS):
        any_points = missing = 0
        for w in range(len(wide)):
            points = rules[table + row * len(wide) + w]
            any_points |= points
            missing |= points & ~(position[men + w] | position[kings + w])
        if any_points == 0:
            return False  # the rows of a point stand before the empty places
        if missing == 0:
            return True
    return False


@kernel_function
def find_removable(rules, position, wide, seat):
    """The opposing pieces that a row of three may remove, written where steps stand."""
    apart()
    outside = 0
    for w in range(len(wide)):
        pieces = position[set_at(wide, MEN + 1 - seat) + w] | position[set_at(wide, KINGS + 1 - seat) + w]
        position[steps_at(wide) + w] = pieces
        while pieces and rules[R_REMOVABLE]:
            point = 64 * w + lowest_bit(pieces)
            pieces &= pieces - 1
            if stands_in_a_row(rules, position, wide, 1 - seat, point):
                sets.remove(position, steps_at(wide), point)
            else:
                outside += 1
    if rules[R_REMOVABLE] == OUTSIDE_FIRST and outside == 0:
        for w in range(len(wide)):
            men, kings = set_at(wide, MEN + 1 - seat), set_at(wide, KINGS + 1 - seat)
            position[steps_at(wide) + w] = position[men + w] | position[kings + w]
