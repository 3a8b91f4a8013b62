"""Where the numbers of a ruleset stand in the kernel's array of rules, and the values that the kernel asks for.

Behind them stand the tables of the board: `layout` says where.
"""

(R_BOARD, R_FIRST_PIECES, R_SECOND_PIECES, R_FIRST_ARRAY, R_SECOND_ARRAY, R_SUPPLY, R_BEGINS) = range(7)
(R_LAYING_ENDS, R_LAYING_LEAVES, R_FIRST_MOVE_BY, R_LAY_SAFE, R_REACH, _, R_STEPS, _, R_MOVES_TO) = range(7, 16)
(R_FLIES_AT, R_CAPTURES_BY, R_CAPTURES, R_COMPULSORY, R_HUFF, R_CHAIN, R_KING_CHAIN, R_LIFTED) = range(16, 24)
(R_KINGS, R_KING_LANDS, R_KING_TURNS, R_CROWNING, _, _, R_LINE_LAYING, R_LINE_MOVING, R_LINE_BY) = range(24, 33)
(R_CORNER_ROWS, R_REMOVABLE, R_LOSES_BELOW, _, R_STUCK, _, R_STUCK_AFTER_LAYING, R_LINE_PASSED) = range(33, 41)
(R_REPETITION, R_IDLE, R_TURN_LIMIT) = range(41, 44)
# What follows from the parameters and the board.
R_POINTS, R_SIMPLE, _, R_PLAIN, _, R_HAND, _, R_BOUNDED, R_FIRST_WAY, R_WAY_STEP, R_ROWS = range(44, 55)
# What each feature weighs, for either player: + FEATURES * seat + its place; and whether the other's features count.
R_WEIGHTS = 55
(MEN, KINGS, ROOM, SHUT_IN, REACH, JUMPS_TO_MOVE, JUMPS_TO_WAIT, ROWS, OPEN_TWOS, ADVANCE) = range(10)
BACK_RANK, TEMPO, PLACES = range(10, 13)
FEATURES = 13
R_OTHERS = R_WEIGHTS + 2 * FEATURES
R_TABLES = R_OTHERS + 1

# Values the kernel asks for, by the place of the word in the schema's list.
BOTH_HANDS, EITHER_HAND = 1, 2
FIRST_PIECE, EVERY_PIECE = 1, 2
VACANT = 1
CAPTURES_BOTH = 3
MAY_GO_ON = 1
AFTER_TURN = 1
FLYING = 2
ANY_BEYOND = 1
AT_EDGE = 1
ON_STOPPING, ENDS_TURN, GOES_ON_AS_KING, FIRST_HOP_ONLY, IF_IT_CANNOT_JUMP_ON = range(5)
LAY_AGAIN, LINE_WINS = 1, 3
MOVING_REMOVES_AND_MOVES = 2
OUTSIDE_FIRST = 1
PASSES, LOSES, LOSES_AFTER_PASS = 0, 1, 2
LEVEL = 1

DIRECTIONS = 8
MOST_ROWS = 4  # of three, through one point
RANK_BITS = 4  # of the number of a rank
