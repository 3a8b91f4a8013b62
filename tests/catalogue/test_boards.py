"""Boards as pages show them: drawn by the family, with the sides' own names, in two queries for any number of them."""

from unittest import mock
from xml.etree import ElementTree

import pytest

from catalogue.models import Game, Reading, Source
from catalogue.play.game_view import start_board
from catalogue.templatetags.figures import board_of, boards_of
from simulator.models import Ruleset
from tests.catalogue.page_world import CatalogueTestCase

HUNT = "hat-diviyan-keliya-ludovisi"


class Boards(CatalogueTestCase):
    @pytest.mark.by_turns
    def test_every_game_that_can_be_played_is_chosen_by_its_board(self) -> None:
        playable = Game.objects.filter(readings__isnull=False, is_reference=False).distinct()
        cards = self.soup("/games/").select(".cards .card")
        drawn = [card.h3.get_text() for card in cards if card.select("img.board-picture[src$='board.svg']")]
        assert sorted(drawn) == sorted(playable.values_list("name", flat=True))
        wall = [
            entry.a.get_text() for entry in self.soup("/").select(".wall li") if entry.select("img[src$='board.svg']")
        ]
        assert sorted(wall) == sorted(playable.values_list("name", flat=True))

    @pytest.mark.by_turns
    def test_rulesets_are_listed_by_game_with_its_board(self) -> None:
        page = self.soup("/rulesets/")
        entries = page.select(".entries > li")
        assert len(entries) == Game.objects.filter(readings__isnull=False, is_reference=False).distinct().count()
        assert all(entry.select("img.board-picture[loading=lazy]") for entry in entries)
        assert len(page.select(".plain-list li > a")) == Reading.objects.filter(game__is_reference=False).count()

    def test_a_board_names_its_sides_and_tells_who_stands_where(self) -> None:
        figure = self.soup(f"/rulesets/{HUNT}/").select_one("figure.board")
        assert figure is not None
        words = " ".join(figure.figcaption.get_text(" ").split())
        assert words.startswith(
            "Triangle of ten points: owner of the tiger (first player) against owner of the leopards (second player)."
        )
        assert "7 in hand" in figure.figcaption.details.get_text()
        assert figure.svg.find("desc").get_text().endswith(figure.figcaption.details.p.get_text())

    def test_it_can_be_taken_as_a_file_that_follows_light_and_dark(self) -> None:
        response = self.client.get(f"/rulesets/{HUNT}/board.svg")
        assert response["Content-Type"].startswith("image/svg+xml")
        drawing = ElementTree.fromstring(response.content)
        assert drawing.attrib["viewBox"]
        assert "prefers-color-scheme: dark" in response.content.decode()

    def test_the_drawing_of_a_ruleset_is_kept(self) -> None:
        row = Ruleset.objects.get(versions__slug=HUNT)
        first = start_board(row)
        with mock.patch("simulator.engine.family.Family.naming", side_effect=AssertionError("drawn again")):
            assert start_board(row) is first

    def test_the_boards_of_a_list_take_one_query(self) -> None:
        for games in (Game.objects.filter(slug="dam"), Game.objects.all()):
            rows = list(games)
            with self.assertNumQueries(1):
                boards = boards_of(rows)
        dam = Game.objects.get(slug="dam")
        assert board_of(boards, dam.pk) == f"/rulesets/{boards[dam.pk]}/board.svg"
        assert board_of(boards, 0) == ""

    def test_lists_show_pictures_that_are_loaded_when_they_come_near(self) -> None:
        """Of records, sources, games and readings, and what is compared: a picture each, none within the page."""
        for address, one in (
            ("/evidence/", ".entries > li > .thumb"), ("/sources/", ".entries > li > .thumb.leaf"),
            ("/games/", ".card > .board-picture"), ("/rulesets/", ".entries .board-picture"),
            ("/sources/parker-1909/", ".entries > li > .thumb"), ("/compare/", ".entries .board-picture"),
        ):  # fmt: skip
            page = self.soup(address)
            pictures = page.select(one)
            assert pictures, address
            assert not page.select("main svg.board"), address
            for picture in pictures:
                assert (picture["loading"], picture["src"].endswith(".svg")) == ("lazy", True)
        assert len(self.soup("/sources/").select(".thumb")) == Source.objects.count()

    def test_a_title_page_is_drawn_from_the_reference(self) -> None:
        drawn = self.client.get("/sources/parker-1909/title-page.svg")
        assert drawn["Content-Type"].startswith("image/svg+xml")
        words = "".join(ElementTree.fromstring(drawn.content).itertext())
        assert all(word in words for word in ("Parker", "Ancient", "Ceylon", "1909"))
