"""Studies and ladders asked for by the API: as by the button of a page, bounded so, waited for and cancelled."""

from typing import Any, ClassVar
from unittest import mock

import pytest
from django.core.cache import cache
from django.db import connection
from django.test import Client, override_settings
from django.test.utils import CaptureQueriesContext
from jsonschema import Draft202012Validator

from catalogue.analyses import study_plans
from catalogue.analyses.studies import STUDIES
from catalogue.api.jobs import cancel_batch
from catalogue.models import Game, Question, Study
from catalogue.web.problem_document import RefusedRequest
from simulator.analyses.ladders import LADDERS
from simulator.analyses.protocol import CANCELLED_BY_EDITORS, waiting_for
from simulator.batches import dispatch
from simulator.batches.service import purge_batch
from simulator.models import Batch, Ladder, Ruleset
from tests.api.api_world import API, ApiTestCase
from tests.api.test_api_description import strict_document
from tests.catalogue.members import member
from tests.catalogue.page_world import GAMES, finish, nobody_hears
from tests.simulator.ladder_world import filled

GAME, QUESTIONS, RULESETS = "saturankam", ("passing-over", "players"), 6
STUDY: dict[str, Any] = {"game": GAME, "games": 20, "seed": 1}
NAME = "niranchy-ludovisi"
LADDER: dict[str, Any] = {"ruleset": NAME, "most": 16, "games": 40}
WON = {("uct:16", "random"): [(0, 1)] * 20, ("random", "uct:16"): [(0, 1)] * 20}
ELSEWHERE = {"REMOTE_ADDR": "203.0.113.9"}


class AwaitedTestCase(ApiTestCase):
    """path: of the list; wanted: what is sent there; component: that describes what is waited for"""

    path: ClassVar[str]
    wanted: ClassVar[dict[str, Any]]
    component: ClassVar[str]

    def setUp(self) -> None:
        cache.clear()
        self.sent: list[Any] = []
        for place, name in ((dispatch.current_app, "send_task"), (dispatch, "notify_of_chunks")):
            quiet = self.seen if name == "send_task" else nobody_hears
            self.enterContext(mock.patch.object(place, name, quiet))

    def seen(self, *task: Any, **_: Any) -> None:
        self.sent.append(task)

    def post(self, status: int, *, client: Any = None, who: dict[str, str] | None = None, **changes: Any) -> Any:
        body = {name: value for name, value in {**self.wanted, **changes}.items() if value is not None}
        response = (client or self.client).post(
            f"{API}{self.path}", body, content_type="application/json", **(who or {})
        )
        assert response.status_code == status, response.content
        if status == 202:
            self.is_as_described(response.json())
        return response

    def asked(self, **changes: Any) -> str:
        return str(self.post(202, **changes)["Location"]).removeprefix("http://testserver")

    def cancelled(self, address: str, status: int, **who: Any) -> Any:
        response = self.client.post(f"{address}cancel/", **who)
        assert response.status_code == status, response.content
        if status == 200:
            self.is_as_described(response.json())
        return response.json()

    def is_as_described(self, answer: Any) -> None:
        schema = {"$ref": f"#/components/schemas/{self.component}", "components": strict_document()["components"]}
        assert not [error.message for error in Draft202012Validator(schema).iter_errors(answer)]

    def refused(self, status: int = 400, **changes: Any) -> dict[str, Any]:
        before = self.written()
        answer = self.post(status, **changes).json()
        assert self.written() == before
        return {one["field"]: one["nearest"] for one in answer["problems"]}

    def written(self) -> list[int]:
        return [model.objects.count() for model in (Study, Ladder, Batch, Ruleset)]


class StudyRequestTests(AwaitedTestCase):
    path, wanted, component = "studies/", STUDY, "RequestedStudy"

    @classmethod
    def setUpTestData(cls) -> None:
        super().setUpTestData()
        Question.objects.filter(game__slug=GAME).exclude(slug__in=QUESTIONS).delete()

    def play(self) -> Study:
        row = Study.every.exclude(state="done").get()
        for place, batch in enumerate(Batch.objects.filter(id__in=row.batches).order_by("id")):
            finish(batch, tuple((turns + place, end, winners) for turns, end, winners in (GAMES * 5)[: batch.games]))
        return row

    def test_a_study_is_waited_for_under_its_lasting_address(self) -> None:
        planned = study_plans.plan(**STUDY)
        answer = self.post(202)
        assert answer["Location"] == f"http://testserver{API}studies/{planned.id}/" == answer.json()["url"]
        assert int(answer["Retry-After"]) > 0
        said = answer.json()
        assert (said["state"], said["error"], said["games"], said["seed"]) == ("waiting", "", 20, 1)
        assert sorted(said["questions"]) == sorted(QUESTIONS)
        assert (said["players"], said["game"]["slug"]) == ("random", GAME)
        assert said["progress"]["games"] == 20 * RULESETS
        row = Study.every.exclude(state="done").get()
        assert {one.origin for one in Batch.objects.filter(id__in=row.batches)} == {"visitor"}
        page = self.client.post(f"/games/{GAME}/sensitivity/", {"games": "20", "seed": "1"})
        assert page["Location"] == f"/studies/{planned.id}/"
        before = self.written()
        assert self.post(202, who=ELSEWHERE).json()["url"] == said["url"]
        assert self.written() == before
        again = self.client.get(said["url"])
        assert (again.status_code, again["Retry-After"], again.json()["id"]) == (202, "5", planned.id)
        self.is_as_described(again.json())
        assert self.read("studies/")["count"] == 0

    def test_done_it_is_the_study_and_asked_for_again_as_well(self) -> None:
        address = self.asked()
        assert STUDIES.conclude(self.play())
        found = self.client.get(address)
        assert (found.status_code, "Retry-After" in found.headers) == (200, False)
        assert found.json()["document"]["id"] == found.json()["id"] == Study.objects.get().id
        again = self.post(200)
        assert again.json() == found.json()
        assert again["Location"].endswith(address)
        assert not Study.every.exclude(state="done").exists()
        assert "it is done" in self.cancelled(address, 409)["detail"]

    def test_without_a_number_it_has_as_many_games_as_the_page_offers(self) -> None:
        (offer,) = study_plans.offers_for([Game.objects.get(slug=GAME)])
        assert self.post(202, games=None).json()["games"] == offer.games > 20
        club = self.post(202, games=None, players="club").json()
        assert club["games"] == offer.played_by("club").games < offer.games
        assert club["players"] == "club"

    def test_mistakes_are_named_with_the_nearest_value(self) -> None:
        assert self.refused(game="saturankan") == {"game": GAME}
        assert self.refused(game="oware").keys() == {"game"}
        assert self.refused(game=None).keys() == {"game"}
        assert self.refused(games=0, seed=-1) == {"games": 1, "seed": 0}
        assert self.refused(games="many") == {"games": 1}
        assert self.refused(players="randm") == {"players": None}  # in words, as of batches
        assert self.refused(game_s=3) == {"game_s": "games"}
        assert self.refused(game=["a"]).keys() == {"game"}
        for body in ("[]", "3", '{"game": '):
            response = self.client.post(f"{API}studies/", body, content_type="application/json")
            assert response.status_code == 400

    def test_it_is_bounded_as_the_button_is(self) -> None:
        work = sum(one.work for one in study_plans.plan(**STUDY).requests)
        with override_settings(VISITOR_WORK_PER_HOUR=work // 2):
            most = self.refused()["games"]
            assert 8 <= most <= 10
            self.post(202, games=most)
            left = self.post(429, games=most, seed=2)
            assert int(left["Retry-After"]) > 3_000
        with override_settings(VISITOR_WORK_QUEUED=1):
            assert self.refused(429, seed=3, who=ELSEWHERE) == {"": None}
        editor = Client()
        editor.force_login(member("editor"))
        with override_settings(VISITOR_WORK_PER_HOUR=1, VISITOR_WORK_QUEUED=1):
            self.post(202, seed=4, client=editor)

    def test_who_asked_may_cancel_it_and_asked_for_again_it_goes_on(self) -> None:
        address = self.asked()
        assert "only an editor" in self.cancelled(address, 403, **ELSEWHERE)["detail"]
        answer = self.cancelled(address, 200)
        assert (answer["state"], answer["error"]) == ("cancelled", "It was cancelled.")
        row = Study.every.exclude(state="done").get()
        assert set(Batch.objects.filter(id__in=row.batches).values_list("state", flat=True)) == {"cancelled"}
        assert STUDIES.statuses([row])[row.id].state == "cancelled"
        assert "It was cancelled." in self.page(row.get_absolute_url())
        seen = self.client.get(address)
        assert (seen.status_code, seen.json()["state"], "Retry-After" in seen.headers) == (202, "cancelled", False)
        assert "nothing to cancel" in self.cancelled(address, 409)["detail"]
        assert self.client.get(f"{address}cancel/").status_code == 405
        assert self.asked() == address
        assert self.client.get(address).json()["state"] == "waiting"

    def test_what_somebody_else_waits_for_goes_on(self) -> None:
        address = self.asked()
        row = Study.every.exclude(state="done").get()
        batch = Batch.objects.get(id=row.batches[0])
        assert f"the study {row.id}" in self.cancelled(f"{API}batches/{batch.id}/", 409)["detail"]
        Batch.objects.filter(id=batch.id).update(shared=True)
        assert self.cancelled(address, 200)["state"] == "cancelled"
        states = list(Batch.objects.filter(id__in=row.batches).values_list("state", flat=True))
        assert (states.count("running"), states.count("cancelled")) == (1, RULESETS - 1)
        self.asked()
        self.asked(who=ELSEWHERE)
        Batch.objects.filter(id__in=row.batches).update(shared=True)
        assert "somebody else" in self.cancelled(address, 409)["detail"]

    def test_editors_give_up_and_lost_games_are_told(self) -> None:
        address = self.asked()
        row = Study.every.exclude(state="done").get()
        STUDIES.cancel(row, CANCELLED_BY_EDITORS)
        seen = self.client.get(address).json()
        assert (seen["state"], seen["error"]) == ("cancelled", "It was cancelled by the editors.")
        self.asked()
        Batch.objects.filter(id=row.batches[0]).update(state=Batch.State.FAILED)
        seen = self.client.get(address).json()
        assert (seen["state"], seen["error"]) == ("failed", f"batch {row.batches[0]} is failed")
        purge_batch(Batch.objects.get(id=row.batches[0]))
        assert self.client.get(address).json()["error"] == "some of its games were thrown away"

    def test_queries_do_not_grow_with_the_batches_of_a_study(self) -> None:
        numbers = []
        for kept in (QUESTIONS, QUESTIONS[:1]):
            Question.objects.filter(game__slug=GAME).exclude(slug__in=kept).delete()
            address = self.asked()
            with CaptureQueriesContext(connection) as queries:
                self.client.get(address)
            numbers.append(len(queries))
        assert numbers[0] == numbers[1] <= 8  # request and game; batches; chunks; open chunks; workers; work
        batches = list(Batch.objects.filter(origin="visitor"))
        with self.assertNumQueries(3):
            assert waiting_for(batches).keys() == {one.id for one in batches}

    def test_a_batch_that_ends_while_it_is_cancelled_stays_done(self) -> None:
        self.asked()
        seen = Batch.objects.filter(origin="visitor")[0]
        Batch.objects.filter(id=seen.id).update(state=Batch.State.DONE)
        with pytest.raises(RefusedRequest, match="done"):
            cancel_batch(mock.Mock(), seen)
        assert Batch.objects.get(id=seen.id).state == Batch.State.DONE

    def test_what_is_all_played_cannot_be_cancelled(self) -> None:
        address = self.asked()
        Batch.objects.update(state=Batch.State.DONE)
        assert "all its games are played" in self.cancelled(address, 409)["detail"]
        assert self.cancelled(f"{address[:-2]}x/", 404)["status"] == 404

    def test_a_form_of_another_site_with_a_session_is_refused(self) -> None:
        strict = Client(enforce_csrf_checks=True)
        strict.force_login(member("editor"))
        assert self.post(403, client=strict)
        assert not Study.every.exclude(state="done").exists()


class LadderRequestTests(AwaitedTestCase):
    path, wanted, component = "ladders/", LADDER, "RequestedLadder"

    def test_it_is_the_ladder_of_the_page_waited_for_and_done(self) -> None:
        answer = self.post(202)
        said, row = answer.json(), Ladder.objects.get(state="waiting")
        assert answer["Location"] == f"http://testserver{API}ladders/{row.id}/"
        assert (said["state"], said["request"]["rungs"], said["request"]["games"]) == (
            "waiting",
            ["random", "uct:16"],
            40,
        )
        assert said["progress"]["games"] == 40
        before = self.written()
        self.client.post(f"/rulesets/{NAME}/ladder/", {"most": "16", "games": "40"})
        assert self.post(202, who=ELSEWHERE).json()["url"] == said["url"]
        assert self.written() == before
        seen = self.client.get(said["url"])
        assert (seen.status_code, seen["Retry-After"]) == (202, "5")
        for batch in Batch.objects.filter(id__in=requests_of(row)):
            filled(batch, WON[tuple(batch.players.split(","))])
        assert LADDERS.conclude_waiting(row.id)
        found = self.client.get(said["url"])
        assert (found.status_code, found.json()["id"]) == (200, row.id)
        assert found.json()["document"]
        assert self.post(200).json() == found.json()
        assert "it is done" in self.cancelled(f"{API}ladders/{row.id}/", 409)["detail"]

    def test_without_more_it_is_what_the_page_offers(self) -> None:
        from simulator.analyses.ladders import offer_for
        from simulator.rulesets import find

        offer, said = offer_for(find(NAME)), self.post(202, most=None, games=None).json()["request"]
        assert (said["rungs"][-1], said["games"]) == (f"uct:{offer.most}", offer.games)

    def test_mistakes_are_named_with_the_nearest_value(self) -> None:
        assert self.refused(ruleset="niranchy-ludovis") == {"ruleset": NAME}
        assert self.refused(games=41) == {"games": 40}
        assert self.refused(games=0).keys() == {"games"}
        assert self.refused(most=3) == {"most": 16}
        assert self.refused(most="high") == {"most": 16}
        assert self.refused(rungs=3).keys() == {"rungs"}
        with override_settings(VISITOR_WORK_PER_HOUR=1_000_000):
            assert 0 < self.refused(games=4_000)["games"] < 4_000

    def test_it_is_cancelled_as_a_study_is(self) -> None:
        address = self.asked()
        assert self.cancelled(address, 403, **ELSEWHERE)
        batch = Batch.objects.get(id=next(iter(requests_of(Ladder.objects.get()))))
        assert "the ladder" in self.cancelled(f"{API}batches/{batch.id}/", 409)["detail"]
        assert self.cancelled(address, 200)["state"] == "cancelled"
        batch.refresh_from_db()
        assert batch.state == "cancelled"
        assert self.client.get(address).json()["error"] == "It was cancelled."
        assert "the ladder is failed" in self.cancelled(address, 409)["detail"]
        assert self.asked() == address
        batch.refresh_from_db()
        assert (batch.state, self.client.get(address).json()["state"]) == ("running", "waiting")


def requests_of(row: Ladder) -> Any:
    return LADDERS.batch_ids(row)


@pytest.mark.parametrize("kind", ["studies", "ladders"])
def test_both_are_described_with_their_answers(kind: str) -> None:
    described = strict_document()["paths"]
    assert described[f"/api/v1/{kind}/"]["post"]["responses"].keys() >= {"200", "202", "400", "429"}
    assert described[f"/api/v1/{kind}/{{id}}/"]["get"]["responses"].keys() >= {"200", "202", "400", "404"}
    assert described[f"/api/v1/{kind}/{{id}}/cancel/"]["post"]["responses"].keys() >= {"200", "403", "404", "409"}
