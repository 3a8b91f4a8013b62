"""A game that nobody tuned: every valid document has weights, players of every level, and prices."""

import math
import random
from dataclasses import replace as replaced
from typing import Any

import pytest

from simulator.batches import levels, prices
from simulator.batches.requests import check_request
from simulator.engine import shipped, weights
from simulator.engine.documents import parse
from simulator.engine.family import FAMILY_NAMES, family
from simulator.engine.players.names import player, players_for
from simulator.engine.ruleset import Ruleset, RulesetProblem
from simulator.engine.tables import branch, columns_of, kind_of, table_of
from tests.choice import ALL

DOCUMENTS = 100 if ALL else 30  # of each family


def a_value(spec: dict[str, Any], chance: random.Random) -> Any:
    """Any value that a schema lets a parameter or a column have, tables too; None where it is only text."""
    if "anyOf" in spec:
        return a_value({**branch(spec, ""), **chance.choice(spec["anyOf"])}, chance)
    if "enum" in spec:
        return chance.choice(spec["enum"])
    if kind_of(spec):
        rows = [_a_row(columns_of(spec), spec, chance) for _ in range(chance.randint(1, 3))]
        return rows if spec.get("type") == "array" else rows[0]
    match spec.get("type"):
        case "boolean":
            return chance.random() < 0.5
        case "integer":
            return chance.randint(spec.get("minimum", 0), min(spec.get("maximum", 9), spec.get("minimum", 0) + 12))
        case "array":
            parts = [a_value(spec["items"], chance) for _ in range(chance.randint(0, 3))]
            return sorted({part for part in parts if isinstance(part, int | str)}, key=str)
    return None


def _a_row(columns: dict[str, Any], spec: dict[str, Any], chance: random.Random) -> dict[str, Any]:
    inside = table_of(spec)
    needed = (inside.get("items") or inside).get("required", ())
    found = {
        name: a_value(column, chance) for name, column in columns.items() if name in needed or chance.random() < 0.4
    }
    return {name: value for name, value in found.items() if value is not None}


def some_documents(name: str, number: int, seed: int = 1) -> list[Ruleset]:
    """Valid documents: shipped ones with some parameters set to anything, where that can be played."""
    chance, found = random.Random(seed), []
    shipped_ones = [shipped.load(slug) for slug in shipped.measured(name)]
    specs = {key: spec for key, spec in family(name).schema["properties"].items() if key != "family"}
    for _ in range(60 * number):
        document = dict(chance.choice(shipped_ones).document)
        for key in chance.sample(sorted(specs), chance.randint(1, 4)):
            if (value := a_value(specs[key], chance)) is not None:
                document[key] = value
        try:
            found.append(parse(document))
        except RulesetProblem:
            continue
        if len(found) == number:
            break
    return found


@pytest.mark.by_turns
@pytest.mark.parametrize("name", FAMILY_NAMES)
def test_any_valid_document_has_players_and_prices(name: str) -> None:
    kind = family(name)
    found = some_documents(name, DOCUMENTS)
    assert len(found) > DOCUMENTS / 2
    for ruleset in found:
        seats = kind.seats(ruleset.parameters)
        of_game = kind.kind_of_game(ruleset.parameters)
        assert of_game in weights.fitted(name)
        role = ruleset.module("measures").role(ruleset.parameters, 0)
        assert weights.weigh(name)(of_game, role)
        for level in ("greedy", *levels.TARGETS, *levels.FIRSTS):
            found_player = levels.player_of(ruleset, level)
            players_for(ruleset, ",".join([found_player] * seats))
            assert levels.level_of(ruleset, found_player)
            price = prices.game_price(ruleset, [found_player] * seats, 2_000)
            assert 0 < price < math.inf
        assert check_request(ruleset, games=10, seed=1, players="club").work > 0
        assert kind.extent(ruleset.parameters) > 0


@pytest.fixture
def new_game(monkeypatch: pytest.MonkeyPatch) -> Ruleset:
    """A game of nobody's: as if the board of a hunt, with many more pieces, were drawn in a table."""
    ruleset = shipped.load("diviyan-keliya-parker")
    parameters = {**ruleset.parameters, "second_pieces": 48}
    changed = replaced(
        ruleset, parameters=parameters, document={**ruleset.document, "second_pieces": 48}, hash="0" * 64
    )
    monkeypatch.setattr(type(family("points")), "tables", lambda kind, document: ["board"])
    return changed


def test_a_new_game_is_told_as_untuned_and_priced_by_kind(new_game: Ruleset) -> None:
    assert levels.untuned(new_game).startswith("Nobody has tuned players for this game: those of diviyan keliya")
    assert not levels.untuned(shipped.load("diviyan-keliya-parker"))
    for level in levels.TARGETS:
        name = levels.player_of(new_game, level)
        assert prices.turn_price(new_game, name) <= levels.TARGETS[level]
        assert not player(name).weights, "the weights of its own kind of game"
    hunts = [shipped.load(f"{game}-keliya-parker") for game in ("diviyan",)]
    assert prices.turn_price(new_game, "random") > max(prices.turn_price(one, "random") for one in hunts)


def test_weights_of_no_fitted_kind_are_plain() -> None:
    for name in FAMILY_NAMES:
        plain = next(iter(weights.plain_evaluations(name)))
        assert (
            weights.weigh(name)("a kind of which nobody thought", "fewer")
            == weights.fitted(name)[plain]["weights"]["each"]
        )
