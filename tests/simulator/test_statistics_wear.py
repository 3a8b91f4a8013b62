"""Wear: tau-b by another programme, orders worked by hand, corrections, a planted truth, lopsidedness by nothing."""

from itertools import combinations

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.stats import binom, kendalltau

from simulator.statistics.wear import (
    AGREES,
    BLOCKS,
    CANNOT_TELL,
    DISAGREES,
    Order,
    Sums,
    agreement,
    as_wrong,
    compare,
    holm,
    lopsided,
    orders_of_grades,
    share_intervals,
    tau_b,
)

SCALE = 2**30


def games_of(shares: list[float], games: int, seed: int, moves: int = 12) -> NDArray[np.int64]:
    """Counts of so many games, each of a few moves: int64[games, things]."""
    return np.random.default_rng(seed).multinomial(moves, shares, games)


def summed(counts: NDArray[np.int64]) -> Sums:
    """The sums by blocks of games numbered from 0, each game of weight one."""
    weights = np.zeros((BLOCKS, counts.shape[1]), dtype=np.int64)
    numbers = np.arange(len(counts)) % BLOCKS
    np.add.at(weights, numbers, counts * SCALE // counts.sum(axis=1, keepdims=True))
    return Sums(weights, np.bincount(numbers, minlength=BLOCKS))


class TestShares:
    def test_intervals_are_as_wide_as_the_games_make_them(self) -> None:
        """Twelve moves a game of a share of a half: a game's share varies by √(0.25 / 12)."""
        found = share_intervals(summed(games_of([0.5, 0.3, 0.2], 4000, seed=1)))
        low, high = found[0].limits
        assert low < 0.5 < high
        assert high - low == pytest.approx(2 * 1.96 * (0.25 / 12 / 4000) ** 0.5, rel=0.15)
        assert sum(one.value for one in found) == pytest.approx(1)

    def test_fewer_games_than_blocks_are_drawn_one_by_one(self) -> None:
        found = share_intervals(summed(games_of([0.5, 0.5], 40, seed=2)))
        low, high = found[0].limits
        assert high - low == pytest.approx(2 * 1.96 * (0.25 / 12 / 40) ** 0.5, rel=0.35)

    def test_classes_add_up(self) -> None:
        sums = summed(games_of([0.4, 0.3, 0.2, 0.1], 500, seed=3))
        assert sums.of([(0, 3), (1, 2)]).shares() == pytest.approx(
            [sums.shares()[0] + sums.shares()[3], sums.shares()[1] + sums.shares()[2]]
        )

    def test_without_a_move_there_is_no_share(self) -> None:
        nothing = Sums(np.zeros((BLOCKS, 2), dtype=np.int64), np.ones(BLOCKS, dtype=np.int64))
        assert [one.value for one in share_intervals(nothing)] == [0, 0]
        assert agreement(nothing, [Order((0,), (1,))]).tau is None


@pytest.mark.parametrize("seed", range(20))
def test_tau_b_is_that_of_another_programme(seed: int) -> None:
    draw = np.random.default_rng(seed)
    grades, values = draw.integers(0, 4, 9), draw.integers(0, 6, 9) / 6
    pairs = np.array(list(combinations(range(9), 2)))
    found = tau_b(values[None], pairs, np.sign(grades[pairs[:, 0]] - grades[pairs[:, 1]]).astype(float))[0]
    assert found == pytest.approx(kendalltau(grades, values, variant="b").statistic, abs=1e-12)


class TestAgreement:
    def test_orders_are_told_apart(self) -> None:
        sums = summed(games_of([0.4, 0.1, 0.25, 0.25], 2000, seed=4))
        found = agreement(sums, [Order((0,), (1,)), Order((1,), (2,)), Order((2,), (3,))])
        assert found.signature == (AGREES, DISAGREES, CANNOT_TELL)
        assert found.told[0].difference.value == pytest.approx(0.3, abs=0.02)

    def test_groups_are_worn_as_their_mean_member(self) -> None:
        sums = summed(games_of([0.4, 0.2, 0.2, 0.2], 2000, seed=5))
        assert agreement(sums, [Order((0,), (1, 2, 3))]).told[0].difference.value == pytest.approx(0.2, abs=0.02)

    def test_by_lot_is_exact_for_a_few_things(self) -> None:
        """Four things in one full order of grades: one of 24 ways is as good."""
        orders = orders_of_grades([((0,), 3), ((1,), 2), ((2,), 1), ((3,), 0)])
        found = agreement(summed(games_of([0.4, 0.3, 0.2, 0.1], 2000, seed=6)), orders)
        assert (len(orders), found.tau and found.tau.value) == (6, 1)
        assert found.by_lot == pytest.approx(1 / 24)
        three = agreement(summed(games_of([0.4, 0.3, 0.2, 0.1], 2000, seed=6)), [Order((0,), (1,))])
        assert three.by_lot == pytest.approx(1 / 2)

    def test_grades_that_are_one_are_in_no_order(self) -> None:
        assert orders_of_grades([((0,), 1), ((1, 2), 1), ((3,), 2)], 0.1) == [
            Order((3,), (0,), 0.1), Order((3,), (1, 2), 0.1),
        ]  # fmt: skip


class TestRejected:
    def test_orders_that_are_equally_sure_are_counted(self) -> None:
        for wrong in range(6):
            found = as_wrong([0.1] * 5, [number < wrong for number in range(5)])
            assert found == pytest.approx(binom.sf(wrong - 1, 5, 0.1))

    def test_a_sure_one_weighs_more(self) -> None:
        assert as_wrong([0.01, 0.25], [True, False]) == pytest.approx(0.01)
        assert as_wrong([0.01, 0.25], [False, True]) == pytest.approx(1 - 0.99 * 0.75)
        assert as_wrong([], []) == 1

    def test_an_error_is_neither_impossible_nor_a_coin(self) -> None:
        with pytest.raises(ValueError, match=r"between 0 and 0\.5, not 0\.5"):
            Order((0,), (1,), 0.5)


def test_holm_by_hand() -> None:
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert holm([0.6, 0.7]) == [1.0, 1.0]
    assert holm([]) == []


class TestCompared:
    ORDERS = (Order((0,), (1,)), Order((1,), (2,)), Order((0,), (2,)), Order((2,), (3,), 0.25))

    def test_candidates_fall_into_classes_and_each_order_matters(self) -> None:
        shares = ([0.4, 0.3, 0.2, 0.1], [0.42, 0.31, 0.18, 0.09], [0.1, 0.2, 0.3, 0.4], [0.35, 0.25, 0.3, 0.1])
        found = compare([summed(games_of(one, 2000, seed)) for seed, one in enumerate(shares)], self.ORDERS)
        assert found.alike == ((0, 1), (2,), (3,))
        assert found.stands == (0, 1)
        assert found.without == ((), (3,), (), ())
        assert found.by_lot[0] >= found.agreements[0].by_lot

    def test_who_is_unsure_rejects_less(self) -> None:
        against = [summed(games_of([0.1, 0.2, 0.3, 0.4], 2000, seed=9))]
        assert compare(against, [Order((0,), (1,), 0.25)]).stands == (0,)
        assert compare(against, [Order((0,), (1,), 0.01)]).stands == ()

    def test_a_planted_truth_stands(self) -> None:
        """Twelve sets of observations by an eye that errs in one order of ten: the true one is seldom rejected."""
        draw = np.random.default_rng(11)
        truths = draw.dirichlet(np.ones(6), 4)
        sums = [summed(games_of(list(one), 400, seed)) for seed, one in enumerate(truths)]
        stood = 0
        for trial in range(12):
            true, pairs = trial % 4, [(0, 1), (2, 3), (4, 5), (0, 2), (1, 5)]
            orders = []
            for one, other in pairs:
                more = (truths[true][one] > truths[true][other]) != (draw.random() < 0.1)
                orders.append(Order(*((one,), (other,)) if more else ((other,), (one,)), 0.1))
            stood += true in compare(sums, orders).stands
        assert stood >= 10


def folded(counts: NDArray[np.int64], group: list[tuple[int, ...]]) -> NDArray[np.float64]:
    """Shares of games that are each turned so that they lie nearest to the mean of those before them."""
    shares = counts / counts.sum(axis=1, keepdims=True)
    found = [shares[0]]
    mean = shares[0]
    for one in shares[1:]:
        turned = min(
            (one[list(permutation)] for permutation in group), key=lambda way: float(((way - mean) ** 2).sum())
        )
        found.append(turned)
        mean = mean + (turned - mean) / len(found)
    return np.array(found)


class TestLopsided:
    GROUP = [(0, 1, 2, 3), (1, 0, 3, 2), (2, 3, 0, 1), (3, 2, 1, 0)]

    def test_play_that_prefers_nothing_is_seldom_called_lopsided(self) -> None:
        sets = 200
        called = 0
        for seed in range(sets):
            sums = summed(games_of([0.25] * 4, 300, seed))
            found = lopsided(sums, [range(4)], self.GROUP, seed=seed, resamples=99)
            called += found is not None and found.chance <= 0.05
        assert called <= binom.ppf(0.999, sets, 0.05)

    def test_turning_games_to_the_mean_makes_it_out_of_nothing(self) -> None:
        """Of the same games the largest share, with its interval, lies above a quarter once they are folded so."""
        reported = 0
        for seed in range(20):
            shares = folded(games_of([0.25] * 4, 300, seed), self.GROUP)
            mean, error = shares.mean(axis=0), shares.std(axis=0) / len(shares) ** 0.5
            reported += bool(np.max(mean - 2.5 * error) > 0.25)
        assert reported >= 19

    def test_play_that_prefers_a_side_is_found(self) -> None:
        found = lopsided(summed(games_of([0.3, 0.25, 0.25, 0.2], 1000, seed=3)), [range(4)], self.GROUP, resamples=999)
        assert found
        assert (found.thing, found.share, found.even) == (0, pytest.approx(0.3, abs=0.02), 0.25)
        assert found.chance == pytest.approx(0.001)

    def test_several_orbits_are_one_test(self) -> None:
        """Two pairs and one alone: of the second pair one thing has 5 points more than half of what both have."""
        group = [(0, 1, 2, 3, 4), (1, 0, 3, 2, 4)]
        sums = summed(games_of([0.1, 0.1, 0.15, 0.25, 0.4], 1000, seed=3))
        found = lopsided(sums, [(0, 1), (2, 3), (4,)], group, resamples=999)
        assert found
        assert (found.thing, found.even) == (3, pytest.approx(0.2, abs=0.01))
        assert (found.share, found.chance) == (pytest.approx(0.25, abs=0.01), pytest.approx(0.001))

    def test_things_outside_the_orbit_are_left_out(self) -> None:
        found = lopsided(summed(games_of([0.1, 0.1, 0.8], 500, seed=1)), [(0, 1)], [(0, 1, 2), (1, 0, 2)])
        assert found
        assert found.share == pytest.approx(0.1, abs=0.01)
        assert found.chance > 0.05

    def test_where_nothing_is_alike_nothing_is_tested(self) -> None:
        sums = summed(games_of([0.5, 0.5], 50, seed=1))
        assert lopsided(sums, [(0,), (1,)], [(0, 1)]) is None
        nothing = Sums(np.zeros((BLOCKS, 2), dtype=np.int64), np.ones(BLOCKS, dtype=np.int64))
        assert lopsided(nothing, [(0, 1)], [(0, 1), (1, 0)]) is None
