"""The first line of a figure: who played, what is shown of it, and what other players come to."""

import csv
import io
from typing import Any
from unittest import mock
from xml.etree import ElementTree

import pytest

from catalogue.models.querysets import newest_versions
from catalogue.outcomes.figure import FigureRow, OutcomeFigure
from catalogue.outcomes.played import outcome_figure
from simulator import rulesets
from simulator.batches import levels
from simulator.batches.service import request_batch
from simulator.engine.ends import DRAW, UNFINISHED, WIN
from simulator.engine.family import family
from simulator.models import Batch, Solution
from tests.catalogue.page_world import CatalogueTestCase, finish

DARAMUTI, RACE, DIE = "daramuti-parker", "sokkattan-dlp", "pancha-keliya-complex-marin-dice"
Games = tuple[tuple[int, int, int], ...]


def games(first: int, second: int = 0, equal: int = 0, stopped: int = 0, kinds: int = 0) -> Games:
    """So many games won by each side, drawn and stopped, no two of one length; or of so many lengths."""
    ends = [(WIN, 1)] * first + [(WIN, 2)] * second + [(DRAW, 0)] * equal + [(UNFINISHED, 0)] * stopped
    return tuple((10 + place % (kinds or len(ends)), *end) for place, end in enumerate(ends))


def played(ruleset: str, players: str, found: Games, **terms: Any) -> Batch:
    origin = Batch.Origin.DEMO
    batch = request_batch(ruleset, announce=False, games=len(found), players=players, origin=origin, seed=7, **terms)
    batch.chunks.exclude(number=0).delete()  # the games of all chunks are given to the first
    finish(batch, found)
    return batch


class Headlines(CatalogueTestCase):
    def setUp(self) -> None:
        Batch.objects.all().delete()
        # Positions that come back are looked for in games that are played again, which takes seconds.
        self.enterContext(mock.patch("simulator.batches.finalize._repetition", return_value={}))

    def figure(self, level: str = "") -> OutcomeFigure:
        row = newest_versions([DARAMUTI])[DARAMUTI].ruleset
        return outcome_figure([FigureRow("Parker", "Parker", "Daramuti", "/", 0, row)], level)

    def headline(self, level: str = "") -> str:
        return self.figure(level).finding

    def better(self, *shown: str) -> None:
        """Let the scale say which levels are shown to be better than the one below."""
        known = {level: level in shown for level in levels.LEVELS[1:]}
        patched = self.enterContext(mock.patch("catalogue.outcomes.played.shown_better"))
        patched.side_effect = lambda hashes: dict.fromkeys(hashes, known)

    def test_it_names_the_players(self) -> None:
        self.better("greedy", "club", "strong")
        played(DARAMUTI, "greedy", games(80, 20))
        assert self.headline() == "Between greedy players the first player wins most games"
        played(DARAMUTI, "club", games(20, 80))
        assert self.headline() == "Between club players the second player wins most games"

    def test_a_level_not_shown_to_be_better_is_not_first(self) -> None:
        self.better("greedy", "strong")
        played(DARAMUTI, "greedy", games(80, 20))
        played(DARAMUTI, "club", games(20, 80))
        assert self.headline().startswith("Between greedy players the first player wins most games")

    def test_where_stronger_players_come_to_something_else_is_said(self) -> None:
        self.better("greedy", "club")
        played(DARAMUTI, "club", games(100))
        played(DARAMUTI, "strong", games(0, stopped=12))
        said = "Between club players the first player wins most games"
        assert self.headline() == f"{said}. Between strong players most games have not ended after 2,000 turns"
        assert self.headline(level="strong") == "Between strong players most games have not ended after 2,000 turns"

    def test_stronger_players_who_disagree_contradict_nothing(self) -> None:
        self.better("greedy")
        played(DARAMUTI, "greedy", games(100))
        played(DARAMUTI, "club", games(0, 100))
        said = "Between greedy players the first player wins most games"
        assert self.headline() == f"{said}. Between club players the second player wins most games"
        played(DARAMUTI, "club-second", games(100))
        assert self.headline() == said

    def test_what_stronger_players_do_not_show_contradicts_nothing(self) -> None:
        played(DARAMUTI, "club", games(100))
        played(DARAMUTI, "strong", games(5, 7))
        assert self.headline(level="club") == "Between club players the first player wins most games"

    def test_where_both_players_of_a_level_disagree_it_depends(self) -> None:
        self.better("greedy", "club")
        played(DARAMUTI, "club", games(80, 20))
        played(DARAMUTI, "club-second", games(20, 80))
        assert self.headline() == (
            "Between club players it depends on who plays: the first player wins most games, "
            "and between club players of the second kind the second player wins most games"
        )
        second = self.figure("club-second")
        assert [one.short for one in second.levels] == ["club", "club, second kind"]
        assert second.finding == "Between club players of the second kind the second player wins most games"

    def test_both_players_of_a_level_agreeing_is_nothing_to_tell(self) -> None:
        self.better("greedy", "club")
        for players in ("club", "club-second"):
            played(DARAMUTI, players, games(80, 20))
        assert self.headline() == "Between club players the first player wins most games"

    def test_a_second_player_alone_is_never_shown_first(self) -> None:
        self.better("greedy", "club")
        played(DARAMUTI, "random", games(80, 20))
        played(DARAMUTI, "club-second", games(20, 80))
        assert self.headline().startswith("Between random players")

    def test_games_of_few_kinds_make_no_headline(self) -> None:
        self.better("greedy", "club")
        played(DARAMUTI, "greedy", games(80, 20))
        played(DARAMUTI, "club", games(100, kinds=7))
        assert self.headline().startswith("Between greedy players")
        said = "Between club players nothing is concluded from only 7 different games"
        assert self.headline(level="club") == said
        assert "100 games · 7 of them different" in self.figure("club").foot

    def test_kinds_stand_beside_the_games_of_what_is_not_shown(self) -> None:
        played(DARAMUTI, "greedy", games(60, 50, kinds=40))
        assert (
            self.headline() == "Between greedy players no side is shown to be ahead (110 games, 80 of them different)"
        )

    @pytest.mark.by_turns
    def test_first_rounds_are_called_so_and_none_is_drawn(self) -> None:
        self.better("greedy", "club")
        played(DARAMUTI, "greedy", games(80, 20))
        played(DARAMUTI, "club", games(30, 10, equal=80), until="round")
        page = self.soup(f"/rulesets/{DARAMUTI}/")
        assert self.headline() == "Between club players most first rounds end equal"
        figure = page.select_one("#outcomes")
        said = " ".join(figure.get_text(" ").split())
        assert "Share of first rounds, per cent" in said
        assert "120 first rounds · 120 of them different" in said
        assert "Median length of the first round" in said
        assert "club first rounds" in said
        assert "greedy whole games" in said
        assert "First rounds that have not ended" in said
        assert "The first player owned more" in said
        assert "draw" not in said.lower()
        rows = list(csv.DictReader(io.StringIO(self.page(f"/rulesets/{DARAMUTI}/outcomes.csv"))))
        assert [row["outcome"] for row in rows] == [
            "the first player owned more", "the second player owned more", "ended equal", "endless or unfinished",
        ]  # fmt: skip
        assert {row["counted"] for row in rows} == {"first rounds"}
        drawing = " ".join(ElementTree.fromstring(self.page(f"/rulesets/{DARAMUTI}/outcomes.svg")).itertext())
        assert "Share of first rounds, per cent" in drawing
        assert "ended equal" in drawing
        assert "drawn" not in drawing

    @pytest.mark.by_turns
    def test_a_figure_of_both_says_which_bar_is_which(self) -> None:
        played(DARAMUTI, "random", games(80, 20))
        played(DARAMUTI, "greedy", games(80, 20))
        played("daramuti-dlp", "greedy", games(30, 10, equal=80), until="round")
        figure = self.soup("/games/daramuti/?level=greedy").select_one("#outcomes")
        said = " ".join(figure.get_text(" ").split())
        assert (
            "under Parker 1909 the first player wins most games; under today’s summary most first rounds end equal"
            in said
        )
        assert "Share of games or first rounds, per cent" in said
        assert "of Today’s summary the first round only" in said
        assert [bool(bar.select("small")) for bar in figure.select(".bars > li:not(.scale)")] == [False, True, False]
        assert "greedy whole games and first rounds" in said

    def test_what_no_rule_brings_about_cannot_happen(self) -> None:
        seats = family("race").seats(rulesets.find(RACE).parameters)
        played(RACE, "random", tuple((10 + place, WIN, 1 << place % seats) for place in range(80)))
        rows = {row["outcome"]: row for row in csv.DictReader(io.StringIO(self.page(f"/rulesets/{RACE}/outcomes.csv")))}
        assert (rows["drawn"]["possible"], rows["drawn"]["in_words"]) == ("no", "cannot happen")
        assert rows["endless or unfinished"]["possible"] == "yes"
        assert "drawn" not in self.page(f"/rulesets/{RACE}/outcomes.svg").partition("<desc>")[0]

    def test_shares_stand_among_all_games_and_among_those_that_ended(self) -> None:
        played(DARAMUTI, "random", games(45, 30, stopped=25))
        page = self.soup(f"/rulesets/{DARAMUTI}/")
        [cell, *_] = [one.get_text() for one in page.select("#numbers td")]
        assert cell.startswith("45.0 % (35.6 to 54.8); of those that ended 60.0 % (48.7 to 70.3)")
        # 45 of 75 that ended against 30, but all 25 that were stopped might have gone to the second player
        assert self.headline() == "Between random players no side is shown to be ahead (100 games)"

    @pytest.mark.by_turns
    def test_known_chances_stand_before_what_was_played(self) -> None:
        assert Solution.objects.get(ruleset_id=rulesets.find(DIE).hash).document["chances"]  # as it ships
        batch = played(DIE, "random", games(41, 52))
        played("pancha-keliya-complex-marin-pancha", "random", games(41, 52))
        solved = (
            "whoever throws first wins 51.20 % of games if both play as well as can be, 51.19 % if both play at random"
        )
        finding = self.client.get(f"/batches/{batch.id}/").content.decode()
        assert "no side is shown to be ahead (93 games)" in finding
        page = self.soup("/games/pancha-keliya-complex/").select_one(".finding")
        said = " ".join(page.find(string=True).split())
        assert said == (
            f"Solved: under “Marin’s board with a die” {solved}. "
            "Between random players, under “Marin’s board with the rules of Pancha keliya” no side is shown to be "
            "ahead (93 games)."
        )
