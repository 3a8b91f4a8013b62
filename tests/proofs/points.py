"""The proofs of the points family, run one after another; their figures as one JSON document.

    python -m tests.proofs.points [NAME…]

Without names all of them. Exit status 1 if a proof failed. The machine should have nothing else to do.
"""

import json
import sys
from collections.abc import Callable
from typing import Any

from tests.proofs.running import Figures, counted_positions, demand, run

# Readings that another programme plays, and how many turns stay within 60,000 positions.
TURNS = {
    "diviyan-keliya-ludii": 3,
    "hat-diviyan-keliya-ludii": 20,
    "koti-keliya-ludii": 8,
    "peralikatuma-ludii": 5,
    "kotu-ellima-ludii": 7,
    "dam-ludii": 5,
    "nerenchi-keliya-ludii": 3,
    "niranchy-ludii": 3,
}
OPENSPIEL_GAMES = 2_000
REFERENCE, LEAST_RATIO = "nine-mens-morris-reference", 4.0
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


def positions(machine: Any) -> Figures:
    return counted_positions(machine, TURNS)


def bench(machine: Any) -> Figures:
    """Random play of the eight games, and of the reference beside OpenSpiel's own rollouts."""
    words = ("bench", REFERENCE, *LEAST_PLIES, "--seconds", "5", "--json")
    figures = json.loads(machine.manage(*words).stdout)
    for row in figures["rulesets"]:
        name = row["ruleset"]
        if name == REFERENCE:
            ratio = row.get("openspiel", {}).get("ratio", 0)
            demand(ratio >= LEAST_RATIO, f"{name}: less than {LEAST_RATIO} times OpenSpiel", figures)
        least = LEAST_PLIES.get(name, 0)
        demand(row["plies_per_second"] >= least, f"{name}: fewer than {least:,} plies a second", figures)
    return figures


def figures_of_all(machine: Any) -> Figures:
    """A thousand random games of every reading of the family: how they end and how long they are."""
    from tests.engine.rulesets import RULESETS

    figures: Figures = {}
    for name in (name for name, ruleset in RULESETS.items() if ruleset.family == "points"):
        played = machine.simulate(name, "--games", "1000", "--cap", "5000", "--inline")["summary"]
        counts = played["counts"]
        figures[name] = {**counts, "mean_turns": _mean_turns(played)}
        demand(sum(counts[end] for end in ("win", "draw", "endless", "unfinished")) == 1000, name, figures)
    return figures


def _mean_turns(played: Figures) -> float | None:
    rows = [row for section in played["sections"] for row in section["rows"]]
    return next((row["value"] for row in rows if row["key"] in ("turns_mean", "turns_restricted_mean")), None)


def openspiel(machine: Any) -> Figures:
    """Every ply of thousands of random games of each reference is played by OpenSpiel too."""
    from tests.engine.points.test_openspiel import ORACLES, every_ply_agrees

    figures: Figures = {"games": OPENSPIEL_GAMES}
    for name in ORACLES:
        figures[name] = sorted(every_ply_agrees(name, OPENSPIEL_GAMES))
        demand(figures[name] == [-1.0, 0.0, 1.0], f"{name}: not all results were met", figures)
    return figures


PROOFS: dict[str, Callable[[Any], Figures]] = {
    "positions": positions,
    "bench": bench,
    "openspiel": openspiel,
    "figures": figures_of_all,
}

if __name__ == "__main__":
    sys.exit(run(PROOFS, sys.argv[1:]))
