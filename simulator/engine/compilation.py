"""Compiling the engine in processes of its own.

A compiler never gives back the memory it has taken, and a worker lives long. So a family that has no machine code yet
is compiled elsewhere, several families beside each other, and everybody then loads what was kept. What was compiled has
a mark that lists the files there were then: if one of them is missing or damaged, it is compiled again.
"""

import fcntl
import json
import os
import subprocess
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from simulator.engine import kernel_cache
from simulator.engine.family import FAMILY_NAMES

PLAYERS = "-players"  # behind a family's name: the searches of its players
SEARCHES = kernel_cache.ENGINE / "players" / "kernel"
TRY = "--try"  # in a command: load what is named, which plays a game, and keep nothing
ROOT = Path(__file__).resolve().parents[2]
_found_whole: set[str] = set()  # by this process, which need not look again: what is damaged later is compiled alone


def missing(names: Sequence[str] = FAMILY_NAMES) -> list[str]:
    """Return the names of which the compiled code is not here, or not whole."""
    sound, _ = kernel_cache.sound_files()
    return [name for name in names if not _is_whole(name, sound)]


def compile_missing(names: Sequence[str] = FAMILY_NAMES) -> None:
    """Compile what is not here. A failure is not reported here: whoever loads the family meets it again."""
    unknown = [name for name in names if name not in _found_whole]
    wanted = missing(unknown) if unknown else []
    with ThreadPoolExecutor(os.cpu_count()) as together:
        list(together.map(_compile_in_a_process, wanted))
    _found_whole.update(names)


def forget_compiled() -> None:
    """Throw away all that was compiled of this code."""
    kernel_cache.clear()
    kernel_cache.prepare()
    _found_whole.clear()


def compile_players(family_name: str) -> None:
    """Compile the searches of a family's players, if they never were; it may take a minute."""
    compile_missing([f"{family_name}{PLAYERS}"])


def begin_compiling_players() -> None:
    """Begin to compile the players of all families and do not wait: whoever needs them first waits for them."""
    wanted = missing([f"{name}{PLAYERS}" for name in FAMILY_NAMES])
    if wanted:
        subprocess.Popen(["nice", *_command(*wanted)], cwd=ROOT)


def _command(*names: str) -> list[str]:
    return [sys.executable, "-m", "simulator.engine.compilation", *names]


def _compile_in_a_process(name: str) -> None:
    subprocess.run(_command(name), cwd=ROOT, check=False)


def _compile(name: str) -> None:
    """Compile one name, one process at a time: of two that come together the second finds everything done."""
    from simulator.engine import playout  # here, so that a process that compiles nothing never imports numba

    searches = name.endswith(PLAYERS)
    # The searches are the same for all families, so that one process compiles them and the next ones find them.
    with (kernel_cache.prepare() / f"{PLAYERS if searches else name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        kernel_cache.remove_old()
        kernel_cache.remove_damaged()
        if searches:
            from simulator.engine.players import search

            search.load(name.removesuffix(PLAYERS))
        else:
            playout.load(name)
        sound, _ = kernel_cache.sound_files(_folders(name))
        mark = _mark(name)
        mark.parent.mkdir(exist_ok=True)
        with mark.with_suffix(f".{os.getpid()}").open("w") as file:
            json.dump(sorted(path for path in sound if path.endswith(".nbc")), file)
        # Replaced in one step: nobody ever reads half a mark.
        os.replace(file.name, mark)


def _folders(name: str) -> list[Path]:
    """Return the folders of all that a family, or a family's players, have compiled."""
    contract = kernel_cache.contract_of(name.removesuffix(PLAYERS))
    players = SEARCHES.glob("*.py") if name.endswith(PLAYERS) else ()
    return kernel_cache.folders(kernel_cache.reached(kernel_cache.LOOPS, contract, *players), [contract])


def _mark(name: str) -> Path:
    """Return where a name's mark is: beside the copy of a loop for the family, which follows from all its rules."""
    contract = kernel_cache.contract_of(name.removesuffix(PLAYERS))
    folder = kernel_cache.folder_name(kernel_cache.LOOPS, kernel_cache.COMPILED, contract)
    return kernel_cache.home() / folder / f"{name}.compiled"


def _is_whole(name: str, sound: set[str]) -> bool:
    try:
        return sound.issuperset(json.loads(_mark(name).read_text()))
    except (OSError, ValueError):
        return False


def _try(name: str) -> None:
    from simulator.engine import playout

    playout.load(name)


if __name__ == "__main__":
    work = _try if TRY in sys.argv else _compile
    for wanted in sys.argv[1:]:
        if wanted != TRY:
            work(wanted)
    if not sys.argv[1:]:
        compile_missing([*FAMILY_NAMES, *(f"{name}{PLAYERS}" for name in FAMILY_NAMES)])
