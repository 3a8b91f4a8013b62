"""Whole games of another morris programme, from its public reports, move by move: what they came to there and here.

The reports are of calcitem/Sanmill on GitHub; the numbers are those of the threads.
"""

import re

import pytest

from simulator import engine

NINE = "nine-mens-morris-reference"
TWELVE = {
    "family": "points", "board": "squares_3_diagonals", "first_pieces": 12, "second_pieces": 12, "flies_at": 3,
    "line_laying": "remove", "line_moving": "remove", "removable": "outside_lines_first",
    "first_loses_below": 3, "second_loses_below": 3, "first_stuck": "loses", "second_stuck": "loses", "turn_limit": 200,
}  # fmt: skip

# 838: a draw there when a position stood for the third time.
REPEATED = (
    "b4 d2 d6 f4 b6 d7 f6xf4 b2 f2 f4 g4 d3 d1 a7 g7 g1 e3 d5 e3-e4 a7-a4 e4-e3 a4-a7 e3-e4 a7-a4 e4-e3 a4-a7 e3-e4"
)
# 744: lost for the first player, who has three pieces left; the report ends here.
WON = (
    "f4 b4 d6 d2 d3 b2 a4 f6 c4 d5 d1 e5 c5 c3 f2 e4 a7 b6xd6 d1-a1xd5 b6-d6 c5-d5 e4-e3 a7-d7 d6-b6xd3 d7-a7xe3 "
    "b6-d6 a7-d7 d6-b6xa4 d5-d6 b4-a4 c4-b4 e5-e4 a1-d1 e4-e3 d1-g1 d2-d3xg1 f4-e4 c3-c4 f2-d2 c4-c3xe4 d7-g7 e3-e4 "
    "g7-g4 e4-e3xb4 g4-b4"
)
# 305: twelve men; there the turn passed from the second player, who had no move.
SHUT_IN = (
    "b2 f2 b4 d6 b6xf2 f4 e3 f2 g1 d2 a1 d1 a7 c5 e5 g7 f6 g4 d5 a4 c3xd2 d2 d3xf4 f4 a7-d7 c5-c4 d7-a7 c4-c5 b4-c4 "
    "a4-b4 a7-a4 g7-d7 b6-a7xd7 d6-d7 a7-b6 d7-d6 b6-a7xd6 g4-g7 a7-d7 g7-g4 d7-a7xg4 c5-b6 a7-d7 b6-c5 d7-a7xc5 "
    "b4-b6 a7-d7 b6-c5 d7-a7xc5 f4-g4 f6-g7 g4-f4 e5-f6 f4-g4 a7-d7 g4-f4 g7-g4 f4-e4 g4-f4 e4-e5 f4-e4 f2-f4 d7-g7 "
    "f4-f2 g7-g4 f2-f4 a4-b4 f4-f2 g4-f4"
)


def played(ruleset: engine.Ruleset, moves: str) -> tuple[engine.Game, int]:
    """The game, and the place of the move that ended it, from 1 (0: none did). A removal is a move of its own."""
    game, ended = engine.Game(ruleset), 0
    for place, words in enumerate(moves.split(), start=1):
        assert not ended, f"{words} is played after the end"
        move, removed = re.fullmatch(r"([a-g]\d(?:-[a-g]\d)?)(x[a-g]\d)?", words).groups()
        game.play(move if "-" in move else f"+{move}")
        if removed:
            game.play(removed)
        ended = place if game.outcome() else 0
    return game, ended


@pytest.mark.parametrize("times", [0, 3])
def test_a_position_that_stands_three_times(times: int) -> None:
    """The two went to and fro: at the twenty-sixth move the position after the laying stands for the third time."""
    ruleset = engine.change(NINE, repetition=times)
    moves = REPEATED.split()
    game, ended = played(ruleset, " ".join(moves[:26]))
    assert (ended, game.outcome()) == ((26, engine.Outcome("draw", ())) if times else (0, None))


def test_a_game_that_was_given_up_is_legal_to_its_last_move() -> None:
    game, ended = played(engine.load(NINE), WON)
    assert (ended, [game.session.position.count(seat) for seat in (0, 1)]) == (0, [3, 7])


@pytest.mark.parametrize(("stuck", "outcome"), [("loses", engine.Outcome("win", (0,))), ("passes", None)])
def test_a_player_who_is_shut_in(stuck: str, outcome: engine.Outcome | None) -> None:
    """Here he has lost, unless the rules let him pass, as the option there does."""
    ruleset = engine.read({**TWELVE, "second_stuck": stuck})
    game, ended = played(ruleset, SHUT_IN)
    assert (ended, game.outcome()) == (69 if outcome else 0, outcome)
    assert game.mover == 1 or outcome
    if outcome is None:
        assert game.legal_moves == ["pass"]
