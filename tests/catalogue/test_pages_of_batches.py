"""Pages of batches: figures, plots, rows, and how far those are that are being played."""

import csv
import io
import re

import pytest
from bs4 import BeautifulSoup
from django.db import connection
from django.test.utils import CaptureQueriesContext

from catalogue.web.plots import dressed
from simulator.batches.service import request_batch
from simulator.models import Batch, Chunk, Ruleset
from simulator.statistics.rows import share_row
from tests.catalogue.page_world import GAMES, CatalogueTestCase, draw_if_undrawn, plain, played_batch, text_of


class BatchPageTests(CatalogueTestCase):
    @property
    def address(self) -> str:
        return f"/batches/{self.batch.id}/"

    def test_figures_are_those_of_the_games(self) -> None:
        text = plain(self.page(self.address))
        assert "62.5" in text  # the first seat won five of eight
        assert "25.0" in text  # the second two
        assert "12.5" in text  # one draw

    def test_every_row_of_the_summary_is_shown(self) -> None:
        text = plain(self.page(self.address))
        rows = [row for section in self.batch.summary["sections"] for row in section["rows"]]
        assert len(rows) > 8
        for row in rows:
            assert " ".join(row["title"].split()) in text
            assert " ".join(row["text"].split()) in text

    def test_positions_that_came_back_are_told_where_some_did(self) -> None:
        summary = dict(self.batch.summary)
        again, threefold = share_row("position_again", "A", 3, 8), share_row("threefold", "T", 2, 8)
        for longest in (5, 1):
            found = {"games": 8, "longest": longest, "game": 6, "rows": [again, threefold]}
            Batch.objects.filter(id=self.batch.id).update(summary={**summary, "repetition": found})
            page = self.page(f"/batches/{self.batch.id}/")
            assert ("Positions that came back" in page) == (longest > 1)
            if longest > 1:
                assert f"in {again['text']} a position stood again; {threefold['text']} would have ended" in plain(page)
                assert "one position stood 5 times in game 6 ." in plain(page)
                assert f'href="/batches/{self.batch.id}/games/6/"' in page

    def test_rows_are_the_games_in_order(self) -> None:
        response = self.client.get(f"{self.address}rows.csv")
        assert response.streaming
        lines = list(csv.DictReader(io.StringIO(b"".join(response.streaming_content).decode())))
        shown = [(int(line["turns"]), int(line["end"]), int(line["winners"])) for line in lines]
        assert tuple(shown) == GAMES
        assert [int(line["game"]) for line in lines] == list(range(8))

    def test_the_command_asks_for_this_very_batch(self) -> None:
        command = BeautifulSoup(self.page(self.address), "lxml").find("pre").get_text().replace("\\\n", " ")
        words = command.split()
        assert words[:3] == ["manage.py", "simulate", "daramuti-parker@1"]
        wanted = dict(zip(words[3:-2:2], words[4:-2:2], strict=True))
        again = request_batch(words[2], announce=False, **{name.strip("-"): value for name, value in wanted.items()})
        assert again.id == self.batch.id

    def test_plots_are_served_as_drawn_and_not_sent_twice(self) -> None:
        plot = self.batch.plots.first()
        response = self.client.get(f"/plots/{self.batch.id}/{plot.kind}.svg")
        assert (response["Content-Type"], text_of(response)) == (
            "image/svg+xml; charset=utf-8",
            dressed(plot.svg),
        )
        again = self.client.get(f"/plots/{self.batch.id}/{plot.kind}.svg", headers={"if-none-match": response["ETag"]})
        assert again.status_code == 304

    def test_every_plot_has_words_and_its_numbers(self) -> None:
        figures = BeautifulSoup(self.page(self.address), "lxml").select("figure.plot")
        assert len(figures) == self.batch.plots.count()
        for figure, plot in zip(figures, self.batch.plots.all(), strict=True):
            assert figure.svg.find("title").text == plot.title
            assert not re.search("<style|Verdana|#0072b2", str(figure.svg))
            assert len(figure.find("tbody").find_all("tr")) == len(plot.table["rows"])
            assert [th.get_text() for th in figure.find_all("th", scope="col")] == plot.table["columns"]

    def test_an_unknown_plot_names_those_there_are(self) -> None:
        assert self.batch.plots.first().kind in self.page(f"/plots/{self.batch.id}/nothing.svg", 404)

    def test_a_running_batch_says_how_far_it_is_until_it_ends(self) -> None:
        batch = request_batch("daramuti-parker", games=200_000, announce=False)
        first = batch.chunks.order_by("number").first()
        batch.chunks.filter(number=0).update(state=Chunk.State.DONE)
        page = BeautifulSoup(self.page(f"/batches/{batch.id}/"), "lxml")
        assert page.find("noscript").find("meta")["http-equiv"] == "refresh"
        assert int(page.find("progress")["value"]) == first.games
        answer = self.client.get(f"/batches/{batch.id}/progress.json").json()
        assert (answer["state"], answer["games_done"]) == ("running", first.games)
        assert self.client.get(f"/batches/{batch.id}/rows.csv").status_code == 409
        polled = page.find(attrs={"data-hx-trigger": True})["data-hx-get"]
        response = self.client.get(polled, headers={"HX-Request": "true"})
        assert f"{first.games:,} of 200,000 games are done" in plain(text_of(response))
        batch.chunks.update(state=Chunk.State.DONE)
        response = self.client.get(polled, headers={"HX-Request": "true"})
        assert "All 200,000 games are played; their figures are being worked out" in plain(text_of(response))
        assert "Being played" not in page.text
        assert (response["Cache-Control"], "HX-Request" in response["Vary"]) == ("no-store", True)
        Batch.objects.filter(id=batch.id).update(state=Batch.State.CANCELLED)
        assert self.client.get(polled, headers={"HX-Request": "true"})["HX-Refresh"] == "true"

    def test_a_finished_batch_is_not_refreshed_nor_its_chunks_read(self) -> None:
        with CaptureQueriesContext(connection) as queries:
            page = text_of(self.client.get(self.address))
        assert BeautifulSoup(page, "lxml").find("meta", attrs={"http-equiv": "refresh"}) is None
        assert not [query for query in queries if "simulator_chunk" in query["sql"]]

    def test_a_batch_without_rows_gives_the_command(self) -> None:
        Batch.objects.filter(id=self.batch.id).update(rows_kept=False)
        assert "keeps its tallies only" in self.page(self.address)
        assert "simulate daramuti-parker@1" in self.page(f"{self.address}rows.csv", 404)

    def test_games_of_another_engine_version_say_so(self) -> None:
        assert "which plays some games otherwise" not in self.page(self.address)
        Batch.objects.filter(id=self.batch.id).update(family_version=self.batch.family_version + 1)
        assert f"played by version {self.batch.family_version + 1} of the engine" in plain(self.page(self.address))

    def test_a_failed_batch_shows_what_went_wrong(self) -> None:
        batch = request_batch("daramuti-parker", games=3, announce=False)
        batch.chunks.update(state=Chunk.State.QUARANTINED, error="OverflowError: too many laps")
        Batch.objects.filter(id=batch.id).update(state=Batch.State.FAILED)
        assert "OverflowError: too many laps" in self.page(f"/batches/{batch.id}/")

    @pytest.mark.thorough
    def test_the_list_asks_as_many_queries_with_many_batches(self) -> None:
        with CaptureQueriesContext(connection) as few:
            self.page("/batches/")
        for seed in range(2, 52):
            request_batch("daramuti-dlp", games=5, seed=seed, announce=False)
        with self.assertNumQueries(len(few)):
            self.page("/batches/")

    @pytest.mark.thorough
    def test_plots_that_are_being_drawn_are_waited_for(self) -> None:
        batch = played_batch("daramuti-parker", seed=77)
        page = self.page(f"/batches/{batch.id}/")
        assert "They are being drawn" in page
        assert "data-hx-select" in page
        draw_if_undrawn(batch.id)
        page = self.page(f"/batches/{batch.id}/")
        assert "being drawn" not in page
        assert "data-hx-select" not in page
        assert f"/plots/{batch.id}/" in page

    @pytest.mark.by_turns
    def test_a_record_shows_the_prepared_batch_with_most_games(self) -> None:
        played_batch("daramuti-parker", seed=2, origin=Batch.Origin.VISITOR)
        page = BeautifulSoup(self.page("/evidence/DLP.Evidence.692/"), "lxml")
        led_to = {link["href"] for link in page.find(id="readings").find_parent("section").find_all("a")}
        assert f"/batches/{self.batch.id}/" in led_to
        assert Ruleset.objects.filter(batches=self.batch).count() == 1
