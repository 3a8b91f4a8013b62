"""*Cite this* on the pages, and the same citations at addresses of their own."""

import datetime
import json
import re
from html import unescape
from urllib.parse import quote

import bibtexparser
import pytest
import rispy
from django.test import override_settings
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.django import TestCase as HypothesisTestCase

from catalogue.citations.chicago import chicago
from catalogue.citations.items import item_of, release
from catalogue.models import Claim, Comparison, Evidence, Question, Study
from catalogue.models.lookup import KINDS
from catalogue.models.querysets import evidence_rows
from tests.catalogue.page_world import CatalogueTestCase
from tests.choice import half_of_the_day

DAY = datetime.date(2026, 11, 21)
MARGINS = {"shares": 0.02, "amounts": 0.05}
PAGES = {
    "record": "/evidence/DLP.Evidence.823/",
    "source": "/sources/ludovisi-1873/",
    "game": "/games/daramuti/",
    "place": "/places/sri-lanka/",
    "ruleset": "/rulesets/daramuti-parker/",
}


class CitationTests(CatalogueTestCase):
    def cited(self, address: str) -> str:
        """The citations of a page as a reader sees them."""
        page = self.page(address)
        assert page.count('<details class="cite ') == 1, address
        return unescape(page[page.index('<details class="cite ') :])

    @pytest.mark.by_turns
    def test_every_page_that_is_cited_says_how(self):
        comparison = Comparison.objects.create(
            id="0123456789abcdef",
            names=["daramuti-parker", "daramuti-dlp"],
            margins=MARGINS,
            bootstrap_seed=1,
            version=1,
        )
        pages = {
            **PAGES,
            "batch": f"/batches/{self.batch.id}/",
            "question": Question.objects.select_related("game")[0].get_absolute_url(),
            "claim": Claim.objects.select_related("game")[0].get_absolute_url(),
        }
        for what, address in half_of_the_day(pages.items()):
            with self.subTest(what):
                text = self.cited(address)
                assert f"Cite this {what}" in text
                assert "The Chicago Manual of Style, 17th edition" in text
                for name in ("bib", "ris", "json", "txt"):
                    found = re.search(rf'href="(/cite/{what}/[^"]+\.{name})"', text)
                    assert found, (what, name)
                    assert self.client.get(found[1]).status_code == 200, found[1]
        # What is still being computed is not cited.
        assert '<details class="cite ' not in self.page(comparison.get_absolute_url())

    def test_a_record_names_portal_sources_version_and_day(self):
        today = datetime.datetime.now(datetime.UTC).date()
        text = self.cited("/evidence/DLP.Evidence.823/")
        assert "Digital Ludeme Project. “Kotu Ellima.” In <i>Evidence of Traditional Games</i>" in text
        assert f"Record DLP.Evidence.823, version {release().version}, 2026." in text
        assert "Quoting L. Ludovisi, “The sports and games of the Singhalese,”" in text
        assert "Referring to H. J. R. Murray, <i>A History of Board-Games Other Than Chess</i>" in text
        assert f"urldate = {{{today}}}" in text
        assert 'Permanent address: <a href="http://testserver/evidence/DLP.Evidence.823/">' in text

    def test_a_record_that_is_not_the_portals_is_not_said_to_be(self):
        record = Evidence.objects.get(identifier="DLP.Evidence.692")
        record.identifier = "A.1"
        item = item_of(record, accessed=DAY, base="https://example.org")
        assert item["author"] == list(release().authors)
        assert item["URL"] == "https://example.org/evidence/A.1/"

    def test_rulesets_are_cited_by_hash_and_batches_by_their_terms(self):
        (item,) = json.loads(self.page("/cite/ruleset/daramuti-parker@1.json"))
        assert (item["archive_location"], item["title"]) == ("daramuti-parker@1", "Daramuti, after Parker 1909")
        assert self.batch.ruleset_id in item["note"]
        # The bare name is cited as the version that it means today.
        assert json.loads(self.page("/cite/ruleset/daramuti-parker.json"))[0]["archive_location"] == "daramuti-parker@1"
        (item,) = json.loads(self.page(f"/cite/batch/{self.batch.id}.json"))
        for part in (self.batch.ruleset_id, self.batch.digest, "players random,random", "seed 1", "cap 2000"):
            assert part in item["note"], part
        # Day and author are the same in all three forms; who "this catalogue" is nobody knows in a list of references.
        day = self.batch.closed.date()
        assert item["issued"] == {"date-parts": [[day.year, day.month, day.day]]}
        assert f"  date = {{{day}}},\n" in self.page(f"/cite/batch/{self.batch.id}.bib")
        assert f"DA  - {day:%Y/%m/%d}\n" in self.page(f"/cite/batch/{self.batch.id}.ris").replace("\r", "")
        for kind, key in (("batch", self.batch.id), ("ruleset", "dam-parker"), ("ruleset", "dam-parker@1")):
            assert json.loads(self.page(f"/cite/{kind}/{key}.json"))[0]["author"] == list(release().authors)
        assert item["URL"] == f"http://testserver/batches/{self.batch.id}/"

    def test_a_clause_is_cited_in_the_version_it_stands_in(self):
        (item,) = json.loads(self.page("/cite/clause/dam-parker/men-go-on.json"))
        found = re.fullmatch(r"http://testserver(/rulesets/dam-parker@\d+/)#(clause-men-go-on)", item["URL"])
        assert found, item["URL"]
        assert f'id="{found[2]}"' in self.page(found[1])

    def test_a_study_is_cited(self):
        claim = Claim.objects.select_related("game").first()
        study = Study.objects.create(id="00000000000000aa", state="done", game=claim.game, document={}, summary={})
        assert chicago(item_of(study, accessed=DAY, base="https://x.org")).startswith(
            f"The maintainers of Evidence of Traditional Games. “Which question about {claim.game.name} matters.” In "
        )

    def test_the_addresses_are_what_other_programmes_read(self):
        found = self.client.get("/cite/source/das-gupta-1923.bib")
        assert found["Content-Type"].startswith("application/x-bibtex")
        assert found["Content-Disposition"] == 'inline; filename="source-das-gupta-1923.bib"'
        (entry,) = bibtexparser.parse_string(found.content.decode()).entries
        assert entry["author"] == "Das-Gupta, H."
        (entry,) = rispy.loads(self.page("/cite/record/DLP.Evidence.692.ris"))
        assert (entry["type_of_reference"], entry["accession_number"]) == ("DATA", "DLP.Evidence.692")
        assert self.page("/cite/source/parker-1909.txt") == ("Parker, H. Ancient Ceylon. London: Luzac, 1909.\n")

    def test_the_catalogue_itself_is_cited_on_the_page_about_it(self):
        assert "Evidence of Traditional Games</i>" in self.cited("/about/")
        (item,) = json.loads(self.page("/cite/catalogue.json"))
        assert (item["title"], item["version"]) == ("Evidence of Traditional Games", release().version)
        assert '<details class="cite ' not in self.page("/about/rights/")

    @override_settings(SITE_URL="https://games.example.org/")
    def test_the_public_address_is_cited_where_the_settings_know_it(self):
        (item,) = json.loads(self.page("/cite/record/DLP.Evidence.692.json"))
        assert item["URL"] == "https://games.example.org/evidence/DLP.Evidence.692/"

    def test_a_list_is_cited_without_a_query_for_each_of_its_rows(self):
        with self.assertNumQueries(3):  # the records with their games, their places, their citations with sources
            items = [item_of(record, accessed=DAY, base="https://example.org") for record in evidence_rows()]
        assert len(items) == 22


class HostileAddressTests(HypothesisTestCase):
    holds = "played"

    @given(
        kind=st.sampled_from([*KINDS, "x"]), key=st.text(max_size=40), form=st.sampled_from(["bib", "ris", "json", "é"])
    )
    @pytest.mark.thorough
    def test_no_address_fails(self, kind: str, key: str, form: str) -> None:
        key = quote(key.encode("utf-8", "surrogatepass"), safe="/")
        assert self.client.get(f"/cite/{kind}/{key}.{quote(form)}").status_code in (400, 404)
        assert self.client.get(f"/id/{key}").status_code in (400, 404)
        assert self.client.get(f"/id/{kind}/{key}").status_code in (400, 404)
