"""From intervals and p-values to verdicts: the rules as they are written, at their borders."""

import pytest
from scipy.stats import norm, t

from simulator.statistics.intervals import Interval, share
from simulator.statistics.verdicts import adjusted, by_interval, by_student, games_needed, verdict

# Benjamini & Hochberg 1995, section 4: of these fifteen four are rejected at 5 %, where Bonferroni rejects three.
PUBLISHED = [
    0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344, 0.0459, 0.3240, 0.4262, 0.5719, 0.6528, 0.7590, 1.0,
]  # fmt: skip


def test_the_published_example_of_the_correction():
    found = adjusted(PUBLISHED)
    assert [p < 0.05 for p in found] == [True] * 4 + [False] * 11
    assert found[3] == pytest.approx(0.0095 * 15 / 4)


def test_the_order_of_the_measures_does_not_matter():
    assert adjusted(PUBLISHED[::-1]) == adjusted(PUBLISHED)[::-1]


def test_adjusted_values_keep_the_order_of_the_values():
    # 0.04 · 2/2 and 0.03 · 2/1: the smaller may not end above the larger
    assert adjusted([0.03, 0.04]) == [0.04, 0.04]


def test_a_measure_that_cannot_differ_takes_no_part():
    assert adjusted([0.03, None, None]) == [0.03, 1, 1]


@pytest.mark.parametrize(
    ("p_same", "p_differs", "expected"),
    [
        (0.049, 1.0, "same"),
        (0.049, 0.0001, "same"),  # certain, and too small to matter
        (0.05, 0.0001, "differs"),
        (0.05, 0.05, "undecided"),
        (1.0, 0.5, "undecided"),
    ],
)
def test_a_verdict_looks_at_the_margin_first(p_same, p_differs, expected):
    assert verdict(p_same, p_differs) == expected


def test_half_the_width_shrinks_with_the_root_of_the_games():
    # half of 0.08 is twice the margin of 0.02: four times the games
    assert games_needed(-0.04, 0.04, 500, 0.02) == 2_000
    assert games_needed(-0.01, 0.01, 500, 0.02) is None
    assert games_needed(-0.01, 0.01, 500, 0.0) is None
    assert games_needed(None, None, 500, 0.02) is None


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
