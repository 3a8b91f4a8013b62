"""Looks at one part of the installation, each quick enough to be asked for every few seconds, none raising anything."""

import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from django.conf import settings
from django.db import DatabaseError, connection

from simulator.health import heartbeats

PATIENCE = 2.0  # seconds for a server to answer
MEGABYTE = 1024 * 1024
FULL_MB = 10  # with less a database cannot write


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
    """What each look finds, in this order; a look that fails is itself a finding."""
    for look in looks:
        try:
            yield look()
        except Exception as error:
            name = look.__name__.strip("_").replace("_", " ")
            yield Condition(name, f"{type(error).__name__}: {error}", "Report this, with these lines.")


def database() -> Condition:
    """Whether it answers, which is less than whether it is up to date."""
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except DatabaseError as error:
        return Condition("database", f"does not answer: {error}", "Check DATABASE_URL and that its server runs.")
    return Condition("database", f"{connection.vendor} answers")


def broker() -> Condition:
    """Whether the server that REDIS_URL names answers; nothing else can be the broker of a site that is to last."""
    if not settings.REDIS_URL:
        return Condition("broker", "none is named", "Set REDIS_URL.")
    import redis  # not in every process that may be asked how it is

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
    """Whether any worker has said of late that it lives."""
    try:
        alive = [worker.name for worker in heartbeats.alive()]
    except DatabaseError as error:
        return Condition("workers", f"cannot be asked for: {error}", "See the database.")
    if not alive:
        silence = heartbeats.silence().total_seconds()
        return Condition("workers", f"none has been heard of for {silence:.0f} s", "Start a worker; see its log.")
    return Condition("workers", ", ".join(alive))


def kernel_cache() -> Condition:
    """Whether compiled engines can be kept here, and how many functions are."""
    folder = Path(settings.KERNEL_CACHE_DIR)
    if not os.access(folder, os.W_OK):
        return Condition("kernel cache", f"{folder} cannot be written", "Make it writable, or set KERNEL_CACHE_DIR.")
    compiled = sum(1 for _ in folder.rglob("*.nbi"))
    state = (
        f"{compiled} compiled functions are kept" if compiled else "not compiled yet: the first worker takes a minute"
    )
    return Condition("kernel cache", state)


def disk() -> Condition:
    """Whether there is room for what is written: rows of SQLite, compiled engines, releases, logs."""
    folders = {Path(settings.VAR_DIR), Path(settings.KERNEL_CACHE_DIR), Path(settings.DATASETS_DIR)}
    free, folder = min((free_megabytes(folder), folder) for folder in folders if folder.exists())
    found = f"{free:,} MB are free in {folder}"
    if free < settings.DISK_FREE_MB:
        remedy = f"Make room: {settings.DISK_FREE_MB:,} MB (DISK_FREE_MB) should be free."
        return Condition("disk", found, remedy, is_warning=free >= FULL_MB)
    return Condition("disk", found)


def free_megabytes(folder: Path) -> int:
    return shutil.disk_usage(folder).free // MEGABYTE
