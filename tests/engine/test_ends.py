"""Which ends the rules of a game allow: what is not among them cannot happen, and is never counted."""

import pytest

from simulator.engine import playout
from simulator.engine.documents import with_changes
from simulator.engine.ends import DRAW, ENDLESS, UNFINISHED, WIN
from simulator.engine.families.sowing.kernel.compiling import LETTING_A_TURN_RUN
from simulator.engine.families.sowing.parameters import RUNNING_ON
from simulator.engine.family import family
from tests.engine.rulesets import RULESETS

GAMES = 300


@pytest.mark.parametrize(
    ("name", "draw", "endless"),
    [
        ("asi-keliya-dlp", False, False),  # whoever has all pieces home has won
        ("walak-pussa-ludii", False, True),  # “Equal numbers are no draw; the next round is laid out.”
        ("puhulmutu-dlp", False, True),  # “here play goes on”
        ("puhulmutu-parker", True, True),  # “it is optional to consider the game ended in a draw”
        ("kalah-reference", True, False),  # one round, and a turn of one lap
        ("english-draughts-reference", True, False),
        ("dam-parker", False, False),  # no rule of Parker's draws a game
    ],
)
def test_what_the_words_leave_open_can_happen(name: str, draw: bool, endless: bool) -> None:
    ruleset = RULESETS[name]
    possible = family(ruleset.family).possible_ends(ruleset.parameters)
    assert (DRAW in possible, ENDLESS in possible) == (draw, endless)
    assert {WIN, UNFINISHED} <= possible


@pytest.mark.parametrize("name", sorted(RULESETS))
def test_no_game_ends_as_its_rules_do_not_allow(name: str) -> None:
    ruleset = RULESETS[name]
    kind = family(ruleset.family)
    rows = playout.play_block(ruleset, ("random",) * kind.seats(ruleset.parameters), 1, 0, GAMES, 2_000, "game")
    assert set(rows[:, 0].tolist()) <= kind.possible_ends(ruleset.parameters)


def test_a_rule_of_draws_makes_draws_possible() -> None:
    dam = RULESETS["dam-parker"]
    for key, value in (("repetition", "3"), ("idle_turns", "40"), ("turn_limit", "200")):
        changed = with_changes(dam, {key: value})
        assert DRAW in family("points").possible_ends(changed.parameters), key


def test_a_first_round_may_end_equal_whatever_follows_it() -> None:
    ruleset = RULESETS["puhulmutu-dlp"]
    assert DRAW in family("sowing").possible_ends(ruleset.parameters, until_round=True)


def test_a_turn_runs_on_by_the_same_rules_in_both_engines() -> None:
    assert set(RUNNING_ON) == set(LETTING_A_TURN_RUN)
