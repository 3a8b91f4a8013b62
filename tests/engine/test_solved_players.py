"""The players against the tables of solved games; the proof `solving-players` does the same at length."""

import pytest

from tests.proofs.players_solving import against_the_table, solved_games, value_keeping

GAMES = solved_games()


def test_alpha_beta_keeps_the_value_near_the_end():
    """Wherever the end is at most as many plies away as it looks ahead; here one of 400 of these positions."""
    figures = value_keeping(GAMES["hat-diviyan-keliya-ludovisi"], deepest=3, every=400)
    assert min(figures["positions"].values()) >= 3
    assert figures["wrong"] == []


@pytest.mark.parametrize("opponent", ["greedy", "uct:50"])
def test_nobody_does_better_than_was_proved(opponent):
    figures = against_the_table(GAMES["hat-diviyan-keliya-dlp"], opponent, games=1)
    assert figures["proven"] == {0: -1, 1: 1}
    assert figures["better_than_proven"] == []
    assert figures["scores"][0] == [-1]
