"""The points kernel's side of the family contract: start, moves, random_move, play, outcome, mover, evaluate.

`rules` is what `compile_rules` returns: an array, and a tuple whose length is the words of a set of points. First
stands what a position is worth to a player who does not see the end: the features of `measures`, each with its weight.
"""

import numpy as np

from simulator.engine.bits import count_bits, lowest_bit
from simulator.engine.compiled import inlined, kernel_function, noinline, words, words_behind
from simulator.engine.families.points import measures
from simulator.engine.families.points import position as code
from simulator.engine.families.points.kernel import layout
from simulator.engine.families.points.kernel import rules as rule
from simulator.engine.families.points.kernel.choices import count_moves, list_moves, nth_move
from simulator.engine.families.points.kernel.compiling import compile_rules as compile_rules
from simulator.engine.families.points.kernel.layout import KINGS, MEN, set_at
from simulator.engine.families.points.kernel.turns import play_move, remember
from simulator.engine.randomness import CHOICE, STREAMS
from simulator.engine.randomness_kernel import below
from simulator.engine.weights import SCALE


@kernel_function
def worth(rules, position, wide, seat):
    """Return the weighted features of a player less those of the other, if those count."""
    noinline()
    ahead, low, high = 0, _vacant(rules, position, wide, 0), _vacant(rules, position, wide, 1) if len(wide) > 1 else 0
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
    """Return one word of the vacant points. Two are handed on by value, though a small board has the same one twice."""
    filled = position[set_at(wide, layout.TAKEN) + word]
    filled |= layout.pieces(position, wide, 0, word) | layout.pieces(position, wide, 1, word)
    return rules[layout.board_set(wide, 0) + word] & ~filled


@inlined
def _material(rules, position, wide, seat):
    """Weigh men and kings, how far men have come, and the turn."""
    # Counted from the start, so that a game begins at 0 and a weight is the price of a loss, whatever the army.
    men = position[code.W_HAND + seat] + layout.count(position, set_at(wide, MEN + seat), wide)
    men -= rules[rule.R_HAND + seat] + layout.count(rules, layout.board_set(wide, 1 + seat), wide)
    found = men * weight(rules, seat, rule.F_MEN) + (position[code.W_MOVER] == seat) * weight(rules, seat, rule.F_TEMPO)
    if rules[rule.R_KINGS]:
        found += layout.count(position, set_at(wide, KINGS + seat), wide) * weight(rules, seat, rule.F_KINGS)
    if weight(rules, seat, rule.F_PLACES):
        for w in range(len(wide)):
            here = layout.pieces(position, wide, seat, w) & rules[layout.places_table(rules, wide, seat) + w]
            found += count_bits(here) * weight(rules, seat, rule.F_PLACES)
    # The ranks of all men together, without a loop over them: for each binary digit of the rank the men whose rank has
    # it are counted, and weigh 1, 2, 4 …
    advance, back = weight(rules, seat, rule.F_ADVANCE), weight(rules, seat, rule.F_BACK_RANK)
    if advance | back:
        for w in range(len(wide)):
            here = position[set_at(wide, MEN + seat) + w]
            found += back * count_bits(here & rules[layout.board_set(wide, 4 - seat) + w])
            for bit in range(rules[rule.R_RANK_BITS]):
                found += advance * (count_bits(here & rules[layout.rank_table(rules, wide, seat, bit) + w]) << bit)
    return found


@inlined
def _standing(rules, position, wide, seat, low, high):
    """Weigh room, imprisonment, reach and captures: what lies round each piece."""
    found = vacant = shut_in = over = 0
    jumps = weight(rules, seat, rule.F_JUMPS_TO_MOVE if position[code.W_MOVER] == seat else rule.F_JUMPS_TO_WAIT)
    if weight(rules, seat, rule.F_ROOM) | weight(rules, seat, rule.F_SHUT_IN) | jumps:
        for kind in range(2 if rules[rule.R_KINGS] else 1):
            # Tables exist for three kinds of piece: the first player's men, the second player's men, kings.
            table = 2 if kind else seat
            for w in range(len(wide)):
                pieces = position[set_at(wide, (KINGS if kind else MEN) + seat) + w]
                while pieces:
                    point = 64 * w + lowest_bit(pieces)
                    pieces &= pieces - 1
                    steps = layout.step_table(rules, wide, table, point)
                    beside = count_bits(rules[steps] & low)
                    # len(wide) is a constant of the compiled code: on a small board the second half is not there at
                    # all.
                    for v in range(1, len(wide)):
                        beside += count_bits(rules[steps + v] & _open(rules, position, wide, low, high, v))
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
            beyond = layout.landing(rules, wide, point, layout.bearing(rules, wide, point, beside))
            found += _open(rules, position, wide, low, high, beyond >> 6) >> (beyond & 63) & 1
    return found


@inlined
def _open(rules, position, wide, low, high, word):
    """Return one word of the vacant points, of which the first two are at hand."""
    if len(wide) == 1:
        return low
    if len(wide) > 2 and word > 1:
        return _vacant(rules, position, wide, word)
    return high if word else low


@kernel_function
def _reach_far(rules, position, wide, seat):
    """Return what `_reach` does, on boards of more than two words."""
    noinline()
    ahead, vacant = layout.flood_at(wide), layout.flood_at(wide) + len(wide)
    for w in range(len(wide)):
        position[ahead + w] = position[set_at(wide, MEN + seat) + w]
        position[vacant + w] = _vacant(rules, position, wide, w)
    found = 0
    point = layout.highest(position, ahead, wide)
    while point >= 0:
        layout.remove(position, ahead, point)
        table = layout.step_table(rules, wide, seat, point)
        for w in range(len(wide)):
            new = rules[table + w] & position[vacant + w]
            found += count_bits(new)
            position[ahead + w] |= new
            position[vacant + w] &= ~new
        point = layout.highest(position, ahead, wide)
    return found


@inlined
def _reach(rules, position, wide, seat, low_vacant, high_vacant):
    """Return the vacant points that a player's men can come to by steps, if nobody else moves."""
    if len(wide) > 2:
        return _reach_far(rules, position, wide, seat)
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
    """Return what either player's rows weigh, and those that lack one piece, on a point that is vacant."""
    of_first = of_second = 0
    table, length = layout.all_rows_table(rules, wide), rules[rule.R_ROW_LENGTH]
    lacking = length - 1 if length else 2
    for row in range(rules[rule.R_ROWS]):
        if rules[rule.R_ROW_SQUARES]:  # of four, whatever else a row has
            lacking = -1
            for w in range(len(wide)):
                lacking += count_bits(rules[table + row * len(wide) + w])
        # Of a row that both players stand in nothing can come; so only rows held by one of them are looked at below.
        first = second = 0
        for w in range(len(wide)):
            points = rules[table + row * len(wide) + w]
            first += count_bits(points & layout.pieces(position, wide, 0, w))
            second += count_bits(points & layout.pieces(position, wide, 1, w))
        if second == 0 and first >= lacking:
            of_first += weight(rules, 0, rule.F_ROWS if first > lacking else rule.F_OPEN_TWOS)
        elif first == 0 and second >= lacking:
            of_second += weight(rules, 1, rule.F_ROWS if second > lacking else rule.F_OPEN_TWOS)
    return of_first, of_second


@inlined
def identity_size(rules):
    return layout.identity_words(rules[1])


@kernel_function
def position_size(rules):
    """Return the words of a position under these rules."""
    return layout.size(rules[0], rules[1])


@inlined
def size_in_use(rules, position):
    """Return the words of a position that say anything now; those behind them need not be copied."""
    return layout.size_in_use(words(rules[0]), words(position), rules[1])


@inlined
def look_past(rules, position):
    """Note that nobody will ask for the moves after the next one."""
    words(position)[layout.looked_past_at(rules[1])] = 1


@inlined
def start(rules, position, streams, counts):
    """Set the position before the first turn, and the counts of a new game."""
    return _start(words(rules[0]), words(position), rules[1], words(counts))


@kernel_function
def _start(rules, position, wide, counts):
    noinline()
    for i in range(layout.size(rules, wide)):
        position[i] = 0
    for i in range(measures.COUNTS):
        counts[i] = 0
    # A winner of -1 says that it has not happened; 0 would be the first seat.
    counts[measures.FIRST_CAPTURE_WINNER] = counts[measures.FIRST_ROW_WINNER] = counts[measures.FIRST_MOVED_WINNER] = -1
    for seat in range(2):
        position[code.W_HAND + seat] = rules[rule.R_HAND + seat]
        for w in range(len(wide)):
            position[set_at(wide, MEN + seat) + w] = rules[layout.board_set(wide, 1 + seat) + w]
            if rules[rule.R_BY_TABLE]:
                position[set_at(wide, KINGS + seat) + w] = rules[layout.leader_begins_at(rules, wide, seat) + w]
    position[code.W_MOVER] = rules[rule.R_BEGINS]
    position[code.W_END] = code.RUNNING
    if rules[rule.R_REPETITION]:
        remember(rules, position, wide)


@inlined
def mover(rules, position):
    return words(position)[code.W_MOVER]


@inlined
def outcome(rules, position):
    """Return (kind of end or -1, winning seats as bits)."""
    return words(position)[code.W_END], words(position)[code.W_WINNERS]


@inlined
def moves(rules, position, out):
    """Write every legal move into `out`, in the order of the contract; returns how many."""
    return list_moves(words(rules[0]), words(position), rules[1], words(out))


@inlined
def random_move(rules, position, streams, stream, out):
    """Return (a uniformly drawn move, number of options): by definition moves[draw(n)], found without listing."""
    options = count_moves(words(rules[0]), words(position), rules[1])
    if options == 0:
        # A pass is no choice: nothing is drawn, and the stream stays where it was.
        return code.PASS, 1
    return nth_move(words(rules[0]), words(position), rules[1], below(streams, stream, options)), options


@inlined
def play(rules, position, move, streams, counts):
    """Play a legal move and settle what follows."""
    notes = words_behind(streams, 2 * STREAMS)
    return play_move(words(rules[0]), words(position), rules[1], notes, move, words(counts))


@inlined
def round_outcome(counts):
    """Return (0, -1): these games have no rounds."""
    return 0, -1


@inlined
def settled(rules, position, one_round):
    """Return -1: a lead in pieces can be lost again."""
    return -1


@inlined
def evaluate(rules, position, seat):
    """Return how far a player is ahead, by weighted features; `simulator.engine.weights` says in what."""
    return worth(words(rules[0]), words(position), rules[1], seat)


COUNTS, MOST_MOVES = measures.COUNTS, code.MOST_MOVES
FIRST_STREAM, LAST_STREAM = CHOICE, CHOICE + 1  # of the draws of a game: choices only
EVALUATION_SCALE = SCALE  # the lead by which a game that is cut counts as three quarters won
MOVE_CODES = code.JUMP_WIDE + code.FROM_WIDE * code.FROM_WIDE  # every code of a move is less
TAKEN = measures.TAKEN_0  # place of what the first seat has taken among counts
WORD = np.int64  # the narrowest integer that holds every word of an identity
# One document for each set of argument types that the loops are compiled for.
EXAMPLES = (
    {"family": "points", "board": "triangle_10", "first_pieces": 1, "second_pieces": 1},
    {"family": "points", "board": "chequered_12", "first_pieces": 1, "second_pieces": 1},
    {"family": "points", "board": {"shapes": [{"grid": [12, 12]}]}, "first_pieces": 1, "second_pieces": 1},
)
