"""The proofs of comparisons: nothing is found where there is nothing, what was planted is found, and intervals keep
their stated rate.
"""

import json
import time
from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np

from tests.proofs.running import Figures, demand

GAMES_OF_EACH = {"daramuti": 20_000}
USUAL_GAMES = 2_000
HONEST = ("niranchy-ludii", "hat-diviyan-keliya-ludovisi")
COMPARISONS, GAMES, CAP = 400, 400, 500
REPETITIONS, MEDIAN_REPETITIONS, SAMPLE = 4_000, 600, 400
MARGINS = {"shares": 0.02, "amounts": 0.05}


def compared(machine: Any) -> Figures:
    """Every game with several readings, compared; the plain sentences, the verdicts and the seconds."""
    from catalogue.models import Game

    figures: Figures = {}
    for name in ("kalah-reference", *HONEST, "saturankam-parker"):  # compiles what a worker would else have to
        machine.manage("simulate", name, "--games", "1", "--inline")
    with machine.worker(2):
        for game in Game.objects.prefetch_related("readings"):
            slugs = [reading.slug for reading in game.readings.order_by("position", "slug")]
            if len(slugs) < 2:
                continue
            games, begun = GAMES_OF_EACH.get(game.slug, USUAL_GAMES), time.perf_counter()
            words = ("compare", *slugs, "--games", str(games), "--seed", "1", "--json")
            document = json.loads(machine.manage(*words).stdout)
            measures = [measure for pair in document["pairs"] for measure in pair["measures"]]
            figures[game.slug] = {
                "comparison": document["comparison"],
                "sentences": [pair["sentence"] for pair in document["pairs"]],
                "pairing": [pair["pairing"] for pair in document["pairs"]],
                "verdicts": dict(Counter(measure["verdict"] for measure in measures)),
                "seconds": round(time.perf_counter() - begun, 1),
            }
            demand(len(document["pairs"]) == len(slugs) * (len(slugs) - 1) // 2, game.slug, figures)
    return figures


def same_games(machine: Any) -> Figures:
    """A ruleset against itself by one seed, and against one with a rule that cannot fire: exactly no difference."""
    cases = {
        "itself": ("daramuti-parker", "daramuti-parker", "--games", "1000"),
        "a rule that cannot fire": (
            "daramuti-parker", "--games", "1000", "--until", "round", "--set", "remainder_from_round=3",
        ),
    }  # fmt: skip
    figures: Figures = {}
    for name, words in cases.items():
        document = json.loads(machine.manage("compare", *words, "--inline", "--json").stdout)
        [pair] = document["pairs"]
        differences = {measure["difference"]["value"] for measure in pair["measures"]}
        figures[name] = {
            "rules that differ": [rule["key"] for rule in document["rules"]],
            "identical": pair["identical"]["count"],
            "differences": sorted(differences),
            "verdicts": dict(Counter(measure["verdict"] for measure in pair["measures"])),
        }
        alike = differences == {0} and pair["identical"]["count"] == pair["games"]
        demand(alike and "differs" not in figures[name]["verdicts"], name, figures)
    return figures


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


def coverage(machine: Any) -> Figures:
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
    played = [PlayedBatch(play_block(one, ("random",) * 2, 1, 0, 20_000, 2_000, "game"), 2_000) for one in rulesets]
    terms = ComparisonTerms(kind.named_measures(parameters), 2, kind.naming(parameters), MARGINS, seed=1)
    begun = time.perf_counter()
    compare(played, terms)
    figures: Figures = {"games": 20_000, "seconds": round(time.perf_counter() - begun, 2)}
    demand(figures["seconds"] < 2, "the statistics take too long", figures)
    return figures


PROOFS: dict[str, Callable[[Any], Figures]] = {
    "compare": compared,
    "compare-same-games": same_games,
    "compare-independent-seeds": independent_seeds,
    "compare-planted": planted,
    "compare-coverage": coverage,
    "compare-speed": speed,
}
