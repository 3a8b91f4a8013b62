"""A ruleset's parameters as one array of integers, for the kernel.

A word of text becomes its place in the schema's list, a flag 0 or 1, a list of numbers a set of bits. The names below
are places in that array; a test holds them and the values that the kernel asks for against the schema.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np

from simulator.engine.families.sowing.parameters import PROPERTIES

KEYS = tuple(key for key in PROPERTIES if key != "family")

(R_ROWS, R_ROW, R_FULL, R_DIRECTION, R_STORE_SOWN, R_STORE_AGAIN, R_FIRST_END, R_ENDS_EMPTY, R_SINGLES) = range(9)
(R_SINGLES_EXEMPT, R_MUST_FEED, R_RELAY, R_LAST_EMPTY_ENDS, R_LAP_LIMIT, R_ORIGIN_PASSED, R_PASS_OVER) = range(9, 16)
(R_PASS_JUDGED, R_PASS_NEVER_MARKED, R_PASS_FULL, R_MAKING, R_MAKING_SIDE, R_MAKING_RUN, R_GRAND_SLAM) = range(16, 23)
(R_MAKING_THEN, R_TIED_ENDS, R_TIES_KEPT, R_OPPOSITE, R_OPPOSITE_OWN, R_OPPOSITE_BARRED, R_NEXT) = range(23, 30)
(R_NEXT_HOLES, R_BARRED_LAST, R_BARRED_NEXT, R_ROUND_END, R_STUCK, R_IDLE, R_MEMORY, R_MAJORITY) = range(30, 38)
(R_NEXT_ROUND, R_RUINED, R_EQUAL, R_STARTER, R_EQUAL_STARTER, R_LAYOUT_FROM, R_LAYOUT_TURN, R_REST) = range(38, 46)
(R_REST_ROUND, R_REST_BARRED, R_REST_ALONE, R_MATCHING, R_MATCHING_HOLE, R_MATCHING_ALONE) = range(46, 52)
(R_MATCHING_BARRED, R_CLOSED, R_SHORT, R_SHORT_BELOW, R_SHORT_SURPLUS, R_SHORT_MIXED, R_SHORT_BOTH) = range(52, 59)
(R_LOAN, R_LOAN_WHEN, R_EN_PASSANT, R_PALM, R_PART_HOLE) = range(59, 64)
MAY_BE_ENDLESS, HAS_MARKS = len(KEYS), len(KEYS) + 1  # what follows from the parameters stands behind them

# Values the kernel asks for, by the place of the word in the schema's list.
CHOSEN_ONCE, EACH_TURN = 2, 3
EACH_PLAYER, EACH_ROUND, OPENER = 1, 2, 3
LAST_ALONE, WITHOUT_LARGER, THROUGHOUT = 1, 2, 3
EXEMPT_GAME = 1
RELAY_LAST, RELAY_NEXT = 1, 2
THEN_END, THEN_NEXT_UNLESS_END = 0, 2
EITHER, OWN = 1, 2
BEYOND_EMPTY, OPPOSITE_EMPTY, AFTER_EMPTY = 1, 2, 3
LAST_ENDS, LAST_AS_EMPTY = 0, 1
NEXT_ENDS, NEXT_AFTER_EMPTY, NEXT_EMPTY = 0, 1, 2
ROW_EMPTY, BOARD_EMPTY = 1, 2
EQUAL_DRAW, EQUAL_OPTIONAL = 1, 2
ALTERNATE = 1
SECOND_SEAT = 1
CHOSEN = 1
REST_NEXT, REST_FIRST = 1, 2
SAME, DEFICIT = 1, 2
BY_BORROWING, BY_SHIFTING = 1, 2
OWN_NUMBER, OTHER_NUMBER = 1, 2
FROM_HAND, FROM_PILE = 1, 2


# A turn of one lap that passes over no hole always ends.
LETTING_A_TURN_RUN = ("relay", "capture_making_then", "pass_over", "short_handed", "unfilled_closed", "palm")
# Holes are marked when a round is laid out, and when a last counter ties one.
MARKING = ("next_round", "tied_ends")


def compile_rules(parameters: Mapping[str, Any]) -> np.ndarray:
    """int64[len(KEYS) + 2]: the parameters in schema order, then what follows from them."""
    numbers = [_number(parameters[key], PROPERTIES[key]) for key in KEYS]
    may_be_endless = any(numbers[KEYS.index(key)] for key in LETTING_A_TURN_RUN)
    has_marks = any(numbers[KEYS.index(key)] for key in MARKING)
    return np.array([*numbers, may_be_endless, has_marks], dtype=np.int64)


def _number(value: Any, spec: Mapping[str, Any]) -> int:
    if isinstance(value, list):
        return sum(1 << number for number in value)
    if isinstance(value, str):
        return int(spec["enum"].index(value))
    return int(value)
