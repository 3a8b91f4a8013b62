"""Testing claims: the batches their tests need, and the verdicts that are written down when these are done.

Verdicts need scipy, so only commands and workers test claims; pages show what was written. The same batches give the
same verdicts, so testing again changes nothing.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from django.db import transaction

from catalogue.claims import checking, definitions, solved, witnesses
from catalogue.claims.definitions import ClaimTest
from catalogue.claims.figures import VERDICTS_VERSION, Finding, Games, finding, names_of_columns
from catalogue.models import Claim, Verdict
from catalogue.texts.outcomes import Outcome
from simulator import rulesets
from simulator.batches.requests import BOUNDS, BatchRequest, check_request
from simulator.batches.rows import Rows, kept_rows, uncounted
from simulator.batches.service import MOST_GAMES_WITH_ROWS, request_all
from simulator.engine.family import family
from simulator.engine.ruleset import Problem, Ruleset, alike
from simulator.models import Batch
from simulator.problems import WrongRequest, whole_number
from simulator.strength import solutions

DEFAULT_GAMES, DEFAULT_SEED = 20_000, 1
DEMO_GAMES = 2_000


Which = Callable[[Claim, Any], bool]
RowsOf = Callable[[BatchRequest], Iterable[Rows]]  # of all games of a batch in order, part after part
SolutionOf = Callable[[Ruleset], dict[str, Any] | None]  # the document of one by looking at every position


@dataclass(frozen=True, slots=True)
class Trial:
    """One test of a claim and the games it is put to.

    requests: two if it compares two rulesets; none for a solution, which needs the one `ruleset` solved, or a witness,
              which is one game of it
    """

    claim: Claim
    number: int
    test: ClaimTest
    requests: tuple[BatchRequest, ...]
    ruleset: Ruleset

    @property
    def needs_a_solution(self) -> bool:
        return self.test.kind == definitions.SOLUTION


def played_by_random(claim: Claim, test: Any) -> bool:
    """A claim about how the rules behave."""
    return claim.judged_by == Claim.JudgedBy.RANDOM and not definitions.needs(test)


def soon_decided(claim: Claim, test: Any) -> bool:
    """One by random players, by greedy ones, who look one turn ahead, or by a solution: none of these takes long."""
    return decided(claim, test) and (definitions.is_of_quick_players(test) or test["kind"] == definitions.SOLUTION)


def decided(claim: Claim, test: Any) -> bool:
    """That, or a claim about good play that names players who think: random play decides nothing of it."""
    if definitions.needs(test):
        return False
    return played_by_random(claim, test) or definitions.is_played_by_thinkers(test)


def every(claim: Claim, test: Any) -> bool:
    """Also those of good play that no player here can decide, to see what random players do."""
    return True


def trials(
    of_claims: Iterable[Claim],
    *,
    games: int | str = DEFAULT_GAMES,
    seed: int | str = DEFAULT_SEED,
    which: Which = decided,
) -> list[Trial]:
    """Every test that games can decide; raises WrongRequest with everything that is wrong.

    which: those of the tests of a claim, `played_by_random` for instance, that take seconds
    """
    wanted = [one for one in of_claims if one.judged_by != Claim.JudgedBy.NOTHING]
    tests = [
        (claim, number, test)
        for claim in wanted
        for number, test in enumerate(claim.tests, start=1)
        if which(claim, test)
    ]
    found = _rulesets(test for _, _, test in tests)
    wrong = [
        Problem(f"{claim}, test {number}", message)
        for claim, number, test in tests
        for message in checking.problems(test, found)
    ]
    if wrong:
        raise WrongRequest(wrong)
    return [_trial(claim, number, definitions.read(test), found, games, seed) for claim, number, test in tests]


def _rulesets(tests: Iterable[Any]) -> dict[str, Ruleset]:
    """Those that the tests name; in place of a name that none has, the one that looks most like it."""
    known = rulesets.known_names()
    names = {near for name in definitions.names_in(tests) for near in alike(name, known, least=0)}
    return {name: rulesets.find(name) for name in names}


def _trial(
    claim: Claim, number: int, test: ClaimTest, known: dict[str, Ruleset], games: int | str, seed: int | str
) -> Trial:
    first = test.sides[0].ruleset(known)
    if test.kind in (definitions.SOLUTION, definitions.WITNESS):
        return Trial(claim, number, test, (), first)
    number_of_games = whole_number("games", games, *BOUNDS["games"])
    wanted: dict[str, Any] = {"games": test.games(number_of_games), "players": test.players}
    requests = tuple(
        check_request(side.ruleset(known), seed=seed, cap=test.cap, until=test.until, **wanted) for side in test.sides
    )
    if requests[0].games > MOST_GAMES_WITH_ROWS:
        message = f"claims are judged by single games, which are kept of at most {MOST_GAMES_WITH_ROWS:,}"
        raise WrongRequest([Problem("games", message, MOST_GAMES_WITH_ROWS)])
    return Trial(claim, number, test, requests, first)


def not_judged(wanted: Iterable[Trial]) -> list[Trial]:
    """Those on which no verdict is kept, or one of another test, or one as verdicts were made before."""
    rows = Verdict.objects.filter(version__gte=VERDICTS_VERSION)
    tests = {(row.claim_id, row.number): row.test for row in rows.only("claim_id", "number", "test")}
    return [one for one in wanted if tests.get((one.claim.pk, one.number)) != one.claim.tests[one.number - 1]]


def request_batches(wanted: Sequence[Trial], *, announce: bool, origin: str = Batch.Origin.COMMAND) -> list[Batch]:
    """The batches of the trials, each once; those that do not exist yet are asked for."""
    requests = {request.id: request for trial in wanted for request in trial.requests}
    return request_all(requests.values(), announce=announce, origin=origin)


@transaction.atomic
def write_verdicts(wanted: Sequence[Trial]) -> list[Verdict]:
    """The verdict of each trial whose batches are done. What says the same as before is not written anew."""
    ids = {request.id for trial in wanted for request in trial.requests}
    done = set(Batch.objects.filter(id__in=ids, state=Batch.State.DONE, rows_kept=True).values_list("id", flat=True))
    stored = {
        (row.claim_id, row.number): row for row in Verdict.objects.filter(claim__in={one.claim for one in wanted})
    }
    verdicts = []
    for trial in (one for one in wanted if all(request.id in done for request in one.requests)):
        fields = said_of(trial, _kept, _solution)
        if fields is None:
            continue
        row = stored.pop((trial.claim.pk, trial.number), None) or Verdict(claim=trial.claim, number=trial.number)
        if row.pk is None or any(getattr(row, name) != value for name, value in fields.items()):
            for name, value in fields.items():
                setattr(row, name, value)
            row.save()
        verdicts.append(row)
    for (_, number), row in stored.items():
        if number > len(row.claim.tests):
            row.delete()
    return verdicts


def run_tests(wanted: Sequence[Trial], play_to_end: Callable[[list[Batch]], None], **how: Any) -> list[Verdict]:
    """Ask for the batches, see them done, solve what has to be solved, and write the verdicts.

    play_to_end: returns when all batches are done, or raises; how: as `request_batches` takes it
    """
    play_to_end(request_batches(wanted, **how))
    for ruleset in {trial.ruleset.hash: trial.ruleset for trial in wanted if trial.needs_a_solution}.values():
        if _solution(ruleset) is None:
            solutions.solve_and_keep(ruleset)
    return write_verdicts(wanted)


def said_of(trial: Trial, rows_of: RowsOf, solution_of: SolutionOf) -> dict[str, Any] | None:
    """What a verdict on the trial says, as its row has it; None if its ruleset was not solved."""
    found = _finding(trial, rows_of, solution_of)
    return None if found is None else _fields(trial, *found)


def _finding(trial: Trial, rows_of: RowsOf, solution_of: SolutionOf) -> tuple[Finding, str] | None:
    """What the games of a trial say, or the solution of its ruleset; None if that was not solved.

    The text beside it is that of a witness's moves, and empty otherwise.
    """
    if trial.requests:
        return finding(trial.test, [_games(request, trial.test, rows_of) for request in trial.requests]), ""
    if not trial.needs_a_solution:
        return witnesses.answer(trial.test, trial.ruleset)
    document = solution_of(trial.ruleset)
    if document is None:
        return None
    if wrong := solved.problems(trial.test, document):
        raise WrongRequest(Problem(f"{trial.claim}, test {trial.number}", message) for message in wrong)
    return solved.answer(trial.test, document), ""


def _fields(trial: Trial, found: Finding, moves: str) -> dict[str, Any]:
    """What a verdict's row says; for a solution no game was played, for a witness one."""
    test, figure = trial.claim.tests[trial.number - 1], found.figure
    played: dict[str, Any] = {"players": "", "games": 0, "seed": 0, "cap": 0, "until": trial.test.until}
    if trial.requests:
        played = {name: getattr(trial.requests[0], name) for name in played}
        played["players"] = ",".join(trial.requests[0].players)
    elif not trial.needs_a_solution:
        played |= {"players": trial.test.players, "games": 1, "seed": trial.test.seed, "cap": trial.test.cap}
    return {
        "test": test,
        "verdict": str(found.outcome if decided(trial.claim, test) else Outcome.UNDECIDED),
        "text": found.text,
        "figure": figure.value,
        **{name: getattr(figure, name) for name in ("least", "most", "low", "high")},
        "n": figure.games,
        "counts": dict(figure.counts),
        "batches": [request.id for request in trial.requests],
        **played,
        "moves": moves,
        "version": VERDICTS_VERSION,
    }


def _solution(ruleset: Ruleset) -> dict[str, Any] | None:
    """The one that is kept here."""
    found = solutions.solution_of(ruleset, ruleset.hash)
    return None if found is None or found.is_outdated else complete_solution(found.document)


def complete_solution(document: dict[str, Any] | None) -> dict[str, Any] | None:
    """Only that by looking at every position judges a claim."""
    return document if document and document["method"] == "retrograde" else None


def _kept(request: BatchRequest) -> Iterator[Rows]:
    """The rows of a batch with all columns there are; games whose batch lacks some of them are played again."""
    batch = Batch.objects.select_related("ruleset").defer("tally", "summary").get(id=request.id)
    if uncounted(batch):
        from simulator.batches.playing import blocks  # brings the compiled engine
        from simulator.batches.processor_time import Allowance

        return blocks(request, 0, request.games, lambda: True, Allowance())
    return (rows for _, rows in kept_rows(batch))


def _games(request: BatchRequest, test: ClaimTest, rows_of: RowsOf) -> Games:
    """The columns that the test looks at, of all games of the batch."""
    measures = family(request.ruleset.family).named_measures(request.ruleset.parameters)
    names = names_of_columns(test, measures)
    places = [place for place, measure in enumerate(measures) if measure.name in names]
    rows = np.concatenate([part[:, places] for part in rows_of(request)])
    return Games(rows, [measures[place] for place in places], request.cap)
