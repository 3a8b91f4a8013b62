"""The sequential test: bounds worked out by hand, exact error probabilities, and what draws and unequal seats do."""

from collections.abc import Callable, Mapping
from math import log, prod

import numpy as np
import pytest

from tools.sequential import Decision, SequentialTest

USUAL = SequentialTest()


def first_decision(scores: list[float], test: SequentialTest = USUAL) -> tuple[int, Decision]:
    """After how many games which decision falls, looked at after each pair."""
    for games in range(2, len(scores) + 1, 2):
        decision = test.decision(sum(scores[:games]), games)
        if decision != Decision.GO_ON:
            return games, decision
    raise AssertionError("no decision")


class TestByHand:
    def test_won_games_in_a_row(self) -> None:
        # ln 20 / ln (0.9 / 0.8) = 2.9957 / 0.11778 = 25.4, so the pair that ends with game 26.
        assert first_decision([1.0] * 200) == (26, Decision.ENOUGH)

    def test_lost_games_in_a_row(self) -> None:
        # ln 20 / ln (0.2 / 0.1) = 4.3, so the third pair.
        assert first_decision([0.0] * 200) == (6, Decision.TOO_LITTLE)

    def test_drawn_games(self) -> None:
        # A draw is (0.11778 - 0.69315) / 2 = -0.28768; 2.9957 / 0.28768 = 10.4, so the sixth pair.
        assert USUAL.log_ratio(0.5, 1) == pytest.approx(-0.28768, abs=1e-5)
        assert first_decision([0.5] * 200) == (12, Decision.TOO_LITTLE)

    def test_between_the_two_nothing_is_decided(self) -> None:
        # With 171 of 200 the ratio is 171 x 0.117783 - 29 x 0.693147 = 0.0396.
        assert USUAL.log_ratio(171, 200) == pytest.approx(0.0396, abs=1e-4)
        assert USUAL.decision(171, 200) == Decision.UNDECIDED
        assert USUAL.decision(171, 198) == Decision.GO_ON

    def test_bounds_lie_just_outside_those_of_wald(self) -> None:
        assert USUAL.upper == pytest.approx(log(20))
        assert log(0.95 / 0.05) < USUAL.upper < log(0.95 / 0.05) + 0.06
        assert USUAL.lower == pytest.approx(-log(20))

    @pytest.mark.parametrize("wrong", [{"p0": 0.9, "p1": 0.8}, {"p1": 1.0}, {"p0": 0.0}, {"alpha": 0.0}, {"beta": 1.0}])
    def test_what_is_no_test_is_refused(self, wrong: Mapping[str, float]) -> None:
        with pytest.raises(ValueError, match="no such test"):
            SequentialTest(**wrong)  # type: ignore[arg-type]

    def test_more_points_than_games_are_refused(self) -> None:
        with pytest.raises(ValueError, match="3 points of 2 games"):
            USUAL.decision(3, 2)


Pair = Mapping[float, float]  # points of a pair of games -> probability


def pair_of(first: Mapping[float, float], second: Mapping[float, float]) -> Pair:
    """Two independent games as one pair."""
    found: dict[float, float] = {}
    for one, chance in first.items():
        for other, likely in second.items():
            found[one + other] = found.get(one + other, 0.0) + chance * likely
    return found


def exactly(pair: Pair, test: SequentialTest = USUAL) -> dict[Decision, float]:
    """The probability of each decision, and under GO_ON the mean number of games: every course of games summed up."""
    running: dict[float, float] = {0.0: 1.0}
    ended = dict.fromkeys(Decision, 0.0)
    for games in range(2, test.most_games + 1, 2):
        following: dict[float, float] = {}
        for points, chance in running.items():
            for more, likely in pair.items():
                following[points + more] = following.get(points + more, 0.0) + chance * likely
        running = {}
        for points, chance in following.items():
            decision = test.decision(points, games)
            if decision == Decision.GO_ON:
                running[points] = chance
            else:
                ended[decision] += chance
                ended[Decision.GO_ON] += chance * games
    return ended


def bernoulli(p: float) -> Pair:
    return pair_of({1.0: p, 0.0: 1 - p}, {1.0: p, 0.0: 1 - p})


class TestErrors:
    def test_both_errors_are_within_five_percent(self) -> None:
        weak, strong = exactly(bernoulli(0.8)), exactly(bernoulli(0.9))
        assert 0.01 < weak[Decision.ENOUGH] <= 0.05
        assert 0.01 < strong[Decision.TOO_LITTLE] <= 0.05
        for found in (weak, strong):
            assert sum(found[one] for one in Decision if one != Decision.GO_ON) == pytest.approx(1)
            assert found[Decision.UNDECIDED] < 0.05

    def test_the_mean_number_of_games_is_about_that_of_walds_formula(self) -> None:
        # Wald: ((1 - b) ln A + b ln B) / E z, here 2.696 / 0.0367 = 73 and 2.696 / 0.0444 = 61, and what lies beyond
        # the bounds comes on top; the end at 200 games takes a little off.
        assert exactly(bernoulli(0.9))[Decision.GO_ON] == pytest.approx(73, rel=0.12)
        assert exactly(bernoulli(0.8))[Decision.GO_ON] == pytest.approx(61, rel=0.12)

    def test_shares_beyond_the_hypotheses_are_told_more_surely(self) -> None:
        assert exactly(bernoulli(0.99))[Decision.ENOUGH] > 0.9999
        assert exactly(bernoulli(0.5))[Decision.TOO_LITTLE] > 0.9999

    @pytest.mark.parametrize(
        "pair",
        [
            pair_of({1.0: 0.6, 0.5: 0.4}, {1.0: 0.6, 0.5: 0.4}),  # draws in place of losses
            pair_of({1.0: 0.7, 0.5: 0.2, 0.0: 0.1}, {1.0: 0.7, 0.5: 0.2, 0.0: 0.1}),
            pair_of({1.0: 1.0}, {1.0: 0.6, 0.0: 0.4}),  # one seat is much the better
            pair_of({1.0: 0.98, 0.0: 0.02}, {1.0: 0.4, 0.5: 0.44, 0.0: 0.16}),
        ],
    )
    def test_draws_and_unequal_seats_make_no_error_likelier(self, pair: Pair) -> None:
        assert sum(points * chance for points, chance in pair.items()) == pytest.approx(1.6)
        assert exactly(pair)[Decision.ENOUGH] <= exactly(bernoulli(0.8))[Decision.ENOUGH] <= 0.05

    def test_the_ratio_is_a_supermartingale_under_either_hypothesis(self) -> None:
        def mean(of: Callable[[float], float], pair: Pair) -> float:
            return sum(chance * of(points) for points, chance in pair.items())

        for draws in (0.0, 0.1, 0.2):
            weak = {1.0: 0.8 - draws / 2, 0.5: draws, 0.0: 0.2 - draws / 2}
            strong = {1.0: 0.9 - draws / 2, 0.5: draws, 0.0: 0.1 - draws / 2}
            assert mean(lambda s: np.exp(USUAL.log_ratio(s, 1)), weak) <= 1 + 1e-12
            assert mean(lambda s: np.exp(-USUAL.log_ratio(s, 1)), strong) <= 1 + 1e-12

    def test_exact_probabilities_of_a_short_test_by_hand(self) -> None:
        # At most four games, decided by all won or by a single loss: p0 = 1/4, p1 = 3/4, both errors 0.1.
        test = SequentialTest(0.25, 0.75, 0.1, 0.1, 4)
        # Each game is worth ln 3 = 1.0986, either way, and ln 10 = 2.3026 takes three more of one kind.
        found = exactly(bernoulli(0.75), test)
        assert found[Decision.ENOUGH] == pytest.approx(prod([0.75] * 4))
        assert found[Decision.TOO_LITTLE] == pytest.approx(prod([0.25] * 4))
