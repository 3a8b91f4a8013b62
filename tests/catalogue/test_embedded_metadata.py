"""What programmes read in the head of a page that can be cited: author, title, date, number, as its citation has."""

import datetime
import struct

from catalogue.citations.embedded import tags
from catalogue.citations.items import source_item
from catalogue.models import Claim, Question, Source
from tests.catalogue.embedded_reader import assert_told, path_of
from tests.catalogue.page_world import CatalogueTestCase
from tests.choice import third_of_the_day

BASE = "https://games.example.org"


class HeadTests(CatalogueTestCase):
    def test_each_page_says_what_its_citation_says(self) -> None:
        question, claim = (kind.objects.select_related("game")[0] for kind in (Question, Claim))
        for address in third_of_the_day([
            "/evidence/DLP.Evidence.692/", "/sources/marin-1942/", "/sources/parker-1909/", "/games/daramuti/",
            "/places/sri-lanka/", "/rulesets/daramuti-parker/", f"/batches/{self.batch.id}/", "/findings/", "/about/",
            question.get_absolute_url(), claim.get_absolute_url(),
        ]):  # fmt: skip
            with self.subTest(address):
                told = assert_told(self.client, self.client.get(address), self.soup(address))
                for kind, link in told["links"].items():
                    answer = self.client.get(path_of(link), headers={"accept": kind})
                    assert answer.status_code == 200
                    assert answer["Content-Type"].partition(";")[0] == kind, link

    def test_every_page_has_a_picture_to_share(self) -> None:
        told = assert_told(self.client, self.client.get(PAGE), self.soup(PAGE))
        assert told["shared"]["og:image"] == "http://testserver/share/rulesets/daramuti-parker.png"
        assert (told["shared"]["og:image:width"], told["shared"]["og:image:height"]) == ("1200", "630")
        (card,) = self.soup(PAGE).find_all("meta", attrs={"name": "twitter:card"})
        assert card["content"] == "summary_large_image"
        assert "/share/places/sri-lanka.png" in self.page("/places/sri-lanka/")
        assert "/share/pages/findings.png" in self.page("/findings/")
        assert self.client.get("/evidence/a%0Ab/").status_code == 404  # what nothing is called has no picture

    def test_pictures_to_share_are_small_whole_and_kept(self) -> None:
        """Of each kind one, without a session; asked again, the answer is 304 and nothing is drawn."""
        question, claim = (kind.objects.select_related("game")[0] for kind in (Question, Claim))
        names = ["evidence/DLP.Evidence.692", "games/daramuti", "rulesets/daramuti-parker", f"batches/{self.batch.id}"]
        names += [f"{of}s/{one.game.slug}/{one.slug}" for of, one in (("question", question), ("claim", claim))]
        names += ["sources/parker-1909", "places/sri-lanka", "sensitivity/daramuti"]
        for name in (*third_of_the_day(names), "pages/home"):
            with self.subTest(name):
                answer = self.client.get(f"/share/{name}.png")
                assert (answer.status_code, answer["Content-Type"]) == (200, "image/png")
                assert answer.content[:8] == b"\x89PNG\r\n\x1a\n"
                assert struct.unpack(">II", answer.content[16:24]) == (1200, 630)
                assert int(answer["Content-Length"]) == len(answer.content) < 150_000
                assert "max-age=86400" in answer["Cache-Control"]
                assert not answer.cookies
        again = self.client.get("/share/pages/home.png", headers={"if-none-match": answer["ETag"]})
        assert answer["ETag"]
        assert again.status_code in (200, 304)
        for wrong in ("games/daramutti", "pages/nowhere", "nothing/x", "claims/daramuti", "studies/x"):
            assert self.client.get(f"/share/{wrong}.png").status_code == 404, wrong

    def test_a_kept_page_has_its_links_in_the_header_too(self) -> None:
        with self.client.fresh():
            first, again = (self.client.get("/sources/marin-1942/") for _ in range(2))
        assert first["Link"] == again["Link"]
        assert '<http://testserver/sources/marin-1942/>; rel="cite-as"' in first["Link"]

    def test_words_of_rows_stay_words(self) -> None:
        Source.objects.filter(key="marin-1942").update(title='"><script>alert(1)</script>', authors="O’<b>, J.")
        page = self.soup("/sources/marin-1942/")
        assert "<script>alert" not in str(page.head)
        assert_told(self.client, self.client.get("/sources/marin-1942/"), page)


PAGE = "/rulesets/daramuti-parker/"


def told(source: Source) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for name, content in tags(source_item(source), f"{BASE}/sources/x/"):
        found.setdefault(name, []).append(content)
    return found


def test_an_article_a_chapter_and_a_book_are_told_apart() -> None:
    common = {"key": "x", "title": "On games", "authors": "Marin, G.; Doe, J. K.", "year": 1942, "pages": "114–20"}
    article = told(Source(**common, container="Man", volume="42"))
    assert article["citation_journal_title"] == ["Man"]
    assert (article["citation_firstpage"], article["citation_lastpage"]) == (["114"], ["20"])
    assert article["citation_author"] == ["Marin, G.", "Doe, J. K."]
    chapter = told(Source(**common, container="Games", publisher="A house"))
    assert (chapter["citation_inbook_title"], chapter["citation_publisher"]) == (["Games"], ["A house"])
    book = told(Source(**{**common, "authors": "Marin, G. (ed.)", "pages": ""}))
    assert (book["citation_editor"], "citation_author" in book) == (["Marin, G."], False)
    assert book["DC.contributor"] == ["Marin, G."]
    assert not {"citation_journal_title", "citation_inbook_title", "citation_firstpage"} & book.keys()


def test_years_before_the_common_era_are_as_iso_writes_them() -> None:
    item = {"type": "dataset", "title": "x", "issued": {"date-parts": [[-44]]}}
    assert ("DC.date", "-0043") in tags(item, BASE)
    day = datetime.date(2026, 11, 6)
    whole = tags({**item, "issued": {"date-parts": [[day.year, day.month, day.day]]}}, BASE)
    assert ("DC.date", "2026-11-06") in whole
    assert ("citation_publication_date", "2026/11/06") in whole
