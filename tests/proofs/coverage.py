"""The proof of how sure figures are: intervals of games of few kinds, and that nothing is found where there is nothing.

    python -m tests.proofs.coverage [NAME…]

few-kinds: machines that play few kinds of games; the intervals of samples hold what each of them really does as often
as is stated, made up and with real players. null-games: 200 games whose readings do not differ, on four levels with
second players; at most one in twenty has a finding, or a difference shown over the levels; where the farthest of many
is taken by its own interval, as it once was, there are more. null-comparisons: the same of 200 comparisons by two
players. own-searches: 200 games that are one game under three names, each played by a search of its own: no difference
is told.

Without names all of them. Exit status 1 if a proof failed. It takes some minutes.
"""

import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from types import SimpleNamespace
from typing import Any
from unittest import mock

import numpy as np

from tests.proofs.running import Figures, demand, run

GAMES_PROVED, RATE, STATED = 200, 0.05, 0.95
ABOUT = 0.02  # what the coverage of a sample of samples may lack
KINDS, SAMPLES, MACHINES = (1, 2, 3, 5, 10, 20, 49), (12, 93, 390), 4_000
REAL = {"niranchy-dlp": "game", "niranchy-ludii": "game", "walak-pussa-ludii": "round"}  # greedy: few kinds of games
REAL_GAMES, REAL_SAMPLE = 37_200, 93
# Games of each reading on each level, as the edition has them; who thinks has a second player.
PLAYED = {"random": 20_000, "greedy": 1_000, "club": 390, "club-second": 390, "strong": 93, "strong-second": 93}
THINKING = {"club", "strong"}
READINGS = ("a", "b", "c")
ENDS = (("won-0", "won by the x (first player)"), ("won-1", "won by the y (second player)"), ("draw", "drawn"),
        ("open", "never ended"))  # fmt: skip
COMPARED_GAMES = 300


def few_kinds(machine: Any) -> Figures:
    """The interval of a share tells how well that of just this machine is known, of however few kinds its games are."""
    figures = {"made_up": made_up_machines(MACHINES), "real": real_machines()}
    for name, coverage in {**figures["made_up"], **figures["real"]}.items():
        demand(coverage >= STATED - ABOUT, f"{name}: the stated coverage does not hold", figures)
    return figures


def made_up_machines(number: int) -> dict[str, float]:
    """The coverage of Wilson's interval over machines of so many kinds, each won or not, of games of every number."""
    from simulator.statistics.intervals import share

    draw = np.random.default_rng(1)
    found = {}
    for kinds in KINDS:
        for games in SAMPLES:
            held = 0
            for _ in range(number):
                often, is_won = draw.dirichlet([0.7] * kinds), draw.integers(2, size=kinds)
                played = draw.multinomial(games, often)
                low, high = share(int(played @ is_won), games).limits
                held += low - 1e-9 <= float(often @ is_won) <= high + 1e-9
            found[f"{kinds} kinds, {games} games"] = held / number
    return found


def real_machines() -> dict[str, float]:
    """The same of greedy players: samples of their games against what they do in all of them."""
    from simulator.batches.finalize import FEW, variety
    from simulator.engine import playout, shipped
    from simulator.statistics.intervals import newcombe, share

    found, by_name = {}, {}
    for name, until in REAL.items():
        rows = playout.play_block(shipped.load(name), ("greedy", "greedy"), 1, 0, REAL_GAMES, 2_000, until)
        demand(variety([rows])["different"] < FEW, f"{name} is of many kinds", {})
        won = (rows[:, 1] == 1).reshape(-1, REAL_SAMPLE)
        held = [low <= won.mean() <= high for low, high in (share(int(one.sum()), REAL_SAMPLE).limits for one in won)]
        found[name], by_name[name] = float(np.mean(held)), won
    first, second = (by_name[name] for name in list(REAL)[:2])
    gaps = [
        newcombe(share(int(other.sum()), REAL_SAMPLE), share(int(one.sum()), REAL_SAMPLE)).limits
        for one, other in zip(first, second, strict=True)
    ]
    found["the difference of two"] = float(np.mean([low <= second.mean() - first.mean() <= high for low, high in gaps]))
    return found


def level_bars(draw: Any, level: str, chances: dict[str, Sequence[float]]) -> tuple[Any, ...]:
    """The bars of the readings on a level. chances: of each end, by reading"""
    from tests.catalogue.planted_bars import read

    bars = []
    for slug, chance in chances.items():
        shares = draw.multinomial(PLAYED[level], chance) / PLAYED[level]
        parts = [(kind, title, float(part)) for (kind, title), part in zip(ENDS, shares, strict=True)]
        bar = read(slug, *parts, games=PLAYED[level])
        bars.append(replace(bar, outcomes=replace(bar.outcomes, unfinished=float(shares[-1]))))
    return tuple(bars)


def null_game(seed: int) -> list[tuple[Any, dict[int, tuple[Any, ...]]]]:
    """A game whose readings come to the same under each player, and to something else under another."""
    from catalogue.outcomes.figure import FigureLevel

    draw = np.random.default_rng(seed)
    levels = []
    for level in PLAYED:
        chance = draw.dirichlet([6, 6, 1, 1])
        levels.append((FigureLevel(level, level, level), {1: level_bars(draw, level, dict.fromkeys(READINGS, chance))}))
    return levels


def own_searches(seed: int) -> list[tuple[Any, dict[int, tuple[Any, ...]]]]:
    """One game under three names; on a level that thinks each name has a search of its own."""
    from catalogue.outcomes.figure import FigureLevel

    draw = np.random.default_rng(seed)
    levels = []
    for level in PLAYED:
        thinks = level not in ("random", "greedy")
        one = draw.dirichlet([6, 6, 1, 1])
        chances = {slug: draw.dirichlet([2, 2, 1, 1]) if thinks else one for slug in READINGS}
        bars = level_bars(draw, level, chances)
        if thinks:
            bars = tuple(
                replace(
                    bar, batch=SimpleNamespace(**{**vars(bar.batch), "players": f"uct:{10 + place},uct:{10 + place}"})
                )
                for place, bar in enumerate(bars)
            )
        levels.append((FigureLevel(level, level, level), {1: bars}))
    return levels


def findings_of(levels: list[tuple[Any, dict[int, tuple[Any, ...]]]], by_itself: bool = False) -> Iterator[Any]:
    """The findings of a game, as the page has them. by_itself: by the interval of the farthest alone, and one player"""
    from catalogue.findings.compared import Played, compared
    from catalogue.findings.gathered import _played
    from simulator.batches.levels import FIRSTS
    from tests.catalogue.planted_bars import GAME

    played = _played(levels)
    for level, by_game in levels:
        if level.key not in FIRSTS:
            one = Played(by_game[1]) if by_itself else played[1, level.key]
            if found := compared(GAME, one, level):
                yield found


def with_findings(games: Sequence[Any], by_itself: bool = False) -> int:
    """How many of the games have a finding, where every difference matters: the margin is nought."""
    from catalogue.findings import compared as module

    with mock.patch.object(module, "MARGIN", 0.0):
        return sum(any(True for _ in findings_of(levels, by_itself)) for levels in games)


def shown_over_levels(games: Sequence[Any]) -> int:
    """How many of the games have a difference that is shown on some level, or said to depend on who plays."""
    from catalogue.findings.over_levels import over_levels
    from simulator.statistics.over_levels import OverLevels

    said = 0
    for levels in games:
        found = over_levels(levels)[1]
        said += any(any(one.judged.shown) or one.verdict == OverLevels.WHO for one in found)
    return said


def null_games(machine: Any) -> Figures:
    """Hardly a game whose readings do not differ has a finding, or a difference over the levels."""
    games = [null_game(seed) for seed in range(GAMES_PROVED)]
    figures = {
        "games": len(games),
        "with_a_finding": with_findings(games),
        "with_one_by_the_interval_of_the_farthest_alone": with_findings(games, by_itself=True),
        "with_a_difference_over_the_levels": shown_over_levels(games),
    }
    demand(figures["with_a_finding"] <= RATE * len(games), "findings of what is not there", figures)
    demand(figures["with_a_difference_over_the_levels"] <= RATE * len(games), "differences shown without any", figures)
    before = figures["with_one_by_the_interval_of_the_farthest_alone"]
    demand(before > RATE * len(games), "the proof would not notice a ranking without a correction", figures)
    return figures


def of_searches(games: Sequence[Any]) -> dict[str, int]:
    """How many of the games have a difference on a level that thinks: a finding, one over the levels, and as it was."""
    from catalogue.findings import compared as module
    from catalogue.findings.over_levels import over_levels

    with mock.patch.object(module, "MARGIN", 0.0):
        found = [[one.level for one in findings_of(levels)] for levels in games]
        with mock.patch.object(module, "by_same_players", return_value=True):
            before = [[one.level for one in findings_of(levels, by_itself=True)] for levels in games]
    over = [[level.level for one in over_levels(levels)[1] for level in one.judged.levels] for levels in games]
    names = ("findings", "over_the_levels", "findings_as_it_was")
    return {
        name: sum(bool(THINKING & set(levels)) for levels in some)
        for name, some in zip(names, (found, over, before), strict=True)
    }


def unlike_players(machine: Any) -> Figures:
    """One game under three names, each by its own search: no difference is told; as it was, one is in most."""
    games = [own_searches(seed) for seed in range(GAMES_PROVED)]
    figures = {"games": len(games), **of_searches(games)}
    demand(figures["findings"] == figures["over_the_levels"] == 0, "players are told as rules", figures)
    demand(figures["findings_as_it_was"] > len(games) / 2, "the searches do not differ", figures)
    return figures


def null_comparison(seed: int) -> tuple[set[str], set[str], int]:
    """The verdicts of the first player by himself, those of both, and how many p-values lie below 5 % uncorrected."""
    from simulator.engine.families.sowing.measures import MEASURES
    from simulator.engine.naming import PLAIN
    from simulator.statistics.compared import ComparisonTerms, PlayedBatch, compare, of_two_players
    from tests.simulator.synthetic_games import random_rows

    margins = {"shares": 0.02, "amounts": 0.05}
    terms = ComparisonTerms(MEASURES, 2, PLAIN, margins, seed=1, resamples=50)  # no verdict rests on these
    rows = [random_rows(COMPARED_GAMES, seed=4 * seed + place) for place in range(4)]
    first, second = (compare([PlayedBatch(one, 120) for one in some], terms) for some in (rows[:2], rows[2:]))
    of_two_players(first, second)
    measures = first[0]["measures"]
    raw = sum((measure["p"] or 1.0) < RATE for measure in measures if measure["p"] is not None)
    return {one["alone"] for one in measures}, {one["verdict"] for one in measures}, raw


def null_comparisons(machine: Any) -> Figures:
    """Hardly a comparison of rulesets that play alike says that something differs, or depends on who plays."""
    found = [null_comparison(seed) for seed in range(GAMES_PROVED)]
    figures = {
        "comparisons": len(found),
        "that_differ_with_the_first_player": sum("differs" in alone for alone, _, _ in found),
        "that_differ": sum("differs" in both for _, both, _ in found),
        "that_depend_on_who_plays": sum("depends on who plays" in both for _, both, _ in found),
        "that_differ_without_a_correction": sum(raw > 0 for *_, raw in found),
    }
    for name in ("that_differ", "that_differ_with_the_first_player", "that_depend_on_who_plays"):
        demand(figures[name] <= RATE * len(found), f"{name}: comparisons find what is not there", figures)
    demand(figures["that_differ_without_a_correction"] > RATE * len(found), "nothing was to be corrected", figures)
    return figures


PROOFS = {
    "few-kinds": few_kinds,
    "null-games": null_games,
    "null-comparisons": null_comparisons,
    "own-searches": unlike_players,
}

if __name__ == "__main__":
    sys.exit(run(PROOFS, sys.argv[1:]))
