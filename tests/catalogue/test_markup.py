"""Texts of rows are words to a page, whatever they look like: markup in every text column of every model."""

import json
from collections.abc import Iterator
from typing import ClassVar

import pytest
from bs4 import BeautifulSoup
from django.contrib.auth import get_user_model
from django.test import override_settings

from catalogue.citations.chicago import chicago, chicago_author_date, chicago_note
from catalogue.citations.items import source_item
from catalogue.models import Source
from catalogue.web.routes import every_route
from tests.catalogue.dataset_world import a_folder
from tests.catalogue.markup import MARKUP, spoil
from tests.catalogue.page_world import CatalogueTestCase
from tests.every_address import addresses, fill


class MarkupOnItsPages(CatalogueTestCase):
    """The pages that show most texts; all others, and a real browser, are left to a thorough run."""

    def test_they_show_words(self) -> None:
        spoil(empty_too=False)
        for route in ("evidence", "source", "game", "ruleset", "claim", "search", "v1:evidence-detail"):
            page = self.client.get(every_route()[route].example, headers={"accept": "text/html"}).content.decode()
            assert "window.ran=1" in page, route
            assert not list(brought(page)), route


@pytest.mark.thorough
class MarkupInEveryText(CatalogueTestCase):
    """It looks at every page of the site once, and at every form an answer has."""

    every: ClassVar[dict[str, str]]
    empty_too: ClassVar[bool] = True

    @classmethod
    def setUpTestData(cls) -> None:
        super().setUpTestData()
        cls.enterClassContext(override_settings(DATASETS_DIR=cls.enterClassContext(a_folder())))
        assert spoil(cls.empty_too) > 100
        cls.every = addresses(fill())

    def test_no_page_has_an_element_or_an_address_that_a_text_brought(self) -> None:
        self.client.force_login(get_user_model()._default_manager.create_superuser(username="somebody"))
        shown, wrong = 0, []
        for route, address in self.every.items():
            response = self.client.get(address, headers={"accept": "text/html,*/*;q=0.1"})
            text = b"".join(response).decode(errors="replace")
            if response["Content-Type"].startswith(("text/html", "image/svg")):
                shown += "window.ran=1" in text
                wrong += [f"{route} {address}: {what}" for what in brought(text)]
        assert shown > 60
        assert not wrong, "\n".join(wrong)


class MarkupInEveryTextThatSaysSomething(MarkupInEveryText):
    empty_too = False


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


def test_the_markup_is_found_where_it_stands_as_it_is() -> None:
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
