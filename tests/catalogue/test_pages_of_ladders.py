"""What a ruleset's page and the API say of a ladder: the sentence, the strengths, the batches, and the command."""

from bs4 import BeautifulSoup
from django.db import connection
from django.test.utils import CaptureQueriesContext

from simulator.engine.ends import DRAW, WIN
from simulator.models import Ladder
from tests.catalogue.page_world import CatalogueTestCase, plain
from tests.simulator.ladder_world import Games, climbed

PAGE, API = "/rulesets/niranchy-ludovisi/", "/api/v1/rulesets/niranchy-ludovisi/"
GAMES: Games = {
    ("uct:16", "random"): [(WIN, 1)] * 18 + [(DRAW, 0)] * 2,
    ("random", "uct:16"): [(WIN, 2)] * 9 + [(WIN, 1)] * 11,
}


class LadderTests(CatalogueTestCase):
    def test_without_one_the_page_says_so_and_gives_the_command(self) -> None:
        text = plain(self.page(PAGE))
        assert "Nobody has looked yet how far players that think ahead beat others" in text
        assert "manage.py ladder niranchy-ludovisi@1" in text
        assert self.client.get(API).json()["ladder"] is None

    def test_sentence_strengths_seats_and_batches(self) -> None:
        ladder = climbed("niranchy-ludovisi", GAMES)
        html = self.page(PAGE)
        text = plain(html)
        expected = "69.5 % (54.0 to 81.6)"
        assert f"Monte Carlo search, 16 iterations, is expected to make {expected} of the points against random" in text
        assert f"Monte Carlo search, 16 iterations not given {expected} {expected} 40, 40 of them different" in text
        assert "A strength is not given where the interval of the points is wider than 20 points." in text
        assert "First player 95.0 % (" in text
        section = BeautifulSoup(html, "lxml").find("section", attrs={"aria-labelledby": "ladder"})
        assert plain(str(section.select_one(".sure"))) == "●○○ few or similar games"
        links = [link["href"] for link in section.find_all("a", class_="hash")]
        assert ladder.document is not None
        assert links == [f"/batches/{batch}/" for batch in ladder.document["matches"][0]["batches"]]
        assert "--rungs random,uct:16 \\\n  --games 40" in section.find("pre").get_text()

    def test_strengths_where_the_points_are_known(self) -> None:
        # The error of the log-odds of 280.5 to 120.5, times 173.7 times 1.96, is 37.1.
        climbed("niranchy-ludovisi", {line: 10 * games for line, games in GAMES.items()})
        text = plain(self.page(PAGE))
        assert "+147 (+110 to +184)" in text
        assert "not given" not in text

    def test_of_a_withheld_ladder_no_figure_is_shown(self) -> None:
        ladder = climbed("niranchy-ludovisi", GAMES)
        document = ladder.document or {}
        document["strengths"][1]["level"] = "club"
        Ladder.objects.filter(id=ladder.id).update(document=document)
        text = plain(self.page(PAGE))
        assert f"The figures of ladder {ladder.id} are withheld. It was played by players that are no longer" in text
        assert "69.5 %" not in text
        assert "Nobody has looked yet" not in text
        assert "Have it looked at" in text
        assert self.client.get(API).json()["ladder"]["withheld"].startswith("It was played by players")
        assert self.client.get(f"/api/v1/ladders/{ladder.id}/").json()["document"]["withheld"]

    def test_a_batch_that_was_thrown_away_is_named_but_not_linked(self) -> None:
        ladder = climbed("niranchy-ludovisi", GAMES)
        document = ladder.document or {}
        document["matches"][0]["batches"][0] = "0123456789abcdef"
        Ladder.objects.filter(id=ladder.id).update(document=document)
        assert "0123456789abcdef (not kept here)" in plain(self.page(PAGE))

    def test_the_api_has_the_same_document(self) -> None:
        ladder = climbed("niranchy-ludovisi", GAMES)
        assert self.client.get(API).json()["ladder"] == ladder.document
        assert "ladder" not in self.client.get("/api/v1/rulesets/").json()["results"][0]

    def test_as_many_queries_whatever_the_ladder_has(self) -> None:
        ladder = climbed("niranchy-ludovisi", GAMES)
        with CaptureQueriesContext(connection) as few:
            self.client.get(PAGE)
        document = ladder.document or {}
        document["matches"] *= 8
        Ladder.objects.filter(id=ladder.id).update(document=document)
        with self.assertNumQueries(len(few)):
            self.client.get(PAGE)

    def test_a_rung_that_does_not_beat_the_next_says_why(self) -> None:
        even = [(WIN, 1)] * 10 + [(WIN, 2)] * 10
        climbed("niranchy-ludovisi", {("uct:16", "random"): even, ("random", "uct:16"): even})
        assert "not shown to be better: so many games do not tell who plays better" in plain(self.page(PAGE))

    def test_of_one_that_beats_it_nothing_is_told(self) -> None:
        climbed("niranchy-ludovisi", GAMES)
        text = plain(self.page(PAGE))
        assert "in these games" not in text
        assert "not shown to be better" not in text
