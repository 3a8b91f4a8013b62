"""A turn, compiled: a move is played, and what follows from it is settled, as the referee's `play` does it."""

from simulator.engine.compiled import inlined, kernel_function, noinline
from simulator.engine.ends import ENDLESS
from simulator.engine.families.sowing import measures
from simulator.engine.families.sowing import position as code
from simulator.engine.families.sowing.kernel import captures, laps, layout
from simulator.engine.families.sowing.kernel import rules as rule
from simulator.engine.families.sowing.kernel.laps import play_laps
from simulator.engine.families.sowing.kernel.layout import HOLES, identity_size
from simulator.engine.families.sowing.kernel.layouts import count_layout, lay_full_row, lay_poorer_row
from simulator.engine.families.sowing.kernel.loans import lend, loan_kind, return_loan
from simulator.engine.families.sowing.kernel.rounds import end_game, finish_round
from simulator.engine.families.sowing.kernel.starts import find_starts, holes_with_more_than, of_row, start_sets


@kernel_function
def play_move(rules, position, move, counts):
    """Play a legal move and settle what follows."""
    noinline()
    seat = position[code.W_MOVER]
    position[layout.known_at(rules)] = 0
    taken = counts[measures.CAPTURES_0] + counts[measures.CAPTURES_1]
    if move < code.PASS:
        follows = _start_from(rules, position, counts, seat, move)
    elif move == code.PASS:
        follows = laps.END_OF_TURN
    else:
        follows = _lay_or_lend(rules, position, counts, seat, move)
    if follows == laps.END_OF_TURN or (follows == laps.MOVE_AGAIN and _cannot_move_again(rules, position)):
        taken = counts[measures.CAPTURES_0] + counts[measures.CAPTURES_1] - taken
        _hand_over(rules, position, counts, seat, taken)
        if (rules[rule.R_MEMORY] and _is_repeated(rules, position, taken)) or _round_is_over(rules, position):
            finish_round(rules, position, counts, seat)
    elif follows == laps.ROUND_OVER:
        return_loan(rules, position, seat)
        _end_turn(position, counts)
        finish_round(rules, position, counts, seat)
    elif follows == laps.ENDLESS_TURN:
        _end_endless(rules, position, counts)


@inlined
def _start_from(rules, position, counts, seat, move):
    """Sow from a hole; returns what follows. An endless turn leaves the holes and stores as they were before it."""
    row = rules[rule.R_ROW]
    kept = layout.before_turn_at(rules)
    if rules[rule.MAY_BE_ENDLESS]:
        layout.keep_holes(rules, position)
    store_0, store_1, direction = position[code.W_STORE], position[code.W_STORE + 1], position[code.W_DIRECTION]
    taken_0, taken_1 = counts[measures.CAPTURES_0], counts[measures.CAPTURES_1]
    if rules[rule.MAY_TURN]:
        position[code.W_DIRECTION] = -1 if move & 1 else 1
    follows = play_laps(rules, position, counts, seat, seat * row + (move >> 1))
    if rules[rule.R_EN_PASSANT] and follows != laps.ENDLESS_TURN:
        if rules[rule.R_EN_PASSANT_WHEN]:
            captures.take_groups(rules, position, counts, seat, kept)
        counts[measures.TAKEN_IN_PASSING] += counts[measures.CAPTURES_1 - seat] - (taken_0 if seat else taken_1)
    if follows == laps.ENDLESS_TURN:
        for i in range(2 * row):
            position[HOLES + i] = position[kept + i]
        position[code.W_STORE], position[code.W_STORE + 1], position[code.W_DIRECTION] = store_0, store_1, direction
        counts[measures.CAPTURES_0], counts[measures.CAPTURES_1] = taken_0, taken_1
    elif rules[rule.R_FIRST_END] == rule.OPENER or rules[rule.R_SINGLES_EXEMPT] == rule.EXEMPT_GAME:
        position[code.W_MOVED] = 3
    elif rules[rule.R_FIRST_END] or rules[rule.R_SINGLES_EXEMPT]:
        position[code.W_MOVED] |= 1 << seat
    return follows


@kernel_function
def _lay_or_lend(rules, position, counts, seat, move):
    """Play a move that sows nothing; returns END_OF_TURN, or GO_ON if nothing is left to settle."""
    noinline()
    if rules[rule.R_EQUAL] == rule.EQUAL_OPTIONAL and (move >= code.LAYOUT or move == code.CALL_DRAW):
        _note_offer(rules, position, counts, seat, move)
    if move >= code.LAYOUT:
        layout.keep_before_turn(rules, position)
        lay_poorer_row(rules, position, seat, move)
        count_layout(rules, position, counts)
        position[code.W_PHASE] = code.SOW
        return laps.GO_ON if _can_act(rules, position, seat) else laps.END_OF_TURN
    if move == code.CALL_DRAW:
        end_game(position, -1)
        _end_turn(position, counts)
    elif move == code.LAY_OWN_TURN:
        lay_full_row(rules, position, seat)
        position[code.W_PHASE] = code.LAY
        position[code.W_MOVER] = 1 - seat
        _end_turn(position, counts)
    else:
        layout.keep_before_turn(rules, position)
        lend(position, seat, move, rules[rule.R_ROW], move == code.BORROW)
    return laps.GO_ON


@kernel_function
def _note_offer(rules, position, counts, seat, move):
    """Take down that the player who lays out might have called a draw, and whether he did."""
    noinline()
    if position[code.W_STORE + seat] == rules[rule.R_FULL] * rules[rule.R_ROW]:
        counts[measures.DRAW_OFFERED] = 1
    if move == code.CALL_DRAW:
        counts[measures.DRAW_CALLED] = 1


@kernel_function
def _end_endless(rules, position, counts):
    """The turn never ends: the position before it stands, marked endless."""
    noinline()
    if position[layout.kept_flag_at(rules)]:
        base = layout.kept_at(rules)
        for i in range(identity_size(rules)):
            position[i] = position[base + i]
        position[layout.kept_flag_at(rules)] = 0
    position[code.W_PHASE] = code.OVER
    position[code.W_END] = ENDLESS
    _end_turn(position, counts)


@kernel_function
def _can_act(rules, position, seat):
    """Whether the seat has a start or a loan."""
    forward, backward = start_sets(rules, position, seat)
    if forward | backward:
        return True
    return rules[rule.R_LOAN] > 0 and loan_kind(rules, position) > 0


@inlined
def _know_starts(rules, position, forward, backward):
    """Keep what the mover may start from for the draw of his move."""
    known = layout.known_at(rules)
    position[known] = 1
    position[known + 1] = forward
    position[known + 2] = backward


@inlined
def _end_turn(position, counts):
    counts[measures.TURNS] += 1
    ahead = counts[measures.CAPTURES_0] - counts[measures.CAPTURES_1]
    if ahead:
        lead = 1 if ahead > 0 else -1
        if lead == -counts[measures.LEAD]:
            counts[measures.LEAD_CHANGES] += 1
        counts[measures.LEAD] = lead


@inlined
def _hand_over(rules, position, counts, seat, taken):
    """The turn is over: return loans, and the other seat is the mover."""
    if rules[rule.R_LOAN]:
        return_loan(rules, position, seat)
    position[layout.kept_flag_at(rules)] = 0
    position[code.W_MOVER] = 1 - seat
    if rules[rule.MAY_TURN] and rules[rule.R_DIRECTION] == rule.EACH_TURN:
        position[code.W_DIRECTION] = 0
    if rules[rule.R_IDLE]:
        position[layout.idle_at(rules)] = 0 if taken else position[layout.idle_at(rules)] + 1
    _end_turn(position, counts)


@kernel_function
def _is_repeated(rules, position, taken):
    """Whether the position is among those remembered since the last capture; remembers it."""
    noinline()
    now = layout.hash_of_board(rules, position)
    base, room = layout.memory_at(rules), rules[rule.R_MEMORY]
    remembered, classes = position[layout.memory_count_at(rules)], position[layout.classes_at(rules)]
    if taken:
        remembered = classes = 0
    if (classes >> (now & 63)) & 1:
        for i in range(min(remembered, room)):
            if position[base + i] == now:
                return True
    position[layout.classes_at(rules)] = classes | 1 << (now & 63)
    position[base + (remembered if remembered < room else remembered % room)] = now
    position[layout.memory_count_at(rules)] = remembered + 1
    return False


@inlined
def _cannot_move_again(rules, position):
    """Whether the round is over for a mover who may move again: under plain rules, this is asked often."""
    return _round_is_over(rules, position) if rules[rule.PLAIN] else _round_is_over_seldom(rules, position)


@kernel_function
def _round_is_over_seldom(rules, position):
    """`_round_is_over`, for callers that a game seldom comes to."""
    noinline()
    return _round_is_over(rules, position)


@inlined
def _round_is_over(rules, position):
    """Whether the round is over before the mover plays; if it is not, his starts are known."""
    row = rules[rule.R_ROW]
    if rules[rule.R_MAJORITY]:
        half = rules[rule.R_FULL] * row
        first, second = position[code.W_STORE], position[code.W_STORE + 1]
        if first > half or second > half or (first == half and second == half):
            return True
    if rules[rule.R_IDLE] and position[layout.idle_at(rules)] >= rules[rule.R_IDLE]:
        return True
    ends = rules[rule.R_ROUND_END]
    if ends == rule.BOARD_EMPTY:
        for hole in range(2 * row):
            if position[HOLES + hole] and position[HOLES + 2 * row + hole] == 0:
                return False
        return True
    filled = holes_with_more_than(rules, position, 0)
    if ends == rule.ROW_EMPTY and ((of_row(rules, filled, 0) == 0) | (of_row(rules, filled, 1) == 0)):
        return True
    seat = position[code.W_MOVER]
    forward, backward = find_starts(rules, position, seat, filled)
    if forward | backward:
        _know_starts(rules, position, forward, backward)
        return False
    if rules[rule.R_LOAN] and loan_kind(rules, position):
        return False
    if rules[rule.R_STUCK] == 0 or of_row(rules, filled, seat) == 0:
        return True
    position[code.W_MOVER] = 1 - seat
    other_can = _can_act(rules, position, 1 - seat)
    position[code.W_MOVER] = seat
    return not other_can
