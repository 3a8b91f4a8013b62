"""The one figure of how games end: on pages of every kind, and in every form it can be taken in."""

import csv
import io
from xml.etree import ElementTree

import pytest
from bs4 import BeautifulSoup
from PIL import Image

from catalogue.models import Comparison
from tests.catalogue.comparison_world import a_comparison
from tests.catalogue.page_world import CatalogueTestCase, played_batch


class FiguresEverywhere(CatalogueTestCase):
    comparison: Comparison

    @classmethod
    def setUpTestData(cls) -> None:
        super().setUpTestData()
        cls.comparison = a_comparison()

    @property
    def pages(self) -> dict[str, int]:
        """Address → how many bars stand there."""
        own = self.comparison.get_absolute_url()
        return {"/games/daramuti/": 2, "/rulesets/daramuti-parker/": 1, f"/batches/{self.batch.id}/": 1, own: 2}

    @pytest.mark.thorough
    def test_it_stands_on_every_page_and_can_be_taken_in_every_form(self) -> None:
        for page, bars in self.pages.items():
            with self.subTest(page):
                soup = self.soup(page)
                [figure] = soup.select("main figure.chart")
                assert len(figure.select(".bars svg.bar")) == bars
                forms = {one.get_text(): one["href"] for one in figure.select(".take a")}
                assert list(forms) == ["Table", "CSV", "SVG", "PNG", "Embed"]
                for name in ("Table",):
                    assert soup.find(id=forms[name].partition("#")[2]), name
                finding = " ".join(figure.select_one(".finding").find(string=True).split())
                self.as_files(forms, finding, bars)

    def as_files(self, forms: dict[str, str], finding: str, bars: int) -> None:
        rows = list(csv.DictReader(io.StringIO(self.page(forms["CSV"]))))
        assert round(sum(float(row["share"]) for row in rows), 6) == bars
        drawing = self.client.get(forms["SVG"])
        assert drawing["Content-Type"].startswith("image/svg+xml")
        assert finding.rstrip(".") in " ".join(" ".join(ElementTree.fromstring(drawing.content).itertext()).split())
        picture = self.client.get(forms["PNG"])
        assert picture["Content-Type"] == "image/png"
        image = Image.open(io.BytesIO(picture.content))
        assert (image.format, image.width) == ("PNG", 1440)
        assert image.getextrema() != ((255, 255),) * len(image.getbands())
        framed = self.client.get(forms["Embed"])
        assert "frame-ancestors *" in framed["Content-Security-Policy"]
        assert len(BeautifulSoup(framed.content, "lxml").select(".bars svg.bar")) == bars

    @pytest.mark.by_turns
    def test_a_game_offers_played_levels_and_names_the_nearest(self) -> None:
        played_batch("daramuti-dlp", players="greedy")
        page = self.soup("/games/daramuti/?level=greedy")
        assert page.select_one(".levels [aria-current]").get_text() == "greedy whole games"
        assert "level=greedy" in page.select_one(".take a[href*='outcomes.csv']")["href"]
        assert "?level=greedy" in self.page("/games/daramuti/?level=gredy", 400)

    def test_games_that_were_not_played_have_no_figure_to_take(self) -> None:
        waiting = played_batch("daramuti-parker", seed=9)
        type(waiting).objects.filter(pk=waiting.pk).update(state="running", summary=None)
        assert "not all played" in self.page(f"/batches/{waiting.id}/outcomes.svg", 404)

    @pytest.mark.by_turns
    def test_a_board_and_a_plot_are_pictures_too(self) -> None:
        plot = self.batch.plots.first()
        for address in ("/rulesets/daramuti-parker/board.png", f"/plots/{self.batch.id}/{plot.kind}.png"):
            image = Image.open(io.BytesIO(self.client.get(address).content)).convert("L")
            assert image.format is None or image.size[0] > 200
            assert image.getextrema()[0] < 100, address  # there is ink
