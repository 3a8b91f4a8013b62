"""Differences of paired games: hand-worked numbers, published examples, brute force, and stated rates kept."""

from math import pi, sqrt

import numpy as np
import pytest
from scipy.stats import binom, t

from simulator.statistics import paired
from simulator.statistics.intervals import difference_of_shares, ratio


def numbers(*values: int) -> np.ndarray:
    return np.array(values, dtype=np.int64)


def test_pairs_are_counted_by_what_happened_in_which():
    pairs = paired.PairedShares.of(numbers(1, 1, 0, 0, 1), numbers(1, 0, 1, 0, 0))
    assert pairs == paired.PairedShares(both=1, first=2, second=1, neither=1)
    assert pairs.difference().value == pytest.approx(-0.2)  # two of five less three of five


def test_the_mid_p_value_of_a_published_example():
    # Airway hyper-responsiveness before and after stem cell transplantation: 1, 1, 7, 12 (Fagerland et al. 2013: 0.039)
    pairs = paired.PairedShares(both=1, first=1, second=7, neither=12)
    assert pairs.mcnemar() == pytest.approx(2 * 9 / 256 - 8 / 256)
    assert pairs.mcnemar() == pytest.approx(0.039, abs=5e-4)


def test_balanced_split_of_differing_games_is_no_evidence():
    assert paired.PairedShares(0, 3, 3, 10).mcnemar() == 1  # twice 42 of 64, less 20 of 64
    assert paired.PairedShares(5, 0, 0, 5).mcnemar() is None


def test_difference_of_paired_shares_has_newcombes_interval():
    pairs = paired.PairedShares(both=20, first=5, second=15, neither=60)
    assert pairs.difference() == difference_of_shares(20, 15, 5, 60)
    wide, narrow = pairs.difference(), pairs.difference(paired.EQUIVALENCE)
    assert wide.low < narrow.low < narrow.value < narrow.high < wide.high


def test_cohens_h_of_a_half_and_three_quarters_is_a_sixth_of_pi():
    assert paired.PairedShares(both=2, first=0, second=1, neither=1).cohens_h() == pytest.approx(pi / 6)


def test_the_difference_of_means_is_students_over_the_pairs():
    first, second = paired.paired_figure(numbers(1, 2, 3), None), paired.paired_figure(numbers(2, 4, 6), None)
    found = paired.difference(first, second, 1.0)
    half = t.ppf(0.975, 2) / sqrt(3)  # the differences 1, 2, 3 have the mean 2 and the deviation 1
    assert found.interval == pytest.approx((2, 2 - half, 2 + half))
    assert found.gain == pytest.approx(1 + 4)  # variances 1 and 4 apart, 1 together
    assert found.p == pytest.approx(2 * t.sf(2 * sqrt(3), 2))


def test_the_same_games_differ_by_exactly_nothing():
    games = paired.paired_figure(numbers(3, 9, 4, 4), None)
    found = paired.difference(games, games, 0.1)
    assert found.interval == (0, 0, 0)
    assert (found.p, found.p_same, found.gain) == (None, 0, None)


def test_of_a_single_game_nothing_is_sure():
    """Two games that differ by as much are beyond doubt: there is a deviation, and it is nothing."""
    one = paired.difference(paired.paired_figure(numbers(3), None), paired.paired_figure(numbers(5), None), 1.0)
    assert (one.interval, one.p, one.p_same, one.gain) == ((2, None, None), None, None, None)
    two = paired.difference(paired.paired_figure(numbers(3, 4), None), paired.paired_figure(numbers(5, 6), None), 1.0)
    assert (two.interval, two.p) == ((2, 2, 2), 0)


def test_ratio_of_sums_has_the_interval_of_its_formula():
    draw = np.random.default_rng(3)
    below = draw.poisson(20, 500)
    above = 3 * below + draw.poisson(below)
    sums = (above.sum(), below.sum(), (above**2).sum(), (above * below).sum(), (below**2).sum())
    expected = ratio(*map(int, sums), 500)
    assert paired.paired_figure(above, below).interval() == pytest.approx(expected)


def test_twice_as_much_in_every_game_is_exactly_two():
    games = numbers(5, 7, 9, 30)
    twice = paired.Ratio.of(paired.paired_figure(games, None), paired.paired_figure(2 * games, None))
    assert twice.interval() == pytest.approx((2, 2, 2))
    assert (twice.same_p(0.99), twice.same_p(1.01)) == (1, 0)
    assert paired.Ratio.of(paired.paired_figure(0 * games, None), paired.paired_figure(games, None)) is None


def test_it_does_not_matter_to_a_ratio_which_comes_first():
    draw = np.random.default_rng(11)
    first, second = draw.poisson(400, 300), draw.poisson(404, 300)
    figures = paired.paired_figure(first, None), paired.paired_figure(second, None)
    there, back = paired.Ratio.of(*figures), paired.Ratio.of(*figures[::-1])
    assert there.same_p(0.05) == pytest.approx(back.same_p(0.05))
    assert back.interval()[1:] == pytest.approx([1 / limit for limit in there.interval()[:0:-1]])


def test_cliffs_delta_compares_everything_with_everything():
    draw = np.random.default_rng(5)
    first, second = draw.integers(0, 9, 60), draw.integers(2, 12, 60)
    brute = np.sign(second[None, :] - first[:, None]).mean()
    assert paired.cliffs_delta(first, second).value == pytest.approx(brute)
    assert paired.cliffs_delta(first, first) == (0, 0, 0)
    assert paired.cliffs_delta(numbers(1, 2), numbers(3, 4)).value == 1


def test_games_are_identical_only_if_all_of_their_row_is():
    first = np.array([[1, 2], [3, 4], [5, 6]], dtype=np.int32)
    second = np.array([[1, 2], [3, 9], [5, 6]], dtype=np.int32)
    assert paired.identical(first, second) == 2


def test_half_the_games_do_not_exceed_the_median():
    assert paired.median(numbers(1, 2, 3, 4), 100) == 2
    assert paired.median(numbers(9, 1, 5), 100) == 5
    assert paired.median(numbers(1, 101, 101), 100) is None  # more than half were still going on


def test_medians_of_the_same_games_have_exactly_ratio_one():
    games = np.random.default_rng(1).geometric(0.05, 800)
    assert paired.ratio_of_medians(games, games, (10_000, 10_000), seed=1) == (1, 1, 1)


@pytest.mark.by_turns
def test_the_resampled_medians_are_those_of_drawing_pair_by_pair():
    draw = np.random.default_rng(2)
    first = draw.geometric(0.02, 700)
    second = first + draw.poisson(12, 700)
    found = paired.ratio_of_medians(first, second, (10_000, 10_000), seed=4, resamples=4_000)
    places = draw.integers(0, 700, (4_000, 700))
    rank = 349
    medians = [np.partition(values[places], rank, axis=1)[:, rank] for values in (first, second)]
    low, high = np.quantile(medians[1] / medians[0], [0.025, 0.975])
    assert found.low == pytest.approx(low, rel=0.03)
    assert found.high == pytest.approx(high, rel=0.03)


def test_the_same_seed_resamples_the_same():
    draw = np.random.default_rng(2)
    first, second = draw.geometric(0.02, 300), draw.geometric(0.03, 300)
    again = [paired.ratio_of_medians(first, second, (5_000, 5_000), seed=seed) for seed in (7, 7, 8)]
    assert again[0] == again[1]
    assert again[0][1:] != again[2][1:]


def test_median_that_a_resample_misses_sets_no_limits():
    first = np.concatenate([np.full(52, 10), np.full(48, 101)])
    assert paired.ratio_of_medians(first, first, (100, 100), seed=1)[1:] == (None, None)
    assert paired.ratio_of_medians(first[::-1], np.full(100, 101), (100, 100), seed=1) is None


def test_intervals_of_cliffs_delta_cover_at_their_stated_rate():
    draw, covered = np.random.default_rng(11), 0
    for _ in range(400):
        first, second = draw.standard_normal((2, 300)) + draw.standard_normal(300)
        found = paired.cliffs_delta(first, second)
        covered += found.low <= 0 <= found.high
    least, most = binom.ppf([0.001, 0.999], 400, 0.95)
    assert least <= covered <= most
