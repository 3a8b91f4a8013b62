"""Names that last: where they lead, what becomes of a record that is withdrawn, and the map for search engines."""

import datetime
import re
from unittest import mock
from urllib.parse import urljoin
from xml.etree import ElementTree

import pytest
from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.db import IntegrityError, connection, transaction
from django.test import override_settings
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from catalogue.identifiers.resolution import ROWS, identifier_of, nearest, resolve
from catalogue.models import Anchor, Claim, Clause, Evidence, Game, Place, Question, Reading, Source
from catalogue.pages import site
from simulator.models import RulesetVersion
from tests.catalogue.page_world import CatalogueTestCase

LINKED_DATA = {"accept": "application/ld+json"}
WORDS = "Daramutu, or Ellaewala-kanda"
SITE = "https://games.example"
REASON = "The portal has taken it back: it describes another game."


class IdentifierTests(CatalogueTestCase):
    def leads_to(self, identifier: str, headers: dict[str, str] | None = None) -> str:
        response = self.client.get(f"/id/{identifier}", headers=headers or {})
        assert response.status_code == 303, identifier
        assert "Accept" in response["Vary"]
        return str(response["Location"])

    def test_a_name_alone_leads_to_the_page(self):
        digest = RulesetVersion.objects.get(slug="daramuti-parker", number=1).ruleset_id
        for identifier, page in {
            "DLP.Evidence.692": "/evidence/DLP.Evidence.692/",
            "parker-1909": "/sources/parker-1909/",
            "daramuti": "/games/daramuti/",
            "sri-lanka": "/places/sri-lanka/",
            "daramuti-parker@1": "/rulesets/daramuti-parker@1/",
            digest[:10]: f"/rulesets/{digest}/",
            self.batch.id: f"/batches/{self.batch.id}/",
            "daramuti-parker/relay": "/rulesets/daramuti-parker/#clause-relay",
            "dam/won-by-taking-all": "/claims/dam/won-by-taking-all/",
        }.items():
            with self.subTest(identifier):
                assert self.leads_to(identifier) == page

    @pytest.mark.by_turns
    def test_every_sort_of_row_is_named_by_its_kind(self):
        for kind, rows in ROWS.items():
            row = rows().first()
            if row is None:
                continue
            with self.subTest(kind):
                path = identifier_of(row)
                assert path.startswith(f"/id/{kind}/")
                found = resolve(path.removeprefix("/id/"))
                assert (type(found), found.pk) == (type(row), row.pk)
                assert self.client.get(self.leads_to(path.removeprefix("/id/")).partition("#")[0]).status_code == 200

    def test_a_kind_decides_between_rows_of_one_name(self):
        question = Question.objects.select_related("game").first()
        Claim.objects.create(game=question.game, slug=question.slug, title="t", text="x", judged_by="nothing")
        key = f"{question.game.slug}/{question.slug}"
        assert self.leads_to(key) == f"/questions/{key}/"
        assert self.leads_to(f"question/{key}") == f"/questions/{key}/"
        assert self.leads_to(f"claim/{key}") == f"/claims/{key}/"

    def test_whoever_wants_linked_data_is_led_to_some(self):
        where = self.leads_to("DLP.Evidence.692", LINKED_DATA)
        assert self.client.get(where, headers=LINKED_DATA)["Content-Type"] == "application/ld+json"
        anchor = Anchor.objects.first()
        assert self.leads_to(anchor.key).startswith("/evidence/")
        assert self.leads_to(anchor.key, LINKED_DATA) == f"/api/v1/annotations/{anchor.key}/"

    def test_a_name_leads_to_the_form_that_is_asked_for(self):
        for accept, where in {
            "application/x-bibtex": "/cite/record/DLP.Evidence.692.bib",
            "application/x-research-info-systems": "/cite/record/DLP.Evidence.692.ris",
            "application/vnd.citationstyles.csl+json": "/cite/record/DLP.Evidence.692.json",
            "application/json": "/api/v1/evidence/DLP.Evidence.692/",
            "application/json;q=0.5, application/x-bibtex": "/cite/record/DLP.Evidence.692.bib",
            "text/html,application/xhtml+xml,*/*;q=0.8": "/evidence/DLP.Evidence.692/",
            "text/turtle, */*;q=0.1": "/evidence/DLP.Evidence.692/",
            "*/*": "/evidence/DLP.Evidence.692/",
            ";;;q=x": "/evidence/DLP.Evidence.692/",
        }.items():
            with self.subTest(accept):
                assert self.leads_to("record/DLP.Evidence.692", {"accept": accept}) == where
        refused = self.client.get("/id/DLP.Evidence.692", headers={"accept": "text/turtle"})
        assert refused.status_code == 406
        assert "Accept" in refused["Vary"]
        assert b"text/html, application/ld+json, application/json" in refused.content

    def test_every_kind_leads_to_a_row_of_the_api_or_says_not(self):
        for rows in ROWS.values():
            if row := rows().first():
                where = self.leads_to(identifier_of(row).removeprefix("/id/"), {"accept": "application/json"})
                assert self.client.get(where)["Content-Type"] == "application/json", where

    def test_a_name_is_read_only_and_holds_no_null(self):
        self.page("/id/%00", 400)
        assert self.client.post("/id/daramuti").status_code == 405

    def test_the_number_of_queries_does_not_grow_with_the_rows(self):
        def queries() -> int:
            with CaptureQueriesContext(connection) as captured:
                resolve("record/DLP.Evidence.692")
                nearest("DLP.Evidence.69")
            return len(captured)

        before = queries()
        game = Game.objects.get(slug="daramuti")
        Evidence.objects.bulk_create(
            Evidence(identifier=f"DLP.Evidence.5{number:04}", type="t", game=game, quotation="x")
            for number in range(50)
        )
        assert queries() == before


class WithdrawnTests(CatalogueTestCase):
    record: Evidence

    @classmethod
    def setUpTestData(cls) -> None:
        super().setUpTestData()
        cls.record = Evidence.objects.get(identifier="DLP.Evidence.692")
        cls.record.withdrawn_on, cls.record.withdrawn_reason = datetime.date(2026, 11, 2), REASON
        cls.record._change_reason = "Taken back"
        cls.record.save()

    def test_the_page_of_a_withdrawn_record_gives_day_and_reason(self):
        for address in (
            "/evidence/DLP.Evidence.692/",
            "/evidence/DLP.Evidence.692/suggest/",
            "/id/DLP.Evidence.692",
            "/id/record/DLP.Evidence.692",
            "/cite/record/DLP.Evidence.692.bib",
        ):
            with self.subTest(address):
                page = self.page(address, 410)
                assert REASON in page
                assert "2 November 2026" in page
                assert WORDS not in page
        assert "/history/record/DLP.Evidence.692/" in page

    def test_its_history_stays_readable(self):
        page = self.page("/history/record/DLP.Evidence.692/")
        assert REASON in page
        assert "Taken back" in page
        assert WORDS in page

    def test_the_api_says_the_same_as_a_problem(self):
        response = self.client.get("/api/v1/evidence/DLP.Evidence.692/")
        assert response.status_code == 410
        assert REASON in response.json()["detail"]
        assert "2026-11-02" in response.json()["detail"]
        assert self.client.get("/api/v1/evidence/DLP.Evidence.69222/").status_code == 404

    @pytest.mark.by_turns
    def test_no_list_shows_it(self):
        for address in (
            "/", "/evidence/", "/evidence/?place=sri-lanka", "/games/daramuti/", "/places/sri-lanka/",
            "/sources/parker-1909/", "/sitemap-evidence.xml", "/api/v1/evidence/?page_size=100",
        ):  # fmt: skip
            with self.subTest(address):
                assert "/evidence/DLP.Evidence.692/" not in self.page(address)
        assert "21 records" in self.page("/evidence/")
        places = self.client.get("/api/v1/places/sri-lanka/").json()
        games = self.client.get("/api/v1/games/daramuti/").json()
        sources = self.client.get("/api/v1/sources/parker-1909/").json()
        citing = Evidence.objects.shown().filter(sources__key="parker-1909").count()
        assert (places["records"], games["records"], sources["records"]) == (19, 0, citing)

    def test_no_page_quotes_its_words(self):
        anchor = Anchor.objects.filter(evidence=self.record, clause__isnull=False).select_related("clause").first()
        assert self.client.get("/api/v1/annotations/?page_size=100&evidence=DLP.Evidence.692").json()["results"] == []
        assert anchor.exact not in self.page(anchor.clause.reading.get_absolute_url())
        clause = self.client.get(f"/api/v1/clauses/{anchor.clause}/").json()
        assert anchor.exact not in str(clause)

    def test_nobody_is_led_to_it_by_mistake(self):
        assert "/evidence/DLP.Evidence.692/" not in self.page("/evidence/DLP.Evidence.693/", 404)

    def test_a_reason_there_must_be(self):
        record = Evidence.objects.get(identifier="DLP.Evidence.690")
        record.withdrawn_on = datetime.date(2026, 11, 2)
        with pytest.raises(ValidationError, match="for a reason"):
            record.full_clean()
        with pytest.raises(IntegrityError), transaction.atomic():
            record.save()

    @pytest.mark.by_turns
    def test_an_editor_withdraws_a_record_for_a_reason(self):
        self.client.force_login(User.objects.create_superuser("editor", password=None))
        record = Evidence.objects.get(identifier="DLP.Evidence.690")
        address = reverse("admin:catalogue_evidence_change", args=[record.pk])
        initial = self.client.get(address).context["adminform"].form.initial
        sent = {name: value for name, value in initial.items() if isinstance(value, str | int)}
        sent |= {"other_fields": "{}", "places": [place.pk for place in record.places.all()]}
        for inline in ("citations", "uncertainties", "notes"):
            sent |= {f"{inline}-TOTAL_FORMS": 0, f"{inline}-INITIAL_FORMS": 0}
        sent |= {"reason": "The portal asked for it", "withdrawn_on": "2026-11-03"}
        refused = self.client.post(address, sent)
        assert "withdrawn for a reason" in refused.content.decode()
        assert self.client.get("/evidence/DLP.Evidence.690/").status_code == 200
        assert self.client.post(address, {**sent, "withdrawn_reason": REASON}).status_code == 302
        assert REASON in self.page("/evidence/DLP.Evidence.690/", 410)
        assert "The portal asked for it" in self.page("/history/record/DLP.Evidence.690/")

    def test_what_was_withdrawn_can_come_back(self):
        self.record.withdrawn_on = None
        self.record.save()
        assert WORDS in self.page("/evidence/DLP.Evidence.692/")

    def test_its_clauses_keep_their_pages(self):
        clause = Clause.objects.filter(reading__slug="daramuti-parker").first()
        assert clause.slug in self.page("/rulesets/daramuti-parker/")


NAMES = {"s": "http://www.sitemaps.org/schemas/sitemap/0.9"}


class SitemapTests(CatalogueTestCase):
    def addresses(self, path: str) -> list[str]:
        tree = ElementTree.fromstring(self.page(path))
        return [str(tag.text) for tag in tree.iterfind(".//s:loc", NAMES)]

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
        """Not when it was loaded here: each installation would tell search engines that everything changed."""
        pages = {
            "evidence": "/evidence/DLP.Evidence.692/", "games": "/games/daramuti/", "places": "/places/sri-lanka/",
            "sources": "/sources/parker-1909/", "rulesets": "/rulesets/daramuti-parker/",
        }  # fmt: skip
        assert {self.changed(kind).get(page) for kind, page in pages.items()} == {""}
        record = Evidence.objects.get(identifier="DLP.Evidence.692")
        record._change_reason = "A slip of the pen"
        record.save()
        latest = record.history.latest().history_date.date().isoformat()
        dates = {kind: self.changed(kind)[page] for kind, page in pages.items()}
        assert dates == {**dict.fromkeys(pages, latest), "rulesets": ""}
        assert self.changed("games")["/games/dam/"] == ""

    def changed(self, kind: str) -> dict[str, str]:
        tree = ElementTree.fromstring(self.page(f"/sitemap-{kind}.xml"))
        site = "http://testserver"
        return {
            one.findtext("s:loc", "", NAMES).removeprefix(site): one.findtext("s:lastmod", "", NAMES) for one in tree
        }

    def test_what_robots_may_not_read_is_not_in_it(self):
        closed = [line.split()[1] for line in self.page("/robots.txt").splitlines() if line.startswith("Disallow:")]
        found = {path.removeprefix("http://testserver") for path in self.addresses("/sitemap-pages.xml")}
        assert found.isdisjoint(closed)
        assert {"/games/", "/findings/", "/about/rights/"} <= found

    @pytest.mark.by_turns
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
        assert [len(page) for page in pages] == [20, 20, 12]

    def test_robots_are_told_where_it_is_and_what_is_not_for_them(self):
        response = self.client.get("/robots.txt")
        assert response["Content-Type"] == "text/plain; charset=utf-8"
        lines = response.content.decode().splitlines()
        assert "Sitemap: http://testserver/sitemap.xml" in lines
        for path in ("/admin/", "/rulesets/*/change/", "/rulesets/*/play/", "/rulesets/*/play-a-game/"):
            assert f"Disallow: {path}" in lines

    def test_a_polite_crawler_is_never_lost_in_facets(self):
        """Of what it may follow, no address has more than three parameters, and none that narrows a search."""
        closed = [line.split()[1] for line in self.page("/robots.txt").splitlines() if line.startswith("Disallow:")]
        rules = [re.compile(re.escape(one).replace(r"\*", ".*")) for one in closed]
        pages = ("/", "/evidence/", "/games/", "/map/", "/claims/", "/rulesets/daramuti-parker/", "/search/?q=player")
        followed = set()
        for page in pages:
            for link in self.soup(page).find_all("a", href=True):
                path = urljoin(page, link["href"]).partition("#")[0]
                if path[:1] == "/" and "nofollow" not in link.get("rel", ()) and not any(r.match(path) for r in rules):
                    followed.add(path)
        assert len(followed) > 50
        assert not {path for path in followed if path.count("=") > 3 or path.startswith("/search/")}

    @override_settings(SITE_URL="https://games.example.org")
    def test_the_sitemap_has_the_public_address_of_the_settings(self):
        assert self.addresses("/sitemap.xml")[0] == "https://games.example.org/sitemap-pages.xml"
        assert self.addresses("/sitemap-games.xml")[0].startswith("https://games.example.org/games/")
        assert "Sitemap: https://games.example.org/sitemap.xml" in self.page("/robots.txt")


ATOM = "{http://www.w3.org/2005/Atom}"


class FeedTests(CatalogueTestCase):
    def entries(self) -> list[dict[str, str]]:
        """The entries of the feed, each with its link, that are no versions of rulesets."""
        answer = self.client.get("/changes.atom")
        assert answer["Content-Type"] == "application/atom+xml; charset=utf-8"
        feed = ElementTree.fromstring(answer.content)
        assert [link.get("href") for link in feed.findall(f"{ATOM}link")] == [f"{SITE}/", f"{SITE}/changes.atom"]
        entries = [
            {child.tag.removeprefix(ATOM): child.text or child.get("href") or "" for child in entry}
            for entry in feed.iter(f"{ATOM}entry")
        ]
        assert entries == sorted(entries, key=lambda entry: entry["updated"], reverse=True)
        assert len({entry["id"] for entry in entries}) == len(entries) > 0
        return [entry for entry in entries if not entry["title"].startswith("Ruleset ")]

    @override_settings(SITE_URL="https://games.example")
    def test_it_tells_what_editors_changed_and_not_what_was_loaded(self) -> None:
        assert self.entries() == []
        record = Evidence.objects.get(identifier="DLP.Evidence.692")
        record.date_text, record._change_reason = "about 1900", "The date was misread."
        record.save()
        words, answer = (Anchor.objects.filter(**{f"{of}__isnull": False})[0] for of in ("clause", "answer"))
        words.save()
        answer.save()
        clause = Clause.objects.exclude(pk=words.clause_id)[0]
        key = "/".join(clause.natural_key())
        clause.delete()
        found = {
            entry["title"]: (entry["link"].removeprefix(SITE), entry.get("summary", "")) for entry in self.entries()
        }
        owner = "/".join(words.clause.natural_key())
        assert found == {
            "Record DLP.Evidence.692: changed": ("/history/record/DLP.Evidence.692/", "The date was misread."),
            f"Words of clause {owner}: changed": (f"/history/clause/{owner}/", ""),
            f"Clause {key}: deleted": (f"/history/clause/{key}/", ""),
        } | {title: told for title, told in found.items() if f"clause {key}:" in title}
        for address, _ in found.values():
            assert self.client.get(address).status_code == 200

    def test_every_page_leads_to_it(self) -> None:
        assert '<link rel="alternate" type="application/atom+xml"' in self.client.get("/about/rights/").text
