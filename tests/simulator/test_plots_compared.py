"""The curves of several rulesets in one drawing: as told, as numbered, and not beyond the smallest cap."""

import re

from simulator.plots import lines
from tests.simulator.synthetic_games import CONTEXT

FAST = {"turn": [0, 10, 20], "running": [1.0, 0.5, 0.0], "low": [1.0, 0.45, 0.0], "high": [1.0, 0.55, 0.02]}
SLOW = {"turn": [0, 40, 80], "running": [1.0, 0.8, 0.25], "low": [1.0, 0.75, 0.2], "high": [1.0, 0.85, 0.3]}
ABOUT = {**CONTEXT, "ruleset": ["ab12cd34" * 8, "0011eeff" * 8]}


def drawing(names=("daramuti-parker", "daramuti-ludii"), cap=60):
    return lines.draw_compared_lengths([FAST, SLOW], names, ABOUT, cap)


def test_each_curve_is_named_by_what_its_ruleset_does_not_share():
    svg = drawing().svg
    assert "1. parker 0.0 %" in svg
    assert "2. ludii 80.0 %" in svg
    assert "1. daramuti-parker" in drawing(("daramuti-parker", "walak-pussa-parker")).svg
    assert "2. parker" in drawing(("parker", "parker")).svg


def test_nothing_is_told_beyond_the_cap():
    table = drawing(cap=60).table
    assert table["columns"] == ["Turn", "daramuti-parker", "daramuti-ludii"]
    assert table["rows"][-1] == ["40", "0.00 % (0.00 % to 2.00 %)", "80.00 % (75.00 % to 85.00 %)"]
    assert drawing(cap=100).table["rows"][-1][0] == "80"


def test_between_two_turns_the_share_is_that_of_the_earlier():
    rows = {row[0]: row for row in drawing().table["rows"]}
    assert rows["15"][1].startswith("50.00 %")


def test_sheet_names_its_rulesets_and_has_a_description():
    found = drawing()
    assert "rulesets ab12cd34, 0011eeff" in found.svg
    assert re.search(r"<title[^>]*>Games still running by turn", found.svg)
    assert "0.0 % under daramuti-parker, 80.0 % under daramuti-ludii" in found.description


def test_the_same_numbers_give_the_same_bytes():
    assert drawing().svg == drawing().svg
