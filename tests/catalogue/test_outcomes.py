"""The figure beside the words: bars of every reading on one scale, levels of play, answers taken, other forms of it."""

import csv
import io
from typing import Any
from unittest import mock
from urllib.parse import parse_qs, urlsplit
from xml.etree import ElementTree

import pytest
from bs4 import BeautifulSoup, Tag
from django.test import override_settings

from catalogue.citations.items import LICENCE
from catalogue.outcomes import played
from catalogue.outcomes.bars import DRAW, LEFT, OPEN, SHARED, WIDTH, certain, outcome_drawing, outcomes_of
from catalogue.outcomes.figure import OutcomeFigure
from catalogue.outcomes.wording import finding, tendency
from catalogue.pages.figures import ShownFigure
from catalogue.texts.widths import width_of
from simulator import rulesets
from simulator.batches.levels import player_of
from simulator.batches.service import request_batch
from simulator.engine.family import family
from simulator.engine.players.wording import NOBODY
from simulator.models import Batch, Solution
from tests.catalogue.page_world import CatalogueTestCase, finish, nobody_hears, played_batch

DARAMUTI = "/evidence/DLP.Evidence.692/"
TAKEN = "daramuti-parker.last-counter-in-an-empty-hole"
TWO = {0: "first player", 1: "second player"}


def summary(won: list[int], win: int, draw: int = 0, endless: int = 0, unfinished: int = 0) -> dict[str, Any]:
    games = win + draw + endless + unfinished
    shares = {f"won_{seat}": count for seat, count in enumerate(won)} | {
        "draw": draw, "endless": endless, "unfinished": unfinished,
    }  # fmt: skip
    rows = [{"key": key, "text": f"{100 * count / games:.0f} %"} for key, count in shares.items()]
    counts = {"win": win, "draw": draw, "endless": endless, "unfinished": unfinished, "won_by_seat": won}
    length = [{"key": "turns_q50", "value": 12.0, "text": "12 turns (11 to 13)"}]
    return {"games": games, "cap": 2000, "counts": counts, "sections": [{"rows": rows}, {"rows": length}]}


def shares(found: Any) -> dict[str, float]:
    return {segment.kind: round(segment.share, 6) for segment in found.segments}


def test_segments_lie_end_to_end_and_cover_the_whole_bar() -> None:
    found = outcomes_of(summary([50, 20], 70, draw=10, endless=5, unfinished=15), [0, 1], TWO)
    assert shares(found) == {"won-0": 0.5, "won-1": 0.2, DRAW: 0.1, OPEN: 0.2}
    starts = [round(segment.start, 6) for segment in found.segments]
    assert starts == [0, 0.5, 0.7, 0.8]
    assert found.text_of(OPEN) == "5 % endless and 15 % unfinished"


def test_partners_are_one_side() -> None:
    names = {0: "first and third player", 1: "second and fourth player"}
    found = outcomes_of(summary([60, 40, 60, 40], 100), [0, 1, 0, 1], names)
    assert shares(found) == {"won-0": 0.6, "won-1": 0.4, DRAW: 0, OPEN: 0}
    assert found.segments[0].title == "won by the first and third player"


def test_games_that_both_won_are_counted_once() -> None:
    found = outcomes_of(summary([60, 50], 90, draw=10), [0, 1], TWO)
    assert shares(found) == {"won-0": 0.4, "won-1": 0.3, SHARED: 0.2, DRAW: 0.1, OPEN: 0}


@pytest.mark.parametrize(
    ("won", "others", "said"),
    [
        ([700, 100], {"draw": 200}, "the first player wins most games"),
        ([100, 100], {"draw": 800}, "most games are drawn"),
        ([100, 100], {"unfinished": 800}, "most games have not ended after 2,000 turns"),
        ([100, 100], {"endless": 600, "unfinished": 200}, "most games are endless"),
        (
            [100, 100],
            {"endless": 510, "unfinished": 290},
            "most games have not ended after 2,000 turns",
        ),  # 51 % by chance
        ([450, 300], {"draw": 250}, "the first player wins more often"),
        ([490, 510], {}, "no side is shown to be ahead (1,000 games)"),  # 51 % of 1,000 games may be chance
        ([440, 560], {}, "the second player wins most games"),
        ([380, 370], {"draw": 250}, "no side is shown to be ahead (1,000 games)"),  # the interval reaches 6.4 points
        # 0.2 points apart of 4,000, and the interval reaches 3.3
        ([2_004, 1_996], {}, "the sides are even within 5 percentage points"),
        # 51.1 % of 20,000 are surely more than half, and surely less than 5 points ahead: that is no advantage.
        ([10_220, 9_780], {}, "the sides are even within 5 percentage points"),
        ([10_530, 9_470], {}, "the first player wins most games"),
        # The cap stopped 10 of 100, which might have made either the winner: 55 to 35 are ahead, 55 to 45 need not be.
        ([550, 350], {"unfinished": 100}, "the first player wins most games"),
        ([500, 400], {"unfinished": 100}, "the first player wins more of the games that ended (900)"),
        ([330, 330], {"unfinished": 340}, "no side is shown to be ahead (1,000 games)"),
        ([600, 600, 600, 600], {}, "the sides are even within 5 percentage points"),
        ([27, 22, 23, 21], {}, "no side is shown to be ahead (93 games)"),
        # Of four sides 30 % and 24 % of 1,000 are told apart by one test, and not by six.
        ([300, 248, 240, 212], {}, "no side is shown to be ahead (1,000 games)"),
    ],
)
def test_what_mostly_happens_is_said_in_words(won: list[int], others: dict[str, int], said: str) -> None:
    seats = list(range(len(won)))
    names = {seat: f"{word} player" for seat, word in enumerate(("first", "second", "third", "fourth"))}
    assert tendency(outcomes_of(summary(won, sum(won), **others), seats, names), 2000) == said


def test_only_games_with_an_end_have_a_length() -> None:
    """That of a game without an end is when this was seen."""
    most, half = (outcomes_of(summary([0, 0], 0, endless=n, unfinished=100 - n), [0, 1], TWO) for n in (51, 50))
    assert (most.length, most.length_text) == ("no end", "no end, seen after 12 turns (11 to 13)")
    assert (half.length, half.length_text) == ("12 turns", "12 turns (11 to 13)")


def test_faultless_play_is_no_tendency() -> None:
    assert tendency(certain(DRAW, "a draw by the rules"), 0) == "faultless play is a draw by the rules"


def test_findings_hold_no_more_of_a_summary_than_they_tell() -> None:
    """All curves and measures of the shipped batches would be a third of a process of the site."""
    rows = [{"key": key} for key in ("won_0", "turns_q50", "first_round_ended", "taken_0", "wait_1")]
    summary = {"games": 9, "counts": {"draw": 1}, "curve": {"turn": [1]}, "sections": [{"title": "A", "rows": rows}]}
    told = played._told(summary)
    assert told == {"games": 9, "counts": {"draw": 1}, "sections": [{"title": "A", "rows": rows[:3]}]}
    assert "curve" in summary, "the summary itself is as it was"


def test_readings_that_agree_share_one_finding() -> None:
    drawn, open_ = "most games are drawn", "most games have not ended"
    assert finding([("Parker", drawn)], 1) == "Most games are drawn"
    assert finding([("Parker", drawn)], 3) == "Under Parker most games are drawn"  # nobody has played the others
    assert finding([("Parker", drawn), ("Ludii", drawn)], 2) == "Under every reading most games are drawn"
    said = finding([("Parker", drawn), ("the portal", open_), ("Ludii", drawn)], 3)
    assert said == "Under Parker and Ludii most games are drawn; under the portal most games have not ended"
    assert finding([], 3) == ""


def finding_of(page: Any) -> str:
    return " ".join(page.select_one(".finding").get_text().split())


def shown_level(page: Any) -> str:
    return str(page.select_one(".levels [aria-current]").find(string=True, recursive=False)).strip()


@mock.patch("simulator.batches.service.dispatch.notify_of_chunks", nobody_hears)
class Figures(CatalogueTestCase):
    """The edge of the world is the broker: what is asked for here is never heard by a worker."""

    @property
    def buttons(self) -> list[str]:
        """The answers that can be taken beside the words."""
        return [one["value"] for one in self.soup(DARAMUTI).select("button[name=take]")]

    def taken(self, answer: str) -> Any:
        return self.client.post(f"{DARAMUTI}answers/", {"take": answer})

    def widths(self, bar: Tag) -> list[float]:
        return [float(part["width"]) for part in bar.select("svg.bar rect")]

    def test_a_bar_has_the_shares_of_the_batch(self) -> None:
        page = self.soup(DARAMUTI)
        bars = page.select(".bars > li:not(.scale)")
        assert self.widths(bars[0]) == [62.5, 25.0, 12.5]  # five, two and a draw of eight
        assert [float(part["x"]) for part in bars[0].select("svg.bar rect")] == [0, 62.5, 87.5]
        assert "won by the first player: 62.5 %" in bars[0].select_one("svg.bar")["aria-label"]
        assert finding_of(page) == "Between random players, under Parker 1909 no side is shown to be ahead (8 games)."
        assert page.select_one("#outcomes figure.board svg[viewBox]")

    @pytest.mark.by_turns
    def test_played_levels_are_offered_strongest_common_one_first(self) -> None:
        assert not self.soup(DARAMUTI).select(".levels")
        played_batch("daramuti-parker", players="greedy")
        for players in ("random", "greedy", "uct:100", "uct:100,random"):  # the last is nobody's level
            played_batch("daramuti-dlp", players=players)
        club = played_batch("daramuti-dlp", players="club")  # alone: nothing to compare it with
        assert club.players == ",".join([player_of(rulesets.as_engine(club.ruleset), "club")] * 2)
        known = {"greedy": True, "club": True}
        patched = self.enterContext(mock.patch.object(played, "shown_better"))
        patched.side_effect = lambda hashes: dict.fromkeys(hashes, known)
        page = self.soup(DARAMUTI)
        levels = page.select(".levels a")
        names = ["random", "greedy", "club", "Monte Carlo search, 100 iterations"]
        assert [level.get_text() for level in levels] == [f"{name} whole games" for name in names]
        assert levels[2]["href"].endswith("?level=club#outcomes")
        assert shown_level(page) == "greedy"
        other = self.soup(levels[3]["href"])
        assert shown_level(other) == names[3]
        assert [bool(bar.select_one("svg.bar")) for bar in other.select(".bars > li:not(.scale)")] == [
            False,
            True,
            False,
        ]
        waiting = self.soup(self.taken(self.buttons[0])["Location"])
        assert shown_level(waiting) == "random"
        assert waiting.select_one(".what-if progress")
        assert "only they have played the changed rules" in waiting.select_one(".chart .note").get_text()
        slug = self.buttons[0].split(".")[1]
        address = str(self.taken(self.buttons[0])["Location"]).partition("#")[0]
        asked = {"HX-Request": "true", "HX-Target": "outcomes"}
        sheet = BeautifulSoup(self.client.get(address, headers=asked).content, "lxml").select_one(f"#a-{slug}")
        assert sheet["data-hx-swap-oob"] == "true"  # the sheet that was touched says how far the games are
        assert sheet.progress

    @pytest.mark.by_turns
    def test_the_figure_and_every_link_name_the_same_batch(self) -> None:
        """Stronger players come before more games, and the engine as it is before more games of an earlier one."""
        for players, games, version in (("random", 64, 0), ("greedy", 72, 1), ("greedy", 56, 0)):
            terms = {"games": games, "seed": games, "players": players, "origin": Batch.Origin.DEMO}
            batch = request_batch("daramuti-parker", announce=False, **terms)
            finish(batch, tuple((10 + place, 0, 1 + place % 2) for place in range(games)))
            Batch.objects.filter(pk=batch.pk).update(family_version=batch.family_version - version)
        address = f"/batches/{batch.id}/"
        for page, where in (
            ("/rulesets/", ".entries li:has(a[href='/rulesets/daramuti-parker/'])"),
            ("/games/daramuti/", "main"),
            (DARAMUTI, "main"),
        ):
            linked = {link["href"] for link in self.soup(page).select_one(where).select("a[href^='/batches/']")}
            assert linked == {address}, page
        for subject in ("/rulesets/daramuti-parker/", "/games/daramuti/", DARAMUTI):
            rows = list(csv.DictReader(io.StringIO(self.page(f"{subject}outcomes.csv"))))
            assert {row["batch"] for row in rows} == {batch.id}, subject

    @pytest.mark.by_turns
    def test_a_solved_reading_has_faultless_play_as_its_level(self) -> None:
        ruleset = self.batch.ruleset
        document = {"start": {"value": "second_wins"}, "reduced": {}}
        now = family(ruleset.family).rules_version
        Solution.objects.create(ruleset=ruleset, state="done", family_version=now, document=document)
        page = self.soup(f"{DARAMUTI}?level=perfect")
        assert self.widths(page.select(".bars > li")[0]) == [100.0]
        assert page.select_one(".bars rect")["class"] == ["won-1"]
        Solution.objects.update(document={**document, "reduced": {"holes_per_row": 3}})
        self.page(f"{DARAMUTI}?level=perfect", 400)  # of another board than the game's
        Solution.objects.update(document=document, family_version=now - 1)
        self.page(f"{DARAMUTI}?level=perfect", 400)  # by rules that have changed since

    def test_a_level_that_is_not_there_names_the_nearest(self) -> None:
        page = self.soup(f"{DARAMUTI}?level=randm", 400)
        assert "?level=random" in [one["href"] for one in page.main.find_all("a")]

    @pytest.mark.thorough
    def test_an_answer_taken_beside_the_words_is_a_further_bar(self) -> None:
        [word, *_] = [value for value in self.buttons if value.startswith(TAKEN)]
        address = self.taken(word)["Location"]
        assert parse_qs(urlsplit(address).query) == {"also": [word]}
        asked = Batch.objects.exclude(pk=self.batch.pk).get()
        assert (asked.games, asked.seed, asked.players, asked.origin) == (2000, 1, "random,random", "visitor")
        assert self.client.session["batches"] == [asked.id]  # who asked may cancel it
        waiting = self.soup(address)
        assert waiting.select_one(".what-if progress")["max"] == "2000"
        assert waiting.select_one("noscript meta[http-equiv=refresh]")
        assert waiting.select_one("#outcomes")["data-hx-get"] == f"{DARAMUTI}?also={word}"
        finish(asked)
        done = self.soup(address)
        assert self.widths(done.select_one(".what-if")) == [62.5, 25.0, 12.5]
        assert not done.select(".what-if progress, noscript meta")
        assert asked.ruleset.document != self.batch.ruleset.document

    @pytest.mark.thorough
    def test_a_batch_that_ends_meanwhile_is_not_lost(self) -> None:
        address = self.taken(self.buttons[0])["Location"]
        asked = Batch.objects.exclude(pk=self.batch.pk).get()
        looked = played.shown_batches

        def looked_too_early(hashes: Any) -> Any:
            found = looked(hashes)
            finish(asked)
            return found

        with mock.patch.object(played, "shown_batches", looked_too_early):
            shown = self.soup(address)
        assert shown.select_one(".what-if progress")
        assert shown.select_one("#outcomes")["data-hx-get"]  # it looks again, and then the bar is there
        assert self.soup(address).select_one(".what-if svg.bar")

    def test_what_htmx_asks_for_is_the_figure_alone(self) -> None:
        response = self.client.get(DARAMUTI, headers={"HX-Request": "true", "HX-Target": "outcomes"})
        page = BeautifulSoup(response.content, "html.parser")
        assert [one["id"] for one in page.find_all("section")] == ["outcomes"]
        assert page.find("html") is None
        assert "HX-Target" in response["Vary"]

    @pytest.mark.by_turns
    def test_an_unknown_answer_names_the_nearest_and_plays_nothing(self) -> None:
        answer = self.buttons[0]
        response = self.taken(f"{answer}x")
        assert response.status_code == 400
        assert answer in response.content.decode()
        self.page(f"{DARAMUTI}?also=nonsense", 400)
        with override_settings(VISITOR_WORK_PER_HOUR=1):  # a refusal is shown beside the words
            page = self.soup(self.taken(answer)["Location"])
        assert "visitors may ask for one game" in page.select_one(".outcomes .note").get_text()
        assert Batch.objects.count() == 1

    def test_it_can_be_taken_as_a_table_and_as_a_drawing(self) -> None:
        rows = list(csv.DictReader(io.StringIO(self.page(f"{DARAMUTI}outcomes.csv"))))
        assert {row["batch"] for row in rows} == {self.batch.id}
        assert sum(float(row["share"]) for row in rows) == pytest.approx(1)
        for row in rows:
            if row["possible"] == "yes":
                assert float(row["low"]) <= float(row["value"]) <= float(row["high"])
                assert f"{100 * float(row['low']):.1f}" in row["in_words"] or "0.0" in row["in_words"], row
            else:
                assert (row["low"], row["high"]) == ("", "")
        drawing = ElementTree.fromstring(self.page(f"{DARAMUTI}outcomes.svg"))
        words = " ".join(drawing.itertext())
        assert "Share of games, per cent; random players" in words
        assert f"8 games · seed 1 · cap 2,000 turns · {NOBODY}" in words
        assert "Daramuti" in words
        by = f"batch {self.batch.id}, played by sowing {self.batch.family_version}"
        assert f"· {by} · intervals at testserver{DARAMUTI}" in words
        assert {(row["engine"], row["licence"]) for row in rows} == {(f"sowing {self.batch.family_version}", LICENCE)}
        assert "· CC BY 4.0" in words

    def test_only_the_embedded_figure_may_be_framed_elsewhere(self) -> None:
        page, framed = self.client.get(DARAMUTI), self.client.get(f"{DARAMUTI}outcomes/")
        assert "frame-ancestors 'none'" in page["Content-Security-Policy"]
        assert page["X-Frame-Options"] == "DENY"
        assert "frame-ancestors *" in framed["Content-Security-Policy"]
        assert "X-Frame-Options" not in framed
        assert framed["Cross-Origin-Resource-Policy"] == "cross-origin"


def test_nothing_is_cut_in_a_drawing() -> None:
    title = f"Between random players, under today’s summary with a change of some length {'W' * 50}"
    bars = [
        ("Today’s summary, but the last counter in an empty hole captures nothing", certain("won-0", "won by A" * 30))
    ]
    drawing = ElementTree.fromstring(
        outcome_drawing(title, "Share of games", bars, "foot " * 60, "Game", "credit " * 60)
    )
    sizes = {"title": (17, True), "about": (12, True)}
    for text in drawing.iter("{http://www.w3.org/2000/svg}text"):
        size, bold = sizes.get(text.get("class", ""), (12, False))
        room = LEFT if text.get("text-anchor") == "start" and text.get("class") == "" else WIDTH
        wide = width_of(text.text or "", size, bold=bold)
        assert float(text.get("x", "0")) + wide <= (WIDTH if float(text.get("x", "0")) > LEFT else room), text.text
    said = "".join("".join(text.text or "" for text in drawing.iter("{http://www.w3.org/2000/svg}text")).split())
    for words in (title, *(name for name, _ in bars), "credit " * 60):
        assert "".join(words.split()) in said


def test_a_drawing_explains_only_shades_that_it_shows() -> None:
    seats = {0: "first player", 1: "second player"}
    drawn = outcome_drawing("T", "L", [("x", outcomes_of(summary([70, 30], 100), (0, 1), seats))], "", "")
    assert "won by the second player" in drawn.partition("</desc>")[2]
    assert "endless or unfinished" not in drawn.partition("</desc>")[2]
    assert "drawn" not in drawn.partition("</desc>")[2]


def test_levels_keep_whose_words_are_underlined() -> None:
    """Without scripts a change of level is a new page, on which the voice that a reader chose was lost."""
    shown = ShownFigure(
        OutcomeFigure(()), "evidence", "X", "A game", "/x/", "/x/", (("also", "a:b"),), beside=(("show", "summary"),)
    )
    assert shown.address("club") == "/x/?level=club&also=a%3Ab&show=summary"
    assert not any("show=" in address for _, address in shown.forms)
