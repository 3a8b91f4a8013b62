"""The luck share: by hand, at its two ends, and in games where theory says what it must be."""

import numpy as np
import pytest

from simulator.batches.replayed import paired_games_outcomes
from simulator.engine import playout, referee_playout
from simulator.engine.documents import with_changes
from simulator.engine.family import family
from simulator.engine.ruleset import Ruleset
from simulator.models import Batch
from simulator.statistics.summary import luck_row, luck_share, paired_outcomes
from tests.engine.rulesets import RULESETS


def test_outcomes_are_paired_game_by_game() -> None:
    first, second = np.array([4, 8, 4, 4]), np.array([4, 4, 8, 4])
    assert paired_outcomes(first, second).tolist() == [[2, 1], [1, 0]]


def test_two_outcomes_by_hand() -> None:
    # 40 pairs agree on one, 30 on the other, 30 differ; each side won 55 of 100 by 40+15: the correlation of equal
    # margins p = 0.55 is (0.40 - 0.55²) / (0.55 · 0.45) = 0.0975 / 0.2475
    figure = luck_share(np.array([[40, 15], [15, 30]]), seed=1)
    assert figure.value == pytest.approx(0.0975 / 0.2475)
    assert figure.low < figure.value < figure.high


def test_three_outcomes_by_hand() -> None:
    # shares 1/2, 1/4, 1/4: expected agreement 3/8; agreeing 6 of 8
    figure = luck_share(np.array([[4, 0, 0], [0, 1, 1], [0, 1, 1]]), seed=1)
    assert figure.value == pytest.approx((6 / 8 - 3 / 8) / (1 - 3 / 8))


def test_the_two_ends() -> None:
    assert luck_share(np.array([[50, 0], [0, 50]]), seed=1).value == 1
    assert luck_share(np.array([[25, 25], [25, 25]]), seed=1).value == 0
    assert luck_share(np.array([[100]]), seed=1) is None
    assert luck_row(np.array([[100]]), 1)["text"] == "every game ended alike"


def test_the_interval_holds_the_truth_at_its_rate() -> None:
    # Twins that agree by a common cause in 3 of 10 pairs, else by chance: the truth is 0.3.
    draws = np.random.Generator(np.random.PCG64(5))
    held = 0
    for repetition in range(200):
        first = draws.integers(0, 2, 400)
        second = np.where(draws.random(400) < 0.3, first, draws.integers(0, 2, 400))
        figure = luck_share(paired_outcomes(first, second), repetition)
        held += figure.low <= 0.3 <= figure.high
    assert 180 <= held <= 199  # 95 % of 200, within three standard errors


def _batch(ruleset: Ruleset, games: int) -> Batch:
    players = ",".join(["random"] * family(ruleset.family).seats(ruleset.parameters))
    return Batch(players=players, seed=3, games=games, cap=2_000, until="game")


def test_without_a_choice_the_throws_decide_all() -> None:
    ruleset = with_changes(RULESETS["pancha-keliya-complex-marin-dice"], {"pieces": "1"})
    rows = playout.play_block(ruleset, ("random", "random"), 3, 0, 300, 2_000, "game")
    assert not rows[:, 3].any()  # no decision in any game
    assert luck_share(paired_games_outcomes(_batch(ruleset, 300), ruleset), 1).value == 1


def test_with_choices_they_decide_less() -> None:
    ruleset = RULESETS["pancha-keliya-complex-marin-dice"]
    figure = luck_share(paired_games_outcomes(_batch(ruleset, 2_000), ruleset), 1)
    assert 0 < figure.low < figure.high < 1


def test_games_without_throws_have_no_luck_share() -> None:
    assert paired_games_outcomes(_batch(RULESETS["niranchy-ludii"], 10), RULESETS["niranchy-ludii"]) is None


@pytest.mark.parametrize("name", ["sokkattan-parker", "saturankam-parker", "niranchy-ludii"])
def test_pairs_agree_with_the_referee(name: str) -> None:
    ruleset = RULESETS[name]
    players = ("random",) * family(ruleset.family).seats(ruleset.parameters)
    compiled = playout.play_block(ruleset, players, 7, 2, 3, 150, "game", choice_seed=8)
    assert compiled.tolist() == [referee_playout.row(ruleset, 7, 2 + g, 150, "game", choice_seed=8) for g in range(3)]
    other = playout.play_block(ruleset, players, 7, 2, 3, 150, "game")
    assert compiled.tolist() != other.tolist()


def test_pairs_are_thrown_alike() -> None:
    ruleset = RULESETS["sokkattan-parker"]
    one, other = (next(referee_playout.plies(ruleset, 7, 0, choice_seed)) for choice_seed in (7, 8))
    assert one.before == other.before  # the first throws stand in the position
