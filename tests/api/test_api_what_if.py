"""A ruleset changed on the way, as the API gives it: the content it becomes, what loses its ground, and errors."""

import hashlib
import json
from typing import Any

import rfc8785
from jsonschema import Draft202012Validator

from catalogue.models import Clause
from simulator import rulesets
from simulator.models import Batch, Ruleset
from tests.api.api_world import API, ApiTestCase
from tests.api.test_api_description import strict_document


class ChangedRulesetTests(ApiTestCase):
    def change(self, changes: Any, status: int = 200, name: str = "puhulmutu-parker") -> Any:
        sent = json.dumps({"set": changes})
        response = self.client.post(f"{API}rulesets/{name}/change/", sent, content_type="application/json")
        assert response.status_code == status, response.content
        return response.json()

    def test_a_batch_with_the_same_changes_plays_it(self) -> None:
        changes = {"singles": "only_without_larger", "pass_over": 5, "capture_making": [6, 4], "unfilled_closed": False}
        given = self.change(changes)
        assert (
            given["hash"]
            == rulesets.find("puhulmutu-parker", {k: json.dumps(v).strip('"') for k, v in changes.items()}).hash
        )
        assert hashlib.sha256(rfc8785.dumps(given["document"])).hexdigest() == given["hash"]
        assert given["set"] == changes | {"capture_making": [4, 6]}
        assert (given["parent"], given["names"]) == ("puhulmutu-parker@1", [])

    def test_a_changed_rule_names_lost_clause_and_readings(self) -> None:
        (rule,) = self.change({"singles": "only_without_larger"})["rules"]
        clause = Clause.objects.get(reading__slug="puhulmutu-parker", slug="last-single")
        assert (rule["parameter"], rule["basis"], rule["read_so_by"]) == ("singles", "conjecture", ["puhulmutu-dlp"])
        assert rule["clause"] == {
            "reading": "puhulmutu-parker",
            "slug": "last-single",
            "basis": "stated",
            "text": clause.text,
        }

    def test_a_question_is_answered_otherwise(self) -> None:
        (answered,) = self.change({"singles": "only_without_larger"})["answers"]
        assert (answered["question"], answered["before"], answered["after"]) == (
            "single-counters",
            "last-hole-alone",
            "only-without-larger",
        )

    def test_its_page_shows_the_same_hash(self) -> None:
        given = self.change({"singles": "only_without_larger"})
        assert given["page"].endswith("/rulesets/puhulmutu-parker@1/change/?set.singles=only_without_larger")
        assert given["hash"] in self.page(given["page"])

    def test_nothing_changed_is_the_parent(self) -> None:
        given = self.change({"relay": "last"})
        assert given["set"] == {}
        assert given["rules"] == given["answers"] == []
        assert given["names"] == ["puhulmutu-parker@1"]

    def test_the_answer_is_as_it_is_described(self) -> None:
        document = strict_document()
        schema = {"$ref": "#/components/schemas/ChangedRuleset", "components": document["components"]}
        for changes in ({"singles": "only_without_larger", "must_feed": True}, {"singles_exempt": "first_lap_of_game"}):
            problems = list(Draft202012Validator(schema).iter_errors(self.change(changes)))
            assert not problems, problems

    def test_all_that_is_wrong_is_told_with_the_nearest(self) -> None:
        named = self.change({"next_round": "off", "holes_per_row": 99}, 400)["problems"]
        nearest = {problem["field"]: problem["nearest"] for problem in named}
        assert nearest["set.holes_per_row"] == 12
        assert nearest["set.unfilled_closed"] is False
        for changes, field, near in (({"rely": "next"}, "set.rely", "relay"), ({"relay": "nexd"}, "set.relay", "next")):
            (problem,) = self.change(changes, 400)["problems"]
            assert (problem["field"], problem["nearest"]) == (field, near)
        assert self.change({}, 404, "puhulmutu-parkr")["problems"][0]["nearest"] == "puhulmutu-parker"

    def test_nothing_is_written(self) -> None:
        before = Ruleset.objects.count(), Batch.objects.count()
        self.change({"singles": "only_without_larger"})
        assert (Ruleset.objects.count(), Batch.objects.count()) == before
