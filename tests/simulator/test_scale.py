"""Levels of play stand for players of a counted budget: the winners of races, or a search of the price."""

import json
from dataclasses import replace

import pytest

from simulator.batches import levels, prices
from simulator.batches.requests import check_request
from simulator.engine import shipped
from simulator.engine.documents import with_changes
from simulator.engine.players.names import KINDS, player
from simulator.problems import WrongRequest

EVERY = shipped.rulesets()


@pytest.fixture
def races(monkeypatch, tmp_path):
    """A file of races: of one ruleset at two prices, of another at one that is less than a level's."""

    def write(**by_name):
        document = {"rulesets": {shipped.load(name.replace("_", "-")).hash: races for name, races in by_name.items()}}
        monkeypatch.setattr(levels, "FILE", tmp_path / "players.json")
        levels.FILE.write_text(json.dumps(document))
        forget()

    def forget():
        levels._races.cache_clear()
        levels._of_shipped.cache_clear()

    yield write
    monkeypatch.undo()
    forget()


def winner(name: str) -> dict[str, object]:
    return {"player": name}


@pytest.mark.parametrize("name", EVERY)
def test_players_of_levels_cost_about_what_they_should(name):
    ruleset = shipped.load(name)
    for level, target in levels.TARGETS.items():
        found = levels.player_of(ruleset, level)
        assert levels.level_of(ruleset, found) == level
        assert target / 2 < prices.turn_price(ruleset, found) < target * 2
    weak, strong = (player(levels.player_of(ruleset, level)).budget for level in levels.TARGETS)
    assert weak < strong


def test_a_level_is_the_winner_of_its_race(races):
    races(dam_parker={"1000": winner("uct:70/12:prior=8"), "20000": winner("uct:900:c=20")})
    dam = shipped.load("dam-parker")
    assert [levels.player_of(dam, level) for level in levels.TARGETS] == ["uct:70/12:prior=8", "uct:900:c=20"]


def test_cheaper_race_gives_the_search_and_the_price_its_length(races):
    races(dam_parker={"200": winner("uct:70/12:prior=8")})
    dam = shipped.load("dam-parker")
    strong = player(levels.player_of(dam, "strong"))
    assert (strong.horizon, strong.prior) == (12, 8)
    assert strong.budget > 70
    assert prices.turn_price(dam, str(strong)) <= levels.TARGETS["strong"]


def test_race_that_alpha_beta_won_gives_the_depth(races):
    races(dam_parker={"1000": winner("alpha_beta:2/6")})
    dam = shipped.load("dam-parker")
    assert levels.player_of(dam, "club") == "alpha_beta:2/6"
    strong = player(levels.player_of(dam, "strong"))
    assert (KINDS[strong.kind], strong.horizon) == ("alpha_beta", 6)
    assert prices.turn_price(dam, str(strong)) <= levels.TARGETS["strong"]
    assert prices.turn_price(dam, str(replace(strong, budget=strong.budget + 1))) > levels.TARGETS["strong"]


def test_a_what_if_is_played_as_the_ruleset_it_is_most_like(races):
    races(puhulmutu_parker={"1000": winner("uct:7/12")}, kalah_reference={"1000": winner("uct:8/12")})
    changed = with_changes(shipped.load("puhulmutu-parker"), {"relay": "off"})
    assert levels.player_of(changed, "club") == "uct:7/12"


def test_requests_take_levels_and_are_known_by_the_players():
    kalah = shipped.load("kalah-reference")
    request = check_request(kalah, games=1, players="club,greedy")
    assert request.players == (levels.player_of(kalah, "club"), "greedy")
    assert check_request(kalah, games=1, players=request.terms["players"]).id == request.id
    with pytest.raises(WrongRequest, match="no player is called 'clubb'; the nearest is 'club'"):
        check_request(kalah, games=1, players="clubb")
    with pytest.raises(WrongRequest, match="no player is called 'gredy'; the nearest is 'greedy'"):
        check_request(kalah, games=1, players="club,gredy")
