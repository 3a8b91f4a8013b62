"""Shares of variance: by hand, against brute force, unbiased under noise, with intervals that keep their word."""

from itertools import product
from math import prod, sqrt

import numpy as np
import pytest

from catalogue.analyses.factorial import balanced_sample
from simulator.statistics.variance_shares import Combinations, complete_forms, sampled_forms, sampled_mean, shares


def crossed(*weights, arises=None):
    """Every combination of levels with these weights, each a cell of its own.

    arises: (levels, factor) -> whether the factor arises there
    """
    levels = np.array(list(product(*(range(len(of_one)) for of_one in weights))))
    mass = [prod(of_one[level] / sum(of_one) for of_one, level in zip(weights, row, strict=True)) for row in levels]
    factors = range(len(weights))
    flags = [[arises is None or arises(tuple(row), factor) for factor in factors] for row in levels]
    return Combinations(np.array(mass), np.arange(len(levels)), levels, np.array(flags))


def shares_of(found, means, errors=None):
    return shares(complete_forms(found), means, [0.0] * len(means) if errors is None else errors, seed=1)


def values(intervals):
    return pytest.approx([interval.value for interval in intervals], abs=1e-9)


TWO_BY_TWO = crossed([1, 1], [1, 1])


def test_two_factors_that_add_up():
    """Means 6, 8, 12, 14: 10, plus or minus 3 for the one, plus or minus 1 for the other: variances 9 and 1."""
    found = shares_of(TWO_BY_TWO, [6, 8, 12, 14])
    assert found.variance.value == pytest.approx(10)
    assert values(found.first) == [0.9, 0.1]
    assert values(found.total) == [0.9, 0.1]
    assert found.rest.value == pytest.approx(0)


def test_two_factors_that_only_matter_together():
    found = shares_of(TWO_BY_TWO, [1, -1, -1, 1])
    assert values(found.first) == [0, 0]
    assert values(found.total) == [1, 1]
    assert found.rest.value == pytest.approx(1)


def test_factor_that_does_not_arise_takes_no_share():
    """The second factor arises only with the first at 1, and moves 0 by ±1 there; without it all games come to 10.

    Variance 25.5: the first factor's levels stand at 0 and 10 (25), the second's at ±1 in half of the weight (.5).
    """
    gated = crossed([1, 1], [1, 1], arises=lambda levels, factor: factor == 0 or levels[0] == 0)
    found = shares_of(gated, [1, -1, 10, 10])
    assert found.variance.value == pytest.approx(25.5)
    assert values(found.first) == [25 / 25.5, 0.5 / 25.5]
    assert found.total[1].value == pytest.approx(0.5 / 25.5)
    assert found.rest.value == pytest.approx(0)


def test_combinations_of_one_cell_add_up():
    """The same game, with the two combinations in which nothing can fire as one cell."""
    gated = crossed([1, 1], [1, 1], arises=lambda levels, factor: factor == 0 or levels[0] == 0)
    merged = Combinations(gated.weights, np.array([0, 1, 2, 2]), gated.levels, gated.arises)
    separate, together = shares_of(gated, [1, -1, 10, 10]), shares_of(merged, [1, -1, 10])
    assert together.first == separate.first
    assert together.total == separate.total
    assert together.variance.value == pytest.approx(25.5)


def brute_force(weights, function):
    """Sobol's indices from their definitions, with loops over the combinations (a discrete Ishigami function below)."""
    spans = [[one / sum(of_one) for one in of_one] for of_one in weights]
    rows = list(product(*(range(len(of_one)) for of_one in weights)))

    def chance(row, factors):
        return prod(spans[factor][row[factor]] for factor in factors)

    factors = range(len(weights))
    mean = sum(chance(row, factors) * function(row) for row in rows)
    variance = sum(chance(row, factors) * (function(row) - mean) ** 2 for row in rows)
    first, total = [], []
    for one in factors:
        others = [factor for factor in factors if factor != one]
        by_level = [
            sum(chance(row, others) * function(row) for row in rows if row[one] == level)
            for level in range(len(weights[one]))
        ]
        first.append(sum(w * (m - mean) ** 2 for w, m in zip(spans[one], by_level, strict=True)) / variance)
        within = 0.0
        for row in (row for row in rows if row[one] == 0):
            at = [function((*row[:one], level, *row[one + 1 :])) for level in range(len(weights[one]))]
            average = sum(w * v for w, v in zip(spans[one], at, strict=True))
            spread = sum(w * (v - average) ** 2 for w, v in zip(spans[one], at, strict=True))
            within += chance(row, others) * spread
        total.append(within / variance)
    return first, total


def ishigami(levels):
    """Ishigami & Homma's function on a few points of each axis: the third input matters with the first only."""
    x, y, z = (-np.pi + 2 * np.pi * level / 4 for level in levels)
    return float(np.sin(x) + 7 * np.sin(y) ** 2 + 0.1 * z**4 * np.sin(x))


def test_a_discrete_ishigami_function_as_brute_force_has_it():
    weights = [[1, 2, 1, 1], [1, 1, 3], [2, 1, 1, 1, 1]]
    found = crossed(*weights)
    first, total = brute_force(weights, ishigami)
    computed = shares_of(found, [ishigami(row) for row in found.levels])
    assert first == values(computed.first)
    assert total == values(computed.total)
    assert first[2] < 0.05 < total[2]


ADDITIVE = np.array([3 * a + 1 * b + 0.5 * c for a, b, c in product((-1, 1), (-1, 1), (-1, 1))])


def test_the_noise_of_the_games_is_taken_off():
    """True variance 10.25; measured with a standard error of 2, the eight means differ by 3.5 more on average."""
    forms = complete_forms(crossed([1, 1], [1, 1], [1, 1]))
    draw = np.random.default_rng(5)
    measured = ADDITIVE + 2 * draw.standard_normal((100, 8))
    estimates = [shares(forms, row, [4.0] * 8, seed=1) for row in measured]
    assert estimates[0].noise == pytest.approx(3.5)
    truth, plain = 10.25, measured.var(axis=1)
    corrected = np.array([estimate.variance.value for estimate in estimates])
    assert abs(corrected.mean() - truth) < 3 * corrected.std() / 10
    assert plain.mean() - truth > 3


def test_intervals_cover_the_true_shares():
    """95 % intervals in 100 worlds; 19 of 20 are expected, and with three factors at least 9 of 10 are demanded."""
    found, draw = crossed([1, 1], [1, 1], [1, 1]), np.random.default_rng(8)
    forms, truth = complete_forms(found), [9 / 10.25, 1 / 10.25, 0.25 / 10.25]
    covered = np.zeros(3)
    for seed in range(100):
        estimate = shares(forms, ADDITIVE + 0.4 * draw.standard_normal(8), [0.16] * 8, seed)
        covered += [low <= share <= high for (_, low, high), share in zip(estimate.first, truth, strict=True)]
    assert min(covered / 100) > 0.9


def test_no_shares_of_a_variance_that_may_be_nothing():
    noisy = shares(complete_forms(TWO_BY_TWO), [0.50, 0.52, 0.49, 0.51], [0.0004] * 4, seed=1)
    assert (noisy.first, noisy.total, noisy.rest) == ((), None, None)
    assert noisy.variance.low == 0
    assert shares_of(TWO_BY_TWO, [7, 7, 7, 7]).first == ()


def test_a_negative_share_is_none_and_is_named():
    """The second factor's means differ by less than their noise would make them."""
    found = shares(complete_forms(TWO_BY_TWO), [0, 0.001, 5, 5], [0.01] * 4, seed=1)
    assert found.below == (1,)
    assert found.first[1].value == 0


SIX = [[1, 1], [1, 1, 1], [1, 1], [1, 1, 1, 1], [1, 1], [1, 1, 1]]


def sampled(weights, size, seed):
    rows = balanced_sample(weights, size, seed, lambda row: True)
    levels = np.array(rows)
    _, cells = np.unique(levels, axis=0, return_inverse=True)
    return Combinations(np.full(size, 1 / size), cells.ravel(), levels, np.ones(levels.shape, dtype=bool))


def of_cells(found, function):
    return [function(found.levels[found.cells == cell][0]) for cell in range(found.cells.max() + 1)]


def test_sample_finds_additive_effects():
    def function(row):
        return 4 * row[0] + row[1] + 2 * row[3]

    found = sampled(SIX, 96, seed=3)
    computed = shares(sampled_forms(found), of_cells(found, function), [0.0] * (found.cells.max() + 1), seed=1)
    variances = np.array([4, 2 / 3, 0, 5, 0, 0])
    assert [one.value for one in computed.first] == pytest.approx(variances / variances.sum(), abs=0.01)
    assert computed.total is None
    assert computed.rest.value < 0.02


@pytest.mark.thorough
def test_what_main_effects_leave_is_not_counted_for_them():
    """Half of the variance is an interaction. Uncorrected, the fit of 12 effects to 64 cells would take part of it."""

    def function(row):
        return 2 * (row[0] - 0.5) + 2 * (2 * row[2] - 1) * (row[4] - 0.5)

    found = [sampled(SIX, 64, seed) for seed in range(25)]
    each = [shares(sampled_forms(one), of_cells(one, function), [0.0] * (one.cells.max() + 1), seed=1) for one in found]
    assert np.mean([one.first[0].value for one in each]) == pytest.approx(0.5, abs=0.03)
    assert np.mean([one.first[3].value for one in each]) < 0.02
    assert np.mean([one.rest.value for one in each]) == pytest.approx(0.5, abs=0.03)
    assert sum(one.first[0].low <= 0.5 <= one.first[0].high for one in each) >= 22


def test_means_by_level_cover_all_combinations():
    """Of 64 of 576 combinations, with an interaction; the other factors make other samples other means."""

    def function(row):
        return 10 + 2 * (row[0] - 0.5) + 2 * (2 * row[2] - 1) * (row[4] - 0.5)

    held, worlds = 0, range(25)
    for seed in worlds:
        found = sampled(SIX, 64, seed)
        means = of_cells(found, function)
        member, errors = found.membership(), [0.0] * len(means)
        low, high = (sampled_mean((found.levels[:, 0] == level) @ member, means, errors) for level in (0, 1))
        assert low.high - low.low < 1
        held += (low.low <= 9 <= low.high) + (high.low <= 11 <= high.high)
    assert held >= 0.9 * 2 * len(worlds)


def test_the_mean_of_a_part_of_a_sample_worked_by_hand():
    """Of four cells the answer has three, with 0, 0 and 0.3: the mean is 0.1 and their squares come to 0.06, so the
    squared error is (1/9)(0.06)(3/2) = 0.01. Alone a cell scatters as all four do: by √(0.08 / 3).
    """
    found = sampled_mean([1, 1, 1, 0], [0, 0, 0.3, 0.3], [0.0] * 4)
    assert found == pytest.approx((0.1, 0.1 - 0.1 * 1.959964, 0.1 + 0.1 * 1.959964))
    assert sampled_mean([2, 2, 2, 0], [0, 0, 0.3, 0.3], [0.0] * 4) == pytest.approx(found)
    noisy = sampled_mean([1, 1, 1, 0], [0, 0, 0.3, 0.3], [0.12, 0.12, 0.12, 9.0])
    assert noisy.high - 0.1 == pytest.approx(0.2 * 1.959964)
    alone = sampled_mean([0, 0, 0, 1], [0, 0.2, 0.2, 0.4], [0.0] * 4)
    assert alone.high - 0.4 == pytest.approx(sqrt(0.08 / 3) * 1.959964)


@pytest.mark.parametrize("size", [64, 127, 128])
def test_a_sample_has_each_level_as_often_as_can_be(size):
    rows = np.array(balanced_sample(SIX, size, 11, lambda row: True))
    for factor, weights in enumerate(SIX):
        counts = np.bincount(rows[:, factor], minlength=len(weights))
        assert counts.max() - counts.min() <= 1


def test_pairs_of_levels_are_more_even_than_by_chance():
    rows = np.array(balanced_sample(SIX, 128, 11, lambda row: True))
    for one, other in ((0, 2), (1, 3), (3, 5)):
        pairs = np.zeros((len(SIX[one]), len(SIX[other])))
        np.add.at(pairs, (rows[:, one], rows[:, other]), 1)
        expected = 128 / pairs.size
        assert ((pairs - expected) ** 2).sum() / expected < 0.5 * (pairs.size - 1)


def test_weights_bring_levels_more_often_and_weight_0_never():
    rows = np.array(balanced_sample([[3, 1, 0], *SIX], 80, 2, lambda row: True))
    assert np.bincount(rows[:, 0], minlength=3).tolist() == [60, 20, 0]


@pytest.mark.by_turns
def test_what_is_not_allowed_does_not_come_and_the_seed_says_all():
    def allowed(row):
        return row[0] + row[2] < 2

    rows = balanced_sample(SIX, 60, 4, allowed)
    assert len(rows) == 60
    assert all(map(allowed, rows))
    assert rows == balanced_sample(SIX, 60, 4, allowed)
    assert rows != balanced_sample(SIX, 60, 5, allowed)
    assert balanced_sample(SIX, 5, 4, lambda row: False) == []


@pytest.mark.thorough
def test_sample_intervals_cover_effects_of_few_combinations():
    """Effects that multiply: a few combinations stand far out, and which of them a sample has is chance."""
    effects = [np.array(one) for one in ([-1, 1], [-0.6, 0, 0.6], [-0.3, 0.3], [0, 0, 0, 0], [-0.2, 0.2], [0, 0, 0])]

    def function(row):
        return float(np.exp(sum(effect[level] for effect, level in zip(effects, row, strict=True))))

    means, squares = ([np.exp(power * effect).mean() for effect in effects] for power in (1, 2))
    truth = (squares[0] / means[0] ** 2 - 1) / (prod(squares) / prod(means) ** 2 - 1)
    held = 0
    for seed in range(25):
        found = sampled(SIX, 64, seed)
        cells = of_cells(found, function)
        shares_of = shares(sampled_forms(found), cells, [0.0] * len(cells), seed)
        held += shares_of.first[0].low <= truth <= shares_of.first[0].high
    assert held >= 22


@pytest.mark.thorough
def test_threefold_interaction_leaves_a_sample_too_sure():
    """What the page of a sampled study says of itself: here that of the largest holds in three of four."""
    weights, worlds, held = [[1, 1]] * 8, 40, 0

    def function(row):
        signs = [2 * level - 1 for level in row]
        return signs[0] + signs[1] / 2 + 3 * signs[1] * signs[2] * signs[4]

    truth = 1 / (1 + 1 / 4 + 9)
    for seed in range(worlds):
        found = sampled(weights, 64, seed)
        cells = of_cells(found, function)
        low, high = shares(sampled_forms(found), cells, [0.0] * len(cells), seed).first[0][1:]
        held += low <= truth <= high
    assert 0.65 * worlds <= held < 0.95 * worlds
