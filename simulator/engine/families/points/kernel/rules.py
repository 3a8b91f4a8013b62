"""Where the numbers of a ruleset stand in the kernel's array of rules.

The parameters come first, in the order of the schema: `R_<KEY>` is the place of one, `<KEY>_<WORD>` the number of one
of its words. Behind them stands what follows from them and from the board, then the weights of features, then the
tables of the board: `layout` says where.
"""

from simulator.engine.families.points.measures import FEATURES
from simulator.engine.schemas import constant, keys

KEYS = keys("points")
# What follows from the parameters and the board. A name before a _ has a word for each seat.
# R_WAYS: the ways that tables have for each point; R_BENT: whether they are no compass directions; R_ROWS_OF_POINT: the
# most rows through one point; R_RANK_BITS: the binary digits of a rank; R_GOALS: whether a player, or a leader, has
# points to reach.
# R_HOW: how moves are counted where only pieces that are on the board move, one of the words below.
(R_POINTS, R_SIMPLE, _, R_HOW, _, R_HAND, _, R_BOUNDED, R_FIRST_WAY, R_WAY_STEP, R_WAYS, R_BENT) = range(
    len(KEYS), len(KEYS) + 12
)
# Otherwise; of men that step to the next point and never jump; that jump too; of all men at once, and their kings; from
# tables, on small boards.
OTHERWISE, PLAINLY, NEAR, BY_WAYS, BY_LINKS = range(5)
(R_ROWS_OF_POINT, R_RANK_BITS, R_GOALS, R_ROWS) = range(R_BENT + 1, R_BENT + 5)
# Where, behind the rows of the first player, those of the second stand (0: they are the same), where what makes rows
# longer (0: nobody asks), and how many words all of this takes.
R_ROWS_OF_SECOND, R_ROW_ENDS, R_ROW_WORDS = range(R_ROWS + 1, R_ROWS + 4)
R_PLANS = R_ROW_WORDS + 1  # the parts that the plan of a player's laying has room for
# Whether a table says how pieces take, or that one leads; the rows of that table.
R_BY_TABLE, R_TAKES = range(R_PLANS + 1, R_PLANS + 3)
# Of `ways`: how many words the sets of all ways have together, where their tables begin, whose board they are;
# how many times six points there are, where the links of each player are.
R_LANES, R_AT_LANES, R_BOARD_KEY, R_SOMES, R_AT_LINKS, _ = range(R_TAKES + 1, R_TAKES + 7)
# Links are what leads from one point to another, by a step or a jump, where they are no more than the bits of a word.
# Those that are jumps, a set; the codes of their moves; then, for every six points and whatever of them may be filled,
# which links begin there, end there (where nothing stands), and lead over a piece there, or over none.
LINKS_HEAD, SOME_BITS = 65, 6
SOME = 1 << SOME_BITS
BLOCK = 8  # words of sets in one vector: the sets that `ways` keeps fill whole vectors

# What a player who does not see the end looks at: `measures` describes each. Its weight for a seat is the word
# R_WEIGHTS + FEATURE_COUNT * seat + F_<FEATURE>; the word R_OTHERS says whether the features of the other player count.
FEATURE_COUNT = len(FEATURES)
R_WEIGHTS = R_AT_LINKS + 2
R_OTHERS = R_WEIGHTS + 2 * FEATURE_COUNT
R_TABLES = R_OTHERS + 1


def __getattr__(name: str) -> int:
    feature = name.removeprefix("F_").lower()
    return FEATURES.index(feature) if name.startswith("F_") and feature in FEATURES else constant("points", name)
