"""The engine is compiled by other processes than those that play, and once however many ask for it together."""

import subprocess
import sys
from pathlib import Path

import pytest

from simulator.engine import compilation
from tests.services.machine import ROOT

pytestmark = pytest.mark.services

# A family's playout in the place of the compiler, for the compiler takes half a minute.
STAND_IN = """
import sys, time
from simulator.engine import compilation
from simulator.engine import playout
def load(name):
    time.sleep(0.3)
    with open(sys.argv[1], "a") as log:
        log.write(f"{name} begins\\n")
        log.flush()
        time.sleep(0.3)
        log.write(f"{name} ends\\n")
playout.load = load
compilation._compile("sowing")
"""


@pytest.fixture
def cache(tmp_path: Path, monkeypatch) -> Path:
    monkeypatch.setenv("KERNEL_CACHE_DIR", str(tmp_path))
    return tmp_path


def test_of_two_that_compile_together_one_waits_for_the_other(cache: Path):
    log = cache / "told.txt"
    both = [subprocess.Popen([sys.executable, "-c", STAND_IN, str(log)], cwd=ROOT) for _ in range(2)]
    assert [process.wait(60) for process in both] == [0, 0]
    assert log.read_text().split("\n") == ["sowing begins", "sowing ends"] * 2 + [""]


def test_only_what_was_never_compiled_is_compiled(cache: Path, monkeypatch):
    asked: list[str] = []
    monkeypatch.setattr(compilation, "_compile_in_a_process", asked.append)
    mark = compilation._mark("sowing")
    compilation.compile_missing(["sowing"])
    mark.parent.mkdir(parents=True)
    mark.touch()
    compilation.compile_missing(["sowing"])
    assert asked == ["sowing"]


def test_this_process_needs_no_compiler_to_ask():
    asked = "import sys, simulator.engine.compilation; sys.exit('numba' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", asked], cwd=ROOT, check=False).returncode == 0
