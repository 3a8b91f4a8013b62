"""The proofs of readings: their apparatus, claims, comparisons and studies; figures as one JSON document.

    python -m tests.proofs.readings [NAME…]

apparatus: no fault, and how much of the words it uses. claims: judged by two seeds, and every figure counted again,
game by game, by other code. compared, same_games, …: see `comparing`. sensitivity: a study of Puhulmutu in its time,
with workers and without, and never played twice.

Without names all of them. Exit status 1 if a proof failed. The machine should have nothing else to do.
"""

import csv
import json
import operator
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from tests.proofs import comparing
from tests.proofs.running import Figures, demand, run


def apparatus(machine: Any) -> Figures:
    """`manage.py check` finds nothing wrong; what `manage.py coverage` prints of each record."""
    said = machine.manage("check")
    printed = json.loads(machine.manage("coverage", "--json").stdout)
    figures: Figures = {
        "check": (said.stdout + said.stderr).strip(),
        "records": {
            f"{one['record']} ({one['game']})": {
                "quotation": one["quotation"]["share"],
                "paraphrase": one["paraphrase"]["share"],
                "clauses": one["clauses"],
                "without_words": len(one["clauses_without_words"]),
            }
            for one in printed["records"]
        },
    }
    demand("no issues" in figures["check"], "the system check found something wrong", figures)
    demand(len(printed["records"]) == 21, "not all records are there", figures)
    return figures


CLAIM_GAMES, CLAIM_SEEDS = 2_000, (2, 1)
COMPARE = {
    "<": operator.lt, "<=": operator.le, "=": operator.eq, "!=": operator.ne, ">=": operator.ge, ">": operator.gt,
}  # fmt: skip


def claims(machine: Any) -> Figures:
    """Every claim that random play can judge, by two seeds: judged again nothing changes, no verdict turns into its
    opposite, and each figure is what counting the games one by one gives."""
    printed = {}
    for seed in CLAIM_SEEDS:
        words = (
            "judge_claims",
            "--games",
            str(CLAIM_GAMES),
            "--seed",
            str(seed),
            "--which",
            "random",
            "--inline",
            "--json",
        )
        printed[seed] = json.loads(machine.manage(*words).stdout)["claims"]
        again = json.loads(machine.manage(*words).stdout)["claims"]
        demand(again == printed[seed], f"seed {seed}: judged again, the claims are told otherwise", {})
    figures: Figures = {
        "claims": dict(Counter(claim["verdict"] for claim in printed[1])),
        "tests": dict(Counter(test["verdict"] for test in _tests(printed[1]))),
        "verdicts": {claim["claim"]: f"{claim['verdict']}. {claim['reason']}".strip() for claim in printed[1]},
    }
    for one, other in zip(_tests(printed[1]), _tests(printed[2]), strict=True):
        pair = {one["verdict"], other["verdict"]}
        demand(pair != {"supported", "not_supported"}, f"two seeds contradict each other: {one['under']}", figures)
    for claim in printed[1]:
        demand(claim["judged_by"] == "random" or claim["verdict"] in ("undecided", "untestable"), str(claim), figures)
    counted = [_recount(test, figures) for test in _tests(printed[1]) if test.get("batches")]
    return {**figures, "recounted": len(counted)}


def _tests(printed: list[Figures]) -> Iterator[Figures]:
    return (test for claim in printed for test in claim["tests"])


def _recount(test: Figures, figures: Figures) -> float | None:
    """The figure as plain counting gives it, with every stopped game taken as it stood; it must lie within bounds."""
    document, games = test["test"], [_games(batch) for batch in test["batches"]]
    if document["kind"] == "share":
        among = [game for game in games[0] if _fulfils(game, document.get("among", ()))]
        found = sum(_fulfils(game, document["of"]) for game in among) / len(among) if among else None
    elif document["kind"] == "mean":
        found = sum(game[document["measure"]] for game in games[0]) / len(games[0])
    else:
        pairs = zip(*games, strict=True)
        found = sum(one[document["measure"]] - other[document["measure"]] for one, other in pairs) / len(games[0])
    least, most = test["least"], test["most"]
    message = f"{test['sentence']} {found} is not within {least} and {most}"
    demand(found is None or least is None or least - 1e-9 <= found, message, figures)
    demand(found is None or most is None or found <= most + 1e-9, message, figures)
    return found


def _games(batch_id: str) -> list[dict[str, int]]:
    from simulator.batches.rows import csv_lines
    from simulator.models import Batch

    lines = "".join(csv_lines(Batch.objects.select_related("ruleset").get(id=batch_id))).splitlines()
    return [{name: int(value) for name, value in row.items()} for row in csv.DictReader(lines)]


def _fulfils(game: dict[str, int], conditions: Any) -> bool:
    return all(COMPARE[how](game[name], game.get(value, value)) for name, how, value in conditions)


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


PROOFS: dict[str, Callable[[Any], Figures]] = {
    "apparatus": apparatus,
    "claims": claims,
    **comparing.PROOFS,
    "sensitivity": sensitivity,
}

if __name__ == "__main__":
    sys.exit(run(PROOFS, sys.argv[1:]))
