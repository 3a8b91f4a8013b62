"""Games with tables, compiled: where a turn may start, what is decided within it, and what ends a round.

The other functions of the kernel know two rows only, and are not asked here, but for what is settled between rounds.
"""

from simulator.engine.compiled import inlined, kernel_function, noinline
from simulator.engine.families.sowing import measures
from simulator.engine.families.sowing import position as code
from simulator.engine.families.sowing.kernel import layout, layouts, turns
from simulator.engine.families.sowing.kernel import rules as rule
from simulator.engine.families.sowing.kernel.laps import END_OF_TURN, ENDLESS_TURN, MOVE_AGAIN
from simulator.engine.families.sowing.kernel.laps_by_tables import (
    AGAIN,
    ASKED,
    CHOICE,
    after_lap,
    fits,
    follow,
    has_hole,
    holds,
    own,
    row_is_empty,
    run_laps,
    sow,
    step,
    taken,
)
from simulator.engine.families.sowing.kernel.layout import HOLES
from simulator.engine.families.sowing.kernel.sowing import gain, note_taken

GOES_ON, LOST, ENDED = range(3)  # what a round does


# Starts


@inlined
def start_move(number, heading):
    move = 2 * number + (heading < 0)
    return move if move < code.PASS else move + code.FIRST_FAR - code.PASS


@kernel_function
def starts(rules, position, out, base):
    """Write the moves that start from a hole of the mover into `out`, from a place on; returns how many."""
    noinline()
    seat, heading = position[code.W_MOVER], position[code.W_DIRECTION]
    free = heading == 0 or rules[rule.R_DIRECTION] == rule.DIRECTION_EACH_TURN
    count = rules[rule.OWN_COUNT + seat]
    feeding = rules[rule.R_MUST_FEED] and row_is_empty(rules, position, 1 - seat)
    must = _must_start(rules, position, seat)
    below = 0 if must else _where_fewer_may_start(rules, position, seat)
    wanted = 0 if must else _wanted(rules, position, seat, below)
    found = 0
    turn = 1 << (2 * min(position[code.W_REMAINDER] >> 1, 15) + seat)
    for number in range(count):
        hole = own(rules, seat, number)
        if must:
            if not rules[rule.KIND + hole] & rule.MUST or not _is_open(rules, position, hole):
                continue
        elif not _may_start(rules, position, seat, hole, below) or not _is_wanted(rules, hole, wanted):
            continue
        ways = rules[rule.KIND + hole] >> rule.WAYS  # 1 anticlockwise, 2 clockwise, 3 both, 0 as usual
        for way in range(2):
            toward = 1 - 2 * way
            if ways:
                if not (ways >> way) & 1:
                    continue
            elif not free and toward != heading:
                if not rules[rule.BACKWARD + hole] or not _captures(rules, position, out, seat, hole, toward):
                    continue
            if feeding and not _feeds(rules, position, seat, hole, toward):
                continue
            out[base + found] = start_move(number, toward)
            found += 1
    if rules[rule.R_MUST_CAPTURE]:
        found = _kept(rules, position, out, base, found, seat, 0)
    if rules[rule.TURNS_COUNTED]:
        found = _kept(rules, position, out, base, found, seat, turn)
    return found


@kernel_function
def _kept(rules, position, out, base, found, seat, turn):
    """Keep the starts that an opening asks for, or of no turn those that capture at once, if there are any."""
    noinline()
    kept = 0
    for i in range(found):
        move = out[base + i]
        start = move if move < code.PASS else move - code.FIRST_FAR + code.PASS
        hole = own(rules, seat, start >> 1)
        if turn:
            keeps = (rules[rule.OPENING + hole] & turn) > 0
        else:
            keeps = _captures(rules, position, out, seat, hole, 1 - 2 * (start & 1))
        if keeps:
            out[base + i] = out[base + kept]
            out[base + kept] = move
            kept += 1
    return kept if kept else found


@inlined
def _is_open(rules, position, hole):
    """Return whether a turn may start from a hole as far as it is a special one, holds any, and bears no mark."""
    held = holds(position, hole)
    if held <= rules[rule.R_LEAVES_ONE] or position[HOLES + rules[rule.AROUND] + hole]:
        return False
    return held >= rules[rule.LEAST + hole] and not rules[rule.KIND + hole] & rule.NEVER


@inlined
def _must_start(rules, position, seat):
    """Return whether some hole must be started from now."""
    for number in range(rules[rule.OWN_COUNT + seat]):
        hole = own(rules, seat, number)
        if rules[rule.KIND + hole] & rule.MUST and _is_open(rules, position, hole):
            return True
    return False


@inlined
def _where_fewer_may_start(rules, position, seat):
    """Return whether holes with fewer than the minimum may be played: 0, or what the rule asks of them."""
    if rules[rule.R_MINIMUM] == 0 or rules[rule.R_BELOW_MINIMUM] == 0:
        return 0
    for number in range(rules[rule.OWN_COUNT + seat]):
        hole = own(rules, seat, number)
        if holds(position, hole) >= rules[rule.R_MINIMUM] and _is_open(rules, position, hole):
            return 0
    return rules[rule.R_BELOW_MINIMUM]


@inlined
def _may_start(rules, position, seat, hole, below):
    if not _is_open(rules, position, hole):
        return False
    if holds(position, hole) >= rules[rule.R_MINIMUM] or below == rule.BELOW_MINIMUM_IF_NO_OTHER:
        return True
    heading = -1 if position[code.W_DIRECTION] < 0 else 1
    return below > 0 and holds(position, step(rules, seat, hole, heading)) == 0


@inlined
def _wanted(rules, position, seat, below):
    """Return which hole or row a turn must start from: 1 + the hole, or -1 - how far the row is from the middle; 0."""
    kind = rules[rule.R_BEGINS_AT]
    if kind == 0:
        return 0
    if kind == rule.BEGINS_AT_AFTER_LAST:
        hole = position[code.W_SHORT_NUMBER] - 1
        if hole < 0:
            return 0
        heading = -1 if position[code.W_DIRECTION] < 0 else 1
        for _ in range(rules[rule.AROUND]):
            hole = step(rules, seat, hole, heading)
            if _is_own(rules, seat, hole) and _may_start(rules, position, seat, hole, below):
                return 1 + hole
        return 0
    best = -1
    for number in range(rules[rule.OWN_COUNT + seat]):
        hole = own(rules, seat, number)
        if _may_start(rules, position, seat, hole, below):
            far = rules[rule.FAR + hole]
            if best < 0 or (far > best if kind == rule.BEGINS_AT_OUTERMOST_ROW else far < best):
                best = far
    return -1 - best


@inlined
def _is_own(rules, seat, hole):
    return (rules[rule.PLAYED_BY + hole] >> seat) & 1


@inlined
def _is_wanted(rules, hole, wanted):
    return wanted == 0 or (wanted == 1 + hole if wanted > 0 else rules[rule.FAR + hole] == -1 - wanted)


@kernel_function
def _feeds(rules, position, seat, hole, heading):
    """Return whether a lap from there reaches a hole of the other player."""
    noinline()
    place = hole
    for _ in range(holds(position, hole) - rules[rule.R_LEAVES_ONE] - rules[rule.R_ORIGIN_FIRST]):
        place = step(rules, seat, place, heading)
        if rules[rule.OWNER + place] == 1 - seat:
            return True
    return False


@kernel_function
def _captures(rules, position, counts, seat, hole, heading):
    """Return whether the first lap from there takes anything: tried on the position, and taken back."""
    noinline()
    around, kept = rules[rule.AROUND], layout.before_lap_at(rules)
    for i in range(around):
        position[kept + i] = position[HOLES + i]
    before = position[code.W_DIRECTION]
    position[code.W_DIRECTION] = heading
    # Nothing is gained, and no traffic counted, while it is sown.
    last, held, low, high = sow(rule.any_rules(rules), position, counts, seat, hole, 0)
    takes = False
    if last >= 0:
        for row in range(rules[rule.ROWS]):
            if fits(rules, position, seat, rule.ROW_AT + rule.COLUMNS * row, last, held):
                some, more = taken(rules, position, seat, rule.ROW_AT + rule.COLUMNS * row, last, low, high)
                takes = (some | more) != 0
                break
    position[code.W_DIRECTION] = before
    for i in range(around):
        position[HOLES + i] = position[kept + i]
    return takes


@kernel_function
def _decide(rules, position, counts, seat, move):
    """Do what was decided within a turn, and go on with it; returns what follows."""
    noinline()
    phase, pending = position[code.W_PHASE], position[code.W_EXCESS] - 1
    position[code.W_PHASE] = code.SOW
    position[code.W_EXCESS] = 0
    if phase == code.PICK:
        hole = move - code.PICKED
        gain(position, counts, seat, holds(position, hole))
        note_taken(rules, counts, seat, hole, holds(position, hole))
        position[HOLES + hole] = 0
        if pending and not row_is_empty(rules, position, 1 - seat):
            position[code.W_PHASE] = code.PICK
            position[code.W_EXCESS] = pending
            return CHOICE
        return END_OF_TURN
    last, number = pending >> 4, pending & 15
    held = holds(position, last) - 1
    if move != code.LEAVE:
        row = rule.ROW_AT + rule.COLUMNS * number
        only = -1 if move == code.TAKE else move - code.PICKED
        start, hand = follow(rules, position, counts, seat, row, last, last, 0, 0, only)
    else:
        start, hand = after_lap(rules, position, counts, seat, last, held, last, number + 1, 0, 0)
    if start >= 0:
        return run_laps(rules, position, counts, seat, start, hand)
    return MOVE_AGAIN if start == AGAIN else CHOICE if start == ASKED else END_OF_TURN


# Turns


@kernel_function
def moves(rules, position, out):
    """Write every legal move of a player who sows or decides within a turn; returns how many."""
    noinline()
    phase = position[code.W_PHASE]
    if phase == code.CHOOSE:
        return _choices(rules, position, out)
    if phase == code.ARRANGE:
        for number in range(rules[rule.OWN_COUNT + position[code.W_MOVER]]):
            out[number] = start_move(number, 1)
        return rules[rule.OWN_COUNT + position[code.W_MOVER]]
    if phase == code.PICK:
        other, found = 1 - position[code.W_MOVER], 0
        for number in range(rules[rule.OWN_COUNT + other]):
            hole = own(rules, other, number)
            if holds(position, hole):
                out[found] = code.PICKED + hole
                found += 1
        return found
    found = starts(rules, position, out, 0)
    if found == 0:
        out[0] = code.PASS
        return 1
    return found


@kernel_function
def _choices(rules, position, out):
    """Write the moves of a player who may take or leave something, or picks one of the holes that he could take."""
    noinline()
    pending, found = position[code.W_EXCESS] - 1, 0
    row = rule.ROW_AT + rule.COLUMNS * (pending & 15)
    if rules[row + rule.AFTER_LAP_COLUMN_ONE] == 0:
        out[0], out[1] = code.TAKE, code.LEAVE
        return 2
    low, high = taken(rules, position, position[code.W_MOVER], row, pending >> 4, 0, 0)
    for hole in range(rules[rule.AROUND]):
        if has_hole(low, high, hole):
            out[found] = code.PICKED + hole
            found += 1
    if rules[row + rule.AFTER_LAP_COLUMN_OPTIONAL]:
        out[found] = code.LEAVE
        found += 1
    return found


@kernel_function
def play_move(rules, position, move, counts):
    """Play a legal move and settle what follows."""
    noinline()
    seat, phase = position[code.W_MOVER], position[code.W_PHASE]
    if phase == code.ARRANGE:
        _arrange(rules, position, counts, seat, move)
        return
    first, second = counts[measures.CAPTURES_0], counts[measures.CAPTURES_1]
    kept = position[layout.kept_flag_at(rules)]
    if phase != code.LAY and phase != code.LAY_RICH and rules[rule.MAY_BE_ENDLESS]:
        layout.keep_before_turn(rules, position)
    if phase == code.CHOOSE or phase == code.PICK:
        follows = _decide(rules, position, counts, seat, move)
    elif move == code.PASS:
        follows = END_OF_TURN
    elif move < code.PICKED and (move < code.PASS or move >= code.FIRST_FAR):
        start = move if move < code.PASS else move - code.FIRST_FAR + code.PASS
        if rules[rule.R_DIRECTION] >= rule.DIRECTION_CHOSEN_ONCE or rules[rule.TURNED] & 1:
            position[code.W_DIRECTION] = -1 if start & 1 else 1
        follows = run_laps(rules, position, counts, seat, own(rules, seat, start >> 1), 0)
    else:
        _lay(rules, position, counts, seat, move)
        return
    if follows == ENDLESS_TURN:
        counts[measures.CAPTURES_0], counts[measures.CAPTURES_1] = first, second
        turns.end_endless(rules, position, counts)
        return
    counts[measures.TAKEN_IN_PASSING] += counts[measures.CAPTURES_1 - seat] - (first if seat else second)
    if follows == CHOICE or (follows == MOVE_AGAIN and round_is(rules, position) == GOES_ON):
        position[layout.kept_flag_at(rules)] = kept
        return
    took = counts[measures.CAPTURES_0] + counts[measures.CAPTURES_1] - first - second
    hand_over(rules, position, counts, seat, took)
    state = ENDED if rules[rule.R_REPETITION_MEMORY] and turns.is_repeated(rules, position, took) else GOES_ON
    if state == GOES_ON:
        state = round_is(rules, position)
    if state == ENDED:
        turns.finish_round(rules, position, counts, seat)
    elif state == LOST:
        _lose(rules, position, counts)


@inlined
def hand_over(rules, position, counts, seat, took):
    turns.hand_over(rules, position, counts, seat, took)
    position[layout.laps_at(rules)] = 0
    position[code.W_REMAINDER] = min(position[code.W_REMAINDER] + 1, rules[rule.TURNS_COUNTED])
    if rules[rule.TURNED] & 1 and rules[rule.R_DIRECTION] < rule.DIRECTION_CHOSEN_ONCE:
        position[code.W_DIRECTION] = 1 if rules[rule.R_DIRECTION] == 0 else -1


@kernel_function
def _arrange(rules, position, counts, seat, move):
    """Lay a counter before the game; with the last one the game begins."""
    noinline()
    position[HOLES + own(rules, seat, (move if move < code.PASS else move - code.FIRST_FAR + code.PASS) >> 1)] += 1
    position[code.W_STORE + seat] -= 1
    position[code.W_MOVER] = 1 - seat
    turns.end_turn(position, counts)
    if position[code.W_STORE] == 0 and position[code.W_STORE + 1] == 0:
        position[code.W_PHASE] = code.SOW
        state = round_is(rules, position)
        if state == ENDED:
            turns.finish_round(rules, position, counts, seat)
        elif state == LOST:
            _lose(rules, position, counts)


@kernel_function
def _lay(rules, position, counts, seat, move):
    """Play a layout, or a draw that is called."""
    noinline()
    if rules[rule.R_EQUAL_ROUND] == rule.EQUAL_ROUND_OPTIONAL and move != code.LAY_OWN_TURN:
        turns.note_offer(rules, position, counts, seat, move)
    if move == code.CALL_DRAW:
        turns.end_game(position, -1)
        turns.end_turn(position, counts)
    elif move == code.LAY_OWN_TURN:
        layouts.lay_full_row(rules, position, seat)
        position[code.W_PHASE] = code.LAY
        position[code.W_MOVER] = 1 - seat
        turns.end_turn(position, counts)
    else:
        layout.keep_before_turn(rules, position)
        layouts.lay_poorer_row(rules, position, seat, move)
        layouts.count_layout(rules, position, counts)
        position[code.W_PHASE] = code.SOW
        if starts(rules, position, position, layout.scratch_at(rules)) == 0:
            hand_over(rules, position, counts, seat, 0)
            if round_is(rules, position) == ENDED:
                turns.finish_round(rules, position, counts, seat)


@kernel_function
def round_is(rules, position):
    """Return whether the round is over before the mover plays, or lost by a rule."""
    noinline()
    first, second = position[code.W_STORE], position[code.W_STORE + 1]
    half = rules[rule.COUNTERS] // 2
    if rules[rule.R_MAJORITY_ENDS] and (max(first, second) > half or min(first, second) == half):
        return ENDED
    if rules[rule.R_IDLE_TURNS] and position[layout.idle_at(rules)] >= rules[rule.R_IDLE_TURNS]:
        return ENDED
    seat = position[code.W_MOVER]
    if rules[rule.R_ENDS] == rule.ENDS_EMPTY_LOSES or rules[rule.R_ROUND_END] == rule.ROUND_END_EITHER_ROW_EMPTY:
        one, other = row_is_empty(rules, position, 0), row_is_empty(rules, position, 1)
        if rules[rule.R_ENDS] == rule.ENDS_EMPTY_LOSES and one != other:
            return LOST
        if rules[rule.R_ROUND_END] == rule.ROUND_END_EITHER_ROW_EMPTY and (one or other):
            return ENDED
    if rules[rule.R_ROUND_END] == rule.ROUND_END_BOARD_EMPTY:
        for hole in range(rules[rule.AROUND]):
            if holds(position, hole) and position[HOLES + rules[rule.AROUND] + hole] == code.ORDINARY:
                return GOES_ON
        return ENDED
    if starts(rules, position, position, layout.scratch_at(rules)):
        return GOES_ON
    if rules[rule.R_ENDS] == rule.ENDS_STUCK_LOSES:
        return LOST
    if row_is_empty(rules, position, seat) or rules[rule.R_STUCK] == 0:
        return ENDED
    position[code.W_MOVER] = 1 - seat
    found = starts(rules, position, position, layout.scratch_at(rules))
    position[code.W_MOVER] = seat
    return GOES_ON if found else ENDED


@kernel_function
def _lose(rules, position, counts):
    """End the game: who has no counters left has lost, or the mover, who cannot move."""
    noinline()
    lost = position[code.W_MOVER]
    if rules[rule.R_ENDS] == rule.ENDS_EMPTY_LOSES:
        lost = 0 if row_is_empty(rules, position, 0) else 1
    owned_0, owned_1 = owned(rules, position, 0), owned(rules, position, 1)
    richer = 0 if owned_0 > owned_1 else 1 if owned_1 > owned_0 else -1
    turns.note_round(counts, 1 - lost, richer, owned_0, owned_1)
    turns.end_game(position, 1 - lost)


@kernel_function
def owned(rules, position, seat):
    """Return what a player owns: his store and his holes."""
    noinline()
    found = position[code.W_STORE + seat]
    for hole in range(rules[rule.AROUND]):
        mark = position[HOLES + rules[rule.AROUND] + hole]
        if (mark - code.TIED if mark >= code.TIED else rules[rule.OWNER + hole]) == seat:
            found += holds(position, hole)
    return found


@kernel_function
def note_beginning(rules, position, counts):
    """Take down who begins with fewer counters."""
    noinline()
    first, second = position[code.W_STORE], position[code.W_STORE + 1]
    for number in range(rules[rule.OWN_COUNT]):
        first += holds(position, own(rules, 0, number))
    for number in range(rules[rule.OWN_COUNT + 1]):
        second += holds(position, own(rules, 1, number))
    turns.note_poorer(counts, 0 if first > second else 1 if second > first else -1, first, second)


@kernel_function
def worth_of_holes(rules, position, seat):
    """Return what a player's holes are worth to him, by weight of what they hold."""
    noinline()
    found = 0
    for number in range(rules[rule.OWN_COUNT + seat]):
        hole = own(rules, seat, number)
        held = holds(position, hole)
        found += rules[rule.ROW] * held
        if position[HOLES + rules[rule.AROUND] + hole] == 0:
            found += rules[rule.HOLES_OF + min(held, code.MANY)]
    return found
