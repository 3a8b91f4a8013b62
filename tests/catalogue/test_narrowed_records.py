"""The list of records, the map and the time line share one row of choices, name those made, and give files."""

import csv
import io

from bs4 import BeautifulSoup

from catalogue.models import Evidence
from tests.catalogue.page_world import CatalogueTestCase

VIEWS = ("/evidence/", "/map/", "/timeline/")
CHOSEN = "place=sri-lanka&from=1900&undated=no"


class NarrowedRecordTests(CatalogueTestCase):
    def soup(self, address: str) -> BeautifulSoup:
        return BeautifulSoup(self.page(address), "lxml")

    def test_each_has_the_same_choices(self) -> None:
        forms = [self.soup(address).find("form", id="narrow") for address in VIEWS]
        named = [{field["name"] for field in form.select("select, input[name]")} for form in forms]
        assert named == [{"place", "game", "type", "source", "from", "to"}] * 3

    def test_each_choice_is_named_and_can_be_removed(self) -> None:
        for view in VIEWS:
            chips = self.soup(f"{view}?{CHOSEN}").select(".chips li.tag")
            assert [chip.get_text(" ", strip=True) for chip in chips] == [
                "Place: Sri Lanka ×",
                "From: 1900 ×",
                "Only: dated ×",
            ]
            assert [chip.a["href"] for chip in chips] == [
                f"{view}?from=1900&undated=no",
                f"{view}?place=sri-lanka&undated=no",
                f"{view}?place=sri-lanka&from=1900",
            ]

    def test_each_view_leads_to_the_others_and_to_tables(self) -> None:
        asked = Evidence.objects.filter(places__slug="sri-lanka", year_latest__gte=1900)
        for view in VIEWS:
            page = self.soup(f"{view}?{CHOSEN}")
            links = {link["href"].replace(f"?{CHOSEN}", "") for link in page.select("main p.small a")}
            assert {one for one in VIEWS if one != view} <= links
            rows = csv.DictReader(io.StringIO(self.page(page.find("a", string="CSV")["href"])))
            assert {row["identifier"] for row in rows} == {one.identifier for one in asked}
