"""Two one-sided tests: the level at which an interval comes to lie within the margin, and no other."""

import pytest
from scipy.stats import norm, t

from simulator.statistics.intervals import Interval, share
from simulator.statistics.verdicts import by_interval, by_student


def test_larger_one_sided_test_is_of_the_nearer_limit():
    # 0.01 beside 0 with a standard error of 0.005, margin 0.02: t is (0.02 - 0.01) / 0.005 = 2 above, 6 below
    found = by_student(0.01, 0.005, 30, 0.02)
    assert found == pytest.approx(max(t.sf(2, 30), t.sf(6, 30)))
    assert by_student(-0.01, 0.005, 30, 0.02) == found


def test_five_percent_is_where_the_interval_touches_the_margin():
    half = 0.004 * t.ppf(0.95, 99)
    assert by_student(0.0, 0.004, 99, half) == pytest.approx(0.05)
    assert by_interval(lambda z: Interval.around(0.0, 0.004 * z), 0.004 * norm.ppf(0.95)) == pytest.approx(0.05)


def test_wilsons_interval_is_turned_round():
    # three games of a hundred; the upper limit at the z that is found is the margin
    found = by_interval(lambda z: share(3, 100, z), 0.09)
    assert share(3, 100, float(norm.isf(found))).high == pytest.approx(0.09)


@pytest.mark.parametrize("value", [0.02, -0.02, 0.5])
def test_figure_on_or_beyond_the_margin_is_never_within(value):
    assert by_student(value, 0.001, 50, 0.02) == 1
    assert by_interval(lambda z: Interval.around(value, 0.001 * z), 0.02) == 1


def test_without_any_error_the_figure_alone_decides():
    assert [by_student(value, 0.0, 9, 0.02) for value in (0.0, 0.019, 0.021)] == [0, 0, 1]
    assert by_student(0.0, 0.0, 9, 0.0) == 0
    assert by_interval(lambda z: Interval.around(0.0, 0.0), 0.02) == 0
    assert by_student(0.0, None, 0, 0.02) is None
