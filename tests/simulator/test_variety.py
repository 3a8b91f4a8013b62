"""Of how many kinds games are, on rows written by hand and in games of which few kinds are known to be played."""

import numpy as np
import pytest

from simulator.batches.finalize import DIFFERENT, FEW, VARIETY, few_kinds, measurements_of, variety
from simulator.engine.playout import play_block, replay_game
from tests.engine.rulesets import RULESETS

ROWS = np.array([[1, 2, 3], [1, 2, 4], [1, 2, 3], [-1, 2, 3], [1, 2, 4]], dtype=np.int32)


def test_rows_that_differ_in_any_column_are_counted_once():
    assert variety([ROWS]) == {"games": 5, "different": 3}


def test_however_they_are_parted():
    assert variety([ROWS[:2], ROWS[2:]]) == variety([ROWS])


def test_nothing_is_said_where_no_rows_are_kept():
    assert variety([]) == {}
    assert few_kinds({}, "greedy,greedy") == few_kinds(None, "greedy,greedy") == ""


@pytest.mark.parametrize(
    ("games", "different", "words"),
    [
        (2400, 2, "2 kinds of games"),
        (93, 1, "one kind of game"),
        (93, 46, "46 kinds of games"),
        (93, 47, ""),
        (2400, FEW, ""),
        (1, 1, ""),
    ],
)
def test_it_is_told_where_games_are_of_few_kinds(games, different, words):
    summary = {VARIETY: {"games": games, "different": different}}
    assert few_kinds(summary, "greedy,greedy") == words
    assert few_kinds(summary, "random,random") == few_kinds(summary, "greedy,random") == ""


def test_games_of_one_kind_may_differ_in_their_moves():
    """Otherwise the pages would tell of the same game again."""
    niranchy, club = RULESETS["niranchy-ludovisi"], "uct:100/4"
    assert variety([play_block(niranchy, (club, club), 1, 0, 10, 2_000, "game")])["different"] < 5
    played = [replay_game(niranchy, game, seed=1, players=club) for game in range(10)]
    assert len({tuple(ply.move for turn in one.turns for ply in turn.plies) for one in played}) == 10


def test_greedy_players_of_kalah_play_two_kinds_of_games():
    kalah = RULESETS["kalah-reference"]
    counted = [variety([play_block(kalah, (one, one), 1, 0, 200, 2_000, "game")]) for one in ("greedy", "random")]
    assert counted == [{"games": 200, "different": 2}, {"games": 200, "different": 200}]


def test_it_stands_behind_the_figures():
    summary = {"counts": {"unfinished": 0}, "games": 93, "sections": [], VARIETY: {"games": 93, "different": 2}}
    [row] = measurements_of(summary)
    assert (row["place"], row["measure"], row["value"], row["n"], row["low"]) == (0, DIFFERENT, 2, 93, None)
