"""Where the numbers of a ruleset stand in the kernel's array of rules, and the values that the kernel asks for.

A test holds both against the schema.
"""

from typing import Any

from numba.extending import intrinsic

from simulator.engine.families.sowing.kernel.known import Rules, known_words
from simulator.engine.families.sowing.position import MANY

(R_ROWS, R_ROW, R_FULL, R_DIRECTION, R_STORE_SOWN, R_STORE_AGAIN, R_FIRST_END, R_ENDS_EMPTY) = range(8)
(R_SINGLES, R_SINGLES_EXEMPT, R_SINGLES_BELOW, R_MUST_FEED, R_RELAY, R_LAST_EMPTY_ENDS, R_LAP_LIMIT) = range(8, 15)
(R_ORIGIN_PASSED, R_PASS_OVER, R_PASS_JUDGED, R_PASS_NEVER_MARKED, R_PASS_FULL, R_MAKING) = range(15, 21)
(R_MAKING_SIDE, R_MAKING_RUN, R_GRAND_SLAM, R_MAKING_THEN, R_TIED_ENDS, R_TIES_KEPT, R_OPPOSITE) = range(21, 28)
(R_OPPOSITE_OWN, R_OPPOSITE_BARRED, R_NEXT, R_NEXT_HOLES, R_BARRED_LAST, R_BARRED_NEXT) = range(28, 34)
(R_BARRED_IN_CHAIN, R_BLIND_NEXT, R_ROUND_END, R_STUCK, R_IDLE, R_MEMORY, R_MAJORITY, R_NEXT_ROUND) = range(34, 42)
(R_RUINED, R_EQUAL, R_STARTER, R_EQUAL_STARTER, R_LAYOUT_FROM, R_LAYOUT_TURN, R_REST, R_REST_ROUND) = range(42, 50)
(R_REST_BARRED, R_REST_ALONE, R_MATCHING, R_MATCHING_HOLE, R_MATCHING_ALONE, R_MATCHING_BARRED) = range(50, 56)
(R_CLOSED, R_SHORT, R_SHORT_BELOW, R_SHORT_SURPLUS, R_SHORT_MIXED, R_SHORT_HOLES, R_SHORT_BOTH) = range(56, 63)
(R_SHORT_USUAL, R_SHORT_THEN, R_LOAN, R_LOAN_WHEN, R_EN_PASSANT, R_EN_PASSANT_WHEN) = range(63, 69)
(R_PALM, R_PART_HOLE, R_BEGINS_WITH) = range(69, 72)
# What follows from the parameters stands behind them. A ruleset is plain if it has no rule of ABSENT, at most eight
# holes a row and few enough counters for its table of laps, which then comes last. HANDS is one more than its largest
# hand. An entry, for each direction, hole and hand: increments of sixteen holes, a byte each; the place of the last
# counter (-1: the store); how many fall into the store.
# Before it stands what each feature weighs: HOLES_OF + number, for which an empty hole is none, and weighs nothing.
MAY_BE_ENDLESS, HAS_MARKS, MAY_TURN, PLAIN, HANDS, WEIGHTS = range(72, 78)
STORE, ROW, HOLES_OF = WEIGHTS, WEIGHTS + 1, WEIGHTS + 2
TO_STORE, TEMPO, OTHERS, TABLE = range(HOLES_OF + MANY + 1, HOLES_OF + MANY + 5)  # OTHERS: whether theirs counts
ENTRY, ENTRY_LAST, ENTRY_STORE = 4, 2, 3
ABSENT = (R_FIRST_END, R_SINGLES, R_SINGLES_EXEMPT, R_RELAY, R_PASS_OVER, R_MAKING_THEN, R_TIED_ENDS, R_NEXT, R_IDLE)
ABSENT += (R_NEXT_ROUND, R_SHORT, R_LOAN, R_EN_PASSANT, R_PALM, MAY_BE_ENDLESS, HAS_MARKS, MAY_TURN)

# Values the kernel asks for, by the place of the word in the schema's list.
CHOSEN_ONCE, EACH_TURN = 2, 3
EACH_PLAYER, EACH_ROUND, OPENER = 1, 2, 3
LAST_ALONE, WITHOUT_LARGER, THROUGHOUT = 1, 2, 3
EXEMPT_GAME = 1
RELAY_LAST, RELAY_NEXT, RELAY_OPPOSITE = 1, 2, 3
THEN_END, THEN_NEXT, THEN_NEXT_UNLESS_END = 0, 1, 2
SHORT_THEN_END = 1
EITHER, OWN = 1, 2
BEYOND_EMPTY, OPPOSITE_EMPTY, AFTER_EMPTY = 1, 2, 3
LAST_ENDS, LAST_AS_EMPTY = 0, 1
NEXT_ENDS, NEXT_AFTER_EMPTY, NEXT_EMPTY = 0, 1, 2
CHAIN_ABSENT, CHAIN_ENDS = 1, 2
BLIND_EMPTY = 1
ROW_EMPTY, BOARD_EMPTY = 1, 2
EQUAL_DRAW, EQUAL_OPTIONAL = 1, 2
ALTERNATE = 1
SECOND_SEAT = 1
FROM_LEFT, CHOSEN = 0, 1
SOME_EMPTY = 1
REST_NEXT, REST_FIRST = 1, 2
SAME, DEFICIT = 1, 2
BY_BORROWING, BY_SHIFTING = 1, 2
OWN_NUMBER, OTHER_NUMBER = 1, 2
AFTER_SOWING = 1
FROM_HAND, FROM_PILE = 1, 2

ANY_RULES = Rules("AnyRules", {PLAIN: 0})
PLAIN_RULES = Rules("PlainRules", {PLAIN: 1, **dict.fromkeys(ABSENT, 0)})


@intrinsic
def any_rules(typing_context: Any, rules: Any) -> Any:
    """The words of an array of rules, whatever they are."""
    return known_words(rules, ANY_RULES)


@intrinsic
def plain_rules(typing_context: Any, rules: Any) -> Any:
    """The words of an array of rules that are plain."""
    return known_words(rules, PLAIN_RULES)
