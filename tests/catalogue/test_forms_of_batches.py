"""The form that has games played: what it offers, what it refuses and in which words, and who may cancel."""

from unittest import mock

import pytest
from bs4 import BeautifulSoup
from django.conf import settings
from django.test import override_settings

from simulator.batches import levels
from simulator.batches.prices import span
from simulator.engine import shipped
from simulator.engine.players.wording import ONE_BY_VALUE
from simulator.models import Batch
from tests.builders import cost
from tests.catalogue.members import member
from tests.catalogue.page_world import CatalogueTestCase, nobody_hears, plain, text_of
from tests.choice import half_of_the_day

WANTED = {"games": "50", "seed": "7", "players": "random", "cap": "300", "until": "game"}
ENOUGH = int(2.5 * cost("daramuti-parker", 50, 300))  # for two batches
DARAMUTI = "/rulesets/daramuti-parker/"


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

    def test_players_are_named_and_rounds_offered_where_there(self) -> None:
        assert "Players first player, second player" in plain(self.page(DARAMUTI))
        assert 'name="until"' in self.page(DARAMUTI)
        with mock.patch("simulator.batches.requests.has_rounds", return_value=False), self.client.fresh():
            assert 'name="until"' not in self.page(DARAMUTI)
            _, address = self.play(until="round")
        assert Batch.objects.get(id=address.split("/")[2]).until == "game"

    @pytest.mark.by_turns
    def test_the_first_mistake_has_the_focus_beside_its_field(self) -> None:
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
        assert Batch.objects.get(id=address.split("/")[2]).players == levels.resolve_players(
            shipped.load("daramuti-parker"), "club,club"
        )
        _, address = self.play(other_players="uct:2,random", games="1")
        assert Batch.objects.get(id=address.split("/")[2]).players == "uct:2,random"

    @pytest.mark.by_turns
    def test_visitors_see_their_bounds_and_editors_the_sites(self) -> None:
        most = settings.VISITOR_WORK_PER_HOUR * 2_000 // cost("daramuti-parker", 2_000, 2_000)
        games = BeautifulSoup(self.page(DARAMUTI), "lxml").select_one("[name=games]:not([type=hidden])")
        assert (games["min"], games["max"]) == ("1", str(most))
        _, html = self.play(games="0")
        assert f"must be a whole number from 1 to {most:,}" in plain(html)
        self.client.force_login(member("editor"))
        assert (
            BeautifulSoup(self.page(DARAMUTI), "lxml").select_one("[name=games]:not([type=hidden])")["max"]
            == "100000000"
        )

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

    @pytest.mark.by_turns
    def test_wrong_requests_are_refused_with_the_nearest_value(self) -> None:
        mistakes = (
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
        )
        for changes, words in half_of_the_day(mistakes):
            before = Batch.objects.count()
            status, html = self.play(**changes)
            field = BeautifulSoup(html, "lxml").select_one(f"[name={next(iter(changes))}]:not([type=hidden])")
            assert status == 400, changes
            assert field["aria-invalid"] == "true", changes
            assert words in field.find_parent(class_="field").find(class_="errors").get_text(), changes
            assert Batch.objects.count() == before

    @pytest.mark.by_turns
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

    @pytest.mark.by_turns
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

    def test_a_second_visitor_does_not_own_the_batch(self) -> None:
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
