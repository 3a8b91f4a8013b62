"""Games of the reference corner: on a list of their own, with their source, and apart from records and edition."""

from dataclasses import replace

from catalogue.edition.plans import planned_games
from catalogue.edition.terms import read_plan
from catalogue.loading.corner import CornerGame
from catalogue.models import Clause, Game, Reading
from simulator.engine.shipped import load
from tests.builders import CORNER_FILES, REFERENCE_GAMES
from tests.catalogue.page_world import CatalogueTestCase

CORNER = {file.stem for file in CORNER_FILES}


def test_one_file_makes_the_game_its_reading_and_its_clauses() -> None:
    reference = {
        "game": "Dara", "about": "A game.", "rules": "Lay, then step.", "source": "Murray 1952",
        "conjecture": {"turn_limit": "A bound of ours."},
    }  # fmt: skip
    made = CornerGame("dara-reference", {"family": "points", "board": "squares_3", "turn_limit": 9}, reference)
    assert (made.game["fields"]["slug"], made.game["fields"]["name"]) == ("dara-reference", "Dara (reference)")
    assert (made.reading["fields"]["title"], made.reading["fields"]["kind"]) == ("Dara, reference rules", "reference")
    clauses = made.apparatus["readings"]["dara-reference"]["clauses"]
    assert [(one["basis"], one["parameters"]) for one in clauses] == [
        ("other_source", ["board"]), ("conjecture", ["turn_limit"])
    ]  # fmt: skip


class ReferenceGames(CatalogueTestCase):
    def test_the_list_has_all_of_them_with_source_board_and_play(self) -> None:
        cards = self.soup("/reference-games/").select(".cards .card")
        assert len(cards) == len(REFERENCE_GAMES)
        for card in cards:
            assert card.select_one("img.board-picture[src$='board.svg'][loading=lazy]")
            assert card.select_one("a[href$='/play-a-game/']")
            assert "After " in card.get_text(), card.h3
            assert "Tables:" not in card.get_text(), card.h3  # which says nothing to whoever wrote none
        assert sum(not card.select("a[href^='/batches/']") for card in cards) >= len(CORNER)

    def test_they_stand_in_no_list_of_what_was_recorded(self) -> None:
        every = set(Game.objects.filter(is_reference=False).values_list("name", flat=True))
        assert {card.h3.get_text() for card in self.soup("/games/").select(".cards .card")} == every
        text = self.client.get("/rulesets/").content.decode()
        assert not [slug for slug in CORNER if f"/rulesets/{slug}/" in text]

    def test_a_page_names_the_account_and_that_nothing_is_played(self) -> None:
        text = self.soup("/games/bagh-chal-reference/").get_text(" ")
        assert "The rules follow Lim and Nievergelt 2004" in text
        assert "No games were played yet" in text
        assert "five goats taken" in text
        assert "Records" not in [one.get_text() for one in self.soup("/games/bagh-chal-reference/").select("h2")]

    def test_every_rule_of_theirs_rests_on_something(self) -> None:
        covered: dict[str, set[str]] = {}
        for slug, keys in Clause.objects.filter(reading__slug__in=CORNER).values_list("reading__slug", "parameters"):
            covered.setdefault(slug, set()).update(keys)
        for slug in CORNER:
            assert set(load(slug).document) - {"family"} <= covered[slug]
        assert Reading.objects.filter(slug__in=CORNER, evidence=None).count() == len(CORNER)

    def test_the_edition_leaves_them_out_until_its_plan_names_them(self) -> None:
        terms = read_plan()
        assert not CORNER & {slug for game in planned_games(terms) for slug in game.readings}
        assert {slug for game in planned_games(replace(terms, corner=True)) for slug in game.readings} >= CORNER
        named = planned_games(replace(terms, games=("achi-reference",)))
        assert [list(game.readings) for game in named] == [["achi-reference"]]
