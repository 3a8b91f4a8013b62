"""The figure of what play leaves on the board: on pages, in every form, on one scale, and where nothing was counted."""

import csv
import io
from typing import Any
from unittest import mock
from xml.etree import ElementTree

from bs4 import BeautifulSoup
from django.test import RequestFactory
from PIL import Image

from catalogue.outcomes import traffic as outcomes
from catalogue.outcomes.traffic import traffic_figure
from catalogue.pages import figures
from catalogue.web.routes import every_route
from simulator.batches.service import request_batch
from simulator.batches.traffic import layout_of
from simulator.engine.traffic import SCALE, Sums
from simulator.models import Batch
from tests.catalogue.page_world import GAMES, CatalogueTestCase, finish


def counted(ruleset: str, leaning: float = 0.0, **terms: Any) -> Batch:
    """A batch of eight known games, whose traffic is even but for the first place. leaning: how much more that has"""
    wanted = {"games": len(GAMES), "origin": Batch.Origin.DEMO, "traffic": True, **terms}
    batch = request_batch(ruleset, announce=False, **wanted)
    sums, layout = Sums.none(layout_of(batch).cells), layout_of(batch)
    sums.games[0, : len(GAMES)] = 1
    for key in layout.keys:
        if key in ("laid", "taken"):
            continue
        slices = layout.cells_of(key)
        even = SCALE // sum(part.stop - part.start for part in slices)
        for part in slices:
            sums.shares[0, : len(GAMES), part] = even
            sums.counts[0, part] = len(GAMES)
        sums.shares[0, : len(GAMES), slices[0].start] += int(leaning * even)
    batch.chunks.update(traffic=sums.packed())
    finish(batch)
    return batch


class TrafficFigures(CatalogueTestCase):
    nerenchi: Batch

    @classmethod
    def setUpTestData(cls) -> None:
        super().setUpTestData()
        cls.nerenchi = counted("nerenchi-keliya-parker", 1.0)
        counted("nerenchi-keliya-parker", players="greedy", games=4)
        counted("daramuti-parker", 2.0)
        counted("daramuti-dlp")

    def test_a_ruleset_shows_its_board_folded_with_its_numbers(self) -> None:
        soup = self.soup("/rulesets/nerenchi-keliya-parker/")
        [figure] = soup.select("section[aria-labelledby=traffic] details figure.chart")
        finding = soup.select_one("section[aria-labelledby=traffic] summary").get_text()
        assert finding.startswith("Moves along lines: most at ")
        assert figure.select_one(".finding").get_text() == "Moves along lines"
        board = ElementTree.fromstring(str(figure.select_one("svg.board")))
        title, about = board[0].text or "", board[1].text or ""
        assert "moves along lines" in title
        assert about.startswith("Shares of 4 games by greedy players. The most: a1-")
        widths = {float(line["stroke-width"]) for line in figure.select("path.line")}
        assert (max(widths), len(widths)) == (11.0, 1)
        rows = figure.select(".numbers tbody tr")
        assert len(rows) == len(figure.select("path.line"))
        assert [one.get_text() for one in figure.select(".take li")] == ["Table", "CSV", "SVG", "PNG", "Embed"]
        chosen = [one.get_text() for one in figure.select("[aria-current=true]")]
        assert chosen == ["Greedy", "Moves along lines", "Both sides"]
        assert "Pieces laid" not in figure.select("ul.levels")[1].get_text()  # no game laid any

    def test_it_can_be_taken_in_every_form_for_use_and_side(self) -> None:
        there = "/rulesets/nerenchi-keliya-parker/traffic"
        rows = list(csv.DictReader(io.StringIO(self.page(f"{there}.csv?level=random"))))
        lines = [row for row in rows if (row["use"], row["side"]) == ("lines", "all")]
        assert round(sum(float(row["share"]) for row in lines), 3) == 1
        assert {row["batch"] for row in rows} == {self.nerenchi.id}
        assert {row["side"] for row in rows} == {"all", "1", "2"}
        address = f"{there}.svg?level=random&use=occupied&side=2"
        drawn = " ".join(ElementTree.fromstring(self.client.get(address).content).itertext())
        for words in ("by the second player", "8 games", "seed 1", "CC BY 4.0", "most at a1"):
            assert words in drawn, words
        picture = Image.open(io.BytesIO(self.client.get(f"{there}.png").content))
        assert (picture.format, picture.width) == ("PNG", 1440)
        framed = self.client.get(f"{there}/?use=occupied")
        assert "frame-ancestors *" in framed["Content-Security-Policy"]
        found = BeautifulSoup(framed.content, "lxml")
        assert found.select("details.numbers[open] caption")
        assert self.client.get("/oembed/?url=" + there + "/").json()["title"].endswith("what play leaves on the board")

    def test_readings_side_by_side_have_one_scale(self) -> None:
        soup = self.soup("/games/daramuti/")
        boards = soup.select("section[aria-labelledby=traffic] svg.board")
        largest = [max(float(dot["r"]) for dot in board.select(".dot")) for board in boards]
        assert len(boards) == 2
        assert round(max(largest) / min(largest), 1) == 1.4  # the root of two
        labels = [one["aria-label"] for one in soup.select("section[aria-labelledby=traffic] [role=region]")]
        assert len(set(labels)) == len(labels) == 2  # regions that scroll are told apart by name
        assert "all boards have one scale" in soup.select_one("section[aria-labelledby=traffic] .unit").get_text()
        record = self.soup("/evidence/DLP.Evidence.692/")
        assert len(record.select("#traffic svg.board")) == 2
        assert not record.select("#traffic .piece, #traffic .seeds")

    def test_where_nothing_was_counted_it_is_asked_for(self) -> None:
        section = self.soup("/rulesets/asi-keliya-dlp/").select_one("section[aria-labelledby=traffic]")
        sent = {field["name"]: field["value"] for field in section.select("input[name]")}
        assert section.form["action"] == "/rulesets/asi-keliya-dlp/play/"
        with mock.patch("simulator.batches.service.announce", create=True):
            response = self.client.post(section.form["action"], sent)
        asked = Batch.objects.get(id=response["Location"].strip("/").split("/")[-1])
        assert (asked.counts_traffic, asked.games, asked.players) == (True, 2000, "random,random" and asked.players)
        assert "No games were counted" in self.page("/rulesets/asi-keliya-dlp/traffic.svg", 404)

    def test_a_wrong_choice_names_the_nearest(self) -> None:
        there = "/rulesets/nerenchi-keliya-parker/traffic/"
        assert "?use=lines" in self.page(f"{there}?use=line", 400)
        assert "there are: all, 1, 2" in self.page(f"{there}?side=3", 400)
        assert "level=random" in self.page(f"{there}?level=randm", 400)

    def test_a_figure_takes_two_queries(self) -> None:
        rows = [bar.row for bar in self.shown("games", "daramuti").figure.bars]
        with self.assertNumQueries(2):
            figure = traffic_figure(rows)
        assert [one.row.slug for one in figure.played] == [row.slug for row in rows if row.slug != "daramuti-ludii"]
        assert [row.slug for row in figure.uncounted] == ["daramuti-ludii"]

    def test_sides_of_earlier_figures_are_added(self) -> None:
        kinds = [{"key": "x", "sides": [{"seat": n, "things": [{**THING, "share": 0.1 + n}]} for n in (0, 1)]}]
        assert outcomes._things(kinds, "x", outcomes.BOTH) == [
            {"name": "a1", "count": 2, "share": 1.2000000000000002, "low": 0.0, "high": 0.4}
        ]

    def shown(self, subject: str, name: str) -> figures.ShownFigure:
        assert every_route()
        found = figures.figure_called(RequestFactory().get("/"), subject, name)
        assert found is not None
        return found


THING = {"name": "a1", "count": 1, "share": 0.1, "low": 0.0, "high": 0.2}
