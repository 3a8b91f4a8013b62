"""Comparisons as the API gives and takes them. The edge of the world is the broker: no worker hears of them."""

import json
from typing import Any
from unittest import mock

from django.http import HttpResponse
from django.test import override_settings
from jsonschema import Draft202012Validator

from catalogue.models import Comparison
from simulator.batches import dispatch
from simulator.models import Batch
from tests.api.api_world import API, ApiTestCase
from tests.api.test_api_description import strict_document
from tests.builders import cost
from tests.catalogue.comparison_world import PAIR, a_comparison, no_message
from tests.catalogue.page_world import nobody_hears

WANTED = {"rulesets": list(PAIR), "games": 50, "seed": 7, "cap": 300, "margins": {"shares": 0.01}}


class ComparisonTests(ApiTestCase):
    def test_a_finished_comparison_has_rules_clauses_measures_and_curves(self) -> None:
        row = a_comparison()
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
        described, row = strict_document(), a_comparison()
        for component, answer in (
            ("PaginatedComparisonList", self.read("comparisons/")),
            ("WholeComparison", self.read(f"comparisons/{row.id}/")),
        ):
            schema = {"$ref": f"#/components/schemas/{component}", "components": described["components"]}
            assert not [error.message for error in Draft202012Validator(schema).iter_errors(answer)], component

    def test_the_list_is_narrowed_and_asks_as_many_queries_for_many(self) -> None:
        row = a_comparison()
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
