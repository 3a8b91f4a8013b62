"""How much visitors may ask for: bounded in work, for each address in an hour, and for all of them together.

Work is games x cap x budget of the players, the most turns that may have to be played.
"""

import datetime

from django.conf import settings
from django.db.models import Min, Sum
from django.utils import timezone
from django.utils.crypto import salted_hmac

from simulator.batch_requests import BatchRequest
from simulator.engine.ruleset import Problem
from simulator.models import Batch
from simulator.problems import QueueFull, WrongRequest

HOUR = datetime.timedelta(hours=1)


def keyed(address: str) -> str:
    """A digest of an address that means nothing to anybody without this site's secret."""
    return salted_hmac("simulator.visitors", address, algorithm="sha256").hexdigest()[:32]


def most_games(cap: int) -> int:
    """The most games of that cap a visitor may ask for at once."""
    return max(1, settings.VISITOR_WORK_PER_HOUR // max(1, cap))


def admit(request: BatchRequest, address: str) -> None:
    """Raises WrongRequest if no visitor may ask for so much, QueueFull if this one has to wait."""
    if request.work > settings.VISITOR_WORK_PER_HOUR:
        most = most_games(request.cap)
        message = f"visitors may ask for {most} games of up to {request.cap} turns at once, not for {request.games}"
        raise WrongRequest([Problem("games", message, most)])
    queued = Batch.objects.filter(origin=Batch.Origin.VISITOR, state=Batch.State.RUNNING)
    waiting = queued.aggregate(work=Sum("work"))["work"] or 0
    if waiting + request.work > settings.VISITOR_WORK_QUEUED:
        raise QueueFull("The queue of visitors' batches is full. Please try again in a few minutes.", 300)
    since = timezone.now() - HOUR
    own = Batch.objects.filter(visitor=keyed(address), created__gt=since).aggregate(
        work=Sum("work"), first=Min("created")
    )
    if (own["work"] or 0) + request.work > settings.VISITOR_WORK_PER_HOUR:
        wait = int((own["first"] - since).total_seconds()) + 1
        again = f"Some are free again in {wait // 60 + 1} minutes."
        raise QueueFull(f"You have asked for as many games as one address may within an hour. {again}", wait)
