"""Search favours no seat: a game and its mirror image come to the same for whoever begins."""

from collections import Counter

import numpy as np
import pytest

from simulator.engine.players import search
from tests.engine.players import mirror, plain_players
from tests.engine.rulesets import RULESETS

MOST = 3.0  # standard errors


@pytest.mark.by_turns
@pytest.mark.parametrize(
    ("slug", "player", "games"), [("peralikatuma-parker", "uct:20/10", 40), ("dam-dlp", "uct:30/4", 20)]
)
def test_the_beginner_is_as_far_ahead_from_either_seat(slug, player, games):
    first, second = (mirror.leads(slug, player, games, beginner, turns=200) for beginner in (0, 1))
    assert mirror.standard_errors(first, second) < MOST


@pytest.mark.by_turns
@pytest.mark.parametrize(
    ("slug", "player", "games"), [("english-draughts-reference", "uct:20/4", 80), ("kalah-reference", "uct:20/4", 50)]
)
def test_the_beginner_wins_as_often_from_either_seat(slug, player, games):
    first, second = (mirror.results(slug, player, games, beginner) for beginner in (0, 1))
    assert mirror.standard_errors(first, second) < MOST


def test_means_without_variance_differ_by_nothing_or_infinity():
    lost, won, either = np.zeros(4), np.ones(4), np.array([0.0, 1.0, 0.0, 1.0])
    assert mirror.standard_errors(lost, lost) == 0
    assert mirror.standard_errors(lost, won) == float("inf")
    assert mirror.standard_errors(lost, either) == pytest.approx(3**0.5)  # a half; its variance a twelfth


@pytest.mark.parametrize("slug", ["peralikatuma-parker", "kalah-reference", "saturankam-dlp"])
def test_each_move_is_as_likely_to_be_tried_first(slug):
    """With one game played on, the move tried is the move played."""
    game, searcher = plain_players.Game(RULESETS[slug]), search.Searcher(RULESETS[slug], "uct:1/0")
    position, _ = plain_players.start(game, 3)
    options, seeds = game.moves(position), range(400)
    found = Counter(searcher.choose(seed, [], position.words()) for seed in seeds)
    expected = len(seeds) / len(options)
    assert set(found) == set(options)
    assert max(abs(times - expected) for times in found.values()) < 5 * expected**0.5
