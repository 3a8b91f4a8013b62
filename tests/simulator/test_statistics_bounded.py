"""What the cap leaves open: bounds of measures game by game, and figures counted both ways."""

from typing import Any

import numpy as np
import pytest

from simulator.engine.ends import DRAW, ENDLESS, UNFINISHED, WIN
from simulator.engine.families.points.measures import MEASURES as POINTS
from simulator.engine.families.sowing.measures import MEASURES as SOWING
from simulator.statistics.bounded import (
    NO_BOUND,
    Bounds,
    Holds,
    at,
    bounded_difference,
    bounded_mean,
    bounded_share,
    bounds,
    compared,
)

CAP = 100


def bounds_of(name: str, measures: Any = SOWING, **columns: list[int]) -> Bounds:
    measure = next(one for one in measures if one.name == name)
    return bounds(measure, {key: np.array(values, dtype=np.int32) for key, values in columns.items()}, CAP)


def holds(surely: list[int], possibly: list[int]) -> Holds:
    return Holds(np.array(surely, dtype=bool), np.array(possibly, dtype=bool))


def known(*values: int) -> Bounds:
    ended = np.ones(len(values), dtype=bool)
    return Bounds(np.array(values), np.array(values), ended, ended)


def kinds(yes: int, no: int, either: int) -> list[tuple[int, int]]:
    """(surely, possibly) of so many games of each kind."""
    return [(1, 1)] * yes + [(0, 0)] * no + [(0, 1)] * either


class TestBounds:
    def test_what_a_stopped_game_has_counted_can_only_grow(self) -> None:
        found = bounds_of("laps", end=[WIN, UNFINISHED], laps=[40, 70])
        assert found.least.tolist() == [40, 70]
        assert found.most.tolist() == [40, NO_BOUND]
        assert found.known.tolist() == [True, False]

    def test_end_of_a_stopped_game_is_open_between_the_ends(self) -> None:
        found = bounds_of("end", end=[DRAW, ENDLESS, UNFINISHED])
        assert found.least.tolist() == [DRAW, ENDLESS, WIN]
        assert found.most.tolist() == [DRAW, ENDLESS, ENDLESS]

    def test_a_part_that_ended_is_known_though_the_game_was_stopped(self) -> None:
        found = bounds_of("first_round_laps", end=[UNFINISHED] * 2, first_round_ended=[1, 0], first_round_laps=[9, 0])
        assert found.known.tolist() == [True, False]
        assert found.most.tolist() == [9, NO_BOUND]
        assert found.reached.tolist() == [True, False]

    def test_a_part_that_never_came_in_a_finished_game_has_no_value(self) -> None:
        columns = {"end": [WIN], "first_capture_ended": [0], "first_capture_turns": [0]}
        found = bounds_of("first_capture_turns", POINTS, **columns)
        assert found.defined.tolist() == [False]
        # Its turn is written as 0 in the row, and 0 is not "at most 48".
        assert compared(found, "<=", at(48)).possibly.tolist() == [False]

    def test_part_cut_off_by_the_cap_comes_after_it_if_at_all(self) -> None:
        columns = {"end": [UNFINISHED], "first_capture_ended": [0], "first_capture_turns": [0]}
        found = bounds_of("first_capture_turns", POINTS, **columns)
        assert compared(found, "<=", at(48)).possibly.tolist() == [False]
        assert compared(found, ">", at(200)).possibly.tolist() == [True]
        assert compared(found, ">", at(200)).surely.tolist() == [False]

    def test_course_within_the_cap_is_known_of_every_game(self) -> None:
        early = bounds_of("taken_0_at_50", POINTS, end=[UNFINISHED], taken_0_at_50=[3])
        late = bounds_of("taken_0_at_200", POINTS, end=[UNFINISHED], taken_0_at_200=[3])
        assert early.known.tolist() == [True]
        assert late.known.tolist() == [False]

    def test_who_was_ahead_is_open_until_the_part_has_ended(self) -> None:
        columns = {"end": [UNFINISHED, WIN, WIN], "first_round_ended": [0, 1, 0], "first_round_winner": [-1, 1, -1]}
        found = compared(bounds_of("first_round_winner", **columns), "!=", at(-1))
        assert found.surely.tolist() == [False, True, False]
        assert found.possibly.tolist() == [True, True, False]


class TestComparisons:
    @pytest.mark.parametrize(
        ("comparison", "surely", "possibly"),
        [
            ("<", [True, False, False, False], [True, False, False, True]),
            ("<=", [True, True, False, False], [True, True, False, True]),
            ("=", [False, True, False, False], [False, True, False, True]),
            ("!=", [True, False, True, False], [True, False, True, True]),
            (">=", [False, True, True, False], [False, True, True, True]),
            (">", [False, False, True, False], [False, False, True, True]),
        ],
    )
    def test_of_known_and_open_values_with_five(
        self, comparison: str, surely: list[bool], possibly: list[bool]
    ) -> None:
        ended = np.ones(4, dtype=bool)
        found = compared(Bounds(np.array([4, 5, 6, 3]), np.array([4, 5, 6, NO_BOUND]), ended, ended), comparison, at(5))
        assert found.surely.tolist() == surely
        assert found.possibly.tolist() == possibly

    def test_of_two_measures(self) -> None:
        found = compared(known(3, 7), ">", known(5, 5))
        assert found.surely.tolist() == [False, True]

    def test_an_unknown_comparison_is_refused(self) -> None:
        with pytest.raises(ValueError, match="=<"):
            compared(known(1), "=<", at(1))


class TestShares:
    def test_known_games_have_the_interval_of_newcombes_example(self) -> None:
        # Newcombe 1998, Statistics in Medicine 17: 857–872, table I, method 3: 81 of 263.
        figure = bounded_share(holds([1] * 263, [1] * 263), holds([1] * 81 + [0] * 182, [1] * 81 + [0] * 182))
        assert figure.value == pytest.approx(81 / 263)
        assert (figure.low, figure.high) == (pytest.approx(0.2553, abs=5e-5), pytest.approx(0.3662, abs=5e-5))
        assert figure.counts == {"yes": 81, "no": 182, "open": 0, "outside": 0}

    def test_open_games_are_counted_both_ways(self) -> None:
        # Wilson by hand: 40 of 100 has 0.3094 to 0.4980, 60 of 100 has 0.5020 to 0.6906.
        of = kinds(40, 40, 20)
        figure = bounded_share(holds([1] * 100, [1] * 100), holds([s for s, _ in of], [p for _, p in of]))
        assert figure.value is None
        assert (figure.least, figure.most) == (0.4, 0.6)
        assert (figure.low, figure.high) == (pytest.approx(0.3094, abs=5e-5), pytest.approx(0.6906, abs=5e-5))

    def test_doubtful_games_are_counted_where_they_harm(self) -> None:
        # 5 yes and 5 no among them; 2, 3 and 4 that may be among them and would be yes, no and either:
        # at worst 5 of 10 + 3 + 4, at best 5 + 2 + 4 of 10 + 2 + 4.
        of = kinds(5, 5, 0) + kinds(2, 3, 4)
        among = [(1, 1)] * 10 + [(0, 1)] * 9
        figure = bounded_share(holds(*map(list, zip(*among, strict=True))), holds(*map(list, zip(*of, strict=True))))
        assert (figure.least, figure.most) == (pytest.approx(5 / 17), pytest.approx(11 / 16))
        assert figure.counts == {"yes": 5, "no": 5, "open": 0, "outside": 9}

    def test_no_game_of_the_kind_gives_nothing(self) -> None:
        figure = bounded_share(holds([0], [0]), holds([1], [1]))
        assert (figure.value, figure.low, figure.high, figure.games) == (None, None, None, 0)


class TestMeans:
    def test_known_values_have_students_interval(self) -> None:
        # 1, 2, 3: mean 2, standard deviation 1, t(2) at 97.5 % is 4.3027: 2 ± 4.3027 / √3.
        figure = bounded_mean(known(1, 2, 3))
        assert figure.value == 2
        assert (figure.low, figure.high) == (pytest.approx(2 - 2.48414, abs=1e-4), pytest.approx(2 + 2.48414, abs=1e-4))

    def test_with_stopped_games_only_a_least_mean_is_known(self) -> None:
        figure = bounded_mean(bounds_of("turns", end=[WIN, WIN, UNFINISHED], turns=[10, 20, CAP]))
        assert figure.value is None
        assert figure.least == pytest.approx(130 / 3)
        assert (figure.most, figure.high) == (None, None)
        assert figure.counts == {"known": 2, "open": 1}

    def test_a_part_that_may_never_come_does_not_raise_the_least(self) -> None:
        columns = {"end": [WIN, WIN, UNFINISHED], "first_round_ended": [1, 1, 0], "first_round_turns": [10, 20, 0]}
        assert bounded_mean(bounds_of("first_round_turns", **columns)).least == 15

    def test_nothing_of_nothing(self) -> None:
        ended = np.zeros(1, dtype=bool)
        figure = bounded_mean(Bounds(np.array([0]), np.array([0]), ended, ended))
        assert (figure.value, figure.least, figure.games) == (None, None, 0)


class TestDifferences:
    def test_mean_of_the_differences_pair_by_pair(self) -> None:
        # Differences 1, 2, 3, although the values themselves lie far apart.
        figure = bounded_difference(known(101, 12, 53), known(100, 10, 50))
        assert figure.value == 2
        assert (figure.low, figure.high) == (pytest.approx(2 - 2.48414, abs=1e-4), pytest.approx(2 + 2.48414, abs=1e-4))
        assert figure.counts == {"more": 3, "less": 0, "same": 0, "open": 0, "stopped": 0}
        assert figure.balance is None

    def test_a_ruleset_against_itself_differs_by_exactly_nothing(self) -> None:
        figure = bounded_difference(known(5, 6, 7), known(5, 6, 7))
        assert (figure.value, figure.low, figure.high) == (0, 0, 0)
        assert figure.counts["same"] == 3

    def test_stopped_game_is_longer_and_two_stopped_are_open(self) -> None:
        first = bounds_of("turns", end=[UNFINISHED, UNFINISHED, WIN], turns=[CAP, CAP, 7])
        second = bounds_of("turns", end=[WIN, UNFINISHED, UNFINISHED], turns=[10, CAP, CAP])
        figure = bounded_difference(first, second)
        assert figure.counts == {"more": 1, "less": 1, "same": 0, "open": 1, "stopped": 3}
        assert figure.value == pytest.approx((90 + 0 - 93) / 3)  # up to the cap

    def test_open_pairs_are_counted_against_and_for_it(self) -> None:
        # 60 more, 10 less, 30 open. Against it: 60 to 40, and as the two shares add up to one, Newcombe's limits are
        # 0.2 − (0.6 − 0.5020) − (0.4980 − 0.4) = 0.004. For it: 90 to 10.
        ends = {"end": [WIN] * 70 + [UNFINISHED] * 30}
        first = bounds_of("laps", laps=[2] * 60 + [0] * 10 + [5] * 30, **ends)
        figure = bounded_difference(first, known(*[1] * 100))
        assert figure.counts == {"more": 90, "less": 10, "same": 0, "open": 0, "stopped": 30}
        second = bounds_of("laps", laps=[1] * 100, **ends)
        figure = bounded_difference(first, second)
        assert figure.counts == {"more": 60, "less": 10, "same": 0, "open": 30, "stopped": 30}
        assert figure.balance is not None
        assert figure.balance[0] == pytest.approx(0.004, abs=5e-4)
        assert figure.balance[1] > 0.8

    def test_pairs_in_which_a_part_never_came_are_left_out(self) -> None:
        columns = {"end": [WIN, WIN], "first_round_ended": [1, 0], "first_round_laps": [8, 0]}
        figure = bounded_difference(bounds_of("first_round_laps", **columns), known(5, 5))
        assert (figure.value, figure.games) == (3, 1)
        assert figure.counts["more"] == 1
