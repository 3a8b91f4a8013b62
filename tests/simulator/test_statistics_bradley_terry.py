"""Strengths: a pair worked out by hand, the published fit of a season of baseball, and what cannot be told."""

from collections.abc import Sequence
from math import log10, sqrt

import numpy as np
import pytest

from simulator.statistics.bradley_terry import ADDED, ELO, Fit, NoStrengths, PointsAgainst
from simulator.statistics.intervals import Interval
from tests import choice

# Games won by the row against the column, American League 1987: Agresti, A. 2002. Categorical Data Analysis, 2nd ed.,
# table 10.10. Baltimore first, as the one whose strength is 0.
TEAMS = ("Baltimore", "Boston", "Cleveland", "Detroit", "Milwaukee", "New York", "Toronto")
WON = (
    (0, 1, 7, 4, 2, 3, 1),
    (12, 0, 7, 2, 6, 7, 6),
    (6, 6, 0, 4, 4, 6, 5),
    (9, 11, 9, 0, 6, 5, 7),
    (11, 7, 9, 7, 0, 7, 9),
    (10, 6, 7, 8, 6, 0, 6),
    (12, 7, 8, 6, 4, 7, 0),
)
# Estimates and standard errors of the same table by another programme: Turner, H. & Firth, D. 2012. Bradley–Terry
# models in R: the BradleyTerry2 package. Journal of Statistical Software 48 (9), section 3.
PUBLISHED = {
    "Boston": (1.1077, 0.3339),
    "Cleveland": (0.6839, 0.3319),
    "Detroit": (1.4364, 0.3396),
    "Milwaukee": (1.5814, 0.3433),
    "New York": (1.2476, 0.3359),
    "Toronto": (1.2945, 0.3367),
}


def strengths(met: Sequence[PointsAgainst], added: float = ADDED) -> list[Interval]:
    """The strengths of all players by one fit."""
    fit = Fit(met, added)
    return [fit.strength(player) for player in range(1 + max(max(pair.one, pair.other) for pair in met))]


SEASON = [PointsAgainst(i, j, WON[i][j], WON[j][i]) for i in range(7) for j in range(i)]


class TestByHand:
    def test_a_pair_is_the_logarithm_of_its_odds(self) -> None:
        # 30 to 10: 400 log10(3) = 190.85.
        _, found = strengths([PointsAgainst(1, 0, 30, 10)], added=0)
        assert found.value == pytest.approx(400 * log10(3))
        assert found.value == pytest.approx(190.85, abs=0.01)
        # The error of a log-odds is the root of 1/30 + 1/10.
        assert found.low == pytest.approx(found.value - 1.959964 * ELO * sqrt(1 / 30 + 1 / 10), abs=1e-3)

    def test_ten_to_one_is_400(self) -> None:
        assert strengths([PointsAgainst(1, 0, 100, 10)], added=0)[1].value == pytest.approx(400)
        assert strengths([PointsAgainst(0, 1, 10, 100)], added=0)[1].value == pytest.approx(400)

    def test_half_a_win_more_on_both_sides(self) -> None:
        _, found = strengths([PointsAgainst(1, 0, 40, 0)])
        assert found.value == pytest.approx(400 * log10(40.5 / 0.5))

    def test_in_a_chain_every_step_is_a_pair_of_its_own(self) -> None:
        # 3 to 1 and 2 to 1 on top of it: 400 log10(3) and 400 log10(6).
        found = strengths([PointsAgainst(1, 0, 30, 10), PointsAgainst(2, 1, 24, 12)], added=0)
        assert [one.value for one in found] == pytest.approx([0, 400 * log10(3), 400 * log10(6)])
        # Independent steps: their variances add up.
        steps = 1 / 30 + 1 / 10 + 1 / 24 + 1 / 12
        assert found[2].high is not None
        assert found[2].high - found[2].value == pytest.approx(1.959964 * ELO * sqrt(steps), abs=1e-3)

    def test_one_alone_against_three(self) -> None:
        # A quarter of the games is what equal players make: no strength more.
        assert strengths([PointsAgainst(1, 0, 25, 75, others=3)], added=0)[1].value == pytest.approx(0, abs=1e-6)
        # Half of them is three to one.
        assert strengths([PointsAgainst(1, 0, 50, 50, others=3)], added=0)[1].value == pytest.approx(400 * log10(3))


class TestAgainstOthers:
    def test_a_published_season(self) -> None:
        assert {pair.won + pair.lost for pair in SEASON} == {13}
        found = dict(zip(TEAMS, strengths(SEASON, added=0), strict=True))
        for team, (estimate, error) in PUBLISHED.items():
            value, low, high = found[team]
            assert value / ELO == pytest.approx(estimate, abs=6e-5)
            assert low is not None
            assert high is not None
            assert (high - low) / 2 / 1.959964 / ELO == pytest.approx(error, abs=6e-5)


def test_no_strengths_without_meetings_or_after_a_clean_sweep() -> None:
    for met in ([PointsAgainst(0, 1, 5, 5), PointsAgainst(2, 3, 5, 5)], [PointsAgainst(1, 0, 9, 0)]):
        with pytest.raises(NoStrengths):
            strengths(met, added=0)


class TestPoints:
    def test_of_one_pair_they_are_its_share_and_go_with_the_strength(self) -> None:
        fit = Fit([PointsAgainst(1, 0, 30, 10)], added=0)
        strength, points = fit.strength(1), fit.points(1, 0)
        assert points.value == pytest.approx(0.75)
        for elo, share in zip(strength, points, strict=True):
            assert elo is not None
            assert share == pytest.approx(1 / (1 + 10 ** (-elo / 400)))

    def test_alone_against_three(self) -> None:
        assert Fit([PointsAgainst(1, 0, 50, 50, others=3)], added=0).points(1, 0, 3).value == pytest.approx(0.5)

    def test_over_two_steps_the_odds_multiply(self) -> None:
        fit = Fit([PointsAgainst(1, 0, 30, 10), PointsAgainst(2, 1, 24, 12)], added=0)
        assert fit.points(2, 0).value == pytest.approx(6 / 7)


class TestStoppedGames:
    def test_all_stopped_leave_everything_open(self) -> None:
        low, high = Fit([PointsAgainst(1, 0, 0, 0, stopped=60)]).points(1, 0).limits
        assert low < 0.01
        assert high > 0.99

    def test_limits_are_those_of_games_that_went_either_way(self) -> None:
        found = Fit([PointsAgainst(1, 0, 20, 10, stopped=10)]).strength(1)
        lost, won = Fit([PointsAgainst(1, 0, 20, 20)]).strength(1), Fit([PointsAgainst(1, 0, 30, 10)]).strength(1)
        divided = Fit([PointsAgainst(1, 0, 25, 15)]).strength(1)
        assert found == Interval(divided.value, lost.low, won.high)

    def test_what_stopped_above_a_player_widens_only_one_way(self) -> None:
        # Of a cycle: what 2 makes of 1 speaks against 1, if what 2 makes of 0 is as it is.
        rest = [PointsAgainst(1, 0, 30, 10), PointsAgainst(2, 0, 35, 5)]
        found = Fit([*rest, PointsAgainst(2, 1, 10, 10, stopped=20)]).strength(1)
        won, lost = (Fit([*rest, PointsAgainst(2, 1, *points)]).strength(1) for points in ((30, 10), (10, 30)))
        assert (found.low, found.high) == (won.low, lost.high)


class TestMisfit:
    def test_what_as_many_figures_fit_is_not_tested(self) -> None:
        assert Fit([PointsAgainst(1, 0, 30, 10)]).misfit() is None

    def test_players_on_one_scale_and_a_circle_of_them(self) -> None:
        def misfit(*lost: int) -> float | None:
            pairs = ((1, 0), (2, 1), (2, 0))
            return Fit([PointsAgainst(*pair, 100 - one, one) for pair, one in zip(pairs, lost, strict=True)]).misfit()

        # 3 to 1 twice is 9 to 1; a circle is no scale.
        assert misfit(25, 25, 10) == pytest.approx(1, abs=0.05)
        assert misfit(25, 25, 75) == pytest.approx(0, abs=1e-9)


@pytest.mark.parametrize("stopped", [0.0, 0.3])
def test_intervals_cover_known_strengths_at_95_percent(stopped: float) -> None:
    """Ladders of players whose strengths are known, whatever games are stopped: here those that the stronger wins."""
    known, games, ladders = np.array([0.0, 0.4, 1.5, 1.7]), 60, 150 if choice.ALL else 50
    generator = np.random.default_rng(1)
    pairs = ((1, 0), (2, 1), (3, 2), (3, 0))
    covered = np.zeros(3)
    for _ in range(ladders):
        met = []
        for one, other in pairs:
            won = int(generator.binomial(games, 1 / (1 + np.exp(known[other] - known[one]))))
            cut = int(generator.binomial(won, stopped))
            met.append(PointsAgainst(one, other, won - cut, games - won, stopped=cut))
        fit = Fit(met)
        for player in (1, 2, 3):
            low, high = fit.strength(player).limits
            share_low, share_high = fit.points(player, player - 1).limits
            truth = 1 / (1 + np.exp(known[player - 1] - known[player]))
            covered[player - 1] += low <= ELO * known[player] <= high
            assert share_low < share_high
            if player == 1:  # the points of the second against the first are its strength
                assert (share_low <= truth <= share_high) == (low <= ELO * known[player] <= high)
    # Three standard errors of a simulation under the stated share.
    least = 0.95 - 3 * sqrt(0.95 * 0.05 / ladders)
    assert (covered / ladders >= least).all(), covered / ladders
