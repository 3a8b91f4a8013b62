"""A ruleset's parameters and its board as one array of integers, for the kernel."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from simulator.engine.boards.race import BOARDS
from simulator.engine.families.race.kernel import tables
from simulator.engine.families.race.kernel.rules import (
    PASSING,
    R_ADDED_UP,
    R_BAR,
    R_CANCEL_AFTER,
    R_CANCEL_SAME,
    R_CANCELS_LAST,
    R_CORNER,
    R_COWRIES,
    R_DECLINE,
    R_DICE,
    R_ENTER_DOUBLE,
    R_FACES,
    R_FIRST,
    R_FREE,
    R_GOES_ON,
    R_HOME,
    R_HOME_ROW,
    R_LIMIT,
    R_NO_PASSING,
    R_OF,
    R_ONE_AT_A_TIME,
    R_PAIRS,
    R_PAST,
    R_PIECES,
    R_SEATS,
    R_SENDS_BACK,
    R_START,
    R_TEAMS,
    R_UP,
    R_WALKS_ON,
    SIZE,
)


def compile_rules(parameters: Mapping[str, Any]) -> np.ndarray:
    """The rules as int64[SIZE]: numbers, then tables."""
    rules = np.zeros(SIZE, dtype=np.int64)
    kinds = tables.kinds(parameters)
    for place, number in {**_numbers(parameters), **tables.numbers(parameters, kinds)}.items():
        rules[place] = number
    start = parameters["start_steps"]
    rules[R_START + parameters["pieces"] - len(start) : R_START + parameters["pieces"]] = start
    for place, row in tables.rows(parameters, kinds):
        rules[place : place + len(row)] = row
    return rules


def _numbers(parameters: Mapping[str, Any]) -> dict[int, int]:
    """What follows from single parameters."""
    board, entry = BOARDS[parameters["board"]], parameters["entry"]
    home, home_row = tables.ends(parameters)
    one_at_a_time = parameters["series"] == "one_at_a_time"
    return {
        R_SEATS: parameters["seats"],
        R_PIECES: parameters["pieces"],
        R_TEAMS: parameters["teams"] == "opposite",
        R_HOME: home,
        R_HOME_ROW: home_row,
        R_CORNER: home_row - board.home_row - board.opposite_lag,
        R_COWRIES: parameters["cowries"],
        R_UP: parameters["mouth_chance"][0],
        R_OF: parameters["mouth_chance"][1],
        R_FACES: len(parameters["die_faces"]),
        R_DICE: parameters["dice"],
        R_LIMIT: 1 if one_at_a_time else parameters["series_limit"],
        R_ONE_AT_A_TIME: one_at_a_time,
        R_CANCEL_AFTER: parameters["cancel_after"],
        R_CANCEL_SAME: parameters["cancel_same"],
        R_CANCELS_LAST: parameters["cancelled"] == "last_throw",
        R_FREE: parameters["division"] == "free",
        R_ADDED_UP: {"each_throw": 0, "total": 1, "either": 2}[parameters["series_played"]],
        R_WALKS_ON: entry == "walks_on",
        R_GOES_ON: entry == "walks_on" or (entry == "by_score" and parameters["entry_spends"] == "its_score"),
        R_ENTER_DOUBLE: parameters["enter_double"] if entry == "by_double" else 0,
        R_FIRST: bool(parameters["first_enter_scores"]),
        R_PAIRS: parameters["pairs_reenter"],
        R_SENDS_BACK: {"off": 0, "landing": 1, "landing_or_passing": PASSING}[parameters["sends_back"]],
        R_NO_PASSING: parameters["no_passing"],
        R_BAR: parameters["partner_bar"],
        R_PAST: home_row - board.opposite_lag,
        R_DECLINE: parameters["may_decline"],
    }
