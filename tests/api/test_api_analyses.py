"""Comparisons, studies, ladders and solutions in the API, and cancelling. No worker hears of what is requested."""

import json
from typing import Any, ClassVar
from unittest import mock

import pytest
from django.http import HttpResponse
from django.test import override_settings

from catalogue.analyses.study_figures import summary_of
from catalogue.models import Comparison, Game, Study
from simulator.batches import dispatch
from simulator.batches.service import request_batch
from simulator.engine.family import family
from simulator.models import Batch, Ladder, Ruleset, RulesetVersion, Solution
from simulator.rulesets import find
from tests.api.api_world import API, ApiTestCase
from tests.builders import SOLUTION_FILES, cost
from tests.catalogue.comparison_world import PAIR, a_comparison, no_message
from tests.catalogue.page_world import nobody_hears, plain
from tests.every_address import a_study

WANTED = {"rulesets": list(PAIR), "games": 50, "seed": 7, "cap": 300, "margins": {"shares": 0.01}}


class ComparisonTests(ApiTestCase):
    row: ClassVar[Comparison]

    @classmethod
    def setUpTestData(cls) -> None:
        super().setUpTestData()
        cls.row = a_comparison()

    def test_a_finished_comparison_is_answered_whole(self) -> None:
        row = self.row
        found = self.read(f"comparisons/{row.id}/")
        assert found["state"] == "done"
        assert [one["name"] for one in found["compared"]] == list(PAIR)
        document = found["document"]
        assert document["pairs"] == row.document["pairs"]
        assert any(side["clause"] for rule in document["rules"] for side in rule["sides"])
        assert found["sentences"] == [pair["sentence"] for pair in document["pairs"]]
        assert self.client.get(found["curves"]).status_code == 200
        for one in found["compared"]:
            assert self.client.get(one["batch_url"]).json()["id"] == one["batch"]

    def test_every_row_is_as_it_is_described(self) -> None:
        row = self.row
        self.is_as_described("PaginatedComparisonList", self.read("comparisons/"))
        self.is_as_described("WholeComparison", self.read(f"comparisons/{row.id}/"))

    @pytest.mark.by_turns
    def test_the_list_is_narrowed_and_asks_as_many_queries_for_many(self) -> None:
        row = self.row
        for narrowed, count in (
            (f"ruleset={PAIR[0]}", 1),
            ("ruleset=kalah-reference", 0),
            ("state=done", 1),
            ("state=waiting", 0),
        ):
            assert self.read(f"comparisons/?{narrowed}")["count"] == count, narrowed
        few = self.queries("comparisons/")
        for number in range(20):
            other = Comparison.objects.create(
                id=f"{number:016x}", names=row.names, margins=row.margins, bootstrap_seed=1, version=1
            )
            for compared in row.compared.all():
                other.compared.create(batch=compared.batch, place=compared.place)
        assert self.queries("comparisons/") == few
        assert self.nearest(f"comparisons/{row.id[:-1]}x/", 404)


@mock.patch("simulator.batches.service.dispatch.notify_of_chunks", nobody_hears)
@mock.patch.object(dispatch.current_app, "send_task", no_message)
class RequestTests(ApiTestCase):
    def send(self, body: Any) -> HttpResponse:
        return self.client.post(f"{API}comparisons/", json.dumps(body), content_type="application/json")

    def refused(self, **changes: Any) -> dict[str, Any]:
        before = (Batch.objects.count(), Comparison.objects.count())
        response = self.send({**WANTED, **changes})
        assert response.status_code == 400, (changes, response.content)
        assert (Batch.objects.count(), Comparison.objects.count()) == before
        return {problem["field"]: problem["nearest"] for problem in response.json()["problems"]}

    def test_the_same_request_is_the_same_comparison(self) -> None:
        first = self.send(WANTED)
        assert (first.status_code, first["Retry-After"]) == (201, "5")
        answer = first.json()
        assert answer["margins"] == {"shares": 0.01, "amounts": 0.05}
        assert (answer["state"], answer["document"], answer["curves"]) == ("waiting", None, None)
        none = "No worker is running: games are played when one is started."
        assert answer["progress"] == {"games": 100, "games_done": 0, "percent": 0, "waits_for": none}
        again = self.send({**WANTED, "players": "random,random"})
        assert (again.status_code, again.json()["id"]) == (200, answer["id"])
        assert self.client.get(first["Location"]).json() == answer

    def test_what_is_wrong_is_named_with_the_nearest_valid_value(self) -> None:
        for changes, nearest in (
            ({"games": 0}, {"games": 1}),
            ({"rulesets": ["daramuti-parker", "daramuti-ludi"]}, {"rulesets": "daramuti-ludii"}),
            ({"rulesets": ["daramuti-parker"]}, {"rulesets": None}),
            ({"rulesets": "daramuti-parker"}, {"rulesets": None}),
            ({"margins": {"share": 0.1}}, {"margins": "shares"}),
            ({"margins": {"shares": 3}}, {"margins.shares": 1.0}),
            ({"margins": {"shares": [1]}}, {"margins.shares": 0.02}),
            ({"bootstrap_seed": -1}, {"bootstrap_seed": 0}),
            ({"set": {"relay": "off"}}, {"set": "seed"}),
            ({"ruleset": "daramuti-parker"}, {"ruleset": "rulesets"}),
        ):
            assert self.refused(**changes) == nearest, changes

    @override_settings(VISITOR_WORK_PER_HOUR=int(1.2 * max(cost(name, 50, 300) for name in PAIR)))
    def test_a_visitor_is_bounded_by_all_the_batches_together(self) -> None:
        before = Batch.objects.count()
        response = self.send(WANTED)  # one of them would do
        assert response.status_code == 429
        assert int(response["Retry-After"]) > 0
        assert Batch.objects.count() == before


OUTCOME: dict[str, Any] = {"key": "turns", "title": "Turns", "unit": "turns", "text": "All is one.", "questions": []}
DOCUMENT = {
    "id": "00112233445566aa", "game": "daramuti", "base": "daramuti-parker", "complete": False, "combinations": 128,
    "size": 500,
    "games": 100, "seed": 1, "players": "random", "questions": [{"slug": "opposite-puta"}], "outcomes": [OUTCOME],
    "cells": [], "until": "game", "not_varied": [], "withheld": "",
}  # fmt: skip
PLOT = {"kind": "doubts-turns", "title": "T", "description": "D", "svg": "<svg/>", "table": {"columns": [], "rows": []}}


class StudyTests(ApiTestCase):
    study: ClassVar[Study]

    @classmethod
    def setUpTestData(cls) -> None:
        super().setUpTestData()
        game = Game.objects.get(slug="daramuti")
        summary = summary_of(DOCUMENT)
        cls.study = Study.objects.create(
            id=DOCUMENT["id"], state="done", game=game, document=DOCUMENT, summary=summary, plots=[PLOT]
        )

    def test_the_list_says_what_was_varied_and_found(self) -> None:
        (row,) = self.read("studies/")["results"]
        assert row["id"] == "00112233445566aa"
        assert row["game"]["slug"] == "daramuti"
        assert row["questions"] == ["opposite-puta"]
        assert row["sentences"] == {"Turns": "All is one."}
        assert row["page"] == "http://testserver/studies/00112233445566aa/"
        assert "document" not in row
        assert "in 70 to 100 of 100 samples" in row["limits"]
        Study.objects.update(summary={**self.study.summary, "complete": True})
        assert self.read("studies/")["results"][0]["limits"] == ""
        assert self.queries("studies/") == 2

    def test_one_study_is_whole_with_the_addresses_of_its_plots(self) -> None:
        answer = self.read("studies/00112233445566aa/")
        assert answer["document"] == DOCUMENT
        (plot,) = answer["plots"]
        assert self.client.get(plot["url"]).content == b"<svg/>"

    @pytest.mark.by_turns
    def test_rows_are_as_they_are_described(self) -> None:
        self.is_as_described("PaginatedStudyList", self.read("studies/"))
        self.is_as_described("WholeStudy", self.read(f"studies/{a_study().id}/"))

    def test_studies_of_a_game(self) -> None:
        assert self.count("studies/?game=daramuti") == 1
        assert self.count("studies/?game=puhulmutu") == 0
        assert self.nearest("studies/?game=daramutti") == {"game": "daramuti"}
        assert self.nearest("studies/00112233445566ab/", 404) == {"id": "00112233445566aa"}


PUHULMUTU = "DLP.Evidence.1386"


class LadderAndSolutionTests(ApiTestCase):
    ruleset: ClassVar[Ruleset]

    @classmethod
    def setUpTestData(cls) -> None:
        super().setUpTestData()
        cls.ruleset = RulesetVersion.objects.get(slug="daramuti-parker").ruleset
        content = {"rungs": ["random", "uct:16"], "games": 2, "seed": 1, "cap": 9, "until": "game"}
        Ladder.objects.create(id="ab" * 8, ruleset=cls.ruleset, request=content, document={"a": 1}, state="done")
        Ladder.objects.create(id="cd" * 8, ruleset=cls.ruleset, request=content)
        version = family("sowing").rules_version
        Solution.objects.create(ruleset=cls.ruleset, family_version=version, document={"b": 2}, state="done")

    def test_ladders_that_were_climbed(self) -> None:
        (row,) = self.read("ladders/?ruleset=daramuti-parker")["results"]
        assert row == self.read(f"ladders/{'ab' * 8}/") == self.client.get(row["url"]).json()
        assert (row["document"], row["ruleset"]["name"]) == ({"a": 1}, "daramuti-parker@1")
        assert row["command"].startswith("manage.py ladder daramuti-parker@1 --rungs random,uct:16 --games 2")
        assert self.count("ladders/?ruleset=daramuti-ludii") == 0
        assert self.read(f"ladders/{'cd' * 8}/", 202)["state"] == "failed"  # it waits for games that are not there
        assert self.nearest(f"ladders/{'ef' * 8}/", 404).keys() == {"id"}

    def test_solutions_that_were_found(self) -> None:
        rows = {row["hash"]: row for row in self.read("solutions/")["results"]}
        row = rows.pop(self.ruleset.hash)
        names = {one["ruleset"]["name"].partition("@")[0] for one in rows.values()}
        assert names == {file.stem for file in SOLUTION_FILES}  # those that are shipped
        assert row == self.read(f"solutions/{self.ruleset.hash}/") == self.client.get(row["url"]).json()
        assert (row["document"], row["is_of_this_engine"]) == ({"b": 2}, True)
        assert self.count(f"solutions/?ruleset={self.ruleset.hash[:9]}") == 1
        assert self.nearest("solutions/?ruleset=daramuti-parkr") == {"ruleset": "daramuti-parker"}


ASKED = {"ruleset": "daramuti-parker", "games": 50, "seed": 7}
ELSEWHERE = {"REMOTE_ADDR": "203.0.113.9"}


class CancellingTests(ApiTestCase):
    def setUp(self) -> None:
        self.enterContext(mock.patch.object(dispatch, "notify_of_chunks", nobody_hears))
        self.enterContext(mock.patch.object(dispatch.current_app, "send_task", no_message))

    def asked(self, kind: str, body: dict[str, Any], **who: Any) -> str:
        response = self.client.post(f"{API}{kind}/", body, content_type="application/json", **who)
        assert response.status_code in (200, 201), response.content
        return str(response.json()["url"]).removeprefix("http://testserver")

    def cancelled(self, address: str, status: int, **who: Any) -> Any:
        response = self.client.post(f"{address}cancel/", content_type="application/json", **who)
        assert response.status_code == status, response.content
        return response.json()

    def test_a_changed_ruleset_is_compared_as_it_is_asked_for(self) -> None:
        changed = find("daramuti-parker", {"counters_per_hole": "5"})
        wish = {"ruleset": "daramuti-parker", "set": {"counters_per_hole": 5}}
        address = self.asked("comparisons", {"rulesets": ["daramuti-parker", wish], "games": 50, "seed": 7})
        assert [one["ruleset"] for one in self.client.get(address).json()["compared"]][1] == changed.hash
        for compared, field, nearest in (
            (wish | {"set": {"counters_per_hol": 5}}, "rulesets.set.counters_per_hol", "counters_per_hole"),
            (wish | {"ruleset": "daramuti-parke"}, "rulesets.ruleset", "daramuti-parker"),
            (wish | {"sets": {}}, "sets", "set"), (3, "rulesets", None), ({"ruleset": "x"}, "rulesets.1.set", None),
            ("daramuti-parker@1", "rulesets", None), (wish | {"set": {}}, "rulesets", None),
            (find("daramuti-parker").hash[:12], "rulesets", None),
        ):  # fmt: skip
            body = {"rulesets": ["daramuti-parker", compared], "games": 50}
            refused = self.client.post(f"{API}comparisons/", body, content_type="application/json")
            problem = refused.json()["problems"][0]
            assert (refused.status_code, problem["nearest"]) == (400, nearest), (compared, problem)
            assert problem["field"].startswith(field), problem
        for pair, words in (
            (["daramuti-parker"] * 2, "daramuti-parker is named twice"),
            (["puhulmutu-dlp", "daramuti-dlp"], "puhulmutu-dlp and daramuti-dlp have the same rules"),
        ):
            refused = self.client.post(f"{API}comparisons/", {"rulesets": pair}, content_type="application/json")
            assert (refused.status_code, words in refused.json()["detail"]) == (400, True)
            assert words in plain(self.client.post("/compare/", {"rulesets": pair}).content.decode())

    def test_who_asked_may_and_is_told_what_became_of_it(self) -> None:
        address = self.asked("batches", ASKED)
        assert "only an editor" in self.cancelled(address, 403, **ELSEWHERE)["detail"]
        answer = self.cancelled(address, 200)
        assert answer["state"] == "cancelled"
        self.is_as_described("WholeBatch", answer)
        assert "the batch is cancelled" in self.cancelled(address, 409)["detail"]
        assert self.client.get(f"{address}cancel/").status_code == 405

    def test_what_somebody_else_asked_for_too_goes_on(self) -> None:
        address = self.asked("batches", ASKED)
        assert self.asked("batches", ASKED) == address  # the same visitor again
        self.asked("batches", ASKED, **ELSEWHERE)
        assert "somebody else" in self.cancelled(address, 409)["detail"]
        assert self.cancelled(address, 403, **ELSEWHERE)
        assert Batch.objects.get(seed=7).state == "running"

    def test_what_a_command_asked_for_too_goes_on(self) -> None:
        address = self.asked("batches", ASKED)
        request_batch(**ASKED, announce=False)
        assert "somebody else" in self.cancelled(address, 409)["detail"]

    def test_asked_for_again_it_is_not_the_first_visitors_alone(self) -> None:
        address = self.asked("batches", ASKED)
        self.cancelled(address, 200)
        self.asked("batches", ASKED, **ELSEWHERE)
        assert "only an editor" in self.cancelled(address, 403)["detail"]
        assert self.cancelled(address, 200, **ELSEWHERE)["state"] == "cancelled"

    def test_a_comparison_stops_only_what_nobody_else_waits_for(self) -> None:
        shared = self.asked("batches", {**ASKED, "ruleset": PAIR[0]}, **ELSEWHERE)
        own = {"rulesets": list(PAIR), "games": 50, "seed": 7}
        address = self.asked("comparisons", own)
        batch = Batch.objects.get(ruleset__versions__slug=PAIR[1], seed=7)
        assert "the comparison" in self.cancelled(f"{API}batches/{batch.id}/", 409)["detail"]
        assert "somebody else" in self.cancelled(address, 409, **ELSEWHERE)["detail"]
        assert self.cancelled(address, 403, REMOTE_ADDR="192.0.2.1")
        answer = self.cancelled(address, 200)
        assert (answer["state"], answer["error"]) == ("failed", "It was cancelled.")
        batch.refresh_from_db()
        assert batch.state == "cancelled"
        assert self.client.get(shared).json()["state"] == "running"
        assert "the comparison is failed" in self.cancelled(address, 409)["detail"]
        self.asked("comparisons", own)
        assert Comparison.objects.get().state == "waiting"
        batch.refresh_from_db()
        assert batch.state == "running"

    def test_an_id_nearly_right_leads_to_the_right_one(self) -> None:
        address = self.asked("batches", ASKED)
        assert self.cancelled(f"{address[:-2]}x/", 404)["problems"][0]["nearest"]
