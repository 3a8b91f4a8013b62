"""What a row tells of what happened first: the first row of three, and the end of the piece that moved first."""

import pytest

from simulator.engine.families.points.referee import contract
from simulator.engine.replay import replay
from tests.engine.points.positions import move
from tests.engine.rulesets import RULESETS


def row(slug: str, line: str) -> dict[str, int]:
    """The row of a game that has come so far."""
    rules = RULESETS[slug].parameters
    codes = [move(rules, words) for words in line.split()]
    return replay(RULESETS[slug], 1, 0, len(codes), "game", moves=codes).row


@pytest.mark.parametrize(
    ("line", "ended", "winner", "turns"),
    [
        ("e4-e5", 0, -1, 0),
        ("e4-e5 e6xe4", 1, 1, 2),  # "the piece is immediately taken by his opponent" (DLP.Evidence.823)
        ("e4-e5 g4xe4", 0, -1, 0),  # another piece is taken, over f4 into the point that the first one has left
        ("d5-e5 f5xd5", 1, 1, 2),
    ],
)
def test_the_piece_that_moved_first_is_followed(line, ended, winner, turns):
    found = row("kotu-ellima-ludovisi", line)
    assert found["first_capture_ended"] == (line != "e4-e5")
    assert (found["first_moved_ended"], found["first_moved_winner"], found["first_moved_turns"]) == (
        *(ended, winner, turns),
    )


def test_it_is_followed_where_it_goes():
    """The leopard laid on e5 moves first; cattle take nothing, so it is never taken, whatever it takes itself."""
    found = row("diviyan-keliya-ludii", "+e5 +f5 +a3 +a5 e5xg5 +e5 g5-f5")
    assert (found["first_capture_winner"], found["first_moved_ended"]) == (0, 0)


def test_the_first_row_is_told_also_where_it_is_laid():
    found = row("niranchy-ludovisi", "+a1 +b2 +d1 +b4 +g1")
    assert (found["first_row_ended"], found["first_row_winner"], found["first_row_turns"]) == (1, 0, 5)
    found = row("niranchy-ludii", "+a1 +b2 +d1 +b4 +g1")  # rows of the first player bring nothing there
    assert (found["first_row_ended"], found["first_row_winner"], found["first_row_turns"]) == (0, -1, 0)


def test_an_additional_laying_belongs_to_the_turn_of_its_row():
    found = row("nerenchi-keliya-parker", "+a1 +b2 +d1 +b4 +g1 +a4 +c3")
    assert (found["turns"], found["first_row_turns"]) == (6, 5)


def test_the_piece_that_moves_first_can_be_taken_at_once():
    """Of the paraphrase's array one first move cannot: the words speak against it."""
    kept = {}
    for slug in ("kotu-ellima-ludovisi", "kotu-ellima-ludii", "kotu-ellima-dlp"):
        rules = RULESETS[slug].parameters
        start = contract.start(rules)
        middle = start.vacant()[0]
        for opening in contract.moves(rules, start):
            after = contract.play(rules, start, opening).position
            replies = [contract.play(rules, after, reply).position for reply in contract.moves(rules, after)]
            if all(middle in reply.men[0] for reply in replies):
                kept.setdefault(slug, []).append(opening)
    assert kept == {"kotu-ellima-dlp": [move(RULESETS["kotu-ellima-dlp"].parameters, "f5-e5")]}
