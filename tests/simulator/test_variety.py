"""How many games are different, on rows written by hand and on a game of which greedy players know two."""

import numpy as np
import pytest

from simulator.batches.measurements import DIFFERENT, measurements_of
from simulator.batches.variety import FEW, VARIETY, played_again, variety
from simulator.engine.playout import play_block
from tests.engine.rulesets import RULESETS

ROWS = np.array([[1, 2, 3], [1, 2, 4], [1, 2, 3], [-1, 2, 3], [1, 2, 4]], dtype=np.int32)


def test_rows_that_differ_in_any_column_are_counted_once():
    assert variety([ROWS]) == {"games": 5, "different": 3}


def test_however_they_are_parted():
    assert variety([ROWS[:2], ROWS[2:]]) == variety([ROWS])


def test_nothing_is_said_where_no_rows_are_kept():
    assert variety([]) == {}
    assert played_again({}) == played_again(None) == ""


@pytest.mark.parametrize(
    ("games", "different", "words"),
    [
        (2400, 2, "the same 2 games again and again"),
        (93, 1, "the same game again and again"),
        (93, 46, "the same 46 games again and again"),
        (93, 47, ""),
        (2400, FEW, ""),
        (1, 1, ""),
    ],
)
def test_it_is_told_where_few_games_are_played_again_and_again(games, different, words):
    assert played_again({VARIETY: {"games": games, "different": different}}) == words


def test_greedy_players_know_two_games_of_kalah_and_random_ones_play_another_each_time():
    kalah = RULESETS["kalah-reference"]
    counted = [variety([play_block(kalah, (one, one), 1, 0, 200, 2_000, "game")]) for one in ("greedy", "random")]
    assert counted == [{"games": 200, "different": 2}, {"games": 200, "different": 200}]


def test_it_stands_behind_the_figures():
    summary = {"counts": {"unfinished": 0}, "games": 93, "sections": [], VARIETY: {"games": 93, "different": 2}}
    [row] = measurements_of(summary)
    assert (row["place"], row["measure"], row["value"], row["n"], row["low"]) == (0, DIFFERENT, 2, 93, None)
