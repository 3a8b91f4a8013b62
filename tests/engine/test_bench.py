"""The yardsticks of speed: what is counted is counted rightly, and OpenSpiel's rollouts are whole games like ours."""

import json
import math
from itertools import islice

import pytest
from django.core.management import CommandError, call_command

from simulator.engine import playout, reference_playout
from simulator.engine.ends import DRAW
from simulator.management import benchmark, openspiel_rollouts
from tests.engine.rulesets import RULESETS


@pytest.mark.parametrize("name", ["kalah-reference", "oware-reference", "puhulmutu-ludii"])
def test_plies_are_those_the_referee_plays(name):
    games = 12
    played = [list(reference_playout.plies(RULESETS[name], benchmark.SEED, game)) for game in range(games)]
    assert benchmark.count_plies(RULESETS[name], games) == sum(map(len, played))


def test_plies_are_counted_up_to_the_cap(monkeypatch):
    """Oware: a ply a turn, so seven turns a game are seven plies."""
    monkeypatch.setattr(benchmark, "CAP", 7)
    assert benchmark.count_plies(RULESETS["oware-reference"], 5) == 35
    assert len(list(islice(reference_playout.plies(RULESETS["oware-reference"], benchmark.SEED, 4), 8))) == 8


@pytest.mark.parametrize("name", openspiel_rollouts.GAMES)
def test_openspiels_rollouts_give_the_first_player_what_ours_do(name):
    """The mean results of so many games each differ by less than four standard errors."""
    games = 5_000 if RULESETS[name].family == "sowing" else 1_000
    theirs = openspiel_rollouts.Rollouts(openspiel_rollouts.GAMES[name], games, 8).play()
    rows = playout.play_block(RULESETS[name], ("random",) * 2, 8, 0, games, 2_000, "game")
    ours = float(((rows[:, 1] == 1).astype(int) - (rows[:, 1] == 2)).mean())
    spread = math.sqrt(2 * (rows[:, 0] != DRAW).mean() / games)
    assert abs(ours - theirs) < 4 * spread


@pytest.mark.django_db
def test_the_command_measures_beside_openspiel(capsys, monkeypatch):
    monkeypatch.setattr(benchmark, "SLICE_SECONDS", 0.02)
    call_command("bench", "kalah-reference", "daramuti-ludii", "--seconds", "1", "--json")
    printed = json.loads(capsys.readouterr().out)
    kalah, daramuti = printed["rulesets"]
    assert printed["openspiel"] == "measured in the same run"
    assert (kalah["ruleset"], daramuti["ruleset"]) == ("kalah-reference", "daramuti-ludii")
    assert kalah["plies_per_second"] > kalah["turns_per_second"] > kalah["games_per_second"] > 0
    theirs = kalah["openspiel"]
    assert theirs["ratio"] == pytest.approx(kalah["games_per_second"] / theirs["games_per_second"], abs=0.01)
    assert "openspiel" not in daramuti


@pytest.mark.django_db
def test_it_says_when_openspiel_is_not_installed(capsys, monkeypatch):
    monkeypatch.setattr(openspiel_rollouts, "find_spec", lambda name: None)
    call_command("bench", "kalah-reference", "--seconds", "1", "--json")
    printed = json.loads(capsys.readouterr().out)
    assert printed["openspiel"] == "not installed"
    assert "openspiel" not in printed["rulesets"][0]


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
