"""The page of the search: its formats, its errors, its facets, and what is suggested while somebody types."""

import csv
import io
import json
from itertools import cycle
from typing import Any
from unittest.mock import patch
from urllib.parse import parse_qs, urlsplit

import pytest
from bs4 import BeautifulSoup
from django.db import connection
from django.test.utils import CaptureQueriesContext
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.django import TestCase as HypothesisTestCase

from catalogue.models import Claim, Clause, Evidence, Game, Place, Question, Reading, Source, Term, UncertaintyFactor
from catalogue.search import ranking
from catalogue.search.indexing import index_changed, index_missing, missing, rebuild, refresh
from catalogue.search.query import parse_query
from catalogue.search.ranking import TITLES, counted, entries_with, narrowed
from tests.catalogue.page_world import CatalogueTestCase, text_of
from tests.catalogue.search_world import SEARCH, SearchCase


class PageTests(SearchCase):
    @pytest.mark.by_turns
    def test_every_choice_is_a_link_that_keeps_the_others(self) -> None:
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

    @pytest.mark.by_turns
    def test_bibliographies_of_every_kind_of_thing(self) -> None:
        for kind, form in zip(self.counts("kind"), cycle(("bib", "ris")), strict=False):
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

    @pytest.mark.by_turns
    def test_fourteen_queries_with_any_number_of_entries(self) -> None:
        # edition, twice; all counts; the order in three parts; their words; finds; places, games, sources, factors;
        # the boards, twice
        def queries() -> int:
            with CaptureQueriesContext(connection) as made:
                self.page(f"{SEARCH}?q=board&kind=record")
            return len(made)

        assert queries() == 14
        game, place = Game.objects.first(), Place.objects.first()
        for number in range(60):
            record = Evidence.objects.create(identifier=f"X.{number}", type="Artifact", game=game, quotation="A board.")
            record.places.add(place)
            record.citations.create(source=Source.objects.first())
        index_missing()
        assert queries() == 14


class RefusalTests(SearchCase):
    def refused(self, **asked: str) -> str:
        """The nearest address that makes sense."""
        page = BeautifulSoup(text_of(self.client.get(SEARCH, asked)), "lxml")
        assert self.client.get(SEARCH, asked).status_code == 400, asked
        nearest = [a["href"] for a in page.find("main").find_all("a") if a["href"].startswith("/search/?")]
        assert self.client.get(nearest[0]).status_code == 200 if nearest else True
        return nearest[0] if nearest else ""

    @pytest.mark.by_turns
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


class FacetTests(SearchCase):
    def test_the_index_holds_everything_once(self) -> None:
        expected = {"game": Game, "record": Evidence, "source": Source, "ruleset": Reading, "rule": Clause}
        expected |= {"question": Question, "claim": Claim, "term": Term}
        assert self.counts("kind") == {kind: model.objects.count() for kind, model in expected.items()}
        assert missing() == {}

    def test_counts_are_those_of_the_lists_they_lead_to(self) -> None:
        """Every choice, in a list that another facet and a word narrow already."""
        for words, chosen in (("leopards", {}), ("counter", {"place": "sri-lanka"}), ("", {"kind": "record"})):
            rows = entries_with(parse_query(words))
            for facet, values in counted(rows, chosen).of.items():
                for value, number in values.items():
                    assert narrowed(rows, {**chosen, facet: value}).count() == number, (words, chosen, facet, value)

    @pytest.mark.by_turns
    def test_a_rebuilt_index_has_the_facets_it_had(self) -> None:
        before = counted(entries_with(parse_query("")), {}).of
        assert {"kind", "game", "place", "period", "source"} <= before.keys()
        rebuild()
        assert counted(entries_with(parse_query("")), {}).of == before

    def test_places_are_counted_by_hand(self) -> None:
        # Counted by hand: 20 records of Sri Lanka, one of the Khasi, and the slab.
        assert self.counts("place", kind="record") == {"sri-lanka": 20, "khasi": 1, "heerlen": 1}

    def test_a_region_holds_the_records_of_the_places_within_it(self) -> None:
        asia = Place.objects.create(name="Asia", slug="asia")
        south = Place.objects.create(name="South Asia", slug="south-asia", part_of=asia)
        Place.objects.filter(slug="sri-lanka").update(part_of=south)
        index_changed({"record": Evidence.objects.values_list("pk", flat=True)})
        assert self.counts("region", kind="record") == {"south-asia": 20, "asia": 20}
        assert self.read(q='"South Asia"', kind="record")["count"] == 20

    def test_a_record_without_place_or_date_is_counted_as_such(self) -> None:
        Evidence.objects.create(identifier="X.1", type="Artifact", game=Game.objects.first(), quotation="A board.")
        index_missing()
        assert self.titles(place="unknown") == ["X.1 · " + Game.objects.first().name]
        undated = {title.split(" ")[0] for title in self.titles(period="undated", kind="record")}
        assert undated == {"X.1", "ETG.Artefact.04433"}

    def test_a_record_belongs_to_every_century_it_may_be_of(self) -> None:
        game = Game.objects.first()
        Evidence.objects.create(identifier="X.1", type="A", game=game, quotation="A board.", date_edtf="-0150/0020")
        index_missing()
        assert {"-199", "-99", "1"} <= set(self.counts("period", kind="record"))
        page = self.page(f"{SEARCH}?kind=record")
        for text in ("200–101 BCE", "100–1 BCE", "1–99", "1900–1999"):
            assert text in page

    def test_a_century_before_our_era_is_one_period(self) -> None:
        """Printed "700 BC – 601 BC": it stands in this century and in no other."""
        game = Game.objects.first()
        Evidence.objects.create(identifier="X.1", type="A", game=game, quotation="A board.", date_edtf="-0699/-0600")
        index_missing()
        assert {value for value in self.counts("period", kind="record") if value.startswith("-")} == {"-699"}
        for year in ("-699", "-650", "-600"):  # any year names its century
            assert self.titles(period=year, kind="record")
        assert "700–601 BCE" in self.page(f"{SEARCH}?kind=record&period=-600")

    def test_rulesets_claims_and_doubts(self) -> None:
        read = Evidence.objects.filter(readings__isnull=False).distinct().count()
        assert self.counts("rulesets", kind="record").get("yes", 0) == read
        claimed = Evidence.objects.filter(anchors__claim__isnull=False).distinct().count()
        assert self.counts("claims", kind="record").get("yes", 0) == claimed
        for factor in UncertaintyFactor.objects.filter(evidence__isnull=False).distinct():
            assert self.counts("uncertainty")[factor.slug] == factor.evidence.count()

    def test_a_withdrawn_record_is_found_no_more(self) -> None:
        Evidence.objects.filter(identifier="DLP.Evidence.692").update(withdrawn_on="2026-01-01", withdrawn_reason="x")
        index_changed({"record": Evidence.objects.values_list("pk", flat=True)})
        assert self.read(q="astonishing rapidity", kind="record")["count"] == 0
        assert missing() == {}


class CountingOnceTests(SearchCase):
    def test_slow_counts_are_made_once_for_an_edition_of_the_index(self) -> None:
        with patch.object(ranking, "LONG", 0), self.client.fresh():
            first = self.read(kind="record")["count"]
            with patch.object(ranking, "_counted", side_effect=AssertionError("counted again")):
                assert self.read(kind="record")["count"] == first
            once = self.titles(q="board")
            with patch.object(ranking, "_by_score", side_effect=AssertionError("ranked again")):
                assert self.titles(q="board") == once
            Evidence.objects.create(identifier="X.1", type="Artifact", game=Game.objects.first(), quotation="A board.")
            index_missing()
            assert self.read(kind="record")["count"] == first + 1


ADDRESS = "/search/suggestions/"


class Beginnings(CatalogueTestCase):
    def found(self, text: str) -> list[dict[str, Any]]:
        return self.client.get(ADDRESS, {"q": text}).json()["suggestions"]

    def test_names_of_all_kinds_are_offered_by_their_beginnings(self) -> None:
        assert [(one["kind"], one["title"]) for one in self.found("dara")] == [
            ("game", "Daramuti"),
            ("game", "Dara (reference)"),
            ("record", "DLP.Evidence.692 · Daramuti"),
        ]
        assert self.found("parker 19")[-1]["address"] == "/sources/parker-1909/"
        assert [one["address"] for one in self.found("hari m")] == ["/terms/#DLP.Evidence.1386-hari-mutu"]
        assert self.found("kátiyá")[0]["title"] == "Mawkar Katiya"

    def test_nothing_typed_has_a_meaning_of_its_own(self) -> None:
        for text in ("", "   ", '"', "*", "a*b", "x' OR 1=1 --", "' <-> ", "ක", "z" * 900, "\x00a"[1:]):
            assert isinstance(self.found(text), list), text
        assert self.client.get(ADDRESS, {"q": "dara", "z": "1"}).status_code == 400

    def test_a_few_of_each_kind_in_as_many_queries_as_kinds(self) -> None:
        def queries() -> int:
            with CaptureQueriesContext(connection) as made:
                self.found("da")
            return len(made)

        before = queries()
        game = Game.objects.get(slug="daramuti")
        for number in range(30):
            Evidence.objects.create(identifier=f"X.{number}", type="Artifact", game=game, quotation="A board.")
        index_missing()
        assert queries() == before == 4
        kinds = [one["kind"] for one in self.found("daramuti")]
        assert kinds.count("record") == 4

    def test_words_of_a_withdrawn_record_are_offered_no_more(self) -> None:
        record = Evidence.objects.get(identifier="DLP.Evidence.1386")
        keys = list(Term.objects.filter(evidence=record).values_list("pk", flat=True))
        record.withdrawn_on, record.withdrawn_reason = "2026-11-23", "Recorded twice."
        record.save()
        refresh("term", keys)
        assert self.found("hari mutu") == []


class ReconciliationTests(CatalogueTestCase):
    """As OpenRefine asks: a form with a batch of queries, from a programme or a page of another site."""

    def asked(self, status: int = 200, **queries: Any) -> Any:
        sent = {"queries": json.dumps(queries)}
        answer = self.client.post("/reconcile/", sent, headers={"origin": "https://elsewhere.example"})
        assert answer.status_code == status, answer.text
        assert answer["Access-Control-Allow-Origin"] == "*"
        assert answer.json() == self.client.get("/reconcile/", sent).json()
        return answer.json()

    def test_names_become_identifiers(self) -> None:
        found = self.asked(
            game={"query": "DARAMUTI"},
            near={"query": "Nerenchi keliyaa", "type": "game", "limit": 1},
            before={"query": "Ceylon", "type": ["place"]},
            source={"query": "Parker 1909", "type": "source"},
            record={"query": "DLP.Evidence.692"},
            none={"query": "Monopoly", "type": "place"},
        )
        first = {name: [(one["id"], one["match"]) for one in told["result"][:1]] for name, told in found.items()}
        assert first == {
            "game": [("game/daramuti", True)],
            "near": [("game/nerenchi-keliya", False)],
            "before": [("place/sri-lanka", True)],
            "source": [("source/parker-1909", True)],
            "record": [("record/DLP.Evidence.692", True)],
            "none": [],
        }
        assert found["game"]["result"][0] | {"score": 100} == {
            "id": "game/daramuti", "name": "Daramuti", "description": "Game", "match": True, "score": 100,
            "type": [{"id": "game", "name": "game"}],
        }  # fmt: skip
        Evidence.objects.filter(identifier="DLP.Evidence.692").update(
            withdrawn_on="2026-01-01", withdrawn_reason="A test."
        )
        assert all(
            one["id"] != "record/DLP.Evidence.692" for one in self.asked(q={"query": "DLP.Evidence.692"})["q"]["result"]
        )

    def test_it_says_what_it_is_and_where_an_identifier_leads(self) -> None:
        manifest = self.client.get("/reconcile/").json()
        assert (manifest["versions"], manifest["identifierSpace"]) == (["0.2"], "http://testserver/id/")
        view = manifest["view"]["url"].replace("{{id}}", "record/DLP.Evidence.692")
        assert self.client.get(view.removeprefix("http://testserver"))["Location"] == "/evidence/DLP.Evidence.692/"
        suggest = manifest["suggest"]["entity"]
        found = self.client.get(f"{suggest['service_path']}?prefix=dar").json()["result"]
        assert ("game/daramuti", "Daramuti") in [(one["id"], one["name"]) for one in found]
        assert self.client.get(suggest["service_path"]).json() == {"result": []}

    def test_what_is_no_query_is_refused_by_name(self) -> None:
        for queries, why in (
            ({"q": {"query": "Dam", "type": "gam"}}, "the nearest is 'game'"),
            ({"q": {"query": 5}}, "query: must be a text"),
            ({"q": {"query": "Dam", "limit": 0}}, "limit: must be"),
            ({"q": "Dam"}, "must be an object of queries"),
            ({f"q{number}": {"query": "Dam"} for number in range(21)}, "at most 20 at once, not 21"),
        ):
            assert why in self.asked(400, **queries)["message"]
        assert self.client.post("/reconcile/", {"queries": "[" * 99999}).status_code == 400
