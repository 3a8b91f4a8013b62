"""Figures of games without rounds: by role, over time, and what a first capture says. All worked by hand."""

from math import sqrt

import numpy as np
import pytest
from scipy.stats import t

from simulator.engine.family import family
from simulator.engine.naming import Naming, plain_part
from simulator.engine.tally import tally_rows
from simulator.plots import lines
from simulator.plots.sheet import drawing_style
from simulator.statistics.summary import summarise
from tests.engine.rulesets import RULESETS
from tests.simulator.synthetic_games import CONTEXT

POINTS = family("points")
HUNT = RULESETS["hat-diviyan-keliya-ludovisi"].parameters
NAMES = [measure.name for measure in POINTS.measures]


def rows_of(games, **columns):
    rows = np.zeros((games, len(NAMES)), dtype=np.int32)
    for name, values in columns.items():
        rows[:, NAMES.index(name)] = values
    return rows


def summary_of(rows, cap=100, parameters=HUNT):
    measures = POINTS.named_measures(parameters)
    return summarise(
        tally_rows(rows, measures), measures, cap=cap, seats=2, context=CONTEXT, naming=POINTS.naming(parameters)
    )


def rows_by_key(summary):
    return {row["key"]: row for section in summary["sections"] for row in section["rows"]}


def section_keys(summary):
    return [section["key"] for section in summary["sections"]]


# Four games of 8, 15, 60 and 30 turns; in the last nothing is taken, the third is stopped by a cap of 60.
FOUR = rows_of(
    4, end=[0, 0, 3, 0], winners=[1, 2, 0, 2], turns=[8, 15, 60, 30], decisions=[6, 10, 40, 20],
    options=[18, 40, 90, 50], options_0=[8, 10, 20, 10], decisions_0=[4, 5, 20, 10],
    options_1=[10, 30, 70, 40], decisions_1=[2, 5, 20, 10], taken_0=[4, 1, 3, 0],
    first_capture_ended=[1, 1, 1, 0], first_capture_winner=[0, 0, 0, -1], first_capture_turns=[3, 5, 25, 0],
    taken_0_at_10=[4, 1, 0, 0], taken_0_at_20=[4, 1, 0, 0], taken_0_at_50=[4, 1, 2, 0], taken_0_at_100=[4, 1, 3, 0],
)  # fmt: skip


@pytest.mark.parametrize(
    ("slug", "roles"),
    [
        ("diviyan-keliya-parker", ("owner of the leopards (first player)", "owner of the cattle (second player)")),
        ("hat-diviyan-keliya-dlp", ("owner of the tiger (first player)", "owner of the leopards (second player)")),
        ("koti-keliya-ludii", ("owner of the leopard (first player)", "owner of the cattle (second player)")),
        ("niranchy-dlp", ("aligner (first player)", "blocker (second player)")),
        ("niranchy-ludii", ("blocker (first player)", "aligner (second player)")),
        ("niranchy-ludovisi", ("first player", "second player")),
        ("dam-parker", ("first player", "second player")),
        ("nine-mens-morris-reference", ("first player", "second player")),
        ("puhulmutu-parker", ("first player", "second player")),
    ],
)
def test_the_seats_of_a_ruleset_are_called_by_their_roles(slug, roles):
    ruleset = RULESETS[slug]
    naming = family(ruleset.family).naming(ruleset.parameters)
    assert (naming.seat(0), naming.seat(1)) == roles


def test_results_and_pieces_are_told_by_role():
    found = rows_by_key(summary_of(FOUR, cap=60))
    assert found["won_0"]["title"] == "Won by the owner of the tiger (first player)"
    assert found["taken_1_mean"]["title"].startswith("Pieces taken by the owner of the leopards (second player), mean")
    assert found["taken_mean"]["title"].startswith("Pieces taken, all seats, mean")
    assert found["first_capture_won_0"]["title"] == "First to take: owner of the tiger (first player)"


def test_mobility_is_the_ratio_of_sums_with_its_interval():
    found = rows_by_key(summary_of(FOUR, cap=60))
    assert found["branching"]["value"] == pytest.approx(198 / 76)
    assert found["branching_1"]["title"] == "Branching, owner of the leopards (second player)"
    assert found["branching_0"]["value"] == pytest.approx(48 / 39)
    # The second player's: 150 options over 37 decisions; residuals x - Ry, over n(n - 1) times the mean of y squared.
    x, y = np.array([10, 30, 70, 40]), np.array([2, 5, 20, 10])
    ratio = 150 / 37
    half = t.ppf(0.975, 3) * sqrt(((x - ratio * y) ** 2).sum() / (4 * 3 * (37 / 4) ** 2))
    row = found["branching_1"]
    assert (row["value"], row["low"], row["high"]) == pytest.approx((ratio, ratio - half, ratio + half))
    assert "options_0_mean" not in found


def test_pieces_over_time_stop_at_the_cap_and_count_every_game():
    found = rows_by_key(summary_of(FOUR, cap=60))
    assert [found[f"taken_0_at_{turn}_mean"]["value"] for turn in (10, 20, 50)] == [1.25, 1.25, 1.75]
    assert "taken_0_at_100_mean" not in found
    row = found["taken_0_at_50_mean"]
    # 4, 1, 2 and 0: the squares of the distances from 7/4 add up to 35/4.
    half = t.ppf(0.975, 3) * sqrt(35 / 4 / 3 / 4)
    assert (row["n"], row["low"], row["high"]) == (4, pytest.approx(1.75 - half), pytest.approx(1.75 + half))
    assert row["title"] == "Pieces taken by the owner of the tiger (first player) after 50 turns, mean"


def test_pieces_over_time_end_with_the_longest_game():
    """The longest game has 60 turns: the first column not before it, of turn 100, says what stood at the end."""
    found = rows_by_key(summary_of(FOUR, cap=5000))
    assert found["taken_0_at_100_mean"]["value"] == 2
    assert "taken_0_at_200_mean" not in found


def test_first_capture_leaves_out_games_without_captures():
    summary = summary_of(FOUR, cap=60)
    found = rows_by_key(summary)
    assert [(found[key]["count"], found[key]["n"]) for key in ("first_capture_ended", "first_capture_won_0")] == [
        (3, 4),
        (3, 3),
    ]
    assert "first_capture_equal" not in found
    row = found["first_capture_turns_mean"]
    assert (row["value"], row["n"]) == (11, 3)
    assert row["note"] == "1 games that were over before a piece was taken are left out."
    section = next(section for section in summary["sections"] if section["key"] == "first_capture")
    assert section["title"] == "First capture"


def test_game_stopped_before_a_capture_counts_as_beyond_the_cap():
    rows = FOUR.copy()
    rows[2, [NAMES.index(name) for name in ("first_capture_ended", "taken_0", "first_capture_turns")]] = 0
    rows[2, NAMES.index("first_capture_winner")] = -1
    row = rows_by_key(summary_of(rows, cap=60))["first_capture_turns_restricted_mean"]
    assert (row["value"], row["n"]) == (pytest.approx((3 + 5 + 60) / 3), 3)
    assert row["note"].endswith("larger. 1 games that were over before a piece was taken are left out.")


def test_game_without_captures_has_no_figures_of_them():
    koti = RULESETS["koti-keliya-parker"].parameters
    summary = summary_of(rows_of(3, turns=[20, 30, 40], first_capture_winner=-1), parameters=koti)
    assert section_keys(summary) == ["results", "length", "play", "game"]
    assert section_keys(summary_of(FOUR, cap=60)) == ["results", "length", "play", "game", "course", "first_capture"]


def test_the_plot_over_time_shows_what_the_rows_say():
    measures = POINTS.named_measures(HUNT)
    summary = summary_of(FOUR, cap=60)
    with drawing_style():
        drawing = lines.draw_course(measures, summary, {**CONTEXT, "cap": 60})
    assert drawing is not None
    assert (drawing.kind, drawing.title) == ("taken", "Pieces taken as the game goes on")
    assert drawing.table["columns"][1:] == [
        "Pieces taken by the owner of the tiger (first player)",
        "Pieces taken by the owner of the leopards (second player)",
    ]
    found = rows_by_key(summary)
    assert [row[0] for row in drawing.table["rows"]] == ["10", "20", "50"]
    assert [row[1] for row in drawing.table["rows"]] == [found[f"taken_0_at_{t}_mean"]["text"] for t in (10, 20, 50)]
    assert "Pieces taken by the owner of the tiger (first player)" in drawing.svg
    nothing = summary_of(rows_of(3, turns=20))
    assert lines.draw_course(measures, nothing, CONTEXT) is None


def test_plain_words_for_a_part_that_its_family_has_none_for():
    naming = Naming()
    assert naming.part("first_round") == plain_part("first_round")
    assert naming.part("first_round").ended == "The first round ended"
    assert (naming.seat(2), naming.seat(5), naming.total("captures")) == (
        "third player",
        "player 6",
        "Captures, all seats",
    )
