"""How much visitors may ask for: bounded in work, for each address in an hour, and for all of them together.

Work is the processor time that games are expected to take (`prices`), in units of about a turn of random play.
"""

import datetime

from django.conf import settings
from django.db.models import Min, QuerySet, Sum
from django.utils import timezone
from django.utils.crypto import salted_hmac

from simulator.batches.ceilings import work_of
from simulator.batches.requests import BatchRequest
from simulator.engine.ruleset import Problem
from simulator.engine.ruleset import Ruleset as EngineRuleset
from simulator.models import Batch, Reply, Ruleset
from simulator.problems import QueueFull, WrongRequest

HOUR = datetime.timedelta(hours=1)
WAITING_SHARE = 20  # of what visitors' batches may ask for together, replies may: somebody sits before each
RULESETS_PER_HOUR = 200  # that are written because visitors play them, with no batch


def keyed(address: str) -> str:
    """A digest of an address that means nothing to anybody without this site's secret."""
    return salted_hmac("simulator.visitors", address, algorithm="sha256").hexdigest()[:32]


def most_games(ruleset: EngineRuleset, cap: int) -> int:
    """The most games of random play with that cap a visitor may ask for at once."""
    return max(1, settings.VISITOR_WORK_PER_HOUR * 1_000 // work_of(ruleset, ("random",), 1_000, cap))


def admit(request: BatchRequest, address: str) -> None:
    """Raises WrongRequest if no visitor may ask for so much, QueueFull if this one has to wait."""
    if request.work > settings.VISITOR_WORK_PER_HOUR:
        raise WrongRequest([_too_much(request)])
    queued = Batch.objects.filter(origin=Batch.Origin.VISITOR, state=Batch.State.RUNNING)
    if _work(queued) + request.work > settings.VISITOR_WORK_QUEUED:
        raise QueueFull("The queue of visitors' batches is full. Please try again in a few minutes.", 300)
    if wait := _wait(Batch.objects.all(), address, request.work):
        again = f"Some are free again in {wait // 60 + 1} minutes."
        raise QueueFull(f"You have asked for as many games as one address may within an hour. {again}", wait)


def _work(rows: QuerySet[Batch] | QuerySet[Reply]) -> int:
    return rows.aggregate(work=Sum("work"))["work"] or 0


def _wait(rows: QuerySet[Batch] | QuerySet[Reply], address: str, work: int) -> int:
    """Seconds after which the address may ask for so much more; 0 if it may at once."""
    since = timezone.now() - HOUR
    own = rows.filter(visitor=keyed(address), created__gt=since).aggregate(work=Sum("work"), first=Min("created"))
    if not own["first"] or own["work"] + work <= settings.VISITOR_WORK_PER_HOUR:
        return 0
    return int((own["first"] - since).total_seconds()) + 1


def _too_much(request: BatchRequest) -> Problem:
    """What to say of a request that no visitor may make: fewer games, or shorter ones if one is too much already."""
    most = settings.VISITOR_WORK_PER_HOUR * request.games // request.work
    who = " between players who think so much" if request.thinks else ""
    if most:
        message = (
            f"visitors may ask for {most} games of up to {request.cap} turns{who} at once, not for {request.games}"
        )
        return Problem("games", message, most)
    shortest = max(1, settings.VISITOR_WORK_PER_HOUR * request.games * request.cap // request.work)
    message = f"visitors may ask for one game of up to {shortest} turns{who}, not of {request.cap}"
    return Problem("cap", message, shortest)


def admit_reply(work: int, address: str) -> None:
    """Raises QueueFull if a visitor who plays against an engine has to wait. work: of the one turn it thinks about."""
    requested = Reply.objects.exclude(visitor="")
    waiting = _work(requested.filter(state=Reply.State.WAITING))
    if waiting and waiting + work > settings.VISITOR_WORK_QUEUED // WAITING_SHARE:
        raise QueueFull("Too many people wait for an engine's move. Please try again in a minute.", 60)
    if wait := _wait(requested, address, work):
        again = f"It thinks again in {wait // 60 + 1} minutes; a smaller budget lasts longer."
        raise QueueFull(f"An engine has thought for you as much as it may within an hour. {again}", wait)


def admit_ruleset() -> None:
    """Raises QueueFull if too many rulesets were written of late that nobody has asked for a batch of."""
    since = timezone.now() - HOUR
    fresh = Ruleset.objects.filter(created__gt=since, versions__isnull=True, batches__isnull=True)
    if fresh.count() >= RULESETS_PER_HOUR:
        raise QueueFull("Too many changed rulesets were taken up within the hour. Please try again later.", 600)
