"""Compiling the engine in processes of its own.

A compiler never gives back the memory it has taken, and a worker lives long. So a family that has no machine code yet
is compiled elsewhere, several families beside each other, and everybody then loads what was kept.
"""

import fcntl
import os
import subprocess
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from simulator.engine import kernel_cache
from simulator.engine.family import FAMILY_NAMES

ROOT = Path(__file__).resolve().parents[1]


def compile_missing(names: Sequence[str] = FAMILY_NAMES) -> None:
    """Compile what was never compiled here. A failure is not said here: whoever loads the family meets it again."""
    missing = [name for name in names if not _mark(name).exists()]
    with ThreadPoolExecutor(os.cpu_count()) as together:
        list(together.map(_compile_apart, missing))


def _compile_apart(name: str) -> None:
    subprocess.run([sys.executable, "-m", "simulator.compilation", name], cwd=ROOT, check=False)


def _compile(name: str) -> None:
    """One process at a time: of two that come together the second finds everything done."""
    from simulator.engine import playout  # here, so that a process that compiles nothing never imports numba

    with (kernel_cache.prepare() / f"{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        playout.load(name)
        _mark(name).touch()


def _mark(name: str) -> Path:
    return kernel_cache.folder() / f"{name}.compiled"


if __name__ == "__main__":
    for wanted in sys.argv[1:]:
        _compile(wanted)
    if not sys.argv[1:]:
        compile_missing()
