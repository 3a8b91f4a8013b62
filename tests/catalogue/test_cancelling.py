"""Every kind of analysis × cancelled by itself, through its batch by API and on a page, and from another site.

Nothing that somebody or something waits for is stopped, whichever way is tried. No worker hears of what is requested.
"""

from typing import Any, ClassVar
from unittest import mock

import pytest

from catalogue.models import Question
from catalogue.models.observations import canonical_board
from simulator import rulesets
from simulator.analyses.protocol import KINDS
from simulator.batches import dispatch, queueing
from simulator.batches.service import request_batch
from simulator.models import Batch
from tests import builders
from tests.api.api_world import API, ApiTestCase
from tests.catalogue.page_world import nobody_hears, plain

PAIR = ["daramuti-parker", "daramuti-dlp"]
GAME, QUESTION = "saturankam", "passing-over"
MORRIS = "three-mens-morris-reference"
REQUESTS: dict[str, dict[str, Any]] = {
    "comparisons": {"rulesets": PAIR, "games": 50, "seed": 7},
    "studies": {"game": GAME, "games": 20, "seed": 1},
    "ladders": {"ruleset": "niranchy-ludovisi", "most": 16, "games": 40},
    "wear": {"record": "DLP.Evidence.9999", "candidates": [MORRIS], "games": 20},
}
BATCH = {"ruleset": "daramuti-parker", "games": 50, "seed": 7}
ELSEWHERE = {"REMOTE_ADDR": "203.0.113.9"}
FOREIGN = (
    {"origin": "https://evil.example"}, {"origin": "null"}, {"sec-fetch-site": "cross-site"},
    {"sec-fetch-site": "same-site"}, {"sec-fetch-site": "cross-site", "origin": "http://testserver"},
)  # fmt: skip


class CancellingTests(ApiTestCase):
    json: ClassVar[dict[str, str]] = {"content_type": "application/json"}

    def setUp(self) -> None:
        self.enterContext(mock.patch.object(dispatch, "notify_of_chunks", nobody_hears))
        self.enterContext(mock.patch.object(dispatch.current_app, "send_task"))
        builders.evidence(9_999, board=canonical_board(rulesets.find(MORRIS).parameters["board"]))

    def asked(self, path: str, body: dict[str, Any], **who: Any) -> str:
        response = self.client.post(f"{API}{path}/", body, **self.json, **who)
        assert response.status_code < 300, response.content
        return str(response.json()["url"]).removeprefix("http://testserver")

    def own(self, *batches: str) -> None:
        """Make the session the one whose forms asked for these batches."""
        session = self.client.session
        session["batches"] = list(batches)
        session.save()

    def states(self, ids: list[str]) -> set[str]:
        return set(Batch.objects.filter(id__in=ids).values_list("state", flat=True))

    def on_page(self, batch: str, **headers: str) -> tuple[int, str]:
        response = self.client.post(f"/batches/{batch}/cancel/", headers=headers, follow=True)
        return response.status_code, plain(response.content.decode())

    @pytest.mark.by_turns
    def test_nothing_that_waits_is_stopped_from_anywhere(self) -> None:
        Question.objects.filter(game__slug=GAME).exclude(slug=QUESTION).delete()
        assert set(REQUESTS) == set(KINDS), "a kind of analysis is not tried here"
        for path, body in REQUESTS.items():
            with self.subTest(path):
                address = self.asked(path, body)
                kind = KINDS[path]
                row = kind.rows().exclude(state="done").get(id=address.split("/")[-2])
                ids = kind.batch_ids(row)
                self.own(*ids)
                for batch in ids[:2]:
                    refused = self.client.post(f"{API}batches/{batch}/cancel/", "{}", **self.json)
                    assert (refused.status_code, f"the {kind.name} {row.id}" in refused.json()["detail"]) == (409, True)
                    status, words = self.on_page(batch)
                    assert (status, f"Nothing was cancelled: the {kind.name} {row.id} waits" in words) == (200, True)
                    assert "Cancel this batch" not in words
                for headers in FOREIGN:
                    for tried in (address, f"{API}batches/{ids[0]}/", f"/batches/{ids[0]}/"):
                        refused = self.client.post(f"{tried}cancel/", "{}", **self.json, headers=headers)
                        assert refused.status_code == 403, (tried, headers)
                        assert refused.json()["problems"][0]["field"].lower() in headers
                assert self.client.post(f"{address}cancel/").status_code == 415  # a form can be sent from anywhere
                assert self.client.post(f"{address}cancel/", "", content_type="text/plain").status_code == 415
                assert self.states(ids) == {"running"}
                self.asked(path, body, **ELSEWHERE)
                assert self.client.post(f"{address}cancel/", "{}", **self.json).status_code == 409
                assert self.states(ids) == {"running"}
                Batch.objects.filter(id__in=ids).update(shared=False)
                assert self.client.post(f"{address}cancel/", "{}", **self.json).status_code == 200
                assert self.states(ids) == {"cancelled"}

    def test_a_page_stops_no_games_that_somebody_else_asked_for(self) -> None:
        batch = self.asked("batches", BATCH).split("/")[-2]
        self.own(batch)
        assert "Cancel this batch" in self.page(f"/batches/{batch}/")
        self.asked("batches", BATCH, **ELSEWHERE)
        for tried in ("page", "API"):
            if tried == "page":
                assert "somebody else asked for the same games" in self.on_page(batch)[1]
            else:
                assert self.client.post(f"{API}batches/{batch}/cancel/", "{}", **self.json).status_code == 409
            assert self.states([batch]) == {"running"}

    def test_whoever_has_games_run_on_is_charged_and_may_cancel(self) -> None:
        batch = self.asked("batches", BATCH).split("/")[-2]
        session = self.client.session
        session["batches"], session["marks"] = [batch], {batch: queueing.hash_address("127.0.0.1")}
        session.save()
        assert "The batch was cancelled" in self.on_page(batch)[1]
        work = Batch.objects.get(id=batch).work
        with self.settings(VISITOR_WORK_PER_HOUR=work * 3 // 2):
            self.asked("batches", BATCH, **ELSEWHERE)
            other = {**BATCH, "seed": 8}
            spent = self.client.post(f"{API}batches/", other, **self.json, **ELSEWHERE)
            assert spent.status_code == 429
            self.asked("batches", other)  # who asked first has it free again
        assert self.on_page(batch)[0] == 403
        assert self.client.post(f"{API}batches/{batch}/cancel/", "{}", **self.json).status_code == 403
        assert self.client.post(f"{API}batches/{batch}/cancel/", "{}", **self.json, **ELSEWHERE).status_code == 200

    def test_what_ships_stays_what_ships_when_it_runs_on(self) -> None:
        shipped = request_batch(**BATCH, announce=False, origin=Batch.Origin.DEMO)
        Batch.objects.filter(id=shipped.id).update(state=Batch.State.CANCELLED)
        self.asked("batches", BATCH)
        shipped.refresh_from_db()
        assert (shipped.origin, shipped.visitor) == (Batch.Origin.DEMO, queueing.hash_address("127.0.0.1"))
