"""One lap of sowing, compiled.

`sow_at_once` looks a lap up, where rules are plain. Else it goes hole by hole until the hand is empty: most laps know
of blind holes, one number that is passed over and the sower's store; `sow` does no more than these, because a game is
little else. `sow_closely` knows every rule.
"""

from simulator.engine.bits import add_16_bytes, which_equal
from simulator.engine.compiled import inlined, kernel_function, noinline
from simulator.engine.families.sowing import measures
from simulator.engine.families.sowing import position as code
from simulator.engine.families.sowing.kernel import rules as rule
from simulator.engine.families.sowing.kernel.captures import group_size
from simulator.engine.families.sowing.kernel.layout import HOLES, before_lap_at

# Where a last counter may be, other than in a hole.
IN_STORE, NOWHERE = -1, -2


@inlined
def gain(position, counts, seat, counters):
    position[code.W_STORE + seat] += counters
    counts[measures.CAPTURES_0 + seat] += counters


@inlined
def en_passant_number(rules, position, seat):
    """The size of the groups the waiting player takes while `seat` sows; 0 for none."""
    return group_size(rules, position, seat) if rules[rule.R_EN_PASSANT_WHEN] == 0 else 0


@inlined
def pass_numbers(rules, position, seat):
    """The counts of holes that are passed over: (one of them or -1 for none, all of them as bits)."""
    usual = rules[rule.R_PASS_OVER]
    if rules[rule.R_SHORT] and position[code.W_SHORT] == 1 + seat:
        number = position[code.W_SHORT_NUMBER]
        numbers = 6 if rules[rule.R_SHORT_BOTH] else 1 << number
        if usual and rules[rule.R_SHORT_USUAL]:
            numbers |= 1 << usual
        return number, numbers
    if usual:
        return usual, 1 << usual
    return -1, 0


@inlined
def needs_care(rules, numbers, group):
    """Whether a lap may meet a rule that only `sow_closely` knows."""
    several = numbers & (numbers - 1) > 0
    return rules[rule.R_PALM] > 0 or group > 0 or several or (numbers > 0 and rules[rule.R_PASS_NEVER_MARKED] > 0)


@inlined
def blind_holes(rules, position):
    """The blind holes of the board, as bits."""
    if rules[rule.HAS_MARKS] == 0:
        return 0
    return holes_that_are(position, HOLES + 2 * rules[rule.R_ROW], code.BLIND)


@inlined
def holes_that_are(position, first, number):
    """Bit k: the word k after `first` is that number. The bits beyond the board mean nothing."""
    return which_equal(position, first, number) | which_equal(position, first + 16, number) << 16


@inlined
def store_place(rules, position, seat):
    """The hole after which the sower's store comes; -1 if nothing is sown there."""
    if rules[rule.R_STORE_SOWN] == 0:
        return -1
    return seat * rules[rule.R_ROW] + (rules[rule.R_ROW] - 1 if position[code.W_DIRECTION] > 0 else 0)


@inlined
def following(place, step, around):
    """The next place; `step` is 1, or one less than all the way round."""
    place += step
    return place - (around if place >= around else 0)


@inlined
def sow_at_once(rules, position, counts, seat, start):
    """One lap under plain rules, by the table of laps; returns (place of the last counter, what its hole held)."""
    turned = 2 * rules[rule.R_ROW] if position[code.W_DIRECTION] < 0 else 0
    entry = rule.TABLE + rule.ENTRY * (rules[rule.HANDS] * (turned + start) + position[HOLES + start])
    add_16_bytes(position, HOLES, rules, entry)
    if rules[rule.R_STORE_SOWN]:
        gain(position, counts, seat, rules[entry + rule.ENTRY_STORE])
    last = rules[entry + rule.ENTRY_LAST]
    return last, position[HOLES + last] - 1


@inlined
def sow(rules, position, counts, seat, start, passed_over, closed):
    """One lap; returns (place of the last counter, what its hole held before).

    What a hole holds is as good as chance, so no branch depends on it: a hole passed over is sown with no counter.
    """
    around = 2 * rules[rule.R_ROW]
    step = 1 if position[code.W_DIRECTION] > 0 else around - 1
    store_after = store_place(rules, position, seat)
    if rules[rule.R_ORIGIN_PASSED]:
        closed |= 1 << start
    shut = closed
    if rules[rule.R_PASS_JUDGED] and passed_over >= 0:
        shut |= holes_that_are(position, HOLES, passed_over)
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
        sown = 1 - ((count == passed_over) | ((shut >> place) & 1))
        position[HOLES + place] = count + sown
        hand -= sown
        passed = 0 if sown else passed + 1
        if passed == around:
            if rules[rule.R_PASS_FULL] == 0:
                return NOWHERE, 0
            place = start
            passed = 0
            position[HOLES + start] += 1
            hand -= 1
        if place == store_after:
            gain(position, counts, seat, 1)
            hand -= 1
            if hand == 0:
                return IN_STORE, 0
    for _ in range(around - passed):
        place = following(place, step, around)
        if (closed >> place) & 1 == 0:
            count = position[HOLES + place]
            position[HOLES + place] = count + 1
            return place, count
        if place == store_after:
            gain(position, counts, seat, 1)
            return IN_STORE, 0
    if rules[rule.R_PASS_FULL] == 0:
        return NOWHERE, 0
    position[HOLES + start] += 1
    return start, position[HOLES + start] - 1


@kernel_function
def sow_closely(rules, position, counts, seat, start, passing, group):
    """One lap under every rule there is; returns (place of the last counter, what its hole held before).

    passing: the counts of holes that are passed over, as bits
    """
    noinline()
    around = 2 * rules[rule.R_ROW]
    marks = HOLES + around
    heading = position[code.W_DIRECTION]
    judged = HOLES
    if rules[rule.R_PASS_JUDGED] and passing:
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
        if mark == code.BLIND or mark == code.PALM + 1 - seat or place == closed_start:
            passed += 1
        elif mark == code.PALM + seat:
            if rules[rule.R_PALM] == rule.FROM_HAND:
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
        elif hand > 1 and count < 16 and (passing >> count) & 1 and not (mark and rules[rule.R_PASS_NEVER_MARKED]):
            passed += 1
        else:
            held = position[HOLES + place]
            position[HOLES + place] = held + 1
            hand -= 1
            passed = 0
            if group and mark == 0 and held + 1 == group:
                position[HOLES + place] = 0
                gain(position, counts, 1 - seat, group)
            if hand == 0:
                return place, held
        if passed >= around:
            if rules[rule.R_PASS_FULL] == 0:
                return NOWHERE, 0
            position[HOLES + start] += 1
            hand -= 1
            place = start
            passed = 0
            if hand == 0:
                return place, position[HOLES + place] - 1
