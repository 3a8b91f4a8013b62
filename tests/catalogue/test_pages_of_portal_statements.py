"""Records and games that nobody has made executable are first-class, and what is long stays readable."""

import pytest
from bs4 import BeautifulSoup
from django.test import TestCase

from catalogue.models import Category, Evidence, Game, Period, PortalGame, PortalRuleset, Reading, Source
from catalogue.portal.statements import in_words
from catalogue.search.indexing import rebuild
from tests.builders import a_game, a_place, a_source, evidence

NOBODY = "Nobody has made"


class PortalWordsTests(TestCase):
    def setUp(self) -> None:
        self.record = evidence(900, game=a_game("Mehen", "mehen"))
        self.described = PortalGame.objects.create(
            game=self.record.game, number=57, description="A coiled snake.", origin="Egypt"
        )
        self.described.categories.add(Category.objects.create(slug="race", name="Race"))
        self.described.periods.add(Period.objects.create(slug="ancient", name="Ancient"))
        self.ruleset = PortalRuleset.objects.create(
            game=self.record.game, number=91, name="Described", is_main=True, rules="Lions chase marbles."
        )
        self.ruleset.evidence.add(self.record)

    def page(self, address: str, status: int = 200) -> BeautifulSoup:
        response = self.client.get(address)
        assert response.status_code == status, address
        return BeautifulSoup(response.content, "lxml")

    def test_a_game_without_rulesets_says_what_the_portal_says(self) -> None:
        page = self.page("/games/mehen/")
        assert NOBODY in page.select_one("[aria-labelledby=rulesets]").text
        portal = page.select_one("[aria-labelledby=portal]").text
        for words in ("A coiled snake.", "DLP.Game.57", "Egypt", "Race", "Ancient", "Lions chase marbles.", NOBODY):
            assert words in portal
        assert page.find(id="DLP.Ruleset.91")

    def test_a_ruleset_of_the_same_record_is_named_beside_it(self) -> None:
        reading = Reading.objects.create(
            slug="mehen-x", title="Mehen as X read it", game=self.record.game, authority="x"
        )
        reading.evidence.add(self.record)
        described = self.page("/games/mehen/").find(id="DLP.Ruleset.91").text
        assert "Mehen as X read it" in described
        assert NOBODY not in described

    def test_a_record_without_rulesets_leads_to_the_prose(self) -> None:
        page = self.page("/evidence/DLP.Evidence.900/")
        assert NOBODY in page.select_one("[aria-labelledby=readings]").text
        assert page.find("a", href="/games/mehen/#DLP.Ruleset.91")

    def test_a_withdrawn_record_is_not_named(self) -> None:
        Evidence.objects.update(withdrawn_on="2026-01-01", withdrawn_reason="x")
        assert "DLP.Evidence.900" not in self.page("/games/mehen/").text
        assert self.client.get("/api/v1/portal-rulesets/91/").json()["evidence"] == []

    def test_the_portals_identifiers_lead_to_what_they_name(self) -> None:
        for identifier, address in (
            ("DLP.Game.57", "/games/mehen/"),
            ("DLP.Ruleset.91", "/games/mehen/#DLP.Ruleset.91"),
        ):
            response = self.client.get(f"/id/{identifier}/")
            assert (response.status_code, response["Location"]) == (303, address)
        assert self.client.get("/id/DLP.Game.58/").status_code == 404

    @pytest.mark.by_turns
    def test_games_are_narrowed_by_kind_and_by_having_rulesets(self) -> None:
        played = Reading.objects.create(slug="d", title="D", game=a_game(), authority="x").game
        for query, names in (
            ("category=race", {"Mehen"}),
            ("period=ancient", {"Mehen"}),
            ("executable=yes", {played.name}),
            ("executable=no", {"Mehen"}),
            ("executable=yes&category=race", set()),
        ):
            assert {card.text for card in self.page(f"/games/?{query}").select(".card h3")} == names, query
            listed = self.client.get(f"/api/v1/games/?{query}").json()["results"]
            assert {row["name"] for row in listed} == names, query

    def test_a_kind_that_is_none_is_refused_with_the_nearest(self) -> None:
        assert self.page("/games/?category=rase", 400).find("a", href="/games/?category=race")
        assert "executable" in self.page("/games/?executabel=no", 400).text

    def test_the_api_tells_the_same(self) -> None:
        described = self.client.get("/api/v1/games/mehen/").json()["portal"]
        assert (described["identifier"], described["categories"], described["periods"]) == (
            "DLP.Game.57",
            ["race"],
            ["ancient"],
        )
        ruleset = self.client.get("/api/v1/portal-rulesets/?game=mehen").json()["results"][0]
        assert (ruleset["identifier"], ruleset["evidence"], ruleset["readings"]) == (
            "DLP.Ruleset.91",
            ["DLP.Evidence.900"],
            [],
        )

    def test_a_number_of_no_ruleset_is_refused_with_the_nearest(self) -> None:
        response = self.client.get("/api/v1/portal-rulesets/100/")
        assert (response.status_code, response.json()["problems"][0]["nearest"]) == (404, 91)
        PortalRuleset.objects.all().delete()
        assert self.client.get("/api/v1/portal-rulesets/100/").status_code == 404

    def test_its_words_are_found(self) -> None:
        rebuild()
        for words in ("coiled", "marbles"):
            found = self.client.get(f"/search/?q={words}&format=json").json()["results"]
            assert [one["title"] for one in found] == ["Mehen"]
            assert words in found[0]["snippet"]

    def test_a_source_says_where_it_can_be_read(self) -> None:
        Source.objects.create(key="x", as_printed="X", address="https://example.org/x")
        assert self.page("/sources/x/").find("a", href="https://example.org/x")
        assert self.client.get("/api/v1/sources/x/").json()["address"] == "https://example.org/x"


class LongListTests(TestCase):
    """Thirty records of one place and source, of thirteen games: the first has most of them."""

    def setUp(self) -> None:
        for number in range(30):
            name = f"Game {max(0, number - 17):02}"
            record = evidence(number, game=a_game(name, name.lower().replace(" ", "-")), type="Text")
            record.citations.create(source=a_source())

    def test_places_and_sources_group_their_records_by_game(self) -> None:
        for address, of in (("/places/sri-lanka/", "place=sri-lanka"), ("/sources/parker-1909/", "source=parker-1909")):
            page = BeautifulSoup(self.client.get(address).content, "lxml")
            links = page.select("dl.facts .chips a")
            assert [link["href"] for link in links[:2]] == [f"/evidence/?{of}&game=game-0{n}" for n in (0, 1)]
            assert "(18)" in links[0].parent.text
            assert (
                links[-1]["href"] == f"/search/?{of}&kind=record&all=game"
            )  # thirteen games, of which twelve are shown
            assert len(links) == 13
            assert "Types" not in page.text  # all are of one type: nothing to tell apart
            listed = BeautifulSoup(self.client.get(links[0]["href"]).content, "lxml")
            assert "18 records" in listed.text

    @pytest.mark.by_turns
    def test_choices_with_most_records_are_listed_others_linked(self) -> None:
        for number in range(70):
            record = Evidence.objects.create(
                identifier=f"Z.{number}",
                type="Text",
                quotation="x",
                game=Game.objects.create(name=f"Other {number}", slug=f"o-{number}"),
            )
            record.places.add(a_place())
        rebuild()
        page = BeautifulSoup(self.client.get("/evidence/?game=o-69").content, "lxml")
        offered = [option["value"] for option in page.select("#by-game option")]
        assert len(offered) == 1 + 60 + 1  # any, the sixty, and the one that was chosen
        assert "game-00" in offered
        assert "o-69" in offered
        every = page.select_one("#by-game").find_next("a")
        assert every["href"] == "/search/?game=o-69&kind=record&all=game"
        assert every.text == "22 with fewer records"
        whole = BeautifulSoup(self.client.get("/search/?kind=record&all=game").content, "lxml")
        assert len(whole.select("a[href*='game=']")) >= 83


def test_columns_are_named_and_their_codes_are_read() -> None:
    printed = {"LudiiRuleset": "1234", "DLPGame": "1", "PublicGame": "0", "ProprietaryGame": "?", "Unknown": "as it is"}
    said = in_words(printed)
    assert said[0] == ("Ruleset that Ludii plays", "DLP.Ruleset.1234")
    assert [value for _, value in said[1:]] == ["yes", "no", "?", "as it is"]
    assert said[-1][0] == "Unknown"
    assert in_words({"LudiiRuleset": "1234a"}) == [("Ruleset that Ludii plays", "1234a")]
