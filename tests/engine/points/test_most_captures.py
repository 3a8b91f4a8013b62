"""Captures that take the most: positions worked by hand, and both engines over whole games."""

import pytest

from simulator.engine.documents import parse
from simulator.engine.ruleset import RulesetProblem
from tests.engine.agreement import assert_engines_agree
from tests.engine.cases import DOCUMENTS
from tests.engine.points.positions import moves, play, position, rules

DRAUGHTS = {
    "family": "points",
    "board": "chequered_8",
    "first_pieces": 12,
    "second_pieces": 12,
    "captures_by": "both",
    "chain": "must_go_on",
}
KINGS = {"kings": "short", "first_crowned_at": ["a8-h8"], "second_crowned_at": ["a1-h1"]}
FREE, MOST = rules(**DRAUGHTS), rules(**DRAUGHTS, most_captures="most")
RANKED = parse({**DRAUGHTS, **KINGS, "most_captures": "most_then_kings"}).parameters


def jumps(ruled, *places, **more):
    return [move for move in moves(ruled, position(ruled, *places, **more)) if "x" in move]


def test_two_pieces_are_taken_rather_than_one():
    stand = "a1 e1", "b2 d4 f2"
    assert jumps(FREE, *stand) == ["a1xc3", "e1xg3"]
    assert jumps(MOST, *stand) == ["a1xc3"]


def test_a_piece_goes_on_where_it_takes_more():
    after = play(MOST, position(MOST, "a1", "b2 b4 d4 f6"), "a1xc3").position
    assert moves(MOST, after) == ["c3xe5"]
    after = play(FREE, position(FREE, "a1", "b2 b4 d4 f6"), "a1xc3").position
    assert moves(FREE, after) == ["c3xa5", "c3xe5"]


def test_of_captures_of_as_many_any_is_made():
    assert jumps(MOST, "a1 g1", "b2 f2") == ["a1xc3", "g1xe3"]


def test_of_as_many_a_king_takes_first_and_kings_are_taken_first():
    assert jumps(RANKED, "a1", "b2 f2", kings=("g1", "")) == ["g1xe3"]
    assert jumps(RANKED, "a1 g1", "f2", kings=("", "b2")) == ["a1xc3"]
    assert jumps(RANKED, "a1 e1", "b2 d4", kings=("", "f2")) == ["a1xc3"]  # more pieces come before kings


def test_steps_are_free_unless_capture_is_compulsory():
    stand = "a1 e1", "b2 d4 f2"
    assert "e1-d2" in moves(MOST, position(MOST, *stand))
    compulsory = rules(**DRAUGHTS, most_captures="most", capture_compulsory=True)
    assert moves(compulsory, position(compulsory, *stand)) == ["a1xc3"]


def test_it_needs_captures_that_go_on():
    with pytest.raises(RulesetProblem, match="most_captures: never fires unless chain is"):
        parse({**DRAUGHTS, "chain": "may_go_on", "most_captures": "most"})


@pytest.mark.parametrize("name", ["captures of the most", "the most, then kings"])
def test_both_engines_play_them_alike(name):
    assert_engines_agree(parse(DOCUMENTS[name]), games=4, cap=100)
