"""Claims as conclusions: their tests run on the batches they need, and the verdicts written down when these are done.

Pages show what was written. The same batches give the same verdicts, so testing again changes nothing. `claim_figures`,
which brings the statistics, says what the games say.
"""

import datetime
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from django.db import transaction

from catalogue.analyses.claim_trials import ClaimRequest, Trial, version_of
from catalogue.models import Claim, Verdict
from simulator.analyses.protocol import Document, Replays, ShippedKind
from simulator.batches.requests import BatchRequest
from simulator.batches.rows import Rows, kept_rows, uncounted
from simulator.batches.service import request_all
from simulator.engine.ruleset import Ruleset
from simulator.models import Batch
from simulator.strength import solutions

SHIPPED = (
    "number", "test", "verdict", "text", "figure", "least", "most", "low", "high", "n", "counts", "batches", "players",
    "games", "seed", "cap", "until", "moves", "version",
)  # fmt: skip
NOT_JUDGED = (0, 0)  # version and games


def not_judged(wanted: Iterable[Trial]) -> list[Trial]:
    """The trials without a verdict, or with one of another test or of an earlier version."""
    rows = Verdict.objects.only("claim_id", "number", "test", "version")
    tests = {(row.claim_id, row.number): row.test for row in rows if row.version >= version_of(row.test)}
    return [one for one in wanted if tests.get((one.claim.pk, one.number)) != one.claim.tests[one.number - 1]]


class ClaimKind(ShippedKind):
    """The verdicts on a claim as a conclusion that an edition ships."""

    plural, title, needs_rows = "claims", "Claims judged", True

    def shipped(self, request: ClaimRequest) -> Document:
        rows = run_tests(request.trials, lambda batches: None, announce=False)
        return _part(request, [{name: getattr(row, name) for name in SHIPPED} for row in rows])

    def keep(self, key: str, document: Document, moment: datetime.datetime) -> bool:
        """A verdict is kept if the claim still has its test, unless a newer version or as many games judged it here."""
        claim = Claim.objects.filter(game__slug=document["game"], slug=document["claim"]).first()
        if claim is None:
            return False
        tests = dict(enumerate(claim.tests, start=1))
        rows = (row for row in claim.verdicts.all() if row.test == tests.get(row.number))
        here = {row.number: (row.version, row.games) for row in rows}
        shipped = (verdict for verdict in document["verdicts"] if verdict["test"] == tests.get(verdict["number"]))
        new = [one for one in shipped if (one["version"], one["games"]) > here.get(one["number"], NOT_JUDGED)]
        claim.verdicts.filter(number__in=[verdict["number"] for verdict in new]).delete()
        Verdict.objects.bulk_create(Verdict(claim=claim, **verdict) for verdict in new)
        return bool(new)

    def recomputed(self, request: ClaimRequest, replays: Replays, document: Document) -> Document:
        from catalogue.analyses.claim_figures import verdict_of  # brings the statistics

        def rows_of(batch: BatchRequest) -> Iterable[Rows]:
            return replays[batch.id].rows

        def solution_of(ruleset: Ruleset) -> Document | None:
            kept = _solution(ruleset)
            # A proof by search or by chances is verified as the solution that it is, and takes minutes.
            return kept if kept and kept["method"] != "retrograde" else solutions.solved(ruleset)

        judged = ((trial.number, verdict_of(trial, rows_of, solution_of)) for trial in request.trials)
        return _part(request, [{"number": number, **fields} for number, fields in judged if fields is not None])


def _part(request: ClaimRequest, verdicts: list[Document]) -> Document:
    in_order = sorted(verdicts, key=lambda one: one["number"])
    return {"game": request.claim.game.slug, "claim": request.claim.slug, "verdicts": in_order}


CLAIMS = ClaimKind()


def request_batches(wanted: Sequence[Trial], *, announce: bool, origin: str = Batch.Origin.COMMAND) -> list[Batch]:
    """The batches of the trials, each once; those that do not exist yet are asked for."""
    requests = {request.id: request for trial in wanted for request in trial.requests}
    return request_all(requests.values(), announce=announce, origin=origin)


@transaction.atomic
def write_verdicts(wanted: Sequence[Trial]) -> list[Verdict]:
    """The verdict of each trial whose batches are done. A row that says the same as before is not written again."""
    from catalogue.analyses.claim_figures import verdict_of  # brings the statistics

    ids = {request.id for trial in wanted for request in trial.requests}
    done = set(Batch.objects.filter(id__in=ids, state=Batch.State.DONE, rows_kept=True).values_list("id", flat=True))
    rows = Verdict.objects.filter(claim__in={one.claim for one in wanted})
    stored = {(row.claim_id, row.number): row for row in rows}
    verdicts = []
    for trial in (one for one in wanted if all(request.id in done for request in one.requests)):
        fields = verdict_of(trial, _kept, _solution)
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
    to_solve = [one for one in wanted if one.needs_a_solution and not one.test.chooses]
    for ruleset in {trial.ruleset.hash: trial.ruleset for trial in to_solve}.values():
        if _solution(ruleset) is None:
            solutions.solve_and_keep(ruleset)
    return write_verdicts(wanted)


def _solution(ruleset: Ruleset) -> dict[str, Any] | None:
    found = solutions.solution_of(ruleset, ruleset.hash)
    return None if found is None or found.is_outdated else found.document


def _kept(request: BatchRequest) -> Iterator[Rows]:
    """The rows of a batch with all columns there are; games of a batch that lacks some of them are played again."""
    batch = Batch.objects.select_related("ruleset").defer("tally", "summary").get(id=request.id)
    if uncounted(batch):
        from simulator.batches.playing import (
            Allowance,
            blocks,  # brings the compiled engine
        )

        return blocks(request, 0, request.games, lambda: True, Allowance())
    return (rows for _, rows in kept_rows(batch))
