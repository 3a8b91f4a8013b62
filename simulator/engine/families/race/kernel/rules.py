"""Where the numbers and tables of a ruleset stand in the kernel's array of rules.

The parameters come first, in the order of the schema: `R_<KEY>` is the place of one, `<KEY>_<WORD>` the number of one
of its words; lists stand there as 0, for they become tables, but `wake_scores` as the last step on which pieces sleep,
`exit_scores` as bits, `final_steps` as 1 if there are any; `round_to` counts the steps of sleep. What can be settled
before a game is settled by `compiling`: every way the lots can lie becomes a row that says which parts are laid, every
kind of part a row that says what it asks of a piece, every step how far a piece may go from it. Tables have fixed
places, which are constants of the compiled code.
"""

from simulator.engine.families.race import position as code
from simulator.engine.families.race.measures import FEATURES
from simulator.engine.schemas import constant, keys

KEYS = keys("race")
# What follows from the parameters and the board: steps of a track, numbers of the lots, of the series and of seats.
(R_HOME, R_BARRED, R_CORNER, R_PAST, R_OPPOSING, R_NEXT_SEAT) = range(len(KEYS), len(KEYS) + 6)
(R_UP, R_OF, R_OUTCOMES, R_LIMIT, R_EXTRA, R_GOES_ON, R_FIRST) = range(R_NEXT_SEAT + 1, R_NEXT_SEAT + 8)
# The sum of a series enters a piece if one of these kinds is in it: bits, as a rule and for a player's first piece.
R_SUM_ENTERS = R_FIRST + 1
R_ONE = R_SUM_ENTERS + 2  # the kind of the ones of a named throw
# How moves are looked for; whether the lots are other than dice; the sum of the chances of lots in a table; whether
# something follows when a piece lands, by a mark or for a piece that is home, and whether anything does, pieces sent
# back too.
R_HOW, R_NO_DICE, R_TIMES, R_FOLLOWS, R_LANDS = range(R_ONE + 1, R_ONE + 6)
AT_ONCE, FREELY, WIDE = range(3)
SHELLS, ROWS = 1, 2  # of R_NO_DICE: what is thrown instead
MOST_AHEAD = code.MOST_AHEAD
# Whether a ply is settled otherwise than by who is home (pieces are taken or stand in place, numbers are chosen), and
# whether safe squares that are shared keep pieces anywhere.
R_OTHERWISE, R_SHARED = range(R_LANDS + 1, R_LANDS + 3)
R_START = R_SHARED + 1  # a seat's pieces at the start
MOST_PIECES = 16
MOST_ALL = code.SEATS * MOST_PIECES  # pieces of all seats

# Tables. A square that is no square, where pieces stand that wait or are home, has a number too.
NOWHERE = code.STRIDE - 1
ROW = code.STRIDE + 8  # of a table of squares or steps: a line of the cache more, lest rows crowd each other out
FINAL = R_START + MOST_PIECES  # + MOST_PIECES * seat: where a seat's pieces stand when it has won by that
OPPOSING = FINAL + MOST_ALL  # + SEATS * seat: the seats of other sides
TRACKS = OPPOSING + code.SEATS * code.SEATS  # + ROW * seat + step: the square
STEPS_ON = TRACKS + code.SEATS * ROW  # + 2 * (ROW * seat + square): the seat's steps on that square, a set
SET_STEPS = 128  # of a set
STRIKES_ON = STEPS_ON + 2 * code.SEATS * ROW  # + 2 * seat: the steps on which a seat sends pieces back, a set
UP_TO = STRIKES_ON + 2 * code.SEATS  # + 2 * step: the steps from 1 to this one, a set
ROOMS = UP_TO + 2 * SET_STEPS  # + step: how far a piece may go; + ROW: when the dice show the double it needs

# A row for each kind of part. What is never done asks for more room than there is.
DOES = ROOMS + 2 * ROW  # + ROW * seat + step: what its square does, as bits
SAFE, AGAIN, CLOSED = 1, 2, 4
LEADS = DOES + code.SEATS * ROW  # + ROW * seat + step: where a piece comes to that lands there
KINDS, KIND_WORDS = LEADS + code.SEATS * ROW, 8
(K_VALUE, K_WALKS, K_ENTERS, K_FIRST_ENTERS, K_ODD, K_ADDS, K_REST, K_WAKES) = range(8)
ONLY_ENTERS, ONES_PASS = 1, 2  # of K_ODD: such parts enter a piece if one waits; ones go where others do not
MOST_ROOM, NEVER = 127, 128

# A row for each way the lots can lie: 2 * mouths + whether the marked shell is up, or the places of the faces.
CASTS, CAST_WORDS = KINDS + code.HAND * KIND_WORDS, 10
(C_SCORE, C_AGAIN, C_CANCELS, C_DOUBLE, C_PART, C_NUMBER, C_SECOND, C_SECONDS, C_JOINED, C_FACES) = range(10)
NOTHING, MORE_KINDS = -1, -2  # at C_JOINED: that nothing is joined; that more kinds of part are laid
DIE = 6  # the most faces of a die
MOST_CASTS = 64

FACE_KINDS, MOST_FACE = CASTS + MOST_CASTS * CAST_WORDS, 12  # + face: the kind of part of one die
OUTCOMES, MOST_WEIGHT = FACE_KINDS + MOST_FACE + 1, 12  # + what was drawn: the place of the face that a die shows
# What each feature weighs, at F_<FEATURE> (`measures` describes them), and whether those of the others count; what a
# step between a player's own pieces weighs, once the foremost stands within so many squares of home; then + distance:
# the chance that a throw brings a piece so far.
TIMES = OUTCOMES + DIE * MOST_WEIGHT  # + row of the lots in a table: its share of R_TIMES
MORE = TIMES + MOST_CASTS  # + 4 * row: the third and the fourth kind of part it brings, each with how many
WEIGHTS = MORE + 4 * MOST_CASTS
OTHERS = WEIGHTS + len(FEATURES)
APART = OTHERS + 1
WITHIN = APART + 1
REACHES = WITHIN + 1
FARTHEST, CHANCE_BITS = 31, 8  # a distance beyond; a certainty is 1 << CHANCE_BITS
SIZE = REACHES + FARTHEST + 1


def __getattr__(name: str) -> int:
    feature = name.removeprefix("F_").lower()
    if name.startswith("F_") and feature in FEATURES:
        return WEIGHTS + FEATURES.index(feature)
    return constant("race", name)
