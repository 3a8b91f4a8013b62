"""Players in words, as pages and figures name them."""

import pytest

from simulator.engine.players.wording import (
    BY_LOT,
    BY_VALUE,
    NOBODY,
    ONE_BY_VALUE,
    consent_in_words,
    in_words,
    played_in_words,
)
from tests.engine.rulesets import RULESETS


@pytest.mark.parametrize(
    ("players", "words"),
    [
        ("random,random", "random players"),
        ("random", "random players"),
        ("greedy,greedy", "greedy players, one turn ahead"),
        ("uct:1000,random", "Monte Carlo search, 1,000 iterations, against random"),
        ("random,uct:1000", "random, against Monte Carlo search, 1,000 iterations"),
        ("uct:50,uct:50", "Monte Carlo search, 50 iterations, in every seat"),
        ("uct:1,uct:1/1", "Monte Carlo search, 1 iteration, against Monte Carlo search, 1 iteration of up to 1 turn"),
        ("uct:64/20,greedy", "Monte Carlo search, 64 iterations of up to 20 turns, against greedy, one turn ahead"),
        ("uct:900/0,random", "Monte Carlo search, 900 iterations without playouts, against random"),
        ("expectimax:2", "expectimax, 2 plies deep, in every seat"),
        ("alpha_beta:1,alpha_beta:4", "alpha–beta search, 1 ply deep, against alpha–beta search, 4 plies deep"),
        (
            "uct:400/6:c=60:prior=8,random",
            "Monte Carlo search, 400 iterations of up to 6 turns, exploration 0.60, "
            "evaluation worth 8 tries of a move, against random",
        ),
        (
            "uct:100,random,uct:100,random",
            "Monte Carlo search, 100 iterations (seats 1 and 3); random (seats 2 and 4)",
        ),
        ("random,random,greedy", "random (seats 1 and 2); greedy, one turn ahead (seat 3)"),
        ("an-old-name,random", "an-old-name, against random"),
    ],
)
def test_players_in_words(players: str, words: str) -> None:
    assert in_words(players) == words
    assert in_words(players.split(",")) == words


@pytest.mark.parametrize(
    ("players", "words"),
    [
        ("random,random", NOBODY),
        ("greedy,random", NOBODY),
        ("uct:50,uct:50", BY_VALUE),
        ("alpha_beta:3", BY_VALUE),
        ("uct:50,random", ONE_BY_VALUE),
    ],
)
def test_what_players_do_who_may_call_a_draw(players: str, words: str) -> None:
    """Of readings in which none may be called nothing is said, nor of games that end with their first round."""
    parker, dlp = RULESETS["daramuti-parker"].document, RULESETS["daramuti-dlp"].document
    assert consent_in_words(players, [dlp, parker]) == words
    assert consent_in_words(players, [dlp]) == consent_in_words(players, [parker], "round") == ""
    assert played_in_words(players, [parker]) == f"{in_words(players)}, {words}"
    assert played_in_words(players, [dlp]) == in_words(players)


def test_earlier_versions_drew_lots_for_a_draw() -> None:
    parker = [RULESETS["daramuti-parker"].document]
    assert [consent_in_words("random", parker, version=version) for version in (1, 2, 3)] == [BY_LOT, BY_LOT, NOBODY]
