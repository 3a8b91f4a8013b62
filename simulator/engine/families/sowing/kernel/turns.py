"""A turn, compiled: a move is played, and what follows from it is settled. The fast twin of the referee's `play`."""

from simulator.engine.compiled import apart, inlined, kernel_function
from simulator.engine.families.sowing.kernel.laps import (
    END_OF_TURN,
    ENDLESS_TURN,
    GO_ON,
    MOVE_AGAIN,
    ROUND_OVER,
    play_laps,
)
from simulator.engine.families.sowing.kernel.layout import (
    HOLES,
    before_turn_at,
    classes_at,
    hash_of_board,
    identity_size,
    idle_at,
    keep_before_turn,
    keep_holes,
    kept_at,
    kept_flag_at,
    known_at,
    memory_at,
    memory_count_at,
)
from simulator.engine.families.sowing.kernel.layouts import lay_full_row, lay_poorer_row
from simulator.engine.families.sowing.kernel.loans import lend, loan_kind, return_loan
from simulator.engine.families.sowing.kernel.rounds import end_game, finish_round
from simulator.engine.families.sowing.kernel.rules import (
    BOARD_EMPTY,
    CHOSEN_ONCE,
    EACH_TURN,
    EXEMPT_GAME,
    MAY_BE_ENDLESS,
    OPENER,
    R_DIRECTION,
    R_FIRST_END,
    R_FULL,
    R_IDLE,
    R_LOAN,
    R_MAJORITY,
    R_MEMORY,
    R_ROUND_END,
    R_ROW,
    R_SINGLES_EXEMPT,
    R_STUCK,
    ROW_EMPTY,
)
from simulator.engine.families.sowing.kernel.starts import find_starts, row_is_empty, start_sets
from simulator.engine.families.sowing.measures import CAPTURES_0, CAPTURES_1, LEAD, LEAD_CHANGES, TURNS
from simulator.engine.families.sowing.position import (
    BORROW,
    CALL_DRAW,
    LAY,
    LAY_OWN_TURN,
    LAYOUT,
    OVER,
    PASS,
    SOW,
    W_DIRECTION,
    W_END,
    W_MOVED,
    W_MOVER,
    W_PHASE,
    W_STORE,
)
from simulator.engine.family import ENDLESS


@kernel_function
def play_move(rules, position, move, counts):
    """Play a legal move and settle what follows."""
    apart()
    seat = position[W_MOVER]
    position[known_at(rules)] = 0
    taken = counts[CAPTURES_0] + counts[CAPTURES_1]
    if move < PASS:
        follows = _start_from(rules, position, counts, seat, move)
    elif move == PASS:
        follows = END_OF_TURN
    else:
        follows = _lay_or_lend(rules, position, counts, seat, move)
    if follows == END_OF_TURN or (follows == MOVE_AGAIN and _cannot_move_again(rules, position)):
        taken = counts[CAPTURES_0] + counts[CAPTURES_1] - taken
        _hand_over(rules, position, counts, seat, taken)
        if (rules[R_MEMORY] and _is_repeated(rules, position, taken)) or _round_is_over(rules, position):
            finish_round(rules, position, counts, seat)
    elif follows == ROUND_OVER:
        return_loan(rules, position, seat)
        _end_turn(position, counts)
        finish_round(rules, position, counts, seat)
    elif follows == ENDLESS_TURN:
        _end_endless(rules, position, counts)


@inlined
def _start_from(rules, position, counts, seat, move):
    """Sow from a hole; returns what follows. An endless turn leaves the holes and stores as they were before it."""
    row = rules[R_ROW]
    kept = before_turn_at(rules)
    if rules[MAY_BE_ENDLESS]:
        keep_holes(rules, position)
    store_0, store_1, direction = position[W_STORE], position[W_STORE + 1], position[W_DIRECTION]
    taken_0, taken_1 = counts[CAPTURES_0], counts[CAPTURES_1]
    if rules[R_DIRECTION] >= CHOSEN_ONCE:
        position[W_DIRECTION] = -1 if move & 1 else 1
    follows = play_laps(rules, position, counts, seat, seat * row + (move >> 1))
    if follows == ENDLESS_TURN:
        for i in range(2 * row):
            position[HOLES + i] = position[kept + i]
        position[W_STORE], position[W_STORE + 1], position[W_DIRECTION] = store_0, store_1, direction
        counts[CAPTURES_0], counts[CAPTURES_1] = taken_0, taken_1
    elif rules[R_FIRST_END] == OPENER or rules[R_SINGLES_EXEMPT] == EXEMPT_GAME:
        position[W_MOVED] = 3
    elif rules[R_FIRST_END] or rules[R_SINGLES_EXEMPT]:
        position[W_MOVED] |= 1 << seat
    return follows


@kernel_function
def _lay_or_lend(rules, position, counts, seat, move):
    """Play a move that sows nothing; returns END_OF_TURN, or GO_ON if nothing is left to settle."""
    apart()
    if move >= LAYOUT:
        keep_before_turn(rules, position)
        lay_poorer_row(rules, position, seat, move)
        position[W_PHASE] = SOW
        return GO_ON if _can_act(rules, position, seat) else END_OF_TURN
    if move == CALL_DRAW:
        end_game(position, -1)
        _end_turn(position, counts)
    elif move == LAY_OWN_TURN:
        lay_full_row(rules, position, seat)
        position[W_PHASE] = LAY
        position[W_MOVER] = 1 - seat
        _end_turn(position, counts)
    else:
        keep_before_turn(rules, position)
        lend(position, seat, move, rules[R_ROW], move == BORROW)
    return GO_ON


@kernel_function
def _end_endless(rules, position, counts):
    """The turn never ends: the position before it stands, marked endless."""
    apart()
    if position[kept_flag_at(rules)]:
        base = kept_at(rules)
        for i in range(identity_size(rules)):
            position[i] = position[base + i]
        position[kept_flag_at(rules)] = 0
    position[W_PHASE] = OVER
    position[W_END] = ENDLESS
    _end_turn(position, counts)


@kernel_function
def _can_act(rules, position, seat):
    """Whether the seat has a start or a loan."""
    forward, backward = start_sets(rules, position, seat)
    if forward | backward:
        return True
    return rules[R_LOAN] > 0 and loan_kind(rules, position) > 0


@inlined
def _know_starts(rules, position, forward, backward):
    """Keep what the mover may start from for the draw of his move."""
    known = known_at(rules)
    position[known] = 1
    position[known + 1] = forward
    position[known + 2] = backward


@inlined
def _end_turn(position, counts):
    counts[TURNS] += 1
    ahead = counts[CAPTURES_0] - counts[CAPTURES_1]
    if ahead:
        lead = 1 if ahead > 0 else -1
        if lead == -counts[LEAD]:
            counts[LEAD_CHANGES] += 1
        counts[LEAD] = lead


@inlined
def _hand_over(rules, position, counts, seat, taken):
    """The turn is over: return loans, and the other seat is the mover."""
    if rules[R_LOAN]:
        return_loan(rules, position, seat)
    position[kept_flag_at(rules)] = 0
    position[W_MOVER] = 1 - seat
    if rules[R_DIRECTION] == EACH_TURN:
        position[W_DIRECTION] = 0
    if rules[R_IDLE]:
        position[idle_at(rules)] = 0 if taken else position[idle_at(rules)] + 1
    _end_turn(position, counts)


@kernel_function
def _is_repeated(rules, position, taken):
    """Whether the position is among those remembered since the last capture; remembers it."""
    apart()
    now = hash_of_board(rules, position)
    base, room = memory_at(rules), rules[R_MEMORY]
    remembered, classes = position[memory_count_at(rules)], position[classes_at(rules)]
    if taken:
        remembered = classes = 0
    if (classes >> (now & 63)) & 1:
        for i in range(min(remembered, room)):
            if position[base + i] == now:
                return True
    position[classes_at(rules)] = classes | 1 << (now & 63)
    position[base + (remembered if remembered < room else remembered % room)] = now
    position[memory_count_at(rules)] = remembered + 1
    return False


@kernel_function
def _cannot_move_again(rules, position):
    """Whether the round is over for a mover whose last counter gave him another move."""
    apart()
    return _round_is_over(rules, position)


@inlined
def _round_is_over(rules, position):
    """Whether the round is over before the mover plays; if it is not, his starts are known."""
    row = rules[R_ROW]
    if rules[R_MAJORITY]:
        half = rules[R_FULL] * row
        first, second = position[W_STORE], position[W_STORE + 1]
        if first > half or second > half or (first == half and second == half):
            return True
    if rules[R_IDLE] and position[idle_at(rules)] >= rules[R_IDLE]:
        return True
    if rules[R_ROUND_END] == ROW_EMPTY and (row_is_empty(rules, position, 0) | row_is_empty(rules, position, 1)):
        return True
    if rules[R_ROUND_END] == BOARD_EMPTY:
        for hole in range(2 * row):
            if position[HOLES + hole] and position[HOLES + 2 * row + hole] == 0:
                return False
        return True
    seat = position[W_MOVER]
    forward, backward = find_starts(rules, position, seat)
    if forward | backward:
        _know_starts(rules, position, forward, backward)
        return False
    if rules[R_LOAN] and loan_kind(rules, position):
        return False
    if rules[R_STUCK] == 0 or row_is_empty(rules, position, seat):
        return True
    position[W_MOVER] = 1 - seat
    other_can = _can_act(rules, position, 1 - seat)
    position[W_MOVER] = seat
    return not other_can
