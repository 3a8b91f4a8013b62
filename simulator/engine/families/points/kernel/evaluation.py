"""What a position is worth to a player who does not see the end: the features of `features`, each with its weight."""

from simulator.engine.bits import count_bits, lowest_bit
from simulator.engine.compiled import inlined, kernel_function, noinline
from simulator.engine.families.points import position as code
from simulator.engine.families.points.kernel import layout, sets
from simulator.engine.families.points.kernel import rules as rule
from simulator.engine.families.points.kernel.layout import KINGS, MEN, TAKEN, set_at


@kernel_function
def worth(rules, position, wide, seat):
    """Return the weighted features of a player less those of the other, if those count."""
    noinline()
    ahead, low, high = 0, _vacant(rules, position, wide, 0), _vacant(rules, position, wide, len(wide) - 1)
    for other in range(2):
        if other == seat or rules[rule.R_OTHERS]:
            own = _material(rules, position, wide, other) + _standing(rules, position, wide, other, low, high)
            ahead += own if other == seat else -own
    if rules[rule.R_ROWS]:
        first, second = _rows(rules, position, wide)
        ahead += (first if seat == 0 else second) - rules[rule.R_OTHERS] * (second if seat == 0 else first)
    return ahead


@inlined
def weight(rules, seat, feature):
    return rules[rule.R_WEIGHTS + rule.FEATURE_COUNT * seat + feature]


@inlined
def _vacant(rules, position, wide, word):
    """One word of the set of vacant points. Two are handed on by value, though a small board has the same one twice."""
    filled = position[set_at(wide, TAKEN) + word]
    filled |= layout.pieces(position, wide, 0, word) | layout.pieces(position, wide, 1, word)
    return rules[layout.board_set(wide, 0) + word] & ~filled


@inlined
def _material(rules, position, wide, seat):
    """Men and kings, how far men have come, and the turn."""
    men = position[code.W_HAND + seat] + sets.count(position, set_at(wide, MEN + seat), wide)
    men -= rules[rule.R_HAND + seat] + sets.count(rules, layout.board_set(wide, 1 + seat), wide)
    found = men * weight(rules, seat, rule.F_MEN) + (position[code.W_MOVER] == seat) * weight(rules, seat, rule.F_TEMPO)
    if rules[rule.R_KINGS]:
        found += sets.count(position, set_at(wide, KINGS + seat), wide) * weight(rules, seat, rule.F_KINGS)
    if weight(rules, seat, rule.F_PLACES):
        for w in range(len(wide)):
            here = layout.pieces(position, wide, seat, w) & rules[layout.places_table(rules, wide, seat) + w]
            found += count_bits(here) * weight(rules, seat, rule.F_PLACES)
    advance, back = weight(rules, seat, rule.F_ADVANCE), weight(rules, seat, rule.F_BACK_RANK)
    if advance | back:
        for w in range(len(wide)):
            here = position[set_at(wide, MEN + seat) + w]
            found += back * count_bits(here & rules[layout.board_set(wide, 4 - seat) + w])
            for bit in range(rule.RANK_BITS):
                found += advance * (count_bits(here & rules[layout.rank_table(rules, wide, seat, bit) + w]) << bit)
    return found


@inlined
def _standing(rules, position, wide, seat, low, high):
    """Room, imprisonment, reach and captures: what lies round each piece."""
    found = vacant = shut_in = over = 0
    jumps = weight(rules, seat, rule.F_JUMPS_TO_MOVE if position[code.W_MOVER] == seat else rule.F_JUMPS_TO_WAIT)
    if weight(rules, seat, rule.F_ROOM) | weight(rules, seat, rule.F_SHUT_IN) | jumps:
        for kind in range(2 if rules[rule.R_KINGS] else 1):
            table = 2 if kind else seat
            for w in range(len(wide)):
                pieces = position[set_at(wide, (KINGS if kind else MEN) + seat) + w]
                while pieces:
                    point = 64 * w + lowest_bit(pieces)
                    pieces &= pieces - 1
                    steps = layout.step_table(rules, wide, table, point)
                    beside = count_bits(rules[steps] & low)
                    beside += count_bits(rules[steps + 1] & high) if len(wide) > 1 else 0
                    vacant += beside
                    shut_in += beside == 0
                    if jumps:
                        over += _jumps(rules, position, wide, seat, table, point, low, high)
        found += (
            weight(rules, seat, rule.F_ROOM) * vacant + weight(rules, seat, rule.F_SHUT_IN) * shut_in + jumps * over
        )
    if weight(rules, seat, rule.F_REACH):
        found += weight(rules, seat, rule.F_REACH) * _reach(rules, position, wide, seat, low, high)
    return found


@inlined
def _jumps(rules, position, wide, seat, kind, point, low, high):
    """Return how many opposing pieces beside a point could be jumped over from there."""
    found = 0
    for w in range(len(wide)):
        over = rules[layout.jump_table(rules, wide, kind, point) + w] & layout.pieces(position, wide, 1 - seat, w)
        while over:
            beside = 64 * w + lowest_bit(over)
            over &= over - 1
            beyond = layout.towards(rules, wide, beside, layout.bearing(rules, wide, point, beside))
            found += (high if len(wide) > 1 and beyond > 63 else low) >> (beyond & 63) & 1
    return found


@inlined
def _reach(rules, position, wide, seat, low_vacant, high_vacant):
    """Return the vacant points that a player's men can come to by steps, if nobody else moves."""
    low = position[set_at(wide, MEN + seat)]
    high = position[set_at(wide, MEN + seat) + len(wide) - 1] if len(wide) > 1 else 0
    found = 0
    # A flood over the board: points that were come to are looked at in turn, until no new ones are vacant beside them.
    while low | high:
        if low:
            point = lowest_bit(low)
            low &= low - 1
        else:
            point = 64 + lowest_bit(high)
            high &= high - 1
        table = layout.step_table(rules, wide, seat, point)
        new_low = rules[table] & low_vacant
        new_high = rules[table + len(wide) - 1] & high_vacant if len(wide) > 1 else 0
        found += count_bits(new_low) + count_bits(new_high)
        low, low_vacant = low | new_low, low_vacant & ~new_low
        high, high_vacant = high | new_high, high_vacant & ~new_high
    return found


@inlined
def _rows(rules, position, wide):
    """Either player's rows of three, and of two with the third point vacant, weighted."""
    of_first = of_second = 0
    table = layout.all_rows_table(rules, wide)
    for row in range(rules[rule.R_ROWS]):
        first = second = 0
        for w in range(len(wide)):
            points = rules[table + row * len(wide) + w]
            first += count_bits(points & layout.pieces(position, wide, 0, w))
            second += count_bits(points & layout.pieces(position, wide, 1, w))
        if second == 0 and first > 1:
            of_first += weight(rules, 0, rule.F_ROWS if first > 2 else rule.F_OPEN_TWOS)
        elif first == 0 and second > 1:
            of_second += weight(rules, 1, rule.F_ROWS if second > 2 else rule.F_OPEN_TWOS)
    return of_first, of_second
