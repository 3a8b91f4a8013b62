"""Cancelling by the API: who may, what goes on because others wait for it, and what is too late."""

from typing import Any
from unittest import mock

from jsonschema import Draft202012Validator

from catalogue.models import Comparison
from simulator.batches import dispatch
from simulator.batches.service import request_batch
from simulator.models import Batch
from tests.api.api_world import API, ApiTestCase
from tests.api.test_api_description import strict_document
from tests.catalogue.comparison_world import PAIR, no_message
from tests.catalogue.page_world import nobody_hears

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
        response = self.client.post(f"{address}cancel/", **who)
        assert response.status_code == status, response.content
        return response.json()

    def test_who_asked_may_and_is_told_what_became_of_it(self) -> None:
        address = self.asked("batches", ASKED)
        assert "only an editor" in self.cancelled(address, 403, **ELSEWHERE)["detail"]
        answer, document = self.cancelled(address, 200), strict_document()
        assert answer["state"] == "cancelled"
        schema = {"$ref": "#/components/schemas/WholeBatch", "components": document["components"]}
        assert not list(Draft202012Validator(schema).iter_errors(answer))
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
        assert "somebody else" in self.cancelled(address, 409)["detail"]

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
