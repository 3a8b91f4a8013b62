"""Every link of the site leads somewhere, from the first page on, and no page names two things alike."""

from collections import Counter
from urllib.parse import urldefrag, urljoin, urlsplit

from bs4 import BeautifulSoup

from tests.builders import RULESET_FILES
from tests.catalogue.page_world import CatalogueTestCase, text_of

ELSEWHERE = ("/api/", "/admin/", "/static/", "/history/")  # they have tests of their own
MOST_PAGES = 900


class LinkTests(CatalogueTestCase):
    def test_every_link_leads_to_a_page_and_every_mark_to_its_place(self) -> None:
        waiting, marks, pages = ["/"], set(), {}
        while waiting and len(pages) < MOST_PAGES:
            address = waiting.pop(0)
            if address in pages:
                continue
            response = self.client.get(address)
            assert response.status_code == 200, address
            if not response["Content-Type"].startswith("text/html"):
                pages[address] = set()
                continue
            page = BeautifulSoup(text_of(response), "html.parser")
            pages[address] = self.ids(address, page)
            for link in page.find_all("a", href=True):
                target = urljoin(address, link["href"])
                if urlsplit(target).netloc or target.startswith(ELSEWHERE):
                    continue
                plain, mark = urldefrag(target)
                waiting.append(plain)
                if mark:
                    marks.add((plain, mark))
        assert len(pages) < MOST_PAGES
        assert len(pages) > 42 + len(RULESET_FILES)  # 21 records, as many games, and the lists that lead to them
        for address, mark in marks:
            assert mark in pages[address], address

    def ids(self, address: str, page: BeautifulSoup) -> set[str]:
        """The marks of a page, each given once; labels and descriptions point to marks that exist."""
        counted = Counter(tag["id"] for tag in page.find_all(id=True))
        assert not [name for name, count in counted.items() if count > 1], address
        for tag in page.find_all(True):
            for attribute in ("for", "aria-labelledby", "aria-describedby"):
                for name in str(tag.get(attribute, "")).split():
                    assert name in counted, f"{address}: {attribute}={name}"
        return set(counted)

    def test_a_null_character_is_refused(self) -> None:
        assert self.client.get("/games/%00/").status_code == 400
        assert self.client.get("/evidence/?game=%00").status_code == 400

    def test_programmes_are_refused_in_the_form_of_every_other_error(self) -> None:
        for address in ("/api/v1/games/%00/", "/api/v1/evidence/?game=%00"):
            response = self.client.get(address)
            assert (response.status_code, response["Content-Type"]) == (400, "application/json")
            told = response.json()
            assert (told["status"], told["title"]) == (400, "Bad Request")
            assert told["detail"] == "The address contains a character that is in no name."
            assert [problem["message"] for problem in told["problems"]] == [told["detail"]]
