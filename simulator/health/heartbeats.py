"""Workers say every few seconds that they live, and what they are: a row each, since rows are the truth."""

import datetime

from django.db import connection
from django.utils import timezone

from simulator.batches.versions import installed, release, revision
from simulator.models import Worker

FORGOTTEN = datetime.timedelta(days=1)  # after which a silent worker is no news any more
silence, alive = Worker.silence, Worker.alive


def beat(name: str, queues: list[str], processes: int, started: datetime.datetime) -> None:
    """The worker of this name lives; who has been silent for long is forgotten."""
    now = timezone.now()
    Worker.objects.update_or_create(
        name=name,
        defaults={
            "queues": sorted(queues),
            "processes": processes,
            "versions": installed(),
            "release": f"{release()} {revision()}".strip(),
            "ahead": seconds_ahead(),
            "started": started,
            "heartbeat": now,
        },
    )
    Worker.objects.filter(heartbeat__lt=now - FORGOTTEN).delete()


def stopped(name: str) -> None:
    """Forget a worker that ends as it was told to, so that nobody misses it."""
    Worker.objects.filter(name=name).delete()


def seconds_ahead() -> float:
    """How many seconds this machine's clock is before the database's: leases are only as good as the clocks."""
    if connection.vendor != "postgresql":  # SQLite has no clock but ours
        return 0.0
    with connection.cursor() as cursor:
        cursor.execute("SELECT clock_timestamp()")
        theirs: datetime.datetime = cursor.fetchone()[0]
    return (timezone.now() - theirs).total_seconds()
