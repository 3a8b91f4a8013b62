"""Claims that a solution decides: a first move that is better than every other, equal to some, or worse."""

import pytest

from catalogue.analyses.claim_definitions import ClaimTest, read
from catalogue.analyses.claim_figures import judged_by_solution, wrong_moves
from catalogue.models import Verdict

LOSES_SOON, LOSES_LATE = ("second_wins", 13), ("second_wins", 15)
WINS_SOON, WINS_LATE, DRAWS = ("first_wins", 4), ("first_wins", 6), ("endless", None)


MOVE = {"kind": "solution", "ruleset": "some-game"}


def document(*values):
    moves = [
        {"name": name, "value": value, "plies": plies} for name, (value, plies) in zip("abc", values, strict=False)
    ]
    return {"start": {"mover": 0}, "first_moves": moves}


def first_move(name: str) -> ClaimTest:
    return read({"kind": "solution", "ruleset": "some-game", "first_move": name})


@pytest.mark.parametrize(
    ("values", "outcome", "text"),
    [
        (
            (LOSES_SOON, LOSES_SOON, LOSES_SOON),
            Verdict.Kind.NOT_SUPPORTED,
            "a loses within 13 plies, and so does every one",
        ),
        (
            (LOSES_LATE, LOSES_SOON, LOSES_SOON),
            Verdict.Kind.SUPPORTED,
            "the best of the others, b, loses within 13 plies",
        ),
        ((DRAWS, LOSES_LATE, LOSES_SOON), Verdict.Kind.SUPPORTED, "a comes to a draw"),
        ((WINS_SOON, WINS_LATE, DRAWS), Verdict.Kind.SUPPORTED, "the best of the others, b, wins within 6 plies"),
        ((WINS_LATE, WINS_SOON, DRAWS), Verdict.Kind.NOT_SUPPORTED, "but b wins within 4 plies"),
        ((WINS_SOON, WINS_SOON, DRAWS), Verdict.Kind.NOT_SUPPORTED, "as the best of the others do: 1 of 2"),
        ((WINS_SOON,), Verdict.Kind.UNTESTABLE, "no other first move"),
    ],
)
def test_a_first_move_is_held_against_the_best_of_the_others(values, outcome, text):
    found = judged_by_solution(first_move("a"), document(*values))
    assert found.kind == outcome
    assert text in found.text


def test_a_first_move_can_be_best_against_random_moves():
    found = document(LOSES_SOON, LOSES_SOON, LOSES_SOON)
    for move, chance in zip(found["first_moves"], (0.99, 0.97, 0.98), strict=True):
        move["against_random"] = chance
    by_chance = [judged_by_solution(read({**MOVE, "first_move": name, "by": "chance"}), found) for name in "abc"]
    assert [one.kind for one in by_chance] == [
        Verdict.Kind.SUPPORTED,
        Verdict.Kind.NOT_SUPPORTED,
        Verdict.Kind.NOT_SUPPORTED,
    ]
    assert by_chance[0].text == "a wins 99.00 % of games; the best of the others, c, 98.00 %."
    found["first_moves"][1]["against_random"] = None  # a table too large for chances
    assert judged_by_solution(read({**MOVE, "first_move": "a", "by": "chance"}), found).kind == Verdict.Kind.UNTESTABLE


@pytest.mark.parametrize(
    ("value", "plies", "outcome", "text"),
    [
        ("second_wins", 14, Verdict.Kind.NOT_SUPPORTED, "The second player wins, and the game then lasts 14 plies."),
        ("first_wins", 15, Verdict.Kind.SUPPORTED, "The first player wins, and the game then lasts 15 plies."),
        ("endless", None, Verdict.Kind.SUPPORTED, "Neither side can force a win, so that the game need not end."),
    ],
)
def test_how_long_faultless_play_lasts(value, plies, outcome, text):
    found = {"start": {"mover": 0, "value": value, "plies": plies}, "first_moves": []}
    test = read({**MOVE, "at_least": 15})
    assert wrong_moves(test, found) == []
    assert (judged_by_solution(test, found).kind, judged_by_solution(test, found).text) == (outcome, text)


def test_a_move_that_is_none_is_named_with_those_that_are():
    assert wrong_moves(first_move("z"), document(DRAWS, DRAWS)) == ["z is no first move of some-game: there are a, b"]
    assert wrong_moves(first_move("b"), document(DRAWS, DRAWS)) == []
