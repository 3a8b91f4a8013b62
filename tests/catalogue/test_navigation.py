"""Six words lead everywhere: where one is, and what is below each of them."""

import pytest
from bs4 import BeautifulSoup
from django.test import Client
from django.urls import reverse

from catalogue.templatetags.navigation import SECTIONS
from catalogue.web.routes import every_route

WORDS = ["Records", "Games", "Compare", "Findings", "Data and API", "About"]
pytestmark = pytest.mark.django_db


def page(address: str) -> BeautifulSoup:
    return BeautifulSoup(Client().get(address).content, "lxml")


def test_each_of_six_words_leads_to_a_page_with_its_section() -> None:
    links = page("/").select("nav.main a")
    assert [link.text for link in links] == WORDS
    assert not [link for link in links if link.get("aria-current")]
    for link, section in zip(links, SECTIONS, strict=True):
        below = page(str(link["href"])).select("nav.section a")
        assert [one.text for one in below] == [text for text, _, _ in section.pages]
        assert [one["href"] for one in below if one.get("aria-current") == "page"] == [link["href"]]


def test_a_page_below_names_its_word_and_itself() -> None:
    shown = page("/places/")
    assert [link["aria-current"] for link in shown.select("nav.main [aria-current]")] == ["true"]
    assert [link.text for link in shown.select("nav.section [aria-current=page]")] == ["Places"]


@pytest.mark.parametrize(("address", "word"), [("/about/data/", "Data and API"), ("/about/roles/", "About")])
def test_a_document_is_where_its_subject_is(address: str, word: str) -> None:
    assert [link.text for link in page(address).select("nav.main [aria-current]")] == [word]


def test_every_route_of_a_section_is_there() -> None:
    for section in SECTIONS:
        assert section.routes <= set(every_route())
        assert all(reverse(route, args=[argument] if argument else []) for _, route, argument in section.pages)


def test_a_page_that_is_not_there_has_the_words_too() -> None:
    shown = page("/nowhere/")
    assert [link.text for link in shown.select("nav.main a")] == WORDS
    assert not shown.select("nav.main [aria-current]")


def test_whoever_prints_a_page_is_told_where_it_is() -> None:
    assert page("/search/?q=pallang<uzhi").select_one(".printed").text == "http://testserver/search/?q=pallang%3Cuzhi"
    assert page("/nowhere/").select_one(".printed").text == ""
