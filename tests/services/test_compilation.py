"""The engine is compiled by other processes than those that play, and once however many ask for it together."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from simulator.engine import compilation, kernel_cache
from tests.services.machine import PATIENCE, ROOT

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


# A function of the engine that compiles soon, called with numbers of one kind or of two.
OPEN_STREAMS = """
import json, sys
import numpy as np
from simulator.engine.randomness_kernel import open_streams
found = []
for kind in sys.argv[1:]:
    streams = np.zeros((2, 2), dtype=np.uint64)
    open_streams(streams, getattr(np, kind)(7), 3, 0, 1)
    found.append(streams.tolist())
print(json.dumps([found, sum(open_streams.stats.cache_hits.values())]))
"""


def streams_of(*kinds: str) -> subprocess.Popen:
    return subprocess.Popen([sys.executable, "-c", OPEN_STREAMS, *kinds], cwd=ROOT, stdout=subprocess.PIPE)


def said(process: subprocess.Popen) -> list:
    out, _ = process.communicate(timeout=PATIENCE)
    assert process.returncode == 0
    return json.loads(out)


@pytest.fixture
def cache(tmp_path: Path, monkeypatch) -> Path:
    monkeypatch.setenv("KERNEL_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr(compilation, "_found_whole", set())
    return tmp_path


@pytest.mark.thorough
def test_of_two_that_compile_together_one_waits_for_the_other(cache: Path):
    log = cache / "told.txt"
    both = [subprocess.Popen([sys.executable, "-c", STAND_IN, str(log)], cwd=ROOT) for _ in range(2)]
    assert [process.wait(PATIENCE) for process in both] == [0, 0]
    assert log.read_text().split("\n") == ["sowing begins", "sowing ends"] * 2 + [""]


def test_only_what_was_never_compiled_is_compiled(cache: Path, monkeypatch):
    asked: list[str] = []
    monkeypatch.setattr(compilation, "_compile_in_a_process", asked.append)
    mark = compilation._mark("sowing")
    compilation.compile_missing(["sowing"])
    mark.parent.mkdir(parents=True)
    code = mark.parent / "function.0.nbc"
    code.write_bytes(kernel_cache.sealed(code, b"machine code"))
    mark.write_text(json.dumps([f"{mark.parent.name}/{code.name}"]))
    compilation._found_whole.clear()
    compilation.compile_missing(["sowing"])
    assert asked == ["sowing"]
    for spoilt in (b"", code.read_bytes()[:-1], kernel_cache.sealed(code.with_name("another.0.nbc"), b"machine code")):
        code.write_bytes(spoilt)
        assert compilation.missing(["sowing"]) == ["sowing"], spoilt


def test_this_process_needs_no_compiler_to_ask():
    asked = "import sys, simulator.engine.compilation; sys.exit('numba' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", asked], cwd=ROOT, check=False).returncode == 0


@pytest.mark.thorough
def test_a_damaged_file_of_machine_code_is_compiled_again(cache: Path):
    fresh, _ = said(streams_of("uint64"))
    files = sorted(kernel_cache.home().rglob("*.nb[ic]"))
    assert kernel_cache.sound_files()[1] == set()
    assert len(files) >= 4
    spoilings = (
        lambda whole: b"",
        lambda whole: whole[: len(whole) // 2],
        lambda whole: whole[:-1] + bytes([whole[-1] ^ 1]),
        lambda whole: kernel_cache.sealed(cache / "other-code" / files[3].name, whole[kernel_cache.SEAL :]),
    )
    for number, file in enumerate(files):
        file.write_bytes(spoilings[number % len(spoilings)](file.read_bytes()))
    assert len(kernel_cache.sound_files()[1]) == len(files)
    assert said(streams_of("uint64")) == [fresh, 0]
    assert kernel_cache.sound_files()[1] == set()
    assert said(streams_of("uint64")) == [fresh, 1]


@pytest.mark.thorough
def test_two_processes_compiling_a_function_keep_both_kinds(cache: Path):
    both = [streams_of("uint64"), streams_of("int64")]
    (first, _), (second, _) = map(said, both)
    assert said(streams_of("uint64", "int64")) == [[*first, *second], 2]
    assert first == second
