"""Judging claims: the batches their tests need, and the verdicts that are written down when these are done.

Verdicts need scipy, so only commands and workers judge; pages show what was written. The same batches give the same
verdicts, so judging again changes nothing.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any

import numpy as np
from django.db import transaction

from catalogue.judgements import claims
from catalogue.judgements.claims import ClaimTest
from catalogue.judgements.figures import VERDICTS_VERSION, Games, Told, names_of_columns, told
from catalogue.judgements.verdicts import Outcome
from catalogue.models import Claim, Verdict
from simulator import rulesets
from simulator.batch_requests import BatchRequest, check_request
from simulator.batches import MOST_GAMES_WITH_ROWS, request_batch
from simulator.engine.family import family
from simulator.engine.ruleset import Problem, Ruleset
from simulator.models import Batch
from simulator.problems import WrongRequest
from simulator.rows import kept_rows

PLAYERS = "random"
DEFAULT_GAMES, DEFAULT_SEED = 20_000, 1
DEMO_GAMES = 2_000


@dataclass(frozen=True, slots=True)
class Trial:
    """One test of a claim and the games it is put to; two requests if it compares two rulesets."""

    claim: Claim
    number: int
    test: ClaimTest
    requests: tuple[BatchRequest, ...]


def trials(
    of_claims: Iterable[Claim],
    *,
    games: int | str = DEFAULT_GAMES,
    seed: int | str = DEFAULT_SEED,
    with_strong: bool = False,
) -> list[Trial]:
    """Every test that random players can be put to; raises WrongRequest with everything that is wrong.

    with_strong: also the tests that need players that play well, to see what random players do; they judge nothing
    """
    wanted = [one for one in of_claims if one.judged_by in _judges(with_strong)]
    tests = [(claim, number, test) for claim in wanted for number, test in enumerate(claim.tests, start=1)]
    found = _rulesets(test for _, _, test in tests)
    wrong = [
        Problem(f"{claim}, test {number}", told)
        for claim, number, test in tests
        for told in claims.problems(test, found)
    ]
    if wrong:
        raise WrongRequest(wrong)
    return [_trial(claim, number, claims.read(test), found, games, seed) for claim, number, test in tests]


def _judges(with_strong: bool) -> tuple[str, ...]:
    return (Claim.JudgedBy.RANDOM, Claim.JudgedBy.STRONG) if with_strong else (Claim.JudgedBy.RANDOM,)


def _rulesets(tests: Iterable[Any]) -> dict[str, Ruleset]:
    """Those that the tests name; in place of a name that none has, the one that looks most like it."""
    known = rulesets.known_names()
    names = {near for name in claims.names_in(tests) for near in get_close_matches(name, known, n=1, cutoff=0.0)}
    return {name: rulesets.find(name) for name in names}


def _trial(
    claim: Claim, number: int, test: ClaimTest, known: dict[str, Ruleset], games: int | str, seed: int | str
) -> Trial:
    requests = tuple(
        check_request(side.ruleset(known), games=games, seed=seed, players=PLAYERS, cap=test.cap, until=test.until)
        for side in test.sides
    )
    if requests[0].games > MOST_GAMES_WITH_ROWS:
        message = f"claims are judged by single games, which are kept of at most {MOST_GAMES_WITH_ROWS:,}"
        raise WrongRequest([Problem("games", message, MOST_GAMES_WITH_ROWS)])
    return Trial(claim, number, test, requests)


def batches_of(wanted: Sequence[Trial], *, announce: bool, origin: str = Batch.Origin.COMMAND) -> list[Batch]:
    """The batches of the trials, each once; those that do not exist yet are asked for."""
    requests = {request.id: request for trial in wanted for request in trial.requests}
    return [
        request_batch(
            request.ruleset,
            games=request.games,
            seed=request.seed,
            players=PLAYERS,
            cap=request.cap,
            until=request.until,
            announce=announce,
            origin=origin,
        )
        for request in requests.values()
    ]


@transaction.atomic
def write_verdicts(wanted: Sequence[Trial]) -> list[Verdict]:
    """The verdict of each trial whose batches are done. What says the same as before is not written anew."""
    asked = {request.id for trial in wanted for request in trial.requests}
    done = set(Batch.objects.filter(id__in=asked, state=Batch.State.DONE, rows_kept=True).values_list("id", flat=True))
    stored = {
        (row.claim_id, row.number): row for row in Verdict.objects.filter(claim__in={one.claim for one in wanted})
    }
    verdicts = []
    for trial in (one for one in wanted if all(request.id in done for request in one.requests)):
        row = stored.pop((trial.claim.pk, trial.number), None) or Verdict(claim=trial.claim, number=trial.number)
        fields = _fields(trial)
        if row.pk is None or any(getattr(row, name) != value for name, value in fields.items()):
            for name, value in fields.items():
                setattr(row, name, value)
            row.save()
        verdicts.append(row)
    for (_, number), row in stored.items():
        if number > len(row.claim.tests):
            row.delete()
    return verdicts


def judge(wanted: Sequence[Trial], see_done: Callable[[list[Batch]], None], **how: Any) -> list[Verdict]:
    """Ask for the batches, see them done, and write the verdicts.

    see_done: returns when all batches are done, or raises; how: as `batches_of` takes it
    """
    see_done(batches_of(wanted, **how))
    return write_verdicts(wanted)


def _fields(trial: Trial) -> dict[str, Any]:
    """What a verdict's row says. Random play decides nothing of a claim about good play."""
    said = _told(trial)
    first, figure = trial.requests[0], said.figure
    decides = trial.claim.judged_by == Claim.JudgedBy.RANDOM
    return {
        "test": trial.claim.tests[trial.number - 1],
        "verdict": str(said.outcome if decides else Outcome.UNDECIDED),
        "text": said.text,
        "figure": figure.value,
        "least": figure.least,
        "most": figure.most,
        "low": figure.low,
        "high": figure.high,
        "n": figure.games,
        "counts": dict(figure.counts),
        "batches": [request.id for request in trial.requests],
        "players": ",".join(first.players),
        "games": first.games,
        "seed": first.seed,
        "cap": first.cap,
        "until": first.until,
        "version": VERDICTS_VERSION,
    }


def _told(trial: Trial) -> Told:
    return told(trial.test, [_games(request, trial.test) for request in trial.requests])


def _games(request: BatchRequest, test: ClaimTest) -> Games:
    """The columns that the test looks at, of all games of the batch."""
    measures = family(request.ruleset.family).named_measures(request.ruleset.parameters)
    names = names_of_columns(test, measures)
    places = [place for place, measure in enumerate(measures) if measure.name in names]
    batch = Batch.objects.select_related("ruleset").defer("tally", "summary").get(id=request.id)
    rows = np.concatenate([rows[:, places] for _, rows in kept_rows(batch)])
    return Games(rows, [measures[place] for place in places], request.cap)
