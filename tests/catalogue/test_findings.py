"""Findings: made from rows by rules, ranked by size."""

from dataclasses import replace
from types import SimpleNamespace
from typing import Any
from unittest import mock

import pytest
from bs4 import BeautifulSoup
from django.db import connection
from django.test.utils import CaptureQueriesContext

from catalogue.comparisons.document import compute
from catalogue.comparisons.requests import check_comparison
from catalogue.comparisons.service import request_comparison
from catalogue.evidence.outcome_figure import Bar, Contender, Level
from catalogue.findings import gathered
from catalogue.findings.compared import compared, paraphrased
from catalogue.findings.gathered import findings
from catalogue.findings.over_levels import DifferenceOverLevels, of_compared, over_levels, telling
from catalogue.findings.played import levels_played
from catalogue.findings.proved import proved
from catalogue.findings.sensitivity import sensitivity_finding
from catalogue.models import Game
from catalogue.pages.strength_table import Cell, strength_table
from catalogue.texts.outcome_bars import Outcomes, Segment, certain
from catalogue.texts.over_levels import OverLevels
from catalogue.texts.share_differences import difference, wilson
from simulator.batches.service import request_batch
from simulator.models import Batch, RulesetVersion
from simulator.statistics import intervals
from tests.catalogue.claim_world import a_claim, judge
from tests.catalogue.page_world import GAMES, CatalogueTestCase, finish, played_batch

RANDOM = Level("random", "random players", "random")
GAME, SUMMARY = Game(name="N", slug="n"), {"players": "random,random", "games": 100, "combinations": 8}
PLAYED = {"players": "random,random", "until": "round", "cells": [{}] * 6}  # 8 combinations are 6 games
PERFECT = Level("perfect", "faultless play, proved", "faultless")


@pytest.mark.parametrize(("won", "games"), [(0, 20), (13, 20), (20, 20), (4_933, 20_000)])
def test_a_share_has_the_limits_that_the_statistics_give_it(won: int, games: int) -> None:
    assert wilson(won / games, games) == pytest.approx(intervals.share(won, games))


def test_a_difference_has_the_limits_that_newcombe_printed() -> None:
    """1998, table II, contrast (a): 56/70 less 48/80, method 10."""
    found = difference(wilson(48 / 80, 80), wilson(56 / 70, 70))
    assert found.value == pytest.approx(0.2)
    assert (round(found.low, 4), round(found.high, 4)) == (0.0524, 0.3339)


def test_a_difference_is_told_without_its_sign() -> None:
    found = difference(wilson(0.9, 1000), wilson(0.5, 1000))
    assert found.in_points == "40.0 percentage points (36.3 to 43.5)"


def bar(name: str, *shares: tuple[str, str, float], games: int = 20_000, different: int = 20_000) -> Bar:
    segments, start = [], 0.0
    for kind, title, share in shares:
        segments.append(Segment(kind, title, start, share, ""))
        start += share
    contender = Contender(name, name, name, f"/{name}/", 0, None)
    batch: Any = SimpleNamespace(cap=2000, id=name, summary={"variety": {"games": games, "different": different}})
    return Bar(contender, Outcomes(tuple(segments), "", "", games), batch)


def sides(first: str, second: str, share: float) -> list[tuple[str, str, float]]:
    return [
        ("won-0", f"won by the {first} (first player)", share),
        ("won-1", f"won by the {second} (second player)", 1 - share),
    ]


def test_sides_that_swap_their_seats_are_the_same_sides() -> None:
    """Who makes rows wins as often under both: nothing is found, though the seats change places."""
    portal, ludii = bar("portal", *sides("aligner", "blocker", 0.95)), bar("ludii", *sides("blocker", "aligner", 0.05))
    assert compared(Game(name="Niranchy", slug="niranchy"), [portal, ludii], RANDOM) is None


def test_sides_of_other_names_are_told_apart_by_who_begins() -> None:
    plain = bar("one", ("won-0", "won by the first player", 0.56), ("won-1", "won by the second player", 0.44))
    found = compared(Game(name="N", slug="n"), [plain, bar("other", *sides("blocker", "aligner", 0.05))], RANDOM)
    assert found is not None
    assert found.size is not None
    assert found.size == pytest.approx((0.51, 0.502, 0.518), abs=0.001)
    assert found.games == 20_000
    assert "won by the first player under one and 5.0 % (4.7 to 5.3) under other" in found.sentence


def read(slug: str, *shares: tuple[str, str, float], games: int) -> Bar:
    found = bar(slug, *shares, games=games)
    return replace(found, contender=replace(found.contender, slug=slug))


def limits(found: DifferenceOverLevels) -> list[tuple[float, ...]]:
    """On each level, in hundredths."""
    return [tuple(round(one, 2) for one in level.limits) for level in found.judged.levels]


def test_a_difference_is_followed_over_the_levels_by_the_roles_of_the_sides() -> None:
    """Under one reading the aligner begins, under the other the blocker: the side is the same one."""
    strong = Level("strong", "strong players", "strong")
    levels = [
        (RANDOM, {7: (read("a", *sides("aligner", "blocker", 0.40), games=20_000),
                      read("b", *sides("blocker", "aligner", 0.50), games=20_000))}),
        (strong, {7: (read("a", *sides("aligner", "blocker", 0.80), games=93),
                      read("b", *sides("blocker", "aligner", 0.70), games=93)),
                  8: (read("c", *sides("x", "y", 0.80), games=93), read("d", *sides("x", "y", 0.20), games=93))}),
    ]  # fmt: skip
    found = over_levels(levels)
    assert found[8] == ()  # on one level only
    by_outcome = {one.outcome: one for one in found[7]}
    assert by_outcome.keys() == {"won by the aligner", "won by the blocker"}
    aligner = by_outcome["won by the aligner"]  # 40 % and 50 % at random, 80 % and 30 % of strong players
    assert aligner.verdict == OverLevels.TURNS_OVER
    assert limits(aligner)[0] == (0.1, 0.09, 0.11)
    assert [one.verdict for one in telling(found[7])] == [OverLevels.TURNS_OVER] * 2


def test_first_rounds_are_followed_over_the_levels_where_some_level_has_no_more() -> None:
    """Whole random games differ by 30 points and their first rounds do not; strong players are 60 points apart."""
    strong = Level("strong", "strong players", "strong")

    def random(slug: str, share: float) -> Bar:
        rounds = bar(slug, *sides("x", "y", 0.5)).outcomes
        assert rounds is not None
        return replace(read(slug, *sides("x", "y", share), games=20_000), first_rounds=replace(rounds, of_rounds=True))

    def round_(slug: str, share: float) -> Bar:
        found = read(slug, *sides("x", "y", share), games=93)
        assert found.outcomes is not None
        return replace(found, outcomes=replace(found.outcomes, of_rounds=True))

    levels = [
        (RANDOM, {7: (random("a", 0.5), random("b", 0.8))}),
        (strong, {7: (round_("a", 0.8), round_("b", 0.2))}),
    ]
    found = over_levels(levels)[7]
    assert {one.counted for one in found} == {"first rounds"}
    assert limits(found[0])[0] == (0.0, -0.01, 0.01)
    assert {one.verdict for one in found} == {OverLevels.DEPENDS}  # of whole games it would turn over
    mixed = compared(GAME, [random("a", 0.5), round_("b", 0.9)], RANDOM)
    assert mixed is not None
    assert mixed.sentence.startswith("50.0 % (49.3 to 50.7) of first rounds are won by the x")


class OverLevelsTests(CatalogueTestCase):
    def test_who_moves_first_is_known_where_the_same_sides_change_their_seats(self) -> None:
        """Ludovisi’s sides have no roles, and are held against seats: the first wins 80 % there, else 20 %."""
        won, lost = [(10, 0, 1)] * 80 + [(10, 0, 2)] * 20, [(10, 0, 1)] * 20 + [(10, 0, 2)] * 80
        readings = {"niranchy-ludovisi": won, "niranchy-dlp": lost, "niranchy-ludii": lost}
        for players in ("random", "greedy"):
            for slug, games in readings.items():
                batch = request_batch(slug, games=100, players=players, origin=Batch.Origin.DEMO, announce=False)
                finish(batch, tuple(games))
        versions = RulesetVersion.objects.filter(slug__in=readings).values_list("slug", "ruleset_id")
        hashes = dict(versions)
        rows = of_compared(list(readings), [hashes[slug] for slug in readings])
        first = {
            (one.first.slug, one.second.slug): [round(100 * level.limits.value) for level in one.judged.levels]
            for one in rows
            if one.outcome == "won by the first player"
        }
        assert {pair: shares[:2] for pair, shares in first.items()} == {
            ("niranchy-ludovisi", "niranchy-dlp"): [-60, -60],
            ("niranchy-ludovisi", "niranchy-ludii"): [-60, -60],
        }
        roles = [one for one in rows if {one.first.slug, one.second.slug} == {"niranchy-dlp", "niranchy-ludii"}]
        assert {one.outcome for one in roles} == {"won by the aligner", "won by the blocker"}

    def test_games_that_somebody_asks_for_displace_no_prepared_ones(self) -> None:
        won, lost = ((10, 0, 1),) * 60, ((10, 0, 2),) * 60
        finish(
            request_batch("daramuti-parker", games=60, players="club", until="round", origin="demo", announce=False),
            won,
        )
        finish(request_batch("daramuti-parker", games=60, players="club", origin="visitor", announce=False), lost)
        finish(request_batch("daramuti-parker", games=5, players="strong", origin="visitor", announce=False), lost[:5])
        finish(request_batch("daramuti-parker", games=60, players="uct:1", origin="visitor", announce=False), lost)
        levels = {level.key: by_game for level, by_game in levels_played()}
        assert set(levels) == {"random", "club", "perfect"}
        (club,) = (one for bars in levels["club"].values() for one in bars)
        assert club.outcomes
        assert (club.outcomes.segments[0].share, club.outcomes.counted) == (1.0, "first rounds")
        page = BeautifulSoup(self.page("/games/daramuti/"), "lxml")
        assert page.select_one(".levels [aria-current]").get_text() == "club"
        assert "strong" in [one.get_text() for one in page.select(".levels a")]  # asked for, it is there

    def test_the_page_of_the_game_and_the_api_tell_what_turns_over(self) -> None:
        won = [(10, 0, 1)] * 40 + [(12, 0, 2)] * 10
        lost = [(10, 0, 2)] * 40 + [(12, 0, 1)] * 10
        for players, first, second in (("random", won, lost), ("greedy", lost, won)):
            for slug, games in (("koti-keliya-parker", first), ("koti-keliya-ludii", second)):
                batch = request_batch(slug, games=50, players=players, origin=Batch.Origin.DEMO, announce=False)
                finish(batch, tuple(games))
        page = BeautifulSoup(self.page("/games/koti-keliya/"), "lxml")
        rows = [row.get_text(" ", strip=True) for row in page.select("#over-levels ~ .scroll tbody tr")]
        head = [cell.get_text(strip=True) for cell in page.select("#over-levels ~ .scroll thead th")]
        assert head == ["Games that are", "Verdict", "random", "greedy", "faultless"]
        few = "Parker: the same 2 games again and again; Ludii: the same 2 games again and again."
        assert rows[0] == f"Ludii against Parker Random players. {few} Greedy players. {few}"
        assert len(rows) == 3
        assert all("turns over −60.0 −72.4 to −41.6 " in row or "turns over +60.0 " in row for row in rows[1:])
        said = self.client.get("/api/v1/games/koti-keliya/").json()["over_levels"]
        assert {one["becomes"] for one in said if one["outcome"].startswith("won")} == {"turns over"}
        assert [level["games"] for level in said[0]["levels"]] == [[50, 50], [50, 50], [0, 0]]  # the last is proved
        assert self.client.get("/api/v1/games/saturankam/").json()["over_levels"] == []

    def test_the_page_of_a_comparison_tells_the_same_of_the_readings_that_it_compares(self) -> None:
        won, lost = [(10, 0, 1)] * 40 + [(12, 0, 2)] * 10, [(10, 0, 2)] * 40 + [(12, 0, 1)] * 10
        names = ("daramuti-parker", "daramuti-ludii", "daramuti-dlp")
        for players, first, other in (("random", won, lost), ("greedy", lost, won)):
            for slug in names:
                batch = request_batch(slug, games=50, players=players, origin=Batch.Origin.DEMO, announce=False)
                finish(batch, tuple(first if slug == names[0] else other))
        asked = check_comparison(names[:2], games=50, players="greedy")
        comparison = request_comparison(asked, announce=False)
        assert compute(comparison)
        with CaptureQueriesContext(connection) as queries:
            page = BeautifulSoup(self.page(comparison.get_absolute_url()), "lxml")
        assert len(queries) <= 13  # as of the comparison of two levels less
        rows = [row.get_text(" ", strip=True) for row in page.select("#over-levels ~ .scroll tbody tr")]
        game = BeautifulSoup(self.page("/games/daramuti/"), "lxml").select("#over-levels ~ .scroll tbody tr")
        both = [row.get_text(" ", strip=True) for row in game]
        assert 0 < len(rows) < len(both)
        start = both.index(rows[0])
        assert rows[0].startswith(("Ludii against Parker", "Parker against Ludii"))
        assert both[start : start + len(rows)] == rows
        assert all("turns over" in row for row in rows[1:])


def test_who_plays_the_same_games_again_and_again_is_told_with_the_number_of_games() -> None:
    bars = [bar("Parker", *sides("a", "b", 1.0), games=93, different=2), bar("Ludii", *sides("a", "b", 0.0), games=93)]
    found = compared(GAME, bars, RANDOM)
    assert found is not None
    assert found.counted_games == "93 games each · Parker: the same 2 games again and again"


def test_a_side_that_is_told_by_its_seat_is_named_where_the_reading_names_it() -> None:
    unnamed = bar("Ludovisi", ("won-0", "won by the first player", 1.0), ("won-1", "won by the second player", 0.0))
    found = compared(GAME, [unnamed, bar("Ludii", *sides("blocker", "aligner", 0.0))], RANDOM)
    assert found is not None
    assert found.sentence.endswith("under Ludovisi and 0 % (0 to 0.019) under Ludii (where that is the blocker).")


def test_what_is_proved_is_proved_of_the_side_that_does_not_win_too_and_nothing_else_is() -> None:
    """A difference of games whose limits are printed alike is no proof."""
    few = [(read(slug, *sides("a", "b", 0.5001), games=10**9)) for slug in ("one", "two")]
    proofs = [
        Bar(few[0].contender, certain("won-0", "won by the a (first player)")),
        Bar(few[1].contender, certain("won-0", "won by the a (first player)")),
    ]
    (of_game,) = over_levels([(RANDOM, {1: tuple(few)}), (PERFECT, {1: tuple(proofs)})]).values()
    table = strength_table(of_game)
    assert table
    assert table.levels == ("random", "faultless")
    [pair] = table.pairs
    assert (pair.title, pair.notes) == ("two against one", ())
    assert [(row.difference.outcome, row.cells) for row in pair.rows] == [
        (f"won by the {side}", (Cell("+0.0", "−0.0 to +0.0"), Cell("+0.0", "proved"))) for side in ("a", "b")
    ]


def test_the_table_has_a_column_for_each_level_from_the_weakest_and_tells_where_one_is_not_known() -> None:
    """Of the third reading strong players have no games; those of the first play the same two again and again."""
    club, strong = Level("club", "club players", "club"), Level("strong", "strong players", "strong")

    def both(share: float) -> tuple[Bar, ...]:
        first = bar("first", *sides("x", "y", share), games=93, different=2)
        return (first, *(read(slug, *sides("x", "y", 0.2), games=93) for slug in ("second", "third")))

    levels = [(RANDOM, {7: both(0.1)}), (club, {7: both(0.5)}), (strong, {7: both(0.9)[:2]})]
    table = strength_table(over_levels(levels)[7])
    assert table
    assert table.levels == ("random", "club", "strong")
    titles = [pair.title for pair in table.pairs]
    assert titles == ["second against first", "third against first", "third against second"]
    known = [[cell is not None for cell in pair.rows[0].cells] for pair in table.pairs]
    assert known == [[True, True, True], [True, True, False], [True, True, False]]
    few = "first: the same 2 games again and again"
    assert [pair.notes for pair in table.pairs[::2]] == [tuple((level, few) for level in table.levels), ()]
    cell = table.pairs[0].rows[0].cells[2]
    assert cell
    assert cell.value == "−70.0"
    assert strength_table([]) is None


def test_the_two_texts_of_a_record_are_told_apart_from_how_a_programme_plays() -> None:
    """A programme lies farthest off; between the quotation and its paraphrase are 20 points."""
    bars = [read(slug, *sides("a", "b", share), games=20_000) for slug, share in (("p", 0.5), ("d", 0.7), ("l", 0.1))]
    of_all = compared(GAME, bars, RANDOM)
    of_texts = paraphrased(GAME, bars, RANDOM, {"p": "parker", "d": "dlp"})
    assert of_all
    assert of_texts
    assert (of_all.points, of_texts.points) == ("60", "20")
    assert [one.contender.slug for one in of_texts.bars] == ["p", "d"]
    assert paraphrased(GAME, bars, RANDOM, {"p": "parker"}) is None  # nothing was paraphrased
    assert paraphrased(GAME, [bars[0], bars[2]], RANDOM, {"p": "parker", "d": "dlp"}) is None  # nor played


def test_what_is_surely_large_stands_before_what_may_be_larger() -> None:
    """70 points of 20 games are surely 38; 50 of 20,000 surely 49."""
    few = compared(
        GAME, [bar("one", *sides("a", "b", 0.9), games=20), bar("x", *sides("a", "b", 0.2), games=20)], RANDOM
    )
    many = compared(GAME, [bar("one", *sides("a", "b", 0.7)), bar("x", *sides("a", "b", 0.2))], RANDOM)
    assert few
    assert many
    assert (few.points, many.points) == ("70", "50")
    assert few.surely < many.surely


def test_what_is_not_surely_beyond_the_margin_is_no_finding() -> None:
    game = Game(name="N", slug="n")
    close = [bar("one", *sides("a", "b", 0.50)), bar("other", *sides("a", "b", 0.525))]
    assert compared(game, close, RANDOM) is None
    assert compared(game, [close[0], bar("other", *sides("a", "b", 0.56))], RANDOM) is not None


def test_a_study_tells_the_answers_that_lie_farthest_apart() -> None:
    answers = [
        {"slug": "a", "text": "Lines win.", "mean": 0.95, "low": 0.94, "high": 0.96},
        {"slug": "b", "text": "Blocks win.", "mean": 0.06, "low": 0.05, "high": 0.07},
    ]
    asked: list[Any] = [
        {
            "slug": "q",
            "title": "Who wins?",
            "answers": [{**one, "text": f"{100 * one['mean']:.0f} %"} for one in answers],
        }
    ]
    outcome = {"key": "won_0", "unit": "share", "told": True, "title": "Won by the first player", "questions": asked}
    document = {**PLAYED, "questions": [{"slug": "q", "answers": answers}], "outcomes": [outcome]}
    study: Any = SimpleNamespace(game=GAME, document=document, summary=SUMMARY, get_absolute_url=lambda: "/s/")
    found = sensitivity_finding(study)
    assert found is not None
    assert found.size is not None
    assert found.size.value == pytest.approx(0.89)
    assert found.level == "random"
    assert found.sentence == (
        "6 % of first rounds are won by the first player if the answer is “Blocks win”, and 95 % if the answer is "
        "“Lines win”, whatever else is answered."
    )
    assert (found.games, found.counted_games) == (600, "600 first rounds")
    asked[0]["answers"].append({"slug": None, "text": "1 %", "mean": 0.01, "low": 0.0, "high": 0.02})  # does not arise
    assert sensitivity_finding(study) == found
    assert sensitivity_finding(study, for_sides={("another", "q")}) == found
    assert sensitivity_finding(study, for_sides={(GAME.slug, "q")}) is None  # of more sides each wins less
    outcome.update(key="draw")
    assert sensitivity_finding(study, for_sides={(GAME.slug, "q")}) == found
    outcome["told"] = False
    assert sensitivity_finding(study) is None


def test_a_study_whose_answers_lie_close_together_is_no_finding() -> None:
    """Three hundredths apart, give or take one and a half: more than nothing, and not surely two."""
    answers = [{"slug": slug, "text": slug, "mean": mean, "low": mean - 0.01, "high": mean + 0.01}
        for slug, mean in (("a", 0.50), ("b", 0.53))]  # fmt: skip
    outcome = {
        "key": "won_0",
        "unit": "share",
        "told": True,
        "title": "Won",
        "questions": [{"slug": "q", "title": "Q?", "answers": answers}],
    }
    document = {**PLAYED, "questions": [{"slug": "q", "answers": answers}], "outcomes": [outcome]}
    study: Any = SimpleNamespace(game=GAME, document=document, summary=SUMMARY, get_absolute_url=lambda: "/s/")
    assert sensitivity_finding(study) is None
    answers[1] |= {"mean": 0.60, "low": 0.59, "high": 0.61}
    assert sensitivity_finding(study) is not None


def test_a_solved_game_is_told_with_how_seldom_chance_comes_to_the_same() -> None:
    solved = bar("ludovisi", ("won-1", "won by the herd (second player)", 1.0), games=0)
    found = proved(Game(name="Hat", slug="h"), [solved], PERFECT, {"": bar("ludovisi", *sides("hunter", "herd", 0.75))})
    assert found is not None
    assert found.size == pytest.approx((0.75, 0.744, 0.756), abs=0.001)
    assert found.headline == "Hat: faultless play is won by the herd (second player)"
    assert "25.0 % (24.4 to 25.6) of games" in found.sentence


class Page(CatalogueTestCase):
    def shown(self) -> BeautifulSoup:
        """Without what its words mean, which stands beside them."""
        page = BeautifulSoup(self.client.get("/findings/").content, "lxml")
        for meaning in page.select(".meaning"):
            meaning.decompose()
        return page

    def test_a_new_batch_is_a_new_finding(self) -> None:
        shipped = [one.get_text() for one in self.shown().select(".finding")]
        assert all("faultless" in one for one in shipped)  # solutions that come with the catalogue
        for reading, games in (("daramuti-parker", GAMES[:5] * 80), ("daramuti-ludii", GAMES[5:7] * 200)):
            batch = request_batch(reading, announce=False, games=400, origin=Batch.Origin.DEMO)
            finish(batch, games)
        shown = [" ".join(one.get_text().split()) for one in self.shown().select(".finding")]
        assert len(shown) == 1 + len(shipped)
        assert shown[0].startswith("100 points, at least 99 Daramuti: under Parker the first player wins most games;")
        assert "100 % (99.0 to 100) of games are won by the first player under Parker and 0 %" in shown[0]

    def test_games_of_reference_have_none(self) -> None:
        before = {one.sentence for one in findings().ranked}
        for slug in ("kalah-reference", "oware-reference"):
            finish(request_batch(slug, announce=False, games=400, origin=Batch.Origin.DEMO), GAMES[:5] * 80)
        assert {one.sentence for one in findings().ranked} == before

    def test_what_better_players_do_stands_before_what_is_larger_at_random(self) -> None:
        """Greedy games of Daramuti lie 60 points apart, random ones 100: those who choose their moves come first."""
        far, near = (GAMES[:5] * 80, GAMES[5:7] * 200), (GAMES[:5] * 80, GAMES[:5] * 32 + GAMES[5:7] * 120)
        for players, both in (("random", far), ("greedy", near)):
            for reading, games in zip(("daramuti-parker", "daramuti-ludii"), both, strict=True):
                batch = request_batch(reading, announce=False, games=400, players=players, origin=Batch.Origin.DEMO)
                finish(batch, games)
        found = findings()
        compared = [(one.level, one.points) for one in (*found.ranked, *found.others) if one.game.slug == "daramuti"]
        assert compared == [("greedy", "60"), ("random", "100")]
        assert [(one.level, one.kind) for one in found.others] == [("random", "compared")]
        assert {level.key for level, _ in found.first_shown.values()} == {"greedy"}
        others = self.shown().select_one("#others ~ .findings")
        assert others is not None
        assert "100 % (99.0 to 100) of games are won by the first player under Parker" in others.get_text()

    def test_twelve_games_of_better_players_do_not_stand_before_many_of_others(self) -> None:
        few, many = (GAMES[:5] * 2, GAMES[5:7] * 5), (GAMES[:5] * 80, GAMES[5:7] * 200)
        for players, both in (("random", many), ("greedy", few)):
            for reading, games in zip(("daramuti-parker", "daramuti-ludii"), both, strict=True):
                batch = request_batch(
                    reading, announce=False, games=len(games), players=players, origin=Batch.Origin.DEMO
                )
                finish(batch, games)
        found = findings()
        assert {level.key for level, _ in found.first_shown.values()} == {"random"}
        assert [one.level for one in found.ranked if one.kind == "compared"] == ["random"]
        assert [(one.level, one.points) for one in found.others] == [("greedy", "100")]

    def test_findings_are_worked_out_again_for_other_players(self) -> None:
        findings()
        with mock.patch.object(gathered, "_worked_out") as again:
            findings()
            assert not again.called
            with mock.patch.object(gathered, "PLAYERS_VERSION", gathered.PLAYERS_VERSION + 1):
                again.return_value = "those of other players"
                assert findings() == "those of other players"

    def test_the_comparison_of_the_level_that_is_shown_is_led_to(self) -> None:
        names = ["daramuti-parker", "daramuti-dlp", "daramuti-ludii"]
        made = {}
        for players in ("greedy", "random"):  # what is random is newer, and greedy players are shown first
            for reading in names:
                finish(request_batch(reading, announce=False, games=60, players=players, origin="demo"), GAMES * 8)
            made[players] = request_comparison(check_comparison(names, games=60, players=players), announce=False)
            assert compute(made[players])
        for page, players in (("/games/daramuti/", "greedy"), ("/evidence/DLP.Evidence.692/", "greedy")):
            assert made[players].get_absolute_url() in self.page(page), page
        shown = self.page("/games/daramuti/?level=random")
        assert made["random"].get_absolute_url() in shown
        assert made["greedy"].get_absolute_url() not in shown

    def test_readings_that_play_alike_are_named(self) -> None:
        played_batch("daramuti-dlp")
        assert [game.name for game in findings().alike] == ["Daramuti"]
        assert "No end is shown to be oftener or rarer under one reading than under another" in self.shown().get_text()


class Api(CatalogueTestCase):
    def asked(self, query: str = "") -> dict[str, Any]:
        answer = self.client.get(f"/api/v1/findings/{query}")
        assert answer.status_code == 200, answer.content
        found: dict[str, Any] = answer.json()
        return found

    def test_findings_are_ranked_and_lead_to_what_they_were_made_from(self) -> None:
        names = ("daramuti-parker", "daramuti-dlp")
        for reading, games in zip(names, (GAMES[:5] * 80, GAMES[5:7] * 200), strict=True):
            finish(request_batch(reading, announce=False, games=400, origin=Batch.Origin.DEMO), games)
        comparison = request_comparison(check_comparison(names, games=400), announce=False)
        assert compute(comparison)
        (found,) = self.asked("?game=daramuti&level=random")["results"]
        assert (found["kind"], found["rank"], found["games"]) == ("paraphrased", 1, 400)
        assert (round(found["value"], 3), round(found["low"], 3), round(found["high"], 3)) == (1.0, 0.987, 1.0)
        batches = {compared.batch_id for compared in comparison.compared.all()}
        assert set(found["batches"]) == batches
        pages = {one["text"]: one["page"] for one in found["links"]}
        assert pages["The comparison"] == f"http://testserver/comparisons/{comparison.id}/"
        assert pages["The words"] == "http://testserver/evidence/DLP.Evidence.692/"
        assert all(self.client.get(page).status_code == 200 for page in pages.values())

    def test_what_was_judged_and_what_is_idle_comes_last_and_has_no_size(self) -> None:
        found = self.asked("?page_size=100")
        assert [one["rank"] for one in found["results"]] == list(range(1, found["count"] + 1))
        kinds = [one["kind"] for one in found["results"]]
        assert kinds == sorted(kinds, key=["proved", "judged", "idle"].index)
        idle = [one for one in found["results"] if one["kind"] == "idle"]
        assert {one["game"]["slug"] for one in idle} == {"dam", "hat-diviyan-keliya", "kotu-baendum", "niranchy"}
        assert all(one["value"] is None and "2,000 games are the same" in one["sentence"] for one in idle)
        assert self.asked("?kind=idle&game=dam&page_size=1")["count"] == 2

    def test_a_claim_has_the_level_of_those_who_judged_it(self) -> None:
        judge(a_claim("kotu-ellima", "first-move-sacrifice"), columns={"turns": 5})  # by random players and greedy ones
        judge(a_claim("kotu-baendum", "all-four-ends-tied"), columns={})
        rows = self.asked("?kind=judged&level=random")["results"]
        assert [one["headline"] for one in rows] == ["Kotu Baendum: All four end holes may become tied – supported"]
        assert self.asked("?kind=judged&level=greedy")["count"] == 0

    def test_what_there_is_not_is_refused_with_the_nearest(self) -> None:
        for query, field, nearest in (
            ("kind=prooved", "kind", "proved"),
            ("game=daramutti", "game", "daramuti"),
            ("level=stong", "level", "strong"),
            ("page=9", "page", 1),
            ("games=daramuti", "games", "game"),
        ):
            answer = self.client.get(f"/api/v1/findings/?{query}")
            assert answer.status_code == 400
            (problem,) = answer.json()["problems"]
            assert (problem["field"], problem["nearest"]) == (field, nearest)
