"""Whether this installation is well: for the doctor, the health page, metrics and operators.

A look examines one part of the installation and returns a `Condition`; none raises an error. The first ones are quick
enough to be repeated every few seconds; those of the engine, of versions and of clocks take seconds and are for the
doctor. Workers report every few seconds that they live, in a row each (`beat`). The queues are counted from rows that
an index finds.
"""

import datetime
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import DatabaseError, connection
from django.db.models import Count, Max, Min, Q, QuerySet, Sum
from django.utils import timezone

from simulator.batches.versions import installed, release, revision
from simulator.engine import compilation
from simulator.engine.family import FAMILY_NAMES
from simulator.engine.kernel_cache import sound_files
from simulator.models import Batch, Chunk, Computation, GameRecord, Reply, Worker

PATIENCE = 2.0  # seconds for a server to answer
MEGABYTE = 1024 * 1024
FULL_MB = 10  # with less a database cannot write
MOST_AHEAD = 5.0  # seconds that two clocks may differ, well within a lease
TRIAL_SECONDS = 120
NOT_COMPILED = "not compiled yet: the first worker takes a minute"
COMPILE = "python -m simulator.engine.compilation"
FORGOTTEN = datetime.timedelta(days=1)  # after which the row of a silent worker is deleted
RECENT = datetime.timedelta(minutes=5)


@dataclass(frozen=True, slots=True)
class Condition:
    """One thing looked at. `remedy` is empty if it is as it should be; a warning is no reason to stop."""

    name: str
    found: str
    remedy: str = ""
    is_warning: bool = False

    @property
    def is_well(self) -> bool:
        return not self.remedy or self.is_warning


def looked(*looks: Callable[[], Condition]) -> Iterator[Condition]:
    """Yield the condition that each look returns, in this order; a look that fails is itself a condition."""
    for look in looks:
        try:
            yield look()
        except Exception as error:
            name = look.__name__.strip("_").replace("_", " ")
            yield Condition(name, f"{type(error).__name__}: {error}", "Report this, with these lines.")


def database() -> Condition:
    """Look whether the database answers, which is less than whether it is up to date."""
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except DatabaseError as error:
        return Condition("database", f"does not answer: {error}", "Check DATABASE_URL and that its server runs.")
    return Condition("database", f"{connection.vendor} answers")


def broker() -> Condition:
    """Look whether the server at REDIS_URL answers; nothing else can be the broker of a site that is to last."""
    if not settings.REDIS_URL:
        return Condition("broker", "none is named", "Set REDIS_URL.")
    import redis  # only where a broker is looked for

    try:
        answers(settings.REDIS_URL)
    except (redis.RedisError, ValueError, OSError) as error:
        return Condition("broker", f"REDIS_URL does not answer: {error}", "Start that server, or unset REDIS_URL.")
    return Condition("broker", "REDIS_URL answers")


def answers(url: str) -> None:
    """Raises RedisError, ValueError or OSError where no server of the Redis protocol answers there."""
    import redis

    with closing(redis.Redis.from_url(url, socket_connect_timeout=PATIENCE, socket_timeout=PATIENCE)) as client:
        client.ping()


def workers() -> Condition:
    """Look whether any worker has reported lately."""
    try:
        alive = [worker.name for worker in Worker.alive()]
    except DatabaseError as error:
        return Condition("workers", f"cannot be asked for: {error}", "See the database.")
    if not alive:
        silence = Worker.silence().total_seconds()
        return Condition("workers", f"none has been heard of for {silence:.0f} s", "Start a worker; see its log.")
    return Condition("workers", ", ".join(alive))


def kernel_cache() -> Condition:
    """Look whether compiled engines can be kept here, and how many functions are."""
    folder = Path(settings.KERNEL_CACHE_DIR)
    if not os.access(folder, os.W_OK):
        return Condition("kernel cache", f"{folder} cannot be written", "Make it writable, or set KERNEL_CACHE_DIR.")
    compiled = sum(1 for _ in folder.rglob("*.nbi"))
    state = f"{compiled} compiled functions are kept" if compiled else NOT_COMPILED
    return Condition("kernel cache", state)


def disk() -> Condition:
    """Look whether there is room for what is written: rows of SQLite, compiled engines, releases, logs."""
    folders = {Path(settings.VAR_DIR), Path(settings.KERNEL_CACHE_DIR), Path(settings.DATASETS_DIR)}
    # The fullest disk of those in use.
    free, folder = min((free_megabytes(folder), folder) for folder in folders if folder.exists())
    found = f"{free:,} MB are free in {folder}"
    if free < settings.DISK_FREE_MB:
        remedy = f"Make room: {settings.DISK_FREE_MB:,} MB (DISK_FREE_MB) should be free."
        return Condition("disk", found, remedy, is_warning=free >= FULL_MB)
    return Condition("disk", found)


def free_megabytes(folder: Path) -> int:
    return shutil.disk_usage(folder).free // MEGABYTE


def compiled() -> Condition:
    """Load every family that is compiled and let it play a game, in a process of its own: bad code may end it."""
    _, damaged = sound_files()
    if damaged:
        found = f"{len(damaged)} files of compiled code are damaged, the first of them {min(damaged)}"
        return Condition("engine", found, f"They are compiled again when a worker starts, or by: {COMPILE}")
    missing = compilation.missing()
    there = [name for name in FAMILY_NAMES if name not in missing]
    if not there:
        return Condition("engine", NOT_COMPILED)
    words = (sys.executable, "-m", compilation.__name__, compilation.TRY, *there)
    tried = subprocess.run(
        words, cwd=settings.BASE_DIR, capture_output=True, text=True, check=False, timeout=TRIAL_SECONDS
    )
    if tried.returncode:
        # The last line of a traceback names the error.
        last = (tried.stderr.strip().splitlines() or [f"it ended with status {tried.returncode}"])[-1]
        return Condition("engine", f"does not play: {last}", f"Empty {settings.KERNEL_CACHE_DIR}, then run: {COMPILE}")
    later = f"; not compiled yet: {', '.join(missing)}" if missing else ""
    return Condition("engine", f"{', '.join(there)} are loaded and play a game each{later}")


def workers_and_versions() -> Condition:
    """Look at the workers that run, with what they play. None is no fault: games wait, or are played by commands."""
    try:
        alive = list(Worker.alive())
    except DatabaseError:
        return Condition("workers", "no tables yet")  # the look at the database says what to do
    if not alive:
        return Condition("workers", "none is running: what is asked for on the site waits until one is started")
    here = installed()
    playing = "; ".join(f"{worker.name} ({worker.release}): {_words(worker.versions)}" for worker in alive)
    if all(worker.versions == here for worker in alive):
        return Condition("workers", playing)
    remedy = (
        f"Here it is {_words(here)}: what only the others play waits for them. Restart the workers of old releases."
    )
    return Condition("workers", playing, remedy, is_warning=True)


def clocks() -> Condition:
    """Look whether the clocks agree: leases are kept by the clocks of several machines."""
    try:
        ahead = {"this machine": seconds_ahead(), **{worker.name: worker.ahead for worker in Worker.alive()}}
    except DatabaseError:
        return Condition("clocks", "no tables yet")
    wrong = {name: seconds for name, seconds in ahead.items() if abs(seconds) > MOST_AHEAD}
    if wrong:
        found = "; ".join(f"{name} differs by {seconds:+.0f} s from the database" for name, seconds in wrong.items())
        return Condition("clocks", found, "Let all machines keep time by NTP.")
    return Condition("clocks", f"of {len(ahead)} machines and workers, all as the database's")


def _words(versions: dict[str, int]) -> str:
    return ", ".join(f"{name} {version}" for name, version in sorted(versions.items()))


def beat(name: str, queues: list[str], processes: int, started: datetime.datetime) -> None:
    """Record that the worker of this name lives, and forget those that have been silent for long."""
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


def forget_worker(name: str) -> None:
    """Delete the row of a worker that stops in good order, so that it is not reported as missing."""
    Worker.objects.filter(name=name).delete()


def seconds_ahead() -> float:
    """Return how many seconds this machine's clock is ahead of the database's: leases depend on both."""
    if connection.vendor != "postgresql":  # SQLite has no clock but ours
        return 0.0
    with connection.cursor() as cursor:
        cursor.execute("SELECT clock_timestamp()")
        theirs: datetime.datetime = cursor.fetchone()[0]
    return (timezone.now() - theirs).total_seconds()


@dataclass(frozen=True, slots=True)
class Queue:
    """One kind of work.

    waiting: rows that no worker has; taken: rows that one has; since: when the oldest that waits was requested
    """

    kind: str
    waiting: int
    taken: int
    since: datetime.datetime | None

    @property
    def oldest_seconds(self) -> float:
        return max(0.0, (timezone.now() - self.since).total_seconds()) if self.since else 0.0


@dataclass(frozen=True, slots=True)
class Recent:
    """Chunks finished within RECENT: how many, of how many games, their seconds together and of the longest."""

    chunks: int
    games: int
    seconds: float
    longest: float


def queues() -> list[Queue]:
    """Return the queues of chunks, of replies and of games to be listed; readers wait for the last two."""
    chunks = Chunk.objects.filter(
        state__in=(Chunk.State.QUEUED, Chunk.State.CLAIMED), batch__state=Batch.State.RUNNING
    ).order_by()
    return [
        _queue("chunks", chunks, Q(state=Chunk.State.QUEUED), Q(state=Chunk.State.CLAIMED), "batch__created"),
        _computations("replies", Reply.objects.all()),
        _computations("games to list", GameRecord.objects.all()),
    ]


def _computations(kind: str, rows: QuerySet[Any]) -> Queue:
    taken = Q(lease_until__gte=timezone.now())
    return _queue(kind, rows.filter(state=Computation.State.WAITING), ~taken | Q(lease_until=None), taken, "created")


def _queue(kind: str, rows: QuerySet[Any], waiting: Q, taken: Q, since: str) -> Queue:
    counts = rows.aggregate(
        waiting=Count("pk", filter=waiting), taken=Count("pk", filter=taken), since=Min(since, filter=waiting)
    )
    return Queue(kind, counts["waiting"], counts["taken"], counts["since"])


def recent() -> Recent:
    done = Chunk.objects.filter(finished__gte=timezone.now() - RECENT)
    counts = done.aggregate(longest=Max("seconds"), chunks=Count("pk"), games=Sum("games"), seconds=Sum("seconds"))
    return Recent(counts["chunks"], counts["games"] or 0, counts["seconds"] or 0.0, counts["longest"] or 0.0)


def open_batches() -> dict[str, int]:
    """Return how many batches run, and how many have failed and wait for an operator."""
    states = [state.value for state in (Batch.State.RUNNING, Batch.State.FAILED)]
    counts = Batch.objects.filter(state__in=states).order_by().values_list("state").annotate(Count("pk"))
    return {**dict.fromkeys(states, 0), **dict(counts)}


def claimed() -> QuerySet[Chunk]:
    """Return the chunks that a worker plays now."""
    now = timezone.now()
    held = Chunk.objects.filter(state=Chunk.State.CLAIMED, lease_until__gte=now).order_by("lease_until")
    return held.select_related("batch").defer("rows", "tally", "traffic", "batch__tally", "batch__summary")
