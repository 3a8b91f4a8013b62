"""The way from public pages to where they are edited: for those who may, and for nobody else."""

from typing import ClassVar

from bs4 import BeautifulSoup
from django.test import Client, TestCase

from catalogue.models import Evidence, Game
from tests import builders
from tests.catalogue.members import member


class EditingLinks(TestCase):
    clients: ClassVar[dict[str, Client]]

    @classmethod
    def setUpTestData(cls) -> None:
        cls.record = builders.evidence()
        cls.clients = {"": Client()}
        for role in ("contributor", "editor", "operator"):
            cls.clients[role] = Client()
            cls.clients[role].force_login(member(role))

    def links(self, address: str, role: str = "editor") -> dict[str, str]:
        page = BeautifulSoup(self.clients[role].get(address).content, "lxml")
        return {one.get_text(): one["href"] for one in page.select(".editing a")}

    def test_pages_of_things_and_of_lists_lead_to_their_editing(self) -> None:
        game = Game.objects.get()
        assert self.links(self.record.get_absolute_url()) == {
            "Edit this record": f"/workshop/records/{self.record}/",
            "Desk": "/workshop/",
        }
        assert self.links(game.get_absolute_url())["Edit this game"] == f"/admin/catalogue/game/{game.pk}/change/"
        assert self.links("/places/")["Edit the list"] == "/admin/catalogue/place/"
        assert list(self.links("/about/")) == ["Desk"]
        assert self.links("/workshop/") == {}

    def test_only_for_those_who_may(self) -> None:
        found = {role: list(self.links(self.record.get_absolute_url(), role)) for role in self.clients}
        assert found == {
            "": [], "contributor": ["Desk"], "editor": ["Edit this record", "Desk"], "operator": ["Desk"],
        }  # fmt: skip

    def test_a_record_that_is_withdrawn_is_edited_in_its_list(self) -> None:
        Evidence.objects.update(withdrawn_on="2026-01-02", withdrawn_reason="Another's.")
        there = self.links(self.record.get_absolute_url())["Edit this record"]
        assert there == f"/admin/catalogue/evidence/{self.record.pk}/change/"
        assert self.clients["editor"].get(there).status_code == 200

    def test_lists_of_machinery_are_for_operators(self) -> None:
        shown = {
            role: [
                one.get_text(strip=True)
                for one in BeautifulSoup(self.clients[role].get("/admin/").content, "lxml").select("caption")
            ]
            for role in ("editor", "operator")
        }
        assert "Machinery" in shown["operator"]
        assert "Machinery" not in shown["editor"]
        assert shown["editor"][:2] == ["Readings", "Records"]
