"""The search: what it finds and in what order, its facets, its formats, its errors, and how its index is kept."""

import csv
import io
from typing import Any
from unittest.mock import patch
from urllib.parse import parse_qs, urlsplit

from bs4 import BeautifulSoup
from django.db import connection
from django.test.utils import CaptureQueriesContext
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.extra.django import TestCase as HypothesisTestCase

from catalogue.models import (
    Claim,
    Clause,
    Evidence,
    Game,
    Place,
    Question,
    Reading,
    SearchEntry,
    Source,
    Term,
    UncertaintyFactor,
)
from catalogue.search import cache, facets, ranking
from catalogue.search.backends import entries_with
from catalogue.search.facets import TITLES, counted, narrowed
from catalogue.search.indexing import index_changed, index_missing, missing
from catalogue.search.query import parse_query
from tests.catalogue.page_world import CatalogueTestCase, text_of

SEARCH = "/search/"


class SearchCase(CatalogueTestCase):
    @classmethod
    def setUpTestData(cls) -> None:
        super().setUpTestData()
        index_missing()

    def read(self, **wishes: str) -> dict[str, Any]:
        response = self.client.get(SEARCH, {**wishes, "format": "json"})
        assert response.status_code == 200, (wishes, text_of(response))
        found: dict[str, Any] = response.json()
        return found

    def titles(self, **asked: str) -> list[str]:
        return [find["title"] for find in self.read(**asked)["results"]]

    def counts(self, facet: str, **asked: str) -> dict[str, int]:
        facets = {one["name"]: one["values"] for one in self.read(**asked, all=facet)["facets"]}
        return {one["value"]: one["count"] for one in facets.get(facet, ())}


class FindingTests(SearchCase):
    def test_accents_and_ligatures_do_not_matter(self) -> None:
        assert "DLP.Evidence.741 · Mawkar Katiya" in self.titles(q="Máwkár")
        assert self.titles(q="Máwkár") == self.titles(q="mawkar") == self.titles(q="MAWKÁR")
        assert self.titles(q="bændum") == self.titles(q="baendum")
        assert "Kotu Baendum" in self.titles(q="bændum")

    def test_endings_do_not_matter(self) -> None:
        assert self.titles(q="captures", kind="record") == self.titles(q="captured", kind="record")
        assert self.read(q="capturing", kind="record")["count"] > 5

    def test_a_record_is_found_by_its_quotation_its_paraphrase_and_its_identifier(self) -> None:
        assert self.titles(q="astonishing rapidity", kind="record") == ["DLP.Evidence.692 · Daramuti"]
        assert "DLP.Evidence.692 · Daramuti" in self.titles(q='"2x7 board with two stores"', kind="record")
        assert self.titles(q="DLP.Evidence.692")[0] == "DLP.Evidence.692 · Daramuti"

    def test_everything_that_is_asked_for_must_be_there(self) -> None:
        both = self.read(q="leopards cattle")["count"]
        assert 0 < both < self.read(q="leopards")["count"]
        assert self.read(q="leopards xyzzy", kind="record")["count"] == 0

    def test_a_phrase_stands_in_that_order(self) -> None:
        assert self.read(q='"sowing game"')["count"] > 0
        assert self.read(q='"game sowing"')["count"] == 0
        assert self.read(q="game sowing")["count"] > self.read(q='"sowing game"')["count"]

    def test_a_phrase_does_not_run_on_from_one_text_into_the_next(self) -> None:
        game = Game.objects.create(name="Zumba", slug="zumba", description="Begins with words.")
        Evidence.objects.create(
            identifier="X.1", type="Artifact", game=game, quotation="A quorn", paraphrase="blitted board"
        )
        index_missing()
        assert self.read(q='"a quorn"')["count"] == 1
        assert self.read(q='"quorn blitted"')["count"] == 0

    def test_exclusion_and_choice(self) -> None:
        every = self.read(q="hole")["count"]
        without = self.read(q="hole -puta")["count"]
        assert without + self.read(q="hole puta")["count"] == every
        assert self.read(q="-hole")["count"] + every == SearchEntry.objects.count()
        either = set(self.titles(q="astonishing OR Khasis", kind="record"))
        assert either >= {"DLP.Evidence.692 · Daramuti", "DLP.Evidence.741 · Mawkar Katiya"}

    def test_nothing_in_the_box_is_syntax(self) -> None:
        for text in (
            "NEAR(a b)",
            "title:seed",
            "seed*",
            "a & !b | c:*",
            "'; DROP TABLE x; --",
            "{a b}",
            "^seed",
            "100%",
        ):
            assert self.client.get(SEARCH, {"q": text}).status_code == 200, text

    def test_names_come_before_headings_and_headings_before_texts(self) -> None:
        titles = self.titles(q="daramuti")
        assert titles[0] == "Daramuti"
        assert titles[1].startswith("DLP.Evidence.692")
        assert titles[2].startswith("Daramuti, after")
        named = [place for place, title in enumerate(titles) if "aramuti" in title]
        assert named == sorted(named)
        assert self.titles(q="Parker", kind="source")[0].startswith("Parker 1909")

    def test_what_holds_a_word_oftener_in_fewer_words_comes_first(self) -> None:
        game = Game.objects.first()
        for name, text in (
            ("X.1", "A quorn stone. " + "Other words stand here. " * 60),
            ("X.2", "Quorn, quorn, a quorn."),
        ):
            Evidence.objects.create(identifier=name, type="Artifact", game=game, quotation=text)
        index_missing()
        assert [title.split(" ")[0] for title in self.titles(q="quorn")] == ["X.2", "X.1"]

    def test_beyond_the_ranked_ones_the_list_goes_on_in_the_order_of_the_catalogue(self) -> None:
        wanted = parse_query("Sokkattan")
        rows = entries_with(wanted)
        every = list(rows.order_by(*ranking.IN_CATALOGUE).values_list("pk", flat=True))
        assert len(every) > 40
        for ranked in (0, 7, 31, 500):
            with patch.object(ranking, "RANKED", ranked):
                pages = [ranking.in_order(wanted, {}, "relevance", n, n + 10) for n in range(0, len(every), 10)]
                found = [key for page in pages for key in page]
                assert sorted(found) == sorted(every), ranked
                assert found == ranking.in_order(wanted, {}, "relevance", 0, len(every) + 5), ranked

    def test_what_was_found_is_marked_and_escaped(self) -> None:
        game = Game.objects.first()
        Evidence.objects.create(identifier="X.1", type="Artifact", game=game, quotation="A <b>quorn</b> & more.")
        index_missing()
        page = self.page(f"{SEARCH}?q=quorn")
        assert "&lt;b&gt;<mark>quorn</mark>&lt;/b&gt; &amp; more." in page

    def test_orders(self) -> None:
        named = self.titles(kind="record", sort="name")
        assert named == sorted(named, key=lambda title: int(title.split(".")[2].split(" ")[0]))
        years = [find["earliest"] for find in self.read(kind="record", sort="year")["results"]]
        assert years == sorted(years)
        newest = [find["latest"] for find in self.read(kind="record", sort="newest")["results"]]
        assert newest == sorted(newest, reverse=True)
        Evidence.objects.create(identifier="X.1", type="Artifact", game=Game.objects.first(), quotation="A board.")
        index_missing()
        for sort in ("year", "newest"):
            assert self.titles(kind="record", sort=sort)[-1].startswith("X.1")


class SuggestionTests(SearchCase):
    def test_a_typing_error_leads_to_the_word_that_was_meant(self) -> None:
        for wrong, right in (
            ("daramutti", "daramuti"),
            ("captrue", "capture"),
            ("leopords cattel", "leopards cattle"),
            ("ludovsi", "ludovisi"),
        ):
            assert self.read(q=wrong)["suggestion"] == right
            assert self.read(q=right)["count"] > 0
        assert 'q=daramuti">daramuti</a>' in self.page(f"{SEARCH}?q=daramutti")

    def test_nothing_is_suggested_that_finds_nothing_or_is_like_nothing(self) -> None:
        assert self.read(q="xyzzyqwertz")["suggestion"] is None
        assert self.read(q="daramutti -daramuti")["suggestion"] is None
        assert "Nothing here has all of this" in self.page(f"{SEARCH}?q=xyzzyqwertz")


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

    def test_places_are_counted_by_hand(self) -> None:
        # Counted in the seed pages: 20 records of Sri Lanka and one of the Khasi.
        assert self.counts("place", kind="record") == {"sri-lanka": 20, "khasi": 1}

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
        assert [title.split(" ")[0] for title in self.titles(period="undated", kind="record")] == ["X.1"]

    def test_a_record_belongs_to_every_century_it_may_be_of(self) -> None:
        game = Game.objects.first()
        Evidence.objects.create(identifier="X.1", type="A", game=game, quotation="A board.", date_edtf="-0150/0020")
        index_missing()
        assert {"-200", "-100", "0"} <= set(self.counts("period", kind="record"))
        page = self.page(f"{SEARCH}?kind=record")
        for text in ("201–102 BCE", "101–2 BCE", "1 BCE–99", "1900–1999"):
            assert text in page

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
    def test_what_takes_long_is_counted_once_in_each_edition_of_the_index(self) -> None:
        with patch.object(cache, "LONG", 0):
            first = self.read(kind="record")["count"]
            with patch.object(facets, "_counted", side_effect=AssertionError("counted again")):
                assert self.read(kind="record")["count"] == first
            once = self.titles(q="board")
            with patch.object(ranking, "_by_score", side_effect=AssertionError("ranked again")):
                assert self.titles(q="board") == once
            Evidence.objects.create(identifier="X.1", type="Artifact", game=Game.objects.first(), quotation="A board.")
            index_missing()
            assert self.read(kind="record")["count"] == first + 1


class PageTests(SearchCase):
    def test_every_choice_order_and_page_is_a_link_that_keeps_the_others(self) -> None:
        page = BeautifulSoup(self.page(f"{SEARCH}?q=player&kind=rule&sort=name&page=2"), "html.parser")
        for link in page.select(".facets a"):
            asked = parse_qs(urlsplit(link["href"]).query)
            assert asked["q"] == ["player"]
            assert asked["sort"] == ["name"]
            assert "page" not in asked
            assert self.client.get(link["href"]).status_code == 200
        for relation, number in (("prev", None), ("next", ["3"])):
            asked = parse_qs(urlsplit(page.find("a", rel=relation)["href"]).query)
            assert (asked.get("page"), asked["kind"]) == (number, ["rule"])

    def test_a_chosen_value_can_be_taken_back(self) -> None:
        page = BeautifulSoup(self.page(f"{SEARCH}?q=player&kind=rule"), "html.parser")
        assert page.select_one(".facets [aria-current]")["href"] == "/search/?q=player"
        assert page.select_one(".chips a")["href"] == "/search/?q=player"

    def test_the_box_stands_on_every_page(self) -> None:
        for address in ("/", "/evidence/", "/no/such/page/"):
            page = BeautifulSoup(text_of(self.client.get(address)), "html.parser")
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
        page = BeautifulSoup(self.page(f"{SEARCH}?q=leopards&kind=record"), "html.parser")
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
        page = BeautifulSoup(text_of(self.client.get(SEARCH, asked)), "html.parser")
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

    def test_a_known_value_that_the_other_choices_exclude_gives_an_empty_list(self) -> None:
        assert self.read(place="khasi", game="daramuti", kind="record")["count"] == 0


class HostileTests(SearchCase, HypothesisTestCase):
    """Whatever is asked for is answered, or refused with a 400."""

    @settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
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
    def test_anything_is_answered_or_refused(self, asked: dict[str, str]) -> None:
        for address in (SEARCH, "/api/v1/search/"):
            assert self.client.get(address, asked).status_code in (200, 400), asked


class MeaningTests(SearchCase):
    """What is meant by the words: the record, the kind of game, the nouns of a question."""

    def test_the_record_that_is_meant_comes_first(self) -> None:
        assert self.titles(q="Parker Daramuti")[0] == "DLP.Evidence.692 · Daramuti"
        assert self.titles(q="Das-Gupta Mawkar")[0].startswith("DLP.Evidence.741")
        assert self.titles(q="Parker")[0].startswith("Parker 1909")

    def test_kinds_of_games_are_found_by_the_words_readers_know(self) -> None:
        for asked, game in (("mancala", "Puhulmutu"), ("draughts", "Dam"), ("tiger game", "Diviyan Keliya")):
            found = self.read(q=asked)
            assert game in [find["title"] for find in found["results"]], asked
            assert found["results"][0]["kind"] == "game", asked
        assert "mancala or sowing" in self.read(q="mancala")["understood"]

    def test_a_question_in_full_words_is_answered_by_its_nouns(self) -> None:
        found = self.read(q="which games are played with dice?")
        assert [find["kind"] for find in found["results"][:8]] == ["game"] * 8
        assert {"Saturankam", "Sokkattan", "Kawade Kelia"} <= {find["title"] for find in found["results"][:8]}
        assert found["remarks"][0].startswith("Taken as a question, without its little words: which, games, are")
        assert self.titles(q="what is a puta?")

    def test_little_words_are_kept_where_nothing_is_asked(self) -> None:
        assert self.read(q="the game of the board")["remarks"] == []
        assert self.read(q='"which is the"')["remarks"] == []

    def test_where_nothing_has_all_words_those_that_have_some_are_shown(self) -> None:
        found = self.read(q="leopard xylophone")
        assert found["count"] == self.read(q="leopard")["count"] > 0
        assert found["remarks"][-1].startswith("Nothing has all of this.")
        assert self.read(q="leopard xylophone", kind="game")["count"] == 0
