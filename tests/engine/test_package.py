"""`pip install .` gives the engine, its data and nothing else, and a game is played without what the site needs."""

import os
import re
import shutil
import subprocess
import sys
import tomllib
from email.message import Message
from email.parser import Parser
from pathlib import Path
from zipfile import ZipFile

import pytest
import yaml

from simulator import engine
from simulator.engine import kernel_cache

ROOT = Path(__file__).parents[2]
ENGINE = ROOT / "simulator" / "engine"
NEEDED = ["jsonschema", "numba", "numpy", "rfc8785"]

# Played with the wheel before everything else, in an interpreter that has no framework, no catalogue and no SciPy.
PLAYED = """
import sys

class Absent:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {"django", "celery", "redis", "rest_framework", "scipy", "catalogue"}:
            raise ModuleNotFoundError(name)

sys.meta_path.insert(0, Absent())
sys.path.insert(0, sys.argv[1])
from simulator import engine
assert engine.__file__.startswith(sys.argv[1]), engine.__file__
assert len(engine.rulesets()) == int(sys.argv[2])
game = engine.Game(engine.load("puhulmutu-parker"), moves=["a>", "a>"])
print(game.turn, game.play("c")[0].sentence)
"""
PLAYED += 'print(engine.play_games(engine.load("kalah-reference"), 1000, seed=1)["turns"][:3])\n'


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> ZipFile:
    """Built from a copy, since setuptools leaves its work behind where it builds."""
    copy, built = tmp_path_factory.mktemp("source") / "copy", tmp_path_factory.mktemp("built")
    copy.mkdir()
    for name in ("catalogue", "simulator", "fixtures", "templates"):
        shutil.copytree(ROOT / name, copy / name, ignore=shutil.ignore_patterns("__pycache__", "static"))
    for name in ("pyproject.toml", "LICENSE", "README.md", "manage.py"):
        shutil.copy(ROOT / name, copy)
    command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation", "--no-index"]
    done = subprocess.run([*command, "--wheel-dir", built, copy], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    return ZipFile(next(built.glob("*.whl")))


@pytest.fixture(scope="module")
def metadata(wheel: ZipFile) -> Message:
    name = next(name for name in wheel.namelist() if name.endswith(".dist-info/METADATA"))
    return Parser().parsestr(wheel.read(name).decode())


@pytest.mark.thorough
def test_it_holds_the_engine_with_its_data_and_nothing_else(wheel: ZipFile) -> None:
    expected = {f"simulator/engine/{path.relative_to(ENGINE)}" for path in ENGINE.rglob("*.py")}
    expected |= {f"simulator/engine/schemas/{path.name}" for path in (ENGINE / "schemas").glob("*.json")}
    expected |= {f"simulator/engine/weights/{path.name}" for path in (ENGINE / "weights").glob("*.json")}
    rulesets = ROOT / "fixtures" / "rulesets"
    expected |= {f"simulator/engine/ruleset_files/{path.relative_to(rulesets)}" for path in rulesets.rglob("*.json")}
    held = {name for name in wheel.namelist() if ".dist-info/" not in name}
    assert held == expected | {"simulator/engine/py.typed"}


@pytest.mark.thorough
def test_it_needs_four_packages_within_the_sites_bounds(metadata: Message) -> None:
    needed = [each for each in metadata.get_all("Requires-Dist") if "extra ==" not in each]
    required = dict(re.fullmatch(r"([\w.-]+)(.+)", each).groups() for each in needed)
    assert sorted(required) == NEEDED
    lines = (ROOT / "requirements.txt").read_text(encoding="utf-8").splitlines()
    for name, bounds in required.items():
        line = next(line for line in lines if line.startswith(name))
        assert set(bounds.split(",")) == set(line.removeprefix(name).split()[0].split(","))


@pytest.mark.thorough
def test_its_version_is_that_of_the_citation(metadata: Message) -> None:
    assert metadata["Version"] == yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))["version"]


def test_what_builds_it_is_what_the_tests_have() -> None:
    wanted = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["build-system"]["requires"]
    lines = (ROOT / "tests" / "requirements.txt").read_text(encoding="utf-8").splitlines()
    assert wanted == [line.split()[0] for line in lines if line.startswith("setuptools")]


@pytest.mark.thorough
def test_games_are_played_with_it_alone(wheel: ZipFile, tmp_path: Path) -> None:
    """An engine that is installed elsewhere finds the machine code of the checkout: nothing is compiled."""
    engine.play_games(engine.load("kalah-reference"), 1)  # what that takes is compiled now, if it was not before
    # Where people keep things: a folder with a space and letters beyond ASCII, no home, a locale that knows none.
    installed = tmp_path / "(wo) é" / "eng ine"
    wheel.extractall(installed)
    kernels = tmp_path / "cache" / "traditional-games" / "kernels"
    for folder in kernel_cache.own_folders():
        shutil.copytree(folder, kernels / folder.name)
    compiled = kernel_cache.sound_files(kernels.glob("*/"))
    shipped = ROOT / "fixtures" / "rulesets"
    rulesets = len([*shipped.glob("*.json"), *shipped.glob("reference/*.json")])
    awkward = {"HOME": "/nonexistent", "LC_ALL": "C"}
    environment = {**os.environ, **awkward, "XDG_CACHE_HOME": str(tmp_path / "cache")}
    environment.pop("KERNEL_CACHE_DIR", None)
    done = subprocess.run(
        [sys.executable, "-I", "-c", PLAYED, installed, str(rulesets)],
        cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=300,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == ["3 6 sown from 1c", "[34 51 45]"]  # as the docstrings show
    assert kernel_cache.sound_files(kernels.glob("*/")) == compiled
