"""Which doubt matters: a study of Puhulmutu in its time, with workers and without, and never played twice."""

import json
import time
from typing import Any

import numpy as np

from tests.proofs.running import Figures, demand

GAME, GAMES, MOST_SECONDS = "puhulmutu", 2000, 600
WORLDS = 1000


def sensitivity(machine: Any) -> Figures:
    """The study with two workers, and with another seed in one process; then with its rows thrown away, from its games.

    And on made-up means: how often the intervals of the shares hold the true ones.
    """
    machine.manage("sensitivity", "saturankam", "--games", "1", "--inline")
    machine.manage("sensitivity", GAME, "--games", "1", "--questions", "ruin", "--inline")  # compiles what is played
    figures: Figures = {}
    with machine.worker(children=2):
        figures["two workers"] = _study(machine, "--seed", "1")
    figures["one process"] = _study(machine, "--seed", "2", "--inline")
    machine.query("DELETE FROM catalogue_study")
    figures["from its games"] = _study(machine, "--seed", "1")
    for name in ("two workers", "one process"):
        demand(figures[name]["seconds"] < MOST_SECONDS, f"{name}: more than {MOST_SECONDS} s", figures)
    demand(figures["from its games"]["seconds"] < 60, "what was played is not played again", figures)
    same = figures["from its games"]["outcomes"] == figures["two workers"]["outcomes"]
    demand(same, "the same games give the same study", figures)
    for outcome, (question, low, high) in figures["two workers"]["leading"].items():
        other = figures["one process"]["shares"][outcome][question]
        demand(low <= other[1] and other[0] <= high, f"{outcome}: two samples contradict each other", figures)
    figures["coverage"] = coverage()
    for name, share in figures["coverage"].items():
        demand(share > 0.93, f"the intervals of {name} hold the true share in too few worlds", figures)
    return figures


def _study(machine: Any, *words: str) -> Figures:
    begun = time.perf_counter()
    printed = json.loads(machine.manage("sensitivity", GAME, "--games", str(GAMES), *words, "--json").stdout)
    shares = {
        outcome["title"]: {row["slug"]: (row["first"]["low"], row["first"]["high"]) for row in outcome["questions"]}
        for outcome in printed["outcomes"]
        if outcome["told"]
    }
    return {
        "seconds": round(time.perf_counter() - begun, 1),
        "study": printed["id"],
        "combinations": printed["combinations"],
        "of": printed["size"],
        "outcomes": {outcome["title"]: outcome["text"] for outcome in printed["outcomes"]},
        "leading": {title: (next(iter(of_one)), *next(iter(of_one.values()))) for title, of_one in shares.items()},
        "shares": shares,
    }


def coverage() -> dict[str, float]:
    """Three factors whose shares are known, and their interaction, under the noise of a thousand worlds."""
    from simulator.statistics.variance_shares import Combinations, complete_forms, shares

    levels = np.array([(a, b, c) for a in range(2) for b in range(3) for c in range(2)])
    size = len(levels)
    found = Combinations(np.full(size, 1 / size), np.arange(size), levels, np.ones(levels.shape, dtype=bool))
    a, b, c = levels[:, 0] - 0.5, levels[:, 1] - 1, levels[:, 2] - 0.5
    true = 50 + 6 * a + 2 * b + 4 * a * b + c
    variances = np.array([9, 4 * 2 / 3, 0.25])
    interaction = 16 * 0.25 * 2 / 3
    whole = variances.sum() + interaction
    forms, draw = complete_forms(found), np.random.default_rng(1)
    held = dict.fromkeys(("first", "second", "third", "rest"), 0)
    for seed in range(WORLDS):
        printed = shares(forms, true + 0.5 * draw.standard_normal(size), [0.25] * size, seed)
        intervals = (*printed.first, printed.rest)
        for name, interval, share in zip(held, intervals, [*variances / whole, interaction / whole], strict=True):
            held[name] += interval is not None and bool(interval.low <= share <= interval.high)
    return {name: round(count / WORLDS, 3) for name, count in held.items()}
