"""The first page: one example that nobody chose, the largest findings, the games."""

import pytest
from bs4 import BeautifulSoup

from catalogue.findings.gathered import LONGEST, around
from simulator.batches.service import request_batch
from simulator.models import Batch
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
        assert len(shown.select(".cards .board svg")) == 21

    def test_the_example_has_words_the_rule_against_and_bars(self) -> None:
        for reading, games in (("daramuti-parker", GAMES[:5] * 80), ("daramuti-dlp", GAMES[5:7] * 200)):
            finish(request_batch(reading, announce=False, games=400, origin=Batch.Origin.DEMO), games)
        example = self.shown().select_one(".example")
        assert example is not None
        text = " ".join(example.get_text(" ").split())
        assert "the seeds in the opposite hole on the other side of the board are 'eaten.'" in text
        assert "But the portal says: A last counter in an empty hole captures nothing" in text
        assert [one.text for one in example.select(".bars .label")] == ["Parker", "Portal"]
        assert example.select_one("svg.board")
