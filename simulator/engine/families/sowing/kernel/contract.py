"""The sowing kernel's side of the family contract: start, moves, random_move, play, outcome, mover, evaluate."""

from simulator.engine.bits import count_bits
from simulator.engine.compiled import inlined, kernel_function
from simulator.engine.families.sowing.kernel.laps import ENDLESS_TURN, MOVE_AGAIN, ROUND_OVER, play_laps
from simulator.engine.families.sowing.kernel.layouts import lay_full_row, lay_poorer_row, layout_moves
from simulator.engine.families.sowing.kernel.loans import lend, loan_kind, loan_moves, return_loan
from simulator.engine.families.sowing.kernel.rounds import end_game, finish_round
from simulator.engine.families.sowing.kernel.rules import (
    BOARD_EMPTY,
    CHOSEN_ONCE,
    EACH_TURN,
    EQUAL_OPTIONAL,
    EXEMPT_GAME,
    OPENER,
    R_DIRECTION,
    R_EQUAL,
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
    compile_rules,
)
from simulator.engine.families.sowing.kernel.starts import may_surely_start, nth_start, start_sets
from simulator.engine.families.sowing.kernel.words import (
    HOLES,
    before_turn_at,
    hash_of_board,
    identity_size,
    idle_at,
    keep_before_turn,
    kept_at,
    kept_flag_at,
    memory_at,
    memory_count_at,
    position_size,
)
from simulator.engine.families.sowing.measures import (
    CAPTURES_0,
    CAPTURES_1,
    COUNTS,
    FIRST_ENDED,
    FIRST_WINNER,
    LEAD,
    LEAD_CHANGES,
    ROUNDS,
    TURNS,
)
from simulator.engine.families.sowing.position import (
    BORROW,
    CALL_DRAW,
    LAY,
    LAY_OWN_TURN,
    LAY_RICH,
    LAYOUT,
    MOST_MOVES,
    OVER,
    PASS,
    RUNNING,
    SOW,
    W_DIRECTION,
    W_END,
    W_MOVED,
    W_MOVER,
    W_PHASE,
    W_ROUND,
    W_STORE,
    W_WINNERS,
)
from simulator.engine.family import ENDLESS
from simulator.engine.randomness_kernel import below


@kernel_function
def start(rules, position, streams, counts):
    """Set the position before the first move, and the counts of a new game."""
    position[:] = 0
    counts[:] = 0
    counts[ROUNDS] = 1
    counts[FIRST_WINNER] = -1
    for hole in range(2 * rules[R_ROW]):
        position[HOLES + hole] = rules[R_FULL]
    position[W_ROUND] = 1
    position[W_END] = RUNNING
    if rules[R_DIRECTION] < CHOSEN_ONCE:
        position[W_DIRECTION] = 1 if rules[R_DIRECTION] == 0 else -1
    if rules[R_MEMORY]:
        position[memory_at(rules)] = hash_of_board(rules, position)
        position[memory_count_at(rules)] = 1


@inlined
def mover(rules, position):
    return position[W_MOVER]


@inlined
def outcome(rules, position):
    """(kind of end or -1, winning seats as bits)."""
    return position[W_END], position[W_WINNERS]


@kernel_function
def moves(rules, position, out):
    """Write every legal move into `out`, in the order of the contract; returns how many."""
    phase = position[W_PHASE]
    if phase == SOW:
        forward, backward = start_sets(rules, position, position[W_MOVER])
        found = count_bits(forward) + count_bits(backward)
        for number in range(found):
            out[number] = nth_start(forward, backward, number)
        if rules[R_LOAN]:
            found = loan_moves(rules, position, out, found)
        if found == 0:
            out[0] = PASS
            return 1
        return found
    if phase == LAY:
        found = layout_moves(rules, position, out)
        if rules[R_EQUAL] == EQUAL_OPTIONAL and position[W_STORE + position[W_MOVER]] == rules[R_FULL] * rules[R_ROW]:
            out[found] = CALL_DRAW
            found += 1
        return found
    if phase == LAY_RICH:
        out[0] = LAY_OWN_TURN
        return 1
    return 0


@kernel_function
def random_move(rules, position, streams, stream, out):
    """(a uniformly drawn move, number of options): by definition moves[draw(n)], found without listing while sowing."""
    if position[W_PHASE] == SOW and rules[R_LOAN] == 0:
        forward, backward = start_sets(rules, position, position[W_MOVER])
        options = count_bits(forward) + count_bits(backward)
        if options == 0:
            return PASS, 1
        return nth_start(forward, backward, below(streams, stream, options)), options
    options = moves(rules, position, out)
    return out[below(streams, stream, options)], options


@kernel_function
def play(rules, position, move, streams, counts):
    """Play a legal move and settle what follows."""
    seat = position[W_MOVER]
    if move < PASS:
        _play_start(rules, position, counts, seat, move)
    elif move == PASS:
        _pass_on(rules, position, counts, seat, 0)
    elif move >= LAYOUT:
        _play_layout(rules, position, counts, seat, move)
    elif move == CALL_DRAW:
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


@kernel_function
def _play_start(rules, position, counts, seat, move):
    row = rules[R_ROW]
    kept = before_turn_at(rules)
    for i in range(2 * row):
        position[kept + i] = position[HOLES + i]
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
        _end_endless(rules, position, counts)
        return
    if rules[R_FIRST_END] == OPENER or rules[R_SINGLES_EXEMPT] == EXEMPT_GAME:
        position[W_MOVED] = 3
    elif rules[R_FIRST_END] or rules[R_SINGLES_EXEMPT]:
        position[W_MOVED] |= 1 << seat
    if follows == MOVE_AGAIN and not _round_is_over(rules, position):
        return
    if follows == ROUND_OVER:
        return_loan(rules, position, seat)
        _end_turn(position, counts)
        finish_round(rules, position, counts, seat)
        return
    _pass_on(rules, position, counts, seat, counts[CAPTURES_0] + counts[CAPTURES_1] - taken_0 - taken_1)


@kernel_function
def _end_endless(rules, position, counts):
    """The turn never ends: the position before it stands, marked endless."""
    if position[kept_flag_at(rules)]:
        base = kept_at(rules)
        for i in range(identity_size(rules)):
            position[i] = position[base + i]
        position[kept_flag_at(rules)] = 0
    position[W_PHASE] = OVER
    position[W_END] = ENDLESS
    _end_turn(position, counts)


@kernel_function
def _play_layout(rules, position, counts, seat, move):
    keep_before_turn(rules, position)
    lay_poorer_row(rules, position, seat, move)
    position[W_PHASE] = SOW
    if not _can_act(rules, position, seat):
        _pass_on(rules, position, counts, seat, 0)


@kernel_function
def _can_act(rules, position, seat):
    if may_surely_start(rules, position, seat):
        return True
    forward, backward = start_sets(rules, position, seat)
    if forward | backward:
        return True
    return rules[R_LOAN] > 0 and loan_kind(rules, position) > 0


@inlined
def _end_turn(position, counts):
    counts[TURNS] += 1
    ahead = counts[CAPTURES_0] - counts[CAPTURES_1]
    if ahead:
        lead = 1 if ahead > 0 else -1
        if lead == -counts[LEAD]:
            counts[LEAD_CHANGES] += 1
        counts[LEAD] = lead


@kernel_function
def _pass_on(rules, position, counts, seat, taken):
    """The turn is over: return loans, hand over, and end the round if it must end."""
    if rules[R_LOAN]:
        return_loan(rules, position, seat)
    position[kept_flag_at(rules)] = 0
    position[W_MOVER] = 1 - seat
    if rules[R_DIRECTION] == EACH_TURN:
        position[W_DIRECTION] = 0
    if rules[R_IDLE]:
        position[idle_at(rules)] = 0 if taken else position[idle_at(rules)] + 1
    _end_turn(position, counts)
    if (rules[R_MEMORY] and _is_repeated(rules, position, taken)) or _round_is_over(rules, position):
        finish_round(rules, position, counts, seat)


@kernel_function
def _is_repeated(rules, position, taken):
    """Whether the position is among those remembered since the last capture; remembers it."""
    now = hash_of_board(rules, position)
    base, room = memory_at(rules), rules[R_MEMORY]
    remembered = 0 if taken else position[memory_count_at(rules)]
    for i in range(min(remembered, room)):
        if position[base + i] == now:
            return True
    position[base + remembered % room] = now
    position[memory_count_at(rules)] = remembered + 1
    return False


@kernel_function
def _row_is_empty(rules, position, seat):
    for hole in range(seat * rules[R_ROW], (seat + 1) * rules[R_ROW]):
        if position[HOLES + hole]:
            return False
    return True


@kernel_function
def _round_is_over(rules, position):
    row = rules[R_ROW]
    if rules[R_MAJORITY]:
        half = rules[R_FULL] * row
        first, second = position[W_STORE], position[W_STORE + 1]
        if first > half or second > half or (first == half and second == half):
            return True
    if rules[R_IDLE] and position[idle_at(rules)] >= rules[R_IDLE]:
        return True
    if rules[R_ROUND_END] == ROW_EMPTY and (_row_is_empty(rules, position, 0) or _row_is_empty(rules, position, 1)):
        return True
    if rules[R_ROUND_END] == BOARD_EMPTY:
        for hole in range(2 * row):
            if position[HOLES + hole] and position[HOLES + 2 * row + hole] == 0:
                return False
        return True
    seat = position[W_MOVER]
    if _can_act(rules, position, seat):
        return False
    if rules[R_STUCK] == 0 or _row_is_empty(rules, position, seat):
        return True
    position[W_MOVER] = 1 - seat
    other_can = _can_act(rules, position, 1 - seat)
    position[W_MOVER] = seat
    return not other_can


@inlined
def round_outcome(counts):
    """(whether the first round has ended, the seat that owned more then or -1)."""
    return counts[FIRST_ENDED], counts[FIRST_WINNER]


@kernel_function
def evaluate(rules, position, seat):
    """Counters owned beyond the opponent's: stores and rows, in counters."""
    row = rules[R_ROW]
    ahead = position[W_STORE + seat] - position[W_STORE + 1 - seat]
    for hole in range(row):
        ahead += position[HOLES + seat * row + hole] - position[HOLES + (1 - seat) * row + hole]
    return ahead


__all__ = [
    "COUNTS",
    "MOST_MOVES",
    "compile_rules",
    "evaluate",
    "identity_size",
    "mover",
    "moves",
    "outcome",
    "play",
    "position_size",
    "random_move",
    "round_outcome",
    "start",
]
