"""The map for search engines: every page that can be cited, in files of bounded size, by few queries."""

from unittest import mock
from xml.etree import ElementTree

from django.db import connection
from django.test import override_settings
from django.test.utils import CaptureQueriesContext

from catalogue.models import Claim, Evidence, Game, Place, Question, Reading, Source
from catalogue.pages import site
from tests.catalogue.page_world import CatalogueTestCase

NAMES = {"s": "http://www.sitemaps.org/schemas/sitemap/0.9"}


class SitemapTests(CatalogueTestCase):
    def addresses(self, path: str) -> list[str]:
        tree = ElementTree.fromstring(self.page(path))
        return [str(one.text) for one in tree.iterfind(".//s:loc", NAMES)]

    def test_every_page_that_can_be_cited_is_in_it_once(self):
        found = [path for part in self.addresses("/sitemap.xml") for path in self.addresses(part)]
        assert len(found) == len(set(found))
        rows = [
            *Evidence.objects.all(), *Game.objects.all(), *Place.objects.all(), *Source.objects.all(),
            *Reading.objects.all(), *Question.objects.select_related("game"), *Claim.objects.select_related("game"),
        ]  # fmt: skip
        expected = {f"http://testserver{row.get_absolute_url()}" for row in rows}
        assert expected <= set(found)
        assert f"http://testserver/batches/{self.batch.id}/" in found
        assert "http://testserver/about/rights/" in found

    def test_a_record_says_when_it_last_changed(self):
        tree = ElementTree.fromstring(self.page("/sitemap-evidence.xml"))
        record = Evidence.objects.get(identifier="DLP.Evidence.692")
        dates = {one.findtext("s:loc", "", NAMES): one.findtext("s:lastmod", "", NAMES) for one in tree}
        latest = record.history.latest().history_date.date().isoformat()
        assert dates["http://testserver/evidence/DLP.Evidence.692/"] == latest

    def test_many_rows_are_several_files_in_as_many_queries(self):
        def queries(path: str) -> int:
            with CaptureQueriesContext(connection) as captured:
                self.addresses(path)
            return len(captured)

        paths = ["/sitemap.xml", *(f"/sitemap-{name}.xml" for name in site.sections())]
        before = {path: queries(path) for path in paths}
        game = Game.objects.get(slug="daramuti")
        Evidence.objects.bulk_create(
            Evidence(identifier=f"A.{number}", type="t", game=game, quotation="x") for number in range(30)
        )
        Game.objects.bulk_create(Game(name=f"G {number}", slug=f"g-{number}") for number in range(30))
        assert {path: queries(path) for path in paths} == before
        assert max(before.values()) < 25
        with mock.patch.object(site.RowSitemap, "limit", 20), self.client.fresh():
            assert "http://testserver/sitemap-evidence.xml?p=3" in self.addresses("/sitemap.xml")
            pages = [self.addresses(f"/sitemap-evidence.xml?p={page}") for page in (1, 2, 3)]
        assert [len(page) for page in pages] == [20, 20, 11]

    def test_a_page_that_is_none_is_refused(self):
        self.page("/sitemap-evidence.xml?p=2", 404)
        self.page("/sitemap-evidence.xml?p=0", 404)
        self.page("/sitemap-evidence.xml?p=x", 404)
        self.page("/sitemap-evidence.xml?p=99999999999", 404)
        assert "evidence" in self.page("/sitemap-records.xml", 404)

    def test_robots_are_told_where_it_is_and_what_is_not_for_them(self):
        response = self.client.get("/robots.txt")
        assert response["Content-Type"] == "text/plain; charset=utf-8"
        lines = response.content.decode().splitlines()
        assert "Sitemap: http://testserver/sitemap.xml" in lines
        for path in ("/admin/", "/rulesets/*/change/", "/rulesets/*/play/", "/rulesets/*/play-a-game/"):
            assert f"Disallow: {path}" in lines

    @override_settings(SITE_URL="https://games.example.org")
    def test_the_public_address_stands_in_it_where_the_settings_know_it(self):
        assert self.addresses("/sitemap.xml")[0] == "https://games.example.org/sitemap-pages.xml"
        assert self.addresses("/sitemap-games.xml")[0].startswith("https://games.example.org/games/")
        assert "Sitemap: https://games.example.org/sitemap.xml" in self.page("/robots.txt")
