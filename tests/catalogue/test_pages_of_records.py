"""Pages of the records: what stands on them, what they refuse, and what they ask the database."""

import re
from dataclasses import replace

import pytest
from django.db import connection
from django.template.loader import render_to_string
from django.test import RequestFactory
from django.test.utils import CaptureQueriesContext
from django.views.defaults import server_error

from catalogue.evidence.apparatus import apparatus_of, parting_of, rule_column
from catalogue.models import Evidence, Game, Reading
from catalogue.pages.evidence import outcomes_context, readings_of
from catalogue.web.routes import every_route
from tests.builders import RECORDED
from tests.catalogue.page_world import CatalogueTestCase, plain, text_of

DARAMUTI = "/evidence/DLP.Evidence.692/"
# The rule of the portal that the banner of each record begins with: what its flag of uncertainty tells of.
PARTINGS = {
    "690": "last-in-an-empty-hole", "692": "nothing-eaten-opposite", "741": "hole-opposite-the-vacant-one",
    "780": "laying", "784": "twenty-four-each", "1194": "array", "828": "same-number-thrice", "837": "tiger-on-apex",
    "1316": "whole-throws", "1386": "matching", "1399": "landing", "1478": "pieces", "1479": "all-laid-first",
    "1684": "off-the-board",
}  # fmt: skip


class EvidencePageTests(CatalogueTestCase):
    def test_quotation_and_paraphrase_are_distinguished(self) -> None:
        page = self.soup(DARAMUTI)
        quotation = page.find(class_="quotation").get_text()
        paraphrase = page.find(class_="paraphrase").get_text()
        assert "When the last seed of the set which is being sown falls in an empty hole" in quotation
        assert "2x7 board" not in quotation
        assert paraphrase.startswith("2x7 board with two stores.")
        assert "astonishing rapidity" not in paraphrase
        assert quotation == Evidence.objects.get(identifier="DLP.Evidence.692").quotation

    def test_uncertainty_is_named_with_its_reason(self) -> None:
        record = Evidence.objects.get(identifier="DLP.Evidence.741")
        text = plain(self.page("/evidence/DLP.Evidence.741/"))
        assert record.uncertainties.exists()
        for uncertainty in record.uncertainties.select_related("factor"):
            assert uncertainty.factor.name in text
            assert " ".join(uncertainty.reason.split()) in text

    def test_source_place_date_and_uncertainty_stand_at_the_head(self) -> None:
        head = plain(str(self.soup(DARAMUTI).find(class_="record-head")))
        assert head.startswith("Daramuti Parker 1909: 599 · Sri Lanka · Ethnography · 1909 · DLP.Evidence.692")
        assert "Uncertain: Dated by its publication" in head

    def test_a_reading_without_rules_offers_nothing_to_play(self) -> None:
        record = Evidence.objects.get(identifier="DLP.Evidence.692")
        request = RequestFactory().get(DARAMUTI)
        unplayable = [replace(read, version=None) for read in readings_of(record).here]
        shown = render_to_string("partials/outcomes.html", outcomes_context(request, record, unplayable, []))
        assert not re.search("/play-a-game/|/change/|/compare/", shown)
        assert "Play it" in str(self.soup(DARAMUTI).find(id="outcomes"))

    def test_a_banner_says_where_paraphrase_and_quotation_part(self) -> None:
        page = self.soup(DARAMUTI)
        banner = page.find(class_="banner")
        said = plain(str(banner))
        assert "if it falls into an empty hole the turn ends" in said
        assert "A last counter in an empty hole captures nothing" not in said  # our words, not the portal's
        for link in banner.find_all("a"):
            assert page.find(id=link["href"].removeprefix("#")), link
        assert self.soup("/evidence/DLP.Evidence.1487/").find(class_="banner") is None

    @pytest.mark.by_turns
    def test_banners_quote_both_texts_and_only_stated_rules(self) -> None:
        first = {}
        for record in Evidence.objects.shown().prefetch_related("uncertainties__factor"):
            apparatus = apparatus_of(record, readings_of(record).here)
            found = rule_column(apparatus, [], [], parting_of(record)).contradictions
            for one in found:
                assert one.entry.clause.basis == "stated", record
                assert one.entry.clause.reading.kind == "interpretation", record
                assert one.quoted.quoted.removesuffix(" …") in record.quotation, record
                assert one.portal.quoted.removesuffix(" …") in record.paraphrase, record
            if found:
                first[record.identifier.rpartition(".")[2]] = found[0].entry.clause.slug
        assert first == PARTINGS

    @pytest.mark.by_turns
    def test_words_of_the_paraphrase_are_counted_in_one_way(self) -> None:
        """A count by spaces has 149 for 828, where the coverage has 156."""
        for number in (828, 1485, 1684):
            said = plain(self.page(f"/evidence/DLP.Evidence.{number}/"))
            [head] = re.findall(r"Today’s summary by the Digital Ludeme Project, ([\d,]+) words", said)
            assert re.search(rf"A rule rests on [\d,]+ of {head} words", said), number

    def test_every_reading_of_the_record_stands_beside_it(self) -> None:
        page = self.soup(DARAMUTI)
        readings = ["/rulesets/daramuti-parker/", "/rulesets/daramuti-dlp/", "/rulesets/daramuti-ludii/"]
        assert [bar.find("a")["href"] for bar in page.select(".bars > li:not(.scale)")] == readings
        assert [row.find("a")["href"] for row in page.select(".readings-table tbody tr")] == readings

    def test_a_played_reading_shows_its_wins_with_an_interval(self) -> None:
        page = self.soup(DARAMUTI)
        row = plain(str(page.select_one(".readings-table tbody tr")))
        assert "62.5 % (30.6 to 86.3)" in row  # five of eight games; Wilson's interval
        assert "8 games · seed 1 · cap 2,000 turns" in plain(str(page.find(class_="readings-table").caption))
        assert page.find("a", href=f"/batches/{self.batch.id}/")

    def test_a_reading_that_was_not_played_says_so(self) -> None:
        page = self.soup(DARAMUTI)
        assert "No batch is done yet" in page.select(".readings-table tbody tr")[-1].get_text()
        assert page.select(".bars > li:not(.scale)")[-1].find(class_="none").get_text() == "not played"

    @pytest.mark.by_turns
    def test_queries_do_not_grow_with_the_readings(self) -> None:
        record, game = Evidence.objects.get(identifier="DLP.Evidence.692"), Game.objects.get(slug="daramuti")
        for number in range(50):
            reading = Reading.objects.create(slug=f"daramuti-{number}", title="x", game=game, authority=f"a{number}")
            reading.evidence.add(record)
        with CaptureQueriesContext(connection) as queries:
            self.client.get(DARAMUTI)
        assert len(queries) <= every_route()["evidence"].queries


class EvidenceListTests(CatalogueTestCase):
    def shown(self, address: str) -> int:
        return len(self.soup(address).select(".entries > li > h3"))

    def test_lists_by_place_game_type_source_and_year(self) -> None:
        # Counted by hand: 20 records of Sri Lanka, one of the Khasi, and the slab, of which no date is entered.
        assert self.shown("/evidence/") == 22
        assert self.shown("/evidence/?place=sri-lanka") == 20
        assert self.shown("/evidence/?place=khasi") == 1
        assert self.shown("/evidence/?game=daramuti") == 1
        assert self.shown("/evidence/?type=Artifact") == 2
        assert self.shown("/evidence/?from=1873&to=1873") == 3
        assert self.shown("/evidence/?place=sri-lanka&from=1910") == 1
        assert self.shown("/evidence/?place=khasi&game=daramuti") == 0
        assert self.shown("/evidence/?source=culin-1898") == Evidence.objects.filter(sources__key="culin-1898").count()

    @pytest.mark.by_turns
    def test_counts_of_choices_are_those_of_their_lists(self) -> None:
        page = self.soup("/evidence/?place=sri-lanka")
        for name in ("game", "type", "source"):
            for option in page.find("select", attrs={"name": name}).find_all("option")[1:4]:
                count = int(option.get_text().rpartition("(")[2].rstrip(")"))
                assert self.shown(f"/evidence/?place=sri-lanka&{name}={option['value']}") == count, option

    def test_years_are_links_that_keep_the_other_choices(self) -> None:
        page = self.soup("/evidence/?place=sri-lanka")
        years = {a.get_text(): a["href"] for a in page.select(".chips a")}
        assert "place=sri-lanka" in years["1873"]
        assert self.shown(years["1873"]) == 3
        assert "1923" not in years  # the Khasi record

    def test_an_undated_record_is_listed_as_undated(self) -> None:
        Evidence.objects.create(identifier="X.1", type="Artifact", game=Game.objects.first(), quotation="A board.")
        assert self.shown("/evidence/?undated=yes") == 2
        assert self.shown("/evidence/?undated=no") == Evidence.objects.count() - 2
        assert "Artifact · undated · place unknown" in self.page("/evidence/?undated=yes")

    def test_long_lists_have_pages_that_keep_the_choices(self) -> None:
        game = Game.objects.get(slug="daramuti")
        for number in range(30):
            Evidence.objects.create(identifier=f"X.{number}", type="Artifact", game=game, quotation="A board.")
        page = self.soup("/evidence/?type=Artifact")
        following = page.find("a", rel="next")["href"]
        assert following == "?type=Artifact&page=2"
        assert self.shown(f"/evidence/{following}") == 7  # 32 artifacts, 25 on the first page


class OtherRecordPagesTests(CatalogueTestCase):
    @pytest.mark.by_turns
    def test_each_page_says_what_it_is_for(self) -> None:
        for address, where, words in (
            (DARAMUTI, ".note", "1386"),  # the editors note that its rules were copied
            (DARAMUTI, ".record-head, li, p", "Parker 1909: 599"),
            (DARAMUTI, "#record", "What the source says"),
            ("/evidence/DLP.Evidence.1485/", "#record", "What the record says of its source"),  # a mere reference
            ("/evidence/DLP.Evidence.691/", "main", "The Digital Ludeme Project gives no summary of the rules."),
            ("/games/puhulmutu/", "main", "Ash-pumpkin Pearls"),
            ("/games/puhulmutu/", "main", "DLP.Evidence.1386"),
            ("/sources/parker-1909/", "main", "Ancient Ceylon"),
            ("/sources/parker-1909/", "main", "quoted · 597-598"),
            ("/places/sri-lanka/", "main", "20 records"),
            ("/about/about/", "main", "What can be repeated"),
            ("/about/rights/", "main", "The quotations"),
            ("/about/figures/", "main", "interval"),
        ):
            assert any(words in plain(str(part)) for part in self.soup(address).select(where)), (address, words)
        assert self.soup(DARAMUTI).select('a[href="/sources/parker-1909/"]')
        for authority in ("parker", "dlp", "ludii"):
            assert self.soup("/games/puhulmutu/").select(f'a[href*="puhulmutu-{authority}"]')

    def test_a_server_error_page_needs_no_database(self) -> None:
        with self.assertNumQueries(0):
            response = server_error(RequestFactory().get("/"))
        assert response.status_code == 500
        assert "The mistake is ours" in text_of(response)

    def test_home_counts_what_there_is(self) -> None:
        text = plain(self.page("/"))
        assert "22 records · 22 games · 7 sources · 3 places" in text, text[:900]
        assert f"{len(RECORDED)} rulesets · 8 games played" in text
