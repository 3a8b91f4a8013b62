"""A batch's figures: hand-worked games, what the cap hides, and the words beside the numbers."""

import json

import numpy as np
import pytest
from scipy.stats import binomtest

from simulator.batches.finalize import measurements_of
from simulator.batches.replayed import paired_games_outcomes
from simulator.engine import playout, referee_playout, shipped
from simulator.engine.documents import with_changes
from simulator.engine.families.sowing.measures import MEASURES
from simulator.engine.family import COMMON_MEASURES, family
from simulator.engine.ruleset import Ruleset
from simulator.engine.tally import tally_rows
from simulator.models import Batch
from simulator.plots.bars import draw_shares
from simulator.statistics.intervals import Interval
from simulator.statistics.rows import amount_text, difference_text, percent_of, quantile_text, share_text
from simulator.statistics.summary import luck_row, luck_share, paired_outcomes, reported, summarise
from tests.engine.rulesets import RULESETS
from tests.simulator.synthetic_games import CONTEXT, NAMES, random_rows, rows_of


def summary_of(rows, cap=120, context=CONTEXT):
    return summarise(tally_rows(rows, MEASURES), MEASURES, cap=cap, seats=2, context=context)


def rows_by_key(summary):
    return {row["key"]: row for section in summary["sections"] for row in section["rows"]}


def test_results_of_ten_games_by_hand():
    ends = [0, 0, 0, 0, 0, 0, 1, 2, 3, 3]
    summary = summary_of(rows_of(10, end=ends, winners=[1, 1, 1, 1, 2, 2, 0, 0, 0, 0], turns=5, decisions=5))
    found = rows_by_key(summary)
    assert [found[key]["count"] for key in ("won_0", "won_1", "draw", "endless", "unfinished")] == [4, 2, 1, 1, 2]
    assert summary["counts"] == {"win": 6, "draw": 1, "endless": 1, "unfinished": 2, "won_by_seat": [4, 2]}
    expected = binomtest(4, 10).proportion_ci(0.95, method="wilson")
    assert (found["won_0"]["low"], found["won_0"]["high"]) == pytest.approx((expected.low, expected.high))
    assert found["first_player_advantage"]["value"] == pytest.approx(0.2)
    assert found["draw"]["text"] == "10.0 % (1.8 to 40.4)"


def test_restricted_mean_by_hand():
    # Turns 2 and 3, two games stopped at 4: the area under 1, 1, 3/4, 1/2 is 13/4.
    found = rows_by_key(summary_of(rows_of(4, end=[0, 0, 3, 3], turns=[2, 3, 4, 4]), cap=4))
    assert found["turns_restricted_mean"]["value"] == 3.25
    assert "turns_mean" not in found
    assert "50 % had not ended" in found["turns_restricted_mean"]["note"].replace(".0 ", " ")


def test_restricted_mean_is_the_area_under_the_curve():
    rows = random_rows()
    summary = summary_of(rows)
    assert summary["counts"]["unfinished"] > 0
    curve = summary["curve"]
    assert len(curve["turn"]) < 160
    area = float(np.sum(np.diff([*curve["turn"], 120]) * curve["running"]))
    assert rows_by_key(summary)["turns_restricted_mean"]["value"] == pytest.approx(area, rel=1e-12)


def test_median_is_not_reached_when_half_have_not_ended():
    found = rows_by_key(summary_of(rows_of(4, end=[0, 0, 3, 3], turns=[2, 3, 4, 4]), cap=4))
    assert found["turns_q25"]["value"] == 2
    assert found["turns_q50"]["value"] is None
    assert found["turns_q50"]["text"].startswith("not reached")
    three = rows_by_key(summary_of(rows_of(5, end=[0, 0, 0, 3, 3], turns=[1, 2, 3, 4, 4]), cap=4))
    assert three["turns_q50"]["value"] == 3


def test_an_upper_limit_among_unfinished_games_is_left_open():
    turns = [*range(1, 13), *[50] * 8]
    found = rows_by_key(summary_of(rows_of(20, end=[0] * 12 + [3] * 8, turns=turns), cap=50))
    # Ranks 6 and 15 enclose the median of 20; the 15th is unfinished.
    assert [found["turns_q50"][name] for name in ("value", "low", "high")] == [10, 6, None]
    assert "upper limit beyond" in found["turns_q50"]["text"]


def test_endless_game_is_neither_drawn_nor_unfinished():
    summary = summary_of(rows_of(4, end=[0, 1, 2, 0], turns=[4, 2, 3, 4]))
    assert summary["curve"]["turn"] == [0, 2, 3, 4]
    assert summary["curve"]["running"] == [1, 0.75, 0.5, 0]
    assert summary["curve"]["draw"] == [0, 0.25, 0.25, 0.25]
    assert summary["curve"]["endless"] == [0, 0, 0.25, 0.25]
    assert rows_by_key(summary)["turns_mean"]["value"] == 3.25


def test_ends_and_running_games_always_add_up_to_all():
    curve = summary_of(random_rows())["curve"]
    total = np.sum([curve[name] for name in ("running", "win", "draw", "endless")], axis=0)
    assert total == pytest.approx(np.ones(len(total)))


def test_measures_of_unfinished_games_are_up_to_the_cap():
    rows = rows_of(4, end=[0, 0, 0, 3], turns=[5, 6, 7, 9], laps=[10, 20, 30, 100])
    found = rows_by_key(summary_of(rows, cap=9))
    assert found["laps_mean"]["value"] == 40
    assert "up to turn 9" in found["laps_mean"]["title"]
    assert "up to turn 9" in found["laps_q50"]["title"]
    whole = rows_by_key(summary_of(rows[:3], cap=9))
    assert whole["laps_mean"]["title"] == "Laps, mean"


def test_first_round_figures_need_an_ended_first_round():
    rows = rows_of(
        4, end=[0, 0, 2, 3], turns=[9, 9, 3, 20], rounds=[2, 2, 1, 1], first_round_ended=[1, 1, 0, 0],
        first_round_winner=[0, -1, -1, -1], first_round_turns=[4, 6, 0, 0], first_round_laps=[8, 10, 0, 0],
    )  # fmt: skip
    found = rows_by_key(summary_of(rows, cap=20))
    assert (found["first_round_laps_mean"]["value"], found["first_round_laps_mean"]["n"]) == (9, 2)
    # Of its turns more is known: the stopped game's first round outlasted the cap; the endless one never ended.
    restricted = found["first_round_turns_restricted_mean"]
    assert (restricted["value"], restricted["n"]) == (10, 3)
    assert "1 games that turned out endless" in restricted["note"]
    assert (found["first_round_won_0"]["count"], found["first_round_won_0"]["n"]) == (1, 2)
    assert found["first_round_equal"]["count"] == 1


def test_totals_over_the_seats_and_branching():
    rows = rows_of(2, turns=4, captures_0=[4, 8], captures_1=[0, 4], options=[6, 4], decisions=[2, 2])
    found = rows_by_key(summary_of(rows))
    assert found["captures_mean"]["value"] == 8
    assert found["captures_0_mean"]["value"] == 6
    assert found["branching"]["value"] == 2.5


def test_games_of_one_round_say_nothing_twice():
    summary = summary_of(random_rows(), context={**CONTEXT, "until": "round"})
    assert [section["key"] for section in summary["sections"]] == ["results", "length", "play", "game"]
    assert summary["sections"][0]["title"] == "Results of the first round"
    sections = summary_of(rows_of(3, turns=4, rounds=1, first_round_ended=1, first_round_turns=4))["sections"]
    assert [section["key"] for section in sections] == ["results", "draws", "length", "play", "game"]


EVERY_END = frozenset({0, 1, 2, 3})


def test_what_no_rule_brings_about_has_no_limits():
    """No rule of Parker's draws a game of Dam; eight games of which none is drawn would have an upper limit of 32 %."""
    raw = summary_of(rows_of(8, end=0, winners=1, turns=5))
    assert rows_by_key(raw)["draw"]["high"] == pytest.approx(0.324, abs=0.001)
    found = rows_by_key(reported(raw, {0, 2, 3}))
    draw = found["draw"]
    assert (draw["value"], draw["low"], draw["high"]) == (0, None, None)
    assert (draw["text"], draw["possible"]) == ("cannot happen", False)
    assert (found["endless"]["possible"], found["endless"]["low"]) == (True, 0)


def test_what_happened_is_never_said_to_be_impossible():
    """Games of an earlier version of the rules may have ended so."""
    raw = summary_of(rows_of(8, end=[1] + [0] * 7, winners=[0] + [1] * 7, turns=5))
    assert rows_by_key(reported(raw, {0, 2, 3}))["draw"]["possible"]


def test_shares_are_given_among_games_that_ended_too():
    """Kawade: 453 of 1,000 games won, of which the cap stopped 62: of those that ended 48.3 %."""
    ends = [0] * 938 + [3] * 62
    winners = [1] * 453 + [2] * 485 + [0] * 62
    found = rows_by_key(reported(summary_of(rows_of(1000, end=ends, winners=winners, turns=5)), EVERY_END))
    row = found["won_0_of_ended"]
    assert (row["n"], row["count"], row["value"]) == (938, 453, pytest.approx(453 / 938))
    expected = binomtest(453, 938).proportion_ci(0.95, method="wilson")
    assert (row["low"], row["high"]) == pytest.approx((expected.low, expected.high))
    assert found["won_0"]["n"] == 1000
    assert "unfinished_of_ended" not in found
    all_ended = summary_of(rows_of(8, end=0, winners=1, turns=5))
    assert not [key for key in rows_by_key(reported(all_ended, EVERY_END)) if key.endswith("_of_ended")]


def test_first_rounds_end_equal_and_are_not_won():
    rows = rows_of(10, end=[0] * 6 + [1] * 4, winners=[1] * 6 + [0] * 4, turns=5)
    found = reported(summary_of(rows, context={**CONTEXT, "until": "round"}), EVERY_END)
    titles = [row["title"] for row in found["sections"][0]["rows"]]
    assert titles[:2] == ["Owned more after it: the first player", "Owned more after it: the second player"]
    assert "Ended equal" in titles
    assert not [title for title in titles if "drawn" in title.lower() or "won" in title.lower()]
    assert "rounds_mean" not in rows_by_key(found)
    assert (found["ends"]["draw"], found["ends"]["win"]) == ("ended equal", "one side owned more after it")
    whole = reported(summary_of(rows), EVERY_END)
    assert whole["ends"]["draw"] == "drawn by the rules"
    assert "rounds_mean" in rows_by_key(whole)


def test_a_summary_that_is_told_twice_is_told_the_same():
    rows = rows_of(10, end=[0] * 6 + [1] * 2 + [3] * 2, winners=[1] * 6 + [0] * 4, turns=5)
    once = reported(summary_of(rows, context={**CONTEXT, "until": "round"}), {0, 1, 3})
    assert reported(once, {0, 1, 3}) == once


def test_sides_of_an_earlier_release_get_their_names_of_today():
    raw = summary_of(rows_of(10, end=0, winners=1, turns=5))
    old = json.loads(json.dumps(raw).replace("the first player", "the hunter (first player)"))
    assert rows_by_key(old)["won_0"]["title"] == "Won by the hunter (first player)"
    parameters = RULESETS["diviyan-keliya-parker"].parameters
    naming = family("points").naming(parameters)
    today = reported(old, EVERY_END, naming)
    assert rows_by_key(today)["won_0"]["title"] == "Won by the owner of the leopards (first player)"
    assert reported(today, EVERY_END, naming) == today


def test_the_document_is_plain_json_and_carries_its_context():
    summary = summary_of(random_rows())
    assert json.loads(json.dumps(summary, allow_nan=False)) == summary
    assert summary["context"] == CONTEXT
    assert summary == summary_of(random_rows()[::-1])
    keys = {"key", "title", "value", "low", "high", "unit", "n", "text", "note"}
    assert all(keys <= set(row) for section in summary["sections"] for row in section["rows"])
    every = [row["key"] for section in summary["sections"] for row in section["rows"]]
    assert len(every) == len(set(every))


def test_quantiles_agree_with_numpy():
    rows = random_rows(cap=10_000)
    found = rows_by_key(summary_of(rows, cap=10_000))
    turns = rows[:, NAMES.index("turns")]
    for percent in (10, 25, 50, 75, 90):
        expected = np.quantile(turns, percent / 100, method="inverted_cdf")
        assert found[f"turns_q{percent}"]["value"] == expected


def test_a_family_without_rounds_has_its_figures():
    rows = np.array([[0, 1, 4, 3, 6, 0], [1, 0, 6, 3, 9, 1]], dtype=np.int32)
    summary = summarise(tally_rows(rows, COMMON_MEASURES), COMMON_MEASURES, cap=10, seats=2, context={"until": "game"})
    assert [section["key"] for section in summary["sections"]] == ["results", "length", "play"]
    assert rows_by_key(summary)["turns_mean"]["value"] == 5


def test_no_games_no_figures():
    with pytest.raises(ValueError, match="no games"):
        summary_of(rows_of(0))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (share_text(Interval(0.52349, 0.519, 0.528)), "52.35 % (51.90 to 52.80)"),
        (share_text(Interval(0.5, 0.1, 0.9)), "50.0 % (10.0 to 90.0)"),
        (share_text(Interval(0.0, 0.0, 0.000192)), "0 % (0 to 0.0192)"),
        (difference_text(Interval(-0.031, -0.2, 0.1)), "−3.1 percentage points (−20.0 to +10.0)"),
        (amount_text(Interval(1234.4, 1190.2, 1278.6), "turns"), "1,234 turns (1,190 to 1,279)"),
        (amount_text(Interval(7.0, 7.0, 7.0), "laps"), "7 laps (7 to 7)"),
        (amount_text(Interval(7.0, None, None), "laps"), "7.0 laps (too few games for an interval)"),
        (quantile_text(Interval(1, 1, 2), "rounds"), "1 round (1 to 2)"),
        (quantile_text(Interval(12, None, 20), "turns"), "12 turns (no lower limit, to 20)"),
        (percent_of(1, 100_000), "0.001 %"),
        (percent_of(99_999, 100_000), "99.999 %"),
        (percent_of(5, 5), "100 %"),
    ],
)
def test_words_bear_no_more_digits_than_the_interval(text, expected):
    assert text == expected


CONSENT = {**CONTEXT, "consent": "never calling a draw that is left to the players"}


def test_rule_and_policy_have_a_share_each_with_its_interval():
    rows = rows_of(8, end=[0] * 7 + [1], equal_rounds=[0, 0, 0, 2, 1, 1, 3, 1], draw_offered=[0] * 4 + [1] * 4,
                   draw_called=[0] * 7 + [1])  # fmt: skip
    found = rows_by_key(summary_of(rows, context=CONSENT))
    shares = {key: found[f"{key}_share"] for key in ("equal_rounds", "draw_offered", "draw_called")}
    assert [row["count"] for row in shares.values()] == [5, 4, 1]
    expected = binomtest(5, 8).proportion_ci(0.95, method="wilson")
    assert (shares["equal_rounds"]["low"], shares["equal_rounds"]["high"]) == pytest.approx(
        (expected.low, expected.high)
    )
    assert found["equal_rounds_mean"]["value"] == 1
    assert shares["draw_called"]["note"] == f"Policy of the players: {CONSENT['consent']}."
    assert "draw_called_mean" not in found
    assert "draw_called_share" not in rows_by_key(summary_of(rows))  # where nobody may call one


def test_what_an_equal_round_means_is_said_of_each_ruleset():
    for name, words in (
        ("kalah-reference", "The game is one round"),
        ("daramuti-parker", "may be called a draw"),
        ("daramuti-ludii", "the game goes on after an equal round"),
    ):
        ruleset = shipped.load(name)
        measures = family("sowing").named_measures(ruleset.parameters)
        assert words in next(measure.note for measure in measures if measure.name == "equal_rounds")


def test_what_an_earlier_version_did_not_count_is_not_measured():
    old = family("sowing").measures_of(3)
    assert len(old) == len(MEASURES) - 3
    rows = random_rows()[:, : len(old)]
    summary = summarise(tally_rows(rows, old), MEASURES, cap=120, seats=2, context=CONSENT)
    found = rows_by_key(summary)
    for key in ("equal_rounds_share", "draw_offered_share", "draw_called_share", "equal_rounds_mean"):
        assert (found[key]["value"], found[key]["n"], found[key]["text"]) == (None, 0, "not measured")
    assert found["turns_restricted_mean"]["value"] is not None
    assert draw_shares(summary, CONSENT) is None
    assert all(one["n"] is not None for one in measurements_of(summary))


def test_outcomes_are_paired_game_by_game() -> None:
    first, second = np.array([4, 8, 4, 4]), np.array([4, 4, 8, 4])
    assert paired_outcomes(first, second).tolist() == [[2, 1], [1, 0]]


def test_two_outcomes_by_hand() -> None:
    # 40 pairs agree on one, 30 on the other, 30 differ; each side won 55 of 100 by 40+15: the correlation of equal
    # margins p = 0.55 is (0.40 - 0.55²) / (0.55 · 0.45) = 0.0975 / 0.2475
    figure = luck_share(np.array([[40, 15], [15, 30]]), seed=1)
    assert figure.value == pytest.approx(0.0975 / 0.2475)
    assert figure.low < figure.value < figure.high


def test_three_outcomes_by_hand() -> None:
    # shares 1/2, 1/4, 1/4: expected agreement 3/8; agreeing 6 of 8
    figure = luck_share(np.array([[4, 0, 0], [0, 1, 1], [0, 1, 1]]), seed=1)
    assert figure.value == pytest.approx((6 / 8 - 3 / 8) / (1 - 3 / 8))


def test_the_two_ends() -> None:
    assert luck_share(np.array([[50, 0], [0, 50]]), seed=1).value == 1
    assert luck_share(np.array([[25, 25], [25, 25]]), seed=1).value == 0
    assert luck_share(np.array([[100]]), seed=1) is None
    assert luck_row(np.array([[100]]), 1)["text"] == "every game ended alike"


@pytest.mark.by_turns
def test_the_interval_holds_the_truth_at_its_rate() -> None:
    # Twins that agree by a common cause in 3 of 10 pairs, else by chance: the truth is 0.3.
    draws = np.random.Generator(np.random.PCG64(5))
    held = 0
    for repetition in range(200):
        first = draws.integers(0, 2, 400)
        second = np.where(draws.random(400) < 0.3, first, draws.integers(0, 2, 400))
        figure = luck_share(paired_outcomes(first, second), repetition)
        held += figure.low <= 0.3 <= figure.high
    assert 180 <= held <= 199  # 95 % of 200, within three standard errors


def _batch(ruleset: Ruleset, games: int) -> Batch:
    players = ",".join(["random"] * family(ruleset.family).seats(ruleset.parameters))
    return Batch(players=players, seed=3, games=games, cap=2_000, until="game")


def test_without_a_choice_the_throws_decide_all() -> None:
    ruleset = with_changes(RULESETS["pancha-keliya-complex-marin-dice"], {"pieces": "1"})
    rows = playout.play_block(ruleset, ("random", "random"), 3, 0, 300, 2_000, "game")
    assert not rows[:, 3].any()  # no decision in any game
    assert luck_share(paired_games_outcomes(_batch(ruleset, 300), ruleset), 1).value == 1


def test_with_choices_they_decide_less() -> None:
    ruleset = RULESETS["pancha-keliya-complex-marin-dice"]
    figure = luck_share(paired_games_outcomes(_batch(ruleset, 2_000), ruleset), 1)
    assert 0 < figure.low < figure.high < 1


def test_games_without_throws_have_no_luck_share() -> None:
    assert paired_games_outcomes(_batch(RULESETS["niranchy-ludii"], 10), RULESETS["niranchy-ludii"]) is None


@pytest.mark.parametrize("name", ["sokkattan-parker", "saturankam-parker", "niranchy-ludii"])
def test_pairs_agree_with_the_referee(name: str) -> None:
    ruleset = RULESETS[name]
    players = ("random",) * family(ruleset.family).seats(ruleset.parameters)
    compiled = playout.play_block(ruleset, players, 7, 2, 3, 150, "game", choice_seed=8)
    assert compiled.tolist() == [referee_playout.row(ruleset, 7, 2 + g, 150, "game", choice_seed=8) for g in range(3)]
    other = playout.play_block(ruleset, players, 7, 2, 3, 150, "game")
    assert compiled.tolist() != other.tolist()


def test_pairs_are_thrown_alike() -> None:
    ruleset = RULESETS["sokkattan-parker"]
    one, other = (next(referee_playout.plies(ruleset, 7, 0, choice_seed)) for choice_seed in (7, 8))
    assert one.before == other.before  # the first throws stand in the position
