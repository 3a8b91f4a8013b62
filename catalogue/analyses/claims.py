"""Claims as conclusions: their tests run on the batches they need, and the verdicts written down when these are done.

Pages show what was written. The same batches give the same verdicts, so testing again changes nothing. `claim_figures`,
which brings the statistics, says what the games say.
"""

import datetime
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from celery import Task, shared_task
from django.conf import settings
from django.db import transaction

from catalogue.analyses.claim_trials import ClaimRequest, Trial, trials, version_of
from catalogue.models import Claim, Verdict
from simulator.analyses.protocol import LONGEST_WAIT, LOOKS, Document, Replays, ShippedKind
from simulator.batches import dispatch
from simulator.batches.prices import MICROSECONDS, UNITS, VISITOR, exceeded, span
from simulator.batches.requests import BatchRequest
from simulator.batches.rows import Rows, kept_rows, uncounted
from simulator.batches.service import request_all, request_together
from simulator.engine.ruleset import Ruleset
from simulator.models import Batch, Chunk
from simulator.problems import WrongRequest
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


@dataclass(frozen=True, slots=True)
class ClaimOffer:
    """The games that a claim waits for, as its page offers to have them played.

    trials: those without a verdict; requests: of their batches, each once
    is_played, games_done: whether all of them are played, and how many games are
    is_asked_for: whether they are being played
    """

    claim: Claim
    trials: tuple[Trial, ...]
    requests: tuple[BatchRequest, ...]
    is_asked_for: bool = False
    is_played: bool = False
    games_done: int = 0

    @property
    def games(self) -> int:
        return sum(request.games for request in self.requests)

    @property
    def work(self) -> int:
        return sum(request.work for request in self.requests)

    @property
    def time(self) -> str:
        """Processor time of all games, at the measured prices: "24.0 seconds"."""
        return span(self.work / UNITS / MICROSECONDS)

    @property
    def is_for_visitors(self) -> bool:
        """Whether a visitor may ask for all of it at once."""
        dear = any(
            True for one in self.requests for _ in exceeded(one.ruleset, one.players, one.games, one.cap, VISITOR)
        )
        return not dear and self.work <= settings.VISITOR_WORK_PER_HOUR


def offer_for(claim: Claim) -> ClaimOffer | None:
    """What would have to be played to judge a claim; None where nothing is left that games here can tell."""
    try:
        wanted = tuple(one for one in not_judged(trials([claim])) if one.requests)
    except WrongRequest:  # a test names what is not here any more, which its page says
        return None
    requests = tuple({request.id: request for trial in wanted for request in trial.requests}.values())
    if not requests:
        return None
    ids = [request.id for request in requests]
    states = dict(Batch.objects.filter(id__in=ids).order_by().values_list("id", "state"))
    is_played = len(states) == len(ids) and set(states.values()) == {Batch.State.DONE}
    is_asked_for = len(states) == len(ids) and set(states.values()) <= {Batch.State.RUNNING, Batch.State.DONE}
    done = Chunk.objects.filter(batch__in=ids, state=Chunk.State.DONE).values_list("games", flat=True)
    return ClaimOffer(claim, wanted, requests, is_asked_for, is_played, sum(done) if is_asked_for else 0)


def ask_for_games(offer: ClaimOffer, *, origin: str, visitor: str = "") -> None:
    """Have the games of an offer played by the ordinary queue, and the claim judged when they are.

    Raises WrongRequest or QueueFull, and has then written nothing.
    """
    request_together(offer.requests, origin=origin, visitor=visitor)
    queued = Chunk.objects.filter(batch__in=[one.id for one in offer.requests], state=Chunk.State.QUEUED)
    if waiting := queued.count():
        dispatch.notify_of_chunks(waiting)
    announce(offer.claim)


def announce(claim: Claim) -> bool:
    """Notify a worker that a claim is to be judged as soon as its games are played."""
    return dispatch.notify_of_analysis(JUDGE, str(claim.pk))


JUDGE = "catalogue.judge_claim"


@shared_task(name=JUDGE, bind=True)
def judge_when_played(task: Task, key: str, looks: int = 0) -> None:
    """Judge a claim if its games are played, else look again later; its page sends another message in time."""
    claim = Claim.objects.select_related("game").filter(pk=key).first()
    offer = offer_for(claim) if claim else None
    if offer is None:
        return
    if offer.is_played:
        write_verdicts(offer.trials)
    elif offer.is_asked_for and looks < LOOKS:
        wait = min(1 + looks / 4, LONGEST_WAIT)
        task.apply_async((key, looks + 1), countdown=wait, retry=False, ignore_result=True)


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
