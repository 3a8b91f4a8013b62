"""Pages of rulesets and batches: words, figures, plots, rows, and the form that has games played."""

import csv
import hashlib
import io
import json
from unittest import mock

import rfc8785
from bs4 import BeautifulSoup
from django.conf import settings
from django.db import connection
from django.test import override_settings
from django.test.utils import CaptureQueriesContext

from simulator import rulesets
from simulator.batches import scale
from simulator.batches.ceilings import span
from simulator.batches.finalize import draw_if_undrawn
from simulator.batches.service import request_batch
from simulator.engine import shipped
from simulator.engine.family import family
from simulator.engine.players.wording import ONE_BY_VALUE
from simulator.models import Batch, Chunk, Ruleset
from simulator.statistics.rows import share_row
from tests.builders import cost
from tests.catalogue.members import member
from tests.catalogue.page_world import GAMES, CatalogueTestCase, nobody_hears, played_batch, text_of

WANTED = {"games": "50", "seed": "7", "players": "random", "cap": "300", "until": "game"}
ENOUGH = int(2.5 * cost("daramuti-parker", 50, 300))  # for two batches
DARAMUTI = "/rulesets/daramuti-parker/"


def plain(html: str) -> str:
    """What is read, without the explanations that open beside some words."""
    page = BeautifulSoup(html, "lxml")
    for meaning in page.select("[popover]"):
        meaning.decompose()
    for term in page.select("dfn"):
        term.replace_with(term.get_text())
    page.smooth()
    return " ".join(page.get_text(" ").split())


class RulesetPageTests(CatalogueTestCase):
    def test_every_rule_of_the_document_is_told_in_words(self) -> None:
        ruleset = rulesets.find("daramuti-parker")
        text = plain(self.page(DARAMUTI))
        words = family("sowing").words(ruleset)
        assert len(words) > 5
        for key, title, sentence in words:
            assert key in text
            assert " ".join(title.split()) in text
            assert " ".join(sentence.split()) in text

    def test_the_printed_document_has_the_printed_hash(self) -> None:
        page = BeautifulSoup(self.page(DARAMUTI), "lxml")
        document = page.find("summary", string="The document").parent
        shown, canonical = (block.get_text() for block in document.find_all("pre"))
        digest = hashlib.sha256(canonical.encode()).hexdigest()
        assert rfc8785.dumps(json.loads(shown)).decode() == canonical
        assert digest in page.find("a", href=f"/rulesets/{digest}/").get_text()

    def test_name_number_hash_and_its_beginning_lead_to_the_same_page(self) -> None:
        digest = rulesets.find("daramuti-parker").hash
        for name in ("daramuti-parker", "daramuti-parker@1", digest, digest[:8]):
            page = BeautifulSoup(self.page(f"/rulesets/{name}/"), "lxml")
            assert page.find("link", rel="canonical")["href"] == DARAMUTI

    def test_a_name_nearly_right_leads_to_the_right_one(self) -> None:
        assert f'href="{DARAMUTI}"' in self.page("/rulesets/daramuti-parkr/", 404)

    def test_content_with_two_names_says_so_on_the_pages_of_both(self) -> None:
        # The portal's rules of Daramuti are those of Puhulmutu, copied: the two rulesets are one.
        assert 'href="/rulesets/puhulmutu-dlp@2/"' in self.page("/rulesets/daramuti-dlp/")
        assert 'href="/rulesets/daramuti-dlp@2/"' in self.page("/rulesets/puhulmutu-dlp/")

    def test_the_board_is_a_drawing_with_a_title_and_a_description(self) -> None:
        board = BeautifulSoup(self.page(DARAMUTI), "lxml").find(class_="board").find("svg")
        assert board.find("title").get_text()
        assert board.find("desc").get_text()

    def test_a_ruleset_without_a_name_has_a_page_that_says_so(self) -> None:
        changed = rulesets.find("daramuti-parker", {"counters_per_hole": "5"})
        rulesets.save(changed)
        assert "This ruleset has no reading" in self.page(f"/rulesets/{changed.hash}/")

    def test_twenty_five_queries_with_any_number_of_batches(self) -> None:
        # name; ruleset; its names; reading; its records; what rests on what; clauses; anchors; documents;
        # versions so called; solution; ladder, and one that is waited for; batches; their rulesets; their names;
        # titles (two);
        # the figure: which batches there are, whether it is solved, and the batch that is shown;
        # the reading as linked data, its records, and the words of its clauses; the reading as it is cited
        with self.assertNumQueries(25):
            self.client.get(DARAMUTI)
        for seed in range(2, 40):
            request_batch("daramuti-parker", games=5, seed=seed, announce=False)
        with self.assertNumQueries(25):
            self.client.get(DARAMUTI)


@mock.patch("simulator.batches.service.dispatch.notify_of_chunks", nobody_hears)
class PlayFormTests(CatalogueTestCase):
    """The edge of the world is the broker: no worker hears of these batches."""

    def play(self, **changes: str) -> tuple[int, str]:
        response = self.client.post(f"{DARAMUTI}play/", {**WANTED, **changes})
        return response.status_code, response.get("Location", "") or text_of(response)

    def test_a_request_becomes_a_batch_with_its_own_page(self) -> None:
        status, address = self.play()
        assert status == 302
        batch = Batch.objects.get(id=address.split("/")[2])
        asked = (batch.games, batch.seed, batch.players, batch.cap, batch.until, batch.origin)
        assert asked == (50, 7, "random,random", 300, "game", "visitor")
        assert "0 of 50 games are done" in plain(self.page(address))

    def test_who_plays_is_said_and_rounds_are_offered_where_there_are_any(self) -> None:
        assert "Players first player, second player" in plain(self.page(DARAMUTI))
        assert 'name="until"' in self.page(DARAMUTI)
        with mock.patch("catalogue.pages.batch_forms.has_rounds", return_value=False):
            assert 'name="until"' not in self.page(DARAMUTI)
            _, address = self.play(until="round")
        assert Batch.objects.get(id=address.split("/")[2]).until == "game"

    def test_the_first_mistake_has_the_focus_and_stands_beside_its_field(self) -> None:
        _, html = self.play(games="0", cap="0")
        page = BeautifulSoup(html, "lxml")
        assert [one.get("name") for one in page.select("[autofocus]")] == ["games"]
        assert page.select_one("details:has([name=cap])").has_attr("open")
        _, html = self.play(cap="0")
        assert [one.get("name") for one in BeautifulSoup(html, "lxml").select("[autofocus]")] == ["cap"]

    def test_players_are_chosen_from_a_list_or_named(self) -> None:
        page = BeautifulSoup(self.page(DARAMUTI), "lxml")
        offered = {one["value"]: one.get_text() for one in page.select("select[name=players] option")}
        assert offered["random"] == "Random players"
        assert offered["club"] == "Club players, about 1 ms a turn"
        _, address = self.play(players="club", games="1")
        assert Batch.objects.get(id=address.split("/")[2]).players == scale.named(
            shipped.load("daramuti-parker"), "club,club"
        )
        _, address = self.play(other_players="uct:2,random", games="1")
        assert Batch.objects.get(id=address.split("/")[2]).players == "uct:2,random"

    def test_visitors_see_their_own_bounds_and_editors_those_of_the_site(self) -> None:
        most = settings.VISITOR_WORK_PER_HOUR * 2_000 // cost("daramuti-parker", 2_000, 2_000)
        games = BeautifulSoup(self.page(DARAMUTI), "lxml").select_one("[name=games]")
        assert (games["min"], games["max"]) == ("1", str(most))
        _, html = self.play(games="0")
        assert f"must be a whole number from 1 to {most:,}" in plain(html)
        self.client.force_login(member("editor"))
        assert BeautifulSoup(self.page(DARAMUTI), "lxml").select_one("[name=games]")["max"] == "100000000"

    def test_what_it_would_cost_is_told_before_anything_is_played(self) -> None:
        before = Batch.objects.count()
        wanted = {**WANTED, "games": "200000", "players": "greedy", "estimate": "yes"}
        asked = self.client.post(f"{DARAMUTI}play/", wanted, headers={"HX-Request": "true"})
        seconds = cost(ruleset="daramuti-parker", games=200_000, cap=300, players="greedy") / 1e7
        assert f"About {span(seconds)} of a processor for 200,000 games of greedy players" in plain(text_of(asked))
        assert "<html" not in text_of(asked)
        whole = self.client.post(f"{DARAMUTI}play/", wanted)  # without scripts the page comes back
        assert f"About {span(seconds)}" in plain(text_of(whole))
        refused = self.client.post(f"{DARAMUTI}play/", {**wanted, "cap": "0"}, headers={"HX-Request": "true"})
        assert "Cap: must be a whole number" in plain(text_of(refused))
        assert Batch.objects.count() == before

    def test_the_same_request_is_the_same_batch(self) -> None:
        assert self.play() == self.play(players="random,random")
        assert Batch.objects.filter(games=50).count() == 1

    def test_wrong_requests_are_refused_by_name_with_the_nearest_valid_value(self) -> None:
        for changes, words in (
            ({"games": "0"}, "nearest valid value: 1)"),
            ({"games": "-3"}, "nearest valid value: 1)"),
            ({"games": "12.4"}, "nearest valid value: 12)"),
            ({"games": "many"}, "must be a whole number"),
            ({"games": "9" * 19}, "nearest valid value"),
            ({"cap": "0"}, "nearest valid value: 1)"),
            ({"seed": "-1"}, "nearest valid value: 0)"),
            ({"players": "randm"}, "random"),
            ({"players": "uct:many"}, "the nearest is 'uct:"),
            ({"players": "uct:0"}, "the nearest is 1"),
            ({"players": "alpha_beta:99"}, "the nearest is 32"),
            ({"players": "random,random,random"}, "2"),
            ({"until": "dawn"}, "dawn"),
            ({"games": ""}, "required"),
        ):
            before = Batch.objects.count()
            status, html = self.play(**changes)
            field = BeautifulSoup(html, "lxml").find(attrs={"name": next(iter(changes))})
            assert status == 400, changes
            assert field["aria-invalid"] == "true", changes
            assert words in field.find_parent(class_="field").find(class_="errors").get_text(), changes
            assert Batch.objects.count() == before

    def test_players_who_think_are_named_in_words_and_weigh_more(self) -> None:
        status, address = self.play(players="uct:16,random", games="10")
        assert status == 302
        assert Batch.objects.get(id=address.split("/")[2]).players == "uct:16,random"
        page = plain(self.page(address))
        assert f"Players Monte Carlo search, 16 iterations, against random, {ONE_BY_VALUE} uct:16,random" in page
        players, free = "uct:4000,random", settings.VISITOR_WORK_PER_HOUR
        whole, part = (cost(ruleset="daramuti-parker", games=1, cap=cap, players=players) for cap in (2_000, 10))
        assert part < free < whole
        _, html = self.play(players=players, games="1", cap="2000")
        shortest = free * 2_000 // whole
        assert f"one game of up to {shortest} turns between players who think so much, not of 2000" in plain(html)
        most = free // part
        _, html = self.play(players=players, games=str(most + 5), cap="10")
        assert f"visitors may ask for {most} games of up to 10 turns" in plain(html)
        assert self.play(players=players, games=str(most // 2), cap="10")[0] == 302

    def test_several_mistakes_are_named_at_once(self) -> None:
        _, html = self.play(games="0", cap="0")
        assert len(BeautifulSoup(html, "lxml").find_all(class_="errors")) == 2

    @override_settings(VISITOR_WORK_PER_HOUR=ENOUGH)
    def test_a_visitor_who_asked_for_enough_is_told_to_wait(self) -> None:
        most = ENOUGH * 1_000 // cost("daramuti-parker", 1_000, 2_000)
        assert f"up to {most} games an hour of random players with a cap of 2,000 turns" in plain(self.page(DARAMUTI))
        assert self.play(seed="1")[0] == 302
        assert self.play(seed="2")[0] == 302
        response = self.client.post(f"{DARAMUTI}play/", {**WANTED, "seed": "3"})
        assert response.status_code == 429
        assert int(response["Retry-After"]) > 0
        assert "within an hour" in plain(text_of(response))
        assert not Batch.objects.filter(seed=3).exists()

    @override_settings(VISITOR_WORK_PER_HOUR=1)
    def test_an_editor_is_not_bounded(self) -> None:
        self.client.force_login(member("editor"))
        assert self.play()[0] == 302
        assert Batch.objects.get(games=50).origin == Batch.Origin.EDITOR

    def test_the_form_wants_its_token(self) -> None:
        strict = self.client_class(enforce_csrf_checks=True)
        response = strict.post(f"{DARAMUTI}play/", WANTED)
        assert response.status_code == 403
        assert "Please send it again" in text_of(response)

    def test_the_address_of_the_form_leads_back_to_the_ruleset(self) -> None:
        self.assertRedirects(self.client.get(f"{DARAMUTI}play/"), DARAMUTI)

    def test_who_asked_may_cancel_and_nobody_else(self) -> None:
        address = self.play()[1]
        stranger = self.client_class()
        assert "Cancel this batch" not in text_of(stranger.get(address))
        assert stranger.post(f"{address}cancel/").status_code == 403
        assert "Only an editor" in text_of(stranger.post(f"{address}cancel/"))
        assert self.client.get(f"{address}cancel/").status_code == 405
        assert "Cancel this batch" in self.page(address)
        self.client.post(f"{address}cancel/")
        assert "cancelled after 0 of 50 games" in plain(self.page(address))

    def test_a_second_visitor_does_not_own_the_batch_they_were_led_to(self) -> None:
        address = self.play()[1]
        second = self.client_class()
        assert second.post(f"{DARAMUTI}play/", WANTED)["Location"] == address
        assert second.post(f"{address}cancel/").status_code == 403

    def test_an_editor_may_cancel(self) -> None:
        address = self.play()[1]
        other = self.client_class()
        other.force_login(member("editor"))
        assert "Cancel this batch" in text_of(other.get(address))
        assert other.post(f"{address}cancel/").status_code == 302


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
        assert (response["Content-Type"], text_of(response)) == ("image/svg+xml; charset=utf-8", plot.svg)
        again = self.client.get(f"/plots/{self.batch.id}/{plot.kind}.svg", headers={"if-none-match": response["ETag"]})
        assert again.status_code == 304

    def test_every_plot_has_words_and_its_numbers(self) -> None:
        figures = BeautifulSoup(self.page(self.address), "lxml").select("figure.plot")
        assert len(figures) == self.batch.plots.count()
        for figure, plot in zip(figures, self.batch.plots.all(), strict=True):
            assert plot.title in figure.find("img")["alt"]
            assert len(figure.find("tbody").find_all("tr")) == len(plot.table["rows"])
            assert [th.get_text() for th in figure.find_all("th", scope="col")] == plot.table["columns"]

    def test_an_unknown_plot_names_those_there_are(self) -> None:
        assert self.batch.plots.first().kind in self.page(f"/plots/{self.batch.id}/nothing.svg", 404)

    def test_a_running_batch_refreshes_without_a_script_and_says_how_far_it_is(self) -> None:
        batch = request_batch("daramuti-parker", games=200_000, announce=False)
        first = batch.chunks.order_by("number").first()
        batch.chunks.filter(number=0).update(state=Chunk.State.DONE)
        page = BeautifulSoup(self.page(f"/batches/{batch.id}/"), "lxml")
        assert page.find("noscript").find("meta")["http-equiv"] == "refresh"
        assert int(page.find("progress")["value"]) == first.games
        answer = self.client.get(f"/batches/{batch.id}/progress.json").json()
        assert (answer["state"], answer["games_done"]) == ("running", first.games)
        assert self.client.get(f"/batches/{batch.id}/rows.csv").status_code == 409

    def test_the_page_of_a_running_batch_takes_in_how_far_it_is_and_is_loaded_anew_at_the_end(self) -> None:
        batch = request_batch("daramuti-parker", games=200_000, announce=False)
        first = batch.chunks.order_by("number").first()
        polling = BeautifulSoup(self.page(f"/batches/{batch.id}/"), "lxml").find(attrs={"data-hx-trigger": True})
        batch.chunks.filter(number=0).update(state=Chunk.State.DONE)
        response = self.client.get(polling["data-hx-get"], headers={"HX-Request": "true"})
        assert f"{first.games:,} of 200,000 games are done" in plain(text_of(response))
        assert (response["Cache-Control"], "HX-Request" in response["Vary"]) == ("no-store", True)
        Batch.objects.filter(id=batch.id).update(state=Batch.State.CANCELLED)
        assert self.client.get(polling["data-hx-get"], headers={"HX-Request": "true"})["HX-Refresh"] == "true"

    def test_a_finished_batch_does_not_refresh(self) -> None:
        assert BeautifulSoup(self.page(self.address), "lxml").find("meta", attrs={"http-equiv": "refresh"}) is None

    def test_a_batch_too_large_to_keep_its_games_gives_the_command_instead(self) -> None:
        Batch.objects.filter(id=self.batch.id).update(rows_kept=False)
        assert "keeps its tallies only" in self.page(self.address)
        assert "simulate daramuti-parker@1" in self.page(f"{self.address}rows.csv", 404)

    def test_games_of_another_engine_version_say_so(self) -> None:
        assert "which plays some games otherwise" not in self.page(self.address)
        Batch.objects.filter(id=self.batch.id).update(family_version=self.batch.family_version + 1)
        assert f"played by version {self.batch.family_version + 1} of the engine" in plain(self.page(self.address))

    def test_a_failed_batch_shows_what_went_wrong(self) -> None:
        batch = request_batch("daramuti-parker", games=3, announce=False)
        batch.chunks.update(state=Chunk.State.SET_ASIDE, error="OverflowError: too many laps")
        Batch.objects.filter(id=batch.id).update(state=Batch.State.FAILED)
        assert "OverflowError: too many laps" in self.page(f"/batches/{batch.id}/")

    def test_an_unknown_batch_says_how_to_play_it_again(self) -> None:
        assert "plays the same games again" in plain(self.page("/batches/0123456789abcdef/", 404))

    def test_seven_queries(self) -> None:
        # batch and ruleset; names of the ruleset; plots; chunks (progress); readings; titles in words (two)
        with self.assertNumQueries(7):
            self.client.get(self.address)

    def test_the_list_asks_as_many_queries_with_many_batches(self) -> None:
        with CaptureQueriesContext(connection) as few:
            self.page("/batches/")
        for seed in range(2, 52):
            request_batch("daramuti-dlp", games=5, seed=seed, announce=False)
        with self.assertNumQueries(len(few)):
            self.page("/batches/")

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

    def test_the_batch_beside_a_record_is_the_prepared_one_with_the_most_games(self) -> None:
        played_batch("daramuti-parker", seed=2, origin=Batch.Origin.VISITOR)
        page = BeautifulSoup(self.page("/evidence/DLP.Evidence.692/"), "lxml")
        led_to = {link["href"] for link in page.find(id="readings").find_parent("section").find_all("a")}
        assert f"/batches/{self.batch.id}/" in led_to
        assert Ruleset.objects.filter(batches=self.batch).count() == 1
