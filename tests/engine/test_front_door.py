"""What `simulator.engine` offers by itself: every name and its examples, documents, games by the thousand."""

import ast
import doctest
import inspect
import json
import subprocess
import sys
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

from simulator import engine
from simulator.engine.family import family
from simulator.engine.playout import play_block
from tests.engine.rulesets import CORNER, EARLIER, FOLDER, RULESETS

ROOT = Path(__file__).parents[2]


def test_the_names_are_those_whose_types_are_known() -> None:
    tree = ast.parse(Path(engine.__file__).read_text(encoding="utf-8"))
    typed = {
        alias.asname: node.module
        for block in tree.body
        if isinstance(block, ast.If)
        for node in block.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    assert typed == {name: f"simulator.engine.{module}" for name, module in engine._MODULE_OF.items()}
    assert dir(engine) == engine.__all__ == sorted(typed)


@pytest.mark.parametrize("name", engine.__all__)
def test_a_name_is_documented_and_hidden_by_no_module(name: str) -> None:
    found = getattr(engine, name)
    assert find_spec(f"simulator.engine.{name}") is None
    if callable(found):
        assert inspect.getdoc(found)


def test_a_name_that_is_not_there_is_an_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'gmae'"):
        engine.gmae  # noqa: B018


@pytest.mark.by_turns
def test_playing_moves_loads_neither_compiler_nor_framework() -> None:
    played = """
import sys
from simulator import engine
game = engine.Game(engine.change(engine.load("puhulmutu-parker"), counters_per_hole=5))
game.play("a>")
print(*sorted({"numba", "llvmlite", "django", "scipy", "numpy"} & set(sys.modules)))
"""
    done = subprocess.run([sys.executable, "-c", played], cwd=ROOT, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == []


def test_every_shipped_ruleset_is_loaded_by_its_name() -> None:
    assert {name: engine.load(name) for name in engine.rulesets()} == RULESETS | CORNER
    assert engine.load("daramuti-parker@1") == RULESETS["daramuti-parker"]
    assert {name: engine.load(name) for name in EARLIER} == EARLIER


def test_a_missing_name_or_version_names_the_nearest() -> None:
    with pytest.raises(engine.RulesetProblem, match='"daramuti-parker"'):
        engine.load("daramuti-parkr")
    with pytest.raises(engine.RulesetProblem, match='"daramuti-parker@1"'):
        engine.load("daramuti-parker@7")


def test_a_document_is_read_as_mapping_text_or_file() -> None:
    file, expected = FOLDER / "dam-parker.json", RULESETS["dam-parker"]
    assert engine.read(file) == engine.read(expected.document) == engine.read(json.dumps(expected.document)) == expected
    with pytest.raises(engine.RulesetProblem, match="this is no JSON"):
        engine.read("dam-parker")
    with pytest.raises(engine.RulesetProblem, match="family"):
        engine.read({})


def test_a_changed_ruleset_says_what_is_wrong_with_the_change() -> None:
    ruleset = engine.load("puhulmutu-parker")
    changed = engine.change(ruleset, relay="off")
    assert changed.parameters["relay"] == "off"
    assert ruleset.parameters["relay"] == "last"
    with pytest.raises(engine.RulesetProblem) as caught:
        engine.change(ruleset, relais="off", counters_per_hole=-1)
    assert {problem.key for problem in caught.value.problems} == {"relais", "counters_per_hole"}


@pytest.mark.parametrize("name", ["puhulmutu-dlp", "dam-dlp", "pancha-keliya-dlp"])
def test_games_are_those_of_a_batch_with_one_field_a_measure(name: str) -> None:
    ruleset = engine.load(name)
    seats = family(ruleset.family).seats(ruleset.parameters)
    games = engine.play_games(ruleset, 20, seed=3, cap=50)
    rows = play_block(ruleset, ("random",) * seats, 3, 0, 20, 50, "game")
    assert games.dtype.names == tuple(measure.name for measure in engine.measures(ruleset))
    assert np.array_equal(np.stack([games[field] for field in games.dtype.names], axis=1), rows)
    replayed = engine.replay_game(ruleset, 7, seed=3, cap=50)
    assert tuple(replayed.row.values()) == games[7].item()


def test_no_games_are_an_empty_array() -> None:
    assert engine.play_games(engine.load("kalah-reference"), 0)["turns"].tolist() == []


def test_a_replayed_game_of_searches_counts_fired_rules() -> None:
    ruleset = engine.load("kalah-reference")
    asked = {"seed": 1, "players": "greedy,random"}
    replayed = engine.replay_game(ruleset, 2, **asked)
    assert tuple(replayed.row.values()) == engine.play_games(ruleset, 3, **asked)[2].item()
    events = [event for turn in replayed.turns for ply in turn.plies for event in ply.played.events]
    assert replayed.fired()["capture_opposite"] == sum("capture_opposite" in event.keys for event in events) > 0
    assert str(replayed).endswith("first player")


def test_a_player_chooses_a_move_or_says_why_not() -> None:
    ruleset = engine.load("kalah-reference")
    game = engine.Game(ruleset, moves=["c>"])
    assert engine.choose_move(game, "greedy") in game.legal_moves
    with pytest.raises(engine.PlayersProblem, match="nearest is 'uct:1000'"):
        engine.choose_move(game, "utc:1000")
    with pytest.raises(engine.PlayersProblem, match="where lots are thrown"):
        engine.choose_move(engine.Game(engine.load("pancha-keliya-dlp")), "alpha_beta:2")
    while game.outcome() is None:
        game.play(engine.choose_move(game, "random"))
    with pytest.raises(engine.GameOver):
        engine.choose_move(game, "greedy")


MODULES = (
    *("simulator.engine", *(f"simulator.engine.{name}" for name in sorted(engine._NAMES_BY_MODULE))),
    *(f"simulator.engine.environments.{name}" for name in ("numbered", "openspiel", "pettingzoo")),
)
EXAMPLES = [
    example
    for module in MODULES
    for example in doctest.DocTestFinder().find(import_module(module), extraglobs={"engine": engine, "np": np})
    if example.examples
]


@pytest.mark.by_turns
@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.name)
def test_the_example_does_what_it_says(example: doctest.DocTest) -> None:
    report: list[str] = []
    failed, _ = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(example, out=report.append)
    assert not failed, "".join(report)
