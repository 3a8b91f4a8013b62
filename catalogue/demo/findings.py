"""What the demo computes once its batches are there: comparisons, verdicts on claims, and the sensitivity of one game.

The comparisons use the demo batches and are computed by the workers; claims and the study need batches of their own.
What is kept already, as all of it is where the edition was loaded, is left as it is.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from catalogue.claims import testing
from catalogue.comparisons import service as comparing
from catalogue.comparisons.requests import check_comparison
from catalogue.models import Claim, Comparison, Reading, Study
from catalogue.sensitivity import plans, studies
from simulator import rulesets
from simulator.models import Batch, Solution
from simulator.strength import solutions

STUDIED, STUDY_GAMES = "niranchy", 2_000
SOLVED = "hat-diviyan-keliya"  # in all its readings: they are small


@dataclass(frozen=True, slots=True)
class RequestedFindings:
    """trials: of claims that are not judged yet; judged_before: how many more are
    study: the one to be computed, None if it is kept
    batches: those that are played for claims and the study; comparisons: ids of those that workers compute
    """

    trials: Sequence[testing.Trial]
    judged_before: int
    study: plans.Plan | None
    batches: list[Batch]
    comparisons: list[str]


def request_findings(chosen: Sequence[Batch], announce: bool = True) -> RequestedFindings:
    """Ask for all of it. chosen: the demo batches, which are done."""
    claims = Claim.objects.select_related("game")
    every = testing.trials(claims, games=testing.DEMO_GAMES, which=testing.soon_decided)
    trials = testing.not_judged(every)
    batches = testing.request_batches(trials, announce=announce, origin=Batch.Origin.DEMO)
    planned = plans.plan(STUDIED, games=STUDY_GAMES)
    study = None if plans.kept(planned) else planned
    if study:
        batches += plans.request_batches(study, announce=announce, origin=Batch.Origin.DEMO)
    comparisons = [one.id for one in _comparisons(chosen, announce)]
    return RequestedFindings(trials, len(every) - len(trials), study, batches, comparisons)


def _comparisons(chosen: Sequence[Batch], announce: bool) -> list[Comparison]:
    """Every game of several readings, compared on the games that stand beside its records."""
    one = chosen[0]
    wanted: dict[str, Any] = {"games": one.games, "seed": one.seed, "cap": one.cap, "until": one.until}
    played = {version.slug for batch in chosen for version in batch.ruleset.versions.all()}
    by_game: dict[int, list[str]] = {}
    for slug, game in Reading.objects.order_by("game__name", "position").values_list("slug", "game"):
        if slug in played:
            by_game.setdefault(game, []).append(slug)
    several = [slugs for slugs in by_game.values() if len(slugs) > 1]
    return [
        comparing.request_comparison(check_comparison(slugs, **wanted), announce=announce, origin=Batch.Origin.DEMO)
        for slugs in several
    ]


def waiting(requested: RequestedFindings) -> int:
    """How many comparisons are not computed yet."""
    return Comparison.objects.filter(id__in=requested.comparisons, state=Comparison.State.WAITING).count()


def conclude(requested: RequestedFindings) -> str:
    """Write the verdicts and the study, whose batches are done, and solve a game; says what there is now."""
    _solve()
    verdicts = testing.write_verdicts(requested.trials)
    if requested.study:
        studies.conclude(requested.study)
    solved = Solution.objects.filter(state=Solution.State.DONE).count()
    played = (
        f"{len(requested.batches)} batches were played for them" if requested.batches else "nothing was left to play"
    )
    return (
        f"{len(requested.comparisons)} comparisons of readings, {len(verdicts) + requested.judged_before} tests of "
        f"claims, {Study.objects.count()} studies of open questions, and {solved} rulesets solved; {played}."
    )


def _solve() -> None:
    """Solve every reading of the smallest game, unless that was done before."""
    slugs = list(Reading.objects.filter(game__slug=SOLVED).values_list("slug", flat=True))
    for slug in slugs:
        ruleset = rulesets.find(slug)
        solution = solutions.solution_of(ruleset, slug)
        if solution and (solution.document is None or solution.is_outdated):
            solutions.solve_and_keep(ruleset)
