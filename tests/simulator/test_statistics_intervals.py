"""The intervals against other programmes, published examples, and their exact coverage."""

from math import sqrt

import numpy as np
import pytest
from scipy.stats import binom, binomtest, norm, quantile_test, t

from simulator.statistics.intervals import Z, difference_of_shares, mean, newcombe, quantile_ranks, ratio, share


@pytest.mark.parametrize(("successes", "games"), [(0, 1), (0, 20), (7, 20), (20, 20), (104_321, 200_000)])
def test_shares_agree_with_scipy(successes, games):
    found = share(successes, games)
    expected = binomtest(successes, games).proportion_ci(0.95, method="wilson")
    assert found.value == successes / games
    assert (found.low, found.high) == pytest.approx((expected.low, expected.high), abs=1e-12)


def test_difference_counted_apart_has_the_printed_limits():
    # Newcombe 1998 (Statistics in Medicine 17: 873–890), table II, contrast (a): 56/70 less 48/80, method 10.
    found = newcombe(share(56, 70), share(48, 80))
    assert (round(found.value, 4), round(found.low, 4), round(found.high, 4)) == (0.2, 0.0524, 0.3339)
    assert found.without_sign == found == newcombe(share(48, 80), share(56, 70)).without_sign
    assert float(norm.ppf(0.975)) == Z


def test_a_difference_with_the_published_limits():
    # Newcombe 1998 (Statistics in Medicine 17: 2635–2650), method 10, cells 36, 12, 2, 0: 0.2 (0.0569 to 0.3404).
    found = difference_of_shares(36, 12, 2, 0)
    assert (round(found.value, 4), round(found.low, 4), round(found.high, 4)) == (0.2, 0.0569, 0.3404)


def test_a_difference_is_turned_round_with_its_seats():
    there, back = difference_of_shares(0, 52, 31, 17), difference_of_shares(0, 31, 52, 17)
    assert (there.value, there.low, there.high) == pytest.approx((-back.value, -back.high, -back.low))


@pytest.mark.parametrize("percent", [10, 25, 50, 75, 90])
@pytest.mark.parametrize("games", [10, 73, 400])
def test_quantile_limits_agree_with_scipy(percent, games):
    sample = np.arange(1, games + 1)
    expected = quantile_test(sample, p=percent / 100).confidence_interval(0.95)
    _, low, high = quantile_ranks(percent, games)
    assert low == (None if np.isnan(expected.low) else expected.low)
    assert high == (None if np.isnan(expected.high) else expected.high)


def test_median_of_ten_by_the_printed_tables():
    # Order-statistic interval for the median of ten: 2nd to 9th value, 97.9 % (David & Nagaraja 2003, section 7.1).
    assert quantile_ranks(50, 10) == (5, 2, 9)
    assert 1 - 2 * binom.cdf(1, 10, 0.5) == pytest.approx(0.9785, abs=5e-5)


def test_too_few_games_set_no_limits():
    assert quantile_ranks(50, 5) == (3, None, None)


def test_mean_of_four_by_hand():
    # 2, 4, 4, 6: mean 4, variance 8/3; t(3) = 3.1824.
    found = mean(16, 4 + 16 + 16 + 36, 4)
    half = 3.182446 * sqrt(8 / 3 / 4)
    assert found == pytest.approx((4, 4 - half, 4 + half), abs=1e-5)
    assert mean(7, 49, 1) == (7, None, None)


def test_mean_of_huge_values_loses_nothing():
    # The variance of 10**9, 10**9 + 1, 10**9 + 2 is 1; floats would have cancelled it away.
    values = [10**9 + i for i in range(3)]
    found = mean(sum(values), sum(v * v for v in values), 3)
    assert found.high - found.value == pytest.approx(float(t.ppf(0.975, 2)) / sqrt(3), abs=1e-6)


def test_ratio_by_hand():
    # options 6, 4; decisions 2, 2: ratio 2.5; residuals +1, −1; variance 2·2 / (1·16) = 1/4; t(1) = 12.7062.
    found = ratio(10, 4, 52, 20, 8, 2)
    assert found == pytest.approx((2.5, 2.5 - 12.7062 / 2, 2.5 + 12.7062 / 2), abs=1e-3)
    assert ratio(0, 0, 0, 0, 0, 5) is None
