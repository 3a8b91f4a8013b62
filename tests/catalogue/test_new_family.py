"""A family of games that nothing else has heard of: what CONTRIBUTING.md says of one is all that pages and API need."""

import sys
from collections.abc import Iterator
from dataclasses import replace
from importlib import import_module
from types import ModuleType

import pytest

from simulator import rulesets
from simulator.batches import versions
from simulator.batches.service import request_batch
from simulator.engine import family as families
from simulator.engine.documents import parse
from tests.catalogue.page_world import CatalogueTestCase

PLACE = "simulator.engine.families"
PARTS = ("attempts", "drawing", "notation", "position", "referee.contract")


@pytest.fixture(autouse=True)
def capture(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """For one test there is a family "capture": the points games under another name."""
    points = families.family("points")
    schema = {**points.schema, "properties": {**points.schema["properties"], "family": {"const": "capture"}}}
    definition = ModuleType("definition")
    definition.FAMILY = replace(points, name="capture", schema=schema, board=(), quick_plies=2_000)
    for part in PARTS:
        monkeypatch.setitem(sys.modules, f"{PLACE}.capture.{part}", import_module(f"{PLACE}.points.{part}"))
    monkeypatch.setitem(sys.modules, f"{PLACE}.capture.definition", definition)
    for module in (families, versions):
        monkeypatch.setattr(module, "FAMILY_NAMES", (*module.FAMILY_NAMES, "capture"))
    yield
    families.family.cache_clear()


class NewFamilyTests(CatalogueTestCase):
    def setUp(self) -> None:
        document = {**rulesets.find("dam-parker").document, "family": "capture"}
        self.row = rulesets.save(parse(document))

    @pytest.mark.thorough
    def test_its_games_are_replayed(self) -> None:
        batch = request_batch(self.row.hash, games=1, announce=False)
        assert "After turn 2 of" in self.page(f"/batches/{batch.id}/games/0/?turn=2")

    def test_its_rules_are_shown_changed_and_played(self) -> None:
        address = f"/rulesets/{self.row.hash}/"
        assert "The board is the 72 white squares" in self.page(address)
        assert "The board is the 72 white squares" in self.page(f"{address}change/")
        assert "names no move" in self.page(f"{address}play-a-game/?players=you,you&seed=1&move=zz", 400)
