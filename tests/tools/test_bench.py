"""The yardsticks of speed: what is counted is counted rightly, and OpenSpiel's rollouts are whole games like ours."""

import json
import math
from itertools import islice

import numpy as np
import pytest
from django.core.management import CommandError, call_command

from simulator.engine import playout, referee_playout
from simulator.engine.ends import DRAW
from tests.engine.rulesets import RULESETS
from tools import yardsticks
from tools.management.commands import bench


@pytest.mark.parametrize(
    "name", [pytest.param("kalah-reference", marks=pytest.mark.thorough), "oware-reference", "puhulmutu-ludii"]
)
def test_plies_are_those_the_referee_plays(name):
    games = 12
    played = [list(referee_playout.plies(RULESETS[name], bench.SEED, game)) for game in range(games)]
    assert bench.count_plies(RULESETS[name], games) == sum(map(len, played))


def test_plies_are_counted_up_to_the_cap(monkeypatch):
    """Oware: a ply a turn, so seven turns a game are seven plies."""
    monkeypatch.setattr(bench, "CAP", 7)
    assert bench.count_plies(RULESETS["oware-reference"], 5) == 35
    assert len(list(islice(referee_playout.plies(RULESETS["oware-reference"], bench.SEED, 4), 8))) == 8


@pytest.mark.by_turns
@pytest.mark.parametrize("name", yardsticks.GAMES)
def test_openspiels_rollouts_give_the_first_player_what_ours_do(name):
    """The mean results of so many games each differ by less than four standard errors."""
    games = 5_000 if RULESETS[name].family == "sowing" else 1_000
    theirs = yardsticks.Rollouts(yardsticks.GAMES[name], games, 8).play()
    rows = playout.play_block(RULESETS[name], ("random",) * 2, 8, 0, games, 2_000, "game")
    ours = float(((rows[:, 1] == 1).astype(int) - (rows[:, 1] == 2)).mean())
    spread = math.sqrt(2 * (rows[:, 0] != DRAW).mean() / games)
    assert abs(ours - theirs) < 4 * spread


@pytest.mark.proof
@pytest.mark.django_db
def test_the_command_measures_beside_openspiel(capsys, monkeypatch):
    monkeypatch.setattr(bench, "SLICE_SECONDS", 0.02)
    call_command("bench", "kalah-reference", "daramuti-ludii", "--seconds", "1", "--json")
    printed = json.loads(capsys.readouterr().out)
    kalah, daramuti = printed["rulesets"]
    assert printed["openspiel"] == "measured in the same run"
    assert (kalah["ruleset"], daramuti["ruleset"]) == ("kalah-reference", "daramuti-ludii")
    assert kalah["plies_per_second"] > kalah["turns_per_second"] > kalah["games_per_second"] > 0
    theirs = kalah["openspiel"]
    assert theirs["ratio"] == pytest.approx(kalah["games_per_second"] / theirs["games_per_second"], abs=0.01)
    assert "openspiel" not in daramuti
    search = kalah["search"]
    expected = search["iterations_per_second"] / search["openspiel_iterations_per_second"]
    assert (search["player"], search["ratio"]) == ("uct:1000", pytest.approx(expected, abs=0.01))
    assert expected > 1  # at 4 in a quiet hour
    assert "search" not in daramuti
    in_c = kalah["c"]
    assert printed["c"] == "measured in the same run"
    assert in_c["ratio"] == pytest.approx(kalah["games_per_second"] / in_c["games_per_second"], abs=0.01)
    assert "c" not in daramuti


@pytest.mark.django_db
def test_missing_openspiel_and_compiler_are_reported(capsys, monkeypatch):
    monkeypatch.setenv("CC", "no-such-compiler")
    monkeypatch.setattr(yardsticks, "find_spec", lambda name: None)
    monkeypatch.setattr(bench, "SLICE_SECONDS", 0.01)
    monkeypatch.setattr(bench, "whole_number", lambda *_: 0.01)  # seconds; the command has whole ones
    call_command("bench", "kalah-reference", "--seconds", "1")
    printed = capsys.readouterr().out
    assert "OpenSpiel: not installed" in printed
    assert "C: no compiler (cc, or CC)" in printed
    assert "OpenSpiel mancala" not in printed
    assert "C kalah" not in printed


@pytest.mark.skipif(yardsticks.compiler() is None, reason="there is no C compiler")
def test_kalah_in_c_plays_our_games_to_the_end_and_to_the_cap():
    kalah = yardsticks.Kalah(str(yardsticks.compiler()))
    for games, cap in ((3_000, 2_000), (200, 17)):
        rows = playout.play_block(RULESETS[yardsticks.RULESET], ("random",) * 2, 8, 0, games, cap, "game")
        assert kalah.play(8, games, cap).tolist() == rows[:, : yardsticks.MEASURES].tolist()


@pytest.mark.thorough
@pytest.mark.skipif(yardsticks.compiler() is None, reason="there is no C compiler")
def test_games_that_are_not_ours_are_not_measured(monkeypatch):
    monkeypatch.setattr(yardsticks.Kalah, "play", lambda self, seed, games, cap: np.zeros((games, 6), np.int32))
    with pytest.raises(RuntimeError, match="not those of the kernel"):
        bench.measure_all({yardsticks.RULESET: RULESETS[yardsticks.RULESET]}, 1)


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("kalah-referense",), "kalah-reference"),
        (("--seconds", "0"), "seconds: must be a whole number from 1 to 3600, not 0 .*: 1"),
    ],
)
def test_a_wrong_request_is_named_with_the_nearest_valid_value(words, message):
    with pytest.raises(CommandError, match=message) as caught:
        call_command("bench", *words)
    assert caught.value.returncode == 2
