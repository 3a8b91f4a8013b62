"""One look at the example of every route: it is answered, in few queries, and texts of rows stay words.

Texts of rows are words to a page, whatever they look like: here each text of the catalogue ends in markup.
"""

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import ClassVar

import pytest
from bs4 import BeautifulSoup
from django.contrib.auth import get_user_model
from django.db import connection
from django.test import Client, override_settings
from django.test.utils import CaptureQueriesContext
from django.urls import resolve

from catalogue.citations.chicago import chicago, chicago_author_date, chicago_note
from catalogue.citations.items import source_item
from catalogue.models import Source
from catalogue.search.indexing import index_missing
from catalogue.web.routes import every_route
from tests import choice, pages_of_a_large_catalogue, synthetic_catalogue
from tests.catalogue.dataset_world import a_folder
from tests.catalogue.markup import MARKUP, spoil
from tests.catalogue.page_world import CatalogueTestCase
from tests.every_address import addresses, fill, status_of

RAN = "window.ran=1"


@dataclass(frozen=True, slots=True)
class Seen:
    """An answer: its status, its media type, its text, and the queries it took."""

    address: str
    status: int
    media_type: str
    text: str
    queries: int


def look(client: Client, address: str, most: int) -> Seen:
    """Asked for a second time where it took more queries than `most`: what a process keeps is not counted."""
    for _ in range(2):
        with CaptureQueriesContext(connection) as queries:
            response = client.get(address, headers={"accept": "text/html,*/*;q=0.1"})
            text = b"".join(response).decode(errors="replace")
        if len(queries) <= most:
            break
    return Seen(address, response.status_code, response.get("Content-Type", ""), text, len(queries))


class EveryRouteTests(CatalogueTestCase):
    """By a visitor, at a third of the routes each day.

    The thorough run looks at all, and as an editor too, at the pages of the admin and at texts that are empty.
    """

    as_editor: ClassVar[bool] = False
    seen: ClassVar[dict[str, Seen]]
    every: ClassVar[dict[str, str]]

    @classmethod
    def setUpTestData(cls) -> None:
        super().setUpTestData()
        folders = {name: cls.enterClassContext(a_folder()) for name in ("DATASETS_DIR", "MEDIA_ROOT")}
        cls.enterClassContext(override_settings(**folders))
        synthetic_catalogue.fill(60)
        assert spoil(empty_too=cls.as_editor) > 100
        client, routes = Client(), every_route()
        cls.every = examples = addresses(fill())
        if cls.as_editor:
            client.force_login(get_user_model()._default_manager.create_superuser(username="somebody"))
        else:
            examples = dict(choice.third_of_the_day((name, examples[name]) for name in sorted(routes)))
        # What an editor's pages take is declared nowhere: none of them is asked for again.
        most = {} if cls.as_editor else {name: routes[name].queries for name in examples}
        cls.seen = {name: look(client, address, most.get(name, 1_000)) for name, address in examples.items()}

    def test_each_example_is_answered_with_the_declared_status(self) -> None:
        found = {name: seen.status for name, seen in self.seen.items() if name != "admin:login"}  # an editor is sent on
        assert found == {name: status_of(name, self.as_editor) for name in found}

    def test_no_page_takes_more_queries_than_declared(self) -> None:
        routes = every_route() if not self.as_editor else {}
        assert not {
            n: seen.queries for n, seen in self.seen.items() if n in routes and seen.queries > routes[n].queries
        }

    def test_no_text_of_a_row_becomes_an_element_or_address(self) -> None:
        pages = [one for one in self.seen.values() if one.media_type.startswith(("text/html", "image/svg"))]
        assert sum(RAN in page.text for page in pages) > (40 if choice.ALL else 12)
        wrong = [f"{page.address}: {what}" for page in pages for what in brought(page.text)]
        assert not wrong, "\n".join(wrong)

    def test_what_never_changes_is_not_asked_for_again(self) -> None:
        """Files of releases, rows of games, and documents of versions; all else is asked for with its tag."""
        rows, file = (self.every[route] for route in ("batch-rows", "release-file"))
        document = "/api/v1/rulesets/daramuti-parker{}/document/"
        digest = hashlib.sha256(self.client.get(document.format("")).content).hexdigest()
        for address, is_final in (
            (rows, True), (f"/api/v1{rows.removesuffix('.csv')}/?format=jsonl", True), (file, True),
            (document.format("@1"), True), ("/api/v1/rulesets/" + digest + "/document/", True),
            (document.format(""), False), ("/data/today/evidence.csv", False), ("/games/", False),
            ("/api/v1/rulesets/daramuti-parker@1/", False),
        ):  # fmt: skip
            first = self.client.get(address)
            again = self.client.get(address, headers={"if-none-match": first["ETag"]})
            assert (first.status_code, again.status_code) == (200, 304), address
            for answer in (first, again):
                said = answer["Cache-Control"]
                assert said == ("public, max-age=31536000, immutable" if is_final else "no-cache"), (address, said)


@pytest.mark.thorough
class EveryRouteOfEditorsTests(EveryRouteTests):
    as_editor = True
    test_what_never_changes_is_not_asked_for_again = None  # as it is for visitors


class GrowthTests(CatalogueTestCase):
    @pytest.mark.thorough
    def test_queries_do_not_grow_with_the_number_of_records(self) -> None:
        synthetic_catalogue.fill(150)
        index_missing()
        few = look_at_hard_pages()
        wrong = {one.address: one.queries for one in few if one.queries > most_queries(one.address)}
        assert not wrong
        synthetic_catalogue.fill(50, seed=8)
        index_missing()
        before = {one.address: one.queries for one in few}
        assert [one.queries for one in look_at_hard_pages(before)] == [one.queries for one in few]


def look_at_hard_pages(before: Mapping[str, int] = MappingProxyType({})) -> list[Seen]:
    """The pages that are hard in a large catalogue, asked for twice: what a process keeps is not counted.

    before: what they took then; what takes no more is not asked for again
    """
    some = [address for pages in pages_of_a_large_catalogue.addresses().values() for address in pages]
    found = [look(Client(), address, most=before.get(address, -1)) for address in some]
    assert {seen.status for seen in found} == {200}
    return found


def most_queries(address: str) -> int:
    return every_route()[resolve(address.partition("?")[0]).view_name].queries


def brought(page: str) -> Iterator[str]:
    """What of the markup became more than words."""
    soup = BeautifulSoup(page, "lxml")
    for element in soup.find_all(True):
        for name, value in element.attrs.items():
            if name.startswith("on") or (name in ("href", "src", "action") and str(value).startswith("javascript:")):
                yield f"<{element.name} {name}={str(value)[:60]!r}>"
        if element.name == "script" and not element.get("src"):
            if not str(element.get("type")).startswith("application/"):
                yield f"<script> {element.text[:60]!r}"
            else:
                json.loads(element.text)


def test_markup_is_found_where_it_stands_as_it_is() -> None:
    assert len(set(brought(f"<p>{MARKUP}</p>"))) == 4
    assert len(set(brought(f'<a href="{MARKUP}">x</a>'))) == 5


def test_no_field_of_a_source_brings_an_element_into_a_citation() -> None:
    """For each sort of source, since each shows other fields."""
    texts = ("authors", "title", "container", "volume", "pages", "place", "publisher", "as_printed", "address", "note")
    for left_out in ((), ("container",), ("container", "title"), ("title",), ("volume", "pages")):
        source = Source(key="a", year=1909, **{name: MARKUP for name in texts if name not in left_out})
        for write in (chicago, chicago_author_date, chicago_note):
            soup = BeautifulSoup(write(source_item(source)), "html.parser")  # no page, which lxml would make of it
            assert {element.name for element in soup.find_all(True)} <= {"i"}, (left_out, write)
