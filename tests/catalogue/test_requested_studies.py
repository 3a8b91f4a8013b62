"""Studies that visitors ask for by a button: bounded, waited for, and the same as the command's."""

import io
import json
from typing import ClassVar
from unittest import mock

from bs4 import BeautifulSoup
from django.core.management import call_command
from django.core.management.base import OutputWrapper
from django.test import Client, override_settings

from catalogue.analyses import study_plans
from catalogue.analyses.studies import STUDIES
from catalogue.analyses.study_plans import offers_for
from catalogue.models import Answer, Game, Question, Study
from simulator.batches import playing
from simulator.batches.prices import finishing_price, span
from simulator.batches.service import purge_batch
from simulator.management.command_line import play_to_end
from simulator.models import Batch, Chunk, RulesetVersion
from simulator.rulesets import as_engine
from tests.catalogue.members import member
from tests.catalogue.unheard_messages import UnheardMessages

GAME, KEPT_QUESTIONS, RULESETS = "saturankam", ("passing-over", "players"), 6
FORM, WANTED = f"/games/{GAME}/sensitivity/", {"games": "20", "seed": "1"}


class RequestedStudyTests(UnheardMessages):
    form, wanted = FORM, WANTED
    work: ClassVar[int]

    @classmethod
    def setUpTestData(cls) -> None:
        super().setUpTestData()
        Question.objects.filter(game__slug=GAME).exclude(slug__in=KEPT_QUESTIONS).delete()
        cls.work = sum(one.work for one in study_plans.plan(GAME, **WANTED).requests)

    def waiting(self) -> Study:
        self.ask()
        return Study.every.exclude(state="done").get()

    def text(self, address: str) -> str:
        return " ".join(BeautifulSoup(self.page(address), "lxml").get_text().split())

    def test_who_asks_is_led_to_the_study_which_says_how_far_it_is(self) -> None:
        answer = self.ask()
        found = Study.every.exclude(state="done").get()
        assert (answer.status_code, answer["Location"]) == (302, f"/studies/{found.id}/")
        assert {one.origin for one in Batch.objects.filter(id__in=found.batches)} == {"visitor"}
        assert len(found.batches) == RULESETS
        Chunk.objects.filter(batch=found.batches[0]).update(state=Chunk.State.DONE)
        page = BeautifulSoup(self.page(found.get_absolute_url()), "lxml")
        assert page.find("noscript").find("meta")["http-equiv"] == "refresh"
        progress = self.client.get(f"{found.get_absolute_url()}progress.json").json()
        assert "No worker is running" in progress.pop("waits_for")
        assert progress == {"state": "waiting", "games": 120, "games_done": 20, "percent": 16}
        assert (STUDIES.task, (found.id,)) in self.sent

    def test_a_doubled_click_makes_one_study(self) -> None:
        before = Batch.objects.count()
        assert self.ask()["Location"] == self.ask()["Location"] == self.ask(self.client_class())["Location"]
        assert Study.every.exclude(state="done").count() == 1
        assert Batch.objects.count() == before + RULESETS
        assert sum(task == STUDIES.task for task, *_ in self.sent) == 1

    def test_it_has_the_figures_of_the_commands(self) -> None:
        found = self.waiting()
        play_to_end(list(Batch.objects.filter(id__in=found.batches)), True, OutputWrapper(io.StringIO()))
        STUDIES.conclude_task(found.id)
        assert not Study.every.exclude(state="done").exists()
        document = Study.objects.get(id=found.id).document
        assert self.client.get(f"{found.get_absolute_url()}progress.json").json() == {"state": "done"}
        assert document["outcomes"][0]["text"] in self.text(found.get_absolute_url())
        assert self.ask()["Location"] == found.get_absolute_url()  # asked for again, it is there
        assert not Study.every.exclude(state="done").exists()
        Study.objects.all().delete()
        printed = io.StringIO()
        with mock.patch.object(playing, "play_waiting_chunk", side_effect=AssertionError):
            call_command("sensitivity", GAME, "--games", "20", "--inline", "--json", stdout=printed)
        assert json.loads(printed.getvalue()) == document

    def test_too_much_is_refused_with_the_most_there_is(self) -> None:
        before = Batch.objects.count()
        with override_settings(VISITOR_WORK_PER_HOUR=self.work // 2):
            answer = self.ask()
            field = BeautifulSoup(answer.content, "lxml").find(id="id_games_error")
            most = int(field.get_text().split("may ask for ")[1].split()[0])
            assert answer.status_code == 400
            assert 8 <= most <= 10
            assert (Batch.objects.count(), Study.every.exclude(state="done").count()) == (before, 0)
            assert self.ask(games=str(most)).status_code == 302
            left = self.ask(games=str(most), seed="2")
            assert left.status_code == 429
            assert int(left["Retry-After"]) > 3_000

    def test_requests_within_the_hour_count(self) -> None:
        with override_settings(VISITOR_WORK_PER_HOUR=self.work * 3 // 2):
            self.ask()
            before = Batch.objects.count()
            refused = self.ask(seed="2")
            assert refused.status_code == 429
            most = int(refused.content.decode().split("Up to ")[1].split()[0])
            assert 8 <= most <= 10
            assert (Batch.objects.count(), Study.every.exclude(state="done").count()) == (before, 1)
            assert self.ask(seed="2", games=str(most)).status_code == 302

    def test_the_queue_of_all_visitors_is_bounded(self) -> None:
        with override_settings(VISITOR_WORK_QUEUED=self.work - RULESETS):
            assert self.ask().status_code == 429
        assert not Study.every.exclude(state="done").exists()

    def test_editors_are_not_bounded(self) -> None:
        client = Client()
        client.force_login(member("editor"))
        with override_settings(VISITOR_WORK_PER_HOUR=1, VISITOR_WORK_QUEUED=1):
            assert self.ask(client).status_code == 302

    def test_foreign_forms_and_unreadable_values_are_refused(self) -> None:
        assert self.ask(Client(enforce_csrf_checks=True)).status_code == 403
        for sent, words in (({"games": "many"}, "must be a whole number"), ({"seed": "-1"}, "from 0 to")):
            answer = self.ask(**sent)
            assert answer.status_code == 400
            assert words in answer.content.decode()
        assert self.client.post("/games/oware/sensitivity/", WANTED).status_code == 404
        assert not Study.every.exclude(state="done").exists()

    def test_an_estimate_starts_nothing(self) -> None:
        part = self.client.post(FORM, {**WANTED, "games": "40", "estimate": "yes"}, headers={"HX-Request": "true"})
        assert "240 games" in " ".join(part.content.decode().split())
        assert "<form" not in part.content.decode()
        whole = self.client.post(FORM, {**WANTED, "games": "40", "estimate": "yes"})
        assert (whole.status_code, "240 games" in " ".join(whole.content.decode().split())) == (200, True)
        assert not Study.every.exclude(state="done").exists()

    def test_a_worker_that_comes_too_early_looks_again_later(self) -> None:
        found = self.waiting()
        with mock.patch.object(STUDIES.conclude_task, "apply_async") as again:
            STUDIES.conclude_task(found.id)
            STUDIES.conclude_task(found.id, 200)  # it does not look for ever
        assert [call.args for call in again.call_args_list] == [((found.id, 1),)]

    def test_a_study_whose_games_stopped_can_be_requested_again(self) -> None:
        found = self.waiting()
        stopped, lost = Batch.objects.get(id=found.batches[0]), Batch.objects.get(id=found.batches[1])
        Batch.objects.filter(id=stopped.id).update(state=Batch.State.CANCELLED)
        assert f"/batches/{stopped.id}/" in self.page(found.get_absolute_url())
        assert self.client.get(f"{found.get_absolute_url()}progress.json").json()["state"] == "failed"
        Batch.objects.filter(id=stopped.id).update(state=Batch.State.RUNNING)
        purge_batch(lost)
        page = self.page(found.get_absolute_url())
        assert "were thrown away" in page
        assert "http-equiv" not in page
        form = BeautifulSoup(page, "lxml").main.find("form")
        sent = {field["name"]: field["value"] for field in form.find_all("input")}
        assert self.client.post(form["action"], sent)["Location"] == found.get_absolute_url()
        assert self.client.get(f"{found.get_absolute_url()}progress.json").json()["state"] == "waiting"

    def test_changed_questions_make_no_other_study_under_its_id(self) -> None:
        found = self.waiting()
        Batch.objects.filter(id__in=found.batches).update(state=Batch.State.DONE)
        Answer.objects.filter(question__slug="players", question__game__slug=GAME).first().delete()
        STUDIES.conclude_task(found.id)
        assert not Study.objects.exists()
        assert "have changed since" in self.text(found.get_absolute_url())

    def test_pages_offer_a_study_with_what_it_takes(self) -> None:
        offer = offers_for([Game.objects.get(slug=GAME)])[0]
        for address in (f"/games/{GAME}/", "/studies/", FORM):
            page = BeautifulSoup(self.page(address), "lxml")
            form = next(one for one in page.main.find_all("form") if one.get("action") == FORM)
            words = " ".join(form.get_text().split())
            assert f"{offer.all_games:,} games" in words
            assert offer.time in words
            assert form.find("input", {"name": "games"})["value"] == str(offer.games)
            assert all(command.find_parent("details") for command in page.find_all("pre"))
        found = self.waiting()
        for address in (f"/games/{GAME}/", "/studies/", FORM):
            assert found.get_absolute_url() in self.page(address)

    def test_the_estimate_counts_figures_and_plots_of_each_ruleset(self) -> None:
        offer = offers_for([Game.objects.get(slug=GAME)])[0]
        family = as_engine(RulesetVersion.objects.filter(slug__startswith=GAME).first().ruleset).family
        finishing, games = finishing_price(family), offer.rulesets * offer.price
        assert offer.time_of(20) == span((20 * games + offer.rulesets * finishing) / 1e6)
        assert offer.time_of(20) != span(20 * games / 1e6)

    def test_no_study_takes_more_than_its_offer_says(self) -> None:
        for slug in (GAME, "niranchy", "koti-keliya"):
            offer = offers_for([Game.objects.get(slug=slug)])[0]
            planned = study_plans.plan(slug, games=offer.games)
            work = sum(one.work for one in planned.requests)
            assert len(planned.requests) <= offer.rulesets
            assert work <= offer.games * offer.rulesets * offer.price * 10 + offer.rulesets
            assert work <= 200_000_000
