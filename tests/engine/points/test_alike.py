"""Where two sides of a points game are alike, who begins is only a name."""

import pytest

from simulator.engine import playout
from simulator.engine.documents import with_changes
from simulator.engine.family import family
from tests.engine.rulesets import RULESETS

POINTS = family("points")


@pytest.mark.parametrize(
    ("name", "alike"),
    [
        ("nerenchi-keliya-parker", True),  # both lay from one supply of twenty-two
        ("kotu-ellima-ludovisi", True),  # each array is the other turned by half
        ("dam-parker", True),
        ("niranchy-ludovisi", True),
        ("niranchy-dlp", False),  # one aligns, the other blocks
        ("hat-diviyan-keliya-ludovisi", False),  # a tiger against leopards
        ("diviyan-keliya-parker", False),
    ],
)
def test_sides_are_alike_where_a_turn_of_the_board_swaps_them(name: str, alike: bool) -> None:
    assert POINTS.sides_are_alike(RULESETS[name].parameters) == alike


def test_one_piece_elsewhere_makes_the_sides_differ() -> None:
    ruleset = RULESETS["peralikatuma-parker"]
    assert POINTS.sides_are_alike(ruleset.parameters)
    others = [name for name in ruleset.parameters["second_array"] if name != "c6"]
    assert not POINTS.sides_are_alike({**ruleset.parameters, "second_array": [*others, "d5"]})
    assert not POINTS.sides_are_alike({**ruleset.parameters, "second_stuck": "passes"})


def test_who_begins_changes_the_names_of_the_winners() -> None:
    """Nerenchi: the beginner wins as often, whoever begins, within 4.2 standard errors."""
    ruleset, games = RULESETS["nerenchi-keliya-parker"], 1_000
    column = [measure.name for measure in POINTS.measures].index("winners")
    beginners = []
    for begins, mask in (("first", 1), ("second", 2)):
        one = with_changes(ruleset, {"begins": begins})
        rows = playout.play_block(one, ("random", "random"), 1, 0, games, 2_000, "game")
        beginners.append(float((rows[:, column] == mask).mean()))
    assert abs(beginners[0] - beginners[1]) < 4.2 * (0.5 / games) ** 0.5
