"""Rows along lines that are not drawn, squares, rows at home and rows that are too long: positions worked by hand."""

import pytest

from simulator.engine.documents import parse
from simulator.engine.family import family
from simulator.engine.games import Game
from simulator.engine.ruleset import RulesetProblem
from tests.engine.agreement import assert_engines_agree
from tests.engine.cases import DOCUMENTS

GRID = {"shapes": [{"grid": [5, 5]}]}
FOUR = {"family": "points", "board": GRID, "first_pieces": 4, "second_pieces": 4, "row_length": 3}
WINS = {**FOUR, "line_laying": "win"}
FORBIDDEN = {**FOUR, "line_moving": "remove", "longer_row": "forbidden"}


def game(moves, rules):
    played = Game(parse(rules))
    for move in moves.split():
        played.play(move)
    return played


def outcome(moves, rules):
    found = game(moves, rules).outcome()
    return found and tuple(found.winners)


@pytest.mark.parametrize(
    ("along", "moves", "wins"),
    [
        ("drawn", "+a1 +e1 +b2 +e2 +c3", False),
        ("drawn", "+a1 +e1 +a2 +d2 +a3", True),
        ("diagonals", "+a1 +e1 +b2 +e2 +c3", True),
        ("diagonals", "+a1 +e1 +a2 +d2 +a3", False),
        ("files_and_ranks", "+a1 +e1 +b2 +e2 +c3", False),
        ("files_and_ranks", "+a1 +e1 +a2 +d2 +a3", True),
        ("any_direction", "+c1 +e1 +b2 +e2 +a3", True),
    ],
)
def test_a_row_lies_where_it_may(along, moves, wins):
    assert outcome(moves, {**WINS, "row_lines": along}) == ((0,) if wins else None)


def test_points_across_a_gap_are_not_next_to_each_other():
    """On the middle rank of three squares one in another nothing stands between c4 and e4 but the empty middle."""
    rules = {**WINS, "board": "squares_3", "row_lines": "files_and_ranks"}
    assert outcome("+b4 +a1 +c4 +d1 +e4", rules) is None
    assert outcome("+b4 +a1 +c4 +d1 +a4", rules) == (0,)


def test_four_in_a_square_are_a_row():
    assert outcome("+a1 +e1 +b1 +e2 +a2 +d4 +b2", {**WINS, "row_squares": True}) == (0,)
    assert outcome("+a1 +e1 +b1 +e2 +a2 +d4 +b2", WINS) is None


HOME = {
    "family": "points",
    "board": {"shapes": [{"grid": [3, 3], "diagonals": "alternating"}]},
    "first_pieces": 3,
    "second_pieces": 3,
    "first_array": ["a1-c1"],
    "second_array": ["a3-c3"],
    "line_moving": "win",
    "home_row": True,
}


def test_a_row_at_home_does_not_count():
    back = "a1-a2 a3-b2 a2-a1"
    assert outcome(back, HOME) is None
    assert outcome(back, {**HOME, "home_row": False}) == (0,)


def test_a_row_on_the_other_player_s_home_counts():
    assert outcome("a1-a2 a3-a1 c1-c2 c3-c1 b1-a3 b3-b1", {**HOME, "moves_to": "vacant"}) == (1,)


def test_no_piece_is_laid_where_a_row_would_be_too_long():
    assert "+d1" not in game("+a1 +e5 +b1 +e4 +c1 +e2", FORBIDDEN).legal_moves
    assert "+a4" in game("+a1 +e5 +b1 +e4 +c1 +e2", FORBIDDEN).legal_moves
    assert "+c1" not in game("+a1 +e5 +b1 +e4 +d1 +e2", FORBIDDEN).legal_moves


def test_no_piece_steps_where_a_row_would_be_too_long():
    played = game("+a1 +e5 +b1 +e4 +c1 +e2 +d2 +b5", FORBIDDEN)
    assert "d2-d1" not in played.legal_moves
    assert "c1-d1" in played.legal_moves


def test_a_longer_row_may_count_for_nothing():
    laid = "+a1 +e5 +b1 +e4 +d1 +e2 +c1"
    assert outcome(laid, WINS) == (0,)
    assert outcome(laid, {**WINS, "longer_row": "nothing"}) is None


@pytest.mark.parametrize(
    ("rules", "words"),
    [
        ({**HOME, "row_lines": "diagonals"}, "row_lines: never fires unless row_length is set"),
        ({**WINS, "home_row": True}, "home_row: never fires: no row lies where"),
        (
            {**WINS, "row_length": 5, "longer_row": "nothing"},
            "longer_row: never fires: the board .* has no longer rows",
        ),
        ({**WINS, "board": {"shapes": [{"star": 5}]}, "row_squares": True}, "row_squares: never fires"),
    ],
)
def test_what_never_fires_is_refused(rules, words):
    with pytest.raises(RulesetProblem, match=words):
        parse(rules)


def test_rows_in_words():
    said = family("points").sentences(parse({**FORBIDDEN, "row_length": 4, "row_lines": "any_direction"}))
    assert said["longer_row"] == "A piece may not be laid, or step, where it forms a longer row than a row of four."
    assert said["row_lines"].startswith("A row lies along a file, a rank or a diagonal")


@pytest.mark.parametrize("name", ["squares and any direction", "no row too long", "rows of two, exactly", "home rows"])
def test_both_engines_play_them_alike(name):
    assert_engines_agree(parse(DOCUMENTS[name]), games=4, cap=100)
