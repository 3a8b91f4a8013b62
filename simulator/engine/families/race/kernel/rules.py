"""Where the numbers and tables of a ruleset stand in the kernel's array of rules.

What can be settled before a game is settled by `compiling`: every way the lots can lie becomes a row that says which
parts are laid, every kind of part a row that says what it asks of a piece, every step how far a piece may go from it.
Tables have fixed places, so that they are constants of the compiled code.
"""

from simulator.engine.families.race import position as code

(R_SEATS, R_PIECES, R_TEAMS, R_HOME, R_BARRED, R_CORNER, R_OPPOSING) = range(7)
(R_COWRIES, R_UP, R_OF, R_OUTCOMES, R_DICE, R_LIMIT, R_ONE_AT_A_TIME) = range(7, 14)
(R_CANCEL_AFTER, R_CANCEL_SAME, R_CANCELS_LAST, R_FREE, R_ADDED_UP, R_EXTRA) = range(14, 20)
# The sum of a series enters a piece if one of these kinds is in it: bits, as a rule and for a player's first piece.
(R_WALKS_ON, R_GOES_ON, R_ENTER_DOUBLE, R_FIRST, R_SUM_ENTERS, _) = range(20, 26)
(R_PAIRS, R_SENDS_BACK, R_NO_PASSING, R_BAR, R_PAST, R_DECLINE) = range(26, 32)
(R_NEXT_SEAT, R_FOR_PARTNER, R_CLOSED, R_ANY_DIE, R_APART) = range(32, 37)
R_START = 37  # a seat's pieces at the start
MOST_PIECES = 6

PASSING = 2  # of R_SENDS_BACK: also the squares between are cleared

# Tables. A square that is no square, where pieces stand that wait or are home, has a number too.
NOWHERE = code.STRIDE - 1
OPPOSING = R_START + MOST_PIECES  # + SEATS * seat: the seats of other sides
TRACKS = OPPOSING + code.SEATS * code.SEATS  # + STRIDE * seat + step: the square
STEPS_ON = TRACKS + code.SEATS * code.STRIDE  # + 2 * (STRIDE * seat + square): the seat's steps on that square, a set
STRIKES_ON = STEPS_ON + 2 * code.SEATS * code.STRIDE  # + 2 * seat: the steps on which a seat sends pieces back, a set
UP_TO = STRIKES_ON + 2 * code.SEATS  # + 2 * step: the steps from 1 to this one, a set
ROOMS = UP_TO + 2 * code.STRIDE  # + step: how far a piece may go; + STRIDE: when the dice show the double it needs

# A row for each kind of part. What is never done asks for more room than there is.
KINDS, KIND_WORDS = ROOMS + 2 * code.STRIDE, 8
(K_VALUE, K_WALKS, K_ENTERS, K_FIRST_ENTERS, K_ONLY_ENTERS, K_ADDS, K_REST) = range(7)
MOST_ROOM, NEVER = 127, 128

# A row for each way the lots can lie: 2 * mouths + whether the marked shell is up, or the places of the faces.
CASTS, CAST_WORDS = KINDS + code.HAND * KIND_WORDS, 10
(C_SCORE, C_AGAIN, C_CANCELS, C_DOUBLE, C_PART, C_NUMBER, C_SECOND, C_SECONDS, C_JOINED, C_FACES) = range(10)
DIE = 6  # the most faces of a die
MOST_CASTS = DIE * DIE

FACE_KINDS, MOST_FACE = CASTS + MOST_CASTS * CAST_WORDS, 12  # + face: the kind of part of one die
OUTCOMES, MOST_WEIGHT = FACE_KINDS + MOST_FACE + 1, 12  # + what was drawn: the place of the face that a die shows
# What each feature weighs, and whether those of the others count; then + distance: the chance that a throw brings a
# piece so far.
WEIGHTS = OUTCOMES + DIE * MOST_WEIGHT
STEPS, WAITING, HOME, REAR, RISK, TEMPO, SPREAD, OTHERS, REACHES = range(WEIGHTS, WEIGHTS + 9)
FARTHEST, CHANCE_BITS = 31, 8  # a distance beyond; a certainty is 1 << CHANCE_BITS
SIZE = REACHES + FARTHEST + 1
