"""Boards as pages show them: drawn by the family, with the sides' own names, in two queries for any number of them."""

from unittest import mock
from xml.etree import ElementTree

import pytest

from catalogue.models import Game, Reading
from catalogue.play.game_view import game_cards, start_board
from simulator.models import Ruleset
from tests.catalogue.page_world import CatalogueTestCase

HUNT = "hat-diviyan-keliya-ludovisi"


class Boards(CatalogueTestCase):
    @pytest.mark.by_turns
    def test_every_game_that_can_be_played_is_chosen_by_its_board(self) -> None:
        playable = Game.objects.filter(readings__isnull=False).distinct()
        cards = self.soup("/games/").select(".cards .card")
        drawn = [card.h3.get_text() for card in cards if card.select("figure.board svg[viewBox]")]
        assert sorted(drawn) == sorted(playable.values_list("name", flat=True))
        wall = [
            entry.a.get_text() for entry in self.soup("/").select(".wall li") if entry.select("img[src$='board.svg']")
        ]
        assert sorted(wall) == sorted(playable.filter(is_reference=False).values_list("name", flat=True))

    @pytest.mark.by_turns
    def test_the_list_of_rulesets_has_the_board_of_each_game_and_every_reading(self) -> None:
        page = self.soup("/rulesets/")
        entries = page.select(".entries > li")
        assert len(entries) == Game.objects.filter(readings__isnull=False).distinct().count()
        assert all(entry.select("img.board-picture[loading=lazy]") for entry in entries)
        assert len(page.select(".plain-list li > a")) == Reading.objects.count()

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

    def test_cards_take_few_queries_for_any_number_of_games(self) -> None:
        for games in (Game.objects.filter(slug="dam"), Game.objects.all()):
            rows = list(games)
            with self.assertNumQueries(2):
                assert len(game_cards(rows)) == len(rows)
