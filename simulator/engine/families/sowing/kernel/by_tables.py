"""Games with tables, compiled: where a turn may start, its laps, and what the first row of `after_lap` that fits does.

The holes of a board stand in tables behind the rules: whose they are, which follows, which lie opposite. A set of holes
is two integers' bits. The other functions of the kernel know two rows only, and are not asked here, but for what is
settled between two rounds.
"""

from simulator.engine.compiled import inlined, kernel_function, noinline
from simulator.engine.families.sowing import measures
from simulator.engine.families.sowing import position as code
from simulator.engine.families.sowing.kernel import layout, layouts, turns
from simulator.engine.families.sowing.kernel import rules as rule
from simulator.engine.families.sowing.kernel.laps import END_OF_TURN, ENDLESS_TURN, MOVE_AGAIN
from simulator.engine.families.sowing.kernel.layout import HOLES
from simulator.engine.families.sowing.kernel.sowing import IN_STORE, NOWHERE, gain

CHOICE = 9  # a decision within the turn is the player's
OVER, AGAIN, ASKED = -1, -2, -3  # in place of the hole that a lap goes on from
GOES_ON, LOST, ENDED = range(3)  # what a round does


@inlined
def step(rules, seat, hole, heading):
    """Return the hole that follows."""
    return rules[(rule.AFTER if heading > 0 else rule.BEFORE) + rule.MOST * seat + hole]


@inlined
def facing(rules, hole, number):
    """Return the hole of that number opposite, the nearest one first; -1 if there is none."""
    return rules[rule.FACING + rule.MOST * number + hole]


@inlined
def holds(position, hole):
    return position[HOLES + hole]


@inlined
def own(rules, seat, number):
    return rules[rule.OWN + rule.MOST_OWN * seat + number]


@inlined
def start_move(number, heading):
    move = 2 * number + (heading < 0)
    return move if move < code.PASS else move + code.FIRST_FAR - code.PASS


@kernel_function
def row_is_empty(rules, position, seat):
    noinline()
    for number in range(rules[rule.OWN_COUNT + seat]):
        if holds(position, own(rules, seat, number)):
            return False
    return True


# Starts


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
    found = scripted = 0
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
                if not rules[rule.BACKWARD + hole] or not _captures_at_once(rules, position, out, seat, hole, toward):
                    continue
            if feeding and not _feeds(rules, position, seat, hole, toward):
                continue
            out[base + found] = start_move(number, toward)
            found += 1
            scripted += (rules[rule.OPENING + hole] & turn) > 0
    if scripted == 0:
        return found
    kept = 0
    for i in range(found):
        move = out[base + i]
        number = (move if move < code.PASS else move - code.FIRST_FAR + code.PASS) >> 1
        if rules[rule.OPENING + own(rules, seat, number)] & turn:
            out[base + kept] = move
            kept += 1
    return kept


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
def _captures_at_once(rules, position, counts, seat, hole, heading):
    """Return whether the first lap from there takes anything: tried on the position, and taken back."""
    noinline()
    around, kept = rules[rule.AROUND], layout.before_lap_at(rules)
    for i in range(around):
        position[kept + i] = position[HOLES + i]
    before = position[code.W_DIRECTION]
    position[code.W_DIRECTION] = heading
    last, held, low, high = sow(rules, position, counts, seat, hole, 0)  # nothing is gained while it is sown
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


# A lap


@kernel_function
def sow(rules, position, counts, seat, start, hand):
    """Sow one lap, of what a hole holds or of a hand; returns (place of the last counter, what its hole held before,
    and the holes sown into, as bits: below 64, and the others)."""
    noinline()
    around = rules[rule.AROUND]
    heading = position[code.W_DIRECTION]
    into_its_own = rules[rule.R_ORIGIN_FIRST] > 0 and hand == 0
    if hand == 0:
        hand = holds(position, start) - rules[rule.R_LEAVES_ONE]
        position[HOLES + start] -= hand
    store_after = -1
    if rules[rule.R_STORE_SOWN]:
        store_after = own(rules, seat, rules[rule.OWN_COUNT + seat] - 1 if heading > 0 else 0)
    low = high = 0
    place, passed = start, 0
    while True:
        if place == store_after and not into_its_own:
            gain(position, counts, seat, 1)
            hand -= 1
            if hand == 0:
                return IN_STORE, 0, low, high
        if not into_its_own:
            place = step(rules, seat, place, heading)
        is_closed = position[HOLES + around + place] == code.BLIND
        if rules[rule.KIND + place] & rule.BY_OWNER:
            is_closed = rules[rule.OWNER + place] != seat
        if is_closed or (place == start and rules[rule.R_ORIGIN_PASSED] and not into_its_own):
            passed += 1
            if passed >= around:
                if rules[rule.R_PASS_OVER_FULL] == 0:
                    return NOWHERE, 0, low, high
                place, passed, hand = start, 0, hand - 1
                position[HOLES + start] += 1
                low, high = with_hole(low, high, start)
                if hand == 0:
                    return start, holds(position, start) - 1, low, high
        else:
            passed, hand = 0, hand - 1
            held = holds(position, place)
            position[HOLES + place] = held + 1
            low, high = with_hole(low, high, place)
            if rules[rule.PASSINGS]:
                _take_while_sowing(rules, position, counts, seat, place, hand == 0)
            if hand == 0:
                return place, held, low, high
        into_its_own = False


@inlined
def with_hole(low, high, hole):
    return (low | 1 << hole, high) if hole < 64 else (low, high | 1 << (hole - 64))


@kernel_function
def _take_while_sowing(rules, position, counts, seat, hole, is_last):
    noinline()
    held, owner = holds(position, hole), rules[rule.OWNER + hole]
    if rules[rule.KIND + hole] & rule.KEPT:
        return
    for row in range(rules[rule.PASSINGS]):
        at = rule.PASSING_AT + rule.PASSING_COLUMNS * row
        where = rules[at + rule.WHILE_SOWING_COLUMN_IN]
        if where == rule.WHILE_SOWING_ROW_IN_OWN and owner != seat:
            continue
        if where == rule.WHILE_SOWING_ROW_IN_OPPOSING and owner != 1 - seat:
            continue
        if is_last and not rules[at + rule.WHILE_SOWING_COLUMN_LAST]:
            continue
        if (rules[at + rule.WHILE_SOWING_COLUMN_NUMBERS] >> held) & 1 and held < 63:
            by_sower = rules[at + rule.WHILE_SOWING_COLUMN_TO] == rule.WHILE_SOWING_ROW_TO_SOWER or owner < 0
            gain(position, counts, seat if by_sower else owner, held)
            position[HOLES + hole] = 0
            return


# After a lap


@kernel_function
def fits(rules, position, seat, row, last, held):
    """Return whether a row of `after_lap` is about such a last counter; held: what its hole held before it."""
    noinline()
    how, count = rules[row + rule.AFTER_LAP_COLUMN_LAST], holds(position, last)
    if how == rule.AFTER_LAP_ROW_LAST_MAKES:
        if count != held + 1 or count > 62 or not (rules[row + rule.AFTER_LAP_COLUMN_NUMBERS] >> count) & 1:
            return False
    elif how == rule.AFTER_LAP_ROW_LAST_EMPTY:
        if held != 0:
            return False
    elif how == rule.AFTER_LAP_ROW_LAST_OCCUPIED:
        if held == 0:
            return False
    elif how and (count & 1) != (how == rule.AFTER_LAP_ROW_LAST_ODD):
        return False
    return is_in(rules, position, seat, row, last) and _holds_elsewhere(rules, position, seat, row, last)


@kernel_function
def is_in(rules, position, seat, row, hole):
    """Return whether a hole is where a row says."""
    noinline()
    where, owner = rules[row + rule.AFTER_LAP_COLUMN_IN], rules[rule.OWNER + hole]
    if where == 0:
        return True
    if where == rule.AFTER_LAP_ROW_IN_OWN:
        return owner == seat
    if where == rule.AFTER_LAP_ROW_IN_OPPOSING:
        return owner == 1 - seat
    if where == rule.AFTER_LAP_ROW_IN_INNER:
        return owner == seat and rules[rule.FAR + hole] < 2
    if where == rule.AFTER_LAP_ROW_IN_OUTER:
        return owner == seat and rules[rule.FAR + hole] > 1
    if where == rule.AFTER_LAP_ROW_IN_END:
        return rules[rule.IS_END + hole] > 0
    if where == rule.AFTER_LAP_ROW_IN_NOBODYS:
        return owner < 0
    last_of_own = own(rules, seat, rules[rule.OWN_COUNT + seat] - 1 if position[code.W_DIRECTION] > 0 else 0)
    return owner == 1 - seat or hole == last_of_own


@inlined
def _holds_elsewhere(rules, position, seat, row, last):
    wanted = rules[row + rule.AFTER_LAP_COLUMN_IF]
    if wanted == 0:
        return True
    if wanted >= rule.AFTER_LAP_ROW_IF_NEXT_HOLDS:
        following = holds(position, step(rules, seat, last, position[code.W_DIRECTION]))
        return (following > 0) == (wanted == rule.AFTER_LAP_ROW_IF_NEXT_HOLDS)
    near = facing(rules, last, 0)
    if near < 0:
        return False
    if wanted == rule.AFTER_LAP_ROW_IF_BOTH_OPPOSITE_HOLD:
        far = facing(rules, last, 1)
        return far >= 0 and holds(position, near) > 0 and holds(position, far) > 0
    return (holds(position, near) > 0) == (wanted == rule.AFTER_LAP_ROW_IF_OPPOSITE_HOLDS)


@inlined
def _is_such(rules, position, seat, row, hole):
    """Return whether a hole is like those that a row takes beside the last one."""
    count, how = holds(position, hole), rules[row + rule.AFTER_LAP_COLUMN_LAST]
    numbers = rules[row + rule.AFTER_LAP_COLUMN_NUMBERS]
    if count == 0 or (numbers and (count > 62 or not (numbers >> count) & 1)):
        return False
    if how >= rule.AFTER_LAP_ROW_LAST_ODD and (count & 1) != (how == rule.AFTER_LAP_ROW_LAST_ODD):
        return False
    return is_in(rules, position, seat, row, hole)


@kernel_function
def _with_run(rules, position, seat, row, last, heading, low, high):
    noinline()
    hole = step(rules, seat, last, heading)
    while hole != last and _is_such(rules, position, seat, row, hole):
        low, high = with_hole(low, high, hole)
        hole = step(rules, seat, hole, heading)
    return low, high


@inlined
def _with(position, low, high, hole):
    """Return a set of holes with one more, if it is one and holds counters."""
    return with_hole(low, high, hole) if hole >= 0 and holds(position, hole) else (low, high)


@kernel_function
def taken(rules, position, seat, row, last, sown_low, sown_high):
    """Return the holes that a row takes, as bits: below 64, and the others."""
    noinline()
    take, heading = rules[row + rule.AFTER_LAP_COLUMN_TAKE], position[code.W_DIRECTION]
    low = high = 0
    if take == 0:
        return low, high
    following, before = step(rules, seat, last, heading), step(rules, seat, last, -heading)
    if take & (1 << rule.AFTER_LAP_ROW_TAKE_LAST | 1 << rule.AFTER_LAP_ROW_TAKE_LAST_COUNTER):
        low, high = _with(position, low, high, last)
    if take & 1 << rule.AFTER_LAP_ROW_TAKE_OPPOSITE:
        low, high = _with(position, low, high, facing(rules, last, 0))
    if take & 1 << rule.AFTER_LAP_ROW_TAKE_OPPOSITE_OUTER:
        low, high = _with(position, low, high, facing(rules, last, 1))
    if take & 1 << rule.AFTER_LAP_ROW_TAKE_OPPOSITE_NEAREST:
        for number in range(rule.MOST_FACING):
            hole = facing(rules, last, number)
            if hole >= 0 and holds(position, hole):
                low, high = with_hole(low, high, hole)
                break
    if take & 1 << rule.AFTER_LAP_ROW_TAKE_NEXT:
        low, high = _with(position, low, high, following)
    if take & 1 << rule.AFTER_LAP_ROW_TAKE_BEYOND:
        low, high = _with(position, low, high, step(rules, seat, following, heading))
    if take & 1 << rule.AFTER_LAP_ROW_TAKE_OPPOSITE_NEXT:
        low, high = _with(position, low, high, facing(rules, following, 0))
    if take & 1 << rule.AFTER_LAP_ROW_TAKE_BEFORE:
        low, high = _with(position, low, high, before)
    if take & 1 << rule.AFTER_LAP_ROW_TAKE_RUN_BACK:
        low, high = _with_run(rules, position, seat, row, last, -heading, low, high)
    if take & 1 << rule.AFTER_LAP_ROW_TAKE_RUN_ON:
        low, high = _with_run(rules, position, seat, row, last, heading, low, high)
    if take & 1 << rule.AFTER_LAP_ROW_TAKE_BESIDE:
        for hole in (following, before):
            if hole != last and rules[rule.ROW_OF + hole] == rules[rule.ROW_OF + last]:
                if _is_such(rules, position, seat, row, hole):
                    low, high = with_hole(low, high, hole)
    everywhere = take & 1 << rule.AFTER_LAP_ROW_TAKE_EVERYWHERE
    if everywhere or take & 1 << rule.AFTER_LAP_ROW_TAKE_SOWN_INTO:
        for hole in range(rules[rule.AROUND]):
            if everywhere or has_hole(sown_low, sown_high, hole):
                if _is_such(rules, position, seat, row, hole):
                    low, high = with_hole(low, high, hole)
    if rules[rule.TURNED] & 2:  # some holes are never captured
        for hole in range(rules[rule.AROUND]):
            if has_hole(low, high, hole) and rules[rule.KIND + hole] & rule.KEPT:
                low, high = (low & ~(1 << hole), high) if hole < 64 else (low, high & ~(1 << (hole - 64)))
    return low, high


@inlined
def has_hole(low, high, hole):
    return (low >> hole) & 1 if hole < 64 else (high >> (hole - 64)) & 1


@kernel_function
def after_lap(rules, position, counts, seat, last, held, start, first_row, low, high):
    """Do what the first row that fits says; returns (where the lap goes on or what follows, what is in hand)."""
    noinline()
    for number in range(first_row, rules[rule.ROWS]):
        row = rule.ROW_AT + rule.COLUMNS * number
        if not fits(rules, position, seat, row, last, held):
            continue
        if rules[row + rule.AFTER_LAP_COLUMN_OPTIONAL]:
            if holds(position, last) != held + 1:
                continue
            some, more = taken(rules, position, seat, row, last, low, high)
            if some | more:
                position[code.W_PHASE] = code.CHOOSE
                position[code.W_EXCESS] = 1 + 16 * last + number
                return ASKED, 0
        return follow(rules, position, counts, seat, row, last, start, low, high)
    return OVER, 0


@kernel_function
def follow(rules, position, counts, seat, row, last, start, low, high):
    """Take what a row takes; returns what `after_lap` does."""
    noinline()
    some, more = taken(rules, position, seat, row, last, low, high)
    then = rules[row + rule.AFTER_LAP_COLUMN_THEN]
    goes_on = then >= rule.AFTER_LAP_ROW_THEN_SOW_TAKEN_AFTER_LAST
    one_of_last = (rules[row + rule.AFTER_LAP_COLUMN_TAKE] >> rule.AFTER_LAP_ROW_TAKE_LAST_COUNTER) & 1
    hand = 0
    if some | more:
        for hole in range(rules[rule.AROUND]):
            if not has_hole(some, more, hole):
                continue
            number = 1 if one_of_last and hole == last else holds(position, hole)
            position[HOLES + hole] -= number
            if goes_on:
                hand += number
            else:
                owner = rules[rule.OWNER + hole]
                of_owner = rules[row + rule.AFTER_LAP_COLUMN_TO] and owner >= 0
                gain(position, counts, owner if of_owner else seat, number)
        extra = rules[row + rule.AFTER_LAP_COLUMN_EXTRA]
        if extra and not row_is_empty(rules, position, 1 - seat):
            position[code.W_PHASE] = code.PICK
            position[code.W_EXCESS] = extra
            return ASKED, 0
    if then == rule.AFTER_LAP_ROW_THEN_AGAIN:
        return AGAIN, 0
    if goes_on:
        if hand == 0:
            return OVER, 0
        if then == rule.AFTER_LAP_ROW_THEN_SOW_TAKEN_WITH_LAST:
            hand += holds(position, last)
            position[HOLES + last] = 0
        return (start if then == rule.AFTER_LAP_ROW_THEN_SOW_TAKEN_FROM_START else last), hand
    hole = -1
    if then == rule.AFTER_LAP_ROW_THEN_ON_FROM_LAST:
        hole = last
    elif then == rule.AFTER_LAP_ROW_THEN_ON_FROM_NEXT:
        hole = step(rules, seat, last, position[code.W_DIRECTION])
    elif then == rule.AFTER_LAP_ROW_THEN_ON_FROM_OPPOSITE:
        hole = facing(rules, last, 0)
    if hole >= 0 and holds(position, hole) > rules[rule.R_LEAVES_ONE]:
        return hole, 0
    return OVER, 0


@kernel_function
def run_laps(rules, position, counts, seat, start, hand):
    """Sow from a hole until the turn ends, or the player has to decide; returns what follows."""
    noinline()
    laps, before = 0, position[layout.laps_at(rules)]
    while start >= 0:
        laps += 1
        if laps + before > rules[rule.R_LAP_LIMIT]:
            return ENDLESS_TURN
        last, held, low, high = sow(rules, position, counts, seat, start, hand)
        if last == NOWHERE:
            return ENDLESS_TURN
        if last == IN_STORE:
            start = AGAIN if rules[rule.R_STORE_AGAIN] else OVER
            break
        if rules[rule.R_BEGINS_AT] == rule.BEGINS_AT_AFTER_LAST:
            position[code.W_SHORT_NUMBER] = 1 + last
        start, hand = after_lap(rules, position, counts, seat, last, held, start, 0, low, high)
    counts[measures.LAPS] += laps
    position[layout.laps_at(rules)] = before + laps
    return MOVE_AGAIN if start == AGAIN else CHOICE if start == ASKED else END_OF_TURN


@kernel_function
def _decide(rules, position, counts, seat, move):
    """Do what was decided within a turn, and go on with it; returns what follows."""
    noinline()
    position[code.W_PHASE] = code.SOW
    pending = position[code.W_EXCESS] - 1
    position[code.W_EXCESS] = 0
    if move >= code.PICKED:
        hole = move - code.PICKED
        gain(position, counts, seat, holds(position, hole))
        position[HOLES + hole] = 0
        if pending and not row_is_empty(rules, position, 1 - seat):
            position[code.W_PHASE] = code.PICK
            position[code.W_EXCESS] = pending
            return CHOICE
        return END_OF_TURN
    last, number = pending >> 4, pending & 15
    held = holds(position, last) - 1
    if move == code.TAKE:
        row = rule.ROW_AT + rule.COLUMNS * number
        start, hand = follow(rules, position, counts, seat, row, last, last, 0, 0)
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
        out[0], out[1] = code.TAKE, code.LEAVE
        return 2
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
def play_move(rules, position, move, counts):
    """Play a legal move and settle what follows."""
    noinline()
    seat, phase = position[code.W_MOVER], position[code.W_PHASE]
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
            if holds(position, hole):
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
        if rules[rule.OWNER + hole] == seat:
            found += holds(position, hole)
    return found


@kernel_function
def note_beginning(rules, position, counts):
    """Take down who begins with fewer counters."""
    noinline()
    first = second = 0
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
