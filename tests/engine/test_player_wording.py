"""Players in words, as pages and figures name them."""

import pytest

from simulator.engine.players.wording import in_words


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
        ("alpha_beta:1,alpha_beta:4", "alpha–beta search, 1 ply deep, against alpha–beta search, 4 plies deep"),
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
