"""How much visitors may request, and whose chunk is next.

Visitors are bounded in work, for each address in an hour and for all of them together. Work is the processor time that
games are expected to take (`prices`), in units of about a turn of random play.

Chunks are claimed by start-time fair queueing, so that nobody's many batches hold up another's small one. A chunk gets
a turn when its batch is written, and the lowest turn is claimed first. Turns are counted in expected work: a client's
chunks stand one after the other, from where the queue is now or from where the client's last one ends. So a new client
stands beside the first chunk of each other client. A visitor is one client by address; all of the staff are one. What
the site itself asks for (the demo, commands, editions) has a lane of its own, behind that of people.

Source: Goyal, P., Vin, H. M. & Cheng, H. 1996. Start-time fair queueing: a scheduling algorithm for integrated services
packet switching networks. SIGCOMM 1996: 157–168.
"""

import datetime
import time
from collections.abc import Iterable, Sequence
from typing import Any

from django.conf import settings
from django.core.cache import cache
from django.db.models import F, Max, Min, Q, QuerySet, Sum
from django.db.models.functions import Coalesce
from django.utils import timezone
from django.utils.crypto import salted_hmac

from simulator.batches import prices, versions
from simulator.batches.requests import BatchRequest
from simulator.engine.ruleset import Problem
from simulator.engine.ruleset import Ruleset as EngineRuleset
from simulator.models import Batch, Chunk, Reply, Ruleset
from simulator.problems import QueueFull, WrongRequest

LAST = 2**60  # turns end here: with the work of any one batch they still fit the database’s integers
PEOPLE = (Batch.Origin.VISITOR, Batch.Origin.EDITOR)
HOUR = datetime.timedelta(hours=1)
WAITING_SHARE = 20  # of what visitors' batches may ask for together, replies may: somebody sits before each
RULESETS_PER_HOUR, RULESETS_OF_AN_ADDRESS = 200, 40  # that are written because visitors play them, with no batch


def lane_of(origin: str) -> int:
    return Chunk.Lane.PEOPLE if origin in PEOPLE else Chunk.Lane.SITE


def first_turn(origin: str, visitor: str) -> int:
    """Return the turn from which on an asker's next batch stands. visitor: the keyed address, as a batch has it

    The queue is where its first chunk is that can be played here: what waits for another version does not hold it.
    """
    claimed, queued = Q(state=Chunk.State.CLAIMED), Q(state=Chunk.State.QUEUED)
    waiting = Chunk.objects.filter(versions.playable("batch__"), lane=lane_of(origin), batch__state=Batch.State.RUNNING)
    # The virtual time of the queue: the first turn that waits, else the last that is played, else the beginning.
    now = waiting.filter(queued).aggregate(turn=Min("turn"))["turn"]
    if now is None:
        now = waiting.filter(claimed).aggregate(turn=Max("turn"))["turn"] or 0
    own = waiting.filter(claimed | queued, batch__origin=origin, batch__visitor=visitor)
    # Where the client's last chunk ends: its turn, and the work of its games.
    end = F("turn") + F("games") * (F("batch__work") / F("batch__games"))
    return min(LAST, int(max(now, own.aggregate(end=Max(end))["end"] or 0)))


def hash_address(address: str) -> str:
    """Return a digest of an address that means nothing to anybody without this site's secret."""
    return salted_hmac("simulator.visitors", address, algorithm="sha256").hexdigest()[:32]


def most_games(ruleset: EngineRuleset, cap: int) -> int:
    """Return the most games of random play with that cap a visitor may ask for at once."""
    return max(1, settings.VISITOR_WORK_PER_HOUR * 1_000 // prices.work_of(ruleset, ("random",), 1_000, cap))


def admit(request: BatchRequest, address: str) -> None:
    """Raises WrongRequest if no visitor may ask for so much, QueueFull if this one has to wait."""
    if request.work > settings.VISITOR_WORK_PER_HOUR:
        raise WrongRequest([_too_much(request)])
    _admit_work(request.work, address)


def admit_together(requests: Sequence[BatchRequest], missing: Iterable[BatchRequest], address: str) -> None:
    """Admit requests for as many games of several rulesets, all or none; errors name how many may be requested.

    requests: all of them, at least one; missing: those whose games are not there yet
    """
    work, games, everything = _sum(missing), requests[0].games, _sum(requests) + len(requests)  # each was rounded
    if work > settings.VISITOR_WORK_PER_HOUR:
        most = settings.VISITOR_WORK_PER_HOUR * games // everything
        of = f"each of {len(requests):,} rulesets" if len(requests) > 1 else "a ruleset"
        message = f"visitors may ask for {most:,} games of {of} at once, not for {games:,}"
        raise WrongRequest.of("games", message, most or None)
    wait = _wait(Batch.objects.all(), address, work)
    # What is left is divided among the rulesets as the whole request was: proportionally to their work.
    if wait and (most := _left(address) * games // everything):
        now = f"Up to {most} games of each ruleset may be asked for now, more in {wait // 60 + 1} minutes."
        raise QueueFull(f"You have asked for many games within this hour. {now}", wait)
    _admit_work(work, address)


def _sum(requests: Iterable[BatchRequest]) -> int:
    return sum(request.work for request in requests)


def _admit_work(work: int, address: str) -> None:
    queued = Batch.objects.filter(origin=Batch.Origin.VISITOR, state=Batch.State.RUNNING)
    if _work(queued) + work > settings.VISITOR_WORK_QUEUED:
        raise QueueFull("The queue of visitors' batches is full. Please try again in a few minutes.", 300)
    if wait := _wait(Batch.objects.all(), address, work):
        again = f"Some are free again in {wait // 60 + 1} minutes."
        raise QueueFull(f"You have asked for as many games as one address may within an hour. {again}", wait)


def _work(rows: QuerySet[Batch] | QuerySet[Reply]) -> int:
    return rows.aggregate(work=Sum("work"))["work"] or 0


def _wait(rows: QuerySet[Batch] | QuerySet[Reply], address: str, work: int) -> int:
    """Return the seconds after which the address may ask for so much more; 0 if it may at once."""
    since = timezone.now() - HOUR
    own = asked_since(rows, since).filter(visitor=hash_address(address)).aggregate(work=Sum("work"), first=Min("asked"))
    if not own["first"] or own["work"] + work <= settings.VISITOR_WORK_PER_HOUR:
        return 0
    # Something is free again when the first request of this hour is an hour old.
    return int((own["first"] - since).total_seconds()) + 1


def _left(address: str) -> int:
    """Work that the address may still ask for now."""
    own = asked_since(Batch.objects.all(), timezone.now() - HOUR).filter(visitor=hash_address(address))
    return max(0, settings.VISITOR_WORK_PER_HOUR - _work(own))


def asked_since(rows: QuerySet[Any], since: datetime.datetime) -> QuerySet[Any]:
    """Return what was requested since then, or run on, which counts as requested (`asked`)."""
    asked = Coalesce("charged", "created") if rows.model is Batch else F("created")
    counted: QuerySet[Any] = rows.annotate(asked=asked)
    return counted.filter(asked__gte=since)


def _too_much(request: BatchRequest) -> Problem:
    """Return the problem of a request that no visitor may make, with fewer games, or shorter ones, as the nearest."""
    most = settings.VISITOR_WORK_PER_HOUR * request.games // request.work
    who = " between players who think so much" if request.uses_search else ""
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


def admit_ruleset(address: str) -> None:
    """Raises QueueFull if too many rulesets without batches were written of late, by this address or by all.

    What an address has written is counted in the cache: under the lock of rulesets, and from a full hour.
    """
    since = timezone.now() - HOUR
    fresh = Ruleset.objects.filter(created__gt=since, versions__isnull=True, batches__isnull=True)
    if fresh.count() >= RULESETS_PER_HOUR:
        raise QueueFull("Too many changed rulesets were taken up within the hour. Please try again later.", 600)
    hour, into = divmod(int(time.time()), int(HOUR.total_seconds()))
    key = f"rulesets:{hash_address(address)}:{hour}"
    written = cache.get(key, 0)
    if written >= RULESETS_OF_AN_ADDRESS:
        wait = int(HOUR.total_seconds()) - into
        message = f"{RULESETS_OF_AN_ADDRESS} changed rulesets an hour are taken up from one address."
        raise QueueFull(f"{message} Some are free again in {wait // 60 + 1} minutes.", wait)
    cache.set(key, written + 1, int(HOUR.total_seconds()))
