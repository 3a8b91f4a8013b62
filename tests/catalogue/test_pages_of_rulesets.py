"""Pages of rulesets: the rules in words, the document, its names and its board."""

import hashlib
import json

import pytest
import rfc8785
from django.db import connection
from django.test.utils import CaptureQueriesContext

from catalogue.web.routes import every_route
from simulator import rulesets
from simulator.batches.service import request_batch
from simulator.engine.family import family
from tests.catalogue.page_world import CatalogueTestCase, plain

DARAMUTI = "/rulesets/daramuti-parker/"


class RulesetPageTests(CatalogueTestCase):
    def test_every_rule_of_the_document_is_in_words(self) -> None:
        ruleset = rulesets.find("daramuti-parker")
        text = plain(self.page(DARAMUTI))
        assert f"Family: Sowing games, version {family('sowing').rules_version} of its engine." in text
        words = family("sowing").words(ruleset)
        assert len(words) > 5
        for key, title, sentence in words:
            assert key in text
            assert " ".join(title.split()) in text
            assert " ".join(sentence.split()) in text

    def test_the_printed_document_has_the_printed_hash(self) -> None:
        page = self.soup(DARAMUTI)
        document = page.find("summary", string="The document").parent
        shown, canonical = (block.get_text() for block in document.find_all("pre"))
        digest = hashlib.sha256(canonical.encode()).hexdigest()
        assert rfc8785.dumps(json.loads(shown)).decode() == canonical
        assert digest in page.find("a", href=f"/rulesets/{digest}/").get_text()

    @pytest.mark.by_turns
    def test_name_number_and_hash_lead_to_the_same_page(self) -> None:
        digest = rulesets.find("daramuti-parker").hash
        for name in ("daramuti-parker", "daramuti-parker@1", digest, digest[:8]):
            page = self.soup(f"/rulesets/{name}/")
            assert page.find("link", rel="canonical")["href"] == DARAMUTI

    def test_content_with_two_names_says_so_on_the_pages_of_both(self) -> None:
        # The portal's rules of Daramuti are those of Puhulmutu, copied: the two rulesets are one.
        assert 'href="/rulesets/puhulmutu-dlp@2/"' in self.page("/rulesets/daramuti-dlp/")
        assert 'href="/rulesets/daramuti-dlp@2/"' in self.page("/rulesets/puhulmutu-dlp/")

    def test_the_board_is_a_drawing_with_a_title_and_a_description(self) -> None:
        board = self.soup(DARAMUTI).find(class_="board").find("svg")
        assert board.find("title").get_text()
        assert board.find("desc").get_text()

    def test_a_ruleset_without_a_name_has_a_page_that_says_so(self) -> None:
        changed = rulesets.find("daramuti-parker", {"counters_per_hole": "5"})
        rulesets.save(changed)
        assert "This ruleset has no reading" in self.page(f"/rulesets/{changed.hash}/")

    @pytest.mark.by_turns
    def test_queries_do_not_grow_with_the_batches(self) -> None:
        for seed in range(2, 30):
            request_batch("daramuti-parker", games=5, seed=seed, announce=False)
        with CaptureQueriesContext(connection) as queries:
            self.client.get(DARAMUTI)
        assert len(queries) <= every_route()["ruleset"].queries
