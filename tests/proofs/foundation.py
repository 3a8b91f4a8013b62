"""The proofs of the first issue, run one after another; their figures as one JSON document.

    python -m tests.proofs.foundation [NAME…]

Without names all of them. Exit status 1 if a proof failed; its document then says what was expected. The machine should
have nothing else to do: speeds and ratios are measured against the clock.
"""

import json
import re
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any

from tests.proofs.running import Figures, counted_positions, demand, run

LUDII = ("puhulmutu-ludii", "walak-pussa-ludii", "daramuti-ludii", "kotu-baendum-ludii", "mawkar-katiya-ludii")
LOAD = "from simulator.engine import playout; playout.load('sowing')"
BATCH = ("puhulmutu-parker", "--games", "200000", "--cap", "1000", "--seed", "1")
WARM_UP = ("puhulmutu-parker", "--games", "2000", "--cap", "1000", "--seed", "2")

MOST_FIRST_LOAD, MOST_LATER_LOAD = 60.0, 2.0  # seconds
LEAST_RATIO = {"kalah-reference": 4.5, "oware-reference": 4.0}
LEAST_TURNS = {"puhulmutu-parker": 8_000_000}  # a second
MOST_OF_ONE_WORKER = 0.6
OPENSPIEL_GAMES = 2_000
MOST_SPREAD = 2_048  # bytes by which the memory of a long run and a short one may differ, apart from their rows


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
    return counted_positions(machine, dict.fromkeys(LUDII, 5))


def bench(machine: Any) -> Figures:
    words = ("bench", "kalah-reference", "oware-reference", "puhulmutu-parker", "--seconds", "5", "--json")
    figures = json.loads(machine.manage(*words).stdout)
    for row in figures["rulesets"]:
        name = row["ruleset"]
        if name in LEAST_RATIO:
            ratio = row.get("openspiel", {}).get("ratio", 0)
            demand(ratio >= LEAST_RATIO[name], f"{name}: less than {LEAST_RATIO[name]} times OpenSpiel", figures)
        demand(row.get("c", {}).get("ratio", 1) >= 1, f"{name}: slower than in C", figures)
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
    said = [line for line in done.stdout.splitlines() if re.search(r" after |MB|pages looked at|as it should", line)]
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
            printed = machine.simulate(*BATCH)
            seconds[children], digests[children] = time.perf_counter() - begun, printed["digest"]
        machine.manage("batches", "purge", printed["batch"])
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
def openspiel(machine: Any) -> Figures:
    """Every ply of thousands of random games of each reference is played by OpenSpiel too."""
    from tests.engine.test_openspiel import ORACLES, every_ply_agrees

    figures: Figures = {"games": OPENSPIEL_GAMES}
    for name in ORACLES:
        figures[name] = sorted(every_ply_agrees(name, OPENSPIEL_GAMES))
        demand(figures[name] == [-1.0, 0.0, 1.0], f"{name}: not all results were met", figures)
    return figures


PROOFS: dict[str, Callable[[Any], Figures]] = {
    "compile_times": compile_times,
    "positions": positions,
    "bench": bench,
    "openspiel": openspiel,
    "allocation": allocation,
    "demo": demo,
    "workers": workers,
    "bad_input": bad_input,
}


if __name__ == "__main__":
    sys.exit(run(PROOFS, sys.argv[1:]))
