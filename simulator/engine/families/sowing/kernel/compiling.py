"""A ruleset's parameters as one array of integers, for the kernel.

A word of text becomes its place in the schema's list, a flag 0 or 1, a list of numbers a set of bits.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np

from simulator.engine.families.sowing.parameters import PROPERTIES
from simulator.engine.schemas import as_number

KEYS = tuple(key for key in PROPERTIES if key != "family")
# A turn of one lap that passes over no hole always ends. The last one asks for the holes as they were before the turn.
LETTING_A_TURN_RUN = ("relay", "capture_making_then", "pass_over", "short_handed", "unfilled_closed", "palm")
LETTING_A_TURN_RUN += ("en_passant_when",)
# Holes are marked when a round is laid out, and when a last counter ties one.
MARKING = ("next_round", "tied_ends")


def compile_rules(parameters: Mapping[str, Any]) -> np.ndarray:
    """int64[len(KEYS) + 2]: the parameters in schema order, then what follows from them."""
    numbers = [as_number(parameters[key], PROPERTIES[key]) for key in KEYS]
    may_be_endless = any(numbers[KEYS.index(key)] for key in LETTING_A_TURN_RUN)
    has_marks = any(numbers[KEYS.index(key)] for key in MARKING)
    return np.array([*numbers, may_be_endless, has_marks], dtype=np.int64)
