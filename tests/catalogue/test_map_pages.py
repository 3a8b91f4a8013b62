"""The map and the time line as pages and as data: what stands on them, what they refuse, and what they ask."""

from unittest.mock import patch
from urllib.parse import urlencode

import pytest
from bs4 import BeautifulSoup
from django.db import connection
from django.template import Context, Template
from django.test.utils import CaptureQueriesContext
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.django import TestCase as HypothesisTestCase

from catalogue.filters.parameters import MOST_OFFERED
from catalogue.geography.queries import spans_of, types
from catalogue.geography.time_line import Bins, binned
from catalogue.models import Evidence, Game, Place
from catalogue.models.querysets import evidence_rows, place_rows
from catalogue.search import ranking
from catalogue.search.indexing import index_changed
from tests.api.api_world import problems_of, strict_document
from tests.catalogue.page_world import CatalogueTestCase


def soup(html: str) -> BeautifulSoup:
    return BeautifulSoup(html, "lxml")


def words(html: str) -> str:
    return " ".join(soup(html).find("main").get_text(" ").split())


def record(number: int, *places: Place, edtf: str = "", **fields: object) -> Evidence:
    values = {"type": "Artifact", "game": Game.objects.get(slug="daramuti"), "quotation": "A board.", **fields}
    made = Evidence.objects.create(identifier=f"X.{number}", date_edtf=edtf, **values)
    made.places.add(*places)
    return made


class MapTests(CatalogueTestCase):
    def marks(self, address: str) -> dict[str, str]:
        return {a["aria-label"]: a["href"] for a in soup(self.page(address)).select("svg.world .marks a")}

    def heading(self, address: str) -> str:
        return soup(self.page(address)).find(id="listed").get_text()

    def test_every_place_is_a_link_with_a_name_and_a_number(self) -> None:
        # Counted by hand: 20 records of Sri Lanka, one of the Khasi, and the slab.
        marks = self.marks("/map/?z=0")
        assert marks == {
            "Sri Lanka: 20 records": "/map/?z=0&place=sri-lanka",
            "Khasi: 1 record": "/map/?z=0&place=khasi",
            "Heerlen: 1 record": "/map/?z=0&place=heerlen",
        }
        assert list(marks) == ["Sri Lanka: 20 records", "Heerlen: 1 record", "Khasi: 1 record"]
        assert self.heading("/map/?z=0") == "22 records"

    def test_it_opens_where_most_records_are_and_names_the_others(self) -> None:
        page = soup(self.page("/map/"))
        wide = float(page.select_one("svg.world")["viewbox"].split()[2])
        assert wide == 1250
        assert self.marks("/map/") == {"Sri Lanka: 20 records": "/map/?place=sri-lanka"}
        assert self.heading("/map/") == "22 records"
        said = " ".join(page.find(id="count").get_text().split())
        assert said == "22 records. Out of sight: Heerlen (1 record), Khasi (1 record). The whole map"
        assert page.find("a", string="The whole map")["href"] == "/map/?z=0"

    def test_a_country_is_marked_beside_its_middle_and_a_town_on_it(self) -> None:
        """The circle is drawn in the sea, with a line to the middle of the island; that of a town stands on it."""
        record(1, Place.objects.create(name="Jaffna", slug="jaffna", kind="town", latitude=9.66, longitude=80.01))
        page = soup(self.page("/map/?z=4&x=14484&y=4344"))
        (island,), (town,) = page.select(".marks .wide"), page.select(".marks .exact")
        middle, mark = island.select("circle")
        assert float(mark["cx"]) - float(middle["cx"]) == 100
        assert [name.get_text() for name in page.select(".names text")] == ["Sri Lanka", "Jaffna"]
        assert len(town.select("circle")) == 1

    @pytest.mark.by_turns
    def test_a_kept_map_is_drawn_again_after_a_change(self) -> None:
        index_changed({})  # an edition of its own, or what is kept here would be shown to the tests that follow
        with patch.object(ranking, "LONG", 0), self.client.fresh():
            for address in ("/map/?z=0", "/map/?type=Artifact", "/map/?z=4&x=14484&y=4344"):
                with CaptureQueriesContext(connection) as first:
                    before = self.marks(address)
                with CaptureQueriesContext(connection) as second:
                    assert self.marks(address) == before
                assert len(second) < len(first), address
            lakh = Place.objects.create(name="Lakhipur", slug="lakhipur", latitude=24, longitude=93)
            with self.captureOnCommitCallbacks(execute=True):
                record(1, lakh)
            assert self.marks("/map/?z=0")["Khasi, Lakhipur: 2 records"]
            assert self.marks("/map/?type=Artifact")["Lakhipur: 1 record"] == "/map/?type=Artifact&place=lakhipur"
            with self.captureOnCommitCallbacks(execute=True):
                lakh.longitude = -93
                lakh.save()
            assert self.marks("/map/?z=0")["Lakhipur: 1 record"] == "/map/?z=0&place=lakhipur"

    def test_a_mark_leads_to_the_records_then_to_the_place(self) -> None:
        assert self.heading("/map/?place=khasi") == "1 record"
        assert self.marks("/map/?place=khasi") == {"Khasi: 1 record": "/places/khasi/"}

    def test_a_view_shows_its_places_and_their_records_only(self) -> None:
        near = "/map/?z=4&x=14484&y=4344"  # Sri Lanka
        assert list(self.marks(near)) == ["Sri Lanka: 20 records"]
        assert self.heading(near) == "20 records in this view"
        assert self.heading("/map/?z=3&x=1000&y=8000") == "0 records in this view"

    def test_places_that_lie_close_are_one_mark_that_leads_nearer(self) -> None:
        colombo = Place.objects.create(name="Colombo", slug="colombo", latitude=6.93, longitude=79.85)
        for number in range(5):
            record(number, colombo)
        marks = self.marks("/map/?z=0&type=Artifact")
        assert "Colombo, Sri Lanka: 6 records" in marks
        nearer = self.marks(marks["Colombo, Sri Lanka: 6 records"])
        assert set(nearer) == {"Colombo: 5 records", "Sri Lanka: 1 record"}
        assert all("type=Artifact" in address for address in nearer.values())

    def test_what_is_not_on_the_map_is_counted_and_named(self) -> None:
        record(1)
        record(2)
        somewhere = Place.objects.create(name="Somewhere", slug="somewhere")
        record(3, somewhere, edtf="1909")
        text = words(self.page("/map/"))
        assert "2 records without a place" in text
        assert "Somewhere (1 record)" in text
        assert self.heading("/map/") == "25 records"
        assert "3 undated records, which no choice of years can find" in words(self.page("/map/?from=1900"))
        assert self.heading("/map/?place=somewhere") == "1 record"

    def test_a_record_of_two_places_is_marked_twice_listed_once(self) -> None:
        record(1, *Place.objects.filter(slug__in=("sri-lanka", "khasi")), type="Film")
        assert set(self.marks("/map/?type=Film")) == {"Sri Lanka: 1 record", "Khasi: 1 record"}
        assert self.heading("/map/?type=Film") == "1 record"
        assert set(self.marks("/map/?place=khasi&type=Film")) == {"Khasi: 1 record"}

    def test_a_withdrawn_record_is_nowhere(self) -> None:
        Evidence.objects.filter(places__slug="khasi").update(withdrawn_on="2026-01-01", withdrawn_reason="A test.")
        assert list(self.marks("/map/")) == ["Sri Lanka: 20 records"]
        assert self.heading("/map/") == "21 records"
        assert self.client.get("/api/v1/map/").json()["records"] == 21
        assert self.client.get("/api/v1/timeline/").json()["records"] == 21

    @pytest.mark.by_turns
    def test_the_map_is_narrowed_as_the_list_of_records_is(self) -> None:
        for wish in ("place=sri-lanka", "game=daramuti", "type=Artifact", "source=culin-1898", "from=1900&to=1910"):
            listed = soup(self.page(f"/evidence/?{wish}")).find_all("h2")[-1].get_text()
            assert self.heading(f"/map/?{wish}") == listed, wish

    def test_the_list_has_pages_that_keep_the_view(self) -> None:
        for number in range(10):
            record(number, Place.objects.get(slug="sri-lanka"))
        near = "/map/?z=4&x=14484&y=4344"
        following = soup(self.page(near)).find("a", rel="next")["href"]
        assert following == "?z=4&x=14484&y=4344&page=2"
        assert len(soup(self.page(f"/map/{following}")).select(".entries > li")) == 5

    def test_the_form_holds_what_was_asked_for(self) -> None:
        page = soup(self.page("/map/?game=daramuti&from=1900&undated=no&z=2&x=14000&y=4000"))
        form = page.find("form", id="narrow")
        sent = page.select("#narrow input[name], input[form=narrow]")  # those of the view stand beside what it shows
        fields = {field["name"]: field.get("value", "") for field in sent}
        assert fields == {"from": "1900", "to": "", "undated": "no", "z": "2", "x": "14000", "y": "4000"}
        assert form.select_one("#by-game option[selected]")["value"] == "daramuti"
        assert page.find("a", string="All records")["href"] == "/map/"
        assert "1 record of these" in words(str(page))

    def test_the_buttons_move_the_view_and_keep_the_choices(self) -> None:
        page = soup(self.page("/map/?game=daramuti&z=1&x=0&y=2000"))
        addresses = {a["aria-label"]: a["href"] for a in page.select(".steer a")}
        assert set(addresses) == {"Nearer", "Further away", "To the south", "To the east"}
        assert addresses["To the east"] == "/map/?game=daramuti&z=1&x=10000&y=2434"
        for address in addresses.values():
            self.page(address)

    def test_source_version_and_licence_of_the_outlines_are_named(self) -> None:
        text = words(self.page("/map/"))
        assert "Natural Earth" in text
        assert "world-atlas 2.0.2 (ISC licence)" in text
        drawing = self.client.get("/static/catalogue/world.svg")
        svg = b"".join(drawing.streaming_content).decode()
        assert 'id="land"' in svg
        assert "version 4.1.0" in svg
        assert len(svg) < 300_000
        assert drawing["Last-Modified"]

    def test_long_lists_to_choose_from_become_fields_to_write_in(self) -> None:
        assert soup(self.page("/map/")).find("select", id="by-game")
        Game.objects.bulk_create(Game(name=f"G {i}", slug=f"g-{i}") for i in range(MOST_OFFERED))
        page = soup(self.page("/map/?game=daramuti"))
        assert page.find("input", id="by-game")["value"] == "daramuti"
        assert page.find("select", id="by-type")

    def test_types_are_all_types_in_order(self) -> None:
        assert types(100) == sorted(set(Evidence.objects.values_list("type", flat=True)))
        assert types(2) == types(100)[:2]


class TimeLineTests(CatalogueTestCase):
    def test_few_records_are_bars_from_earliest_to_latest(self) -> None:
        record(1, edtf="1500/1600")
        record(2, edtf="1890~")
        record(3, edtf="../1700")
        page = soup(self.page("/timeline/"))
        bars = {a["href"]: a for a in page.select("svg a")}
        assert len(bars) == 24
        assert bars["/evidence/X.2/"]["aria-label"] == "X.2, Daramuti, 1890~"
        assert bars["/evidence/X.3/"].rect["class"] == ["bar", "before"]
        years = float(bars["/evidence/X.1/"].rect["width"]) / float(bars["/evidence/DLP.Evidence.692/"].rect["width"])
        assert 15 < years < 103  # a hundred and one years against one, which is drawn a little wider so as to be seen
        assert len(page.select("tbody tr")) == 24

    def test_books_stand_side_by_side_with_their_records(self) -> None:
        page = soup(self.page("/timeline/"))
        books = page.select(".books > li")
        assert [book.h2.get_text() for book in books] == ["1873", "1898", "1909", "1923", "1942"]
        assert [link.get_text() for link in books[0].select("ul a")] == [
            "Hat Diviyan Keliya",
            "Kotu Ellima",
            "Niranchy",
        ]
        assert books[2].img["src"] == "/sources/parker-1909/title-page.svg"
        assert page.select_one("details:has(.time-line)").get("open") is None
        record(1, edtf="1500/1600")
        page = soup(self.page("/timeline/"))
        assert page.select(".books > li")[-1].h2.get_text() == "No source"
        assert page.select_one("details:has(.time-line)").get("open") is not None  # what is unsure is not folded

    @pytest.mark.by_turns
    def test_many_records_are_columns_as_long_as_their_lists(self) -> None:
        for number in range(70):
            record(number, edtf=f"{1500 + number}/{1540 + 3 * number}")
        record(100, edtf="1600/..")
        record(101)
        page = soup(self.page("/timeline/"))
        rows = [[cell.get_text() for cell in row.find_all(["th", "td"])] for row in page.select("tbody tr")]
        assert abs(sum(float(row[2]) for row in rows) - 91) < 0.05 * len(rows)  # each of 91 records is shared out once
        for row, at in zip(rows[::9], page.select("tbody th a")[::9], strict=True):
            listed = soup(self.page(at["href"])).find_all("h2")[-1].get_text()
            assert listed.split()[0] == row[3], row
        text = words(self.page("/timeline/"))
        assert "2 undated records" in text
        assert "1 record of which only the earliest or only the latest year is known" in text

    def test_the_database_finds_the_bins_of_both_eras(self) -> None:
        dates = ("-0699/-0600", "-0600/-0599", "-0099/0000", "0000/0001", "0001", "0099/0100", "-0700/0150")
        rows = [record(number, edtf=edtf) for number, edtf in enumerate(dates)]
        ours = Evidence.objects.filter(pk__in=[row.pk for row in rows])
        for bins in (Bins(-799, 199), Bins(-750, 150), Bins(-3, 3), Bins(-99, 0)):
            for one in binned(spans_of(ours, bins), bins):
                known = [(max(row.year_earliest, bins.first), min(row.year_latest, bins.last)) for row in rows]
                may_be = sum(first <= one.last and last >= one.first for first, last in known if first <= last)
                assert one.possible == may_be, one

    @pytest.mark.by_turns
    def test_years_that_no_address_can_name_are_counted(self) -> None:
        for number in range(70):
            record(number, edtf="1500")
        record(100, edtf="Y-2000000000")
        record(101, edtf="Y-2000000000/Y2000000000")
        text = words(self.page("/timeline/"))
        assert "1 record of years before 20001 BCE or after 3000" in text
        handles = soup(self.page("/timeline/")).select(".two-handles input")
        assert [(handle["min"], handle["max"]) for handle in handles] == [("-20000", "3000")] * 2
        assert "94 records, 93 of them with a date" in text

    def test_no_date_at_all(self) -> None:
        record(1)
        assert "No record with a date" in words(self.page("/timeline/?type=Artifact&game=daramuti&undated=yes"))

    def test_the_years_asked_for_are_the_ends_of_the_line(self) -> None:
        for number in range(70):
            record(number, edtf="1480/1650")
        first = soup(self.page("/timeline/?from=1503&to=1602")).select("tbody th a")
        assert (first[0].get_text(), first[-1].get_text()) == ("1503 to 1504", "1600 to 1602")


class SmallMapTests(CatalogueTestCase):
    """On the page of a place and of a game, out of what these pages have at hand."""

    def drawn(self, tag: str, **context: object) -> BeautifulSoup:
        return soup(Template("{% load figures %}" + tag).render(Context(context)))

    def test_a_place_on_a_map_of_its_part_of_the_world(self) -> None:
        place = place_rows().get(slug="sri-lanka")
        with self.assertNumQueries(0):
            page = self.drawn("{% map_of_place place %}", place=place)
        mark = page.select_one(".marks a")
        assert mark["aria-label"] == "Sri Lanka: 20 records"
        assert page.find("svg")["viewbox"].split()[2] == "5000"
        heading = soup(self.page(mark["href"])).find(id="listed").get_text()
        assert heading == "20 records in this view"

    def test_a_place_without_coordinates_has_none(self) -> None:
        Place.objects.create(name="Somewhere", slug="somewhere")
        assert not self.drawn("{% map_of_place place %}", place=place_rows().get(slug="somewhere")).get_text().strip()

    def test_a_games_records_by_place_and_year(self) -> None:
        record(1, *Place.objects.filter(slug__in=("khasi", "sri-lanka")), edtf="1500")
        records = list(evidence_rows().filter(game__slug="daramuti"))
        with self.assertNumQueries(0):
            page = self.drawn('{% map_of_records records game="daramuti" %}', records=records)
            line = self.drawn('{% time_line_of_records records game="daramuti" %}', records=records)
        assert [a["aria-label"] for a in page.select(".marks a")] == ["Sri Lanka: 2 records", "Khasi: 1 record"]
        assert len(line.select("svg a")) == 2
        for link in (*page.select("a"), *line.select("p a")):
            assert "game=daramuti" in link["href"]
            self.page(link["href"])


class DataTests(CatalogueTestCase):
    def test_places_are_geojson(self) -> None:
        record(1)
        record(2, Place.objects.create(name="Somewhere", slug="somewhere"))
        answer = self.client.get("/api/v1/map/")
        assert answer["Content-Type"] == "application/geo+json"
        contents = answer.json()
        assert (contents["type"], contents["records"], contents["records_without_place"]) == (
            "FeatureCollection",
            24,
            1,
        )
        first, *_, last = contents["features"]
        assert first["geometry"] == {"type": "Point", "coordinates": [81.0, 7.0]}
        assert first["properties"]["records"] == 20
        assert last["geometry"] is None
        assert self.client.get(first["properties"]["page"]).status_code == 200
        assert self.client.get(first["properties"]["url"]).status_code == 200

    def test_years_as_data_are_those_of_the_page(self) -> None:
        contents = self.client.get("/api/v1/timeline/?place=sri-lanka&from=1870&to=1910").json()
        assert (contents["records"], contents["undated"], contents["open_ended"]) == (19, 0, 0)
        by_year = {content["first"]: content for content in contents["bins"]}
        assert by_year[1873] == {"first": 1873, "last": 1873, "certain": 3, "expected": 3.0, "possible": 3}
        assert sum(content["possible"] for content in contents["bins"]) == 19

    def test_the_answers_are_as_they_are_described(self) -> None:
        record(1, Place.objects.create(name="Somewhere", slug="somewhere"), edtf="../1500")
        document = strict_document()
        for component, address in (("PlacesOnMap", "/api/v1/map/"), ("TimeLine", "/api/v1/timeline/")):
            assert not problems_of(self.client.get(address).json(), {"$ref": f"#/components/schemas/{component}"})
            described = {parameter["name"] for parameter in document["paths"][address]["get"]["parameters"]}
            assert {"place", "game", "type", "source", "from", "to", "undated"} <= described
        assert "application/geo+json" in document["paths"]["/api/v1/map/"]["get"]["responses"]["200"]["content"]

    def test_parameters_are_refused_by_name(self) -> None:
        for address in ("/api/v1/map/?plce=khasi", "/api/v1/timeline/?z=3", "/api/v1/map/?from=1900x"):
            answer = self.client.get(address)
            assert (answer.status_code, answer["Content-Type"]) == (400, "application/problem+json")
            assert answer.json()["problems"]


class RefusalTests(CatalogueTestCase):
    def test_years_are_written_as_other_pages_read_them(self) -> None:
        page = soup(self.page("/timeline/?from=1900.0"))
        for link in page.find("main").find_all("a"):
            assert "1900.0" not in link["href"]


TEXT = (
    st.text(max_size=30) | st.integers().map(str) | st.sampled_from(["1900", "-5", "6", "sri-lanka", "1e9", "٣", " 7 "])
)
NAMES = ("place", "game", "type", "source", "from", "to", "undated", "z", "x", "y", "page")


class HostileInput(HypothesisTestCase):
    holds = "played"

    @given(
        page=st.sampled_from(("/map/", "/timeline/", "/api/v1/map/", "/api/v1/timeline/")),
        asked=st.lists(st.tuples(st.sampled_from(NAMES) | TEXT, TEXT), max_size=4),
    )
    @pytest.mark.thorough
    def test_nothing_but_an_answer_or_a_clear_refusal(self, page: str, asked: list[tuple[str, str]]) -> None:
        answer = self.client.get(f"{page}?{urlencode(asked, errors='surrogatepass')}")
        assert answer.status_code in (200, 400)
        assert answer.status_code == 200 or len(answer.content) > 200
