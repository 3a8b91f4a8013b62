"""Ladders that visitors ask for by a button: bounded, waited for, and the same as the command's."""

from typing import Any
from unittest import mock

from bs4 import BeautifulSoup
from django.test import Client, override_settings

from simulator.analyses.ladder_matches import check_ladder, doubling
from simulator.analyses.ladders import FEWEST_GAMES, LADDERS, offer_for
from simulator.batches.service import purge_batch
from simulator.models import Batch, Chunk, Ladder
from simulator.rulesets import find
from tests.catalogue.members import member
from tests.catalogue.page_world import plain
from tests.catalogue.unheard_messages import UnheardMessages
from tests.simulator.ladder_world import climbed, filled

NAME = "niranchy-ludovisi"
PAGE, FORM = f"/rulesets/{NAME}/", f"/rulesets/{NAME}/ladder/"
WANTED = {"most": "16", "games": "40"}
WON = {("uct:16", "random"): [(0, 1)] * 20, ("random", "uct:16"): [(0, 1)] * 20}


class RequestedLadderTests(UnheardMessages):
    form, wanted = FORM, WANTED

    def waiting(self) -> Ladder:
        self.ask()
        return Ladder.objects.exclude(state=Ladder.State.DONE).get()

    def batches(self) -> Any:
        return Batch.objects.filter(ruleset=find(NAME).hash)

    def play(self) -> None:
        for batch in self.batches():
            filled(batch, WON[tuple(batch.players.split(","))])

    def state(self, row: Ladder) -> str:
        return str(self.client.get(f"/ladders/{row.id}/progress.json").json()["state"])

    def test_the_page_offers_a_ladder_and_shows_its_progress(self) -> None:
        offer = offer_for(find(NAME))
        form = BeautifulSoup(self.page(PAGE), "lxml").find("form", action=FORM)
        assert offer.fits
        assert f"{offer.games} games of each match; about {offer.time} of a processor" in " ".join(
            form.get_text().split()
        )
        sent = {one["name"]: one["value"] for one in form.find_all("input")}
        assert (sent["most"], sent["games"]) == (str(offer.most), str(offer.games))
        answer = self.ask()
        assert (answer.status_code, answer["Location"]) == (302, f"{PAGE}#ladder")
        assert set(self.batches().values_list("origin", "games")) == {("visitor", 20)}
        row = Ladder.objects.get(state="waiting")
        Chunk.objects.filter(batch=self.batches()[0]).update(state=Chunk.State.DONE)
        page = self.page(PAGE)
        assert "Somebody has asked for it: 40 games of each match between 2 players" in plain(page)
        assert f"/ladders/{row.id}/progress.json" in page
        assert BeautifulSoup(page, "lxml").head.find("noscript").meta["http-equiv"] == "refresh"
        progress = self.client.get(f"/ladders/{row.id}/progress.json").json()
        assert (progress["state"], progress["games"], progress["games_done"]) == ("waiting", 40, 20)
        assert (LADDERS.task, (row.id,)) in self.sent

    def test_a_doubled_click_makes_one(self) -> None:
        self.ask()
        self.ask(self.client_class())
        assert Ladder.objects.filter(state="waiting").count() == 1
        assert self.batches().count() == 2

    def test_it_says_what_the_command_says(self) -> None:
        row = self.waiting()
        self.play()
        LADDERS.conclude_task(row.id)
        found = Ladder.objects.get(id=row.id).document
        assert self.state(row) == "done"
        assert found["sentence"] in plain(self.page(PAGE))
        Ladder.objects.all().delete()
        assert found["ruleset"] == f"{NAME}@1"
        assert {**(climbed(NAME, WON).document or {}), "ruleset": f"{NAME}@1"} == found
        before = Batch.objects.count()
        assert self.ask().status_code == 302  # it is there
        assert (Ladder.objects.count(), Batch.objects.count()) == (1, before)

    def test_a_worker_that_comes_too_early_looks_again_later(self) -> None:
        row = self.waiting()
        with mock.patch.object(LADDERS.conclude_task, "apply_async") as again:
            LADDERS.conclude_task(row.id)
            LADDERS.conclude_task(row.id, 200)  # it does not look for ever
        assert [call.args for call in again.call_args_list] == [((row.id, 1),)]

    def test_too_much_is_refused_with_what_would_fit(self) -> None:
        work = check_ladder(NAME, doubling(most=16), games=40).work
        with override_settings(VISITOR_WORK_PER_HOUR=work // 2 + 10):
            answer = self.ask()
            assert answer.status_code == 400
            assert "visitors may ask for 20 games of each match of this ladder, not for 40" in plain(
                answer.content.decode()
            )
            assert not self.batches().exists()
            assert self.ask(games="20").status_code == 302
            full = self.ask(games="18")
            assert (full.status_code, int(full["Retry-After"]) > 3_000) == (429, True)
        assert Ladder.objects.filter(state="waiting").count() == 1

    def test_a_game_too_long_for_visitors_is_said_to_be(self) -> None:
        with override_settings(VISITOR_WORK_PER_HOUR=10):
            assert "too long a game for a visitor to ask for: even 24 games" in plain(self.page(PAGE))
            too_high = self.ask(games="10")
            assert too_high.status_code == 400
            assert "one game of each match would take" in plain(too_high.content.decode())
        assert not Ladder.objects.filter(state="waiting").exists()

    def test_what_is_offered_fits_and_long_games_get_fewer_rungs(self) -> None:
        for name in (NAME, "sokkattan-dlp", "nine-mens-morris-reference"):
            offer = offer_for(find(name))
            request = check_ladder(name, doubling(most=offer.most), games=offer.games)
            assert offer.rungs == len(request.rungs)
            assert abs(request.work - offer.work) <= len(request.requests)
            assert offer.fits == (offer.work <= 400_000_000)
            assert offer.games >= FEWEST_GAMES

    def test_editors_are_not_bounded(self) -> None:
        client = Client()
        client.force_login(member("editor"))
        with override_settings(VISITOR_WORK_PER_HOUR=1, VISITOR_WORK_QUEUED=1):
            assert BeautifulSoup(client.get(PAGE).content, "lxml").find("form", action=FORM)
            assert self.ask(client).status_code == 302

    def test_unreadable_values_and_foreign_forms_are_refused(self) -> None:
        for sent, words in (
            ({"games": "many"}, "whole number"),
            ({"most": "7"}, "from 16"),
            ({"games": "41"}, "multiple of 2"),
        ):
            answer = self.ask(**sent)
            assert answer.status_code == 400
            assert words in plain(answer.content.decode())
        assert self.ask(Client(enforce_csrf_checks=True)).status_code == 403
        assert self.client.get(FORM)["Location"] == PAGE
        assert not Ladder.objects.filter(state="waiting").exists()

    def test_a_ladder_whose_games_stopped_can_be_requested_again(self) -> None:
        row = self.waiting()
        stopped, lost = self.batches()
        Batch.objects.filter(id=stopped.id).update(state=Batch.State.CANCELLED)
        assert f"/batches/{stopped.id}/" in self.page(PAGE)
        assert self.state(row) == "failed"
        self.play()
        purge_batch(lost)
        LADDERS.conclude_task(row.id)
        assert "The last that was asked for could not be computed" in plain(self.page(PAGE))
        self.ask()
        assert self.state(row) == "waiting"
        assert "Somebody has asked for it" in plain(self.page(PAGE))
