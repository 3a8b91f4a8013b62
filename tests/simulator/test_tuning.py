"""Tuning: a race that is the same whenever it is run, goes on where it was, and refuses what nobody can wait for."""

import json
from dataclasses import replace
from pathlib import Path
from typing import ClassVar

import numpy as np
import pytest
from django.core.management import call_command

from simulator.batches import levels, prices
from simulator.batches.versions import PLAYERS, installed
from simulator.engine import shipped
from simulator.engine.ends import UNFINISHED, WIN
from simulator.engine.players.names import KINDS, PLAYERS_VERSION, UCT, Player, player
from simulator.engine.playout import play_block
from simulator.management.commands.tune import FILE, keep
from simulator.problems import WrongRequest
from simulator.strength.candidates import MOST_RANKED
from simulator.strength.tuning import Matches, Result, TuningRequest, check_tuning, race
from tests.engine.rulesets import VERSIONS

KALAH, LEAST = "kalah-reference", {"target": 12, "budget": "1302"}
TUNED = json.loads(FILE.read_text(encoding="utf-8"))["rulesets"]


class Counted(Matches):
    """Counts what is played in truth."""

    played = 0

    def _played(self, ruleset, one: str, other: str, seed: int, games: int):
        self.played += 1
        return super()._played(ruleset, one, other, seed, games)


class BrokenOff(Exception):
    """As if the machine had been switched off."""


@pytest.fixture(scope="module")
def kalah() -> TuningRequest:
    return check_tuning(KALAH, **LEAST, ruleset=shipped.load(KALAH))


@pytest.fixture(scope="module")
def whole(kalah: TuningRequest, tmp_path_factory: pytest.TempPathFactory):
    """(document of a race that was not broken off, matches it played)."""
    matches = Counted(kalah, tmp_path_factory.mktemp("tuning"))
    return race(kalah, matches, lambda *_: None), matches.played


def test_all_candidates_cost_the_same(kalah: TuningRequest):
    costs = [prices.turn_price(kalah.ruleset, name) for name in (*kalah.candidates, kalah.plain)]
    assert max(costs) <= 12
    assert min(costs) > 6
    assert len(set(kalah.candidates)) == len(kalah.candidates) > 60


@pytest.mark.by_turns
def test_every_round_leaves_the_better_half(whole):
    document, _ = whole
    rounds = document["rounds"]
    sizes = [one["players"] for one in rounds]
    assert sizes == [75, 38, 19, 10, 5, 3, 2]
    assert [one["games"] for one in rounds] == [2 << number for number in range(len(sizes))]
    assert [one["against"] for one in rounds[1:]] == [one["best"] for one in rounds[:-1]]
    assert document["player"] == rounds[-1]["best"]


def test_who_was_found_beats_plain_search(whole):
    share, low, _ = whole[0]["against"]["share"]
    assert low > 0.5, share


def test_a_dearer_race_may_be_among_the_best_of_a_cheaper_one(kalah: TuningRequest, whole):
    document = whole[0]
    assert document["ranking"][0] == document["player"]
    assert len(document["ranking"]) == 8
    dearer = check_tuning(
        KALAH, target=40, among="3", races={kalah.ruleset.hash: {"12": document}}, ruleset=kalah.ruleset
    )
    assert dearer.first == dearer.candidates[0]
    assert [_but_for_the_budget(name) for name in dearer.candidates] == [
        _but_for_the_budget(name) for name in document["ranking"][:3]
    ]
    assert all(
        player(one).budget > player(other).budget
        for one, other in zip(dearer.candidates, document["ranking"], strict=False)
    )


def test_other_searches_race_too_where_they_are_named(kalah: TuningRequest):
    both = check_tuning(KALAH, **LEAST | {"budget": ""}, others=["alpha_beta:01", "uct:5"], ruleset=kalah.ruleset)
    assert both.candidates == (*kalah.candidates, "alpha_beta:1", "uct:5")
    assert both.id != kalah.id


def test_the_best_may_race_with_every_other_horizon(kalah: TuningRequest):
    versions = {"sowing": 4, "players": PLAYERS_VERSION}
    races = {"12": {"versions": versions, "ranking": ["uct:9/4:c=20", "uct:9/0"]}}
    content = kalah.ruleset.hash
    wanted = {"target": 40, "among": 2, "horizons": True, "races": {content: races}, "ruleset": kalah.ruleset}
    candidates = [player(name) for name in check_tuning(KALAH, **wanted).candidates]
    assert [(candidate.horizon, candidate.exploration) for candidate in candidates] == [
        (4, 20),
        (0, 40),
        *((h, 20) for h in (0, 12, 40, 200)),
    ]
    assert all(prices.turn_price(kalah.ruleset, str(candidate)) <= 40 for candidate in candidates)
    alone = {"12": races["12"] | {"ranking": ["alpha_beta:2", "uct:9"]}}
    assert len(check_tuning(KALAH, **wanted | {"races": {content: alone}}).candidates) == 2


@pytest.mark.parametrize(
    ("name", "message", "nearest"),
    [
        ("alpha_beta:7", "a turn of alpha_beta:7 takes about .* microseconds here, more than 12", "alpha_beta:"),
        ("expectimax:2", "expectimax plays games with lots", None),
        ("alpha-beta:2", "no player is called 'alpha-beta:2'; the nearest is 'alpha_beta:4'", None),
        ("random,random", "no player is called 'random,random'", None),
    ],
)
def test_a_player_who_cannot_race_is_refused(kalah: TuningRequest, name: str, message: str, nearest: str | None):
    with pytest.raises(WrongRequest, match=message) as refused:
        check_tuning(KALAH, target=12, others=[name], ruleset=kalah.ruleset)
    [problem] = refused.value.problems
    assert problem.key == "player"
    assert nearest is None or check_tuning(KALAH, target=12, others=[problem.nearest], ruleset=kalah.ruleset)


@pytest.mark.parametrize(
    "races",
    [
        {},
        {"40": {"versions": {"sowing": 4, "players": 5}, "ranking": ["uct:9"]}},
        {"12": {"versions": {"sowing": 4, "players": 1}, "ranking": ["uct:9"]}},
    ],
)
def test_a_race_among_the_best_of_none_is_refused(kalah: TuningRequest, races):
    with pytest.raises(WrongRequest, match="no race of this ruleset below 40 microseconds") as refused:
        check_tuning(KALAH, target=40, among=3, races={kalah.ruleset.hash: races}, ruleset=kalah.ruleset)
    assert refused.value.problems[0].nearest == "all"


def of_readings(game: str, *rankings: list[str]) -> dict[str, dict[str, object]]:
    """Races that the readings of a game had alone, at the price of the level."""
    found = {}
    for slug, ranking in zip(levels.games()[game]["rulesets"], rankings, strict=True):
        ruleset = shipped.load(slug)
        versions = {name: installed()[name] for name in (ruleset.family, PLAYERS)}
        found[ruleset.hash] = {"1000": {"versions": versions, "ranking": ranking}}
    return found


def test_a_game_races_among_the_best_of_its_readings():
    """So many of each in turn, with the iterations that a turn may have where it costs most."""
    races = of_readings("niranchy", ["uct:9/4", "uct:9/0", "uct:9"], ["uct:8/4", "uct:8/12", "uct:8"], ["uct:7/0"] * 3)
    request = check_tuning("niranchy", among=2, races=races)
    assert [_but_for_the_budget(name) for name in request.candidates] == [
        Player(UCT, 1, horizon) for horizon in (4, 0, 12)
    ]
    rulesets = [shipped.load(slug) for slug in levels.games()["niranchy"]["rulesets"]]
    for name in request.candidates:
        dearest = max(prices.turn_price(ruleset, name) for ruleset in rulesets)
        assert 900 < dearest <= 1_000
    assert (request.weights, request.place) == ("first row", "first")


def test_readings_with_the_same_rules_race_once():
    request = check_tuning("daramuti+puhulmutu")
    assert len(levels.games()["daramuti+puhulmutu"]["rulesets"]) == 6
    assert len(request.rulesets) == len({one.hash for one in request.rulesets.values()}) == 5


@pytest.mark.by_turns
@pytest.mark.parametrize(
    ("game", "first", "expected"),
    [
        ("niranchy", "uct:9/4:prior=2", {"", "alpha_beta", "alpha_beta pieces", "uct pieces"}),
        ("niranchy", "uct:9", {"uct", "alpha_beta", "alpha_beta pieces", "uct pieces"}),
        ("niranchy", "alpha_beta:3", {"", "uct", "alpha_beta pieces", "uct pieces"}),
        ("dam", "uct:9/0", {"", "alpha_beta", "alpha_beta pieces_and_room", "uct pieces_and_room"}),
        ("kawade-kelia", "uct:9/0", {"", "expectimax", "expectimax steps", "uct steps"}),
        ("kawade-kelia", "expectimax:2", {"", "uct", "expectimax steps", "uct steps"}),
        ("sokkattan", "uct:9/0", {""}),  # four play, and their evaluation knows steps alone
    ],
)
def test_a_second_player_differs_in_algorithm_or_evaluation(game: str, first: str, expected: set[str], monkeypatch):
    """Plain Monte Carlo search is "": it has no evaluation."""

    def kind_of(name: str) -> str:
        one = player(name)
        algorithm = KINDS[one.kind] if one.kind != UCT or one.prior or one.horizon < 200 else ""
        return " ".join(filter(None, (algorithm, one.weights.replace(" ", "_"))))

    known = {game: {**levels.games()[game], "races": {"1000": {"first": {"player": first}}}}}
    monkeypatch.setattr(levels, "games", lambda: known)
    request = check_tuning(game, second=True)
    found = {kind_of(name) for name in request.candidates}
    assert {kind for kind in found if game != "niranchy" or not kind.endswith("_and_room")} == expected
    assert (request.plain, request.first, request.place) == (first, first, "second")
    for name in request.candidates:
        assert max(prices.turn_price(one, name) for one in request.rulesets.values()) <= 1_000


def test_only_a_game_with_a_first_player_has_a_second(monkeypatch):
    with pytest.raises(WrongRequest, match="is no game; a level has a second player in a game"):
        check_tuning(KALAH, second=True, ruleset=shipped.load(KALAH))
    monkeypatch.setattr(levels, "games", lambda: {"kalah": {"rulesets": [KALAH], "weights": "", "races": {}}})
    with pytest.raises(WrongRequest, match="no race of kalah at 1,000 microseconds has been run"):
        check_tuning("kalah", second=True)


class Decided(Matches):
    """A player wins so many of ten games in each reading, whoever is the other."""

    WINS: ClassVar = {
        "uct:2": {"niranchy-ludovisi": 9, "niranchy-dlp": 1, "niranchy-ludii": 3},  # 13 in all
        "uct:3": {"niranchy-ludovisi": 5, "niranchy-dlp": 5, "niranchy-ludii": 5},  # 15
    }

    def _played(self, ruleset, one: str, other: str, seed: int, games: int):
        [slug] = [name for name, known in self.request.rulesets.items() if known == ruleset]
        won = self.WINS.get(one, {slug: 0})[slug] * games // 10
        return Result(won, games - won, 0)


def test_who_is_best_in_all_readings_wins_not_who_is_in_one(tmp_path: Path):
    """13 of 30 games against the first and 15 of 30, from which both stay below a fair part: the leader stays."""
    request = replace(check_tuning("niranchy"), candidates=("uct:2", "uct:3", "uct:1"), first="uct:1", games=10)
    document = race(request, Decided(request, tmp_path), lambda *_: None)
    matches = Decided(request, tmp_path)
    assert matches.points("uct:2", "uct:1", 0, 10) == pytest.approx(13 / 30)
    assert matches.points("uct:3", "uct:1", 0, 10) == pytest.approx(15 / 30)
    assert document["ranking"].index("uct:3") < document["ranking"].index("uct:2")
    assert set(document["against"]["points"]) == set(request.rulesets)


def test_a_second_player_does_best_against_the_first(tmp_path: Path):
    """Whoever leads: not the leader is the opponent of all. Of the last ones, who plays few kinds of games leaves."""
    request = replace(check_tuning("niranchy", second=True), candidates=("uct:2", "uct:3", "uct:4", "uct:1"), games=10)
    matches = Decided(request, tmp_path)
    matches.varied = dict.fromkeys(request.candidates, True) | {"uct:3": False}
    document = race(request, matches, lambda *_: None)
    assert {one["against"] for one in document["rounds"]} == {request.plain} == {document["against"]["player"]}
    assert (document["player"], document["rounds"][0]["best"]) == ("uct:2", "uct:3")
    assert document["passed_over"] == ["uct:3"]
    matches.varied = dict.fromkeys(request.candidates, False)
    assert race(request, matches, lambda *_: None)["player"] == "uct:3"


@pytest.mark.parametrize(
    ("kinds", "end", "varies", "expected"),
    [
        (1_000, WIN, True, [24]),
        (1_000, UNFINISHED, False, [24]),
        (23, WIN, False, [24, 96]),
        (3, WIN, False, [24]),
    ],
)
def test_who_knows_few_games_or_ends_none_is_passed_over(kinds, end, varies, expected, tmp_path: Path, monkeypatch):
    """24 games are looked at, and 96 where some of them are alike but not many."""
    looked_at = list[int]()

    def rows(matches, ruleset, seating, seed, games):
        looked_at.append(games)
        return np.column_stack([np.full(games, end), np.arange(games) % kinds]).astype(np.int32)

    monkeypatch.setattr(Matches, "_rows", rows)
    assert Matches(check_tuning("kalah", second=True), tmp_path).varies("uct:1") is varies
    assert looked_at == expected


def test_a_player_with_weights_of_his_own_keeps_them(tmp_path: Path):
    matches = Matches(check_tuning("dam"), tmp_path)
    assert matches._named("uct:9:weights=pieces_and_room") == "uct:9:weights=pieces_and_room"
    assert matches._named("uct:9") == "uct:9:weights=draughts_with_flying_kings"


def test_a_race_of_a_game_is_kept_with_the_game(tmp_path: Path):
    file = tmp_path / "players.json"
    alone = {"1000": {"name": KALAH, "player": "uct:5"}}
    known = {"kalah": {"rulesets": [KALAH], "weights": "w", "races": {"1000": {"first": {"player": "uct:1"}}}}}
    file.write_text(json.dumps({"by": "", "games": known, "rulesets": {"a hash": alone}}))
    request = check_tuning("kalah", second=True)
    keep(file, request, {"player": "alpha_beta:2"})
    written = json.loads(file.read_text())
    assert written["games"]["kalah"]["races"]["1000"] == {
        "first": {"player": "uct:1"},
        "second": {"player": "alpha_beta:2"},
    }
    assert written["rulesets"] == {"a hash": alone}


def test_the_races_of_games_are_of_these_players():
    for known in levels.games().values():
        family = shipped.load(known["rulesets"][0]).family
        for target, by_place in known["races"].items():
            assert set(by_place) == {"first", "second"}
            for document in by_place.values():
                if set(document) == {"player"}:  # named until its race is run
                    continue
                assert document["versions"] == {name: installed()[name] for name in (family, PLAYERS)}, "tune again"
                assert str(player(document["player"])) == document["player"] == document["ranking"][0]
                assert document["target"] == int(target)


def _but_for_the_budget(name: str) -> Player:
    return replace(player(name), budget=1)


def test_the_games_that_decided_can_be_played_again(whole):
    document = whole[0]
    last, ruleset = document["against"], shipped.load(KALAH)
    games = (last["won"] + last["lost"] + last["neither"]) // 2
    won = 0
    for seat in (0, 1):
        players = (document["player"], last["player"]) if seat == 0 else (last["player"], document["player"])
        rows = play_block(ruleset, players, last["seed"], 0, games, document["cap"], document["until"])
        won += int(((rows[:, 0] == WIN) & (rows[:, 1] == 1 << seat)).sum())
    assert won == last["won"]


@pytest.mark.by_turns
def test_a_race_that_was_broken_off_goes_on(kalah: TuningRequest, whole, tmp_path: Path):
    document, matches_of_all = whole

    def break_off(best: str, played: int, most: int) -> None:
        if played > most // 2:
            raise BrokenOff

    first = Counted(kalah, tmp_path)
    with pytest.raises(BrokenOff):
        race(kalah, first, break_off)
    second = Counted(kalah, tmp_path)
    assert race(kalah, second, lambda *_: None) == document
    assert 0 < second.played < matches_of_all
    assert first.played + second.played == matches_of_all


@pytest.mark.parametrize(
    ("wanted", "key", "message", "nearest"),
    [
        ({"budget": "100"}, "budget", "do not decide among 75 players", 1302),
        ({"budget": "1s", "target": 1000}, "budget", "do not decide", None),
        ({"budget": "99999999999"}, "budget", "hours, more than 24", None),
        ({"budget": "99999999s"}, "budget", "hours, more than 24", "86400s"),
        ({"budget": "soon"}, "budget", "number of games, or of seconds", "3000"),
        ({"target": 1}, "target", "a turn of the least search", None),
        ({"target": 1_000_000}, "target", "with such turns .* hours, more than 24", None),
        ({"target": 2_000_000, "budget": "1302"}, "target", "from 1 to 1000000", 1_000_000),
    ],
)
@pytest.mark.by_turns
def test_what_cannot_be_done_is_refused_with_what_would_fit(wanted, key, message, nearest):
    name = "dam-dlp" if wanted == {"target": 1_000_000} else KALAH
    ruleset = shipped.load(name)
    with pytest.raises(WrongRequest, match=message) as refused:
        check_tuning(name, **wanted, ruleset=ruleset)
    [problem] = refused.value.problems
    assert problem.key == key
    assert nearest is None or problem.nearest == nearest
    assert check_tuning(name, **{**wanted, key: str(problem.nearest)}, ruleset=ruleset).games >= 2


@pytest.mark.django_db
def test_the_command_writes_one_result_among_the_others(tmp_path: Path, settings, capsys, monkeypatch):
    def raced(request, matches, report):
        matches._write()
        return TUNED[request.ruleset.hash]["1000"] | {"target": request.target}

    monkeypatch.setattr("simulator.strength.tuning.race", raced)
    settings.VAR_DIR = tmp_path
    file, content = tmp_path / "players.json", shipped.load(KALAH).hash
    file.write_text(json.dumps({"by": "", "rulesets": {content: {"900": {"name": KALAH}}}}))
    call_command("tune", KALAH, target=5, budget="1302", to=file)
    by_target = json.loads(file.read_text())["rulesets"][content]
    assert list(by_target) == ["5", "900"]
    assert by_target["5"]["player"] in capsys.readouterr().out
    assert list((tmp_path / "tuning").iterdir()) == []


def test_what_is_shipped_was_tuned_with_these_players():
    found = installed()
    versions = {ruleset.hash: ruleset for ruleset in VERSIONS.values()}  # a race may be that of an earlier one
    for content, by_target in TUNED.items():
        ruleset = versions[content]
        for target, document in by_target.items():
            assert document["versions"] == {name: found[name] for name in (ruleset.family, PLAYERS)}, "tune again"
            assert str(player(document["player"])) == document["player"]
            assert int(target) == document["target"]
            among = document["rounds"][0]["players"]  # all candidates, or the best of a race at a lower price
            is_first = int(target) == min(map(int, by_target))
            assert among > MOST_RANKED or not is_first
            assert document["games"] >= (1_000 if is_first else 24 * among)
