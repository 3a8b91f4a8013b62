"""A turn, compiled: a move is played, and what follows from it is settled. The fast twin of the referee's `play`."""

from simulator.engine.compiled import apart, inlined, kernel_function
from simulator.engine.families.points.kernel import sets
from simulator.engine.families.points.kernel.choices import (
    count_moves,
    find_removable,
    stands_in_a_row,
    waits,
)
from simulator.engine.families.points.kernel.endings import count_taken, count_turn, end_game, hand_over
from simulator.engine.families.points.kernel.layout import (
    KINGS,
    MEN,
    TAKEN,
    bearing,
    board_set,
    idle_at,
    known_at,
    rank,
    set_at,
    steps_at,
    vacant_at,
)
from simulator.engine.families.points.kernel.reach import jumped_over, look_round
from simulator.engine.families.points.kernel.rules import (
    AFTER_TURN,
    EITHER_HAND,
    ENDS_TURN,
    FIRST_HOP_ONLY,
    GOES_ON_AS_KING,
    LAY_AGAIN,
    LEVEL,
    LINE_WINS,
    LOSES_AFTER_PASS,
    MAY_GO_ON,
    MOVING_REMOVES_AND_MOVES,
    ON_STOPPING,
    R_CHAIN,
    R_CROWNING,
    R_KINGS,
    R_LAYING_ENDS,
    R_LAYING_LEAVES,
    R_LIFTED,
    R_LINE_BY,
    R_LINE_LAYING,
    R_LINE_MOVING,
    R_LINE_PASSED,
    R_STUCK,
)
from simulator.engine.families.points.measures import DECISIONS_OF, OPTIONS_OF
from simulator.engine.families.points.position import (
    CHAIN,
    JUMP,
    PASS,
    PLAY,
    REMOVE,
    REMOVE_MOVE,
    RUNNING,
    STEP,
    STOP,
    W_CHAIN,
    W_CHAIN_DIRECTION,
    W_END,
    W_HAND,
    W_HOPS,
    W_LAID,
    W_MOVER,
    W_PHASE,
)


@kernel_function
def play_move(rules, position, wide, move, counts):
    """Play a legal move and settle what follows."""
    apart()
    seat = position[W_MOVER]
    options = count_moves(rules, position, wide)
    if options > 1:
        counts[OPTIONS_OF + seat] += options
        counts[DECISIONS_OF + seat] += 1
    position[known_at(wide)] = 0
    if move >= JUMP:
        goes_on = _jump(rules, position, wide, counts, seat, (move - JUMP) >> 7, (move - JUMP) & 127)
    elif move >= STEP:
        goes_on = _step(rules, position, wide, seat, (move - STEP) >> 7, (move - STEP) & 127)
    elif move < REMOVE_MOVE:
        goes_on = _lay(rules, position, wide, seat, move)
    else:
        goes_on = _act_otherwise(rules, position, wide, counts, seat, move)
    if rules[R_LINE_PASSED] and position[W_END] == RUNNING and _line_is_passed(rules, position, wide):
        end_game(position, 0)
    if position[W_END] != RUNNING:
        count_turn(position, wide, counts)
    elif not goes_on:
        count_turn(position, wide, counts)
        hand_over(rules, position, wide, seat, move == PASS)


@kernel_function
def _act_otherwise(rules, position, wide, counts, seat, move):
    """Remove, stop or pass; returns whether the turn goes on."""
    apart()
    if move == PASS:
        stuck = not (waits(rules, position, seat) or position[W_LAID])
        position[W_LAID] = 0
        if stuck and rules[R_STUCK + seat] == LOSES_AFTER_PASS:
            end_game(position, 1 - seat)
        return False
    if move == STOP:
        if rules[R_CROWNING] == ON_STOPPING:
            _crown(rules, position, wide, seat, position[W_CHAIN] - 1)
        return False
    return _remove(rules, position, wide, counts, seat, move - REMOVE_MOVE)


@inlined
def _rows_count(rules, seat):
    return (rules[R_LINE_BY] == 0) | (rules[R_LINE_BY] == 1 + seat)


@kernel_function
def _lay(rules, position, wide, seat, point):
    """Lay a piece; returns whether the turn goes on."""
    apart()
    sets.add(position, set_at(wide, MEN + seat), point)
    position[W_HAND + seat] -= 1
    position[W_LAID] = 1
    position[idle_at(wide)] = -1
    if rules[R_LAYING_ENDS] == EITHER_HAND and position[W_HAND + seat] == 0:
        position[W_HAND + 1 - seat] = 0
    if rules[R_LAYING_LEAVES]:
        look_round(rules, position, wide, seat)
        if sets.count(position, vacant_at(wide), wide) <= rules[R_LAYING_LEAVES]:
            position[W_HAND] = position[W_HAND + 1] = 0
    brings = rules[R_LINE_LAYING]
    if not (brings and _rows_count(rules, seat) and stands_in_a_row(rules, position, wide, seat, point)):
        return False
    if brings == LINE_WINS:
        end_game(position, seat)
        return False
    if brings == LAY_AGAIN:
        if position[W_HAND + seat] == 0 or count_moves(rules, position, wide) == 0:
            return False
        position[W_LAID] = 0
        return True
    return _begin_removal(rules, position, wide, seat)


@inlined
def _begin_removal(rules, position, wide, seat):
    """Whether there is a piece to remove; then the turn goes on with its removal."""
    find_removable(rules, position, wide, seat)
    if sets.count(position, steps_at(wide), wide) == 0:
        return False
    position[W_PHASE] = REMOVE
    return True


@inlined
def _remove(rules, position, wide, counts, seat, point):
    """Remove an opposing piece; returns whether the turn goes on."""
    sets.remove(position, set_at(wide, MEN + 1 - seat), point)
    sets.remove(position, set_at(wide, KINGS + 1 - seat), point)
    position[W_PHASE] = PLAY
    position[idle_at(wide)] = -1
    if count_taken(rules, position, wide, counts, seat):
        end_game(position, seat)
        return False
    return _moves_again(rules, position, wide)


@inlined
def _moves_again(rules, position, wide):
    """Whether a row that was formed by a step gives another move, and there is one."""
    if rules[R_LINE_MOVING] != MOVING_REMOVES_AND_MOVES or position[W_LAID]:
        return False
    return count_moves(rules, position, wide) > 0


@kernel_function
def _step(rules, position, wide, seat, point, to):
    """Move a piece; returns whether the turn goes on."""
    apart()
    king = sets.has(position, set_at(wide, KINGS + seat), point)
    pieces = set_at(wide, KINGS + seat) if king else set_at(wide, MEN + seat)
    sets.remove(position, pieces, point)
    sets.add(position, pieces, to)
    position[W_LAID] = 0
    if rules[R_KINGS]:
        _crown(rules, position, wide, seat, to)
    brings = rules[R_LINE_MOVING]
    if not (brings and _rows_count(rules, seat) and stands_in_a_row(rules, position, wide, seat, to)):
        return False
    if brings == LINE_WINS:
        end_game(position, seat)
        return False
    return _begin_removal(rules, position, wide, seat) or _moves_again(rules, position, wide)


@inlined
def _crown(rules, position, wide, seat, point):
    """A man that stands on one of its crowning points becomes a king; returns whether it did."""
    if not sets.has(rules, board_set(wide, 3 + seat), point) or not sets.has(position, set_at(wide, MEN + seat), point):
        return False
    sets.remove(position, set_at(wide, MEN + seat), point)
    sets.add(position, set_at(wide, KINGS + seat), point)
    return True


@kernel_function
def _jump(rules, position, wide, counts, seat, point, to):
    """Jump over an opposing piece and take it; returns whether the turn goes on."""
    apart()
    look_round(rules, position, wide, seat)
    over = jumped_over(rules, position, wide, point, to)
    king = sets.has(position, set_at(wide, KINGS + seat), point)
    pieces = set_at(wide, KINGS + seat) if king else set_at(wide, MEN + seat)
    sets.remove(position, pieces, point)
    sets.add(position, pieces, to)
    sets.remove(position, set_at(wide, MEN + 1 - seat), over)
    sets.remove(position, set_at(wide, KINGS + 1 - seat), over)
    if rules[R_LIFTED] == AFTER_TURN:
        sets.add(position, set_at(wide, TAKEN), over)
    position[idle_at(wide)] = -1
    position[W_LAID] = 0
    position[W_HOPS] += position[W_HOPS] < 2
    if count_taken(rules, position, wide, counts, seat):
        end_game(position, seat)
        return False
    crowning, ends = rules[R_CROWNING], False
    if rules[R_KINGS] and (crowning == ENDS_TURN or crowning == GOES_ON_AS_KING):
        ends = _crown(rules, position, wide, seat, to) and crowning == ENDS_TURN
    if not ends and rules[R_CHAIN] and _goes_on(rules, position, wide, seat, point, to):
        return True
    if rules[R_KINGS] and (crowning == ON_STOPPING or (crowning == FIRST_HOP_ONLY and position[W_HOPS] == 1)):
        _crown(rules, position, wide, seat, to)
    return False


@inlined
def _goes_on(rules, position, wide, seat, point, to):
    """Whether the piece can jump again; then the turn goes on with it."""
    position[W_PHASE] = CHAIN
    position[W_CHAIN] = to + 1
    position[W_CHAIN_DIRECTION] = 0
    if sets.has(position, set_at(wide, KINGS + seat), to):
        position[W_CHAIN_DIRECTION] = 1 + bearing(rules, wide, point, to)
    return count_moves(rules, position, wide) > (1 if rules[R_CHAIN] == MAY_GO_ON else 0)


@inlined
def _line_is_passed(rules, position, wide):
    """Whether the first player's piece stands level with, or behind, every piece of the second's."""
    own = sets.highest(position, set_at(wide, MEN), wide)
    other = sets.highest(position, set_at(wide, MEN + 1), wide)
    if rules[R_KINGS]:
        own = max(own, sets.highest(position, set_at(wide, KINGS), wide))
        other = max(other, sets.highest(position, set_at(wide, KINGS + 1), wide))
    if own < 0 or other < 0:
        return False
    ahead = rank(rules, wide, own) - rank(rules, wide, other)
    return ahead > 0 or (ahead == 0 and rules[R_LINE_PASSED] == LEVEL)
