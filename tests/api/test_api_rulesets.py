"""Rulesets as the API gives them: content, words, names and meaning, and what they become with changes."""

import datetime
import hashlib
import json
from typing import Any

import rfc8785

from catalogue.models import Clause
from simulator import rulesets
from simulator.engine.family import family
from simulator.models import Batch, Ruleset, RulesetVersion
from tests.api.api_world import API, ApiTestCase
from tests.builders import CORNER_FILES, REFERENCE_RULESETS, RULESET_FILES


class RulesetTests(ApiTestCase):
    def test_the_document_has_the_printed_hash(self) -> None:
        for found in self.read("rulesets/")["results"]:
            assert hashlib.sha256(rfc8785.dumps(found["document"])).hexdigest() == found["hash"], found["name"]

    def test_every_rule_is_told_in_words(self) -> None:
        worded = [tuple(rule.values()) for rule in self.read("rulesets/daramuti-parker/")["rules"]]
        kind, ruleset = family("sowing"), rulesets.find("daramuti-parker")
        assert worded == [
            *((*row, False) for row in kind.words(ruleset)),
            *((*row, True) for row in kind.left_out(ruleset)),
        ]
        assert len(worded) > 5

    def test_slug_number_and_hash_name_the_same_ruleset(self) -> None:
        by_slug = self.read("rulesets/daramuti-parker/")
        assert (by_slug["name"], by_slug["slug"], by_slug["number"]) == ("daramuti-parker@1", "daramuti-parker", 1)
        for name in ("daramuti-parker@1", by_slug["hash"], by_slug["hash"][:8]):
            assert self.read(f"rulesets/{name}/") == by_slug

    def test_the_reading_says_whose_it_is_and_of_which_records(self) -> None:
        reading = self.read("rulesets/mawkar-katiya-das-gupta/")["reading"]
        assert reading["game"]["slug"] == "mawkar-katiya"
        assert (reading["authority"], reading["kind"]) == ("das-gupta", "interpretation")
        assert len(reading["evidence"]) == 1
        assert self.read(f"evidence/{reading['evidence'][0]}/")["places"][0]["slug"] == "khasi"

    def test_content_with_two_names_says_so(self) -> None:
        # The portal's rules of Daramuti are those of Puhulmutu, copied: the two rulesets are one.
        assert self.read("rulesets/daramuti-dlp/")["synonyms"] == ["puhulmutu-dlp@2"]
        assert self.read("rulesets/daramuti-parker/")["synonyms"] == []

    def test_lists_are_narrowed_by_what_was_read(self) -> None:
        def names(narrowed: str) -> set[str]:
            return {found["slug"] for found in self.read(f"rulesets/?{narrowed}")["results"]}

        assert self.count("rulesets/") == len(RULESET_FILES) + len(CORNER_FILES)
        assert names("game=daramuti") == {"daramuti-parker", "daramuti-dlp", "daramuti-ludii"}
        assert names("authority=reference&page_size=100") == REFERENCE_RULESETS
        assert names("evidence=DLP.Evidence.692&authority=dlp") == {"daramuti-dlp"}

    def test_a_new_version_takes_the_slug_of_the_old(self) -> None:
        old = RulesetVersion.objects.get(slug="daramuti-parker")
        changed = rulesets.save(rulesets.find("daramuti-parker", {"counters_per_hole": "5"}))
        RulesetVersion.objects.create(
            slug="daramuti-parker", number=2, ruleset=changed, parent=old, date=datetime.date(2026, 12, 1)
        )
        newest = self.read("rulesets/daramuti-parker/")
        assert (newest["number"], newest["hash"]) == (2, changed.hash)
        versions = [(version["name"], version["parent"]) for version in newest["versions"]]
        assert versions == [("daramuti-parker@2", "daramuti-parker@1"), ("daramuti-parker@1", None)]
        assert newest["url"].endswith("/rulesets/daramuti-parker/")
        first = self.read("rulesets/daramuti-parker@1/")
        assert first["hash"] == old.ruleset_id
        assert first["url"].endswith("/rulesets/daramuti-parker@1/")
        assert self.count("rulesets/") == len(RULESET_FILES) + len(CORNER_FILES)

    def test_content_without_a_name_is_called_by_its_hash(self) -> None:
        changed = rulesets.save(rulesets.find("daramuti-parker", {"counters_per_hole": "5"}))
        found = self.read(f"rulesets/{changed.hash}/")
        assert (found["name"], found["slug"], found["reading"], found["versions"]) == (changed.hash, None, None, [])
        assert self.client.get(found["page"]).status_code == 200

    def test_its_batches_are_a_list(self) -> None:
        address = self.read("rulesets/daramuti-parker/")["batches"]
        assert [batch["id"] for batch in self.client.get(address).json()["results"]] == [self.batch.id]


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
        for changes in ({"singles": "only_without_larger", "must_feed": True}, {"singles_exempt": "first_lap_of_game"}):
            self.is_as_described("ChangedRuleset", self.change(changes))

    def test_all_that_is_wrong_is_told_with_the_nearest(self) -> None:
        named = self.change({"next_round": "off", "holes_per_row": 99}, 400)["problems"]
        nearest = {problem["field"]: problem["nearest"] for problem in named}
        assert nearest["set.holes_per_row"] == 32
        assert nearest["set.unfilled_closed"] is False
        for changes, field, near in (({"rely": "next"}, "set.rely", "relay"), ({"relay": "nexd"}, "set.relay", "next")):
            (problem,) = self.change(changes, 400)["problems"]
            assert (problem["field"], problem["nearest"]) == (field, near)
        assert self.change({}, 404, "puhulmutu-parkr")["problems"][0]["nearest"] == "puhulmutu-parker"

    def test_nothing_is_written(self) -> None:
        before = Ruleset.objects.count(), Batch.objects.count()
        self.change({"singles": "only_without_larger"})
        assert (Ruleset.objects.count(), Batch.objects.count()) == before
