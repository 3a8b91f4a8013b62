"""The plan of laying: whose pieces, how many in a turn, where, and what else holds. Positions worked by hand."""

import pytest

from simulator.engine.documents import parse
from simulator.engine.family import family
from simulator.engine.games import Game
from simulator.engine.ruleset import RulesetProblem
from tests.engine.agreement import assert_engines_agree
from tests.engine.cases import DOCUMENTS

GRID = {"shapes": [{"grid": [5, 5]}]}
FOUR = {"family": "points", "board": GRID, "first_pieces": 4, "second_pieces": 4}


def game(moves, laying, **rules):
    played = Game(parse({**FOUR, "laying": laying, **rules}))
    for move in moves.split():
        played.play(move)
    return played


def legal(moves, laying, **rules):
    return set(game(moves, laying, **rules).legal_moves)


def test_two_are_laid_in_a_turn_and_none_in_the_centre():
    plan = [{"at_once": 2, "outside": "centre"}]
    assert "+c3" not in legal("", plan)
    assert [game("+a1 +a2 +e1"[: 4 * n], plan).session.mover for n in range(4)] == [0, 0, 1, 1]
    assert game("+a1 +a2 +e1 +e2", plan).session.mover == 0


def test_an_odd_piece_is_laid_alone():
    played = game("+a1 +a2 +a3 +e1 +e2 +e3 +a4", [{"at_once": 3}])
    assert played.session.mover == 1


def test_the_first_piece_has_its_point_the_others_a_region():
    plan = [{"by": "first", "pieces": 1, "within": "centre"}, {"by": "first", "within": "low"}]
    low = {"regions": {"low": ["a1-e2"]}}
    assert legal("", plan, **low) == {"+c3"}
    assert len(legal("+c3", plan, **low)) == 24
    assert legal("+c3 +a1", plan, **low) == {f"+{file}{rank}" for file in "abcde" for rank in (1, 2)} - {"+a1"}


def test_no_row_is_formed_while_pieces_are_laid():
    rows = {"row_length": 3, "line_moving": "win"}
    assert "+c1" not in legal("+a1 +e1 +b1 +e2", [{"rows": "forbidden"}], **rows)
    assert "+c1" in legal("+a1 +e1 +b1 +e2", [{"rows": "forbidden", "by": "second"}], **rows)
    assert "+e3" not in legal("+a1 +e1 +b1 +e2 +c2", [{"rows": "forbidden", "by": "second"}], **rows)


def test_a_piece_is_moved_instead():
    assert {"+a2", "a1-a2"} <= legal("+a1 +e1", [{"moving": "instead"}])
    assert "a1-a2" not in legal("+a1 +e1", [])
    jumps = {"captures_by": "both", "capture_compulsory": True}
    assert legal("+a1 +a2", [{"moving": "instead"}], **jumps) == {"a1xa3"}


def test_a_laying_is_answered_by_a_laying_once():
    """Who lays of his own accord calls on the other to lay; who answers calls on nobody."""
    plan = [{"moving": "answered"}]
    assert not any("-" in move for move in legal("+a1", plan))
    assert "a1-a2" in legal("+a1 +e1", plan)
    assert {"e1-e2", "+e2"} <= legal("+a1 +e1 a1-a2", plan)
    assert not any("-" in move for move in legal("+a1 +e1 a1-a2 +e2", plan))


@pytest.mark.parametrize(
    ("plan", "rules", "words"),
    [
        ([{"pieces": 4}, {"by": "first", "pieces": 1}], {}, "laying/1: never fires"),
        ([{"within": "centre"}], {}, "laying/0/within: 4 pieces are laid on 1 points"),
        ([{"at_once": 5}], {}, "laying/0/at_once: the row holds for 4 pieces .nearest valid value: 4"),
        ([{"rows": "forbidden"}], {}, "laying/0/rows: the board .* has no rows of three"),
        ([{"within": "castle"}], {}, "laying/0/within: no region is called castle"),
        ([{"moving": "instead"}], {"laying_ends": "both_hands"}, "laying/0/moving: never fires"),
        ([{"at_once": 2, "moving": "instead"}], {}, "laying/0/moving: cannot be"),
        ([{"at_once": 2}], {"first_array": ["a1-d1"], "second_array": ["a5-d5"]}, "laying: never fires: no player"),
        ([{"in": "centre"}], {}, "laying/0/in"),
    ],
)
def test_what_cannot_be_is_refused_by_place(plan, rules, words):
    with pytest.raises(RulesetProblem, match=words):
        parse({**FOUR, "laying": plan, **rules})


def test_a_plan_in_words():
    ruleset = parse({**FOUR, "laying": [{"by": "first", "pieces": 1, "within": "centre"}, {"at_once": 2}]})
    assert [said for _, said in family("points").rows("laying", ruleset.parameters)] == [
        "The first player lays his next piece, one in a turn, on points of this region: centre; rows may be formed, "
        "and pieces are moved when laying is over.",
        "Each player lays all pieces that are left, 2 in a turn, on any vacant point; rows may be formed, "
        "and pieces are moved when laying is over.",
    ]


@pytest.mark.parametrize("name", ["two laid in a turn", "a plan in parts", "laying or moving", "answered layings"])
def test_both_engines_play_them_alike(name):
    assert_engines_agree(parse(DOCUMENTS[name]), games=4, cap=100)
