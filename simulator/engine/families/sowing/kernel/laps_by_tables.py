"""A lap of a game with tables and what follows it, compiled: what the first row of `after_lap` that fits does.

The holes of a board stand in tables behind the rules: whose they are, which follows, which lie opposite. A set of holes
is two integers' bits.
"""

from simulator.engine.compiled import inlined, kernel_function, noinline
from simulator.engine.families.sowing import measures
from simulator.engine.families.sowing import position as code
from simulator.engine.families.sowing.kernel import layout
from simulator.engine.families.sowing.kernel import rules as rule
from simulator.engine.families.sowing.kernel.laps import END_OF_TURN, ENDLESS_TURN, MOVE_AGAIN
from simulator.engine.families.sowing.kernel.layout import HOLES
from simulator.engine.families.sowing.kernel.sowing import (
    IN_STORE,
    NOWHERE,
    gain,
    note_dropped,
    note_lap,
    note_last,
    note_taken,
)

# What takes of the last hole, and what takes but one or two of its counters.
LAST = (
    1 << rule.AFTER_LAP_ROW_TAKE_LAST
    | 1 << rule.AFTER_LAP_ROW_TAKE_LAST_COUNTER
    | 1 << rule.AFTER_LAP_ROW_TAKE_LAST_TWO
)
CHOICE = 9  # a decision within the turn is the player's
OVER, AGAIN, ASKED = -1, -2, -3  # in place of the hole that a lap goes on from


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


@kernel_function
def row_is_empty(rules, position, seat):
    noinline()
    for number in range(rules[rule.OWN_COUNT + seat]):
        if holds(position, own(rules, seat, number)):
            return False
    return True


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
                note_dropped(rules, counts, seat, start, 1)
                low, high = with_hole(low, high, start)
                if hand == 0:
                    if rules[rule.TRAFFIC]:
                        note_last(rules, counts, seat, start)
                    return start, holds(position, start) - 1, low, high
        else:
            passed, hand = 0, hand - 1
            held = holds(position, place)
            position[HOLES + place] = held + 1
            note_dropped(rules, counts, seat, place, 1)
            low, high = with_hole(low, high, place)
            if rules[rule.PASSINGS]:
                _take_while_sowing(rules, position, counts, seat, place, hand == 0)
            if hand == 0:
                if rules[rule.TRAFFIC]:
                    note_last(rules, counts, seat, place)
                return place, held, low, high
        into_its_own = False


@inlined
def with_hole(low, high, hole):
    return (low | 1 << hole, high) if hole < 64 else (low, high | 1 << (hole - 64))


@kernel_function
def _take_while_sowing(rules, position, counts, seat, hole, is_last):
    noinline()
    held, owner = holds(position, hole), rules[rule.OWNER + hole]
    if rules[rule.KIND + hole] & rule.KEPT or is_won(rules, position, hole):
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
            taker = seat if by_sower else owner
            gain(position, counts, taker, held)
            note_taken(rules, counts, taker, hole, held)
            position[HOLES + hole] = 0
            return


# After a lap


@inlined
def is_won(rules, position, hole):
    return position[HOLES + rules[rule.AROUND] + hole] >= code.TIED


@kernel_function
def fits(rules, position, seat, row, last, held):
    """Return whether a row of `after_lap` is about such a last counter; held: what its hole held before it."""
    noinline()
    how, count = rules[row + rule.AFTER_LAP_COLUMN_LAST], holds(position, last)
    if is_won(rules, position, last) and rules[row + rule.AFTER_LAP_COLUMN_IN] < rule.AFTER_LAP_ROW_IN_WON:
        return False
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
    if where >= rule.AFTER_LAP_ROW_IN_WON:
        winner = seat if where == rule.AFTER_LAP_ROW_IN_WON else 1 - seat
        return position[HOLES + rules[rule.AROUND] + hole] == code.TIED + winner
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
    if count == 0 or is_won(rules, position, hole) or (numbers and (count > 62 or not (numbers >> count) & 1)):
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
    if take & LAST:
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
    if take & 1 << rule.AFTER_LAP_ROW_TAKE_OPPOSITE_BEYOND:
        low, high = _with(position, low, high, facing(rules, step(rules, seat, following, heading), 0))
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
    if rules[rule.TURNED] & 6:  # some holes are never captured, or won
        for hole in range(rules[rule.AROUND]):
            kept = rules[rule.KIND + hole] & rule.KEPT or (hole != last and is_won(rules, position, hole))
            if has_hole(low, high, hole) and kept:
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
        optional = rules[row + rule.AFTER_LAP_COLUMN_OPTIONAL]
        if optional or rules[row + rule.AFTER_LAP_COLUMN_ONE]:
            if holds(position, last) != held + 1:
                continue
            some, more = taken(rules, position, seat, row, last, low, high)
            several = (some != 0 and more != 0) or some & (some - 1) != 0 or more & (more - 1) != 0
            if (some | more) != 0 if optional else several:
                position[code.W_PHASE] = code.CHOOSE
                position[code.W_EXCESS] = 1 + 16 * last + number
                return ASKED, 0
        return follow(rules, position, counts, seat, row, last, start, low, high, -1)
    return OVER, 0


@kernel_function
def follow(rules, position, counts, seat, row, last, start, low, high, only):
    """Take what a row takes, or the one hole that was chosen of it; returns what `after_lap` does."""
    noinline()
    some, more = taken(rules, position, seat, row, last, low, high)
    if only >= 0:
        some, more = with_hole(0, 0, only)
    then = rules[row + rule.AFTER_LAP_COLUMN_THEN]
    goes_on = then >= rule.AFTER_LAP_ROW_THEN_SOW_TAKEN_AFTER_LAST
    take, most_of_last = rules[row + rule.AFTER_LAP_COLUMN_TAKE], rules[rule.COUNTERS]
    if take & (1 << rule.AFTER_LAP_ROW_TAKE_LAST_COUNTER | 1 << rule.AFTER_LAP_ROW_TAKE_LAST_TWO):
        most_of_last = 1 if take & 1 << rule.AFTER_LAP_ROW_TAKE_LAST_COUNTER else 2
    hand = 0
    if some | more:
        for hole in range(rules[rule.AROUND]):
            if not has_hole(some, more, hole):
                continue
            number = min(most_of_last, holds(position, hole)) if hole == last else holds(position, hole)
            position[HOLES + hole] -= number
            if goes_on:
                hand += number
            else:
                owner = rules[rule.OWNER + hole]
                taker = owner if rules[row + rule.AFTER_LAP_COLUMN_TO] and owner >= 0 else seat
                gain(position, counts, taker, number)
                note_taken(rules, counts, taker, hole, number)
    wins = rules[row + rule.AFTER_LAP_COLUMN_WINS]
    if wins & 1 << rule.AFTER_LAP_ROW_WINS_LAST:
        _win(rules, position, seat, last)
    if wins & 1 << rule.AFTER_LAP_ROW_WINS_OPPOSITE and facing(rules, last, 0) >= 0:
        _win(rules, position, seat, facing(rules, last, 0))
    if some | more:
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
    if hole >= 0 and holds(position, hole) > rules[rule.R_LEAVES_ONE] and not is_won(rules, position, hole):
        return hole, 0
    return OVER, 0


@inlined
def _win(rules, position, seat, hole):
    mark = HOLES + rules[rule.AROUND] + hole
    if position[mark] == code.ORDINARY:
        position[mark] = code.TIED + seat


@kernel_function
def run_laps(rules, position, counts, seat, start, hand):
    """Sow from a hole until the turn ends, or the player has to decide; returns what follows."""
    noinline()
    laps, before = 0, position[layout.laps_at(rules)]
    while start >= 0:
        laps += 1
        if laps + before > rules[rule.R_LAP_LIMIT]:
            return ENDLESS_TURN
        if rules[rule.TRAFFIC] and hand == 0:
            note_lap(rules, counts, seat, start)
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
