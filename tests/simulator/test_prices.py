"""What games cost: measured for every ruleset, dearer with deeper players, and bounded for everybody."""

import io
import json
from dataclasses import replace

import pytest
from django.core.management import call_command

from simulator.batches import prices
from simulator.batches.requests import check_request, refuse_above
from simulator.batches.service import chunk_size
from simulator.batches.versions import installed
from simulator.engine import shipped
from simulator.engine.family import FAMILY_NAMES, family
from simulator.engine.players.names import player
from simulator.engine.ruleset import Ruleset
from simulator.management.commands import measure_prices
from simulator.problems import WrongRequest

NAMES = shipped.rulesets()


def seats(ruleset: Ruleset) -> int:
    return family(ruleset.family).seats(ruleset.parameters)


def test_every_shipped_ruleset_is_priced_as_this_engine_plays_it():
    written = json.loads(prices.FILE.read_text())
    assert written["versions"] == installed(), "measure again: manage.py measure_prices"
    assert {shipped.load(name).hash for name in NAMES} == set(written["rulesets"])


def test_figures_and_plots_of_every_family_are_priced():
    for name in FAMILY_NAMES:
        assert 10_000 < prices.finishing_price(name) < 10_000_000, "measure again: manage.py measure_prices --finishing"


@pytest.mark.django_db
def test_measuring_figures_and_plots_leaves_other_prices(tmp_path, monkeypatch):
    monkeypatch.setattr(measure_prices, "drawings", lambda *_: None)
    target = tmp_path / "prices.json"
    before = json.loads(prices.FILE.read_text())
    target.write_text(json.dumps({**before, "finishing": {"points": 1e12}}))
    call_command("measure_prices", "kalah-reference", "--finishing", "--to", str(target), stdout=io.StringIO())
    after = json.loads(target.read_text())
    assert list(after["finishing"]) == ["sowing"]
    assert after["rulesets"] == before["rulesets"]


def test_only_games_of_players_seen_to_play_longer_cost_more():
    row = prices.price_list()[shipped.load("kalah-reference").hash]
    longer = replace(row, turns={**row.turns, "uct:500": (300.0, 0.5, 400)})
    for names, turns in ((("uct:500", "random"), 300 + 0.5 * (2_000 - 400)), (("uct:501", "random"), None)):
        players = [player(name) for name in names]
        mean = sum(map(row.per_turn, players)) / 2
        assert longer.game(players, 2_000) == (mean * turns if turns else row.game(players, 2_000))


@pytest.mark.django_db
def test_measuring_strong_games_leaves_other_prices(tmp_path, monkeypatch):
    target = tmp_path / "prices.json"
    target.write_text(prices.FILE.read_text())
    monkeypatch.setattr("simulator.management.commands.measure_prices.resolve_players", lambda ruleset, level: "uct:9")
    call_command("measure_prices", "pancha-keliya-dlp", "--lengths", "--to", str(target), stdout=io.StringIO())
    before, after = (json.loads(file.read_text()) for file in (prices.FILE, target))
    mean, share, stopped = after["rulesets"][shipped.load("pancha-keliya-dlp").hash]["turns"].pop("uct:9")
    assert (share, stopped) == (0.0, 400)
    assert 10 < mean < 400
    assert {**after, "measured": ""} == {**before, "measured": ""}


@pytest.mark.django_db
def test_searches_are_priced_in_the_hour_of_their_row(tmp_path, monkeypatch):
    """Twice as slow an hour, in which a turn of random play takes twice as long too, gives the same prices."""
    target, kalah = tmp_path / "prices.json", shipped.load("kalah-reference")
    target.write_text(prices.FILE.read_text())
    turns = []
    monkeypatch.setattr(measure_prices, "searches", lambda ruleset, turn: turns.append(turn) or {"uct": {"0": 1.5}})
    call_command("measure_prices", "kalah-reference", "--searches", "--to", str(target), stdout=io.StringIO())
    before, after = (json.loads(file.read_text())["rulesets"] for file in (prices.FILE, target))
    assert turns == [before[kalah.hash]["turn"]]
    assert after == {**before, kalah.hash: {**before[kalah.hash], "uct": {"0": 1.5}}}
    monkeypatch.undo()
    hours = []
    monkeypatch.setattr(measure_prices, "_of_iterations", lambda thought, hour: hours.append(hour * thought.turn))
    for turn in (0.5, 1.0):
        measure_prices.searches(kalah, turn)
    assert hours == [pytest.approx(0.5), pytest.approx(1.0)]


@pytest.mark.parametrize("name", NAMES)
def test_a_larger_budget_is_never_cheaper(name):
    ruleset = shipped.load(name)
    looks_ahead = seats(ruleset) == 2 and not family(ruleset.family).throws
    ladders = [
        ["random", "greedy"],
        [f"uct:{1 << n}" for n in range(4, 20)],
        [f"uct:100/{horizon}" for horizon in (0, 1, 10, 100, 200, 300, 1_000, 10_000)],
        [f"uct:100/4{options}" for options in ("", ":prior=2")],
        [f"alpha_beta:{depth}" for depth in range(1, 33)] if looks_ahead else [],
    ]
    for ladder in ladders:
        costs = [prices.turn_price(ruleset, one) for one in ladder]
        assert costs == sorted(costs)
        assert all(cost > 0 for cost in costs)
    lengths = [prices.game_price(ruleset, ["random"] * seats(ruleset), cap) for cap in (1, 10, 2_000, 100_000)]
    assert lengths == sorted(lengths)


def test_a_what_if_costs_what_the_costliest_of_its_family_does():
    own = shipped.load("dam-dlp")
    changed = shipped.change(shipped.load("kalah-reference"), counters_per_hole=5)
    assert changed.hash not in prices.price_list()
    family_of = [shipped.load(name) for name in NAMES if shipped.load(name).family == changed.family]
    for line in (["random", "random"], ["uct:100", "random"], ["alpha_beta:9", "greedy"]):
        most = max(prices.game_price(one, line, 2_000) for one in family_of if seats(one) == 2)
        assert prices.game_price(changed, line, 2_000) >= most
    assert prices.game_price(own, ["random", "random"], 2_000) < 2_000 * prices.turn_price(own, "random")


@pytest.mark.parametrize(
    ("name", "depth"), [("dam-dlp", 14), ("oware-reference", 32), ("nine-mens-morris-reference", 14)]
)
def test_refusal_of_a_deep_player_names_the_deepest(name, depth):
    ruleset = shipped.load(name)
    [problem] = prices.exceeded(ruleset, (f"alpha_beta:{depth}", "random"), 1, 1, prices.VISITOR)
    assert problem.key == "players"
    deepest, other = problem.nearest.split(",")
    assert other == "random"
    assert 2 <= player(deepest).budget < depth
    refuse_above(check_request(ruleset, games=1, cap=1, players=problem.nearest), prices.VISITOR)
    deeper = f"alpha_beta:{player(deepest).budget + 1}"
    assert prices.turn_price(ruleset, deeper) > prices.VISITOR.turn
    assert deepest in problem.message


def test_nobody_may_ask_for_what_would_take_weeks():
    for wanted in ({"games": 100_000_000, "players": "uct:10000"}, {"games": 1, "players": "alpha_beta:32"}):
        with pytest.raises(WrongRequest) as caught:
            check_request(shipped.load("dam-dlp"), **wanted)
        [problem] = caught.value.problems
        nearest = {**wanted, problem.key: problem.nearest}
        assert check_request(shipped.load("dam-dlp"), **nearest).work <= prices.ANYBODY.work
    assert check_request(shipped.load("kalah-reference"), games=100_000_000, cap=1_000)


def test_visitor_may_request_searches_of_short_games(settings):
    request = check_request(shipped.load("english-draughts-reference"), games=10, players="uct:1000", cap=2_000)
    assert request.work < settings.VISITOR_WORK_PER_HOUR


def test_a_chunk_of_any_players_takes_about_as_long():
    for players in ("random", "greedy", "uct:200", "alpha_beta:3"):
        request = check_request(shipped.load("kalah-reference"), games=200_000, players=players)
        work = request.work * chunk_size(request) / request.games
        assert 0.05 * 15_000_000 < work < 2 * 15_000_000, players
