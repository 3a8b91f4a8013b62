"""The proof of speed: what stands here beside a revision from before, in one run, in turns.

    python -m tests.proofs.speed [PART…] [--before REVISION]

Parts: rulesets (random turns of every ruleset that both have, in short slices by turns, so that it can be run while the
machine does something else), kalah (random games a second, with OpenSpiel's rollouts and plain C, as `bench` measures
them), whole-way (from a request to its figures through two workers), searches (iterations a second). REVISION is what
was committed last unless another is named. The others on a machine that does nothing else; ratios of one run. Exit
status 1 if one is not reached.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from random import Random
from statistics import geometric_mean, median
from typing import Any

from tests.mutants.tree import INHERITED, ROOT, copy_here
from tests.proofs.running import Figures, demand, outcome, report

MEASURED = Path(__file__).with_name("speed_measured.py").read_text(encoding="utf-8")
TREES = ("before", "now")
ROUNDS, SECONDS = 3, 5
GAMES, CORES = 40_000_000, 2
PLAYERS = ("uct:200/4", "uct:200/8")
LEAST = {"kalah": 0.95, "openspiel": 4.5, "c": 1.0, "searches": 0.95, "openspiel_search": 2.0}
MOST_OF_A_TURN = 1.05  # of the processor time that a turn took before
SLICES, SLICE = 30, 0.25  # seconds: what is done once a call must not count
MOST_COST = 1.1  # of what tally, rows and messages took before


@dataclass(frozen=True)
class Trees:
    """Copies of a revision (`before`) and of what stands here (`now`), in one folder with what a part writes.

    What is edited meanwhile does not count, and what they start keeps its database apart from everybody's.
    """

    folder: Path

    @classmethod
    def made(cls, folder: Path, revision: str) -> "Trees":
        """Raises subprocess.CalledProcessError if there is no such revision."""
        trees = cls(folder)
        archive = subprocess.run(["git", "archive", revision], cwd=ROOT, stdout=subprocess.PIPE, check=True)
        trees.root("before").mkdir()
        subprocess.run(["tar", "-x", "-C", str(trees.root("before"))], input=archive.stdout, check=True)
        copy_here(trees.root("now"))
        return trees

    def root(self, name: str) -> Path:
        return self.folder / name

    def python(self, name: str, *words: str) -> str:
        """What Python prints, run in one of the trees with those words; raises AssertionError if it fails."""
        command = [sys.executable, *words]
        done = subprocess.run(command, cwd=self.root(name), env=self._environment(name), capture_output=True, text=True)
        assert done.returncode == 0, f"{words[0]} exited {done.returncode}: {done.stdout[-500:]}{done.stderr[-2500:]}"
        return done.stdout

    def measuring(self, name: str, *words: str) -> subprocess.Popen[str]:
        """What measures in one of the trees, and answers line by line."""
        return subprocess.Popen(
            [sys.executable, "-c", MEASURED, *words],
            cwd=self.root(name), env=self._environment(name), text=True,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
        )  # fmt: skip

    def _environment(self, name: str) -> dict[str, str]:
        var = self.folder / "var" / name
        var.mkdir(parents=True, exist_ok=True)
        return {
            **{key: os.environ[key] for key in INHERITED if key in os.environ},
            "VAR_DIR": str(var),
            "KERNEL_CACHE_DIR": os.environ.get("KERNEL_CACHE_DIR", str(self.folder / "kernels")),
            "DJANGO_SETTINGS_MODULE": "catalogue.config.settings",
            "SECRET_KEY": "one-secret-for-both-trees-and-for-no-other-use",
        }


def rulesets(trees: Trees) -> Figures:
    """Processor time of a turn of random play, ruleset by ruleset: 5 % more than before at most."""
    both = [{path.stem for path in trees.root(name).glob("fixtures/rulesets/*.json")} for name in TREES]
    answering = {name: trees.measuring(name, "slices") for name in TREES}
    try:
        found = {slug: _slices(answering, slug) for slug in sorted(set.intersection(*both))}
    finally:
        for one in answering.values():
            one.communicate()
    figures: Figures = {slug: one for slug, one in found.items() if one}
    slower = [slug for slug, one in figures.items() if one["ratio"] > MOST_OF_A_TURN]
    demand(not slower, f"slower than before: {', '.join(slower)}", figures)
    return figures


def _slices(answering: dict[str, subprocess.Popen[str]], slug: str) -> dict[str, Any] | None:
    """Compare medians of slices played by turns; None where the two play other games."""

    def asked(name: str, games: int) -> Any:
        one = answering[name]
        assert one.stdin
        assert one.stdout
        print(slug, games, file=one.stdin, flush=True)
        return json.loads(one.stdout.readline())

    first = [asked(name, 20) for name in TREES]
    if first[0]["games"] != first[1]["games"]:
        return None
    games = max(1, round(20 * SLICE / asked("before", 20)["seconds"]))
    runs = [{name: asked(name, games) for name in TREES[:: 1 if number % 2 else -1]} for number in range(SLICES)]
    taken = [tuple(run[name]["seconds"] / run[name]["turns"] for name in TREES) for run in runs]

    def ratio(chosen: list[tuple[float, ...]]) -> float:
        before, now = (float(median(times)) for times in zip(*chosen, strict=True))
        return now / before

    draws = Random(1)
    drawn = sorted(ratio(draws.choices(taken, k=SLICES)) for _ in range(1000))
    nanoseconds = [round(1e9 * median(times), 1) for times in zip(*taken, strict=True)]
    return {
        "ratio": round(ratio(taken), 3),
        "interval": [round(drawn[25], 3), round(drawn[974], 3)],
        "nanoseconds_a_turn": dict(zip(TREES, nanoseconds, strict=True)),
    }


def kalah(trees: Trees) -> Figures:
    """Games a second: no fewer than before, 4.5 times OpenSpiel's rollouts, and as many as plain C."""
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
    """What tallies, rows and messages cost beside the games: no more than before."""
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
    """Iterations a second of plain search with a near horizon: no fewer than before, over several games."""
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


PARTS: dict[str, Callable[[Trees], Figures]] = {
    "rulesets": rulesets,
    "kalah": kalah,
    "whole-way": whole_way,
    "searches": searches,
}


def main(words: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.proofs.speed")
    parser.add_argument("parts", nargs="*", metavar="PART", help=", ".join(PARTS))
    parser.add_argument("--before", default="HEAD", metavar="REVISION", help="what to compare with (%(default)s)")
    chosen = parser.parse_args(words)
    if unknown := set(chosen.parts) - set(PARTS):
        parser.error(f"no part is called {unknown.pop()!r}; there are {', '.join(PARTS)}")
    with tempfile.TemporaryDirectory(prefix="proof-speed-") as folder:
        trees = Trees.made(Path(folder), chosen.before)
        return report({part: outcome(PARTS[part], trees) for part in chosen.parts or PARTS})


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
