"""Weights fitted from games, on results that were made by known ones."""

import numpy as np
import pytest
from scipy.special import expit

from tools.management.commands.fit import Regression, Sample

SEAT, SLOPES = 0.4, np.array([0.8, -0.3])


def made(scale: float) -> list[Sample]:
    """Results by the chances that SEAT and SLOPES give, of features that are measured on another scale."""
    lot = np.random.default_rng(1)
    ahead = lot.normal(size=(20_000, 2))
    results = lot.random(20_000) < expit(SEAT + ahead @ SLOPES)
    rows = zip(ahead * scale, results, strict=True)
    return [Sample(match=0, game=game, result=float(won), ahead=one) for game, (one, won) in enumerate(rows)]


def fitted(scale: float, least: list[float | None]) -> Regression:
    samples = made(scale)
    return Regression(samples, np.array([sample.ahead for sample in samples]), least)


@pytest.mark.by_turns
def test_weights_behind_the_results_are_found_again() -> None:
    plain, coarse = fitted(1.0, [None, None]), fitted(50.0, [None, None])
    assert plain.slopes == pytest.approx(SLOPES, abs=0.06)  # three standard errors of 16,000 results
    assert coarse.slopes * 50 == pytest.approx(plain.slopes, rel=1e-3)
    assert coarse.loss == pytest.approx(plain.loss, rel=1e-4)


def test_what_is_never_bad_weighs_nothing_at_least() -> None:
    assert fitted(1.0, [None, 0.0]).slopes[1] == 0


def test_the_loss_is_that_of_the_games_kept_out() -> None:
    """Nothing is known beforehand: the share of won games among those fitted is said of each that is kept out."""
    samples = [Sample(match=0, game=game, result=float(game % 5 == 1), ahead=np.zeros(0)) for game in range(50)]
    alone = Regression(samples, np.zeros((50, 0)), [])
    assert alone.loss == pytest.approx(-np.log(1 - 10 / 40), rel=1e-4)  # those kept out were all lost
