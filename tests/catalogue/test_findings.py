"""Findings: made from rows by rules, ranked by size."""

from dataclasses import replace
from math import sqrt
from types import SimpleNamespace
from typing import Any
from unittest import mock

import pytest
from bs4 import BeautifulSoup
from django.test import override_settings

from catalogue.analyses.comparisons import COMPARISONS, check_comparison
from catalogue.analyses.study_figures import with_figures
from catalogue.config.celery import gather_findings
from catalogue.findings import kept
from catalogue.findings.compared import Played, compared, paraphrased, proved
from catalogue.findings.concluded import sensitivity_finding
from catalogue.findings.gathered import gather, with_games_shared
from catalogue.findings.kept import findings
from catalogue.models import Comparison, Game
from catalogue.outcomes.figure import OutcomeFigure
from catalogue.pages.findings import one_a_game
from catalogue.texts.formatting import in_points, of_hundred
from simulator.batches.service import request_batch
from simulator.models import Batch
from simulator.statistics import intervals
from simulator.statistics.variance_shares import DECIDED, OPEN, Response
from tests.catalogue.claim_world import a_claim, judge
from tests.catalogue.page_world import GAMES, CatalogueTestCase, finish, played_batch
from tests.catalogue.planted_bars import GAME, PERFECT, RANDOM, bar, read, sides

NEVER = bar("other", *sides("a", "b", 0.0))
SUMMARY = {"players": "random,random", "games": 100, "combinations": 8}
PLAYED = {"players": "random,random", "players_by_name": "random", "base": "n-one", "until": "round"}


def test_a_difference_is_told_without_its_sign() -> None:
    found = intervals.newcombe(intervals.wilson(0.5, 1000), intervals.wilson(0.9, 1000))
    assert in_points(found) == "40.0 percentage points (36.3 to 43.5)"


def test_sides_that_swap_their_seats_are_the_same_sides() -> None:
    """Who makes rows wins as often under both: nothing is found, though the seats change places."""
    portal, ludii = bar("portal", *sides("aligner", "blocker", 0.95)), bar("ludii", *sides("blocker", "aligner", 0.05))
    assert compared(Game(name="Niranchy", slug="niranchy"), Played([portal, ludii]), RANDOM) is None


def test_who_wins_is_no_finding_of_sides_of_other_names() -> None:
    """Who aligns wins under every reading: that the first player does under one only says that the blocker begins."""
    plain = bar("one", ("won-0", "won by the first player", 1.0), ("won-1", "won by the second player", 0.0))
    other = bar("other", *sides("blocker", "aligner", 0.0))
    assert compared(GAME, Played([plain, other]), RANDOM) is None
    unfinished = bar("other", *sides("blocker", "aligner", 0.0)[:1], ("open", "endless or unfinished", 0.3))
    found = compared(GAME, Played([bar("one", ("open", "endless or unfinished", 0.0)), unfinished]), RANDOM)
    assert found is not None
    assert found.size == pytest.approx((0.3, 0.294, 0.306), abs=0.001)
    assert found.games == 20_000
    both = "under one and 30.0 % (29.4 to 30.6) under other."
    assert found.sentence == f"0 % (0 to 0.019) of games are endless {both}"
    assert [(one.measure, one.interval.value) for one in found.shares] == [("open", 0.0), ("open", 0.3)]


def test_readings_of_few_kinds_are_no_finding() -> None:
    """100 % of 93 games of two kinds against none of 93 of another search that varies: it tells of that search."""
    ludii = bar("Ludii", *sides("a", "b", 0.0), games=93, different=93)
    few, many = (bar("Parker", *sides("a", "b", 1.0), games=93, different=kinds) for kinds in (2, 60))
    assert compared(GAME, Played([few, ludii]), RANDOM) is None
    found = compared(GAME, Played([many, ludii]), RANDOM)
    assert found is not None
    assert found.counted_games == "93 games each · Parker: 60 different · Ludii: 93 different"


def test_no_finding_stands_over_bars_that_look_alike() -> None:
    """Kotu ellima: surely 3.8 points apart, which the figures say, and the eye does not see in two bars."""
    near, far = (
        compared(GAME, Played([bar("one", *sides("a", "b", 0.5)), bar("other", *sides("a", "b", share))]), RANDOM)
        for share in (0.54, 0.6)
    )
    assert near
    assert far
    assert near.bars == ()
    assert [one.row.name for one in far.bars] == ["one", "other"]


def test_a_figure_says_that_its_readings_hardly_differ() -> None:
    """Two bars that look alike, under a line that names something else for each of them."""
    near, far = (
        OutcomeFigure((bar("one", *sides("a", "b", 0.5)), bar("other", *sides("a", "b", share)))).finding
        for share in (0.535, 0.6)
    )
    assert near.startswith("The readings hardly differ: under one ")
    assert far.startswith("Under one ")


def test_texts_of_a_record_are_kept_apart_from_a_programme() -> None:
    """A programme lies farthest off; between the quotation and its paraphrase are 20 points."""
    bars = [read(slug, *sides("a", "b", share), games=20_000) for slug, share in (("p", 0.5), ("d", 0.7), ("l", 0.1))]
    of_all = compared(GAME, Played(bars), RANDOM)
    of_texts = paraphrased(GAME, Played(bars), RANDOM, {"p": "parker", "d": "dlp"})
    assert of_all
    assert of_texts
    assert (of_all.points, of_texts.points) == ("60", "20")
    assert [one.row.slug for one in of_texts.bars] == ["p", "d"]
    assert paraphrased(GAME, Played(bars), RANDOM, {"p": "parker"}) is None  # nothing was paraphrased
    assert paraphrased(GAME, Played([bars[0], bars[2]]), RANDOM, {"p": "parker", "d": "dlp"}) is None  # nor played


def test_what_is_surely_large_stands_before_what_may_be_larger() -> None:
    """70 points of 20 games are surely 38; 50 of 20,000 surely 49."""
    twenty = [bar(name, *sides("a", "b", share), games=20, different=20) for name, share in (("one", 0.9), ("x", 0.2))]
    few = compared(GAME, Played(twenty), RANDOM)
    many = compared(GAME, Played([bar("one", *sides("a", "b", 0.7)), bar("x", *sides("a", "b", 0.2))]), RANDOM)
    assert few
    assert many
    assert (few.points, many.points) == ("70", "50")
    assert few.surely < many.surely
    assert few.how_sure == f"Of this gap {few.at_least} are sure; the rest may be chance."
    assert many.how_sure == ""


def test_what_is_not_surely_beyond_the_margin_is_no_finding() -> None:
    game = Game(name="N", slug="n")
    close = [bar("one", *sides("a", "b", 0.50)), bar("other", *sides("a", "b", 0.525))]
    assert compared(game, Played(close), RANDOM) is None
    assert compared(game, Played([close[0], bar("other", *sides("a", "b", 0.56))]), RANDOM) is not None


def a_study(*shares: float, key: str = DECIDED, kinds: int | None = None, **changes: Any) -> Any:
    """A study of one question, with 10,000 games of each of its answers."""
    names = ("Lines win.", "Blocks win.", "Both do.")[: len(shares)]
    question = {"slug": "q", "title": "Who wins?", "answers": [
        {"slug": name[0], "text": name, "weight": 1.0, "of_base": False} for name in names]}  # fmt: skip
    cells = [
        {"answers": [name[0]], "kinds": kinds, "weight": 1 / len(shares), "figures": {
            one: {"mean": value, "error": sqrt(value * (1 - value) / 10_000)}
            for one, value in (("won_0", 0.0 if key == OPEN else share), ("draw", 0.0),
                               ("open", share if key == OPEN else 0.0))}}
        for name, share in zip(names, shares, strict=True)
    ]  # fmt: skip
    terms = {**PLAYED, "games": 10_000, "cap": 2_000, "confidence": 0.95, "complete": True, "bootstrap_seed": 1}
    given = {**terms, "questions": [question], "cells": cells, **changes}
    won = Response("won_0", "Won by the first player", "share")
    document = with_figures(given, [won, Response("draw", "", "share"), Response("open", "", "share")])
    return SimpleNamespace(pk="s", game=GAME, document=document, summary=SUMMARY, get_absolute_url=lambda: "/s/")


def test_a_study_tells_the_answers_that_lie_farthest_apart() -> None:
    found = sensitivity_finding(a_study(0.95, 0.06))
    assert found is not None
    assert found.size is not None
    assert found.size.value == pytest.approx(0.89)
    assert found.level == "random"
    assert found.sentence == (
        "Between random players 6.00 % (5.53 to 6.47) of first rounds that did not end equal left the first player "
        "with more if the answer is “Blocks win”, and 95.00 % (94.57 to 95.43) if the answer is “Lines win”, on "
        "average over all 2 combinations with the other answers, 10,000 first rounds of each."
    )
    assert found.headline == f"{GAME.name}: the question that matters most between random players. Who wins?"
    assert found.plain.startswith("Who wins? Between random players 6 of 100 first rounds")
    shares = [(one.ruleset, one.answer, one.measure, one.games, one.interval.value) for one in found.shares]
    assert shares == [("n-one", "B", DECIDED, 10_000, 0.06), ("n-one", "L", DECIDED, 10_000, 0.95)]
    assert (found.looked_at, found.study, found.question) == (3, "s", f"{GAME.slug}/q")
    assert (found.games, found.counted_games) == (200, "200 first rounds")
    whole = sensitivity_finding(a_study(0.95, 0.06, until="game"))
    assert whole is not None
    assert "6.00 % (5.53 to 6.47) of games that somebody won are won by the first player if" in whole.sentence


def test_that_a_question_matters_most_has_to_be_shown() -> None:
    """A second question that matters as much: of neither is it shown that it is the first."""
    study = a_study(0.95, 0.06)
    for outcome in study.document["outcomes"]:
        outcome["leads"] = False
    found = sensitivity_finding(study)
    assert found is not None
    assert "a question that surely matters between random players." in found.headline


@pytest.mark.parametrize("players", ["club", "strong,random"])
def test_one_thinking_player_makes_no_finding(players: str) -> None:
    assert sensitivity_finding(a_study(0.95, 0.06, players=players)) is None
    assert sensitivity_finding(a_study(0.95, 0.06, players="greedy")) is not None


def test_games_that_are_not_over_are_named_as_such() -> None:
    found = sensitivity_finding(a_study(0.45, 0.06, key=OPEN, until="game"))
    assert found is not None
    assert "of games are endless or unfinished if the answer is “Blocks win”" in found.sentence


@pytest.mark.parametrize(("second", "is_found"), [(0.53, False), (0.60, True)])
def test_answers_close_together_are_no_finding(second: float, is_found: bool) -> None:
    """Three hundredths apart, give or take one and a half: more than nothing, and not surely two."""
    assert (sensitivity_finding(a_study(0.50, second)) is not None) == is_found


@pytest.mark.parametrize(("kinds", "is_found"), [(24, False), (25, True), (None, True)])
def test_few_kinds_of_games_are_no_finding(kinds: int | None, is_found: bool) -> None:
    """Fewer than fifty of both answers together say what one machine does."""
    found = sensitivity_finding(a_study(0.95, 0.06, kinds=kinds))
    assert (found is not None) == is_found
    assert not found or not kinds or found.counted_games == "200 first rounds · 50 different first rounds"


def test_a_solved_game_is_told_with_the_share_by_chance() -> None:
    solved = bar("ludovisi", ("won-1", "won by the herd (second player)", 1.0), games=0)
    found = proved(Game(name="Hat", slug="h"), [solved], PERFECT, {"": bar("ludovisi", *sides("hunter", "herd", 0.75))})
    assert found is not None
    assert found.size == pytest.approx((0.75, 0.744, 0.756), abs=0.001)
    assert found.headline == "Hat: with faultless play the herd (second player) wins"
    assert found.sentence.endswith("to the proved result under ludovisi in 25.0 % (24.4 to 25.6) of games.")
    assert [(one.ruleset, one.measure) for one in found.shares] == [("", "won_1")]


def test_the_least_of_several_proved_results_is_picked() -> None:
    """By chance 25 % under one and 40 % under the other: what is picked of two is less sure than the one alone."""
    solved = [read(slug, ("won-1", "won by the herd (second player)", 1.0), games=0) for slug in "xy"]
    random = {
        slug: read(slug, *sides("hunter", "herd", share), games=20_000) for slug, share in (("x", 0.75), ("y", 0.6))
    }
    found = proved(GAME, solved, PERFECT, random)
    assert found is not None
    assert found.size == pytest.approx((0.75, 0.743, 0.757), abs=0.0005)
    assert found.looked_at == 2
    assert "to the proved result least often under x: in 25.0 % (24.4 to 25.6) of games." in found.sentence


def test_a_headline_says_how_two_readings_differ() -> None:
    """Daramuti: most games are unfinished under both, 61 and 96 of 100. The line over them has to say what differs."""
    bars = []
    for slug, share in (("book", 0.61), ("summary", 0.96)):
        found = read(slug, *sides("a", "b", 1 - share)[:1], ("open", "endless or unfinished", share), games=20_000)
        assert found.outcomes
        bars.append(replace(found, outcomes=replace(found.outcomes, unfinished=share)))
    difference = compared(GAME, Played(bars, looked_at=12), replace(RANDOM, players="random players"))
    assert difference is not None
    stopped = "games have not ended after 2,000 turns"
    assert difference.headline == f"{GAME.name}: between random players more {stopped} under summary than under book"
    assert difference.plain == f"Between random players 61 of 100 {stopped} under book, and 96 of 100 under summary."
    assert difference.looked_at == 12


def won(first: int, second: int) -> tuple[tuple[int, int, int], ...]:
    """So many games won by either player, no two of a kind."""
    return tuple((10 + place, 0, 1 + (place >= first)) for place in range(first + second))


def played(reading: str, games: tuple[tuple[int, int, int], ...], **terms: Any) -> None:
    """A batch of these games that comes with the catalogue."""
    finish(request_batch(reading, announce=False, games=len(games), origin=Batch.Origin.DEMO, **terms), games)


def test_games_that_never_end_are_told_from_stopped_ones() -> None:
    """Walak-pussa: none of 2,400 games is over under one reading, 896 of which no rule could have ended."""
    never = read("summary", ("open", "endless or unfinished", 1.0), games=2_400)
    few = read("program", ("open", "endless or unfinished", 0.1), games=2_400)
    assert never.outcomes
    never = replace(never, outcomes=replace(never.outcomes, unfinished=1504 / 2400))
    found = compared(GAME, Played([never, few]), RANDOM)
    assert found is not None
    both = "37.3 % (35.4 to 39.3) under summary, 10.0 % (8.9 to 11.3) under program"
    assert found.sentence.endswith(f"Endless: {both}; the others were stopped.")


def test_one_ruleset_of_two_games_is_said_to_be_one() -> None:
    """Puhulmutu and Daramuti are one game as it is retold today: of their findings one rests on the other's games."""
    games = {number: Game(pk=number, name=name, slug=name.lower()) for number, name in ((1, "Puhul"), (2, "Dara"))}
    shared, own = bar("summary", *sides("a", "b", 0.9)), bar("book", *sides("a", "b", 0.2))
    found = compared(games[1], Played([shared, own]), RANDOM)
    assert found is not None
    levels = [(RANDOM, {1: (shared, own), 2: (shared,)})]
    [told] = with_games_shared([found], levels, games)
    assert told.sentence == f"{found.sentence} Under summary its games are those of Dara too."
    assert [*with_games_shared([found], [(RANDOM, {1: (shared, own)})], games)] == [found]


def test_ten_findings_one_a_game_each_smaller_than_the_last() -> None:
    games = [Game(pk=number, name=f"{number}", slug=f"{number}") for number in range(12)]
    ranked = []
    for place in range(24):  # two of each game, from the largest down
        found = compared(games[place % 12], Played([bar("one", *sides("a", "b", 0.95 - place / 40)), NEVER]), RANDOM)
        assert found is not None
        ranked.append(found)
    shown = one_a_game(ranked)
    assert [one.game for one in shown] == games[:10]
    least = [int(one.at_least.split()[0]) for one in shown]
    assert least == sorted(least, reverse=True)
    assert shown[0].plain == "95 of 100 games are won by the a under one, and none of 100 under other."


@pytest.mark.parametrize(
    ("share", "said"),
    [(0.0, "none of 100"), (0.002, "fewer than 1 of 100"), (0.957, "96 of 100"), (0.998, "more than 99 of 100")],
)
def test_a_share_is_said_in_whole_games(share: float, said: str) -> None:
    assert of_hundred(share) == said


class Page(CatalogueTestCase):
    def shown(self) -> BeautifulSoup:
        """Without what its words mean, which stands beside them."""
        page = BeautifulSoup(self.client.get("/findings/").content, "lxml")
        for meaning in page.select(".meaning"):
            meaning.decompose()
        return page

    @pytest.mark.by_turns
    def test_a_new_batch_is_a_new_finding(self) -> None:
        shipped = findings().ranked
        assert {one.kind for one in shipped} == {"proved"}  # solutions that come with the catalogue
        for reading, games in (("daramuti-parker", GAMES[:5] * 80), ("daramuti-ludii", GAMES[5:7] * 200)):
            played(reading, games)
        shown = [" ".join(one.get_text().split()) for one in self.shown().select(".finding")]
        assert len(shown) == 1 + len(shipped)
        said = (
            "Between random players 100 of 100 games are won by the first player under Parker 1909, "
            "and none of 100 under the Ludii program."
        )
        assert shown[0].startswith(f"Daramuti compared {said} 100.0 percentage points (")
        assert "are sure" not in shown[0]  # 98 of 100 are
        assert "100 % (99.0 to 100) of games are won by the first player under Parker 1909 and 0 %" in shown[0]

    @pytest.mark.by_turns
    def test_games_of_reference_have_none(self) -> None:
        before = {one.sentence for one in findings().ranked}
        for slug in ("kalah-reference", "oware-reference"):
            played(slug, GAMES[:5] * 80)
        assert {one.sentence for one in findings().ranked} == before

    @pytest.mark.by_turns
    def test_better_players_stand_before_larger_random_figures(self) -> None:
        """Greedy games of Daramuti lie 60 points apart, random ones 100: those who choose their moves come first."""
        far, near = (won(400, 0), won(0, 400)), (won(400, 0), won(160, 240))
        for players, both in (("random", far), ("greedy", near)):
            for reading, games in zip(("daramuti-parker", "daramuti-ludii"), both, strict=True):
                played(reading, games, players=players)
        found = findings()
        compared = [(one.level, one.points) for one in (*found.ranked, *found.others) if one.game.slug == "daramuti"]
        assert compared == [("greedy", "60"), ("random", "100")]
        assert [(other.level, other.kind) for other in found.others] == [("random", "compared")]
        assert {level.key for level, _ in found.first_shown.values()} == {"greedy"}
        heading = self.shown().select_one("#others")
        assert heading is not None
        others = heading.find_next("ol")
        assert others is not None
        assert "100 % (99.0 to 100) of games are won by the first player under Parker 1909" in others.get_text()

    @pytest.mark.by_turns
    def test_twelve_games_of_better_players_do_not_come_first(self) -> None:
        few, many = (won(10, 0), won(0, 10)), (won(400, 0), won(0, 400))
        for players, both in (("random", many), ("greedy", few)):
            for reading, games in zip(("daramuti-parker", "daramuti-ludii"), both, strict=True):
                played(reading, games, players=players)
        found = findings()
        assert {level.key for level, _ in found.first_shown.values()} == {"random"}
        assert [one.level for one in found.ranked if one.kind == "compared"] == ["random"]
        assert [(other.level, other.points) for other in found.others] == [("greedy", "100")]

    def test_findings_are_gathered_once_for_each_state_of_the_rows(self) -> None:
        """By whichever process comes first: the others read the row. Names and players are part of the state."""
        made = findings()
        with mock.patch.object(kept, "gather", return_value="another") as gather:
            assert findings() is made
            kept._known = None  # as in another process
            assert findings() == made
            request_batch("daramuti-dlp", announce=False)  # what is not done yet is in no finding
            assert findings() == made
            assert not gather.called
            with mock.patch.object(kept, "PLAYERS_VERSION", kept.PLAYERS_VERSION + 1):
                assert findings() == "another"
            assert gather.call_count == 1
            Game.objects.filter(slug="daramuti").update(name="Daramutti")
            assert findings() == "another"
            assert gather.call_count == 2

    def test_a_worker_gathers_findings_when_nothing_runs(self) -> None:
        with mock.patch.object(kept, "findings") as gathered:
            running = request_batch("daramuti-dlp", announce=False)
            gather_findings()
            assert not gathered.called
            finish(running)
            gather_findings()
            assert gathered.called

    @pytest.mark.by_turns
    def test_the_comparison_of_the_level_that_is_shown_is_led_to(self) -> None:
        names = ["daramuti-parker", "daramuti-dlp", "daramuti-ludii"]
        made = {}
        better = self.enterContext(mock.patch("catalogue.outcomes.played.shown_better"))
        better.side_effect = lambda hashes: {key: {"greedy": True} for key in hashes}
        several = tuple((10 + place, 0, 1 + place % 2) for place in range(64))  # no two are of a kind
        for players in ("greedy", "random"):  # what is random is newer, and greedy players are shown first
            for reading in names:
                played(reading, several, players=players)
            made[players] = COMPARISONS.request(check_comparison(names, games=64, players=players), announce=False)
        Comparison.objects.update(state=Comparison.State.DONE)
        for page in ("/games/daramuti/", "/evidence/DLP.Evidence.692/"):
            assert made["greedy"].get_absolute_url() in self.page(page), page
        shown = self.page("/games/daramuti/?level=random")
        assert made["random"].get_absolute_url() in shown
        assert made["greedy"].get_absolute_url() not in shown

    @pytest.mark.by_turns
    def test_readings_that_play_alike_are_named(self) -> None:
        played_batch("daramuti-dlp")
        assert [game.name for game in findings().alike] == ["Daramuti"]
        assert (
            "No result is shown to be more or less frequent under one reading than under another"
            in self.shown().get_text()
        )


class Api(CatalogueTestCase):
    def asked(self, query: str = "") -> dict[str, Any]:
        answer = self.client.get(f"/api/v1/findings/{query}")
        assert answer.status_code == 200, answer.content
        found: dict[str, Any] = answer.json()
        return found

    @pytest.mark.thorough
    def test_findings_are_ranked_and_lead_to_their_games(self) -> None:
        names = ("daramuti-parker", "daramuti-dlp")
        for reading, games in zip(names, (GAMES[:5] * 80, GAMES[5:7] * 200), strict=True):
            played(reading, games)
        comparison = COMPARISONS.request(check_comparison(names, games=400), announce=False)
        assert COMPARISONS.conclude(comparison)
        (found,) = self.asked("?game=daramuti&level=random")["results"]
        assert (found["kind"], found["rank"], found["games"]) == ("paraphrased", 1, 400)
        # Newcombe's limits of 400 of 400 less 0 of 400 at 1 − 5 % / 3, for three outcomes are looked at: z = 2.394.
        assert (round(found["value"], 3), round(found["low"], 3), round(found["high"], 3)) == (1.0, 0.98, 1.0)
        batches = {compared.batch_id for compared in comparison.compared.all()}
        assert set(found["batches"]) == batches
        pages = {one["text"]: one["page"] for one in found["links"]}
        assert pages["The comparison"] == f"http://testserver/comparisons/{comparison.id}/"
        assert pages["The words"] == "http://testserver/evidence/DLP.Evidence.692/"
        assert all(self.client.get(page).status_code == 200 for page in pages.values())

    def test_workers_gather_them_without_loading_the_pages(self) -> None:
        """Whose addresses would bring all views and the API into each process that plays."""
        judge(a_claim("niranchy", "short-game"), columns={"turns": 5})
        judge(a_claim("kotu-baendum", "all-four-ends-tied"), columns={})  # by a witness
        with override_settings(ROOT_URLCONF=()):
            found = gather()
        seen = dict(filter(None, (one.see for one in found.claims)))
        assert {"See the game", "See the games"} <= seen.keys()
        assert {self.client.get(address).status_code for address in seen.values()} == {200}

    def test_claims_and_idle_questions_come_last_without_a_size(self) -> None:
        found = self.asked("?page_size=100")
        assert [one["rank"] for one in found["results"]] == list(range(1, found["count"] + 1))
        kinds = [one["kind"] for one in found["results"]]
        assert kinds == sorted(kinds, key=["proved", "judged", "idle"].index)
        idle = [one for one in found["results"] if one["kind"] == "idle"]
        assert {one["game"]["slug"] for one in idle} == {"dam", "hat-diviyan-keliya", "kotu-baendum", "niranchy"}
        assert all(one["value"] is None for one in idle)
        played = [one for one in idle if one["games"]]
        assert all("2,000 games of random players are the same" in one["sentence"] for one in played)
        assert all("random games do not tell its answers apart" in one["headline"] for one in played)
        (hat,) = (one for one in idle if one["game"]["slug"] == "hat-diviyan-keliya")
        assert "it can change nothing. What if no leopard can move?" in hat["headline"]
        assert hat["sentence"].startswith("Wherever the tiger stands, the other nine points hang together")
        assert self.asked("?kind=idle&game=dam&page_size=1")["count"] == 2

    @pytest.mark.by_turns
    def test_a_claim_has_the_level_of_those_who_judged_it(self) -> None:
        judge(a_claim("niranchy", "short-game"), columns={"turns": 5})  # by random players, greedy and club ones
        judge(a_claim("kotu-baendum", "all-four-ends-tied"), columns={})
        judge(a_claim("saturankam", "both-as-easily-as-one"), columns={})  # by all throws, and so on no level
        rows = self.asked("?kind=judged&level=random")["results"]
        assert [row["headline"] for row in rows] == ["Kotu Baendum: All four end holes may become tied – supported"]
        (row,) = self.asked("?kind=judged&game=saturankam")["results"]
        assert (row["level"] or "", row["games"]) == ("", None)
        assert self.asked("?kind=judged&level=greedy")["count"] == 0

    @pytest.mark.by_turns
    def test_a_claim_has_the_level_that_its_tests_name(self) -> None:
        claim = a_claim("hat-diviyan-keliya", "little-chance-while-laying")
        claim.tests = [test for test in claim.tests if test["players"] == "club"]  # of each of three readings
        claim.save()
        verdicts = judge(claim, columns={"first_capture_ended": 1, "first_capture_turns": 40, "turns": 40})
        assert {verdict.players[:4] for verdict in verdicts} == {"uct:"}
        (row,) = self.asked("?kind=judged&level=club")["results"]
        assert row["headline"].startswith("Hat Diviyan Keliya: Before all seven are laid")

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
