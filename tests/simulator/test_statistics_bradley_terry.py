"""Strengths: a pair worked out by hand, the published fit of a season of baseball, and what cannot be told."""

from math import log10, sqrt

import pytest

from simulator.statistics.bradley_terry import ELO, NoStrengths, PointsAgainst, strengths

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
