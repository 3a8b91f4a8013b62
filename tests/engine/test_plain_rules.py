"""Plain sowing rules: what the compiler knows of them, and the table of laps, change no game."""

from collections.abc import Mapping
from itertools import product

import numpy as np
import pytest

from simulator.engine import kernels
from simulator.engine.documents import parse, with_changes
from simulator.engine.families.sowing.kernel import compiling
from simulator.engine.families.sowing.kernel import rules as rule
from simulator.engine.families.sowing.kernel.sowing import MOST_COUNTERS
from simulator.engine.families.sowing.parameters import PROPERTIES
from simulator.engine.families.sowing.position import Position
from simulator.engine.families.sowing.referee import laps
from simulator.engine.families.sowing.referee.turn import Turn
from simulator.engine.family import family
from simulator.engine.ruleset import Ruleset
from tests.engine.rulesets import SOWING

KALAH, OWARE = SOWING["kalah-reference"], SOWING["oware-reference"]
PLAIN = {
    "kalah": (KALAH, {}),
    "kalah of two holes": (KALAH, {"holes_per_row": "2"}),
    "kalah of three, clockwise": (KALAH, {"holes_per_row": "3", "direction": "clockwise"}),
    "kalah of eight": (KALAH, {"holes_per_row": "8", "counters_per_hole": "7"}),
    "kalah until stuck": (KALAH, {"round_end": "mover_stuck", "stuck": "passes", "store_again": "false"}),
    "kalah on an empty board": (KALAH, {"round_end": "board_empty", "stuck": "passes", "must_feed": "true"}),
    "kalah past the origin": (KALAH, {"origin_passed": "true", "capture_opposite": "either"}),
    "oware": (OWARE, {}),
    "oware of four, clockwise": (OWARE, {"holes_per_row": "4", "direction": "clockwise", "grand_slam": "allowed"}),
    "oware without runs": (OWARE, {"capture_making_run": "false", "grand_slam": "allowed"}),
    "oware of eight": (OWARE, {"holes_per_row": "8", "origin_passed": "false", "repetition_memory": "5"}),
}
LACKING = {
    "first_move_from_end": "opener",
    "singles": "last_hole_alone",
    "relay": "last",
    "pass_over": "3",
    "capture_next": "after_empty",
    "idle_turns": "5",
    "next_round": "refill",
    "direction": "each_turn",
    "holes_per_row": "9",
    "counters_per_hole": "11",  # 132 counters: more than a byte says
}


def compiled(base: Ruleset, changes: Mapping[str, str]) -> np.ndarray:
    return compiling.compile_rules(with_changes(base, changes).parameters)


def rows_of(rules: np.ndarray, games: int = 400) -> np.ndarray:
    kernel = kernels.kernel("sowing")
    position, counts, out, streams = kernels.workspace(kernel.contract, rules)
    rows = np.empty((games, len(family("sowing").measures)), dtype=np.int32)
    kernel.play_games(rules, rows, position, streams, counts, out, 3, 3, 0, 500, 0)
    return rows


@pytest.mark.parametrize("name", PLAIN)
def test_plain_games_are_those_of_code_that_asks_for_every_rule(name):
    rules = compiled(*PLAIN[name])
    assert rules[rule.PLAIN]
    general = rules.copy()
    general[rule.PLAIN] = 0
    assert rows_of(rules).tolist() == rows_of(general).tolist()


def test_the_rulesets_that_are_plain():
    assert {name for name, ruleset in SOWING.items() if compiled(ruleset, {})[rule.PLAIN]} == {
        "kalah-reference",
        "oware-reference",
    }


@pytest.mark.parametrize("key", LACKING)
def test_a_ruleset_with_one_rule_more_is_not_plain(key):
    rules = compiled(KALAH, {key: LACKING[key]})
    assert not rules[rule.PLAIN]
    assert len(rules) == rule.TABLE


def test_what_plain_rules_lack_is_nothing_by_default():
    """A key whose default is a rule could never be absent."""
    defaults = compiling.compile_rules(
        parse({"family": "sowing", "holes_per_row": 6, "counters_per_hole": 4}).parameters
    )
    assert not any(defaults[place] for place in rule.ABSENT)
    assert len({*rule.ABSENT}) == len(rule.ABSENT)


@pytest.mark.parametrize(("store_sown", "origin_passed"), [*product([False, True], [False, True])])
@pytest.mark.parametrize("row", [2, 3, 8])
def test_the_table_of_laps_is_what_the_referee_sows(row, store_sown, origin_passed):
    most = 5 * row
    table = compiling.table_of_laps(row, most, store_sown, origin_passed)
    rules = parse({"family": "sowing", "holes_per_row": row, "counters_per_hole": 4}).parameters
    rules = {**rules, "store_sown": store_sown, "origin_passed": origin_passed}
    for turned, start, hand in product((0, 1), range(2 * row), range(1, most + 1)):
        before = [100] * (2 * row)
        before[start] = hand
        position = Position(row, before[:], [0] * (2 * row), mover=start // row, direction=-1 if turned else 1)
        last, _ = laps.sow(Turn(rules, position), start)
        entry = table[turned, start, hand]
        increments = entry[: rule.ENTRY_LAST].copy().view(np.int8)[: 2 * row]
        assert (increments + before).tolist() == position.holes
        assert (entry[rule.ENTRY_LAST], entry[rule.ENTRY_STORE]) == (last, position.stores[start // row])


def test_no_game_has_too_many_counters_for_a_comparison():
    most = PROPERTIES["holes_per_row"]["maximum"] * PROPERTIES["counters_per_hole"]["maximum"]
    assert 2 * most < MOST_COUNTERS


def test_a_board_begins_with_a_line_of_the_cache():
    for size in range(1, 40):
        board = kernels.aligned(size)
        assert (board.ctypes.data % 64, board.shape, board.any()) == (0, (size,), False)
