"""One lap of sowing and the captures after it, compiled.

`sow_at_once` looks a lap up, where rules are plain. Else it goes hole by hole until the hand is empty: most laps know
of blind holes, one number that is passed over and the sower's store; `sow` does no more than these, because a game is
little else. `sow_closely` knows every rule. The captures are the fast counterpart of those in the referee's `captures`.
"""

from simulator.engine.bits import add_16_bytes, which_equal
from simulator.engine.compiled import inlined, kernel_function, noinline
from simulator.engine.families.sowing import measures
from simulator.engine.families.sowing import position as code
from simulator.engine.families.sowing.kernel import rules as rule
from simulator.engine.families.sowing.kernel.layout import HOLES, before_lap_at, is_barred

# Where a last counter may be, other than in a hole.
IN_STORE, NOWHERE = -1, -2


@inlined
def gain(position, counts, seat, counters):
    position[code.W_STORE + seat] += counters
    counts[measures.CAPTURES_0 + seat] += counters


# Behind the counts of a game whose traffic is counted: for each seat what has fallen into each hole, the laps begun
# from it, what was taken there, and whether the last lap ended there; then where a lap ended.
BEGUN, TAKEN, LAST, OF_A_SEAT = range(1, 5)


@inlined
def dropped_at(rules, seat):
    return measures.COUNTS + OF_A_SEAT * seat * rules[rule.AROUND]


@inlined
def last_at(rules):
    return dropped_at(rules, 2)


@inlined
def note_lap(rules, counts, seat, start):
    counts[dropped_at(rules, seat) + BEGUN * rules[rule.AROUND] + start] += 1


@inlined
def note_dropped(rules, counts, seat, hole, counters):
    if rules[rule.TRAFFIC]:
        counts[dropped_at(rules, seat) + hole] += counters


@inlined
def note_last(rules, counts, seat, hole):
    """Note that a lap ended in a hole: the cell of it, and 1."""
    counts[last_at(rules)] = 1 + (OF_A_SEAT * seat + LAST) * rules[rule.AROUND] + hole


@inlined
def note_taken(rules, counts, seat, hole, counters):
    if rules[rule.TRAFFIC]:
        counts[dropped_at(rules, seat) + TAKEN * rules[rule.AROUND] + hole] += counters


@inlined
def en_passant_number(rules, position, seat):
    """Return the size of the groups the waiting player takes while `seat` sows; 0 for none."""
    return group_size(rules, position, seat) if rules[rule.R_EN_PASSANT_WHEN] == 0 else 0


@inlined
def pass_numbers(rules, position, seat):
    """Return the counts of holes that are passed over: (one of them or -1 for none, all of them as bits)."""
    usual = rules[rule.R_PASS_OVER]
    if rules[rule.R_SHORT_HANDED] and position[code.W_SHORT] == 1 + seat:
        number = position[code.W_SHORT_NUMBER]
        # 6 is the bits of 1 and 2, the two private numbers that there are.
        numbers = 6 if rules[rule.R_SHORT_HANDED_PASSES_BOTH] else 1 << number
        if usual and rules[rule.R_SHORT_HANDED_PASSES_USUAL]:
            numbers |= 1 << usual
        return number, numbers
    if usual:
        return usual, 1 << usual
    return -1, 0


@inlined
def needs_care(rules, numbers, group):
    """Return whether a lap may meet a rule that only `sow_closely` knows."""
    # More than one bit set: `sow` compares with a single number only.
    several = numbers & (numbers - 1) > 0
    return rules[rule.R_PALM] > 0 or group > 0 or several or (numbers > 0 and rules[rule.R_PASS_OVER_NEVER_MARKED] > 0)


@inlined
def blind_holes(rules, position):
    """Return the blind holes of the board, as bits."""
    if rules[rule.HAS_MARKS] == 0:
        return 0
    return holes_that_are(position, HOLES + 2 * rules[rule.R_HOLES_PER_ROW], code.BLIND)


@inlined
def holes_that_are(position, first, number):
    """Return as bit k whether the word k after `first` is that number. The bits beyond the board mean nothing."""
    return which_equal(position, first, number) | which_equal(position, first + 16, number) << 16


@inlined
def store_place(rules, position, seat):
    """Return the hole after which the sower's store comes; -1 if nothing is sown there."""
    if rules[rule.R_STORE_SOWN] == 0:
        return -1
    return seat * rules[rule.R_HOLES_PER_ROW] + (
        rules[rule.R_HOLES_PER_ROW] - 1 if position[code.W_DIRECTION] > 0 else 0
    )


@inlined
def following(place, step, around):
    """Return the next place; `step` is 1, or one less than all the way round."""
    # All numbers stay below twice the way round, so that one subtraction does instead of a division.
    place += step
    return place - (around if place >= around else 0)


@inlined
def sow_at_once(rules, position, counts, seat, start):
    """Sow one lap under plain rules, by the table of laps; returns (place of the last counter, what its hole held)."""
    turned = 2 * rules[rule.R_HOLES_PER_ROW] if position[code.W_DIRECTION] < 0 else 0
    # The table is indexed [direction, hole, hand]; clockwise entries stand behind all anticlockwise ones.
    entry = rule.TABLE + rule.ENTRY * (rules[rule.HANDS] * (turned + start) + position[HOLES + start])
    if rules[rule.TRAFFIC]:  # the hole that is emptied gets back what the table takes out of it
        note_dropped(rules, counts, seat, start, position[HOLES + start])
        add_16_bytes(counts, dropped_at(rules, seat), rules, entry)
    add_16_bytes(position, HOLES, rules, entry)
    if rules[rule.R_STORE_SOWN]:
        gain(position, counts, seat, rules[entry + rule.ENTRY_STORE])
    last = rules[entry + rule.ENTRY_LAST]
    return last, position[HOLES + last] - 1


@inlined
def sow(rules, position, counts, seat, start, passed_over, closed):
    """Sow one lap; returns (place of the last counter, what its hole held before).

    What a hole holds is as good as chance, so no branch depends on it: a hole passed over is sown with no counter.
    """
    around = 2 * rules[rule.R_HOLES_PER_ROW]
    step = 1 if position[code.W_DIRECTION] > 0 else around - 1
    store_after = store_place(rules, position, seat)
    if rules[rule.R_ORIGIN_PASSED]:
        closed |= 1 << start
    # `closed` holes are never sown. `shut` holes are passed over while more than one counter is in the hand: the last
    # one may fall into a hole that its number would otherwise have passed over.
    shut = closed
    if rules[rule.R_PASS_OVER_JUDGED] and passed_over >= 0:
        shut |= holes_that_are(position, HOLES, passed_over)  # judged once, before the lap: then none matches later
        passed_over = -1
    hand = position[HOLES + start]
    position[HOLES + start] = 0
    place = start
    passed = 0
    if place == store_after:
        gain(position, counts, seat, 1)
        hand -= 1
        if hand == 0:
            return IN_STORE, 0
    while hand > 1:
        place = following(place, step, around)
        count = position[HOLES + place]
        # passed_over is -1 where no number is, and equals no count.
        sown = 1 - ((count == passed_over) | ((shut >> place) & 1))
        position[HOLES + place] = count + sown
        note_dropped(rules, counts, seat, place, sown)
        hand -= sown
        passed = 0 if sown else passed + 1
        if passed == around:  # all the way round and nothing sown: without a rule for it, the lap would never end
            if rules[rule.R_PASS_OVER_FULL] == 0:
                return NOWHERE, 0
            place = start
            passed = 0
            position[HOLES + start] += 1
            note_dropped(rules, counts, seat, start, 1)
            hand -= 1
        if place == store_after:
            gain(position, counts, seat, 1)
            hand -= 1
            if hand == 0:
                return IN_STORE, 0
    # The last counter: it passes over closed holes only.
    for _ in range(around - passed):
        place = following(place, step, around)
        if (closed >> place) & 1 == 0:
            count = position[HOLES + place]
            position[HOLES + place] = count + 1
            note_dropped(rules, counts, seat, place, 1)
            return place, count
        if place == store_after:
            gain(position, counts, seat, 1)
            return IN_STORE, 0
    if rules[rule.R_PASS_OVER_FULL] == 0:
        return NOWHERE, 0
    position[HOLES + start] += 1
    note_dropped(rules, counts, seat, start, 1)
    return start, position[HOLES + start] - 1


@kernel_function
def sow_closely(rules, position, counts, seat, start, passing, group):
    """Sow one lap under every rule there is; returns (place of the last counter, what its hole held before).

    passing: the counts of holes that are passed over, as bits
    """
    noinline()
    around = 2 * rules[rule.R_HOLES_PER_ROW]
    marks = HOLES + around
    heading = position[code.W_DIRECTION]
    # Where to read what holes hold when it is decided whether they are passed over: now, or before the lap.
    judged = HOLES
    if rules[rule.R_PASS_OVER_JUDGED] and passing:
        judged = before_lap_at(rules)
        for i in range(around):
            position[judged + i] = position[HOLES + i]
    store_after = store_place(rules, position, seat)
    closed_start = start if rules[rule.R_ORIGIN_PASSED] else -1
    hand = position[HOLES + start]
    position[HOLES + start] = 0
    place = start
    passed = 0
    while True:
        if place == store_after:
            gain(position, counts, seat, 1)
            hand -= 1
            if hand == 0:
                return IN_STORE, 0
        place += heading
        if place == around:
            place = 0
        elif place < 0:
            place = around - 1
        mark = position[marks + place]
        count = position[judged + place]
        # A hole is skipped, or covered by the sower (a counter goes to his store), or passed over by its number, or
        # sown.
        if mark == code.BLIND or mark == code.PALM + 1 - seat or place == closed_start:
            passed += 1
        elif mark == code.PALM + seat:
            if rules[rule.R_PALM] == rule.PALM_FROM_HAND:
                gain(position, counts, seat, 1)
                hand -= 1
                passed = 0
                if hand == 0:
                    return place, position[HOLES + place] - 1
            else:
                if position[HOLES + place]:
                    position[HOLES + place] -= 1
                    gain(position, counts, seat, 1)
                passed += 1
        elif hand > 1 and count < 16 and (passing >> count) & 1 and not (mark and rules[rule.R_PASS_OVER_NEVER_MARKED]):
            passed += 1
        else:
            held = position[HOLES + place]
            position[HOLES + place] = held + 1
            note_dropped(rules, counts, seat, place, 1)
            hand -= 1
            passed = 0
            if group and mark == 0 and held + 1 == group:  # the waiting player takes the group at once
                position[HOLES + place] = 0
                gain(position, counts, 1 - seat, group)
                note_taken(rules, counts, 1 - seat, place, group)
            if hand == 0:
                if rules[rule.TRAFFIC]:
                    note_last(rules, counts, seat, place)
                return place, held
        if passed >= around:
            if rules[rule.R_PASS_OVER_FULL] == 0:
                return NOWHERE, 0
            position[HOLES + start] += 1
            note_dropped(rules, counts, seat, start, 1)
            hand -= 1
            place = start
            passed = 0
            if hand == 0:
                if rules[rule.TRAFFIC]:
                    note_last(rules, counts, seat, place)
                return place, position[HOLES + place] - 1


MOST_COUNTERS = 1024  # more than there are in any game


@inlined
def take(rules, position, counts, seat, hole):
    counters = position[HOLES + hole]
    note_taken(rules, counts, seat, hole, counters)
    position[HOLES + hole] = 0
    position[code.W_STORE + seat] += counters
    counts[measures.CAPTURES_0 + seat] += counters


@inlined
def next_for_lap(rules, position, place):
    """Return the hole after `place` that a lap may look at: covered holes are no holes, nor are blind ones, by most
    rules."""
    around = 2 * rules[rule.R_HOLES_PER_ROW]
    heading = position[code.W_DIRECTION]
    for _ in range(around):
        place += heading
        if place == around:
            place = 0
        elif place < 0:
            place = around - 1
        mark = position[HOLES + around + place]
        if mark == 0 or (mark == code.BLIND and rules[rule.R_BLIND_NEXT] == rule.BLIND_NEXT_EMPTY):
            break
        if mark != code.BLIND and mark != code.PALM and mark != code.PALM + 1:
            break
    return place


@kernel_function
def take_groups(rules, position, counts, seat, before):
    """Let the other player take every group that has his number once the seat has sown and had another `before`."""
    noinline()
    group = group_size(rules, position, seat)
    around = 2 * rules[rule.R_HOLES_PER_ROW]
    for hole in range(around):
        held = position[HOLES + hole]
        if group and held == group and position[before + hole] != group and position[HOLES + around + hole] == 0:
            take(rules, position, counts, 1 - seat, hole)


@inlined
def group_size(rules, position, seat):
    """Return the size of the groups the waiting player takes from what `seat` sows; 0 for none."""
    if rules[rule.R_EN_PASSANT] == 0 or position[code.W_RICHER] == 0:
        return 0
    owner = 1 - seat if rules[rule.R_EN_PASSANT] == rule.EN_PASSANT_OWN_NUMBER else seat
    return position[code.W_EXCESS] if owner == position[code.W_RICHER] - 1 else position[code.W_REMAINDER]


@kernel_function
def capture_making(rules, position, counts, seat, last, making):
    """Capture the last hole and, where runs are captured, those before it in the same row."""
    noinline()
    if not rules[rule.R_CAPTURE_MAKING_RUN]:
        take(rules, position, counts, seat, last)
        return
    row = rules[rule.R_HOLES_PER_ROW]
    heading = position[code.W_DIRECTION]
    first = row if last >= row else 0
    end = last - heading
    run = position[HOLES + last]
    # `making` has a bit for each number up to 15; more in a hole would shift beyond what a rule can name.
    while first <= end < first + row and position[HOLES + end] < 16 and (making >> position[HOLES + end]) & 1:
        run += position[HOLES + end]
        end -= heading
    if rules[rule.R_GRAND_SLAM]:
        whole = 0
        for hole in range(first, first + row):
            whole += position[HOLES + hole]
        # A grand slam: where the rule forbids it, all counters of the row stay.
        if whole == run:
            return
    hole = last
    while hole != end:
        take(rules, position, counts, seat, hole)
        hole -= heading


@inlined
def may_take_opposite(rules, position, seat, last, held):
    """Return whether the last hole `held` nothing and is on the right side, and the one opposite holds something.

    Each of the three is as good as chance: in one comparison they are guessed wrong once, not three times.
    """
    row = rules[rule.R_HOLES_PER_ROW]
    other_side = (rules[rule.R_CAPTURE_OPPOSITE] == rule.CAPTURE_OPPOSITE_OWN) & ((last >= row) != seat)
    # `held` or `other_side` raise the limit beyond what any hole holds; else it is 0.
    return position[HOLES + 2 * row - 1 - last] > MOST_COUNTERS * (held | other_side)


@kernel_function
def capture_opposite(rules, position, counts, seat, last):
    """Take what is opposite, unless a mark keeps it."""
    noinline()
    row = rules[rule.R_HOLES_PER_ROW]
    facing = 2 * row - 1 - last
    mark = position[HOLES + 2 * row + facing]
    if mark == 0 or (is_barred(mark) and rules[rule.R_CAPTURE_OPPOSITE_BARRED]):
        take(rules, position, counts, seat, facing)
        if rules[rule.R_CAPTURE_OPPOSITE_OWN_COUNTER]:
            take(rules, position, counts, seat, last)


@kernel_function
def capture_chain(rules, position, counts, seat, before):
    """Capture the hole after `before`, then every second one while those between are empty, up to the ruleset's number
    of holes."""
    noinline()
    if rules[rule.R_BARRED_IN_CHAIN] == rule.BARRED_IN_CHAIN_ABSENT:
        _capture_past_barred(rules, position, counts, seat, before)
        return
    marks = HOLES + 2 * rules[rule.R_HOLES_PER_ROW]
    hole = next_for_lap(rules, position, before)
    for _ in range(rules[rule.R_CAPTURE_NEXT_HOLES]):
        if position[HOLES + hole] == 0 or position[marks + hole]:
            return
        take(rules, position, counts, seat, hole)
        between = next_for_lap(rules, position, hole)
        barred = is_barred(position[marks + between])
        if position[HOLES + between] and not (barred and rules[rule.R_BARRED_NEXT] != rule.BARRED_NEXT_ENDS):
            return
        if barred and rules[rule.R_BARRED_IN_CHAIN] == rule.BARRED_IN_CHAIN_ENDS:
            return
        hole = next_for_lap(rules, position, between)


@kernel_function
def _capture_past_barred(rules, position, counts, seat, before):
    """Capture along a chain that passes over barred holes as if they did not exist."""
    noinline()
    marks = HOLES + 2 * rules[rule.R_HOLES_PER_ROW]
    hole = _next_unbarred(rules, position, before)
    for _ in range(rules[rule.R_CAPTURE_NEXT_HOLES]):
        if position[HOLES + hole] == 0 or position[marks + hole]:
            return
        take(rules, position, counts, seat, hole)
        between = _next_unbarred(rules, position, hole)
        if position[HOLES + between]:
            return
        hole = _next_unbarred(rules, position, between)


@kernel_function
def _next_unbarred(rules, position, place):
    """Return the hole after a place that a lap may look at and that is not barred; if all are, one of them."""
    noinline()
    around = 2 * rules[rule.R_HOLES_PER_ROW]
    hole = next_for_lap(rules, position, place)
    for _ in range(around):
        if not is_barred(position[HOLES + around + hole]):
            break
        hole = next_for_lap(rules, position, hole)
    return hole
