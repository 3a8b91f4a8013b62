"""Every link of the site leads somewhere, from the first page on, and no page names two things alike."""

import re
from collections import Counter, deque
from html.parser import HTMLParser
from urllib.parse import urldefrag, urljoin, urlsplit

import pytest

from catalogue.pages.rulesets import named_ruleset
from tests.builders import CORNER_FILES, RULESET_FILES
from tests.catalogue.page_world import CatalogueTestCase, text_of

ELSEWHERE = ("/api/", "/admin/", "/static/", "/history/", "/cite/", "/id/")  # they have tests of their own
# Every position has moves, every turn of a game a page, every view of the map neighbours.
WITHOUT_END = ("/play-a-game/?", "?turn=", "/search/?", "/map/?", "/timeline/?")
MOST_PAGES = 900
# Pages looked at of those that are alike: the forms of all things, the games of a batch, the narrowed states of one
# list, rulesets by number or by hash, each of which has a page by name, and games of the reference corner.
ALIKE = 1
# Games of the reference corner and their rulesets, of which there are dozens.
OF_REFERENCE = {name for file in CORNER_FILES for name in (file.stem, file.stem.removesuffix("-reference"))}
NUMBER, HASH, DIGITS = re.compile(r"@\d+/$"), re.compile("[0-9a-f]{64}"), re.compile(r"\d+")


class Page(HTMLParser):
    """What a page names and what it points to. Read by the parser of the language: a tree would be built for nothing.

    ids: the marks it gives, with how often; links: where it leads; labels: (attribute, mark) of labels, descriptions
    """

    def __init__(self, text: str) -> None:
        super().__init__()
        self.ids: Counter[str] = Counter()
        self.links: list[str] = []
        self.labels: list[tuple[str, str]] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        for name, value in attributes:
            if name == "id":
                self.ids[value or ""] += 1
            elif name == "href" and tag == "a":
                self.links.append(value or "")
            elif name in ("for", "aria-labelledby", "aria-describedby"):
                self.labels += [(name, mark) for mark in (value or "").split()]


def sort_of(address: str) -> tuple[str, ...]:
    """What it has in common with pages that are alike; () for a page that is looked at in any case."""
    path, _, query = address.partition("?")
    first, *others = path.strip("/").split("/")
    if others and others[0] in OF_REFERENCE:
        return (first, "of reference", *others[1:], "?" if query else "")
    if first == "rulesets" and others and (NUMBER.search(path) or HASH.fullmatch(others[0])):
        return (first, "by number" if NUMBER.search(path) else "by hash", *others[1:], "?" if query else "")
    if query or len(others) > 1:
        return (first, *(DIGITS.sub("0", part) for part in others[1:]), "?" if query else "")
    return ()


class LinkTests(CatalogueTestCase):
    @pytest.mark.thorough
    def test_every_link_leads_to_a_page_and_every_mark_to_its_place(self) -> None:
        waiting, marks, pages, below = deque(["/"]), set(), {}, Counter[tuple[str, ...]]()
        while waiting and len(pages) < MOST_PAGES:
            address = waiting.popleft()
            if address in pages:
                continue
            if sort := sort_of(address):
                below[sort] += 1
                if below[sort] > ALIKE:
                    if address.startswith("/rulesets/") and not urlsplit(address).query:
                        named_ruleset(address.split("/")[2])  # raises what the page would answer with
                    continue
            response = self.client.get(address)
            # A game that a worker has to list first has a page that says so, and another status.
            listed_later = response.status_code == 202 and address.startswith("/batches/")
            assert listed_later or response.status_code == 200, address
            if not response["Content-Type"].startswith("text/html"):
                pages[address] = set()
                continue
            page = Page(text_of(response))
            pages[address] = self.ids(address, page)
            for link in dict.fromkeys(page.links):
                target = urljoin(address, link)
                if urlsplit(target).netloc or target.startswith(ELSEWHERE) or any(w in target for w in WITHOUT_END):
                    continue
                plain, mark = urldefrag(target)
                waiting.append(plain)
                if mark:
                    marks.add((plain, mark))
        assert len(pages) < MOST_PAGES
        assert len(pages) > 42 + len(RULESET_FILES)  # 22 records, as many games, and the lists that lead to them
        for address, mark in marks:
            shown = address if address in pages else NUMBER.sub("/", address)
            if shown in pages:
                assert mark in pages[shown], address

    def ids(self, address: str, page: Page) -> set[str]:
        """The marks of a page, each given once; labels and descriptions point to marks that exist."""
        assert not [name for name, count in page.ids.items() if count > 1], address
        for attribute, name in page.labels:
            assert name in page.ids, f"{address}: {attribute}={name}"
        return set(page.ids)

    def test_a_null_character_is_refused(self) -> None:
        assert self.client.get("/games/%00/").status_code == 400
        assert self.client.get("/evidence/?game=%00").status_code == 400
        # PostgreSQL cannot even look for it; SQLite finds nothing.
        for form in ({"rulesets": ["\0"]}, {"game": "daramuti\0"}, {"\0": "x", "rulesets": ["daramuti-parker"]}):
            response = self.client.post("/compare/", form)
            assert response.status_code == 400
            assert "character that is in no text" in response.content.decode()

    def test_programmes_are_refused_in_the_form_of_every_other_error(self) -> None:
        for address in ("/api/v1/games/%00/", "/api/v1/evidence/?game=%00"):
            response = self.client.get(address)
            assert (response.status_code, response["Content-Type"]) == (400, "application/problem+json")
            document = response.json()
            assert (document["status"], document["title"]) == (400, "Bad Request")
            assert document["detail"] == "The address contains a character that is in no name."
            assert [problem["message"] for problem in document["problems"]] == [document["detail"]]
