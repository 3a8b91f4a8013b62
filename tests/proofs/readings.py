"""The proofs of what is concluded of readings: claims, comparisons and studies; figures as one JSON document.

    python -m tests.proofs.readings [NAME…]

claims: judged by two seeds, and every figure counted again, game by game, by other code. compare-independent-seeds:
nothing is found where there is nothing; compare-planted: what was planted is found; compare-coverage: intervals keep
their stated rate; compare-speed: in how many seconds. sensitivity: a study of Puhulmutu in its time, with workers and
without, and never played twice.

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

from tests.proofs.running import Figures, demand, run

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
    if document["kind"] in ("share", "alike"):  # of two games that are alike it is the first one's
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


STUDIED, STUDY_GAMES, MOST_SECONDS = "puhulmutu", 2000, 600
WORLDS = 1000


def sensitivity(machine: Any) -> Figures:
    """The study with two workers, and with another seed in one process; then with its rows thrown away, from its games.

    And on made-up means: how often the intervals of the shares hold the true ones.
    """
    machine.manage("sensitivity", "saturankam", "--games", "1", "--inline")
    machine.manage("sensitivity", STUDIED, "--games", "1", "--questions", "ruin", "--inline")  # compiles what is played
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
    printed = json.loads(machine.manage("sensitivity", STUDIED, "--games", str(STUDY_GAMES), *words, "--json").stdout)
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


HONEST = ("niranchy-ludii", "hat-diviyan-keliya-ludovisi")
COMPARISONS, GAMES, CAP = 400, 400, 500
REPETITIONS, MEDIAN_REPETITIONS, SAMPLE = 4_000, 600, 400
MARGINS = {"shares": 0.02, "amounts": 0.05}


def independent_seeds(machine: Any) -> Figures:
    """A ruleset against itself by two seeds, many times: a difference is reported in at most 5 % of the comparisons."""
    from scipy.stats import binom

    most = int(binom.ppf(0.99, COMPARISONS, 0.05))
    figures: Figures = {"comparisons": COMPARISONS, "games": GAMES, "most_that_may_be_reported": most}
    for name in HONEST:
        pairs = [_of_seeds(name, 2 * number, 2 * number + 1) for number in range(1, COMPARISONS + 1)]
        wrong = [[one["key"] for one in pair["measures"] if one["verdict"] == "differs"] for pair in pairs]
        raw = sum(any(one["p"] is not None and one["p"] < 0.05 for one in pair["measures"]) for pair in pairs)
        reported = sum(map(bool, wrong))
        figures[name] = {
            "reported": reported,
            "reported_without_correction": raw,
            "by_measure": dict(Counter(key for keys in wrong for key in keys)),
        }
        demand(reported <= most, f"{name}: a difference in {reported} comparisons of equals", figures)
    return figures


def _of_seeds(name: str, *seeds: int, changes: dict[str, str] | None = None) -> Figures:
    """Games of a ruleset by two seeds, those of the second with changes made, as a comparison of pairs."""
    from simulator.engine.family import family
    from simulator.engine.playout import play_block
    from simulator.rulesets import find
    from simulator.statistics.compared import ComparisonTerms, PlayedBatch, compare

    rulesets = [find(name), find(name, changes)]
    kind, parameters = family(rulesets[0].family), rulesets[0].parameters
    players = ("random",) * kind.seats(parameters)
    played = [
        PlayedBatch(play_block(ruleset, players, seed, 0, GAMES, CAP, "game"), CAP)
        for ruleset, seed in zip(rulesets, seeds, strict=True)
    ]
    measures, naming = kind.named_measures(parameters), kind.naming(parameters)
    terms = ComparisonTerms(
        measures, kind.seats(parameters), naming, MARGINS, seed=1, resamples=2
    )  # no verdict rests on these
    return compare(played, terms)[0]


def planted(machine: Any) -> Figures:
    """A rule that does matter is found by independent seeds too, nearly every time."""
    found = 0
    for number in range(1, 51):
        pair = _of_seeds(HONEST[1], 2 * number, 2 * number + 1, changes={"second_loses_below": "5"})
        turns = next(one for one in pair["measures"] if one["key"] == "turns")
        found += turns["verdict"] == "differs"
    figures: Figures = {"comparisons": 50, "found": found}
    demand(found >= 48, "a planted difference was missed", figures)
    return figures


def comparison_coverage(machine: Any) -> Figures:
    """Synthetic pairs whose truth is known: each interval holds it at its stated rate, or a little oftener."""
    from scipy.stats import binom

    figures: Figures = {"repetitions": REPETITIONS, "median_repetitions": MEDIAN_REPETITIONS, "pairs": SAMPLE}
    for name, (interval, truth) in _intervals().items():
        repetitions = MEDIAN_REPETITIONS if "median" in name else REPETITIONS
        draw = np.random.default_rng(17)
        covered = 0
        for _ in range(repetitions):
            low, high = interval(draw)
            covered += low <= truth <= high
        figures[name] = round(covered / repetitions, 4)
        least = (
            binom.ppf(0.001, repetitions, 0.94) / repetitions
        )  # Student's interval of skewed lengths is a trifle short
        demand(least <= figures[name] <= 0.99, f"{name} covers {figures[name]:.1%}", figures)
    return figures


def _intervals() -> dict[str, tuple[Callable[[np.random.Generator], tuple[Any, Any]], float]]:
    """For each kind of figure: limits from one draw of pairs, and the truth."""
    from simulator.statistics.paired import (
        PairedShares,
        Ratio,
        cliffs_delta,
        difference,
        paired_figure,
        ratio_of_medians,
    )

    def things(draw: np.random.Generator, first: float, second: float) -> PairedShares:
        skill = draw.random(SAMPLE)
        chances = [(draw.random(SAMPLE) < 2 * share * skill).astype(np.int64) for share in (first, second)]
        return PairedShares.of(*chances)

    def lengths(draw: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
        shared = draw.geometric(0.02, SAMPLE)
        return shared + draw.geometric(0.05, SAMPLE), shared + draw.geometric(0.025, SAMPLE)

    def of_lengths(formula: Any) -> Any:
        return lambda draw: formula(*(paired_figure(values, None) for values in lengths(draw)))

    def delta(draw: np.random.Generator) -> tuple[Any, Any]:
        shared = draw.standard_normal(SAMPLE)
        first, second = shared + draw.standard_normal(SAMPLE), shared + draw.standard_normal(SAMPLE)
        return cliffs_delta(first, second)[1:]

    def medians(draw: np.random.Generator) -> tuple[Any, Any]:
        first, other = 1_000 + draw.geometric(0.0007, (2, SAMPLE))
        second = 2 * np.where(draw.random(SAMPLE) < 0.5, first, other)  # of the same distribution, but for the 2
        found = ratio_of_medians(first, second, (10**6,) * 2, seed=1, resamples=500)
        assert found
        return found[1:]

    return {
        "difference_of_shares": (lambda draw: things(draw, 0.3, 0.4).difference()[1:], 0.1),
        "difference_of_small_shares": (lambda draw: things(draw, 0.01, 0.02).difference()[1:], 0.01),
        "difference_of_means": (of_lengths(lambda one, other: difference(one, other, 1.0).interval[1:]), 20.0),
        "ratio_of_means": (of_lengths(lambda one, other: Ratio.of(one, other).interval()[1:]), 90 / 70),
        "cliffs_delta": (delta, 0.0),
        "ratio_of_medians": (medians, 2.0),
    }


def speed(machine: Any) -> Figures:
    """The statistics of two batches of 20,000 games, without the playing."""
    from simulator.engine.family import family
    from simulator.engine.playout import play_block
    from simulator.rulesets import find
    from simulator.statistics.compared import ComparisonTerms, PlayedBatch, compare

    rulesets = [find(name) for name in ("hat-diviyan-keliya-ludovisi", "hat-diviyan-keliya-ludii")]
    kind, parameters = family("points"), rulesets[0].parameters
    played = [
        PlayedBatch(play_block(ruleset, ("random",) * 2, 1, 0, 20_000, 2_000, "game"), 2_000) for ruleset in rulesets
    ]
    terms = ComparisonTerms(kind.named_measures(parameters), 2, kind.naming(parameters), MARGINS, seed=1)
    begun = time.perf_counter()
    compare(played, terms)
    figures: Figures = {"games": 20_000, "seconds": round(time.perf_counter() - begun, 2)}
    demand(figures["seconds"] < 2, "the statistics take too long", figures)
    return figures


PROOFS: dict[str, Callable[[Any], Figures]] = {
    "claims": claims,
    "compare-independent-seeds": independent_seeds,
    "compare-planted": planted,
    "compare-coverage": comparison_coverage,
    "compare-speed": speed,
    "sensitivity": sensitivity,
}

if __name__ == "__main__":
    sys.exit(run(PROOFS, sys.argv[1:]))
