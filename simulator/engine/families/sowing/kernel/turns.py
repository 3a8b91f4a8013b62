"""Turns and rounds, compiled: a move is played, and what follows from it is settled, as the referee does it.

Everything a game does seldom (layouts, loans, the end of a round, an endless turn) stands behind `noinline`, so that
the path of an ordinary turn stays small enough for the processor's cache.
"""

from simulator.engine.compiled import inlined, kernel_function, noinline
from simulator.engine.ends import DRAW, ENDLESS, WIN
from simulator.engine.families.sowing import measures
from simulator.engine.families.sowing import position as code
from simulator.engine.families.sowing.kernel import laps, layout, layouts, sowing
from simulator.engine.families.sowing.kernel import rules as rule
from simulator.engine.families.sowing.kernel.layout import HOLES, identity_size, idle_at, kept_flag_at, memory_count_at


@kernel_function
def play_move(rules, position, move, counts):
    """Play a legal move and settle what follows."""
    noinline()
    seat = position[code.W_MOVER]
    position[layout.known_at(rules)] = 0
    # What the move takes is the difference of both counts before and after it.
    taken = counts[measures.CAPTURES_0] + counts[measures.CAPTURES_1]
    if move < code.PASS:
        follows = _start_from(rules, position, counts, seat, move)
    elif move == code.PASS:
        follows = laps.END_OF_TURN
    else:
        follows = _lay_or_lend(rules, position, counts, seat, move)
    if follows == laps.END_OF_TURN or (follows == laps.MOVE_AGAIN and _cannot_move_again(rules, position)):
        taken = counts[measures.CAPTURES_0] + counts[measures.CAPTURES_1] - taken
        hand_over(rules, position, counts, seat, taken)
        if (rules[rule.R_REPETITION_MEMORY] and is_repeated(rules, position, taken)) or _round_is_over(rules, position):
            finish_round(rules, position, counts, seat)
    elif follows == laps.ROUND_OVER:
        layouts.return_loan(rules, position, seat)
        end_turn(position, counts)
        finish_round(rules, position, counts, seat)
    elif follows == laps.ENDLESS_TURN:
        end_endless(rules, position, counts)


@inlined
def _start_from(rules, position, counts, seat, move):
    """Sow from a hole; returns what follows. An endless turn leaves the holes and stores as they were before it."""
    row = rules[rule.R_HOLES_PER_ROW]
    kept = layout.before_turn_at(rules)
    if rules[rule.MAY_BE_ENDLESS]:
        layout.keep_holes(rules, position)
    # Stores, direction and counts are kept in registers, holes in the position: an endless turn takes all of them back.
    store_0, store_1, direction = position[code.W_STORE], position[code.W_STORE + 1], position[code.W_DIRECTION]
    taken_0, taken_1 = counts[measures.CAPTURES_0], counts[measures.CAPTURES_1]
    if rules[rule.MAY_TURN]:
        position[code.W_DIRECTION] = -1 if move & 1 else 1
    follows = laps.play_laps(rules, position, counts, seat, seat * row + (move >> 1))
    if rules[rule.R_EN_PASSANT] and follows != laps.ENDLESS_TURN:
        if rules[rule.R_EN_PASSANT_WHEN]:
            sowing.take_groups(rules, position, counts, seat, kept)
        counts[measures.TAKEN_IN_PASSING] += counts[measures.CAPTURES_1 - seat] - (taken_0 if seat else taken_1)
    if follows == laps.ENDLESS_TURN:
        for i in range(2 * row):
            position[HOLES + i] = position[kept + i]
        position[code.W_STORE], position[code.W_STORE + 1], position[code.W_DIRECTION] = store_0, store_1, direction
        counts[measures.CAPTURES_0], counts[measures.CAPTURES_1] = taken_0, taken_1
    elif (
        rules[rule.R_FIRST_MOVE_FROM_END] == rule.FIRST_MOVE_FROM_END_OPENER
        or rules[rule.R_SINGLES_EXEMPT] == rule.SINGLES_EXEMPT_FIRST_LAP_OF_GAME
    ):
        position[code.W_MOVED] = 3
    elif rules[rule.R_FIRST_MOVE_FROM_END] or rules[rule.R_SINGLES_EXEMPT]:
        position[code.W_MOVED] |= 1 << seat
    return follows


@kernel_function
def _lay_or_lend(rules, position, counts, seat, move):
    """Play a move that sows nothing; returns END_OF_TURN, or GO_ON if nothing is left to settle."""
    noinline()
    if rules[rule.R_EQUAL_ROUND] == rule.EQUAL_ROUND_OPTIONAL and (move >= code.LAYOUT or move == code.CALL_DRAW):
        note_offer(rules, position, counts, seat, move)
    if move >= code.LAYOUT:
        layout.keep_before_turn(rules, position)
        layouts.lay_poorer_row(rules, position, seat, move)
        layouts.count_layout(rules, position, counts)
        position[code.W_PHASE] = code.SOW
        return laps.GO_ON if _can_act(rules, position, seat) else laps.END_OF_TURN
    if move == code.CALL_DRAW:
        end_game(position, -1)
        end_turn(position, counts)
    elif move == code.LAY_OWN_TURN:
        layouts.lay_full_row(rules, position, seat)
        position[code.W_PHASE] = code.LAY
        position[code.W_MOVER] = 1 - seat
        end_turn(position, counts)
    else:
        layout.keep_before_turn(rules, position)
        layouts.lend(position, seat, move, rules[rule.R_HOLES_PER_ROW], move == code.BORROW)
    return laps.GO_ON


@kernel_function
def note_offer(rules, position, counts, seat, move):
    """Take down that the player who lays out might have called a draw, and whether he did."""
    noinline()
    if position[code.W_STORE + seat] == rules[rule.R_COUNTERS_PER_HOLE] * rules[rule.R_HOLES_PER_ROW]:
        counts[measures.DRAW_OFFERED] = 1
    if move == code.CALL_DRAW:
        counts[measures.DRAW_CALLED] = 1


@kernel_function
def end_endless(rules, position, counts):
    """End the game with a turn that never ends: the position before it stands, marked endless."""
    noinline()
    if position[layout.kept_flag_at(rules)]:
        base = layout.kept_at(rules)
        for i in range(identity_size(rules)):
            position[i] = position[base + i]
        position[layout.kept_flag_at(rules)] = 0
    position[code.W_PHASE] = code.OVER
    position[code.W_END] = ENDLESS
    end_turn(position, counts)


@kernel_function
def _can_act(rules, position, seat):
    """Return whether the seat has a start or a loan."""
    forward, backward = laps.start_sets(rules, position, seat)
    if forward | backward:
        return True
    return rules[rule.R_LOAN] > 0 and layouts.loan_kind(rules, position) > 0


@inlined
def _know_starts(rules, position, forward, backward):
    """Keep what the mover may start from for the draw of his move."""
    known = layout.known_at(rules)
    position[known] = 1
    position[known + 1] = forward
    position[known + 2] = backward


@inlined
def end_turn(position, counts):
    counts[measures.TURNS] += 1
    ahead = counts[measures.CAPTURES_0] - counts[measures.CAPTURES_1]
    if ahead:
        lead = 1 if ahead > 0 else -1
        if lead == -counts[measures.LEAD]:
            counts[measures.LEAD_CHANGES] += 1
        counts[measures.LEAD] = lead


@inlined
def hand_over(rules, position, counts, seat, taken):
    """End the turn: return loans, and the other seat is the mover."""
    if rules[rule.R_LOAN]:
        layouts.return_loan(rules, position, seat)
    position[layout.kept_flag_at(rules)] = 0
    position[code.W_MOVER] = 1 - seat
    if rules[rule.MAY_TURN] and rules[rule.R_DIRECTION] == rule.DIRECTION_EACH_TURN:
        position[code.W_DIRECTION] = 0
    if rules[rule.R_IDLE_TURNS]:
        position[layout.idle_at(rules)] = 0 if taken else position[layout.idle_at(rules)] + 1
    end_turn(position, counts)


@kernel_function
def is_repeated(rules, position, taken):
    """Return whether the position is among those remembered since the last capture; remembers it."""
    noinline()
    now = layout.hash_of_board(rules, position)
    base, room = layout.memory_at(rules), rules[rule.R_REPETITION_MEMORY]
    remembered, classes = position[layout.memory_count_at(rules)], position[layout.classes_at(rules)]
    if taken:
        remembered = classes = 0
    # A position of a class that was not there before is new: the ring of remembered ones need not be searched.
    if (classes >> (now & 63)) & 1:
        for i in range(min(remembered, room)):
            if position[base + i] == now:
                return True
    position[layout.classes_at(rules)] = classes | 1 << (now & 63)
    # A ring: the division is only paid for once it is full.
    position[base + (remembered if remembered < room else remembered % room)] = now
    position[layout.memory_count_at(rules)] = remembered + 1
    return False


@inlined
def _cannot_move_again(rules, position):
    """Return whether the round is over for a mover who may move again: under plain rules, this is asked often."""
    return _round_is_over(rules, position) if rules[rule.PLAIN] else _round_is_over_seldom(rules, position)


@kernel_function
def _round_is_over_seldom(rules, position):
    """Return what `_round_is_over` does, for callers that a game seldom comes to."""
    noinline()
    return _round_is_over(rules, position)


@inlined
def _round_is_over(rules, position):
    """Return whether the round is over before the mover plays; if it is not, his starts are known."""
    row = rules[rule.R_HOLES_PER_ROW]
    if rules[rule.R_MAJORITY_ENDS]:
        # Half of all counters: two rows hold twice as many.
        half = rules[rule.R_COUNTERS_PER_HOLE] * row
        first, second = position[code.W_STORE], position[code.W_STORE + 1]
        if first > half or second > half or (first == half and second == half):
            return True
    if rules[rule.R_IDLE_TURNS] and position[layout.idle_at(rules)] >= rules[rule.R_IDLE_TURNS]:
        return True
    ends = rules[rule.R_ROUND_END]
    if ends == rule.ROUND_END_BOARD_EMPTY:
        for hole in range(2 * row):
            if position[HOLES + hole] and position[HOLES + 2 * row + hole] == 0:
                return False
        return True
    # Most turns come to here: what is found out about the mover's starts is kept for the draw of his move.
    filled = laps.holes_with_more_than(rules, position, 0)
    if ends == rule.ROUND_END_EITHER_ROW_EMPTY and (
        (laps.of_row(rules, filled, 0) == 0) | (laps.of_row(rules, filled, 1) == 0)
    ):
        return True
    seat = position[code.W_MOVER]
    forward, backward = laps.find_starts(rules, position, seat, filled)
    if forward | backward:
        _know_starts(rules, position, forward, backward)
        return False
    if rules[rule.R_LOAN] and layouts.loan_kind(rules, position):
        return False
    if rules[rule.R_STUCK] == 0 or laps.of_row(rules, filled, seat) == 0:
        return True
    # A mover who is stuck passes only if the other can act; the starts are those of the mover, so he is exchanged.
    position[code.W_MOVER] = 1 - seat
    other_can = _can_act(rules, position, 1 - seat)
    position[code.W_MOVER] = seat
    return not other_can


@kernel_function
def end_game(position, winner):
    """End the game. winner: a seat, or -1 for a draw."""
    noinline()
    position[code.W_PHASE] = code.OVER
    position[code.W_END] = DRAW if winner < 0 else WIN
    position[code.W_WINNERS] = 0 if winner < 0 else 1 << winner


@kernel_function
def count_up(rules, position):
    """Give each player his row and the holes marked as his; the board is bare then."""
    noinline()
    row, around = rules[rule.R_HOLES_PER_ROW], rules[rule.AROUND]
    marks = HOLES + around
    for hole in range(around):
        mark = position[marks + hole]
        # The lowest bit of a mark is its owner; ordinary and blind holes belong to the row they are in.
        owner = (1 if hole >= row else 0) if mark <= code.BLIND else mark & 1
        if rules[rule.TABLED]:
            owner = mark - code.TIED if mark >= code.TIED else rules[rule.OWNER + hole]
            if owner == code.NOBODY:
                continue
        position[code.W_STORE + owner] += position[HOLES + hole]
        position[HOLES + hole] = 0
        if not (mark >= code.TIED and rules[rule.R_TIES_KEPT]):
            position[marks + hole] = 0


@kernel_function
def finish_round(rules, position, counts, ended_by):
    """Count up, and end the game or lay out the next round. ended_by: the seat whose turn ended the round."""
    noinline()
    count_up(rules, position)
    position[code.W_SHORT] = 0
    position[code.W_SHORT_NUMBER] = 0
    position[code.W_LOAN] = 0
    position[code.W_RICHER] = 0
    position[code.W_EXCESS] = 0
    position[code.W_REMAINDER] = 0
    position[idle_at(rules)] = 0
    position[memory_count_at(rules)] = 0
    position[kept_flag_at(rules)] = 0
    first, second = position[code.W_STORE], position[code.W_STORE + 1]
    richer = 0 if first > second else 1 if second > first else -1
    note_round(counts, richer, richer, first, second)
    if rules[rule.R_NEXT_ROUND] == 0:
        end_game(position, richer)
    elif first < rules[rule.R_RUINED_BELOW]:
        end_game(position, 1)
    elif second < rules[rule.R_RUINED_BELOW]:
        end_game(position, 0)
    elif richer < 0 and rules[rule.R_EQUAL_ROUND] == rule.EQUAL_ROUND_DRAW:
        end_game(position, -1)
    else:
        begin_round(rules, position, counts, ended_by, richer)
        counts[measures.ROUNDS] += 1


@kernel_function
def note_round(counts, winner, richer, first, second):
    """Take down how a round has ended. richer: who owns more; first, second: what the players own"""
    noinline()
    counts[measures.ROUNDS_ENDED] += 1
    counts[measures.EQUAL_ROUNDS] += winner < 0
    # Whether who began the round with fewer has gained, and who begins the next one so.
    if counts[measures.POORER]:
        counts[measures.UNEQUAL_ROUNDS] += 1
        counts[measures.RECOVERED_ROUNDS] += (first if counts[measures.POORER] == 1 else second) > counts[
            measures.POORER_OWNED
        ]
    note_poorer(counts, richer, first, second)
    if not counts[measures.FIRST_ROUND_ENDED]:
        counts[measures.FIRST_ROUND_ENDED] = 1
        counts[measures.FIRST_ROUND_WINNER] = winner
        counts[measures.FIRST_ROUND_TURNS] = counts[measures.TURNS]
        counts[measures.FIRST_ROUND_DECISIONS] = counts[measures.DECISIONS]
        counts[measures.FIRST_ROUND_LAPS] = counts[measures.LAPS]
        counts[measures.FIRST_ROUND_CAPTURES] = counts[measures.CAPTURES_0] + counts[measures.CAPTURES_1]


@inlined
def note_poorer(counts, richer, first, second):
    # 1 + the other seat, which is 1 - richer; 0 where both own equally many.
    counts[measures.POORER] = 2 - richer if richer >= 0 else 0
    counts[measures.POORER_OWNED] = min(first, second)


@kernel_function
def begin_round(rules, position, counts, ended_by, richer):
    """Lay out what can be laid without a decision, and say who acts."""
    noinline()
    before = position[code.W_STARTER]
    if richer >= 0:
        poorer = 1 - richer
    elif rules[rule.R_EQUAL_STARTER] == rule.EQUAL_STARTER_SECOND_SEAT:
        poorer = 1
    else:
        poorer = 1 - before
    alternates = rules[rule.R_ROUND_STARTER] == rule.ROUND_STARTER_ALTERNATE
    starter = 1 - before if alternates else poorer
    if alternates or (rules[rule.R_EQUAL_STARTER] == 0 and rules[rule.R_EQUAL_ROUND] != rule.EQUAL_ROUND_DRAW):
        position[code.W_STARTER] = starter
    if rules[rule.R_REMAINDER_FROM_ROUND] > 2:
        # Counted no further than a rule asks, so that later rounds are the same positions.
        position[code.W_ROUND] = min(position[code.W_ROUND] + 1, rules[rule.R_REMAINDER_FROM_ROUND])
    if rules[rule.R_FIRST_MOVE_FROM_END] == rule.FIRST_MOVE_FROM_END_EACH_PLAYER_EACH_ROUND:
        position[code.W_MOVED] = 0
    if rules[rule.R_LAYOUT_FROM] == rule.LAYOUT_FROM_LEFT:
        layouts.lay_full_row(rules, position, 1 - poorer)
        layouts.lay_poorer_row(rules, position, poorer, code.LAYOUT)
        layouts.count_layout(rules, position, counts)
        position[code.W_PHASE] = code.SOW
        position[code.W_MOVER] = starter
    elif rules[rule.R_LAYOUT_TURN] and ended_by == poorer:
        position[code.W_PHASE] = code.LAY_RICH
        position[code.W_MOVER] = 1 - poorer
    else:
        layouts.lay_full_row(rules, position, 1 - poorer)
        position[code.W_PHASE] = code.LAY
        position[code.W_MOVER] = poorer


@kernel_function
def begin_as_after_a_round(rules, position, counts):
    """Lay out the first round like a further one, for a first player who owns so many counters."""
    noinline()
    for hole in range(2 * rules[rule.R_HOLES_PER_ROW]):
        position[HOLES + hole] = 0
    first = rules[rule.R_BEGINS_WITH]
    second = 2 * rules[rule.R_HOLES_PER_ROW] * rules[rule.R_COUNTERS_PER_HOLE] - first
    position[code.W_STORE] = first
    position[code.W_STORE + 1] = second
    position[code.W_ROUND] = max(rules[rule.R_REMAINDER_FROM_ROUND] - 1, 1)
    richer = 0 if first > second else 1
    counts[measures.POORER] = 2 - richer
    counts[measures.POORER_OWNED] = min(first, second)
    begin_round(rules, position, counts, -1, richer)
