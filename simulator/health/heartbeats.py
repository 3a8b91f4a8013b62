"""Workers say every few seconds that they live, and what they are: a row each, since rows are the truth."""

import datetime

from django.conf import settings
from django.db.models import QuerySet
from django.utils import timezone

from simulator.engine.family import FAMILY_NAMES, family
from simulator.models import Worker

FORGOTTEN = datetime.timedelta(days=1)  # after which a silent worker is no news any more
SHORTEST_SILENCE = datetime.timedelta(seconds=30)  # a busy database may hold a heartbeat up for so long


def silence() -> datetime.timedelta:
    """How long a worker may say nothing before it is taken for dead."""
    return max(SHORTEST_SILENCE, datetime.timedelta(seconds=4 * settings.HEALER_SECONDS))


def beat(name: str, queues: list[str], processes: int, started: datetime.datetime) -> None:
    """The worker of this name lives; who has been silent for long is forgotten."""
    now = timezone.now()
    Worker.objects.update_or_create(
        name=name,
        defaults={
            "queues": sorted(queues),
            "processes": processes,
            "versions": {one: family(one).version for one in FAMILY_NAMES},
            "started": started,
            "heartbeat": now,
        },
    )
    Worker.objects.filter(heartbeat__lt=now - FORGOTTEN).delete()


def stopped(name: str) -> None:
    """It ends as it was told to, and is missed by nobody."""
    Worker.objects.filter(name=name).delete()


def alive() -> QuerySet[Worker]:
    return Worker.objects.filter(heartbeat__gte=timezone.now() - silence())
