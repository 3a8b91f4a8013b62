"""A ruleset's parameters and its board as one array of integers, for the kernel."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from simulator.engine.boards.race import BOARDS
from simulator.engine.families.race import features
from simulator.engine.families.race.kernel import rules as rule
from simulator.engine.families.race.kernel import tables
from simulator.engine.families.race.kernel.reaches import reaches
from simulator.engine.weights import Weigh, weigh

FITTED = weigh("race")


def compile_rules(parameters: Mapping[str, Any], weights: Weigh = FITTED) -> np.ndarray:
    """The rules as int64[SIZE]: numbers, then tables."""
    rules = np.zeros(rule.SIZE, dtype=np.int64)
    kinds = tables.kinds(parameters)
    for place, number in {**_numbers(parameters), **tables.numbers(parameters, kinds)}.items():
        rules[place] = number
    start = parameters["start_steps"]
    rules[rule.R_START + parameters["pieces"] - len(start) : rule.R_START + parameters["pieces"]] = start
    for place, row in tables.rows(parameters, kinds):
        rules[place : place + len(row)] = row
    weighs = weights(features.kind_of_game(parameters), features.EACH)
    for place, name in enumerate(features.FEATURES):
        rules[rule.WEIGHTS + place] = weighs.get(name, 0) if name in features.in_force(parameters, 0) else 0
    rules[rule.OTHERS] = weighs.get("others", 1)
    rules[rule.REACHES : rule.SIZE] = reaches(parameters)
    return rules


def _numbers(parameters: Mapping[str, Any]) -> dict[int, int]:
    """What follows from single parameters."""
    board, entry = BOARDS[parameters["board"]], parameters["entry"]
    home, home_row = tables.ends(parameters)
    barred = home_row + (parameters["bar_squares"] == "with_row_end")
    one_at_a_time = parameters["series"] == "one_at_a_time"
    return {
        rule.R_SEATS: parameters["seats"],
        rule.R_PIECES: parameters["pieces"],
        rule.R_TEAMS: parameters["teams"] == "opposite",
        rule.R_HOME: home,
        rule.R_BARRED: barred,
        rule.R_CORNER: home_row - board.home_row - board.opposite_lag,
        rule.R_COWRIES: parameters["cowries"],
        rule.R_UP: parameters["mouth_chance"][0],
        rule.R_OF: parameters["mouth_chance"][1],
        rule.R_OUTCOMES: len(tables.outcomes(parameters)),
        rule.R_DICE: parameters["dice"],
        rule.R_LIMIT: 1 if one_at_a_time else parameters["series_limit"],
        rule.R_ONE_AT_A_TIME: one_at_a_time,
        rule.R_CANCEL_AFTER: parameters["cancel_after"],
        rule.R_CANCEL_SAME: parameters["cancel_same"],
        rule.R_CANCELS_LAST: parameters["cancelled"] == "last_throw",
        rule.R_FREE: parameters["division"] == "free",
        rule.R_ADDED_UP: {"each_throw": 0, "total": 1, "either": 2}[parameters["series_played"]],
        rule.R_WALKS_ON: entry == "walks_on",
        rule.R_GOES_ON: entry == "walks_on" or (entry == "by_score" and parameters["entry_spends"] == "its_score"),
        rule.R_ENTER_DOUBLE: parameters["enter_double"] if entry == "by_double" else 0,
        rule.R_FIRST: bool(parameters["first_enter_scores"]),
        rule.R_PAIRS: parameters["pairs_reenter"],
        rule.R_SENDS_BACK: {"off": 0, "landing": 1, "landing_or_passing": rule.PASSING}[parameters["sends_back"]],
        rule.R_NO_PASSING: parameters["no_passing"],
        rule.R_BAR: parameters["partner_bar"],
        rule.R_PAST: barred - board.opposite_lag,
        rule.R_DECLINE: parameters["may_decline"],
        rule.R_NEXT_SEAT: 1 if parameters["turn_order"] == "with_the_pieces" else parameters["seats"] - 1,
        rule.R_FOR_PARTNER: parameters["finished_player"] == "throws_for_partner",
        rule.R_CLOSED: parameters["safe_meeting"] == "passed_over",
        rule.R_APART: parameters["pairs_apart"],
        rule.R_ANY_DIE: parameters["exit_alone"] == "any_die",
    }
