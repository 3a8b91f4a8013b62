"""Studies and ladders that visitors request, by a form or by the API: bounded, waited for, cancelled and computed."""

import io
import json
from typing import Any, ClassVar
from unittest import mock

import pytest
from bs4 import BeautifulSoup
from django.core.cache import cache
from django.core.management import call_command
from django.core.management.base import OutputWrapper
from django.db import connection
from django.test import Client, override_settings
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from catalogue.analyses import study_plans
from catalogue.analyses.studies import STUDIES
from catalogue.models import Answer, Game, Question, Study
from catalogue.web.cancelling import cancel_batch
from catalogue.web.problem_document import RefusedRequest
from simulator.analyses.ladder_matches import check_ladder, doubling
from simulator.analyses.ladders import FEWEST_GAMES, LADDERS, offer_for
from simulator.analyses.protocol import CANCELLED_BY_EDITORS, waiting_for
from simulator.batches import dispatch, playing
from simulator.batches.prices import finishing_price, span
from simulator.batches.service import purge_batch
from simulator.management.command_line import play_to_end
from simulator.models import Batch, Chunk, Ladder, Ruleset, RulesetVersion
from simulator.rulesets import as_engine, find
from tests.api.api_world import API, ApiTestCase, strict_document
from tests.catalogue.members import member
from tests.catalogue.page_world import GAMES, finish, nobody_hears, plain
from tests.simulator.ladder_world import climbed, filled

GAME, QUESTIONS, RULESETS = "saturankam", ("passing-over", "fall-of-the-dice"), 4
NAME = "niranchy-ludovisi"
WON = {("uct:16", "random"): [(0, 1)] * 20, ("random", "uct:16"): [(0, 1)] * 20}
ELSEWHERE = {"REMOTE_ADDR": "203.0.113.9"}


class RequestedTestCase(ApiTestCase):
    """Requests of one kind of analysis, in the API below `path` and by the form of a page.

    body, typed: what is sent there, and what is typed into the form
    another:     changes of `body` that request another one
    component:   of the OpenAPI document, which describes what is waited for
    mistakes:    changes of `body`, and the nearest values, or the one field, that the refusal names
    wrong_forms: changes of `typed`, and words of the refusal
    games:       in all batches of the request
    """

    kind: ClassVar[Any]
    path: ClassVar[str]
    body: ClassVar[dict[str, Any]]
    another: ClassVar[dict[str, Any]]
    component: ClassVar[str]
    form: ClassVar[str]
    typed: ClassVar[dict[str, str]]
    mistakes: ClassVar[tuple[tuple[dict[str, Any], dict[str, Any] | str], ...]]
    wrong_forms: ClassVar[tuple[tuple[dict[str, str], str], ...]]
    games: ClassVar[int]
    work: ClassVar[int]

    def setUp(self) -> None:
        cache.clear()
        self.sent: list[Any] = []
        self.enterContext(mock.patch.object(dispatch, "notify_of_chunks", nobody_hears))
        sender = mock.patch.object(dispatch.current_app, "send_task", lambda *task, **_: self.sent.append(task))
        self.enterContext(sender)

    def page_of(self, row: Any) -> str:
        """The address of the page that shows it."""
        raise NotImplementedError

    def play(self, row: Any) -> None:
        raise NotImplementedError

    def shown_sentence(self, document: dict[str, Any]) -> str:
        raise NotImplementedError

    def post(self, status: int, *, client: Any = None, who: dict[str, str] | None = None, **changes: Any) -> Any:
        body = {name: value for name, value in {**self.body, **changes}.items() if value is not None}
        response = (client or self.client).post(
            f"{API}{self.path}", body, content_type="application/json", **(who or {})
        )
        assert response.status_code == status, response.content
        if status == 202:
            self.is_as_described(self.component, response.json())
        return response

    def requested(self, **changes: Any) -> str:
        """The address of what was requested in the API."""
        return str(self.post(202, **changes)["Location"]).removeprefix("http://testserver")

    def ask(self, client: Any = None, **sent: str) -> Any:
        """The answer to the form."""
        return (client or self.client).post(self.form, {**self.typed, **sent})

    def waiting(self) -> Any:
        self.ask()
        return self.row()

    def row(self) -> Any:
        return self.kind.rows().exclude(state="done").get()

    def nothing_waits(self) -> bool:
        return not self.kind.rows().exclude(state="done").exists()

    def batches(self, row: Any = None) -> Any:
        return Batch.objects.filter(id__in=self.kind.batch_ids(row or self.row())).order_by("id")

    def progress(self, row: Any) -> dict[str, Any]:
        return self.client.get(f"/{self.path}{row.id}/progress.json").json()

    def cancelled(self, address: str, status: int, **who: Any) -> Any:
        response = self.client.post(f"{address}cancel/", content_type="application/json", **who)
        assert response.status_code == status, response.content
        if status == 200:
            self.is_as_described(self.component, response.json())
        return response.json()

    def refused(self, status: int = 400, **changes: Any) -> dict[str, Any]:
        before = self.written()
        answer = self.post(status, **changes).json()
        assert self.written() == before
        return {problem["field"]: problem["nearest"] for problem in answer["problems"]}

    def written(self) -> list[int]:
        return [model.objects.count() for model in (Study, Ladder, Batch, Ruleset)]


class EveryKind:
    """What holds of an analysis of every kind."""

    @pytest.mark.by_turns
    def test_a_request_is_waited_for_under_its_lasting_address(self: Any) -> None:
        # The clock stands still: after ten seconds whoever looks notifies the workers again.
        self.enterContext(mock.patch.object(timezone, "now", return_value=timezone.now()))
        answer = self.post(202)
        said, row = answer.json(), self.row()
        assert answer["Location"] == f"http://testserver{API}{self.path}{row.id}/" == said["url"]
        assert int(answer["Retry-After"]) > 0
        assert (said["id"], said["state"], said["error"]) == (row.id, "waiting", "")
        assert said["progress"]["games"] == self.games
        assert set(self.batches().values_list("origin", flat=True)) == {"visitor"}
        before = self.written()
        for client in (self.client, self.client, self.client_class()):
            assert (click := self.ask(client)).status_code == 302
            assert click["Location"].startswith(self.page_of(row))
        assert self.post(202, who=ELSEWHERE).json()["url"] == said["url"]
        assert self.written() == before
        assert self.sent.count((self.kind.task, (row.id,))) == 1
        again = self.client.get(said["url"])
        assert (again.status_code, again["Retry-After"]) == (202, "5")
        self.is_as_described(self.component, again.json())
        assert self.read(self.path)["count"] == 0

    def test_its_page_says_how_far_it_is(self: Any) -> None:
        row = self.waiting()
        Chunk.objects.filter(batch=self.batches()[0]).update(state=Chunk.State.DONE)
        page = BeautifulSoup(self.page(self.page_of(row)), "lxml")
        assert page.head.find("noscript").meta["http-equiv"] == "refresh"
        progress = self.progress(row)
        assert "No worker is running" in progress.pop("waits_for")
        percent = 100 * 20 // self.games
        assert progress == {"state": "waiting", "games": self.games, "games_done": 20, "percent": percent}

    @pytest.mark.by_turns
    def test_done_it_is_there_and_so_it_is_when_requested_again(self: Any) -> None:
        address, row = self.requested(), self.row()
        self.play(row)
        self.kind.conclude_task(row.id)
        found = self.client.get(address)
        assert (found.status_code, "Retry-After" in found.headers, found.json()["id"]) == (200, False, row.id)
        assert self.shown_sentence(found.json()["document"]) in plain(self.page(self.page_of(row)))
        before, again = self.written(), self.post(200)
        assert (again.json(), again["Location"].endswith(address)) == (found.json(), True)
        assert self.ask().status_code == 302
        assert (self.written(), self.nothing_waits(), self.progress(row)["state"]) == (before, True, "done")
        assert "it is done" in self.cancelled(address, 409)["detail"]

    def test_mistakes_are_named_with_the_nearest_value(self: Any) -> None:
        for changes, nearest in self.mistakes:
            found = self.refused(**changes)
            assert found == nearest or found.keys() == {nearest}, changes
        for body in ("[]", "3", '{"game": '):
            response = self.client.post(f"{API}{self.path}", body, content_type="application/json")
            assert response.status_code == 400

    @pytest.mark.by_turns
    def test_wrong_forms_and_those_of_other_sites_are_refused(self: Any) -> None:
        for sent, words in self.wrong_forms:
            answer = self.ask(**sent)
            assert (answer.status_code, words in plain(answer.content.decode())) == (400, True), sent
        assert self.ask(Client(enforce_csrf_checks=True)).status_code == 403
        strict = Client(enforce_csrf_checks=True)
        strict.force_login(member("editor"))
        self.post(403, client=strict)
        assert self.nothing_waits()

    @pytest.mark.by_turns
    def test_too_much_is_refused_with_the_most_that_fits(self: Any) -> None:
        with override_settings(VISITOR_WORK_PER_HOUR=self.work // 2 + 10):
            before, most = self.written(), self.refused()["games"]
            answer = self.ask()
            assert (answer.status_code, self.written()) == (400, before)
            assert f"visitors may ask for {most:,} games" in plain(answer.content.decode())
            assert self.ask(games=str(most)).status_code == 302
            self.post(202, games=most)
            left = self.post(429, **{"games": most, **self.another})
            assert int(left["Retry-After"]) > 3_000
            full = self.ask(**{"games": str(most), **{name: str(value) for name, value in self.another.items()}})
            assert (full.status_code, int(full["Retry-After"]) > 3_000) == (429, True)
        with override_settings(VISITOR_WORK_QUEUED=1):
            assert self.refused(429, who=ELSEWHERE, **self.another) == {"": None}
        assert self.row()

    def test_editors_are_not_bounded(self: Any) -> None:
        editor = Client()
        editor.force_login(member("editor"))
        with override_settings(VISITOR_WORK_PER_HOUR=1, VISITOR_WORK_QUEUED=1):
            assert self.ask(editor).status_code == 302
            self.post(202, client=editor, **self.another)

    def test_who_requested_it_may_cancel_it_and_run_it_on(self: Any) -> None:
        address, row = self.requested(), self.row()
        assert "only an editor" in self.cancelled(address, 403, **ELSEWHERE)["detail"]
        of_batch = f"{API}batches/{self.batches()[0].id}/"
        assert f"the {self.kind.name} {row.id}" in self.cancelled(of_batch, 409)["detail"]
        answer = self.cancelled(address, 200)
        assert (answer["state"], answer["error"]) == ("cancelled", "It was cancelled.")
        assert set(self.batches().values_list("state", flat=True)) == {"cancelled"}
        assert self.kind.statuses([self.row()])[row.id].state == "cancelled"
        seen = self.client.get(address)
        assert (seen.status_code, seen.json()["state"], "Retry-After" in seen.headers) == (202, "cancelled", False)
        assert "nothing to cancel" in self.cancelled(address, 409)["detail"]
        assert self.client.get(f"{address}cancel/").status_code == 405
        assert self.requested() == address
        assert self.client.get(address).json()["state"] == "waiting"
        assert set(self.batches().values_list("state", flat=True)) == {"running"}

    def test_a_worker_that_comes_too_early_looks_again_later(self: Any) -> None:
        row = self.waiting()
        with mock.patch.object(self.kind.conclude_task, "apply_async") as again:
            self.kind.conclude_task(row.id)
            self.kind.conclude_task(row.id, 200)  # it does not look for ever
        assert [call.args for call in again.call_args_list] == [((row.id, 1),)]

    def test_its_answers_are_described(self: Any) -> None:
        described = strict_document()["paths"]
        for address, method, statuses in (
            ("", "post", {"200", "202", "400", "429"}),
            ("{id}/", "get", {"200", "202", "400", "404"}),
            ("{id}/cancel/", "post", {"200", "403", "404", "409"}),
        ):
            assert described[f"{API}{self.path}{address}"][method]["responses"].keys() >= statuses


class RequestedStudyTests(EveryKind, RequestedTestCase):
    kind, path, component = STUDIES, "studies/", "RequestedStudy"
    body: ClassVar[dict[str, Any]] = {"game": GAME, "games": 20, "seed": 1}
    another: ClassVar[dict[str, Any]] = {"seed": 2}
    form, typed = f"/games/{GAME}/sensitivity/", {"games": "20", "seed": "1"}
    mistakes = (
        ({"game": "saturankan"}, {"game": GAME}),
        ({"game": "oware"}, "game"),
        ({"game": None}, "game"),
        ({"game": ["a"]}, "game"),
        ({"games": 0, "seed": -1}, {"games": 1, "seed": 0}),
        ({"games": "many"}, {"games": 1}),
        ({"players": "randm"}, {"players": None}),  # in words, as of batches
        ({"game_s": 3}, {"game_s": "games"}),
    )
    wrong_forms = (({"games": "many"}, "must be a whole number"), ({"seed": "-1"}, "from 0 to"))
    games = 20 * RULESETS

    @classmethod
    def setUpTestData(cls) -> None:
        super().setUpTestData()
        Question.objects.filter(game__slug=GAME).exclude(slug__in=QUESTIONS).delete()
        cls.work = sum(request.work for request in study_plans.plan(**cls.body).requests)

    def page_of(self, row: Study) -> str:
        return f"/studies/{row.id}/"

    def play(self, row: Study) -> None:
        for place, batch in enumerate(self.batches(row)):
            finish(batch, tuple((turns + place, end, winners) for turns, end, winners in (GAMES * 5)[: batch.games]))

    def shown_sentence(self, document: dict[str, Any]) -> str:
        return str(document["outcomes"][0]["text"])

    def test_it_says_what_was_requested(self) -> None:
        said = self.post(202).json()
        assert said["id"] == study_plans.plan(**self.body).id
        assert (said["games"], said["seed"], said["players"], said["game"]["slug"]) == (20, 1, "random", GAME)
        assert sorted(said["questions"]) == sorted(QUESTIONS)
        assert self.batches().count() == RULESETS

    @pytest.mark.thorough
    def test_it_has_the_figures_of_the_command(self) -> None:
        row = self.waiting()
        play_to_end(list(self.batches(row)), True, OutputWrapper(io.StringIO()))
        STUDIES.conclude_task(row.id)
        document = Study.objects.get(id=row.id).document
        Study.objects.all().delete()
        printed = io.StringIO()
        with mock.patch.object(playing, "play_waiting_chunk", side_effect=AssertionError):
            call_command("sensitivity", GAME, "--games", "20", "--inline", "--json", stdout=printed)
        assert json.loads(printed.getvalue()) == document

    def test_without_a_number_it_has_the_games_the_page_offers(self) -> None:
        (offer,) = study_plans.offers_for([Game.objects.get(slug=GAME)])
        assert self.post(202, games=None).json()["games"] == offer.games > 20
        club = self.post(202, games=None, players="club").json()
        assert (club["games"], club["players"]) == (offer.played_by("club").games, "club")
        assert club["games"] < offer.games

    @pytest.mark.by_turns
    def test_requests_within_the_hour_and_the_queue_count(self) -> None:
        with override_settings(VISITOR_WORK_QUEUED=self.work - RULESETS):
            assert self.ask().status_code == 429
        assert self.nothing_waits()
        with override_settings(VISITOR_WORK_PER_HOUR=self.work * 3 // 2):
            self.ask()
            before = self.written()
            refused = self.ask(seed="2")
            most = int(refused.content.decode().split("Up to ")[1].split()[0])
            assert (refused.status_code, 8 <= most <= 10, self.written()) == (429, True, before)
            assert self.ask(seed="2", games=str(most)).status_code == 302

    @pytest.mark.by_turns
    def test_what_somebody_else_waits_for_goes_on(self) -> None:
        address, row = self.requested(), self.row()
        Batch.objects.filter(id=row.batches[0]).update(shared=True)
        assert self.cancelled(address, 200)["state"] == "cancelled"
        assert "It was cancelled." in self.page(self.page_of(row))
        states = list(self.batches(row).values_list("state", flat=True))
        assert (states.count("running"), states.count("cancelled")) == (1, RULESETS - 1)
        self.requested()
        self.requested(who=ELSEWHERE)
        self.batches(row).update(shared=True)
        assert "somebody else" in self.cancelled(address, 409)["detail"]

    @pytest.mark.by_turns
    def test_editors_give_up_and_lost_games_are_told(self) -> None:
        address, row = self.requested(), self.row()
        STUDIES.cancel(row, CANCELLED_BY_EDITORS)
        seen = self.client.get(address).json()
        assert (seen["state"], seen["error"]) == ("cancelled", "It was cancelled by the editors.")
        self.requested()
        Batch.objects.filter(id=row.batches[0]).update(state=Batch.State.FAILED)
        seen = self.client.get(address).json()
        assert (seen["state"], seen["error"]) == ("failed", f"batch {row.batches[0]} is failed")
        purge_batch(Batch.objects.get(id=row.batches[0]))
        assert self.client.get(address).json()["error"] == "some of its games were thrown away"

    def test_queries_do_not_grow_with_the_batches_of_a_study(self) -> None:
        numbers = []
        for kept in (QUESTIONS, QUESTIONS[:1]):
            Question.objects.filter(game__slug=GAME).exclude(slug__in=kept).delete()
            address = self.requested()
            with CaptureQueriesContext(connection) as queries:
                self.client.get(address)
            numbers.append(len(queries))
        assert numbers[0] == numbers[1] <= 8  # request and game; batches; chunks; open chunks; workers; work
        batches = list(Batch.objects.filter(origin="visitor"))
        with self.assertNumQueries(3):
            assert waiting_for(batches).keys() == {batch.id for batch in batches}

    def test_what_is_played_or_ends_meanwhile_is_not_cancelled(self) -> None:
        address, row = self.requested(), self.row()
        ending = self.batches(row)[0]
        Batch.objects.filter(id=ending.id).update(state=Batch.State.DONE)
        with pytest.raises(RefusedRequest, match="done"):
            cancel_batch(mock.Mock(), ending)
        assert Batch.objects.get(id=ending.id).state == Batch.State.DONE
        self.batches(row).update(state=Batch.State.DONE)
        assert "all its games are played" in self.cancelled(address, 409)["detail"]
        assert self.cancelled(f"{address[:-2]}x/", 404)["status"] == 404

    def test_an_estimate_starts_nothing(self) -> None:
        estimate = {**self.typed, "games": "40", "estimate": "yes"}
        part = self.client.post(self.form, estimate, headers={"HX-Request": "true"})
        assert "160 games" in plain(part.content.decode())
        assert "<form" not in part.content.decode()
        whole = self.client.post(self.form, estimate)
        assert (whole.status_code, "160 games" in plain(whole.content.decode())) == (200, True)
        assert self.client.post("/games/oware/sensitivity/", self.typed).status_code == 404
        assert self.nothing_waits()

    @pytest.mark.by_turns
    def test_a_study_whose_games_stopped_can_be_requested_again(self) -> None:
        row = self.waiting()
        stopped, lost = (Batch.objects.get(id=batch) for batch in row.batches[:2])
        Batch.objects.filter(id=stopped.id).update(state=Batch.State.CANCELLED)
        assert f"/batches/{stopped.id}/" in self.page(self.page_of(row))
        assert self.progress(row)["state"] == "failed"
        Batch.objects.filter(id=stopped.id).update(state=Batch.State.RUNNING)
        purge_batch(lost)
        page = self.page(self.page_of(row))
        assert "were thrown away" in page
        assert "http-equiv" not in page
        form = BeautifulSoup(page, "lxml").main.find("form")
        sent = {field["name"]: field["value"] for field in form.find_all("input")}
        assert self.client.post(form["action"], sent)["Location"] == self.page_of(row)
        assert self.progress(row)["state"] == "waiting"

    def test_changed_questions_make_no_other_study_under_its_id(self) -> None:
        row = self.waiting()
        self.batches(row).update(state=Batch.State.DONE)
        Answer.objects.filter(question__slug="passing-over", question__game__slug=GAME).first().delete()
        STUDIES.conclude_task(row.id)
        assert not Study.objects.exists()
        assert "have changed since" in plain(self.page(self.page_of(row)))

    @pytest.mark.by_turns
    def test_pages_offer_a_study_with_what_it_takes(self) -> None:
        offer = study_plans.offers_for([Game.objects.get(slug=GAME)])[0]
        offering = (f"/games/{GAME}/", "/studies/", self.form)
        for address in offering:
            page = BeautifulSoup(self.page(address), "lxml")
            form = next(tag for tag in page.main.find_all("form") if tag.get("action") == self.form)
            words = " ".join(form.get_text().split())
            assert f"{offer.all_games:,} games" in words
            assert offer.time in words
            assert form.find("input", {"name": "games"})["value"] == str(offer.games)
            assert all(command.find_parent("details") for command in page.find_all("pre"))
        row = self.waiting()
        for address in offering:
            assert self.page_of(row) in self.page(address)

    def test_an_offer_counts_figures_plots_and_no_less_than_it_takes(self) -> None:
        offer = study_plans.offers_for([Game.objects.get(slug=GAME)])[0]
        family = as_engine(RulesetVersion.objects.filter(slug__startswith=GAME).first().ruleset).family
        finishing, games = finishing_price(family), offer.rulesets * offer.price
        assert offer.time_of(20) == span((20 * games + offer.rulesets * finishing) / 1e6)
        assert offer.time_of(20) != span(20 * games / 1e6)
        for slug in (GAME, "niranchy", "koti-keliya"):
            offer = study_plans.offers_for([Game.objects.get(slug=slug)])[0]
            planned = study_plans.plan(slug, games=offer.games)
            work = sum(request.work for request in planned.requests)
            assert len(planned.requests) <= offer.rulesets
            assert work <= offer.games * offer.rulesets * offer.price * 10 + offer.rulesets
            assert work <= 200_000_000


class RequestedLadderTests(EveryKind, RequestedTestCase):
    kind, path, component = LADDERS, "ladders/", "RequestedLadder"
    body: ClassVar[dict[str, Any]] = {"ruleset": NAME, "most": 16, "games": 40}
    another: ClassVar[dict[str, Any]] = {"games": 18}
    form, typed = f"/rulesets/{NAME}/ladder/", {"most": "16", "games": "40"}
    mistakes = (
        ({"ruleset": "niranchy-ludovis"}, {"ruleset": NAME}),
        ({"games": 41}, {"games": 40}),
        ({"games": 0}, "games"),
        ({"most": 3}, {"most": 16}),
        ({"most": "high"}, {"most": 16}),
        ({"rungs": 3}, "rungs"),
    )
    wrong_forms = (
        ({"games": "many"}, "whole number"),
        ({"most": "7"}, "from 16"),
        ({"games": "41"}, "multiple of 2"),
    )
    games = 40
    PAGE = f"/rulesets/{NAME}/"

    @classmethod
    def setUpTestData(cls) -> None:
        super().setUpTestData()
        cls.work = check_ladder(NAME, doubling(most=16), games=40).work

    def page_of(self, row: Ladder) -> str:
        return self.PAGE

    def play(self, row: Ladder) -> None:
        for batch in self.batches(row):
            filled(batch, WON[tuple(batch.players.split(","))])

    def shown_sentence(self, document: dict[str, Any]) -> str:
        return str(document["sentence"])

    @pytest.mark.by_turns
    def test_the_page_offers_a_ladder_and_shows_that_one_waits(self) -> None:
        offer = offer_for(find(NAME))
        form = BeautifulSoup(self.page(self.PAGE), "lxml").find("form", action=self.form)
        assert offer.fits
        words = f"{offer.games} games of each match; about {offer.time} of a processor"
        assert words in " ".join(form.get_text().split())
        sent = {tag["name"]: tag["value"] for tag in form.find_all("input")}
        assert (sent["most"], sent["games"]) == (str(offer.most), str(offer.games))
        assert self.ask()["Location"] == f"{self.PAGE}#ladder"
        assert list(self.batches().values_list("games", flat=True)) == [20, 20]
        page = self.page(self.PAGE)
        assert "Somebody has asked for it: 40 games of each match between 2 players" in plain(page)
        assert f"/ladders/{self.row().id}/progress.json" in page
        assert self.client.get(self.form)["Location"] == self.PAGE

    def test_it_says_what_the_command_says(self) -> None:
        row = self.waiting()
        self.play(row)
        LADDERS.conclude_task(row.id)
        found = Ladder.objects.get(id=row.id).document
        Ladder.objects.all().delete()
        assert {**(climbed(NAME, WON).document or {}), "ruleset": f"{NAME}@1"} == found

    @pytest.mark.by_turns
    def test_without_more_it_is_what_the_page_offers(self) -> None:
        offer, said = offer_for(find(NAME)), self.post(202, most=None, games=None).json()["request"]
        assert (said["rungs"][-1], said["games"]) == (f"uct:{offer.most}", offer.games)
        said = self.post(202).json()["request"]
        assert (said["rungs"], said["games"]) == (["random", "uct:16"], 40)

    @pytest.mark.by_turns
    def test_a_game_too_long_for_visitors_is_said_to_be(self) -> None:
        with override_settings(VISITOR_WORK_PER_HOUR=1_000_000):
            assert 0 < self.refused(games=4_000)["games"] < 4_000
        editor = Client()
        editor.force_login(member("editor"))
        with override_settings(VISITOR_WORK_PER_HOUR=10):
            assert "too long a game for a visitor to ask for: even 24 games" in plain(self.page(self.PAGE))
            assert BeautifulSoup(editor.get(self.PAGE).content, "lxml").find("form", action=self.form)
            too_high = self.ask(games="10")
            assert too_high.status_code == 400
            assert "one game of each match would take" in plain(too_high.content.decode())
        assert self.nothing_waits()

    def test_what_is_offered_fits_and_long_games_get_fewer_rungs(self) -> None:
        for name in (NAME, "sokkattan-dlp", "nine-mens-morris-reference"):
            offer = offer_for(find(name))
            request = check_ladder(name, doubling(most=offer.most), games=offer.games)
            assert offer.rungs == len(request.rungs)
            assert abs(request.work - offer.work) <= len(request.requests)
            assert offer.fits == (offer.work <= 400_000_000)
            assert offer.games >= FEWEST_GAMES

    @pytest.mark.by_turns
    def test_a_ladder_whose_games_stopped_can_be_requested_again(self) -> None:
        row = self.waiting()
        stopped, lost = self.batches(row)
        Batch.objects.filter(id=stopped.id).update(state=Batch.State.CANCELLED)
        assert f"/batches/{stopped.id}/" in self.page(self.PAGE)
        assert self.progress(row)["state"] == "failed"
        self.play(row)
        purge_batch(lost)
        LADDERS.conclude_task(row.id)
        assert "The last that was asked for could not be computed" in plain(self.page(self.PAGE))
        self.ask()
        assert self.progress(row)["state"] == "waiting"
        assert "Somebody has asked for it" in plain(self.page(self.PAGE))
