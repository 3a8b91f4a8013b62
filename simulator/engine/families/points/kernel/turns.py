"""A turn, compiled: a move is played, and what follows from it is settled, as the referee's `play` does it."""

from simulator.engine.compiled import inlined, kernel_function, noinline
from simulator.engine.families.points import measures
from simulator.engine.families.points import position as code
from simulator.engine.families.points.kernel import layout, sets
from simulator.engine.families.points.kernel import rules as rule
from simulator.engine.families.points.kernel.choices import (
    count_moves,
    find_removable,
    note_huffable,
    stands_in_a_row,
    waits,
)
from simulator.engine.families.points.kernel.endings import (
    count_row,
    count_taken,
    count_turn,
    end_game,
    end_if_stuck,
    follow_first_moved,
    forget_huffable,
    hand_over,
)
from simulator.engine.families.points.kernel.layout import KINGS, MEN, TAKEN, set_at
from simulator.engine.families.points.kernel.reach import chain_rule, jumped_over, look_round


@kernel_function
def play_move(rules, position, wide, move, counts):
    """Play a legal move and settle what follows. Options count where somebody asked for them, as in every game."""
    noinline()
    seat = position[code.W_MOVER]
    options = position[layout.known_at(wide)] - 1
    if options > 1:
        counts[measures.OPTIONS_OF + seat] += options
        counts[measures.DECISIONS_OF + seat] += 1
    position[layout.known_at(wide)] = 0
    if move >= code.JUMP:
        goes_on = _jump(rules, position, wide, counts, seat, (move - code.JUMP) >> 7, (move - code.JUMP) & 127)
    elif move >= code.STEP:
        goes_on = _step(rules, position, wide, counts, seat, (move - code.STEP) >> 7, (move - code.STEP) & 127)
    elif move < code.REMOVE_MOVE:
        goes_on = _lay(rules, position, wide, counts, seat, move)
    else:
        goes_on = _act_otherwise(rules, position, wide, counts, seat, move)
    if rules[rule.R_LINE_PASSED] and position[code.W_END] == code.RUNNING and _line_is_passed(rules, position, wide):
        end_game(position, 0)
    if position[code.W_END] != code.RUNNING:
        count_turn(rules, position, wide, counts, seat)
    elif not goes_on:
        count_turn(rules, position, wide, counts, seat)
        hand_over(rules, position, wide, seat, move == code.PASS)
    position[layout.looked_past_at(wide)] = 0


@kernel_function
def _act_otherwise(rules, position, wide, counts, seat, move):
    """Remove, huff, stop or pass; returns whether the turn goes on."""
    noinline()
    if position[code.W_PHASE] == code.HUFF:
        return _huff(rules, position, wide, counts, seat, move)
    if move == code.PASS:
        stuck = not (waits(rules, position, seat) or position[code.W_LAID])
        position[code.W_LAID] = 0
        if stuck and rules[rule.R_STUCK + seat] == rule.LOSES_AFTER_PASS:
            end_game(position, 1 - seat)
        return False
    if move == code.STOP:
        if rules[rule.R_CROWNING] == rule.ON_STOPPING:
            _crown(rules, position, wide, seat, position[code.W_CHAIN] - 1)
        return False
    return _remove(rules, position, wide, counts, seat, move - code.REMOVE_MOVE)


@inlined
def _huff(rules, position, wide, counts, seat, move):
    """Take a piece that could have jumped and did not, or leave them all; returns whether the turn goes on."""
    position[code.W_PHASE] = code.PLAY
    forget_huffable(position, wide)
    if move != code.LEAVE:
        if _takes_the_last(rules, position, wide, counts, seat, move - code.REMOVE_MOVE):
            end_game(position, seat)
            return False
    if count_moves(rules, position, wide) == 0:
        end_if_stuck(rules, position, seat, False)
    return True


@inlined
def _forms_row(rules, position, wide, counts, seat, point):
    """Whether the piece there stands in a row of three that brings something."""
    counting = (rules[rule.R_LINE_BY] == 0) | (rules[rule.R_LINE_BY] == 1 + seat)
    if not (counting and stands_in_a_row(rules, position, wide, seat, point)):
        return False
    count_row(counts, seat)
    return True


@kernel_function
def _lay(rules, position, wide, counts, seat, point):
    """Lay a piece; returns whether the turn goes on."""
    noinline()
    sets.add(position, set_at(wide, MEN + seat), point)
    position[code.W_HAND + seat] -= 1
    position[code.W_HAND + 1 - seat] -= rules[rule.R_SUPPLY]
    position[code.W_LAID] = 1
    position[layout.idle_at(wide)] = -1
    if rules[rule.R_LAYING_ENDS] == rule.EITHER_HAND and position[code.W_HAND + seat] == 0:
        position[code.W_HAND + 1 - seat] = 0
    if rules[rule.R_LAYING_LEAVES]:
        look_round(rules, position, wide, seat)
        if sets.count(position, layout.vacant_at(wide), wide) <= rules[rule.R_LAYING_LEAVES]:
            position[code.W_HAND] = position[code.W_HAND + 1] = 0
    brings = rules[rule.R_LINE_LAYING]
    if not (brings and _forms_row(rules, position, wide, counts, seat, point)):
        return False
    if brings == rule.LINE_WINS:
        end_game(position, seat)
        return False
    if brings == rule.LAY_AGAIN:
        if position[code.W_HAND + seat] == 0 or count_moves(rules, position, wide) == 0:
            return False
        position[code.W_LAID] = 0
        return True
    return _begin_removal(rules, position, wide, seat)


@inlined
def _begin_removal(rules, position, wide, seat):
    """Whether there is a piece to remove; then the turn goes on with its removal."""
    find_removable(rules, position, wide, seat)
    if sets.count(position, layout.steps_at(wide), wide) == 0:
        return False
    position[code.W_PHASE] = code.REMOVE
    return True


@inlined
def _remove(rules, position, wide, counts, seat, point):
    """Remove an opposing piece; returns whether the turn goes on."""
    position[code.W_PHASE] = code.PLAY
    if _takes_the_last(rules, position, wide, counts, seat, point):
        end_game(position, seat)
        return False
    return _moves_again(rules, position, wide)


@inlined
def _takes_the_last(rules, position, wide, counts, seat, point):
    """Take an opposing piece off the board; whether the other player now has fewer than he must have."""
    sets.remove(position, set_at(wide, MEN + 1 - seat), point)
    sets.remove(position, set_at(wide, KINGS + 1 - seat), point)
    position[layout.idle_at(wide)] = -1
    return count_taken(rules, position, wide, counts, seat, point)


@inlined
def _moves_again(rules, position, wide):
    """Whether a row that was formed by a step gives another move, and there is one."""
    if rules[rule.R_LINE_MOVING] != rule.MOVING_REMOVES_AND_MOVES or position[code.W_LAID]:
        return False
    return count_moves(rules, position, wide) > 0


@kernel_function
def _step(rules, position, wide, counts, seat, point, to):
    """Move a piece; returns whether the turn goes on."""
    noinline()
    if rules[rule.R_HUFF]:
        note_huffable(rules, position, wide, seat)
        if sets.has(position, set_at(wide, TAKEN), point):
            sets.remove(position, set_at(wide, TAKEN), point)
            sets.add(position, set_at(wide, TAKEN), to)
    follow_first_moved(counts, point, to)
    king = sets.has(position, set_at(wide, KINGS + seat), point)
    pieces = set_at(wide, KINGS + seat) if king else set_at(wide, MEN + seat)
    sets.remove(position, pieces, point)
    sets.add(position, pieces, to)
    position[code.W_LAID] = 0
    if rules[rule.R_KINGS]:
        _crown(rules, position, wide, seat, to)
    brings = rules[rule.R_LINE_MOVING]
    if not (brings and _forms_row(rules, position, wide, counts, seat, to)):
        return False
    if brings == rule.LINE_WINS:
        end_game(position, seat)
        return False
    return _begin_removal(rules, position, wide, seat) or _moves_again(rules, position, wide)


@inlined
def _crown(rules, position, wide, seat, point):
    """A man that stands on one of its crowning points becomes a king; returns whether it did."""
    crowned_here = sets.has(rules, layout.board_set(wide, 3 + seat), point)
    if not crowned_here or not sets.has(position, set_at(wide, MEN + seat), point):
        return False
    sets.remove(position, set_at(wide, MEN + seat), point)
    sets.add(position, set_at(wide, KINGS + seat), point)
    return True


@kernel_function
def _jump(rules, position, wide, counts, seat, point, to):
    """Jump over an opposing piece and take it; returns whether the turn goes on."""
    noinline()
    if rules[rule.R_HUFF] and position[code.W_HOPS] == 0:
        forget_huffable(position, wide)
    follow_first_moved(counts, point, to)
    look_round(rules, position, wide, seat)
    over = jumped_over(rules, position, wide, point, to)
    king = sets.has(position, set_at(wide, KINGS + seat), point)
    pieces = set_at(wide, KINGS + seat) if king else set_at(wide, MEN + seat)
    sets.remove(position, pieces, point)
    sets.add(position, pieces, to)
    if rules[rule.R_LIFTED] == rule.AFTER_TURN:
        sets.add(position, set_at(wide, TAKEN), over)
    position[code.W_LAID] = 0
    position[code.W_HOPS] += position[code.W_HOPS] < 2
    if _takes_the_last(rules, position, wide, counts, seat, over):
        end_game(position, seat)
        return False
    crowning, ends = rules[rule.R_CROWNING], False
    if rules[rule.R_KINGS] and (crowning == rule.ENDS_TURN or crowning == rule.GOES_ON_AS_KING):
        ends = _crown(rules, position, wide, seat, to) and crowning == rule.ENDS_TURN
    if not ends and rules[rule.R_CHAIN] and _goes_on(rules, position, wide, seat, point, to):
        return True
    crowns = crowning == rule.ON_STOPPING or crowning == rule.IF_IT_CANNOT_JUMP_ON
    crowns |= crowning == rule.FIRST_HOP_ONLY and position[code.W_HOPS] == 1
    if rules[rule.R_KINGS] and crowns:
        _crown(rules, position, wide, seat, to)
    return False


@inlined
def _goes_on(rules, position, wide, seat, point, to):
    """Whether the piece can jump again; then the turn goes on with it."""
    position[code.W_PHASE] = code.CHAIN
    position[code.W_CHAIN] = to + 1
    position[code.W_CHAIN_DIRECTION] = 0
    if sets.has(position, set_at(wide, KINGS + seat), to):
        position[code.W_CHAIN_DIRECTION] = 1 + layout.bearing(rules, wide, point, to)
    may_stop = chain_rule(rules, position, wide, seat, to) == rule.MAY_GO_ON
    return count_moves(rules, position, wide) > (1 if may_stop else 0)


@inlined
def _line_is_passed(rules, position, wide):
    """Whether the first player's piece stands level with, or behind, every piece of the second's."""
    own = sets.highest(position, set_at(wide, MEN), wide)
    other = sets.highest(position, set_at(wide, MEN + 1), wide)
    if rules[rule.R_KINGS]:
        own = max(own, sets.highest(position, set_at(wide, KINGS), wide))
        other = max(other, sets.highest(position, set_at(wide, KINGS + 1), wide))
    if own < 0 or other < 0:
        return False
    ahead = layout.rank(rules, wide, own) - layout.rank(rules, wide, other)
    return ahead > 0 or (ahead == 0 and rules[rule.R_LINE_PASSED] == rule.LEVEL)
