"""The first page: one example that nobody chose, the largest findings, the games."""

from dataclasses import replace
from unittest import mock

import pytest
from bs4 import BeautifulSoup

from catalogue.findings.gathered import LONGEST, around, example
from catalogue.findings.kept import findings
from simulator.batches.service import request_batch
from simulator.models import Batch
from simulator.statistics.intervals import Interval
from tests.catalogue.page_world import GAMES, CatalogueTestCase, finish

TEXT = "The first is laid. The last seed ‘is eaten.’ The player then stops, and rests. Then the next begins."


@pytest.mark.parametrize(
    ("words", "before", "after"),
    [
        ("is eaten", "The last seed ‘", ".’"),
        ("The last seed ‘is eaten.’", "", ""),
        ("stops", "The player then ", ", and rests."),
        ("Then the next begins.", "", ""),
    ],
)
def test_words_stand_in_their_sentence(words: str, before: str, after: str) -> None:
    start = TEXT.index(words)
    assert around(TEXT, start, start + len(words)) == (before, after)


def test_a_long_sentence_is_cut_between_words_and_says_so() -> None:
    text = "many " * 100 + "HERE " + "more " * 100
    before, after = around(text, 500, 504)
    assert before.startswith("… many")
    assert after.endswith("more …")
    assert max(len(before), len(after)) <= LONGEST + 2


class Home(CatalogueTestCase):
    def shown(self) -> BeautifulSoup:
        return BeautifulSoup(self.client.get("/").content, "lxml")

    def test_without_games_there_are_boards_and_no_example(self) -> None:
        shown = self.shown()
        assert not shown.select(".example")
        pictures = [str(picture["src"]) for picture in shown.select(".wall img[loading=lazy]")]
        assert len(pictures) == 21
        assert pictures[0] == "/rulesets/asi-keliya-dlp/board.svg"
        play = [str(link["href"]) for link in shown.select(".wall a[aria-label]")]
        assert play == [picture.replace("board.svg", "play-a-game/") for picture in pictures]
        assert len(self.client.get("/").content) < 60_000

    def test_a_board_moves_and_leads_to_its_game(self) -> None:
        """The first game that is sown, after its first reading; 8 plies, each with a lap at least.

        A visitor plays a game that is solved: it ends soon.
        """
        shown = self.shown()
        figure = shown.select_one("[data-demonstration]")
        assert figure is not None
        plies = str(figure["data-motion"]).split("|")
        assert len(plies) == 8
        assert all(ply.startswith("lift ") for ply in plies)
        assert shown.select_one(".ways a")["href"] == "/rulesets/koti-keliya-parker/play-a-game/"
        assert "7 sources, most of them on the games of Sri Lanka, into rules" in " ".join(shown.get_text().split())

    @pytest.mark.by_turns
    def test_the_example_quotes_what_both_texts_say(self) -> None:
        """Two games that both players of a level show to differ, in a record whose texts state other rules."""
        better = self.enterContext(mock.patch("catalogue.findings.gathered.shown_better"))
        better.side_effect = lambda hashes: {key: {"club": True} for key in hashes}
        for players in ("club", "club-second"):
            assert not self.shown().select(".example"), players  # one player is not enough
            for reading, seat in (("daramuti-parker", 1), ("daramuti-dlp", 2)):
                games = tuple((10 + place, 0, seat) for place in range(400))
                finish(
                    request_batch(reading, announce=False, games=400, players=players, origin=Batch.Origin.DEMO), games
                )
        found = example(findings().ranked)
        smaller = replace(found.finding, size=Interval(0.03, 0.025, 0.04))  # no size is asked, only the largest
        assert example([smaller]).finding is smaller
        assert example([replace(smaller, by_two_players=False)]) is None
        assert found.differing > 1
        assert found.finding.by_two_players
        assert found.portal in found.record.paraphrase
        shown = self.shown().select_one(".example")
        assert shown is not None
        text = " ".join(shown.get_text(" ").split())
        assert "the seeds in the opposite hole on the other side of the board are 'eaten.'" in text
        assert f"What today’s summary says {found.portal}" in text
        for rule in (found.rule, found.other_rule):
            assert rule
            assert f"The rule: {rule}" in text
        assert found.rule != found.other_rule
        assert "of games are won by the first player under Parker 1909 and 0 %" in text
        assert f"one of {found.differing} points in which the rules differ" in text
        assert [one.text for one in shown.select(".bars .label")] == ["Parker 1909", "Today’s summary"]
        assert shown.select_one("svg.board")

    @pytest.mark.by_turns
    def test_random_players_make_no_example(self) -> None:
        for reading, games in (("daramuti-parker", GAMES[:5] * 80), ("daramuti-dlp", GAMES[5:7] * 200)):
            finish(request_batch(reading, announce=False, games=400, origin=Batch.Origin.DEMO), games)
        assert not self.shown().select(".example")
