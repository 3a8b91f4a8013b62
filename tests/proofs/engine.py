"""The proofs of the engine: its speed beside OpenSpiel and C, its memory, and every ply of many games in OpenSpiel.

    python -m tests.proofs.engine [NAME…]

Without names all of them. Exit status 1 if a proof failed; its document then says what was expected. The machine should
have nothing else to do: speeds and ratios are measured against the clock.
"""

import json
import sys
from collections.abc import Callable
from typing import Any

from tests.proofs.running import Figures, demand, run

OPENSPIEL_GAMES = 2_000
LEAST_RATIO = {"kalah-reference": 4.5, "oware-reference": 4.0, "nine-mens-morris-reference": 4.0}  # to OpenSpiel
LEAST_TURNS = {"puhulmutu-parker": 8_000_000, "pancha-keliya-parker": 6_000_000, "pancha-keliya-dlp": 6_000_000}
LEAST_TURNS_OF_RACES = 2_000_000  # a second
LEAST_PLIES = {  # a second
    "hat-diviyan-keliya-ludii": 10_000_000,
    "niranchy-ludii": 10_000_000,
    "koti-keliya-ludii": 10_000_000,
    "diviyan-keliya-ludii": 10_000_000,
    "peralikatuma-ludii": 3_000_000,
    "kotu-ellima-ludii": 3_000_000,
    "dam-ludii": 3_000_000,
    "nerenchi-keliya-ludii": 3_000_000,
}
CAP, MOST_UNFINISHED = 5_000, 0.01
BATCH = ("puhulmutu-parker", "--games", "200000", "--cap", "1000", "--seed", "1")
WARM_UP = ("puhulmutu-parker", "--games", "2000", "--cap", "1000", "--seed", "2")
MOST_OF_ONE_WORKER = 0.6
MOST_SPREAD = 2_048  # bytes by which the memory of a long run and a short one may differ, apart from their rows


def rulesets_of(family: str) -> list[str]:
    from tests.engine.rulesets import RULESETS

    return [name for name, ruleset in RULESETS.items() if ruleset.family == family]


def bench(machine: Any) -> Figures:
    """Measure random play in turns and plies a second, and beside OpenSpiel's rollouts and plain C."""
    races = rulesets_of("race")
    least_turns = dict.fromkeys(races, LEAST_TURNS_OF_RACES) | LEAST_TURNS
    names = dict.fromkeys((*LEAST_RATIO, *least_turns, *LEAST_PLIES))
    figures = json.loads(machine.manage("bench", *names, "--seconds", "5", "--json").stdout)
    for row in figures["rulesets"]:
        name = row["ruleset"]
        if name in LEAST_RATIO:
            ratio = row.get("openspiel", {}).get("ratio", 0)
            demand(ratio >= LEAST_RATIO[name], f"{name}: less than {LEAST_RATIO[name]} times OpenSpiel", figures)
        demand(row.get("c", {}).get("ratio", 1) >= 1, f"{name}: slower than in C", figures)
        for unit, least in (("turns", least_turns.get(name, 0)), ("plies", LEAST_PLIES.get(name, 0))):
            demand(row[f"{unit}_per_second"] >= least, f"{name}: fewer than {least:,} {unit} a second", figures)
    return figures


def openspiel(machine: Any) -> Figures:
    """Play every ply of thousands of random games of each reference in OpenSpiel too."""
    from tests.engine import test_openspiel as sowing
    from tests.engine.points import test_openspiel as points

    figures: Figures = {"games": OPENSPIEL_GAMES}
    for oracles in (sowing, points):
        for name in oracles.ORACLES:
            figures[name] = sorted(oracles.every_ply_agrees(name, OPENSPIEL_GAMES))
            demand(figures[name] == [-1.0, 0.0, 1.0], f"{name}: not all results were met", figures)
    return figures


def allocation(machine: Any) -> Figures:
    """A run of many games allocates what a run of few does, apart from its rows: nothing for a game.

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


def workers(machine: Any) -> Figures:
    """One batch by one worker process, by two, and in the command itself: the same digests, in nearly half the time."""
    import time

    seconds, digests = {}, {}
    for children in (1, 2):
        with machine.worker(children):
            machine.manage("batches", "purge", machine.simulate(*WARM_UP)["batch"])
            begun = time.perf_counter()
            printed = machine.simulate(*BATCH)
            seconds[children], digests[children] = time.perf_counter() - begun, printed["digest"]
        machine.manage("batches", "purge", printed["batch"])
    inline = machine.simulate(*BATCH, "--inline")
    figures = {
        "batch": " ".join(BATCH),
        "one_worker_seconds": round(seconds[1], 2),
        "two_workers_seconds": round(seconds[2], 2),
        "ratio": round(seconds[2] / seconds[1], 3),
        "digest": inline["digest"],
    }
    demand(set(digests.values()) == {inline["digest"]}, f"the digests differ: {digests}", figures)
    demand(seconds[2] <= MOST_OF_ONE_WORKER * seconds[1], f"two took more than {MOST_OF_ONE_WORKER} of one", figures)
    return figures


def races(machine: Any) -> Figures:
    """How random games of every race end, how long they are, and that few of them reach the cap."""
    figures: Figures = {}
    games = 20_000
    for name in rulesets_of("race"):
        printed = machine.simulate(name, "--games", str(games), "--cap", str(CAP), "--inline")
        rows = {row["key"]: row for section in printed["summary"]["sections"] for row in section["rows"]}
        mean = rows.get("turns_mean") or rows.get("turns_restricted_mean") or {}
        figures[name] = {**printed["summary"]["counts"], "mean_turns": mean.get("value")}
        unfinished = printed["summary"]["counts"]["unfinished"]
        demand(unfinished <= MOST_UNFINISHED * games, f"{name}: {unfinished} of {games} games unfinished", figures)
    return figures


PROOFS: dict[str, Callable[[Any], Figures]] = {
    "bench": bench,
    "openspiel": openspiel,
    "allocation": allocation,
    "workers": workers,
    "races": races,
}

if __name__ == "__main__":
    sys.exit(run(PROOFS, sys.argv[1:]))
