"""Why the games of a test, or the levels of play, leave something undecided: the rule worked by hand."""

from types import SimpleNamespace
from typing import Any

import pytest

from catalogue.analyses import claim_verdicts
from catalogue.analyses.claim_definitions import ClaimTest, Demand
from catalogue.analyses.claim_verdicts import DISAGREE, NOT_CERTAIN, Voice, of_claim
from catalogue.models import Verdict
from simulator.statistics.intervals import share
from simulator.statistics.over_levels import LevelDifference, judged
from simulator.statistics.verdicts import Explanation, UndecidedReason, first_of, games_more


def figures(least: Any, most: Any, low: Any, high: Any, games: int, **counts: int) -> Any:
    return SimpleNamespace(least=least, most=most, low=low, high=high, games=games, counts=counts)


def of_share(yes: int, games: int, open_: int = 0, at_least: float = 0.9, batch: int = 0) -> Explanation:
    """Of a share whose limits are those of the statistics; batch: games that were played, if some are of no kind"""
    least, most = share(yes, games), share(yes + open_, games)
    said = figures(least.value, most.value, least.low, most.high, batch or games, yes=yes, open=open_, outside=0)
    return claim_verdicts.why(ClaimTest("share", (), Demand("at_least", at_least)), said)


def test_few_games_come_with_how_many_more() -> None:
    # 92 of 100: 0.850 to 0.959, half 0.070, and 0.02 above what is claimed: (0.070 / 0.02)² = 12.24 times as many
    found = of_share(92, 100)
    assert (found.because, found.games) == (UndecidedReason.FEW, 1_200)
    assert "about 1,200 more would decide it" in found.text
    # Games of which only half are of the kind: twice as many have to be played
    assert of_share(92, 100, batch=200).games == 2_300
    # So many more do decide it, if they go as these did
    assert share(round(0.92 * 1_300), 1_300).low > 0.9


def test_on_the_bound_enough_games_show_equality() -> None:
    # 90 of 100: 0.826 to 0.945, half 0.074; within two points with (0.074 / 0.02)² = 13.8 times as many
    found = of_share(90, 100)
    assert (found.because, found.games) == (UndecidedReason.FEW, 1_300)
    many = share(1_260, 1_400)
    assert many.low > 0.88
    assert of_share(1_260, 1_400).because == UndecidedReason.EQUAL


def test_more_games_do_not_help_against_the_cap() -> None:
    # 80 did, 30 may have, of 120: from 67 to 92 %
    assert of_share(80, 120, open_=30).because == UndecidedReason.UNFINISHED
    assert of_share(80_000, 120_000, open_=30_000).because == UndecidedReason.UNFINISHED
    # 110 did and 5 may have: from 91.7 to 95.8 %, and only chance reaches below 90
    assert of_share(110, 120, open_=5).because == UndecidedReason.FEW


def test_means_have_a_margin_and_may_lack_an_upper_limit() -> None:
    sixty = ClaimTest("mean", (), Demand("at_most", 60), measure="turns")
    assert claim_verdicts.why(sixty, figures(59, None, 57, None, 100, open=3)).because == UndecidedReason.UNFINISHED
    assert claim_verdicts.why(sixty, figures(59, 59, 57, 61, 100, open=0)).because == UndecidedReason.EQUAL
    wide = claim_verdicts.why(sixty, figures(55, 55, 47, 63, 100, open=0))
    assert (wide.because, wide.games) == (UndecidedReason.FEW, 160)  # (8 / 5)² = 2.56


def test_a_mean_without_limits_tells_no_number_of_games() -> None:
    of_one = claim_verdicts.why(
        ClaimTest("mean", (), Demand("at_most", 60), measure="turns"), figures(55, 55, None, None, 1)
    )
    assert (of_one.because, of_one.games) == (UndecidedReason.FEW, None)


def of_difference(mean: float, half: float, **counts: int) -> Explanation:
    said = figures(mean, mean, mean - half, mean + half, sum(counts.values()), **counts)
    return claim_verdicts.why(ClaimTest("difference", (), Demand("more")), said)


def test_differences_are_looked_at_pair_by_pair() -> None:
    few = of_difference(2, 6, more=50, less=45, same=5, open=0)
    assert (few.because, few.games) == (UndecidedReason.FEW, 800)  # (6 / 2)² = 9
    assert of_difference(2, 6, more=40, less=30, same=0, open=30).because == UndecidedReason.UNFINISHED
    # 20,000 pairs: 0.05 points more, ± 1.4
    assert of_difference(0.1, 0.5, more=10_005, less=9_995, same=0, open=0).because == UndecidedReason.EQUAL
    # The mean is certain, the pairs are not: 52 to 44 of 100 with 4 open, 0.04 at worst, half 0.195
    assert of_difference(5, 2, more=52, less=44, same=0, open=4).games == 2_300


def test_a_game_that_is_no_witness_and_games_of_which_none_tells() -> None:
    witness = claim_verdicts.why(ClaimTest("witness", (), Demand("is_one")), figures(None, None, None, None, 1))
    assert (witness.because, witness.games) == (UndecidedReason.FEW, None)
    none = figures(None, None, None, None, 100, yes=0, no=0, open=0, outside=0)
    assert (
        claim_verdicts.why(ClaimTest("share", (), Demand("at_least", 0.9)), none).text
        == "too few games: none of them tells"
    )


def test_a_claim_names_first_what_more_games_do_not_mend() -> None:
    few, equal = (
        Explanation(UndecidedReason.FEW, "too few games", 5),
        Explanation(UndecidedReason.EQUAL, "as good as equal"),
    )
    assert first_of([few, equal]) is equal
    open_ = Verdict.Kind.UNDECIDED
    found = of_claim(
        "random", [Voice("a", open_), Voice("b", open_), Voice("c", Verdict.Kind.SUPPORTED)], whys=[few, equal]
    )
    assert (found.because, found.reason) == (UndecidedReason.EQUAL, NOT_CERTAIN.format("as good as equal"))
    found = of_claim(
        "random",
        [Voice("a", Verdict.Kind.SUPPORTED), Voice("a", Verdict.Kind.NOT_SUPPORTED), Voice("a", open_)],
        whys=[few],
    )
    assert (found.because, found.reason) == (UndecidedReason.TESTS, DISAGREE)
    assert of_claim("random", [Voice("a", Verdict.Kind.UNTESTABLE)]).kind == Verdict.Kind.UNTESTABLE


@pytest.mark.parametrize(("games", "factor", "more"), [(100, 12.24, 1_200), (10, 1.0, 1), (90, 1.25, 23), (3, 2.0, 3)])
def test_an_estimate_has_two_digits(games: int, factor: float, more: int) -> None:
    assert games_more(games, factor) == more


MARGIN = 0.02
AT_RANDOM = LevelDifference("random", 0.50, 0.55, (20_000, 20_000))


def over_levels(*levels: LevelDifference, beside: int = 0) -> Explanation | None:
    """beside: so many more questions of which nothing is known"""
    nothing = [LevelDifference("random", 0.5, 0.5, (90, 90)), LevelDifference("strong", 0.5, 0.5, (90, 90))]
    return judged([levels, *[nothing] * beside], MARGIN)[0].why


def test_levels_with_few_games_name_how_many_more() -> None:
    # 0.05 in 90 games each: its error is √(0.4987 · 2 / 180) ≈ 0.0744, so z = 0.672, and 1.96 needs 8.5 times as many
    found = over_levels(AT_RANDOM, LevelDifference("strong", 0.50, 0.55, (90, 90)))
    assert found == Explanation(
        UndecidedReason.FEW, "too few games of strong players (about 680 more of each reading)", 680
    )
    # What else is asked makes it harder: with 20 questions more than with none
    asked = over_levels(AT_RANDOM, LevelDifference("strong", 0.50, 0.60, (90, 90)), beside=10)
    alone = over_levels(AT_RANDOM, LevelDifference("strong", 0.50, 0.60, (90, 90)))
    assert asked
    assert alone
    assert (asked.games or 0) > (alone.games or 0) > 0


def test_the_cap_comes_before_chance_as_a_reason() -> None:
    # An interval of ± 0.145: a fifth of the games is more than that, a tenth is not
    for share_stopped, because in ((0.2, UndecidedReason.UNFINISHED), (0.1, UndecidedReason.FEW)):
        strong = LevelDifference("strong", 0.40, 0.45, (90, 90), (0.0, share_stopped))
        found = over_levels(AT_RANDOM, strong)
        assert found is not None
        assert found.because == because, share_stopped


def test_within_the_margin_but_for_the_correction() -> None:
    close = LevelDifference("greedy", 0.500, 0.502, (6_500, 6_500))  # − 0.015 to 0.019
    at_random = LevelDifference("random", 0.500, 0.517, (40_000, 40_000))
    found = over_levels(at_random, close, beside=10)
    assert found
    assert (found.because, found.games) == (UndecidedReason.EQUAL, None)
    assert over_levels(at_random, close) is None


def of_kinds(kinds: int, **more: Any) -> Explanation:
    said = figures(1.0, 1.0, 0.996, 1.0, 1_000, yes=1_000, open=0, outside=0, kinds=kinds)
    return claim_verdicts.why(ClaimTest("share", (), Demand("at_least", 0.25)), said, **more)


def test_games_of_few_kinds_are_not_mended_by_more_of_them() -> None:
    assert of_kinds(1).because == UndecidedReason.KINDS
    assert of_kinds(1).text.startswith("too few different games: all are one game, and more games")
    assert (of_kinds(49).because, of_kinds(49).games) == (UndecidedReason.KINDS, None)
    assert of_kinds(50).because != UndecidedReason.KINDS
    assert of_kinds(1, about_rules=True).because != UndecidedReason.KINDS


def test_an_estimate_looks_at_both_ends() -> None:
    """From 50.02 to 65.7 % where at least half is claimed: the lower end alone is near, and nothing shows equality."""
    said = figures(0.5002, 0.657, 0.487, 0.667, 20_000, yes=8_700, open=2_600, outside=0)
    found = claim_verdicts.why(ClaimTest("share", (), Demand("at_least", 0.5)), said)
    # (0.0132 / 0.0002)² = 4,356 times as many games
    assert (found.because, found.games) == (UndecidedReason.FEW, None)
    assert "no number" in found.text
    said = figures(0.51, 0.657, 0.487, 0.667, 20_000, yes=8_700, open=2_600, outside=0)
    found = claim_verdicts.why(ClaimTest("share", (), Demand("at_least", 0.5)), said)
    assert found.games == 86_000  # (0.023 / 0.01)² = 5.29 times as many


def test_an_estimate_is_not_below_what_the_test_needs() -> None:
    # 15 of 24 where at most nine of ten are claimed: soon sure, but it has to be of fifty kinds
    least = share(15, 24)
    said = figures(least.value, least.value, least.low, least.high, 24, yes=15, no=9, open=0, outside=0)
    found = claim_verdicts.why(ClaimTest("share", (), Demand("at_most", 0.9)), said)
    assert (found.games or 0) >= 50 - 24
    found = claim_verdicts.why(ClaimTest("share", (), Demand("at_least", 0.5), most_games=40), said)
    assert "which is beyond the 40 that this test plays" in found.text


def test_players_who_go_to_and_fro_need_no_higher_cap() -> None:
    said = figures(0.01, 1.0, 0.0, 1.0, 1_000, yes=10, open=990, outside=0)
    test = ClaimTest("share", (), Demand("at_least", 0.9))
    found = claim_verdicts.why(test, said, repetition=claim_verdicts.Repetition(97, 100))
    assert found.because == UndecidedReason.UNFINISHED
    assert "come to a standstill (a position stood three times in 97 of 100 games looked at)" in found.text
    for unlike in (None, claim_verdicts.Repetition(3, 100)):
        assert "standstill" not in claim_verdicts.why(test, said, repetition=unlike).text
        assert "higher cap" not in claim_verdicts.why(test, said, repetition=unlike).text
