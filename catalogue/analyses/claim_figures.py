"""Verdicts on tests of claims: from games to a figure, a verdict, and both in words.

The rows of its games decide a test, or, of the kinds that are exact, what `claim_proofs` finds without any figure. Of
games that are all of a few kinds nothing is concluded beyond the machines that play them: fewer than FEW kinds leave a
test undecided, whatever its figure, unless the claim is about the rules or a player draws lots. Only commands and
workers import these modules, which bring the statistics.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from catalogue.analyses import claim_definitions, claim_proofs
from catalogue.analyses.claim_definitions import ClaimTest, Condition, knows_its_kinds
from catalogue.analyses.claim_games import Games, Judgement, kind_of, names_of_columns
from catalogue.analyses.claim_trials import RowsOf, SolutionOf, Trial, decided, version_of
from catalogue.analyses.claim_verdicts import FEW, KINDS
from catalogue.models import Verdict
from simulator.batches.finalize import row_hashes
from simulator.batches.requests import BatchRequest
from simulator.engine.family import Measure, family
from simulator.engine.ruleset import Problem
from simulator.problems import WrongRequest
from simulator.statistics import bounded
from simulator.statistics.intervals import Interval
from simulator.statistics.rows import amount_text, change_text, decimals, percent_of, share_text


def judged(test: ClaimTest, games: Sequence[Games], *, few_decide: bool = False) -> Judgement:
    """The verdict of a test on the games of its sides: one, or two of as many games each.

    few_decide: whether games of few kinds decide it as well
    """
    found = _judged(test, games)
    kinds = _kinds(test, games)
    if kinds is None:
        return found
    figure = replace(found.figure, counts={**found.figure.counts, KINDS: kinds})
    return replace(found, figure=figure, kind=found.kind if kinds >= FEW or few_decide else Verdict.Kind.UNDECIDED)


def _kinds(test: ClaimTest, games: Sequence[Games]) -> int | None:
    """Return how many of the games differ in something that is counted, of two rulesets where there are fewer; pairs of
    games where pairs are looked at. None where it was not counted."""
    hashes = [side.hashes for side in games if side.hashes is not None]
    if len(hashes) < len(games):
        return None
    if test.kind == claim_definitions.DIFFERENCE:
        return len(np.unique(np.stack(hashes, axis=1), axis=0))
    if test.both_seats:
        return sum(len(np.unique(side)) for side in hashes)
    return min(len(np.unique(side)) for side in hashes)


def _judged(test: ClaimTest, games: Sequence[Games]) -> Judgement:
    first = games[0]
    if test.kind == claim_definitions.ALIKE:
        return _judged_alike(test, games)
    if test.kind == claim_definitions.SHARE:
        figure = _share(test, games)
        text = _share_words(figure, first, sum(side.count for side in games))
    elif test.kind == "mean":
        figure = bounded.bounded_mean(first.bounds(test.measure))
        text = _mean_words(figure, first.measures[test.measure], first)
    else:
        figure = bounded.bounded_difference(first.bounds(test.measure), games[1].bounds(test.measure))
        text = _difference_words(figure, first.measures[test.measure], first)
    met = test.demand.met(figure.low, figure.high)
    if figure.balance is not None and test.demand.met(*figure.balance) != met:
        met = None  # the games that were stopped could turn it
    return Judgement(kind_of(met), text, figure)


def _share(test: ClaimTest, games: Sequence[Games]) -> bounded.BoundedFigure:
    """Return the share over all batches of a test; where the players were exchanged the conditions are too."""
    conditions = [(test.among, test.of), *([(exchanged(test.among), exchanged(test.of))] if test.both_seats else [])]
    among, of = (
        bounded.joined(side.fulfil(both[place]) for side, both in zip(games, conditions, strict=True))
        for place in range(2)
    )
    return bounded.bounded_share(among, of)


def exchanged(conditions: Iterable[Condition]) -> tuple[Condition, ...]:
    """Return conditions on a game of two as they read with the players exchanged."""
    return tuple(
        replace(one, value=(0, 2, 1, 3)[int(one.value)]) if one.measure == "winners" else one for one in conditions
    )


def _judged_alike(test: ClaimTest, games: Sequence[Games]) -> Judgement:
    """Judge two shares by the same threshold; the figure is that of the first ruleset."""
    figures = [bounded.bounded_share(side.fulfil(test.among), side.fulfil(test.of)) for side in games]
    met = [test.demand.met(figure.low, figure.high) for figure in figures]
    words = [_share_words(figure, side, side.count) for figure, side in zip(figures, games, strict=True)]
    text = f"Under the first ruleset: {words[0]} Under the second: {words[1]}"
    return Judgement(kind_of(None if None in met else met[0] == met[1]), text, figures[0])


def _share_words(figure: bounded.BoundedFigure, games: Games, count: int) -> str:
    """count: of all games, those with the players exchanged among them"""
    open_ = figure.counts["open"] + figure.counts["outside"]
    if not figure.games and not open_:
        return f"None of the {count:,} games was of this kind, so there is nothing to judge by."
    if figure.value is not None and not open_:
        return f"{share_text(Interval(figure.value, figure.low, figure.high))} of {figure.games:,} games."
    stopped = f"our cap of {games.cap:,} turns stopped {open_:,} of {count:,} games that could still go either way"
    if figure.least is None or figure.most is None or figure.low is None or figure.high is None:
        return f"Not known: {stopped}."
    places = decimals(50 * (figure.high - figure.low), least=1)
    least, most, low, high = (f"{100 * one:.{places}f}" for one in (figure.least, figure.most, figure.low, figure.high))
    return f"{least} to {most} % ({low} to {high}): {stopped}."


def _mean_words(figure: bounded.BoundedFigure, measure: Measure, games: Games) -> str:
    if figure.least is None:
        return f"None of the {games.count:,} games tells."
    if figure.value is not None:
        mean = amount_text(Interval(figure.value, figure.low, figure.high), measure.unit)
        return f"{mean}, of {figure.games:,} games."
    share = percent_of(figure.counts["open"], games.count)
    high = None if figure.low is None else 2 * figure.least - figure.low
    least = amount_text(Interval(figure.least, figure.low, high), measure.unit)
    return f"At least {least}: our cap of {games.cap:,} turns stopped {share} of the games."


def _difference_words(figure: bounded.BoundedFigure, measure: Measure, games: Games) -> str:
    if figure.value is None:
        return f"None of the {games.count:,} pairs of games tells."
    kinds = ("more", "less", "same", "open", "stopped")
    pairs = sum(figure.counts[kind] for kind in kinds[:-1])
    more, less, same, open_, stopped = (percent_of(figure.counts[kind], pairs) for kind in kinds)
    mean = change_text(Interval(figure.value, figure.low, figure.high), measure.unit)
    words = f"{mean} on average. Of {pairs:,} pairs of games {more} have more under the first ruleset, {less} fewer"
    if not figure.counts["stopped"]:
        return f"{words}, {same} as many."
    cut = f"our cap of {games.cap:,} turns, up to which is counted, stopped a game in {stopped} of the pairs"
    return f"{words}, {same} as many, {open_} are open; {cut}."


def verdict_of(trial: Trial, rows_of: RowsOf, solution_of: SolutionOf) -> dict[str, Any] | None:
    """The columns of a verdict on the trial; None if its ruleset was not solved."""
    if trial.requests:
        counts_kinds = knows_its_kinds(trial.claim.tests[trial.number - 1])
        games = [_games(request, trial.test, rows_of, counts_kinds) for request in trial.requests]
        return _fields(trial, judged(trial.test, games, few_decide=trial.claim.about_rules))
    if not trial.needs_a_solution:
        return _fields(trial, *claim_proofs.EXACTLY[trial.test.kind](trial.test, trial.ruleset))
    document = solution_of(trial.ruleset)
    if document is None or not claim_proofs.fits(trial.test, document):
        return None
    if wrong := claim_proofs.wrong_moves(trial.test, document):
        raise WrongRequest(Problem(f"{trial.claim}, test {trial.number}", message) for message in wrong)
    return _fields(trial, claim_proofs.judged_by_solution(trial.test, document))


def _fields(trial: Trial, found: Judgement, moves: str = "") -> dict[str, Any]:
    """Return the fields of a verdict; what is exact has no game but a witness, which is one."""
    test, figure = trial.claim.tests[trial.number - 1], found.figure
    played: dict[str, Any] = {"players": "", "games": 0, "seed": 0, "cap": 0, "until": trial.test.until}
    if trial.requests:
        played = {name: getattr(trial.requests[0], name) for name in played}
        played["players"] = ",".join(trial.requests[0].players)
    elif trial.test.kind == claim_definitions.WITNESS:
        played |= {"players": trial.test.players, "games": 1, "seed": trial.test.seed, "cap": trial.test.cap}
    return {
        "test": test,
        "verdict": str(found.kind if decided(trial.claim, test) else Verdict.Kind.UNDECIDED),
        "text": found.text,
        "figure": figure.value,
        **{name: getattr(figure, name) for name in ("least", "most", "low", "high")},
        "n": figure.games,
        "counts": dict(figure.counts),
        "batches": [request.id for request in trial.requests],
        **played,
        "moves": moves,
        "version": version_of(test),
    }


def _games(request: BatchRequest, test: ClaimTest, rows_of: RowsOf, counts_kinds: bool) -> Games:
    """The columns that the test looks at, of all games of the batch."""
    measures = family(request.ruleset.family).named_measures(request.ruleset.parameters)
    names = names_of_columns(test, measures)
    places = [place for place, measure in enumerate(measures) if measure.name in names]
    parts = [(part[:, places], row_hashes(part) if counts_kinds else None) for part in rows_of(request)]
    rows = np.concatenate([part for part, _ in parts])
    hashes = np.concatenate([one for _, one in parts if one is not None]) if counts_kinds else None
    return Games(rows, [measures[place] for place in places], request.cap, hashes)
