"""The proofs of the first issue, run one after another; their figures as one JSON document.

    python -m tests.proofs.foundation [NAME…]

Without names all of them. Exit status 1 if a proof failed; its document then says what was expected. The machine should
have nothing else to do: speeds and ratios are measured against the clock.
"""

import json
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

LUDII = ("puhulmutu-ludii", "walak-pussa-ludii", "daramuti-ludii", "kotu-baendum-ludii", "mawkar-katiya-ludii")
LOAD = "from simulator.engine import playout; playout.load('sowing')"
BATCH = ("puhulmutu-parker", "--games", "200000", "--cap", "1000", "--seed", "1")
WARM_UP = ("puhulmutu-parker", "--games", "2000", "--cap", "1000", "--seed", "2")

MOST_FIRST_LOAD, MOST_LATER_LOAD = 60.0, 2.0  # seconds
LEAST_RATIO = {"kalah-reference": 2.0, "oware-reference": 4.0}
LEAST_TURNS = {"puhulmutu-parker": 8_000_000}  # a second
MOST_OF_ONE_WORKER = 0.6
MOST_SPREAD = 2_048  # bytes by which the memory of a long run and a short one may differ, apart from their rows

Figures = dict[str, Any]


class Unproved(AssertionError):
    """A figure is not what it has to be. figures: all of the proof's figures."""

    def __init__(self, message: str, figures: Figures) -> None:
        self.figures = figures
        super().__init__(message)


def demand(condition: bool, message: str, figures: Figures) -> None:
    if not condition:
        raise Unproved(message, figures)


def compile_times(machine: Any) -> Figures:
    """A process that loads the engine: the first with an empty cache, then three that find it there."""
    loads = []
    for _ in range(4):
        begun = time.perf_counter()
        subprocess.run([sys.executable, "-c", LOAD], env=machine.environment, check=True)
        loads.append(round(time.perf_counter() - begun, 2))
    figures = {"first_seconds": loads[0], "later_seconds": loads[1:]}
    demand(loads[0] < MOST_FIRST_LOAD, f"the first load took {MOST_FIRST_LOAD} s or more", figures)
    demand(min(loads[1:]) < MOST_LATER_LOAD, f"a later load took {MOST_LATER_LOAD} s or more", figures)
    return figures


def positions(machine: Any) -> Figures:
    """Distinct positions of the five readings that another programme plays, turn by turn."""
    machine.manage("positions", LUDII[0], "--turns", "1")  # compiles the walk
    figures = {}
    for name in LUDII:
        begun = time.perf_counter()
        told = json.loads(machine.manage("positions", name, "--turns", "5", "--json").stdout)
        figures[name] = {
            "positions": [row["positions"] for row in told["turns"]],
            "ended": [row["ended"] for row in told["turns"]],
            "seconds": round(time.perf_counter() - begun, 2),
        }
    return figures


def bench(machine: Any) -> Figures:
    words = ("bench", "kalah-reference", "oware-reference", "puhulmutu-parker", "--seconds", "5", "--json")
    figures = json.loads(machine.manage(*words).stdout)
    for row in figures["rulesets"]:
        name = row["ruleset"]
        if name in LEAST_RATIO:
            ratio = row.get("openspiel", {}).get("ratio", 0)
            demand(ratio >= LEAST_RATIO[name], f"{name}: less than {LEAST_RATIO[name]} times OpenSpiel", figures)
        least = LEAST_TURNS.get(name, 0)
        demand(row["turns_per_second"] >= least, f"{name}: fewer than {least:,} turns a second", figures)
    return figures


def allocation(machine: Any) -> Figures:
    """A run of many games allocates what a run of few does, apart from its rows: nothing per game.

    numba's own runtime counts what compiled code allocates; tracemalloc what Python and numpy do.
    """
    import tracemalloc

    from numba.core.runtime import _nrt_python, rtsys

    from simulator.engine.playout import play_block
    from tests.engine.rulesets import RULESETS

    _nrt_python.memsys_enable_stats()
    figures: Figures = {}
    for name in ("puhulmutu-parker", "kalah-reference", "oware-reference"):
        peaks = []
        for games in (10, 10, 5_000):  # the first run is warm-up
            before = rtsys.get_allocation_stats().alloc
            tracemalloc.start()
            rows = play_block(RULESETS[name], ("random", "random"), 1, 0, games, 1_000, "game")
            peaks.append(tracemalloc.get_traced_memory()[1] - rows.nbytes)
            tracemalloc.stop()
            by_kernel = rtsys.get_allocation_stats().alloc - before
        figures[name] = {"bytes_10_games": peaks[1], "bytes_5000_games": peaks[2], "allocations_by_kernel": by_kernel}
        demand(by_kernel == 0, f"{name}: compiled code allocates", figures)
        demand(abs(peaks[2] - peaks[1]) < MOST_SPREAD, f"{name}: memory grows with the number of games", figures)
    return figures


def demo(machine: Any) -> Figures:
    """`manage.py demo --check` on an empty database: its times, its pages, and the memory of its processes."""
    begun = time.perf_counter()
    environment = {key: value for key, value in machine.environment.items() if key != "REDIS_URL"}
    command = [sys.executable, "manage.py", "demo", "--check", "--port", "18440"]
    done = subprocess.run(command, env=environment, capture_output=True, text=True)
    said = [
        line for line in done.stdout.splitlines() if re.search(r"First figures|MB|pages looked at|as it should", line)
    ]
    figures = {"status": done.returncode, "seconds": round(time.perf_counter() - begun, 1), "said": said}
    demand(done.returncode == 0, f"the demo failed: {done.stderr[-1500:]}", figures)
    return figures


def workers(machine: Any) -> Figures:
    """One batch by one worker process, by two, and in the command itself: wall times and digests."""
    seconds, digests = {}, {}
    for children in (1, 2):
        with machine.worker(children):
            machine.manage("batches", "purge", machine.simulate(*WARM_UP)["batch"])
            begun = time.perf_counter()
            told = machine.simulate(*BATCH)
            seconds[children], digests[children] = time.perf_counter() - begun, told["digest"]
        machine.manage("batches", "purge", told["batch"])
    begun = time.perf_counter()
    inline = machine.simulate(*BATCH, "--inline")
    figures = {
        "batch": " ".join(BATCH),
        "one_worker_seconds": round(seconds[1], 2),
        "two_workers_seconds": round(seconds[2], 2),
        "inline_seconds": round(time.perf_counter() - begun, 2),
        "ratio": round(seconds[2] / seconds[1], 3),
        "digest": inline["digest"],
    }
    demand(set(digests.values()) == {inline["digest"]}, f"the digests differ: {digests}", figures)
    demand(seconds[2] <= MOST_OF_ONE_WORKER * seconds[1], f"two took more than {MOST_OF_ONE_WORKER} of one", figures)
    return figures


def bad_input(machine: Any) -> Figures:
    from tests.proofs.bad_input import refused_commands, refused_requests

    return {"exit 2": refused_commands(machine), "status 400": refused_requests(machine)}


# In this order: the first compiles into an empty cache, and the rest find it warm.
PROOFS: dict[str, Callable[[Any], Figures]] = {
    "compile_times": compile_times,
    "positions": positions,
    "bench": bench,
    "allocation": allocation,
    "demo": demo,
    "workers": workers,
    "bad_input": bad_input,
}


def prove(names: list[str], folder: Path) -> dict[str, Figures]:
    """Each proof's figures and whether it holds, on a machine of its own in that folder."""
    os.environ |= {
        "VAR_DIR": str(folder),
        "DATABASE_URL": f"sqlite:///{folder / 'db.sqlite3'}",
        "KERNEL_CACHE_DIR": str(folder / "kernels"),
        "DJANGO_SETTINGS_MODULE": "catalogue.config.settings",
    }
    import django

    django.setup()
    from simulator import embedded
    from tests.services.machine import Machine

    answers: dict[str, Figures] = {}
    with embedded.running_broker(folder / "broker.log") as broker:
        machine = Machine(folder, broker, lease=30, healer=5)
        machine.manage("migrate", "--verbosity", "0")
        machine.manage("load_fixtures")
        for name in names:
            print(f"{name} …", file=sys.stderr, flush=True)  # noqa: T201
            answers[name] = _answer(PROOFS[name], machine)
    return answers


def _answer(proof: Callable[[Any], Figures], machine: Any) -> Figures:
    begun = time.perf_counter()
    try:
        answer: Figures = {"holds": True, "figures": proof(machine)}
    except Unproved as error:
        answer = {"holds": False, "why": str(error), "figures": error.figures}
    except (AssertionError, subprocess.SubprocessError) as error:
        answer = {"holds": False, "why": str(error)}
    return {**answer, "seconds": round(time.perf_counter() - begun, 1)}


def main(names: list[str]) -> int:
    unknown = [name for name in names if name not in PROOFS]
    if unknown:
        print(f"no proof is called {unknown[0]!r}; there are {', '.join(PROOFS)}", file=sys.stderr)  # noqa: T201
        return 2
    with tempfile.TemporaryDirectory(prefix="foundation-") as folder:
        answers = prove(names or list(PROOFS), Path(folder))
    print(json.dumps(answers, indent=2, ensure_ascii=False))  # noqa: T201
    return 0 if all(answer["holds"] for answer in answers.values()) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
