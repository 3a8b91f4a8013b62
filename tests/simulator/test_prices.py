"""Prices of games, measured for every ruleset and bounded for everybody, and the players of levels that they choose."""

import io
import json
from dataclasses import replace

import pytest
from django.core.management import call_command

from simulator.batches import levels, prices
from simulator.batches.requests import check_request, refuse_above
from simulator.batches.service import chunk_size
from simulator.batches.versions import installed
from simulator.engine import shipped
from simulator.engine.documents import with_changes
from simulator.engine.family import FAMILY_NAMES, family
from simulator.engine.players.names import (
    DEEP,
    KINDS,
    MOST_HORIZON,
    MOST_ITERATIONS,
    UCT,
    Player,
    PlayersProblem,
    player,
)
from simulator.engine.ruleset import Ruleset
from simulator.engine.weights import fitted
from simulator.management.commands import measure_prices
from simulator.models import Batch, Reply
from simulator.problems import WrongRequest

NAMES = shipped.measured()


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


@pytest.mark.by_turns
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


def test_a_chunk_of_any_players_takes_about_as_long():
    for players in ("random", "greedy", "uct:200", "alpha_beta:3"):
        request = check_request(shipped.load("kalah-reference"), games=200_000, players=players)
        work = request.work * chunk_size(request) / request.games
        assert 0.05 * 15_000_000 < work < 2 * 15_000_000, players


GAMES = levels.games()


@pytest.fixture
def races(monkeypatch, tmp_path):
    """The file with other races of the games that are named, and perhaps other weights."""

    def write(weights=None, **by_game):
        changed = {game.replace("_", "-"): races for game, races in by_game.items()}
        found = {game: {**known, "races": changed.get(game, {})} for game, known in GAMES.items()}
        for game, kind in (weights or {}).items():
            found[game]["weights"] = kind
        monkeypatch.setattr(levels, "FILE", tmp_path / "players.json")
        levels.FILE.write_text(json.dumps({"games": found}))
        forget()

    def forget():
        for known in (levels.games, levels._of_game, levels._game_of):
            known.cache_clear()

    yield write
    monkeypatch.undo()
    forget()


def winner(name: str, second: str = "") -> dict[str, object]:
    return {"first": {"player": name}} | ({"second": {"player": second}} if second else {})


def test_a_level_costs_in_the_dearest_reading_what_it_may():
    for game, known in GAMES.items():
        rulesets = [shipped.load(slug) for slug in known["rulesets"]]
        for level in levels.SEARCHES:
            target = levels.TARGETS[levels.FIRSTS.get(level, level)]
            found = levels.player_of(rulesets[0], level)
            dearest = max(prices.turn_price(ruleset, found) for ruleset in rulesets)
            deep = KINDS[player(found).kind] in DEEP  # a ply more costs many times as much
            assert (0 if deep else target / 2) < dearest <= target, (game, level)


def test_a_level_is_one_player_in_all_readings_of_a_game():
    """Also the weights of its evaluation are the same, whatever kind of game a reading is."""
    for game, known in GAMES.items():
        for level in levels.PLAYERS_OF_GAMES:
            found = {_with_weights(shipped.load(slug), level) for slug in known["rulesets"]}
            assert len(found) == 1, (game, level)


def test_two_players_of_a_level_differ_in_search_or_evaluation():
    for known in GAMES.values():
        ruleset = shipped.load(known["rulesets"][0])
        for level, second in levels.SECONDS.items():
            one, other = (player(levels.player_of(ruleset, each)) for each in (level, second))
            assert one.kind != other.kind or evaluates(one) != evaluates(other) or one.weights != other.weights
            assert levels.level_of(ruleset, str(one)) == level
            assert levels.level_of(ruleset, str(other)) == second
        weak, strong = (player(levels.player_of(ruleset, level)).budget for level in levels.TARGETS)
        assert weak < strong


def evaluates(one: Player) -> bool:
    return bool(one.prior) or one.horizon < 40


def _with_weights(ruleset, level: str) -> Player:
    """The player of a level with its weights, which its name leaves out where they are the ruleset's own."""
    found = player(levels.player_of(ruleset, level))
    return replace(found, weights=found.weights or family(ruleset.family).kind_of_game(ruleset.parameters))


def test_weights_that_are_not_a_rulesets_own_are_named():
    dlp, ludii = (shipped.load(f"kotu-ellima-{who}") for who in ("dlp", "ludii"))
    assert levels.players_for(dlp, "greedy,random") == ("greedy", "random")
    assert levels.players_for(ludii, "greedy,random") == ("greedy:weights=draughts", "random")
    assert levels.level_of(dlp, "greedy") == levels.level_of(ludii, "greedy:weights=draughts") == "greedy"
    assert levels.level_of(ludii, "greedy") == "greedy:weights=war"
    flying = with_changes(dlp, {"kings": "flying"})
    assert levels.players_for(flying, "greedy") == ("greedy:weights=draughts",) * 2
    assert levels.player_of(flying, "club").endswith(":weights=draughts")


def test_the_longest_names_of_players_fit_their_columns():
    for name in FAMILY_NAMES:
        longest = max(fitted(name), key=len)
        one = str(Player(UCT, MOST_ITERATIONS, MOST_HORIZON, 1_000, 1_000, weights=longest))
        seats = 4 if name == "race" else 2
        assert len(one) <= Reply._meta.get_field("player").max_length
        assert len(",".join([one] * seats)) <= Batch._meta.get_field("players").max_length


def test_a_second_player_is_called_after_its_level():
    kalah = shipped.load("kalah-reference")
    assert levels.players_for(kalah, "club,club-second") == tuple(
        levels.player_of(kalah, level) for level in ("club", "club-second")
    )
    assert levels.line_in_words("club-second,club-second") == "club players of the second kind, about 1 ms a turn"
    assert levels.line_in_words("club,club-second") == "first player club, second player club of the second kind"
    assert levels.rank("strong-second") == levels.rank("strong") > levels.rank("club-second")
    with pytest.raises(PlayersProblem, match="the nearest is 'club-second'"):
        levels.parse_level("club-secnd")


def test_a_level_is_the_winner_of_its_race(races):
    races(dam={"1000": winner("uct:70/12:prior=8", "uct:7"), "20000": winner("uct:900:c=20", "uct:40/40")})
    for dam in map(shipped.load, ("dam-parker", "dam-ludii")):
        assert [levels.player_of(dam, level) for level in levels.TARGETS] == ["uct:70/12:prior=8", "uct:900:c=20"]
        assert [levels.player_of(dam, second) for second in levels.FIRSTS] == ["uct:7", "uct:40/40"]


def test_a_second_player_may_weigh_otherwise_than_the_game(races):
    races(dam={"1000": winner("uct:70/12", "uct:7/4:weights=pieces_and_room")})
    dam = shipped.load("dam-parker")
    assert levels.player_of(dam, "club") == "uct:70/12"
    assert levels.player_of(dam, "club-second") == "uct:7/4:weights=pieces_and_room"
    strong = levels.player_of(dam, "strong-second")
    assert strong.endswith("/4:weights=pieces_and_room")
    assert player(strong).budget > 7
    assert levels.level_of(dam, strong) == "strong-second"


def test_cheaper_race_gives_the_search_and_the_price_its_length(races):
    races(dam={"200": winner("uct:70/12:prior=8")})
    dam = shipped.load("dam-ludii")  # where a turn of his costs most
    strong = player(levels.player_of(dam, "strong"))
    assert (strong.horizon, strong.prior) == (12, 8)
    assert strong.budget > 70
    assert prices.turn_price(dam, str(strong)) <= levels.TARGETS["strong"]


def test_race_that_alpha_beta_won_gives_the_depth(races):
    races(dam={"1000": winner("alpha_beta:2/6")})
    dam = shipped.load("dam-parker")
    assert levels.player_of(dam, "club") == "alpha_beta:2/6"
    strong = player(levels.player_of(dam, "strong"))
    assert (KINDS[strong.kind], strong.horizon) == ("alpha_beta", 6)
    dearest = [shipped.load(f"dam-{who}") for who in ("parker", "dlp", "ludii")]
    deeper = replace(strong, budget=strong.budget + 1)
    for one, fits in ((strong, True), (deeper, False)):
        price = max(prices.turn_price(each, str(one)) for each in dearest)
        assert (price <= levels.TARGETS["strong"]) is fits


def test_a_what_if_is_played_as_the_ruleset_it_is_most_like(races):
    joined = {"daramuti+puhulmutu": {"1000": winner("uct:7/12")}}
    races(**joined, kalah={"1000": winner("uct:8/12")})
    changed = with_changes(shipped.load("puhulmutu-parker"), {"relay": "off"})
    assert levels.player_of(changed, "club") == "uct:7/12:weights=relay"
    assert levels.player_of(shipped.load("puhulmutu-parker"), "club") == "uct:7/12"


def test_requests_take_levels_and_are_known_by_the_players():
    kalah = shipped.load("kalah-reference")
    request = check_request(kalah, games=1, players="club,greedy")
    assert request.players == (levels.player_of(kalah, "club"), "greedy")
    assert check_request(kalah, games=1, players=request.terms["players"]).id == request.id
    with pytest.raises(WrongRequest, match="no player is called 'clubb'; the nearest is 'club'"):
        check_request(kalah, games=1, players="clubb")
    with pytest.raises(WrongRequest, match="no player is called 'gredy'; the nearest is 'greedy'"):
        check_request(kalah, games=1, players="club,gredy")
