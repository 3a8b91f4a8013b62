"""Ladders: what is asked for, how games are counted for a side, and what is said of them."""

import io
import json
import lzma
from itertools import pairwise
from math import log10
from typing import Any
from unittest import mock

import numpy as np
import pytest
from django.core.management import call_command
from django.test import TestCase

from simulator import rulesets
from simulator.analyses import ladders
from simulator.analyses.ladder_matches import check_ladder, doubling, least_cap, score_of
from simulator.batches import levels
from simulator.engine.ends import DRAW, ENDLESS, UNFINISHED, WIN
from simulator.engine.family import family
from simulator.engine.players.names import sides_of
from simulator.engine.tally import tally_rows
from simulator.management.command_line import WrongUsage
from simulator.models import Batch, Ladder
from simulator.problems import WrongRequest
from simulator.statistics.intervals import share
from simulator.strength import beating
from tests.services.machine import ROOT
from tests.simulator.ladder_world import Games, climbed

EDITION = ROOT / "fixtures" / "edition"
NIRANCHY, FOUR, TEAMS = "niranchy-ludovisi", "sokkattan-dlp", "pahada-keliya-dlp"


class RequestTests(TestCase):
    def wrong(self, *args: Any, **wanted: Any) -> str:
        with pytest.raises(WrongRequest) as refused:
            check_ladder(*args, **wanted)
        return str(refused.value)

    def test_rungs_play_the_one_below_and_the_highest_the_lowest(self) -> None:
        found = check_ladder(NIRANCHY, doubling(most=64), games=100)
        assert found.rungs == ("random", "uct:16", "uct:32", "uct:64")
        assert [(match.stronger, match.weaker) for match in found.matches] == [(1, 0), (2, 1), (3, 2), (3, 0)]
        first = found.matches[0].requests
        assert [one.players for one in first] == [("uct:16", "random"), ("random", "uct:16")]
        assert {one.games for one in first} == {50}
        assert found.luck is None
        assert len(found.requests) == 8
        assert doubling("alpha_beta", 3) == ("random", "alpha_beta:1", "alpha_beta:2", "alpha_beta:3")

    def test_in_a_race_of_four_the_stronger_has_each_seat_in_turn(self) -> None:
        found = check_ladder(FOUR, ("random", "uct:16"), games=100)
        seats = family(found.ruleset.family).seats(found.ruleset.parameters)
        assert len(found.matches) == 1
        lines = [request.players for request in found.matches[0].requests]
        assert len(lines) == seats
        for seat, line in enumerate(lines):
            assert [name == "uct:16" for name in line] == [place == seat for place in range(seats)]
        assert found.luck is not None
        assert set(found.luck.players) == {"random"}

    def test_partners_are_one_side(self) -> None:
        found = check_ladder(TEAMS, ("random", "uct:16"), games=100)
        assert sides_of(found.ruleset) == ((0, 2), (1, 3))
        assert [request.players for request in found.matches[0].requests] == [
            ("uct:16", "random", "uct:16", "random"),
            ("random", "uct:16", "random", "uct:16"),
        ]

    def test_the_same_request_is_the_same_ladder(self) -> None:
        one = check_ladder(NIRANCHY, ("random", "uct:16"))
        assert one.id == check_ladder(f"{NIRANCHY}@1", ("random", "uct:16/200")).id
        assert one.id != check_ladder(NIRANCHY, ("random", "uct:16"), seed=2).id

    def test_what_is_wrong_is_named_with_the_nearest_that_is_not(self) -> None:
        assert "no player is called 'ucct:16'; the nearest is 'uct:1" in self.wrong(NIRANCHY, ("random", "ucct:16"))
        assert "uct:16 stands twice on the ladder" in self.wrong(NIRANCHY, ("uct:16", "uct:16/200"))
        assert "a ladder has from 2 to 16 rungs, not 1" in self.wrong(NIRANCHY, ("random",))
        shown = self.wrong(NIRANCHY, ("random", "uct:16"), games=33)
        assert "games: must be a multiple of 2" in shown
        assert "(nearest valid value: 32)" in shown
        assert "nearest valid value: 1" in self.wrong(NIRANCHY, ("random", "uct:16"), games=0, seed=-1)
        assert "where lots are thrown" in self.wrong(FOUR, ("random", "alpha_beta:2"))
        assert "no ruleset is called" in self.wrong("niranchy-ludovis", ("random", "uct:16"))
        assert "have no rounds" in self.wrong(NIRANCHY, ("random", "uct:16"), until="round")
        for search, most, nearest in (("uct", 8, 16), ("alpha_beta", 99, 12), ("greedy", 8, '"uct"')):
            with pytest.raises(WrongRequest, match=f"nearest valid value: {nearest}"):
                doubling(search, most)

    def test_cap_is_four_medians_of_random_play(self) -> None:
        # fixtures/player_prices.json: the median of random games is 739 turns (729 to 747), and none was stopped.
        assert least_cap(rulesets.find("diviyan-keliya-dlp")) == 4 * 747
        assert check_ladder("diviyan-keliya-dlp", ("random", "uct:16")).content["cap"] == 4 * 747
        assert check_ladder(NIRANCHY, ("random", "uct:16")).content["cap"] == 2000
        assert check_ladder("diviyan-keliya-dlp", ("random", "uct:16"), cap=300).content["cap"] == 300
        # Of games that were stopped nobody knows the length.
        assert least_cap(rulesets.find("kotu-baendum-parker")) == 0

    @pytest.mark.by_turns
    def test_median_lengths_are_those_of_the_shipped_games(self) -> None:
        """The price list has them of 2,000 games; the edition has ten times as many, whose median lies below."""
        parts = json.loads((EDITION / "index.json").read_text(encoding="utf-8"))["parts"]
        seen = 0
        for part in parts:
            name, _, level = part["name"].partition(" ")
            if part["kind"] != "batches" or level != "random" or not (cap := least_cap(rulesets.find(name))):
                continue
            batch = json.loads(lzma.decompress((EDITION / "batches" / f"{part['id']}.json.xz").read_bytes()))
            by_end = [np.array(values) for values in batch["tally"]["histograms"]["turns"].values()]
            assert cap >= 4 * np.median(np.repeat(*np.concatenate(by_end, axis=1))), name
            seen += 1
        assert seen > 20


class FigureTests(TestCase):
    def test_points_of_a_side(self) -> None:
        measures = family("race").measures
        rows = np.zeros((10, len(measures)), dtype=np.int32)
        # Won by seat 0 twice, by seats 0 and 2 once, by seat 3 three times; two draws, one endless, one stopped.
        games = [(WIN, 1)] * 2 + [(WIN, 5)] + [(WIN, 8)] * 3 + [(DRAW, 0)] * 2 + [(ENDLESS, 0), (UNFINISHED, 0)]
        rows[:, :2] = games
        tally = tally_rows(rows, measures)
        alone = score_of(tally, ((0,), (1,), (2,), (3,)), 0)
        assert (alone.won, alone.lost, alone.nobody, alone.unfinished) == (2.5, 3.5, 3, 1)
        assert alone.points == 2.5 + 4 / 4
        partners = score_of(tally, ((0, 2), (1, 3)), 0)
        assert (partners.won, partners.lost) == (3, 3)
        assert partners.points == 3 + 4 / 2
        figure = partners.share()
        # The stopped game is a half in the figure; lost in the lower limit, and won in the upper.
        assert figure == (0.5, share(4.5, 10).low, share(5.5, 10).high)

    def shown(self, games: Games, name: str) -> dict[str, Any]:
        document: dict[str, Any] | None = climbed(name, games).document
        assert document
        return document

    def test_seats_exchanged(self) -> None:
        shown = self.shown(
            {
                ("uct:16", "random"): [(WIN, 1)] * 18 + [(DRAW, 0)] * 2,
                ("random", "uct:16"): [(WIN, 2)] * 9 + [(WIN, 1)] * 11,
            },
            NIRANCHY,
        )
        (match,) = shown["matches"]
        assert (match["won"], match["lost"], match["nobody"], match["points"]) == (27, 11, 2, 28)
        assert match["share"]["value"] == pytest.approx(28 / 40)
        assert [seat["value"] for seat in match["seats"]] == pytest.approx([19 / 20, 9 / 20])
        # Points known to 27 points give no strength.
        assert [(row["elo"], row["text"]) for row in shown["strengths"]] == [(0.0, "0"), (None, "not given")]
        assert match["share"]["text"] == "70.0 % (54.6 to 81.9)"
        # By the same fit 28.5 of 41, and the limits of its log-odds, 0.824 with an error of 0.339.
        expected = "69.5 % (54.0 to 81.6)"
        assert shown["strengths"][1]["against_below"] == match["expected"]["text"] == expected
        assert shown["strengths"][1]["points"] == match["expected"]
        sentence = (
            f"is expected to make {expected} of the points against random play, where a side that plays no better"
        )
        assert sentence in shown["sentence"]

    def test_strengths_go_with_the_points_of_the_same_fit(self) -> None:
        line = ("uct:16", "random")
        won, lost = [(WIN, 1)] * 140 + [(WIN, 2)] * 60, [(WIN, 2)] * 140 + [(WIN, 1)] * 60
        shown = self.shown({line: won, line[::-1]: lost}, NIRANCHY)
        row = shown["strengths"][1]
        # Half a win more on both sides: 400 log10(280.5 / 120.5).
        assert row["elo"] == pytest.approx(146.78, abs=0.01)
        for elo, share_of_points in (("elo", "value"), ("low", "low"), ("high", "high")):
            assert row["points"][share_of_points] == pytest.approx(1 / (1 + 10 ** (-row[elo] / 400)))

    def test_stopped_games_give_no_strength(self) -> None:
        # As Pahada's first ladder had it: ten won, fifty stopped, and every game of the next rung stopped.
        won = [(WIN, 1)] * 10 + [(UNFINISHED, 0)] * 50
        games: Games = {("uct:16", "random"): won, ("random", "uct:16"): [(UNFINISHED, 0)] * 60}
        shown = self.shown(games, NIRANCHY)
        row, (match,) = shown["strengths"][1], shown["matches"]
        assert (row["elo"], row["low"], row["high"], row["text"]) == (None, None, None, "not given")
        # Ten of 120 won and 110 stopped: all lost, or all won.
        assert match["expected"]["low"] < 0.10
        assert match["expected"]["high"] > 0.99
        assert not beating.beats(match, shown["fair"])

    def test_a_stopped_game_is_no_observed_half(self) -> None:
        line = ("uct:16", "random")
        halves = {line: [(WIN, 1)] * 100 + [(DRAW, 0)] * 100, line[::-1]: [(WIN, 2)] * 100 + [(DRAW, 0)] * 100}
        stopped = {key: [(UNFINISHED, 0) if one == (DRAW, 0) else one for one in some] for key, some in halves.items()}
        drawn = self.shown(halves, NIRANCHY)["strengths"][1]
        Ladder.objects.all().delete()
        open_ = self.shown(stopped, NIRANCHY)["strengths"][1]
        assert drawn["points"]["value"] == open_["points"]["value"] == pytest.approx(0.75, abs=0.001)
        assert drawn["elo"] == pytest.approx(400 * log10(300.5 / 100.5))
        assert open_["elo"] is None
        assert open_["points"]["low"] < 0.5 < drawn["points"]["low"]

    def test_players_on_no_scale_have_no_strengths(self) -> None:
        # Each beats the one below by 3 to 1, and the lowest beats the highest.
        games: Games = {}
        for high, low, won in (("uct:16", "random", 90), ("uct:32", "uct:16", 90), ("uct:32", "random", 30)):
            games[high, low] = [(WIN, 1)] * won + [(WIN, 2)] * (120 - won)
            games[low, high] = [(WIN, 2)] * won + [(WIN, 1)] * (120 - won)
        ladder = climbed(NIRANCHY, games, ("random", "uct:16", "uct:32"), games=240)
        shown = ladder.document or {}
        assert shown["misfit"] < 0.01
        assert [row["elo"] for row in shown["strengths"]] == [None] * 3
        assert {match["expected"] for match in shown["matches"]} == {None}
        assert shown["strengths"][1]["against_below"] == shown["matches"][0]["share"]["text"]
        assert ladders.shown_ladder(rulesets.find(NIRANCHY), NIRANCHY).on_no_scale

    def test_games_of_few_kinds_conclude_nothing(self) -> None:
        games: Games = {("uct:32", "uct:16"): [(WIN, 1)] * 60, ("uct:16", "uct:32"): [(WIN, 2)] * 60}
        for different, few in ((20, True), (25, False)):
            shown = climbed(NIRANCHY, games, ("uct:16", "uct:32"), different=different).document or {}
            (match,) = shown["matches"]
            assert (match["kinds"], match["few"]) == (2 * different, few)
            assert beating.beats(match, shown["fair"]) is not few
            assert ("says nothing of other players" in shown["sentence"]) is few
            Ladder.objects.all().delete()
            Batch.objects.all().delete()

    def test_a_clean_sweep_leaves_next_to_no_chance(self) -> None:
        shown = self.shown({("uct:16", "random"): [(WIN, 1)] * 100, ("random", "uct:16"): [(WIN, 2)] * 100}, NIRANCHY)
        assert shown["sentence"].endswith("against random play, which leaves the other next to no chance.")

    def test_a_fair_share_among_four_is_a_quarter_and_no_strength(self) -> None:
        seats = 4
        games: Games = {}
        for seat in range(seats):
            line = tuple("uct:16" if place == seat else "random" for place in range(seats))
            games[line] = [(WIN, 1 << winner) for winner in range(seats)] * 200
        shown = self.shown(games, FOUR)
        assert shown["fair"] == 1 / seats
        assert shown["matches"][0]["share"]["value"] == pytest.approx(0.25)
        assert shown["strengths"][1]["elo"] == pytest.approx(0, abs=1)
        assert "there is next to nothing to be chosen well" in shown["sentence"]
        assert shown["luck"]["text"] == "40 % (30 to 50)"

    def test_ladder_of_the_levels_comes_before_later_ones(self) -> None:
        ruleset: Any = rulesets.find(NIRANCHY)
        games: Games = {("uct:16", "random"): [(WIN, 1)] * 2, ("random", "uct:16"): [(WIN, 2)] * 2}
        earlier = climbed(NIRANCHY, games)
        assert ladders.shown_ladder(ruleset, NIRANCHY).ladder == earlier
        of_the_scale = climbed(NIRANCHY, games, levels.LEVELS)
        later = climbed(NIRANCHY, games, ("random", "uct:32"))
        assert later.created > of_the_scale.created > earlier.created
        with self.assertNumQueries(2):
            assert ladders.shown_ladder(ruleset, NIRANCHY).ladder == of_the_scale
        of_the_scale.delete()
        assert ladders.shown_ladder(ruleset, NIRANCHY).ladder == later


class WithheldTests(TestCase):
    """Ladders whose figures are not to be used any more."""

    def setUp(self) -> None:
        self.ruleset: Any = rulesets.find(NIRANCHY)
        self.won: Games = {("uct:16", "random"): [(WIN, 1)] * 60, ("random", "uct:16"): [(WIN, 2)] * 60}

    def kept(self, **changed: Any) -> Ladder:
        ladder = climbed(NIRANCHY, self.won)
        Ladder.objects.filter(id=ladder.id).update(document={**(ladder.document or {}), **changed})
        return Ladder.objects.get()

    def test_of_players_that_are_no_longer_those_of_the_level(self) -> None:
        strengths = (self.kept().document or {})["strengths"]
        strengths[1]["level"] = "club"
        ladder = self.kept(strengths=strengths)
        assert ladders.why_withheld(self.ruleset, ladder.document or {}) == ladders.OTHER_PLAYERS
        assert ladders.as_read(self.ruleset, ladder.document or {})["withheld"] == ladders.OTHER_PLAYERS

    def test_of_an_earlier_release_the_level_stands_in_the_words(self) -> None:
        strengths = (self.kept().document or {})["strengths"]
        for row in strengths:
            del row["level"]
        assert not ladders.why_withheld(self.ruleset, self.kept(strengths=strengths).document or {})
        strengths[1]["words"] = "strong, Monte Carlo search, 16 iterations"
        ladder = self.kept(strengths=strengths)
        assert ladders.why_withheld(self.ruleset, ladder.document or {}) == ladders.OTHER_PLAYERS

    def test_of_an_earlier_release_with_stopped_games(self) -> None:
        matches = (self.kept().document or {})["matches"]
        assert not ladders.why_withheld(self.ruleset, self.kept(version=1).document or {})
        matches[0]["unfinished"] = 1
        ladder = self.kept(version=1, matches=matches)
        assert ladders.why_withheld(self.ruleset, ladder.document or {}) == ladders.HALVES

    def test_comes_after_those_that_are_not(self) -> None:
        old = climbed(NIRANCHY, self.won)
        new = climbed(NIRANCHY, self.won, ("random", "uct:32"))
        document = new.document or {}
        document["strengths"][1]["level"] = "club"
        Ladder.objects.filter(id=new.id).update(document=document)
        assert ladders.shown_ladder(self.ruleset, NIRANCHY).ladder == old


class ShownBetterTests(TestCase):
    """Which levels are shown to be better than the one below."""

    def setUp(self) -> None:
        self.ruleset: Any = rulesets.find(NIRANCHY)
        self.names = [levels.resolve_players(self.ruleset, level) for level in levels.LEVELS]

    def climbed(self, won: int, of: int = 60) -> Ladder:
        """A ladder of the levels in which each wins so many games of the one below, half of them in either seat."""
        games: Games = {}
        for high, low in pairwise(reversed(self.names)):
            for line, winner in (((high, low), 1), ((low, high), 2)):
                games[line] = [(WIN, winner)] * (won // 2) + [(WIN, 3 - winner)] * ((of - won) // 2)
        return climbed(NIRANCHY, games, levels.LEVELS, games=of)

    def shown(self) -> dict[str, bool | None]:
        with self.assertNumQueries(1):
            return ladders.shown_better([self.ruleset.hash])[self.ruleset.hash]

    def test_without_a_ladder_the_scale_says(self) -> None:
        assert self.shown() == {level: beating.by_the_scale(self.ruleset.hash, level) for level in levels.LEVELS[1:]}
        known = {"levels": {"greedy": {}, "club": {NIRANCHY: "close"}, "strong": None}}
        with mock.patch.object(beating, "_named", return_value=known):
            beating._by_content.cache_clear()
            assert self.shown() == {"greedy": True, "club": False, "strong": None}
        beating._by_content.cache_clear()

    def test_rules_that_do_not_ship_are_not_known(self) -> None:
        assert ladders.shown_better(["0" * 64]) == {"0" * 64: dict.fromkeys(levels.LEVELS[1:])}

    def test_newest_ladder_of_the_players_of_today_says(self) -> None:
        # Of 60 games 36 leave 47 to 72 %, of 120 games 76 leave 54 to 71 %.
        self.climbed(won=36)
        assert self.shown() == dict.fromkeys(levels.LEVELS[1:], False)
        self.climbed(won=76, of=120)
        assert self.shown() == dict.fromkeys(levels.LEVELS[1:], True)

    def test_games_of_few_kinds_show_nothing(self) -> None:
        ladder = self.climbed(won=60)
        document = ladder.document or {}
        assert self.shown()["strong"] is True
        document["matches"][2]["few"] = True
        Ladder.objects.filter(id=ladder.id).update(document=document)
        assert self.shown()["strong"] is False

    def test_ladder_of_other_players_says_nothing(self) -> None:
        games: Games = {("uct:16", "random"): [(WIN, 1)] * 30, ("random", "uct:16"): [(WIN, 1)] * 30}
        climbed(NIRANCHY, games)
        assert self.shown() == {level: beating.by_the_scale(self.ruleset.hash, level) for level in levels.LEVELS[1:]}


class CommandTests(TestCase):
    def shown(self, *words: str) -> str:
        out = io.StringIO()
        call_command("ladder", *words, stdout=out, stderr=io.StringIO())
        return out.getvalue()

    def test_a_short_ladder_played_here(self) -> None:
        words = (NIRANCHY, "--rungs", "random,greedy", "--games", "20", "--inline")
        shown = json.loads(self.shown(*words, "--json"))
        assert (shown["rungs"], shown["games"], shown["sides"], shown["luck"]) == (["random", "greedy"], 20, 2, None)
        assert shown["matches"][0]["games"] == 20
        assert Ladder.objects.get().document == shown
        assert "Greedy, one turn ahead, is expected to make " in self.shown(*words)
        command = (
            ladders.shown_ladder(rulesets.find(NIRANCHY), NIRANCHY).command.removeprefix("manage.py ladder ").split()
        )
        assert json.loads(self.shown(*command)) == shown

    def test_wrong_requests_are_refused_and_write_nothing(self) -> None:
        for words, shown in (
            (("niranchy-ludovis",), "no ruleset is called"),
            ((NIRANCHY, "--rungs", "random,uct"), "the nearest is"),
            ((NIRANCHY, "--most", "8"), "nearest valid value: 16"),
            ((NIRANCHY, "--most", "16", "--rungs", "random,greedy"), "either --rungs or --most"),
            ((NIRANCHY, "--games", "7"), "must be a multiple of 2"),
            ((NIRANCHY, "--search", "beta"), 'nearest valid value: "uct"'),
        ):
            with pytest.raises(WrongUsage, match=shown) as refused:
                self.shown(*words)
            assert refused.value.returncode == 2
        assert (Batch.objects.count(), Ladder.objects.count()) == (0, 0)
