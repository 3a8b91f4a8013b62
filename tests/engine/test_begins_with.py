"""Games that begin as after a round: the first layout, worked by hand, and what such a beginning cannot be."""

import pytest

from simulator.engine.documents import with_changes
from simulator.engine.families.sowing.position import BARRED, BLIND, LAY, SOW
from simulator.engine.families.sowing.referee import contract
from simulator.engine.families.sowing.referee.contract import row
from simulator.engine.family import family
from simulator.engine.playout import play_block
from simulator.engine.referee_playout import plies
from simulator.engine.replay import named_row
from simulator.engine.ruleset import RulesetProblem
from tests.engine.boards import rows
from tests.engine.rulesets import RULESETS

FOURS, EMPTY = "4 4 4 4 4 4 4", "0 0 0 0 0 0 0"


def begun(name, owned):
    ruleset = with_changes(RULESETS[name], {"begins_with": str(owned)})
    return ruleset.parameters, contract.start(ruleset.parameters)


def laid(rules, position):
    """Every row that the player who is short may lay, from his left."""
    return [
        rows(contract.play(rules, position, move).position)[position.mover]
        for move in contract.moves(rules, position)
        if contract.play(rules, position, move).position.phase == SOW
    ]


def test_the_richer_row_is_full_and_the_poorer_player_is_to_lay():
    _, position = begun("puhulmutu-parker", 24)
    assert (position.phase, position.mover, position.stores) == (LAY, 0, [24, 32 - 28])
    assert rows(position) == (EMPTY, FOURS)
    _, position = begun("puhulmutu-parker", 47)
    assert (position.phase, position.mover, position.stores) == (LAY, 1, [47 - 28, 9])
    assert rows(position) == (FOURS, EMPTY)


def test_nine_counters_are_laid_as_parker_lays_them():
    """Parker: “he will place two in each of the four holes on the left ; the next two holes will be left empty … ; and
    the ninth seed will be placed in the last hole on the right.” That, three twos with three in the last hole, ones in
    the same way, or the usual fours with a puta; from the left or from the right."""
    rules, position = begun("puhulmutu-parker", 9)
    from_the_left = {"4 4 1p 0 0 0 0", "2 2 2 2 0 0 1", "2 2 2 0 0 0 3", "1 1 1 1 1 1 3", "1 1 1 1 1 0 4"}
    found = [row.replace("x", "0") for row in laid(rules, position)]
    assert len(found) == 10
    assert {row.replace("p", "") for row in found[:5]} == {row.replace("p", "") for row in from_the_left}
    assert [" ".join(reversed(row.split())) for row in found[5:]] == found[:5]


def test_a_single_counter_is_a_puta_or_can_be_played():
    rules, position = begun("puhulmutu-parker", 1)
    usual, short = contract.moves(rules, position)[:2]
    after = contract.play(rules, position, usual).position
    assert (after.marks[0], after.mover) == (BARRED, 1)  # a puta is never picked up: the other player begins
    after = contract.play(rules, position, short).position
    assert (after.holes[0], after.marks[:2], after.mover) == (1, [0, BLIND], 0)


def test_a_remainder_of_later_rounds_is_laid_out_at_once():
    """The paraphrase has them from the third round on: the game begins as after a round that leads to one of those."""
    rules, position = begun("puhulmutu-dlp", 9)
    after = contract.play(rules, position, contract.moves(rules, position)[0]).position
    assert after.holes[:7] == [4, 4, 1, 0, 0, 0, 0]


def test_a_layout_without_a_decision_is_made_before_the_game():
    rules, position = begun("mawkar-katiya-dlp", 33)
    assert position.phase == SOW
    assert rows(position)[0].split()[:6] == ["5"] * 6
    assert sum(position.holes) + sum(position.stores) == 70
    assert contract.moves(rules, position)


@pytest.mark.parametrize(
    ("name", "changes", "message"),
    [
        (
            "puhulmutu-parker",
            {"begins_with": "56"},
            "each player must own at least 1 of the 56.*nearest valid value: 55",
        ),
        ("puhulmutu-ludii", {"begins_with": "1"}, "each player must own at least 2 of the 56.*nearest valid value: 2"),
        ("puhulmutu-parker", {"begins_with": "28"}, "with half of the counters every hole is full"),
        ("puhulmutu-parker", {"begins_with": "9", "layout_from": "kept"}, "a direction that nobody has chosen"),
        ("oware-reference", {"begins_with": "9"}, "begins_with"),
    ],
)
def test_what_is_no_beginning_is_refused(name, changes, message):
    with pytest.raises(RulesetProblem, match=message):
        with_changes(RULESETS[name], changes)


def test_it_is_told_and_no_hole_is_said_to_begin_full():
    ruleset = with_changes(RULESETS["puhulmutu-parker"], {"begins_with": "9"})
    said = family("sowing").sentences(ruleset)
    assert said["begins_with"].startswith(
        "The game begins as after a round that left 9 of the counters to the first player"
    )
    assert said["counters_per_hole"] == "A full hole holds 4 counters."
    said = family("sowing").sentences(RULESETS["puhulmutu-parker"])
    assert said["counters_per_hole"] == "Every hole begins with 4 counters."


def test_recovery_counts_from_all_that_was_laid_out():
    """33 counters: six full holes, and a part hole of 3 that the richer player will own. In this game he has 32 after
    the first round: less than he began with, though more than his 30 in full holes."""
    ruleset = with_changes(RULESETS["mawkar-katiya-dlp"], {"begins_with": "33"})
    seed, game = 20091, 38
    counted = row(plies(ruleset, seed, game), 300, "round")
    assert counted == play_block(ruleset, ("random", "random"), seed, game, 1, 300, "round")[0].tolist()
    found = named_row(ruleset, counted)
    assert (found["first_round_winner"], found["unequal_rounds"], found["recovered_rounds"]) == (1, 1, 0)
