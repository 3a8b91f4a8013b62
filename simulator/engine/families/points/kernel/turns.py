"""A turn, compiled: a move is played, and what follows from it is settled, as the referee's `play` does it.

Behind the actions (laying, stepping, jumping, removing, huffing) stands what ends a turn and a game: pieces taken,
players who cannot move, bounds.
"""

import numpy as np

from simulator.engine.bits import lowest_bit
from simulator.engine.compiled import inlined, kernel_function, noinline
from simulator.engine.ends import DRAW, ENDLESS, WIN
from simulator.engine.families.points import measures
from simulator.engine.families.points import position as code
from simulator.engine.families.points.kernel import laying, layout, reach, taking
from simulator.engine.families.points.kernel import rules as rule
from simulator.engine.families.points.kernel.choices import count_at_turn, count_moves, may_move, waits
from simulator.engine.families.points.kernel.layout import KINGS, MEN, TAKEN, set_at
from simulator.engine.randomness_kernel import mix_signed


@kernel_function
def play_move(rules, position, wide, notes, move, counts):
    """Play a legal move and settle what follows. Options count where somebody asked for them, as in every game."""
    noinline()
    seat = position[code.W_MOVER]
    # -1 where nobody has counted the moves: then nothing is added.
    options = position[layout.known_at(wide)] - 1
    if options > 1:
        counts[measures.OPTIONS_0 + seat] += options
        counts[measures.DECISIONS_0 + seat] += 1
    position[layout.known_at(wide)] = 0
    first, points = layout.jump_from(wide, 0), layout.origins(wide)
    if move >= first:
        goes_on = _jump(rules, position, wide, counts, seat, (move - first) // points, (move - first) % points)
    elif move >= code.STEP:
        origin, to = (move - code.STEP) // points, (move - code.STEP) % points
        goes_on = _step(rules, position, wide, counts, seat, origin, to)
    elif move < points:
        goes_on = _lay(rules, position, wide, counts, seat, move)
    else:
        goes_on = _act_otherwise(rules, position, wide, counts, seat, move)
    if rules[rule.R_LINE_PASSED] and position[code.W_END] == code.RUNNING and _line_is_passed(rules, position, wide):
        if rules[rule.R_KINGS] and rules[rule.R_CROWNING] == rule.CROWNING_ON_STOPPING and position[code.W_CHAIN]:
            _crown(rules, position, wide, seat, position[code.W_CHAIN] - 1)  # the game goes no further: it stops here
        end_game(position, 0)
    if rules[rule.R_GOALS] and move >= code.STEP and not goes_on and position[code.W_END] == code.RUNNING:
        to = (move - (first if move >= first else code.STEP)) % points
        reached = layout.has(rules, layout.board_set(wide, 6 + seat), to)
        if reached and rules[rule.R_GOAL_BY] == rule.GOAL_BY_ALL_PIECES:
            reached = _all_are_there(rules, position, wide, seat)
        if reached:
            end_game(position, seat)
        elif rules[rule.R_BY_TABLE] and layout.has(position, set_at(wide, KINGS + seat), to):
            if layout.has(rules, layout.leader_wins_at(rules, wide, seat), to):
                end_game(position, seat)
            elif layout.has(rules, layout.leader_loses_at(rules, wide, seat), to):
                end_game(position, 1 - seat)
    if position[code.W_END] != code.RUNNING:
        count_turn(rules, position, wide, counts, seat)
    elif not goes_on:
        count_turn(rules, position, wide, counts, seat)
        hand_over(rules, position, wide, notes, seat, move == code.PASS)
    position[layout.looked_past_at(wide)] = 0


@kernel_function
def _all_are_there(rules, position, wide, seat):
    """Return whether all pieces of a player stand on points of his goal."""
    noinline()
    away = position[code.W_HAND + seat]
    for w in range(len(wide)):
        away |= layout.pieces(position, wide, seat, w) & ~rules[layout.board_set(wide, 6 + seat) + w]
    return away == 0


@kernel_function
def _act_otherwise(rules, position, wide, counts, seat, move):
    """Remove, huff, stop or pass; returns whether the turn goes on."""
    noinline()
    if position[code.W_PHASE] == code.HUFF:
        return _huff(rules, position, wide, counts, seat, move)
    if move == code.PASS:
        stuck = not (waits(rules, position, seat) or position[code.W_LAID] & 1)
        position[code.W_LAID] = 0
        if stuck and _if_stuck(rules, position, wide, seat) == rule.FIRST_STUCK_LOSES_AFTER_PASS:
            end_game(position, 1 - seat)
        return False
    if move == code.STOP:
        if rules[rule.R_CROWNING] == rule.CROWNING_ON_STOPPING:
            _crown(rules, position, wide, seat, position[code.W_CHAIN] - 1)
        return False
    return _remove(rules, position, wide, counts, seat, move - layout.removal_from(wide, 0))


@inlined
def _huff(rules, position, wide, counts, seat, move):
    """Take a piece that could have jumped and did not, or leave them all; returns whether the turn goes on."""
    position[code.W_PHASE] = code.PLAY
    forget_huffable(position, wide)
    if move != code.LEAVE:
        if _takes_the_last(rules, position, wide, counts, seat, move - layout.removal_from(wide, 0)):
            end_game(position, seat)
            return False
    if count_moves(rules, position, wide) == 0:
        end_if_stuck(rules, position, wide, seat, False)
    return True


@inlined
def _forms_row(rules, position, wide, counts, seat, point):
    """Return whether the piece there stands in a row of three that brings something."""
    counting = (rules[rule.R_LINE_BY] == 0) | (rules[rule.R_LINE_BY] == 1 + seat)
    if not (counting and reach.stands_in_a_row(rules, position, wide, seat, point)):
        return False
    count_row(counts, seat)
    return True


@kernel_function
def _lay(rules, position, wide, counts, seat, point):
    """Lay a piece; returns whether the turn goes on."""
    noinline()
    layout.add(position, set_at(wide, MEN + seat), point)
    position[code.W_HAND + seat] -= 1
    # From a common supply both hands hold the same number; R_SUPPLY is 1 there and 0 elsewhere.
    position[code.W_HAND + 1 - seat] -= rules[rule.R_SUPPLY]
    # What had to be laid is no call to lay for the other.
    position[code.W_LAID] = 1 | (position[code.W_LAID] & laying.MUST_ANSWER)
    # The end of this turn adds 1, so that the turn of a laying or a capture counts as 0 idle turns.
    position[layout.idle_at(wide)] = -1
    # What the other still has in hand is put aside.
    if rules[rule.R_LAYING_ENDS] == rule.LAYING_ENDS_EITHER_HAND and position[code.W_HAND + seat] == 0:
        position[code.W_HAND + 1 - seat] = 0
    if rules[rule.R_LAYING_LEAVES]:
        reach.look_round(rules, position, wide, seat)
        if layout.count(position, layout.vacant_at(wide), wide) <= rules[rule.R_LAYING_LEAVES]:
            position[code.W_HAND] = position[code.W_HAND + 1] = 0
    brings = rules[rule.R_LINE_LAYING]
    if not (brings and _forms_row(rules, position, wide, counts, seat, point)):
        if not laying.lays_another(rules, position, wide, seat) or count_moves(rules, position, wide) == 0:
            return False
        position[code.W_LAID] = 0
        return True
    if brings == rule.LINE_LAYING_WIN:
        end_game(position, seat)
        return False
    # Several rows at once bring one piece more, not several.
    if brings == rule.LINE_LAYING_LAY_AGAIN:
        if position[code.W_HAND + seat] == 0 or count_moves(rules, position, wide) == 0:
            return False
        position[code.W_LAID] = 0
        return True
    return _begin_removal(rules, position, wide, seat)


@inlined
def _begin_removal(rules, position, wide, seat):
    """Return whether there is a piece to remove; then the turn goes on with its removal."""
    reach.find_removable(rules, position, wide, seat)
    if layout.count(position, layout.steps_at(wide), wide) == 0:
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
    layout.remove(position, set_at(wide, MEN + 1 - seat), point)
    layout.remove(position, set_at(wide, KINGS + 1 - seat), point)
    position[layout.idle_at(wide)] = -1
    return count_taken(rules, position, wide, counts, seat, point)


@inlined
def _moves_again(rules, position, wide):
    """Return whether a row that was formed by a step gives another move, and there is one."""
    if rules[rule.R_LINE_MOVING] != rule.LINE_MOVING_REMOVE_AND_MOVE_AGAIN or position[code.W_LAID]:
        return False
    return count_moves(rules, position, wide) > 0


@inlined
def _step(rules, position, wide, counts, seat, point, to):
    """Move a piece; returns whether the turn goes on."""
    if rules[rule.R_BY_TABLE]:
        return _move_by_table(rules, position, wide, counts, seat, point, to, False)
    if rules[rule.R_HUFF]:
        _note_huffable(rules, position, wide, seat, point, to)
    follow_first_moved(counts, point, to)
    # Men and kings are two sets; a piece stays in its own until it is crowned.
    pieces = set_at(wide, MEN + seat)
    if rules[rule.R_KINGS] and layout.has(position, set_at(wide, KINGS + seat), point):
        pieces = set_at(wide, KINGS + seat)
    layout.remove(position, pieces, point)
    layout.add(position, pieces, to)
    position[code.W_LAID] = 0
    if rules[rule.R_KINGS]:
        _crown(rules, position, wide, seat, to)
    return rules[rule.R_LINE_MOVING] != 0 and _forms_row_by_step(rules, position, wide, counts, seat, to)


@kernel_function
def _note_huffable(rules, position, wide, seat, point, to):
    """Note the pieces that a step leaves to the huff; of those the one that steps stands where it goes."""
    noinline()
    reach.note_huffable(rules, position, wide, seat)
    if layout.has(position, set_at(wide, TAKEN), point):
        layout.remove(position, set_at(wide, TAKEN), point)
        layout.add(position, set_at(wide, TAKEN), to)


@kernel_function
def _forms_row_by_step(rules, position, wide, counts, seat, to):
    """Settle what a row of three formed by a step brings; returns whether the turn goes on."""
    noinline()
    if not _forms_row(rules, position, wide, counts, seat, to):
        return False
    if rules[rule.R_LINE_MOVING] == rule.LINE_MOVING_WIN:
        end_game(position, seat)
        return False
    return _begin_removal(rules, position, wide, seat) or _moves_again(rules, position, wide)


@kernel_function
def _move_by_table(rules, position, wide, counts, seat, origin, to, leaps):
    """Step or leap under a table of captures, and take what is taken by it; returns whether the turn goes on."""
    noinline()
    leaders = layout.count(position, set_at(wide, KINGS + 1 - seat), wide)
    then = taking.make_move(rules, position, wide, seat, origin, to, leaps)
    marked, is_few, taken = layout.marked_at(rules, wide), False, 0
    for w in range(len(wide)):
        left = position[marked + w]
        while left:
            is_few |= _takes_the_last(rules, position, wide, counts, seat, 64 * w + lowest_bit(left))
            left &= left - 1
            taken += 1
    follow_first_moved(counts, origin, to)  # behind what it took, which may have stood where it stands now
    position[code.W_LAID] = 0
    position[code.W_PHASE] = code.PLAY
    position[code.W_CHAIN] = position[code.W_CHAIN_DIRECTION] = 0
    lost = layout.count(position, set_at(wide, KINGS + 1 - seat), wide) < leaders
    if is_few or (lost and layout.loses_with_leader(rules, wide, 1 - seat)):
        end_game(position, seat)
        return False
    if taken and then != taking.END:
        may_stop = then == taking.MAY_GO_ON
        position[code.W_PHASE], position[code.W_CHAIN], position[code.W_CHAIN_DIRECTION] = code.CHAIN, to + 1, may_stop
        if count_moves(rules, position, wide) > may_stop:
            return True
        position[code.W_PHASE] = code.PLAY
        position[code.W_CHAIN] = position[code.W_CHAIN_DIRECTION] = 0
        position[layout.known_at(wide)] = 0
    return rules[rule.R_LINE_MOVING] != 0 and _forms_row_by_step(rules, position, wide, counts, seat, to)


@inlined
def _crown(rules, position, wide, seat, point):
    """Make a man that stands on one of its crowning points a king; returns whether it was one."""
    crowned_here = layout.has(rules, layout.board_set(wide, 3 + seat), point)
    if not crowned_here or not layout.has(position, set_at(wide, MEN + seat), point):
        return False
    layout.remove(position, set_at(wide, MEN + seat), point)
    layout.add(position, set_at(wide, KINGS + seat), point)
    return True


@kernel_function
def _jump(rules, position, wide, counts, seat, point, to):
    """Jump over an opposing piece and take it; returns whether the turn goes on."""
    noinline()
    if rules[rule.R_BY_TABLE]:
        return _move_by_table(rules, position, wide, counts, seat, point, to, True)
    # The first jump of a turn leaves nothing to the huff: its player has overlooked nothing.
    if rules[rule.R_HUFF] and position[code.W_HOPS] == 0:
        forget_huffable(position, wide)
    follow_first_moved(counts, point, to)
    reach.look_round(rules, position, wide, seat)
    over = reach.jumped_over(rules, position, wide, point, to)
    king = layout.has(position, set_at(wide, KINGS + seat), point)
    pieces = set_at(wide, KINGS + seat) if king else set_at(wide, MEN + seat)
    layout.remove(position, pieces, point)
    layout.add(position, pieces, to)
    if rules[rule.R_LIFTED] == rule.LIFTED_AFTER_TURN:
        layout.add(position, set_at(wide, TAKEN), over)
    position[code.W_LAID] = 0
    # Rules ask only whether a hop is the first: counting no further keeps positions alike that play alike.
    position[code.W_HOPS] += position[code.W_HOPS] < 2
    # The move is made to its end before the game is judged: a man that takes the last piece is crowned as any other.
    is_last = _takes_the_last(rules, position, wide, counts, seat, over)
    crowning, ends = rules[rule.R_CROWNING], False
    if rules[rule.R_KINGS] and (crowning == rule.CROWNING_ENDS_TURN or crowning == rule.CROWNING_GOES_ON_AS_KING):
        ends = _crown(rules, position, wide, seat, to) and crowning == rule.CROWNING_ENDS_TURN
    jumps_on = not ends and rules[rule.R_CHAIN] and _goes_on(rules, position, wide, seat, point, to)
    if jumps_on and not is_last:
        return True
    alone = crowning == rule.CROWNING_IF_IT_CANNOT_JUMP_ON
    alone |= crowning == rule.CROWNING_FIRST_HOP_ONLY and position[code.W_HOPS] == 1
    if rules[rule.R_KINGS] and (crowning == rule.CROWNING_ON_STOPPING or (alone and not jumps_on)):
        _crown(rules, position, wide, seat, to)
    if is_last:
        end_game(position, seat)
    return False


@inlined
def _goes_on(rules, position, wide, seat, point, to):
    """Return whether the piece can jump again; then the turn goes on with it."""
    position[code.W_PHASE] = code.CHAIN
    position[code.W_CHAIN] = to + 1
    position[code.W_CHAIN_DIRECTION] = 0
    if layout.has(position, set_at(wide, KINGS + seat), to) and not rules[rule.R_BENT]:
        position[code.W_CHAIN_DIRECTION] = 1 + layout.bearing(rules, wide, point, to)
    may_stop = reach.chain_rule(rules, position, wide, seat, to) == rule.CHAIN_MAY_GO_ON
    # The choice to stop is counted among the moves; alone it does not carry the turn on.
    return count_moves(rules, position, wide) > (1 if may_stop else 0)


@inlined
def _line_is_passed(rules, position, wide):
    """Return whether the first player's piece stands level with, or behind, every piece of the second's."""
    own = layout.highest(position, set_at(wide, MEN), wide)
    # Points are numbered rank by rank, so the highest point stands on the highest rank.
    other = layout.highest(position, set_at(wide, MEN + 1), wide)
    if rules[rule.R_KINGS]:
        own = max(own, layout.highest(position, set_at(wide, KINGS), wide))
        other = max(other, layout.highest(position, set_at(wide, KINGS + 1), wide))
    if own < 0 or other < 0:
        return False
    ahead = layout.rank(rules, wide, own) - layout.rank(rules, wide, other)
    return ahead > 0 or (ahead == 0 and rules[rule.R_LINE_PASSED] == rule.LINE_PASSED_LEVEL)


@inlined
def end_game(position, winner):
    """End the game, won by a seat."""
    _end(position, WIN, 1 << winner)


@inlined
def _end(position, kind, winners):
    position[code.W_PHASE] = code.OVER
    position[code.W_END] = kind
    position[code.W_WINNERS] = winners
    position[code.W_LAID] = 0


@inlined
def follow_first_moved(counts, point, to):
    """Follow the piece that moved first, when a piece goes from one point to another."""
    followed = counts[measures.MOVED_TO]
    # Written without a branch: which of its pieces a player moves nobody guesses.
    moves = np.int64((followed == 0) | (followed == point + 1))
    counts[measures.MOVED_TO] = followed + moves * (to + 1 - followed)


@kernel_function
def count_taken(rules, position, wide, counts, seat, point):
    """Count a piece taken there by that seat; whether the other player now has fewer than he must have."""
    noinline()
    counts[measures.TAKEN_0 + seat] += 1
    # Who is ahead changes by captures only, and in one turn to one side only.
    ahead = counts[measures.TAKEN_0] - counts[measures.TAKEN_0 + 1]
    if ahead:
        lead = 1 if ahead > 0 else -1
        # LEAD is 0 until one player is ahead, and 0 is its own opposite: the first lead is no change.
        counts[measures.LEAD_CHANGES] += lead == -counts[measures.LEAD]
        counts[measures.LEAD] = lead
    if counts[measures.MOVED_TO] == point + 1:
        counts[measures.MOVED_TO] = -1
        counts[measures.FIRST_MOVED_ENDED], counts[measures.FIRST_MOVED_WINNER] = 1, seat
        counts[measures.FIRST_MOVED_TURNS] = counts[measures.TURNS] + 1
    if counts[measures.FIRST_CAPTURE_ENDED] == 0:
        counts[measures.FIRST_CAPTURE_ENDED], counts[measures.FIRST_CAPTURE_WINNER] = 1, seat
        counts[measures.FIRST_CAPTURE_TURNS] = counts[measures.TURNS] + 1
    # The figure after n turns is what had been taken by then: every capture raises all those still ahead.
    for place in range(len(measures.COURSE)):
        if counts[measures.TURNS] < measures.COURSE[place]:
            counts[measures.TAKEN_0_AT_10 + 2 * place + seat] = counts[measures.TAKEN_0 + seat]
    other = 1 - seat
    left = position[code.W_HAND + other]
    left += layout.count(position, set_at(wide, MEN + other), wide)
    left += layout.count(position, set_at(wide, KINGS + other), wide)
    return left < rules[rule.R_FIRST_LOSES_BELOW + other]


@inlined
def count_row(counts, seat):
    """Count a row of three, if it is the first."""
    if counts[measures.FIRST_ROW_ENDED] == 0:
        counts[measures.FIRST_ROW_ENDED], counts[measures.FIRST_ROW_WINNER] = 1, seat
        counts[measures.FIRST_ROW_TURNS] = counts[measures.TURNS] + 1


@inlined
def count_turn(rules, position, wide, counts, seat):
    """Count a turn that is over."""
    counts[measures.TURNS] += 1
    keeps_huffable = rules[rule.R_HUFF] and position[code.W_END] == code.RUNNING
    for w in range(len(wide)):
        # TAKEN holds pieces taken and still standing, or the mover's own that may be huffed: only the latter outlive
        # the turn.
        position[set_at(wide, TAKEN) + w] &= layout.pieces(position, wide, seat, w) if keeps_huffable else 0
    position[code.W_CHAIN] = position[code.W_CHAIN_DIRECTION] = position[code.W_HOPS] = 0


@inlined
def hand_over(rules, position, wide, notes, seat, passed):
    """Find the next player; the game may end at the beginning of his turn."""
    position[code.W_PHASE] = code.PLAY
    position[code.W_MOVER] = 1 - seat
    if position[code.W_LAID]:
        if rules[rule.R_FIRST_MOVE_BY] and position[code.W_HAND] + position[code.W_HAND + 1] == 0:
            position[code.W_MOVER] = rules[rule.R_FIRST_MOVE_BY] - 1
        calls = position[code.W_LAID] & laying.MUST_ANSWER == 0
        calls &= laying.is_answered(rules, position, wide, position[code.W_MOVER])
        position[code.W_LAID] = rules[rule.R_STUCK_AFTER_LAYING] | (laying.MUST_ANSWER if calls else 0)
    position[layout.idle_at(wide)] += 1
    position[layout.turns_at(wide)] += 1
    position[layout.known_at(wide)] = 0
    # A huff comes before the move, so that only a player who has nothing to huff can be stuck. Bounds come last: a
    # player who is stuck has lost, also in the turn in which a bound is reached.
    if rules[rule.R_HUFF] and layout.count(position, set_at(wide, TAKEN), wide):
        position[code.W_PHASE] = code.HUFF
    elif not _can_move(rules, position, wide, notes):
        end_if_stuck(rules, position, wide, position[code.W_MOVER], passed)
    if rules[rule.R_BOUNDED] and position[code.W_END] == code.RUNNING:
        end_by_bounds(rules, position, wide)
        if rules[rule.R_HUFF] and position[code.W_END] != code.RUNNING:
            forget_huffable(position, wide)


@inlined
def _can_move(rules, position, wide, notes):
    """Return whether there is a move, found in the way that costs least with what will be asked next."""
    if position[layout.looked_past_at(wide)]:
        return may_move(rules, position, wide)
    return count_at_turn(rules, position, wide, notes) > 0


@inlined
def forget_huffable(position, wide):
    for w in range(len(wide)):
        position[set_at(wide, TAKEN) + w] = 0


@inlined
def end_if_stuck(rules, position, wide, seat, passed):
    """Settle that a player has no move: he has lost, or is to pass; if both have to, the game is endless."""
    if waits(rules, position, seat) or position[code.W_LAID] & 1:
        return
    what = _if_stuck(rules, position, wide, seat)
    if what == rule.FIRST_STUCK_LOSES:
        end_game(position, 1 - seat)
    elif (
        passed
        and what == rule.FIRST_STUCK_PASSES
        and _if_stuck(rules, position, wide, 1 - seat) == rule.FIRST_STUCK_PASSES
    ):
        _end(position, ENDLESS, 0)


@inlined
def _if_stuck(rules, position, wide, seat):
    """Return what becomes of a player without a move, where his pieces stand now."""
    outside = anywhere = 0
    for w in range(len(wide)):
        pen = rules[layout.pen_table(rules, wide, seat) + w]
        anywhere |= pen
        outside |= layout.pieces(position, wide, seat, w) & ~pen
    return rule.FIRST_STUCK_PASSES if anywhere != 0 and outside != 0 else rules[rule.R_FIRST_STUCK + seat]


@kernel_function
def end_by_bounds(rules, position, wide):
    """Draw the game by idle turns, by the number of turns, or by repetition."""
    noinline()
    if rules[rule.R_IDLE_TURNS] and position[layout.idle_at(wide)] >= rules[rule.R_IDLE_TURNS]:
        _end(position, DRAW, 0)
    elif rules[rule.R_TURN_LIMIT] and position[layout.turns_at(wide)] >= rules[rule.R_TURN_LIMIT]:
        if rules[rule.R_LIMIT_WON_BY]:
            end_game(position, rules[rule.R_LIMIT_WON_BY] - 1)
        else:
            _end(position, DRAW, 0)
    elif rules[rule.R_REPETITION]:
        remember(rules, position, wide)


@kernel_function
def remember(rules, position, wide):
    """Note the position a turn begins with; it is a draw if it stood often enough since something was laid or taken."""
    noinline()
    # Since something was laid or taken no earlier position can come back: the memory begins anew.
    if position[layout.idle_at(wide)] == 0:
        position[layout.remembered_at(wide)] = 0
    mark = _hash(position, wide)
    # The memory is a ring: of more positions than it has room for, the oldest are written over.
    noted, seen = position[layout.remembered_at(wide)], 1
    for place in range(min(noted, code.MEMORY)):
        seen += position[layout.memory_at(wide) + place] == mark
    position[layout.memory_at(wide) + noted % code.MEMORY] = mark
    position[layout.remembered_at(wide)] = noted + 1
    if seen >= rules[rule.R_REPETITION]:
        _end(position, DRAW, 0)


@inlined
def _hash(position, wide):
    mark = position[code.W_MOVER]
    # Mixed after every word, so that equal words in another order give another hash.
    mark = mix_signed(mark + position[code.W_HAND])
    mark = mix_signed(mark + position[code.W_HAND + 1])
    for w in range(4 * len(wide)):
        mark = mix_signed(mark + position[set_at(wide, MEN) + w])
    return mark
