"""Rows that are part of a line, goals, jumps sideways, and who wins when time is out: positions worked by hand."""

import pytest

from simulator.engine.documents import parse
from simulator.engine.family import family
from simulator.engine.games import Game
from simulator.engine.ruleset import RulesetProblem
from tests.engine.agreement import assert_engines_agree
from tests.engine.cases import DOCUMENTS

GRID = {"shapes": [{"grid": [4, 4]}]}


def game(board, moves, **rules):
    played = Game(parse({"family": "points", "board": board, **rules}))
    for move in moves.split():
        played.play(move)
    return played


def outcome(board, moves, **rules):
    found = game(board, moves, **rules).outcome()
    return found and tuple(found.winners)


THREE = {"first_pieces": 3, "second_pieces": 3, "line_laying": "win", "row_length": 3}


def test_three_of_a_line_of_four_are_a_row():
    assert outcome(GRID, "+a1 +a2 +b1 +b2 +c1", **THREE) == (0,)
    assert outcome(GRID, "+a1 +a2 +b1 +b2 +d1", **THREE) is None


def test_on_such_a_board_no_whole_line_is_a_row():
    with pytest.raises(RulesetProblem, match="has no rows of three"):
        parse({"family": "points", "board": GRID, **THREE, "row_length": 0})


def test_a_row_goes_on_round_a_circle():
    """The last point of a circle and the first are neighbours: at the top, b4 and d4 stand beside c5."""
    circle = {"shapes": [{"rings": 1, "round": 8}]}
    assert outcome(circle, "+b4 +c1 +c5 +b2 +d4", **THREE) == (0,)


def test_four_are_a_row_where_four_are_wanted():
    rules = {**THREE, "first_pieces": 4, "row_length": 4}
    assert outcome(GRID, "+a1 +a2 +b1 +b2 +c1", **rules) is None
    assert outcome(GRID, "+a1 +a2 +b1 +b2 +c1 +c3 +d1", **rules) == (0,)
    said = family("points").sentences(parse({"family": "points", "board": GRID, **rules}))
    assert said["line_laying"] == "A player who forms a row of four by laying a piece wins."


ONE_EACH = {"first_pieces": 1, "second_pieces": 1, "first_array": ["a1"], "second_array": ["d4"]}


def test_a_piece_that_reaches_its_goal_wins():
    assert outcome(GRID, "a1-a2 d4-d3 a2-a3 d3-d2 a3-a4", **ONE_EACH, first_goal=["a4"]) == (0,)
    assert outcome(GRID, "a1-a2 d4-d3 a2-a3 d3-d2 a3-a4", **ONE_EACH, second_goal=["a4"]) is None


def test_all_pieces_together_reach_a_goal():
    pair = {"first_pieces": 2, "first_array": ["a2", "b3"], "second_pieces": 1, "second_array": ["d1"]}
    goal = {"first_goal": ["a4", "b4"], "goal_by": "all_pieces"}
    assert outcome(GRID, "b3-b4 d1-d2", **pair, **goal) is None
    assert outcome(GRID, "b3-b4 d1-d2 a2-a3 d2-d1 a3-a4", **pair, **goal) == (0,)
    with pytest.raises(RulesetProblem, match="goal_by: never fires while no player has a goal"):
        parse({"family": "points", "board": GRID, **pair, "goal_by": "all_pieces"})


def test_nobody_wins_by_laying_on_a_goal():
    assert outcome(GRID, "+a4", first_pieces=1, second_pieces=1, first_goal=["a4"]) is None


def test_who_wins_when_time_is_out():
    assert outcome(GRID, "a1-a2 d4-d3", **ONE_EACH, turn_limit=2, limit_won_by="second") == (1,)
    assert outcome(GRID, "a1-a2 d4-d3", **ONE_EACH, turn_limit=2) == ()


def test_men_that_jump_sideways_do_not_jump_back():
    board = {"shapes": [{"grid": [5, 5]}]}
    men = {"first_pieces": 1, "second_pieces": 3, "first_array": ["b3"], "second_array": ["c3", "b4", "b2"]}
    jumps = game(board, "", **men, captures_by="both", captures="forward_and_sideways").legal_moves
    assert {move for move in jumps if "x" in move} == {"b3xd3", "b3xb5"}
    jumps = game(board, "", **men, captures_by="both").legal_moves
    assert {move for move in jumps if "x" in move} == {"b3xd3", "b3xb5", "b3xb1"}


ALL_WAYS = {"shapes": [{"grid": [5, 5], "diagonals": "all"}]}


def test_pieces_keep_to_lines_of_one_kind():
    """A man goes and takes as the words say, a king takes backward too, and on the same lines."""
    around = {"second_pieces": 4, "second_array": ["b2", "b3", "c4", "d2"], "first_pieces": 1, "first_array": ["c3"]}
    men = {"captures_by": "both", **around}
    plain = game(ALL_WAYS, "", **men, first_steps="orthogonal", captures="diagonal").legal_moves
    assert set(plain) == {"c3-c2", "c3-d3", "c3xa1", "c3xe1"}
    level = game(ALL_WAYS, "", **men, first_steps="diagonal", captures="orthogonal_not_back").legal_moves
    assert set(level) == {"c3-b4", "c3-d4", "c3xa3", "c3xc5"}
    behind = {**men, "second_array": ["b2", "c2", "d2", "a5"]}
    kings = {"kings": "short", "first_crowned_at": ["c3"], "first_array": ["c4"], "second_crowned_at": ["a1"]}
    crowned = {"first_steps": "any", "second_steps": "any", "second_stuck": "passes"}
    moves = game(ALL_WAYS, "c4-c3 a5-a4", **{**behind, **kings}, **crowned, captures="orthogonal_not_back").legal_moves
    assert {move for move in moves if "x" in move} == {"c3xc1"}


def test_lines_that_every_line_keeps_to_are_no_rule():
    rules = {"family": "points", "board": GRID, **ONE_EACH, "captures_by": "both"}
    plain = parse({**rules, "captures": "forward_and_sideways"}).hash
    assert parse({**rules, "captures": "orthogonal_not_back", "first_steps": "orthogonal"}).hash == plain


def test_a_row_may_be_a_whole_line():
    """Three of a line of four are none, four are; three of a line of three are."""
    board = {"points": {**{f"a{n}": [0, n] for n in (1, 2, 3, 4)}, "b1": [1, 1], "c1": [2, 1], "d4": [3, 4]},
             "lines": ["a1 a2 a3 a4", "a1 b1 c1", "a4 d4"]}  # fmt: skip
    whole = {"first_pieces": 4, "second_pieces": 3, "line_laying": "win", "row_length": 3, "row_lines": "whole"}
    assert outcome(board, "+a1 +b1 +a2 +c1 +a3", **whole) is None
    names = Game(parse({"family": "points", "board": board, **whole})).legal_moves
    assert len(names) == 7
    assert outcome(board, "+a1 +b1 +a2 +c1 +a3 +d4 +a4", **whole) == (0,)
    assert outcome(board, "+a1 +a2 +b1 +a3 +c1", **whole) == (0,)


NEW = ("rows of four in longer lines", "rows round circles", "goals, jumps sideways", "time is out")


@pytest.mark.parametrize("name", NEW)
def test_both_engines_play_them_alike(name):
    assert_engines_agree(parse(DOCUMENTS[name]), games=4, cap=100)


WELLS = {
    "points": {f"{file}{rank}": [x, rank] for x, file in enumerate("abc") for rank in (1, 2, 3)},
    "lines": ["a1 a2 a3", "b1 b2 b3", "c1 c2 c3", "a2 b2 c2", "a3 b3 c3"],
}
CALVES = {"first_pieces": 3, "second_pieces": 3, "second_stuck": "loses", "second_shut_in": ["a1-c1"]}


def test_who_is_shut_in_elsewhere_passes():
    """Calves in their pens, the lower ends of three lines, have lost; a calf shut in between two guardians has not."""
    inside = {"first_array": ["a2", "b2", "c3"], "second_array": ["a1", "b1", "c1"]}
    assert outcome(WELLS, "c3-c2", **{**CALVES, **inside}) == (0,)
    outside = {"first_array": ["a2", "b2", "c3"], "second_array": ["a3", "b1", "a1"], "first_pieces": 3}
    played = game(WELLS, "c3-b3", **{**CALVES, **outside})
    assert (played.outcome(), played.legal_moves) == (None, ["pass"])


def test_a_king_does_not_turn_back():
    said = family("points").sentences(parse(DOCUMENTS["kings do not turn back"]))
    assert said["king_turns"] == "A king that has jumped may go on in every direction but back."


@pytest.mark.parametrize("name", ["kings do not turn back", "shut in the corner"])
def test_both_engines_end_and_turn_alike(name):
    assert_engines_agree(parse(DOCUMENTS[name]), games=4, cap=120)
