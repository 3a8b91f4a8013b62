"""A game played move by move, and what is said of a move that cannot be played."""

import pytest

from simulator import engine
from simulator.engine.boards.points import BOARDS
from simulator.engine.referee_playout import plies
from tests.choice import rulesets_of_the_day
from tests.engine.rulesets import RULESETS

ROWS = "e3.b6.c3.g4.f2.d1.f4.c4.d7.f6.d2.g1.d5.g7"


@pytest.mark.parametrize("name", rulesets_of_the_day(RULESETS, 4))
def test_a_game_goes_as_the_referee_plays_it(name: str) -> None:
    ruleset = RULESETS[name]
    game, played = engine.Game(ruleset, seed=5), []
    for _, ply in zip(range(12), plies(ruleset, 5, 0), strict=False):
        assert game.mover == ply.seat
        played.append(game.legal_moves[game.session.options.index(ply.move)])
        game.play(played[-1])
        assert game.session.position == ply.played.position
    assert game.moves == played
    again = engine.Game(ruleset, seed=5, moves=played)
    assert (str(again), again.svg(), again.outcome()) == (str(game), game.svg(), game.outcome())


def test_a_move_says_what_it_did_and_by_which_rules() -> None:
    game = engine.Game(engine.load("kotu-baendum-parker"))
    assert [effect.sentence for effect in game.play("a>")][:2] == ["4 sown from 1a", "5 sown from 1e"]
    assert {rule for effect in engine.Game(game.ruleset).play("a>") for rule in effect.rules} >= {"relay"}


@pytest.mark.parametrize(
    ("name", "moves", "move", "rules", "words"),
    [
        ("kotu-baendum-parker", "", "c", ["first_move_from_end"], "starts from an end hole"),
        ("dam-parker", "d5e6.i8j7.b5c6.e8f7.f5g6", "k8 l7", ["capture_compulsory"], "A player who can jump must."),
        ("nine-mens-morris-reference", ROWS, "g7 b2", ["line_laying"], "A row was formed"),
        ("saturankam-dlp", "e1-1", "f1", ["division"], "divided between two"),
        ("puhulmutu-parker", "", "2c", [], "the other player’s row"),
        ("nine-mens-morris-reference", "e3.b6", "e3-e4", ["laying_ends"], "with an empty hand he moves. [laying_ends]"),
        ("koti-keliya-parker", "i4", "e12 i8", [], "There is no rule here such as: "),
    ],
)
def test_a_forbidden_move_names_the_rule(name: str, moves: str, move: str, rules: list[str], words: str) -> None:
    game = engine.Game(engine.load(name), seed=1, moves=filter(None, moves.split(".")))
    before = str(game)
    with pytest.raises(engine.ForbiddenMove) as caught:
        game.play(move)
    assert caught.value.rules == rules
    assert words in str(caught.value)
    assert str(game) == before


def test_two_rules_that_forbid_a_move_together_are_both_named() -> None:
    moves = ["e4", "c7", "c4", "b6", "c4d4", "g1", "d4d5", "a5", "d5d6", "g7", "e4f4"]
    with pytest.raises(engine.ForbiddenMove, match="Two rules together forbid it") as caught:
        engine.Game(engine.load("diviyan-keliya-parker"), moves=moves).play("c7 e5")
    assert caught.value.rules == ["captures_by", "laying_ends"]


def test_what_may_be_several_moves_and_what_is_none() -> None:
    game = engine.Game(engine.load("puhulmutu-parker"))
    with pytest.raises(engine.AmbiguousMove) as caught:
        game.play("c")
    assert caught.value.choices == ["c>", "c<"]
    with pytest.raises(engine.UnknownMove, match="nearest is 'c>'"):
        game.play("c!")
    assert game.moves == []


def test_nothing_is_played_after_the_end() -> None:
    game = engine.Game(engine.load("kalah-reference"))
    while game.legal_moves:
        game.play(game.legal_moves[0])
    assert game.outcome() == engine.Outcome("win", (1,))
    with pytest.raises(engine.GameOver):
        game.play("a>")


def test_every_error_of_a_move_is_a_value_error() -> None:
    for error in (engine.UnknownMove, engine.AmbiguousMove, engine.ForbiddenMove, engine.GameOver):
        assert issubclass(error, engine.MoveProblem)
        assert issubclass(error, ValueError)


def test_a_notebook_shows_the_board_with_its_places() -> None:
    drawing = engine.Game(engine.load("dam-parker"))._repr_svg_()
    names = BOARDS[engine.load("dam-parker").parameters["board"]].names
    assert all(f'data-place="{name}"' in drawing for name in names)
