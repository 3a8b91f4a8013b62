"""Levels of play are players of games: the simulator's list of games is that of the readings."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from simulator.batches import levels
from simulator.engine import shipped
from simulator.engine.family import family
from simulator.engine.weights import fitted

READINGS = json.loads((Path(__file__).parents[2] / "fixtures" / "readings.json").read_text(encoding="utf-8"))


def games_with_common_rules() -> Iterator[set[str]]:
    """The readings of each game; of games of which readings have the same rules, together."""
    readings: dict[str, set[str]] = {}
    for row in READINGS:
        readings.setdefault(row["fields"]["game"][0], set()).add(row["fields"]["slug"])
    found: list[set[str]] = []
    for slugs in readings.values():
        rules = {shipped.load(slug).hash for slug in slugs}
        same = [one for one in found if rules & {shipped.load(slug).hash for slug in one}]
        found = [one for one in found if one not in same] + [slugs.union(*same)]
    yield from found


@pytest.mark.by_turns
def test_the_readings_of_a_game_have_one_player():
    expected = {frozenset(slugs) for slugs in games_with_common_rules()}
    assert {frozenset(known["rulesets"]) for known in levels.games().values()} == expected
    assert sorted(slug for known in levels.games().values() for slug in known["rulesets"]) == shipped.measured()


def test_a_game_is_called_by_its_identifier():
    game_of = {row["fields"]["slug"]: row["fields"]["game"][0] for row in READINGS}
    for game, known in levels.games().items():
        assert set(game.split("+")) == {game_of[slug] for slug in known["rulesets"]}


def test_the_weights_of_a_game_are_those_of_a_reading():
    for known in levels.games().values():
        rulesets = [shipped.load(slug) for slug in known["rulesets"]]
        assert known["weights"] in {family(one.family).kind_of_game(one.parameters) for one in rulesets}
        assert known["weights"] in fitted(rulesets[0].family)
