"""What may be wrong with an installation, looked at one by one, each with what to do about it."""

import importlib.metadata
import os
import platform
import re
import sys
from collections.abc import Iterator
from pathlib import Path

from django.conf import settings
from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor
from django.db.models import Count
from packaging.requirements import Requirement

from simulator import health, servers
from simulator.health import Condition, looked
from simulator.servers import free_port

OTHERS = 0o077  # of a mode: what the group and everybody may do

DEMO_PORT = 8000


def conditions() -> Iterator[Condition]:
    """List all conditions, the most important first."""
    return looked(
        _python, _packages, _var, health.disk, _database, _records, _search, _broker,
        health.kernel_cache, health.compiled, health.workers_and_versions, health.clocks, _port,
    )  # fmt: skip


def _python() -> Condition:
    old = sys.version_info < (3, 11)
    return Condition("Python", platform.python_version(), "Install Python 3.11 or later." if old else "")


def _packages() -> Condition:
    requirements = [
        Requirement(line.partition("#")[0].strip())
        for line in (Path(settings.BASE_DIR) / "requirements.txt").read_text(encoding="utf-8").splitlines()
        if re.match(r"\w", line)
    ]
    wrong = []
    for requirement in requirements:
        try:
            version = importlib.metadata.version(requirement.name)
        except importlib.metadata.PackageNotFoundError:
            wrong.append(f"{requirement} is missing")
            continue
        if not requirement.specifier.contains(version, prereleases=True):
            wrong.append(f"{requirement.name} is {version}, wanted {requirement.specifier}")
    status = "; ".join(wrong) or f"all {len(requirements)} as requirements.txt wants them"
    return Condition("packages", status, "Run: .venv/bin/python -m pip install -r requirements.txt" if wrong else "")


def _var() -> Condition:
    writable = os.access(settings.VAR_DIR, os.W_OK)
    remedy = "" if writable else "Make it writable, or set VAR_DIR to a folder that is."
    kept = [settings.VAR_DIR / "secret_key", Path(settings.DATABASES["default"]["NAME"])]  # of a server only a word
    if writable and (seen := [str(file) for file in kept if file.is_file() and file.stat().st_mode & OTHERS]):
        found = f"others on this machine may read {' and '.join(seen)}"
        return Condition("data folder", found, f"As its owner: chmod 600 {' '.join(seen)}", is_warning=True)
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
        records = Evidence.objects.count()
        rulesets = RulesetVersion.objects.aggregate(named=Count("slug", distinct=True))["named"]
    except DatabaseError:
        return Condition("records", "no tables yet", "Run: manage.py migrate, then: manage.py load_fixtures")
    remedy = "" if records and rulesets else "Run: manage.py load_fixtures"
    return Condition("records", f"{records} records, {rulesets} rulesets", remedy)


def _search() -> Condition:
    from catalogue.search.indexing import is_of_today, missing

    try:
        different, is_old = missing(), not is_of_today()
    except DatabaseError:
        return Condition("search", "no tables yet")  # the look at the database says what to do
    if different:
        counts = "; ".join(f"{entries} of {things} {kind}s" for kind, (entries, things) in different.items())
        return Condition("search", f"its index holds {counts}", "Run: manage.py index_search")
    if is_old:
        return Condition("search", "its index is an earlier release’s", "Run: manage.py index_search")
    return Condition("search", "its index holds everything")


def _broker() -> Condition:
    if settings.REDIS_URL:
        return health.broker()
    try:
        with servers.running_broker(Path(settings.VAR_DIR) / "logs" / "doctor.log"):
            return Condition("broker", "the embedded one starts and answers")
    except (servers.NoBrokerProgram, RuntimeError) as error:
        return Condition("broker", str(error), "Install valkey-server or redis-server, or set REDIS_URL.")


def _port() -> Condition:
    port = free_port(DEMO_PORT)
    note = "" if port == DEMO_PORT else f" ({DEMO_PORT} is taken)"
    return Condition("port", f"127.0.0.1:{port} is free{note}")
