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

PLAYERS = "-players"  # behind a family's name: the searches of its players
ROOT = Path(__file__).resolve().parents[2]


def compile_missing(names: Sequence[str] = FAMILY_NAMES) -> None:
    """Compile what was never compiled here. A failure is not reported here: whoever loads the family meets it again."""
    missing = [name for name in names if not _mark(name).exists()]
    with ThreadPoolExecutor(os.cpu_count()) as together:
        list(together.map(_compile_in_a_process, missing))


def compile_players(family_name: str) -> None:
    """Compile the searches of a family's players, if they never were; it may take a minute."""
    compile_missing([f"{family_name}{PLAYERS}"])


def begin_compiling_players() -> None:
    """Begin to compile the players of all families and do not wait: whoever needs them first waits for them."""
    missing = [f"{name}{PLAYERS}" for name in FAMILY_NAMES if not _mark(f"{name}{PLAYERS}").exists()]
    if missing:
        subprocess.Popen(["nice", *_command(*missing)], cwd=ROOT)


def _command(*names: str) -> list[str]:
    return [sys.executable, "-m", "simulator.engine.compilation", *names]


def _compile_in_a_process(name: str) -> None:
    subprocess.run(_command(name), cwd=ROOT, check=False)


def _compile(name: str) -> None:
    """One process at a time: of two that come together the second finds everything done."""
    from simulator.engine import playout  # here, so that a process that compiles nothing never imports numba

    searches = name.endswith(PLAYERS)
    # The searches are the same for all families, so that one process compiles them and the next ones find them.
    with (kernel_cache.prepare() / f"{PLAYERS if searches else name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if searches:
            from simulator.engine.players import search

            search.load(name.removesuffix(PLAYERS))
        else:
            playout.load(name)
        _mark(name).touch()


def _mark(name: str) -> Path:
    return kernel_cache.folder() / f"{name}.compiled"


if __name__ == "__main__":
    for wanted in sys.argv[1:]:
        _compile(wanted)
    if not sys.argv[1:]:
        compile_missing([*FAMILY_NAMES, *(f"{name}{PLAYERS}" for name in FAMILY_NAMES)])
