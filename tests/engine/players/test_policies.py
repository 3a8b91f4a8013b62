"""Policies: what a source advises, played; each by hand, and all as their weights say in plain Python."""

import json
import re
from pathlib import Path

import numpy as np
import pytest

from simulator.engine.boards.points import BOARDS
from simulator.engine.families.points.position import LAY, Position
from simulator.engine.families.race.kernel import contract
from simulator.engine.families.race.position import Position as RacePosition
from simulator.engine.players import search
from simulator.engine.players.names import FIRST, PlayersProblem, player, players_for, policies, policies_for
from simulator.engine.players.wording import in_words
from simulator.engine.weights import weigh_as
from tests.engine.players import plain_players
from tests.engine.rulesets import RULESETS

EVIDENCE = Path(__file__).parents[3] / "fixtures" / "evidence.json"
PLAYED = {name: [slug for slug in RULESETS if f"policy:{name}" in policies_for(RULESETS[slug])] for name in policies()}


def test_the_advice_is_in_the_words_of_the_record():
    rows = [row["fields"] for row in json.loads(EVIDENCE.read_text(encoding="utf-8"))]
    records = {row["identifier"]: re.sub(r"\s+", " ", row["quotation"]) for row in rows if "quotation" in row}
    for name, policy in policies().items():
        assert policy.quotation in records[policy.record], name


def test_a_policy_is_for_the_rulesets_of_its_game():
    assert PLAYED["together"] == PLAYED["up_together"] == PLAYED["up_together_greedy"]
    assert PLAYED["together"] == PLAYED["chop"] == ["saturankam-dlp", "saturankam-parker"]
    assert PLAYED["apex"] == [slug for slug in RULESETS if slug.startswith("hat-diviyan")]
    assert PLAYED["safe"] == PLAYED["centre"] == PLAYED["imprison"]
    assert PLAYED["imprison"] == [slug for slug in RULESETS if slug.startswith("diviyan")]
    assert PLAYED["enclose"] == ["koti-keliya-ludii", "koti-keliya-parker"]
    assert {slug.rsplit("-", 1)[0] for slug in PLAYED["eat"]} == {
        "puhulmutu",
        "walak-pussa",
        "daramuti",
        "kotu-baendum",
    }
    assert PLAYED["strike"] == [slug for slug in RULESETS if slug.startswith(("kotu-ellima", "peralikatuma"))]
    assert PLAYED["niranchy"] == [slug for slug in RULESETS if slug.startswith("niranchy")]


@pytest.mark.parametrize(
    ("slug", "line", "message"),
    [
        (
            "kalah-reference",
            "policy:together",
            r"for Saturankam.*nearest is 'greedy' \(of policies there is none\)",
        ),
        (
            "saturankam-dlp",
            "policy:apex,random",
            r"nearest is 'policy:chop' \(of policies there are policy:chop",
        ),
        ("saturankam-dlp", "policy:togther", "no policy is called 'togther'; the nearest is 'together'"),
    ],
)
def test_a_policy_of_another_game_is_refused_by_name(slug, line, message):
    with pytest.raises(PlayersProblem, match=message):
        players_for(RULESETS[slug], line)


def test_names_and_words():
    assert str(player("policy:together")) == "policy:together"
    assert players_for(RULESETS["saturankam-dlp"], "policy:together,uct:9") == ("policy:together", "uct:9")
    words = "a policy that brings the counters up to the centre together (Parker 1909: 605–607), against random"
    assert in_words("policy:up_together,random") == words


@pytest.mark.by_turns
@pytest.mark.parametrize(
    ("slug", "kind"),
    [
        ("kotu-ellima-ludii", "draughts"),
        ("kotu-ellima-dlp", "war"),
        ("diviyan-keliya-dlp", "war"),
        ("dam-dlp", "hunt"),  # which has weights for the fewer and the more, and none for as many
        ("kalah-reference", "relay until the board is empty"),
        ("kawade-kelia-dlp", "cross_8"),
    ],
)
def test_greedy_may_have_the_weights_of_another_kind_of_game(slug, kind):
    """The compiled player against the words in plain Python; what a ruleset does not have weighs nothing."""
    game = plain_players.Game(RULESETS[slug], weigh_as(RULESETS[slug].family, kind))
    plays_as_its_weights_say(game, f"greedy:weights={kind.replace(' ', '_')}")


@pytest.mark.by_turns
@pytest.mark.parametrize(("name", "slug"), [(name, slugs[-1]) for name, slugs in PLAYED.items()])
def test_a_policy_plays_what_its_weights_say(name, slug):
    plays_as_its_weights_say(plain_players.Game(RULESETS[slug], policies()[name].weigh), f"policy:{name}")


def plays_as_its_weights_say(game, name):
    position, own = plain_players.start(game, 3)
    choices, moves = plain_players.search_draws(99, 0, 0)[8], []
    for ply in range(24):
        options = game.moves(position)
        if not options:
            break  # the game is over
        if ply % 3 == 0 and len(options) > 1:
            draws = plain_players.search_draws(3, 0, ply)
            expected = plain_players.greedy(game, position, draws)
            assert search.choose(game.ruleset, name, 3, moves) == expected
        moves.append(options[choices.below(len(options))])
        position = game.play(position, moves[-1], own).position


def laid(slug: str, policy: str, **sides: str) -> str:
    """Where the policy lays in a position with these men of either side."""
    rules = RULESETS[slug].parameters
    board = BOARDS[rules["board"]]
    men = [{board.number(name) for name in sides[side].split()} for side in ("first", "second")]
    hands = [rules[f"{side}_pieces"] - len(own) for side, own in zip(("first", "second"), men, strict=True)]
    mover = int(sum(map(len, men)) % 2)
    position = Position(len(board.points), men=men, hands=hands, mover=mover, board=board.name)
    move = search.choose(RULESETS[slug], f"policy:{policy}", 5, [], position.words())
    assert LAY <= move < len(board.points)
    return board.points[move].name


def test_the_tiger_begins_on_the_apex_the_leopard_at_the_centre():
    for seed in range(8):
        assert search.choose(RULESETS["hat-diviyan-keliya-ludovisi"], "policy:apex", seed, []) == LAY + 9  # b4
        assert search.choose(RULESETS["diviyan-keliya-parker"], "policy:centre", seed, []) == LAY + 24  # e5


def test_a_row_is_made_before_another_is_stopped():
    """On three squares a1, d1, g1 are a row, and a7, d7, g7."""
    assert laid("nine-mens-morris-reference", "nerenchi", first="a1 d1", second="a7 d7") == "g1"
    assert laid("nine-mens-morris-reference", "nerenchi", first="a1 d1 b2", second="a7 d7") == "g7"


def worth_of_pieces(policy: str, own: list[int], other: list[int]) -> int:
    """What the first player's pieces are worth by the compiled evaluation of a policy, as the position stands."""
    rules = RULESETS["saturankam-parker"]
    arrays = search.SearchArrays(rules, (f"policy:{policy}", "random"), "game")
    position = RacePosition(rules.parameters, [own, other])
    words = np.array(position.words(), dtype=arrays.position.dtype)
    arrays.position[: len(words)] = words
    return int(contract.evaluate(arrays.rules_of[0], arrays.position, 0))


def test_an_advice_on_the_approach_holds_near_the_goal_only():
    """Saturankam has 81 steps to home: the foremost counter is within twenty-four squares of it from the 57th on."""
    assert worth_of_pieces("up_together", [10, 56], [1, 1]) == 0
    assert worth_of_pieces("up_together", [10, 57], [1, 1]) == 10 - 57
    assert worth_of_pieces("up_together", [10, 57], [1, 70]) == 10 - 57  # whatever the other's are
    assert worth_of_pieces("together", [10, 56], [1, 1]) == 10 - 56  # all the way
    # "Not to pass one out before the other is close": nothing costs more, and close by it costs hardly anything.
    assert worth_of_pieces("up_together", [10, 81], [1, 1]) < worth_of_pieces("up_together", [10, 80], [1, 1])
    assert worth_of_pieces("up_together", [78, 81], [1, 1]) == 78 - 81
    far = worth_of_pieces("up_together_greedy", [10, 56], [1, 1])
    near = worth_of_pieces("up_together_greedy", [10, 57], [1, 1])
    assert far - near > FIRST * (57 - 10) - FIRST  # but for what one step more is worth to the greedy player
    assert abs(far) < FIRST
