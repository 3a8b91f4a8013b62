"""Records, games, places and sources as the API gives them."""

import pytest

from catalogue.models import Evidence, Game, Place
from tests.api.api_world import API, ApiTestCase
from tests.builders import REFERENCE_GAMES

DARAMUTI = "evidence/DLP.Evidence.692/"


class RecordTests(ApiTestCase):
    def test_quotation_and_paraphrase_are_fields_of_their_own(self) -> None:
        record, stored = self.read(DARAMUTI), Evidence.objects.get(identifier="DLP.Evidence.692")
        assert record["quotation"] == stored.quotation
        assert record["paraphrase"] == stored.paraphrase
        assert "astonishing rapidity" in record["quotation"]
        assert "astonishing rapidity" not in record["paraphrase"]
        assert record["paraphrase"].startswith("2x7 board with two stores.")
        assert record["remark_on_source"] == ""

    def test_a_record_that_only_points_to_its_source_quotes_nothing(self) -> None:
        record = self.read("evidence/DLP.Evidence.1485/")
        assert record["quotation"] == ""
        assert record["remark_on_source"] == Evidence.objects.get(identifier="DLP.Evidence.1485").quotation != ""

    def test_a_record_without_the_field_has_no_paraphrase(self) -> None:
        assert self.read("evidence/DLP.Evidence.691/")["paraphrase"] == ""

    def test_a_record_has_its_source_date_place_and_game(self) -> None:
        record = self.read(DARAMUTI)
        citation = record["citations"][0]
        assert (citation["source"]["key"], citation["source"]["short"]) == ("parker-1909", "Parker 1909")
        assert (citation["role"], citation["locator"]) == ("quoted", "599")
        assert record["date"] == {
            "as_printed": "1909-01-01 - 1909-12-31",
            "edtf": "1909",
            "earliest": 1909,
            "latest": 1909,
        }
        assert [place["slug"] for place in record["places"]] == ["sri-lanka"]
        assert record["game"]["slug"] == "daramuti"

    def test_a_record_has_notes_and_uncertainty(self) -> None:
        assert any("1386" in note["text"] for note in self.read(DARAMUTI)["editors_notes"])
        doubted = self.read("evidence/DLP.Evidence.741/")["uncertainty"]
        stored = Evidence.objects.get(identifier="DLP.Evidence.741").uncertainties.values_list("factor__slug", "reason")
        assert [(one["factor"], one["reason"]) for one in doubted] == list(stored)
        assert doubted

    def test_readings_lead_to_their_rulesets(self) -> None:
        readings = self.read(DARAMUTI)["readings"]
        assert [reading["ruleset"] for reading in readings] == ["daramuti-parker", "daramuti-dlp", "daramuti-ludii"]
        for reading in readings:
            assert self.client.get(reading["url"]).json()["slug"] == reading["ruleset"]

    def test_addresses_of_row_and_page_lead_to_the_row_and_its_page(self) -> None:
        record = self.read(DARAMUTI)
        assert self.client.get(record["url"]).json() == record
        assert "<h1" in self.client.get(record["page"]).content.decode()
        for link in (record["game"], record["places"][0], record["citations"][0]["source"]):
            assert self.client.get(link["url"]).json()["url"] == link["url"]

    @pytest.mark.by_turns
    def test_narrowed_lists_hold_as_many_records_as_the_seed_pages(self) -> None:
        # Counted by hand: 20 records of Sri Lanka, one of the Khasi, and the slab, of which no date is entered.
        for narrowed, records in (
            ("", 22),
            ("?place=sri-lanka", 20),
            ("?place=khasi", 1),
            ("?game=daramuti", 1),
            ("?type=Artifact", 2),
            ("?from=1873&to=1873", 3),
            ("?place=sri-lanka&from=1910", 1),
            ("?undated=yes", 1),
            ("?undated=no", 21),
            ("?place=khasi&game=daramuti", 0),
            ("?place=&game=", 22),
        ):
            assert self.count(f"evidence/{narrowed}") == records, narrowed
        cited = Evidence.objects.filter(sources__key="culin-1898").count()
        assert self.count("evidence/?source=culin-1898") == cited > 0

    def test_an_undated_record_has_no_years(self) -> None:
        game = Game.objects.get(slug="daramuti")
        Evidence.objects.create(identifier="X.1", type="Artifact", game=game, quotation="A board.")
        record = next(one for one in self.read("evidence/?undated=yes")["results"] if one["identifier"] == "X.1")
        assert record["date"] == {"as_printed": "", "edtf": "", "earliest": None, "latest": None}
        assert record["places"] == []

    def test_a_game_has_its_native_names_with_their_gloss_and_record(self) -> None:
        names = {name["name"]: name for name in self.read("games/puhulmutu/")["names"]}
        glossed = [name for name in names.values() if name["gloss"] == "Ash-pumpkin Pearls"]
        assert [one["evidence"] for one in glossed] == ["DLP.Evidence.1386"]

    def test_games_are_narrowed_by_reference_and_place(self) -> None:
        references = {game["slug"] for game in self.read("games/?reference=yes&page_size=100")["results"]}
        assert references == REFERENCE_GAMES
        assert self.count("games/?reference=no") == Game.objects.count() - len(REFERENCE_GAMES)
        (of_the_khasi,) = self.read("games/?place=khasi")["results"]
        assert (of_the_khasi["slug"], of_the_khasi["records"]) == ("mawkar-katiya", 1)

    def test_a_place_has_its_point_as_numbers(self) -> None:
        place = self.read("places/khasi/")
        assert (place["kind"], place["latitude"], place["longitude"], place["records"]) == ("people", 25.28, 91.73, 1)

    def test_points_of_the_map_have_the_longitude_first(self) -> None:
        """RFC 7946. A place that nobody knows has no geometry, and is there."""
        somewhere = Place.objects.create(name="Somewhere", slug="somewhere")
        Evidence.objects.first().places.add(somewhere)
        features = {one["id"]: one["geometry"] for one in self.client.get(f"{API}map/").json()["features"]}
        assert features["khasi"] == {"type": "Point", "coordinates": [91.73, 25.28]}
        assert features["somewhere"] is None
        points = [one["coordinates"] for one in features.values() if one]
        assert all(-180 <= east <= 180 and -90 <= north <= 90 for east, north in points)
        assert self.count("places/?kind=country") == 1

    def test_a_source_has_its_parts_and_the_reference_as_printed(self) -> None:
        source = self.read("sources/das-gupta-1923/")
        assert source["authors"] == ["Das-Gupta, H."]
        assert (source["year"], source["volume"], source["pages"]) == (1923, "19", "71-74")
        assert source["as_printed"].startswith("Das-Gupta. H. 1923. ")
        assert {result["key"] for result in self.read("sources/?from=1923&to=1923")["results"]} == {"das-gupta-1923"}
