"""The page of the search, its formats and its errors."""

import csv
import io
from urllib.parse import parse_qs, urlsplit

import pytest
from bs4 import BeautifulSoup
from django.db import connection
from django.test.utils import CaptureQueriesContext
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.django import TestCase as HypothesisTestCase

from catalogue.models import (
    Evidence,
    Game,
    Place,
    Source,
)
from catalogue.search.indexing import index_missing
from catalogue.search.ranking import TITLES
from tests.catalogue.page_world import text_of
from tests.catalogue.search_world import SEARCH, SearchCase


class PageTests(SearchCase):
    def test_every_choice_order_and_page_is_a_link_that_keeps_the_others(self) -> None:
        page = BeautifulSoup(self.page(f"{SEARCH}?q=player&kind=rule&sort=name&page=2"), "lxml")
        for link in page.select(".facets a"):
            asked = parse_qs(urlsplit(link["href"]).query)
            assert asked["q"] == ["player"]
            assert asked["sort"] == ["name"]
            assert "page" not in asked
            assert self.client.get(link["href"]).status_code == 200
        for relation, number in (("prev", None), ("next", ["3"])):
            asked = parse_qs(urlsplit(page.find("a", rel=relation)["href"]).query)
            assert (asked.get("page"), asked["kind"]) == (number, ["rule"])

    def test_an_order_has_an_address_and_the_usual_one_is_without(self) -> None:
        page = BeautifulSoup(self.page(f"{SEARCH}?q=player&sort=name"), "lxml")
        orders = {link.get_text(): link["href"] for link in page.select(".orders a")}
        asked = [parse_qs(urlsplit(address).query) for address in orders.values()]
        assert [one.get("sort") for one in asked] == [None, ["year"], ["newest"]]
        assert page.select_one(".orders [aria-current]").get_text() == "name"

    def test_a_chosen_value_can_be_taken_back(self) -> None:
        page = BeautifulSoup(self.page(f"{SEARCH}?q=player&kind=rule"), "lxml")
        assert page.select_one(".facets [aria-current]")["href"] == "/search/?q=player"
        assert page.select_one(".chips a")["href"] == "/search/?q=player"

    def test_the_box_stands_on_every_page(self) -> None:
        for address in ("/", "/evidence/", "/no/such/page/"):
            page = BeautifulSoup(text_of(self.client.get(address)), "lxml")
            assert page.select_one('form[role="search"]')["action"] == SEARCH

    def test_twins_hold_the_same_list(self) -> None:
        asked = {"q": "leopards", "kind": "record"}
        found = self.read(**asked)["results"]
        assert len(found) > 1
        table = list(csv.DictReader(io.StringIO(text_of(self.client.get(SEARCH, {**asked, "format": "csv"})))))
        assert [row["address"] for row in table] == [find["address"] for find in found]
        for form, mark in (("bib", "@"), ("ris", "TY  - ")):
            text = text_of(self.client.get(SEARCH, {**asked, "format": form}))
            assert text.count(f"\n{mark}") + text.startswith(mark) == len(found)
            for find in found:
                assert find["title"].split(" ")[0] in text
        page = BeautifulSoup(self.page(f"{SEARCH}?q=leopards&kind=record"), "lxml")
        assert {link["title"] for link in page.find_all("link", rel="alternate")} >= {"JSON", "CSV", "BibTeX", "RIS"}

    def test_bibliographies_of_every_kind_of_thing(self) -> None:
        for kind in self.counts("kind"):
            for form in ("bib", "ris"):
                response = self.client.get(SEARCH, {"kind": kind, "format": form})
                assert response.status_code == 200, (kind, form)
                assert len(text_of(response)) > 100, (kind, form)

    def test_a_long_twin_tells_where_it_goes_on(self) -> None:
        response = self.client.get(SEARCH, {"kind": "rule", "format": "json"})
        following = response["Link"].partition(">")[0].removeprefix("<http://testserver")
        assert 'rel="next"' in response["Link"]
        both = [self.client.get(SEARCH, {"kind": "rule", "format": "json"}).json(), self.client.get(following).json()]
        assert not {f["address"] for f in both[0]["results"]} & {f["address"] for f in both[1]["results"]}

    def test_the_api_answers_alike(self) -> None:
        page = self.read(q="leopards")
        answer = self.client.get("/api/v1/search/", {"q": "leopards", "page_size": "100"}).json()
        assert {name: answer[name] for name in page} == page
        small = self.client.get("/api/v1/search/", {"q": "leopards", "page_size": "2"}).json()
        assert small["results"] == page["results"][:2]
        assert self.client.get(small["next"]).json()["results"] == page["results"][2:4]

    def test_twelve_queries_with_any_number_of_entries(self) -> None:
        # edition, twice; all counts; the order in three parts; their words; finds; places, games, sources, factors
        def queries() -> int:
            with CaptureQueriesContext(connection) as made:
                self.page(f"{SEARCH}?q=board&kind=record")
            return len(made)

        assert queries() == 12
        game, place = Game.objects.first(), Place.objects.first()
        for number in range(60):
            record = Evidence.objects.create(identifier=f"X.{number}", type="Artifact", game=game, quotation="A board.")
            record.places.add(place)
            record.citations.create(source=Source.objects.first())
        index_missing()
        assert queries() == 12


class RefusalTests(SearchCase):
    def refused(self, **asked: str) -> str:
        """The nearest address that makes sense."""
        page = BeautifulSoup(text_of(self.client.get(SEARCH, asked)), "lxml")
        assert self.client.get(SEARCH, asked).status_code == 400, asked
        nearest = [a["href"] for a in page.find("main").find_all("a") if a["href"].startswith("/search/?")]
        assert self.client.get(nearest[0]).status_code == 200 if nearest else True
        return nearest[0] if nearest else ""

    def test_what_makes_no_sense_is_named_with_the_nearest_that_does(self) -> None:
        assert self.refused(q="board", plce="sri-lanka") == "/search/?q=board"
        assert self.refused(place="sri-lnka") == "/search/?place=sri-lanka"
        assert self.refused(kind="recrod") == "/search/?kind=record"
        assert self.refused(sort="nme") == "/search/?sort=name"
        assert self.refused(q="leopards", page="99").startswith("/search/?q=leopards&page=")
        assert self.refused(page="x") == "/search/?page=1"
        assert self.refused(page="-1") == "/search/?page=1"
        assert self.refused(format="jsn") == "/search/?format=json"
        assert self.refused(all="plce") == "/search/?all=place"
        assert self.refused(q="w " * 17).startswith("/search/?q=w+w")
        assert self.refused(q="x " * 150).startswith("/search/?q=")
        self.refused(q="?!")

    def test_the_api_refuses_in_its_own_form(self) -> None:
        for query, field, nearest in (
            ("q=%22%22", "q", ""),
            ("place=sri-lnka", "place", "sri-lanka"),
            ("sort=nme", "sort", "name"),
            ("page=9999", "page", None),
            ("page_size=999", "page_size", 100),
        ):
            response = self.client.get(f"/api/v1/search/?{query}")
            assert response.status_code == 400, query
            problem = response.json()["problems"][0]
            assert problem["field"] == field
            assert nearest is None or problem["nearest"] == nearest

    def test_choices_that_exclude_each_other_give_an_empty_list(self) -> None:
        assert self.read(place="khasi", game="daramuti", kind="record")["count"] == 0


class HostileTests(SearchCase, HypothesisTestCase):
    """Whatever is asked for is answered, or refused with a 400."""

    @given(
        st.dictionaries(
            st.sampled_from([*TITLES, "q", "sort", "page", "format", "all", "x"]),
            st.one_of(
                st.text(max_size=30),
                st.sampled_from(
                    ["record", "yes", "sri-lanka", "-1", "1e9", "csv", "name", '"a -b', "\x00", "%", "NOT"]
                ),
            ),
            max_size=3,
        )
    )
    @pytest.mark.thorough
    def test_anything_is_answered_or_refused(self, asked: dict[str, str]) -> None:
        for address in (SEARCH, "/api/v1/search/"):
            assert self.client.get(address, asked).status_code in (200, 400), asked
