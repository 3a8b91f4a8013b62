"""Trials of claims: which tests are run, and the batches that each needs, checked before any is played."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from catalogue.analyses import claim_checks, claim_definitions
from catalogue.analyses.claim_definitions import ClaimTest
from catalogue.models import Claim
from simulator import rulesets
from simulator.batches.requests import BOUNDS, BatchRequest, check_request, content_hash
from simulator.batches.rows import Rows
from simulator.batches.service import MOST_GAMES_WITH_ROWS
from simulator.engine.ruleset import Problem, Ruleset, alike
from simulator.problems import WrongRequest, whole_number

# Change when a verdict would come out differently from the same rows. Since 2 games of few kinds decide nothing, which
# games with a player who draws lots are not.
VERDICTS_VERSION, BEFORE_KINDS = 2, 1

DEFAULT_GAMES, DEFAULT_SEED = 20_000, 1
DEMO_GAMES = 2_000

Which = Callable[[Claim, Any], bool]
RowsOf = Callable[[BatchRequest], Iterable[Rows]]  # of all games of a batch in order, part after part
SolutionOf = Callable[[Ruleset], dict[str, Any] | None]  # the document of one by looking at every position


@dataclass(frozen=True, slots=True)
class Trial:
    """One test of a claim and the games it is put to.

    requests: two if it compares two rulesets or exchanges the players; none for what is decided without games, of the
              one `ruleset`
    """

    claim: Claim
    number: int
    test: ClaimTest
    requests: tuple[BatchRequest, ...]
    ruleset: Ruleset

    @property
    def needs_a_solution(self) -> bool:
        return self.test.kind == claim_definitions.SOLUTION


def played_by_random(claim: Claim, test: Any) -> bool:
    """Return whether it is a test of a claim that random play decides, about how the rules behave."""
    return claim.judged_by == Claim.JudgedBy.RANDOM and not claim_definitions.needs(test)


def soon_decided(claim: Claim, test: Any) -> bool:
    """Return whether random or greedy players, who look one turn ahead, or a solution decide it: that takes seconds."""
    is_quick = claim_definitions.is_of_quick_players(test) or claim_definitions.is_exact(test)
    return is_quick and decided(claim, test)


def version_of(test: Any) -> int:
    """Return the version of how a verdict on such a test is found."""
    return VERDICTS_VERSION if claim_definitions.knows_its_kinds(test) else BEFORE_KINDS


def decided(claim: Claim, test: Any) -> bool:
    """Return whether some player here can decide it. A claim about good play needs players who think."""
    if claim_definitions.needs(test):
        return False
    return played_by_random(claim, test) or claim_definitions.is_played_by_thinkers(test)


def every(claim: Claim, test: Any) -> bool:
    """All tests, with those of good play that no player here can decide, to see what random players do."""
    return True


def trials(
    of_claims: Iterable[Claim],
    *,
    games: int | str = DEFAULT_GAMES,
    seed: int | str = DEFAULT_SEED,
    which: Which = decided,
) -> list[Trial]:
    """Every test that games can decide; raises WrongRequest with everything that is wrong.

    which: chooses among the tests of a claim, `played_by_random` for instance
    """
    tests = [
        (claim, number, test)
        for claim in of_claims
        if claim.judged_by != Claim.JudgedBy.NOTHING
        for number, test in enumerate(claim.tests, start=1)
        if which(claim, test)
    ]
    found = _rulesets(test for _, _, test in tests)
    wrong = [
        Problem(f"{claim}, test {number}", message)
        for claim, number, test in tests
        for message in claim_checks.problems_of_test(test, found)
    ]
    if wrong:
        raise WrongRequest(wrong)
    return [_trial(claim, number, claim_definitions.read(test), found, games, seed) for claim, number, test in tests]


def _rulesets(tests: Iterable[Any]) -> dict[str, Ruleset]:
    """The rulesets that the tests name; in place of an unknown name, the known one most like it."""
    known = rulesets.known_names()
    names = {near for name in claim_definitions.names_in(tests) for near in alike(name, known, least=0)}
    return {name: rulesets.find(name) for name in names}


def _trial(
    claim: Claim, number: int, test: ClaimTest, known: dict[str, Ruleset], games: int | str, seed: int | str
) -> Trial:
    first = test.sides[0].ruleset(known)
    if test.kind in claim_definitions.EXACT:
        return Trial(claim, number, test, (), first)
    number_of_games = whole_number("games", games, *BOUNDS["games"])
    wanted: dict[str, Any] = {"games": test.games(number_of_games), "seed": seed, "cap": test.cap, "until": test.until}
    sides = [side.ruleset(known) for side in test.sides]
    if test.both_seats:
        sides *= 2
    requests = tuple(check_request(side, players=line, **wanted) for side, line in zip(sides, test.lines, strict=True))
    if requests[0].games > MOST_GAMES_WITH_ROWS:
        message = f"claims are judged by single games, which are kept of at most {MOST_GAMES_WITH_ROWS:,}"
        raise WrongRequest([Problem("games", message, MOST_GAMES_WITH_ROWS)])
    return Trial(claim, number, test, requests, first)


@dataclass(frozen=True, slots=True)
class ClaimRequest:
    """A claim to be judged by its tests, all those that some player here can decide."""

    claim: Claim
    trials: tuple[Trial, ...]

    @property
    def requests(self) -> tuple[BatchRequest, ...]:
        """The requests of every batch that the tests need, each once."""
        return tuple({request.id: request for trial in self.trials for request in trial.requests}.values())

    @property
    def id(self) -> str:
        """First 16 hex digits of the SHA-256 of what determines the verdicts."""
        batches = sorted(request.id for request in self.requests)
        content = {"claim": str(self.claim), "tests": self.claim.tests, "batches": batches}
        version = max(version_of(trial.claim.tests[trial.number - 1]) for trial in self.trials)
        return content_hash(**content, version=version)[:16]
