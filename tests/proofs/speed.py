"""The proof of speed: this tree beside one from before, in one run, in turns.

    python -m tests.proofs.speed [PART…] [--before REVISION]

Parts: kalah (random games a second, with OpenSpiel's rollouts and plain C, as `bench` measures them), whole-way (from a
request to its figures through two workers), searches (iterations a second). On a machine that does nothing else; ratios
of one run. Exit status 1 if one is not reached.
"""

import json
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from statistics import geometric_mean
from typing import Any

from tests.proofs.house_running import run_compared
from tests.proofs.house_trees import Trees
from tests.proofs.running import Figures, demand

BEFORE = "fd374bb"  # the first round, as it was held against the world
MEASURED = Path(__file__).with_name("speed_measured.py").read_text(encoding="utf-8")
GONE = ("drf_spectacular_sidecar",)  # a package that it wanted to be there, for pages that nobody asks for here
TREES = ("before", "now")
ROUNDS, SECONDS = 3, 5
GAMES, CORES = 40_000_000, 2
PLAYERS = ("uct:200/4", "uct:200/8")
LEAST = {"kalah": 2.0, "openspiel": 4.5, "c": 1.0, "searches": 3.0, "openspiel_search": 2.0}
MOST_COST = 1 / 3  # of what tally, rows and messages took before


def kalah(trees: Trees) -> Figures:
    """Games a second: at least twice as many as before, 4.5 times OpenSpiel's rollouts, and as many as plain C."""
    found = _in_turns(trees, "bare", str(SECONDS))
    bench = json.loads(
        trees.python("now", "manage.py", "bench", "kalah-reference", "--seconds", str(SECONDS), "--json")
    )
    [row] = bench["rulesets"]
    ratios = {"kalah": _mean(found["now"]) / _mean(found["before"])}
    ratios |= {name: row[name]["ratio"] for name in ("openspiel", "c") if name in row}
    ratios |= {"openspiel_search": row["search"]["ratio"]} if "search" in row else {}
    demand("openspiel_search" in ratios, "OpenSpiel is not installed: nothing is held against it", row)
    return _demanded(ratios, {"c_is_left_out": "c" not in ratios, "games_per_second": found, "bench": row})


def whole_way(trees: Trees) -> Figures:
    """What tallies, rows and messages cost beside the games: at most a third of what they did."""
    for package in GONE:
        (trees.root("before") / package).mkdir()
        (trees.root("before") / package / "__init__.py").touch()
    taken: dict[str, list[float]] = {name: [] for name in TREES}
    bare: dict[str, list[float]] = {name: [] for name in TREES}
    for number in range(ROUNDS):
        for name in TREES:
            folder = trees.folder / f"whole-{name}-{number}"
            folder.mkdir()
            with ThreadPoolExecutor(CORES) as pool:  # as fast as two of them are beside each other
                bare[name] += pool.map(lambda _, own=name: _measured(trees, own, "bare", str(SECONDS)), range(CORES))
            taken[name].append(_measured(trees, name, "whole", str(GAMES), str(folder)))
    spent = {name: CORES * _mean(taken[name]) for name in TREES}
    played = {name: GAMES / _mean(bare[name]) for name in TREES}
    cost = {name: spent[name] - played[name] for name in TREES}
    figures: Figures = {
        "games": GAMES,
        "seconds": taken,
        "bare_games_per_second": bare,
        "share_of_bare": {name: round(played[name] / spent[name], 3) for name in TREES},
        "processor_seconds_beside_the_games": {name: round(cost[name], 1) for name in TREES},
        "ratio": round(cost["now"] / cost["before"], 3),
    }
    demand(cost["now"] <= MOST_COST * cost["before"], f"{figures['ratio']} of what it cost", figures)
    return figures


def searches(trees: Trees) -> Figures:
    """Iterations a second of plain search with a near horizon: three times as many as before, over several games."""
    found = _in_turns(trees, "searches", *PLAYERS)
    by_ruleset = {
        slug: {player: round(_gain(found, slug, player), 2) for player in players}
        for slug, players in found["now"][0].items()
    }
    ratio = geometric_mean(gain for gains in by_ruleset.values() for gain in gains.values())
    return _demanded({"searches": ratio}, {"gains": by_ruleset})


def _gain(found: dict[str, list[Any]], slug: str, player: str) -> float:
    now, before = (_mean([one[slug][player] for one in found[name]]) for name in ("now", "before"))
    return now / before


def _in_turns(trees: Trees, *words: str) -> dict[str, list[Any]]:
    found: dict[str, list[Any]] = {name: [] for name in TREES}
    for _ in range(ROUNDS):
        for name in TREES:
            found[name].append(_measured(trees, name, *words))
    return found


def _measured(trees: Trees, name: str, *words: str) -> Any:
    return json.loads(trees.python(name, "-c", MEASURED, *words).splitlines()[-1])


def _mean(values: list[float]) -> float:
    return sum(values) / len(values)


def _demanded(ratios: dict[str, float], figures: Figures) -> Figures:
    figures = {"ratios": {name: round(ratio, 2) for name, ratio in ratios.items()}, **figures}
    short = [name for name, ratio in ratios.items() if ratio < LEAST[name]]
    demand(not short, f"not as fast as aimed at: {', '.join(short)}", figures)
    return figures


PARTS: dict[str, Callable[[Trees], Figures]] = {"kalah": kalah, "whole-way": whole_way, "searches": searches}

if __name__ == "__main__":
    sys.exit(run_compared("speed", __doc__ or "", PARTS, BEFORE, sys.argv[1:]))
