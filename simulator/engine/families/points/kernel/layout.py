"""Where things stand in a kernel's position and among its rules, and sets of points as words of bits.

`wide` is the tuple of `compile_rules`: its length, the words of a set, is a constant of the compiled code. Behind the
identity that `position` describes come what only bounds remember and what is worked out for the player to move. Whoever
writes an identity sets all that to 0: nothing remembered, nothing known.
"""

from simulator.engine.bits import count_bits, highest_bit, nth_bit_of_64
from simulator.engine.compiled import inlined
from simulator.engine.families.points import position as code
from simulator.engine.families.points.kernel import rules as rule

# Sets of a position: men and kings of either seat; pieces taken and still standing, or pieces that may be huffed, which
# are the other player's and so fill no point besides.
MEN, KINGS, TAKEN = 0, 2, 4
SETS = 5
ONLY_JUMPS, NO_JUMPS = 1, 2


@inlined
def set_at(wide, which):
    """Return where set `which` of a position begins."""
    return code.W_SETS + which * len(wide)


@inlined
def pieces(position, wide, seat, word):
    """Return one word of the set of a player's pieces."""
    return position[set_at(wide, MEN + seat) + word] | position[set_at(wide, KINGS + seat) + word]


@inlined
def identity_words(wide):
    return code.W_SETS + SETS * len(wide)


@inlined
def known_at(wide):
    """Return where 1 + the number of moves stands (0: not known), then whether they are jumps alone, or none is."""
    return identity_words(wide)


@inlined
def jumpers_at(wide):
    """Return where the pieces that can jump stand, a set, where moves are known that are not all steps."""
    return vacant_at(wide) + 2 * len(wide)


@inlined
def idle_at(wide):
    return identity_words(wide) + 2


@inlined
def turns_at(wide):
    return identity_words(wide) + 3


@inlined
def remembered_at(wide):
    """Return how many positions have been remembered since something was laid or taken."""
    return identity_words(wide) + 4


@inlined
def looked_past_at(wide):
    """Return 1 if nobody will ask for the moves after the next one: it is enough to know whether there is any."""
    return identity_words(wide) + 5


@inlined
def best_at(wide):
    """Return where it stands what a capture takes that takes the most."""
    return identity_words(wide) + 6


@inlined
def vacant_at(wide):
    return identity_words(wide) + 7


@inlined
def opposing_at(wide):
    """Return the opponent's pieces that can be jumped over."""
    # One set behind the other, each as long as `wide`.
    return vacant_at(wide) + len(wide)


@inlined
def steps_at(wide):
    """Return where the piece looked at last may step."""
    return vacant_at(wide) + 3 * len(wide)


@inlined
def jumps_at(wide):
    """Return where the piece looked at last may land."""
    return vacant_at(wide) + 4 * len(wide)


@inlined
def flood_at(wide):
    """Return where a flood over a board of more than two words keeps two sets; smaller boards have none."""
    return vacant_at(wide) + 5 * len(wide)


@inlined
def memory_at(wide):
    return flood_at(wide) + (2 * len(wide) if len(wide) > 2 else 0)


@inlined
def size(rules, wide):
    tries = (code.MOST_DEEP + 1) * (identity_words(wide) + 2 + 2 * len(wide)) if rules[rule.R_MOST_CAPTURES] else 0
    return marked_at(rules, wide) + (5 * len(wide) if rules[rule.R_BY_TABLE] else 0) + tries


@inlined
def tried_at(rules, wide):
    """Return where positions are kept while captures are tried; a table of captures asks for nothing of the kind."""
    return marked_at(rules, wide)


@inlined
def marked_at(rules, wide):
    """Return where, under a table of captures, what a move takes is marked."""
    # Rulesets without the rule on repetition do not carry its memory about.
    return memory_at(wide) + (code.MEMORY if rules[rule.R_REPETITION] else 0)


@inlined
def kept_at(rules, wide):
    """Return where the pieces of both players are kept while a move is tried: four sets."""
    return marked_at(rules, wide) + len(wide)


@inlined
def size_in_use(rules, position, wide):
    """Return the words up to the last of the positions that are remembered."""
    return memory_at(wide) + min(position[remembered_at(wide)], code.MEMORY)


# Tables behind the parameters.
@inlined
def board_set(wide, which):
    """Return where a set begins: 0 the whole board, 1 and 2 the arrays, 3 and 4 the crowning points, 5 the edge,
    6 and 7 the points to reach."""
    return rule.R_TABLES + which * len(wide)


@inlined
def step_table(rules, wide, kind, point):
    return rule.R_TABLES + (8 + kind * rules[rule.R_POINTS] + point) * len(wide)


@inlined
def jump_table(rules, wide, kind, point):
    return rule.R_TABLES + (8 + (3 + kind) * rules[rule.R_POINTS] + point) * len(wide)


@inlined
def _after_sets(rules, wide):
    return rule.R_TABLES + (8 + 6 * rules[rule.R_POINTS]) * len(wide)


# Behind the sets stand tables of R_WAYS numbers a point: the neighbours, the points behind them, the ways onward; then
# the bearings (R_POINTS a point), a rank a point, and the rays (R_WAYS sets a point).
@inlined
def towards(rules, wide, point, way):
    """Return the next point along a way, or -1."""
    return rules[_after_sets(rules, wide) + point * rules[rule.R_WAYS] + way]


@inlined
def landing(rules, wide, point, way):
    """Return the point behind the next one along a way, or -1."""
    return rules[_after_sets(rules, wide) + (rules[rule.R_POINTS] + point) * rules[rule.R_WAYS] + way]


@inlined
def onward(rules, wide, point, way):
    """Return the way that goes on from the next point along a line: on most boards it has the same number."""
    return rules[_after_sets(rules, wide) + (2 * rules[rule.R_POINTS] + point) * rules[rule.R_WAYS] + way]


@inlined
def bearing(rules, wide, point, other):
    """Return the way on which another point lies along a line, or -1."""
    points = rules[rule.R_POINTS]
    # Ways are stored from 1 on, so that 0, the filling of the table, means that no line leads there.
    return rules[_after_sets(rules, wide) + (3 * rules[rule.R_WAYS] + point) * points + other] - 1


@inlined
def rank(rules, wide, point):
    points = rules[rule.R_POINTS]
    return rules[_after_sets(rules, wide) + (3 * rules[rule.R_WAYS] + points) * points + point]


@inlined
def ray_table(rules, wide, point, way):
    """Return the points that lie on a way: a set."""
    points = rules[rule.R_POINTS]
    rays = _after_sets(rules, wide) + (3 * rules[rule.R_WAYS] + points + 1) * points
    return rays + (point * rules[rule.R_WAYS] + way) * len(wide)


@inlined
def row_table(rules, wide, seat, point):
    """Return the other points of every row of a player through a point: R_ROWS_OF_POINT sets."""
    first = ray_table(rules, wide, rules[rule.R_POINTS], 0) + seat * rules[rule.R_ROWS_OF_SECOND]
    return first + point * rules[rule.R_ROWS_OF_POINT] * len(wide)


@inlined
def _after_rows_of_points(rules, wide):
    return row_table(rules, wide, 0, 0) + rules[rule.R_ROW_WORDS]


@inlined
def rank_table(rules, wide, seat, bit):
    """Return the points whose rank, counted from a player's side, has that bit: a set."""
    return _after_rows_of_points(rules, wide) + (seat * rules[rule.R_RANK_BITS] + bit) * len(wide)


@inlined
def places_table(rules, wide, seat):
    """Return the points that a policy names for a player: a set."""
    return rank_table(rules, wide, 2, 0) + seat * len(wide)


@inlined
def all_rows_table(rules, wide):
    """Return every row of three, once: R_ROWS sets."""
    return places_table(rules, wide, 2)


@inlined
def plan_table(rules, wide, seat):
    """Return the parts of a player's laying, as `laying` reads them."""
    parts = rules[rule.R_PLANS] * (4 + len(wide))
    return all_rows_table(rules, wide) + rules[rule.R_ROWS] * len(wide) + seat * parts


@inlined
def pen_table(rules, wide, seat):
    """Return the points to which a player's pieces have to be shut in: a set, empty where it is anywhere."""
    return plan_table(rules, wide, 2) + seat * len(wide)


# Behind all this, where a table says how pieces take or that one is a leader: for each of four kinds of piece (men of
# either seat, leaders of either seat) the ways on which it steps from each point, as bits; reaches; whether a kind
# passes over what is barred to it; whether a seat loses with its leader; the way on the other side of each point; sets:
# what is barred to each kind, where either leader wins, where it begins. Then the rows: their columns, for either seat
# the ways from each point, as bits, and two sets.
ROW_COLUMNS = 10


@inlined
def _by_table(rules, wide):
    return pen_table(rules, wide, 2)


@inlined
def step_ways(rules, wide, kind, point):
    return rules[_by_table(rules, wide) + kind * rules[rule.R_POINTS] + point]


@inlined
def _after_steps(rules, wide):
    return _by_table(rules, wide) + 4 * rules[rule.R_POINTS]


@inlined
def reach_of(rules, wide, kind):
    return rules[_after_steps(rules, wide) + kind]


@inlined
def passes(rules, wide, kind):
    return rules[_after_steps(rules, wide) + 4 + kind]


@inlined
def loses_with_leader(rules, wide, seat):
    return rules[_after_steps(rules, wide) + 8 + seat]


@inlined
def across(rules, wide, point, way):
    """Return the way that leads along the same line on the other side of a point, or -1."""
    return rules[_after_steps(rules, wide) + 10 + point * rules[rule.R_WAYS] + way]


@inlined
def barred_at(rules, wide, kind):
    """Return where the set of points begins on which a kind of piece may not stop."""
    return _after_steps(rules, wide) + 10 + rules[rule.R_POINTS] * rules[rule.R_WAYS] + kind * len(wide)


@inlined
def leader_wins_at(rules, wide, seat):
    return barred_at(rules, wide, 4 + seat)


@inlined
def leader_loses_at(rules, wide, seat):
    return barred_at(rules, wide, 6 + seat)


@inlined
def leader_begins_at(rules, wide, seat):
    return barred_at(rules, wide, 8 + seat)


@inlined
def row_of(rules, wide, number):
    """Return where a row of captures begins."""
    return barred_at(rules, wide, 10) + number * (ROW_COLUMNS + 2 * rules[rule.R_POINTS] + 2 * len(wide))


@inlined
def row_ways(rules, wide, row, seat, point):
    return rules[row + ROW_COLUMNS + seat * rules[rule.R_POINTS] + point]


@inlined
def row_at(rules, wide, row):
    """Return where the set of points begins on which pieces are taken by a row."""
    return row + ROW_COLUMNS + 2 * rules[rule.R_POINTS]


@inlined
def row_against(rules, wide, row):
    return row_at(rules, wide, row) + len(wide)


# The codes of moves, which boards of more than 128 points write otherwise.
@inlined
def origins(wide):
    """Return how many points a code of a move has room for."""
    return code.FROM if len(wide) <= 2 else code.FROM_WIDE


@inlined
def step_from(wide, point):
    return code.STEP + origins(wide) * point


@inlined
def jump_from(wide, point):
    return (code.JUMP if len(wide) <= 2 else code.JUMP_WIDE) + origins(wide) * point


@inlined
def removal_from(wide, point):
    return (code.REMOVE_MOVE if len(wide) <= 2 else code.REMOVE_WIDE) + point


@inlined
def has(words, at, point):
    """Return 1 if the point is in the set that begins at `at`, else 0."""
    # A word holds 64 points: the bits above the sixth number the word, the lower six the bit in it.
    return words[at + (point >> 6)] >> (point & 63) & 1


@inlined
def add(words, at, point):
    words[at + (point >> 6)] |= 1 << (point & 63)


@inlined
def remove(words, at, point):
    words[at + (point >> 6)] &= ~(1 << (point & 63))


@inlined
def count(words, at, wide):
    found = 0
    for w in range(len(wide)):
        found += count_bits(words[at + w])
    return found


@inlined
def is_empty(words, at, wide):
    found = 0
    for w in range(len(wide)):
        # One comparison for the whole set instead of a branch for each word.
        found |= words[at + w]
    return found == 0


@inlined
def nth(words, at, wide, number):
    """Return point `number` of a set in ascending order, counted from 0; there must be that many."""
    for w in range(len(wide) - 1):
        within = count_bits(words[at + w])
        if number < within:
            return 64 * w + nth_bit_of_64(words[at + w], number)
        number -= within
    last = len(wide) - 1
    return 64 * last + nth_bit_of_64(words[at + last], number)


@inlined
def highest(words, at, wide):
    """Return the last point of a set, or -1."""
    found = -1
    for w in range(len(wide)):
        if words[at + w]:
            found = 64 * w + highest_bit(words[at + w])
    return found
