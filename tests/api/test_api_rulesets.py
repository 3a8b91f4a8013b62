"""Rulesets as the API gives them: content, words, names and meaning."""

import datetime
import hashlib

import rfc8785

from simulator import rulesets
from simulator.engine.family import family
from simulator.models import RulesetVersion
from tests.api.api_world import ApiTestCase
from tests.builders import REFERENCE_GAMES, RULESET_FILES


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

        assert self.count("rulesets/") == len(RULESET_FILES)
        assert names("game=daramuti") == {"daramuti-parker", "daramuti-dlp", "daramuti-ludii"}
        assert names("authority=reference") == {f"{game}-reference" for game in REFERENCE_GAMES}
        assert names("evidence=DLP.Evidence.692&authority=dlp") == {"daramuti-dlp"}

    def test_a_new_version_takes_the_slug_of_the_old(self) -> None:
        old = RulesetVersion.objects.get(slug="daramuti-parker")
        changed = rulesets.save(rulesets.find("daramuti-parker", {"counters_per_hole": "5"}))
        RulesetVersion.objects.create(
            slug="daramuti-parker", number=2, ruleset=changed, parent=old, date=datetime.date(2026, 12, 1)
        )
        newest = self.read("rulesets/daramuti-parker/")
        assert (newest["number"], newest["hash"]) == (2, changed.hash)
        versions = [(one["name"], one["parent"]) for one in newest["versions"]]
        assert versions == [("daramuti-parker@2", "daramuti-parker@1"), ("daramuti-parker@1", None)]
        assert newest["url"].endswith("/rulesets/daramuti-parker/")
        first = self.read("rulesets/daramuti-parker@1/")
        assert first["hash"] == old.ruleset_id
        assert first["url"].endswith("/rulesets/daramuti-parker@1/")
        assert self.count("rulesets/") == len(RULESET_FILES)

    def test_content_without_a_name_is_called_by_its_hash(self) -> None:
        changed = rulesets.save(rulesets.find("daramuti-parker", {"counters_per_hole": "5"}))
        found = self.read(f"rulesets/{changed.hash}/")
        assert (found["name"], found["slug"], found["reading"], found["versions"]) == (changed.hash, None, None, [])
        assert self.client.get(found["page"]).status_code == 200

    def test_its_batches_are_a_list(self) -> None:
        address = self.read("rulesets/daramuti-parker/")["batches"]
        assert [batch["id"] for batch in self.client.get(address).json()["results"]] == [self.batch.id]
