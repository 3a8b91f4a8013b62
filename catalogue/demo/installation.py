"""What may be wrong with an installation, looked at one by one, each with what to do about it."""

import importlib.metadata
import os
import platform
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import redis
from django.conf import settings
from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor
from packaging.requirements import Requirement

from simulator.workers import embedded_broker
from simulator.workers.servers import free_port

DEMO_PORT = 8000


@dataclass(frozen=True, slots=True)
class Condition:
    """One thing looked at. `remedy` is empty if it is as it should be."""

    name: str
    found: str
    remedy: str = ""

    @property
    def is_well(self) -> bool:
        return not self.remedy


def conditions() -> Iterator[Condition]:
    """Everything, in the order in which it matters; a look that fails is itself a finding."""
    for look in (_python, _packages, _var, _database, _records, _search, _broker, _engine, _port):
        try:
            yield look()
        except Exception as error:
            yield Condition(
                look.__name__.strip("_"), f"{type(error).__name__}: {error}", "Report this, with these lines."
            )


def _python() -> Condition:
    old = sys.version_info < (3, 11)
    return Condition("Python", platform.python_version(), "Install Python 3.11 or later." if old else "")


def _packages() -> Condition:
    wanted = [
        Requirement(line.partition("#")[0].strip())
        for line in (Path(settings.BASE_DIR) / "requirements.txt").read_text(encoding="utf-8").splitlines()
        if re.match(r"\w", line)
    ]
    wrong = []
    for requirement in wanted:
        try:
            version = importlib.metadata.version(requirement.name)
        except importlib.metadata.PackageNotFoundError:
            wrong.append(f"{requirement} is missing")
            continue
        if not requirement.specifier.contains(version, prereleases=True):
            wrong.append(f"{requirement.name} is {version}, wanted {requirement.specifier}")
    found = "; ".join(wrong) or f"all {len(wanted)} as requirements.txt wants them"
    return Condition("packages", found, "Run: .venv/bin/python -m pip install -r requirements.txt" if wrong else "")


def _var() -> Condition:
    writable = os.access(settings.VAR_DIR, os.W_OK)
    remedy = "" if writable else "Make it writable, or set VAR_DIR to a folder that is."
    return Condition("data folder", str(settings.VAR_DIR), remedy)


def _database() -> Condition:
    try:
        executor = MigrationExecutor(connection)
        missing = executor.migration_plan(executor.loader.graph.leaf_nodes())
    except DatabaseError as error:
        return Condition("database", f"does not answer: {error}", "Check DATABASE_URL and that its server runs.")
    if missing:
        return Condition("database", f"{len(missing)} migrations are not applied", "Run: manage.py migrate")
    return Condition("database", f"{connection.vendor}, up to date")


def _records() -> Condition:
    from catalogue.models import Evidence
    from simulator.models import RulesetVersion

    try:
        records, rulesets = Evidence.objects.count(), RulesetVersion.objects.count()
    except DatabaseError:
        return Condition("records", "no tables yet", "Run: manage.py migrate, then: manage.py load_fixtures")
    remedy = "" if records and rulesets else "Run: manage.py load_fixtures"
    return Condition("records", f"{records} records, {rulesets} rulesets", remedy)


def _search() -> Condition:
    from catalogue.search.indexing import missing

    try:
        different = missing()
    except DatabaseError:
        return Condition("search", "no tables yet")  # the look at the database says what to do
    if different:
        found = "; ".join(f"{entries} of {things} {kind}s" for kind, (entries, things) in different.items())
        return Condition("search", f"its index holds {found}", "Run: manage.py index_search")
    return Condition("search", "its index holds everything")


def _broker() -> Condition:
    if settings.REDIS_URL:
        return _own_broker()
    try:
        with embedded_broker.running_broker(Path(settings.VAR_DIR) / "logs" / "doctor.log"):
            return Condition("broker", "the embedded one starts and answers")
    except (embedded_broker.NoBrokerProgram, RuntimeError) as error:
        return Condition("broker", str(error), "Install valkey-server or redis-server, or set REDIS_URL.")


def _own_broker() -> Condition:
    try:
        with redis.Redis.from_url(settings.REDIS_URL, socket_connect_timeout=2) as client:
            client.ping()
    except (redis.RedisError, ValueError) as error:
        return Condition("broker", f"REDIS_URL does not answer: {error}", "Start that server, or unset REDIS_URL.")
    return Condition("broker", "REDIS_URL answers")


def _engine() -> Condition:
    folder = Path(settings.KERNEL_CACHE_DIR)
    compiled = sum(1 for _ in folder.rglob("*.nbi"))
    if not os.access(folder, os.W_OK):
        return Condition("engine", f"{folder} cannot be written", "Make it writable, or set KERNEL_CACHE_DIR.")
    state = (
        f"{compiled} compiled functions are kept" if compiled else "not compiled yet: the first worker takes a minute"
    )
    return Condition("engine", state)


def _port() -> Condition:
    port = free_port(DEMO_PORT)
    note = "" if port == DEMO_PORT else f" ({DEMO_PORT} is taken)"
    return Condition("port", f"127.0.0.1:{port} is free{note}")
