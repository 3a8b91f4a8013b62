"""From intervals and p-values to verdicts: the rules as they are written, at their borders."""

import pytest

from simulator.statistics.verdicts import adjusted, games_needed, verdict

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
