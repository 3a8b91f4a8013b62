"""Rows compared two by two: nothing found where there is nothing, what was planted found, and the cap kept honest."""

from dataclasses import replace
from math import log

import numpy as np
import pytest
from scipy.stats import binom

from simulator.engine.families.sowing.definition import FAMILY
from simulator.engine.families.sowing.measures import MEASURES
from simulator.engine.naming import PLAIN
from simulator.statistics.compared import ComparisonTerms, PlayedBatch, compare, of_two_players
from simulator.statistics.verdicts import adjusted
from tests.simulator.synthetic_games import NAMES, random_rows, rows_of

TERMS = ComparisonTerms(MEASURES, 2, PLAIN, {"shares": 0.02, "amounts": 0.05}, seed=1)


def compared(first: np.ndarray, second: np.ndarray, cap: int = 120, terms: ComparisonTerms = TERMS) -> dict:
    return compare([PlayedBatch(first, cap), PlayedBatch(second, cap)], terms)[0]


def by_key(pair: dict) -> dict:
    return {measure["key"]: measure for measure in pair["measures"]}


def test_a_batch_differs_from_itself_by_exactly_nothing():
    rows = random_rows(600)
    pair = compared(rows, rows)
    assert pair["identical"]["value"] == 1
    assert {measure["difference"]["value"] for measure in pair["measures"]} == {0}
    assert "differs" not in {measure["verdict"] for measure in pair["measures"]}
    assert by_key(pair)["turns"]["ratio_of_medians"] == {"value": 1, "low": 1, "high": 1, "text": "1.00 (1.00 to 1.00)"}


def test_everything_that_is_counted_is_compared():
    rows = random_rows(600)
    found = by_key(compared(rows, rows))
    named = [name for name in NAMES if name not in ("end", "winners", "options")]
    named = [name.replace("first_round_winner", "first_round_won_0") for name in named]
    named = [f"{name}_share" if name.startswith("draw_") else name for name in named]  # no amounts, but shares
    assert set(named) <= set(found)
    assert {"won_0", "won_1", "first_player_advantage", "draw", "endless", "unfinished", "branching"} <= set(found)
    assert {"captures", "equal_rounds_share"} <= set(found)  # of both seats; in how many games


def test_shares_are_those_of_the_rows():
    first = rows_of(10, winners=[1] * 6 + [2] * 4, turns=5)
    second = rows_of(10, winners=[1] * 4 + [2] * 6, turns=5)
    won = by_key(compared(first, second))["won_0"]
    assert (won["first"]["value"], won["second"]["value"]) == (0.6, 0.4)
    assert won["difference"]["value"] == pytest.approx(-0.2)
    assert won["discordant"] == {"first_only": 2, "second_only": 0}
    assert won["p"] == pytest.approx(2 * 0.25 - 0.25)  # two games differ, both one way


def test_planted_difference_is_found_and_no_other():
    first = random_rows(3000)
    second = first.copy()
    longer = np.arange(3000) % 2 == 0
    second[longer, NAMES.index("laps")] *= 2
    found = by_key(compared(first, second))
    assert found["laps"]["verdict"] == "differs"
    assert found["laps"]["ratio"]["value"] == pytest.approx(1.5, abs=0.03)
    assert {one["verdict"] for key, one in found.items() if key != "laps"} == {"same"}


def test_a_certain_difference_within_the_margin_is_the_same():
    first = random_rows(3000)
    second = first.copy()
    second[:, NAMES.index("laps")] += 1  # of about a hundred, in every game
    laps = by_key(compared(first, second))["laps"]
    assert (laps["p"], laps["verdict"], laps["difference"]["value"]) == (0, "same", 1)


def test_an_undecided_difference_says_how_many_games_are_needed():
    first, second = random_rows(200, seed=1), random_rows(200, seed=2)
    won = by_key(compared(first, second))["won_0"]
    half = (won["difference"]["high"] - won["difference"]["low"]) / 2
    assert won["verdict"] == "undecided"
    assert won["games_needed"] == pytest.approx(200 * (half / 0.02) ** 2, abs=1)
    few = by_key(compared(first[:20], second[:20]))["laps"]  # of amounts a ratio is looked at, and a twentieth
    half = log(few["ratio"]["high"] / few["ratio"]["low"]) / 2
    assert few["verdict"] == "undecided"
    assert few["games_needed"] == pytest.approx(20 * (half / log(1.05)) ** 2, abs=1)


@pytest.mark.by_turns
def test_no_verdict_depends_on_which_ruleset_comes_first():
    """Of two lengths a twentieth apart, a twentieth of the first is more or less as it is the longer or the shorter."""
    first = random_rows(3000)
    second = first.copy()
    laps = NAMES.index("laps")
    for percent in (4, 5, 6, 9):
        second[:, laps] = first[:, laps] + first[:, laps] * percent // 100
        there, back = by_key(compared(first, second)), by_key(compared(second, first))
        assert {key: one["verdict"] for key, one in there.items()} == {key: one["verdict"] for key, one in back.items()}
        assert there["laps"]["games_needed"] == back["laps"]["games_needed"]


@pytest.mark.thorough
def test_what_lies_at_the_margin_is_seldom_called_the_same():
    """Six amounts that truly differ by the margin. One by one each is called the same in one of twenty comparisons, so
    that every fourth comparison would call some the same; corrected, every twentieth at most does."""
    counts = ("laps", "ties", "lead_changes", "taken_in_passing", "short_handed_rounds", "recovered_rounds")
    draw, called, worlds = np.random.default_rng(12), 0, 60
    quick = replace(TERMS, resamples=2)
    for _ in range(worlds):
        rows = [rows_of(200, turns=9, **{name: draw.poisson(mean, 200) for name in counts}) for mean in (1_000, 1_050)]
        pair = compared(rows[0], rows[1], cap=2000, terms=quick)
        corrected = adjusted([measure["p_same"] for measure in pair["measures"] if measure["key"] in counts])
        called += any(p < 0.05 for p in corrected)
    assert called <= binom.ppf(0.99, worlds, 0.05)


@pytest.mark.thorough
def test_independent_games_of_one_kind_seldom_differ():
    comparisons, reported = 80, 0
    quick = replace(TERMS, resamples=2)  # no verdict rests on the medians
    for number in range(comparisons):
        first, second = random_rows(300, seed=2 * number), random_rows(300, seed=2 * number + 1)
        reported += any(measure["verdict"] == "differs" for measure in compared(first, second, terms=quick)["measures"])
    assert reported <= binom.ppf(0.999, comparisons, 0.05)


def test_three_batches_make_three_pairs_and_share_one_correction():
    rows = [random_rows(300, seed=seed) for seed in (1, 2, 3)]
    pairs = compare([PlayedBatch(row, 120) for row in rows], TERMS)
    assert [(pair["first"], pair["second"]) for pair in pairs] == [(0, 1), (0, 2), (1, 2)]
    alone = by_key(compared(rows[0], rows[1]))
    together = by_key(pairs[0])
    assert all(together[key]["p"] == alone[key]["p"] for key in alone)
    for kind in ("p", "p_same"):
        assert any(together[key][f"{kind}_adjusted"] != alone[key][f"{kind}_adjusted"] for key in alone)
        every = [measure for pair in pairs for measure in pair["measures"]]
        assert [one[f"{kind}_adjusted"] for one in every] == adjusted([one[kind] for one in every])


def test_batches_are_compared_up_to_the_smaller_cap():
    short, long = random_rows(500, cap=60), random_rows(500, cap=120)  # the same games, stopped sooner or later
    pair = compare([PlayedBatch(short, 60), PlayedBatch(long, 120)], TERMS)[0]
    assert pair["cap"] == 60
    assert {measure["difference"]["value"] for measure in pair["measures"]} == {0}
    assert "laps" not in by_key(pair)  # what they were at turn 60 nobody knows
    assert by_key(pair)["turns"]["title"] == "Turns, up to turn 60"


def test_batches_of_different_sizes_make_no_pairs():
    with pytest.raises(ValueError, match="different numbers of games"):
        compared(random_rows(10), random_rows(11))


def test_first_rounds_alone_have_no_part_of_their_own():
    rows = random_rows(100)
    alone = ComparisonTerms(MEASURES, 2, PLAIN, TERMS.margins, seed=1, until_round=True)
    assert not [key for key in by_key(compared(rows, rows, terms=alone)) if key.startswith("first_round")]


def test_a_measure_of_a_part_counts_the_games_in_which_it_ended():
    first = rows_of(
        4, first_round_ended=[1, 1, 0, 0], first_round_laps=[4, 6, 0, 0], rounds=2, turns=9, end=[0, 0, 2, 2]
    )
    second = rows_of(4, first_round_ended=1, first_round_laps=[5, 7, 9, 11], rounds=2, turns=9)
    laps = by_key(compared(first, second))["first_round_laps"]
    assert (laps["first"]["value"], laps["second"]["value"], laps["difference"]["value"]) == (5, 8, 3)


def test_what_never_happens_is_left_out():
    rows = rows_of(50, winners=1, turns=4, decisions=4, options=9)
    found = by_key(compared(rows, rows))
    assert not {"laps", "captures", "lead_changes"} & set(found)
    assert {"draw", "endless", "unfinished"} <= set(found)  # results are told even where they are none


def test_a_seat_that_alone_counts_says_no_more_than_the_total():
    rows = rows_of(50, winners=1, turns=4, captures_0=np.arange(50))
    found = by_key(compared(rows, rows))
    assert "captures" in found
    assert "captures_0" not in found


def test_no_difference_in_any_pair_proves_nothing():
    rows = rows_of(1000, winners=1, turns=4)
    advantage = by_key(compared(rows, rows))["first_player_advantage"]
    # Wilson's upper limit of none in a thousand is z²/(n + z²) = 0.38 %, and a game changes by two at most
    assert advantage["difference"]["high"] == pytest.approx(2 * 3.8415 / 1003.8415, abs=1e-5)
    assert advantage["p_same_adjusted"] < 0.05
    assert (advantage["verdict"], advantage["games_needed"]) == ("identical", None)


def test_seats_are_called_by_their_roles():
    rows = random_rows(50)
    naming = FAMILY.naming({})
    assert by_key(compared(rows, rows))["won_0"]["title"] == f"Won by the {naming.seat(0)}"


def test_game_stopped_within_a_turn_runs_to_the_cap():
    ended, stopped = rows_of(20, end=0, turns=30), rows_of(20, end=3, turns=[17] * 20)
    at_the_cap = rows_of(20, end=3, turns=120)
    within, beyond = (by_key(compared(ended, one))["turns"] for one in (stopped, at_the_cap))
    assert within == beyond


def won(games: int, by_first: int, stopped: int = 0) -> np.ndarray:
    """Games of which the first player won so many, and the cap stopped others; of the rest the second won all."""
    end = [0] * (games - stopped) + [3] * stopped
    winners = [1] * by_first + [2] * (games - by_first - stopped) + [0] * stopped
    return rows_of(games, end=end, winners=winners, turns=np.arange(games) % 7 + 5)


def by_two(first: tuple[np.ndarray, np.ndarray], second: tuple[np.ndarray, np.ndarray]) -> dict:
    pairs, again = ([compared(*both)] for both in (first, second))
    of_two_players(pairs, again)
    return by_key(pairs[0])


def test_a_difference_needs_both_players():
    """The first player wins 400 and 600 of 1,000, and with the second player of the level what is given."""
    first = won(1_000, 400), won(1_000, 600)
    for again, verdict in (
        ((won(1_000, 300), won(1_000, 500)), "differs"),
        ((won(1_000, 600), won(1_000, 400)), "depends on who plays"),
        ((won(1_000, 500), won(1_000, 500)), "depends on who plays"),
        ((won(100, 50), won(100, 65)[::-1]), "shown with one player only"),
        ((won(1_000, 500), won(1_000, 515)[::-1]), "depends on who plays"),  # surely less than 200 more
    ):
        found = by_two(first, again)["won_0"]
        assert (found["alone"], found["verdict"]) == ("differs", verdict)
        assert found["again"]["first"]["value"] == (again[0][:, NAMES.index("winners")] == 1).mean()
        assert by_two(again, first)["won_0"]["verdict"] == verdict


def test_one_game_with_both_players_is_the_same():
    one, other = won(1_000, 400), won(1_000, 500)
    assert {measure["verdict"] for measure in by_two((one, one), (other, other)).values()} == {"identical"}


def test_games_that_were_stopped_are_no_difference_of_who_wins():
    """Of 1,000 games 450 won against 500, for 100 were stopped: half of those that ended in both."""
    found = by_key(compared(won(1_000, 500), won(1_000, 450, stopped=100)))
    assert found["won_0"]["p_adjusted"] < 0.05
    assert found["won_0"]["verdict"] == "only by stopped games"
    assert found["won_0_of_ended"]["first"]["value"] == found["won_0_of_ended"]["second"]["value"] == 0.5
    assert found["unfinished"]["verdict"] == "differs"
    nobody_ended = by_key(compared(won(1_000, 500), won(1_000, 0, stopped=1_000)))
    assert nobody_ended["won_0"]["verdict"] == "only by stopped games"
    real = by_key(compared(won(1_000, 500), won(1_000, 300, stopped=100)))
    assert real["won_0"]["verdict"] == "differs"


def test_few_kinds_of_games_tell_nothing_of_rules():
    """One kind of game, played a thousand times under each, won by the first and by the second: all differs."""
    rows = [rows_of(1_000, winners=winner, turns=9) for winner in (1, 2)]
    few = [PlayedBatch(one, 120, kinds=1, few=True) for one in rows]
    assert {measure["verdict"] for measure in compare(few, TERMS)[0]["measures"]} == {"few kinds"}
    assert compare(few, TERMS)[0]["kinds"] == [1, 1]
    assert by_key(compared(*rows))["won_0"]["verdict"] == "differs"


def test_what_a_rule_makes_impossible_is_no_measure():
    one, other = rows_of(500, end=0, turns=9), rows_of(500, end=[0, 1] * 250, turns=9)
    batches = [PlayedBatch(one, 120, impossible=["draw", "endless"]), PlayedBatch(other, 120, impossible=["endless"])]
    [pair] = compare(batches, TERMS)
    assert not {"draw", "endless"} & by_key(pair).keys()
    assert {end["key"]: (end["first"], end["second"]) for end in pair["impossible"]} == {
        "draw": (None, "50.0 % (45.6 to 54.4)"),
        "endless": (None, None),
    }
    assert by_key(compared(one, other))["draw"]["verdict"] == "differs"  # as long as it might be


def test_a_bound_of_ours_makes_no_length():
    """Das-Gupta: the last capture falls on turn 53 under both, and 28 turns without one end a round under one."""
    first, second = rows_of(300, turns=81), rows_of(300, turns=53)
    [pair] = compare([PlayedBatch(first, 120, bound=28), PlayedBatch(second, 120, bound=0)], TERMS)
    assert "turns" not in by_key(pair)
    assert "Turns" in pair["withheld"]
    [pair] = compare([PlayedBatch(first, 120, bound=28), PlayedBatch(second, 120, bound=28)], TERMS)
    assert by_key(pair)["turns"]["verdict"] == "differs"


def test_first_rounds_have_words_of_their_own():
    rows = rows_of(200, end=[0, 1] * 100, winners=[1, 0] * 100, turns=9, rounds=1)
    found = by_key(compared(rows, rows, terms=replace(TERMS, until_round=True)))
    assert found["draw"]["title"] == "Ended equal"
    assert found["won_0"]["title"] == "More owned by the first player"
    assert "rounds" not in found
    assert by_key(compared(rows, rows))["draw"]["title"] == "Drawn by the rules"


def test_seats_that_are_not_the_same_sides_are_not_compared():
    """Niranchy: the aligner begins under the portal's reading and the blocker under Ludii's, and the aligner wins."""
    first, second = rows_of(200, winners=1, turns=9), rows_of(200, winners=2, turns=9)
    aligner, blocker = ("aligner", "blocker"), ("blocker", "aligner")
    [pair] = compare([PlayedBatch(first, 120, sides=aligner), PlayedBatch(second, 120, sides=blocker)], TERMS)
    assert pair["unlike_sides"] == [["aligner", "blocker"], ["blocker", "aligner"]]
    assert not {"won_0", "won_1", "first_player_advantage"} & by_key(pair).keys()
    [pair] = compare([PlayedBatch(first, 120, sides=aligner), PlayedBatch(second, 120, sides=aligner)], TERMS)
    assert by_key(pair)["won_0"]["verdict"] == "differs"
