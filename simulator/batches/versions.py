"""Which batches the engine installed here plays, which wait for another, and by what games were played.

A batch belongs to a rules version of its family, and of the players if any of them searches. During an upgrade workers
of two releases run side by side: each takes only what it plays as it was meant, with columns that it counts.

Provenance is the release and revision of the code, its compiler, the machine and the worker. It is kept with every
finished chunk, and with the batch when it closes. A machine is known by a digest of its name: who publishes a dataset
need not publish what its machines are called.
"""

import hashlib
import platform
import subprocess
import tomllib
from collections.abc import Iterable, Mapping
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db.models import Q
from django.utils import timezone

from simulator.engine.family import FAMILY_NAMES, family
from simulator.engine.players.names import PLAYERS_VERSION
from simulator.models import Batch, Chunk, Worker

PLAYERS = "players"
COMMAND = "command"  # instead of a worker's name
Provenance = dict[str, Any]


def installed() -> dict[str, int]:
    """Return the versions of the families, and of the players: {"sowing": 3, …, "players": 3}."""
    return {**{name: family(name).rules_version for name in FAMILY_NAMES}, PLAYERS: PLAYERS_VERSION}


def playable(batch: str = "") -> Q:
    """Return the condition on batches that can be played here. batch: the path of a query to them ("batch__")"""
    columns = Q(pk__in=())
    for name in FAMILY_NAMES:
        rows = Q(**{f"{batch}row_version": None}) | Q(**{f"{batch}row_version__lte": family(name).row_version})
        columns |= Q(**{f"{batch}ruleset__family": name}) & rows
    return of_installed_versions(batch) & columns


def of_installed_versions(row: str = "") -> Q:
    """Return the condition on batches, or replies, whose rules and players are installed. row: the path to them"""
    rules = Q(pk__in=())
    for name in FAMILY_NAMES:
        rules |= Q(**{f"{row}ruleset__family": name, f"{row}family_version": family(name).rules_version})
    players = Q(**{f"{row}players_version": None}) | Q(**{f"{row}players_version": PLAYERS_VERSION})
    return rules & players


def is_of_this_engine(batch: Batch, versions: Mapping[str, int] | None = None) -> bool:
    """Return whether an engine plays the batch's games as they were played. versions: its own; those here if None"""
    return is_installed(batch.ruleset.family, batch.family_version, batch.players_version, versions)


def is_installed(
    name: str, version: int, players: int | None = None, versions: Mapping[str, int] | None = None
) -> bool:
    """Return whether the family, and the players if any search, have these versions, here or in an engine's own."""
    versions = installed() if versions is None else versions
    return versions.get(name) == version and players in (None, versions.get(PLAYERS))


def is_engine_installed(engine: str) -> bool:
    """Return whether a family is installed in this version, as documents name it: "sowing 3"."""
    name, _, version = engine.partition(" ")
    return version == str(installed().get(name))


def waits_for(*batches: Batch) -> str:
    """Return why no worker will play what is open of these batches, in a sentence; empty where one does or will.

    Two queries at most, none if nothing is open.
    """
    waiting = [batch for batch in batches if batch.is_open]
    if not waiting:
        return ""
    now = timezone.now()
    workers = [worker.versions for worker in Worker.alive()]
    alone = [batch for batch in waiting if not any(is_of_this_engine(batch, versions) for versions in workers)]
    if not alone:
        return ""
    held = Chunk.objects.filter(batch__in=alone, state=Chunk.State.CLAIMED, lease_until__gt=now)
    played = set(held.values_list("batch_id", flat=True))
    missing = next((batch for batch in alone if batch.id not in played), None)
    if missing is None:
        return ""
    if not workers:
        return "No worker is running: games are played when one is started."
    needed = f"version {missing.family_version} of the {missing.ruleset.family} engine"
    if missing.players_version:
        needed += f" and version {missing.players_version} of the players"
    return f"No worker that is running has {needed}: games are played when one that has it is started."


@cache
def release() -> str:
    """Return the version of this code, as `pyproject.toml` names it."""
    project = tomllib.loads((Path(settings.BASE_DIR) / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return str(project["version"])


@cache
def revision() -> str:
    """Return the commit that is checked out, with "-dirty" behind it if files differ; empty where there is no git."""
    words = ("git", "describe", "--always", "--dirty", "--exclude=*", "--abbrev=40")
    try:
        done = subprocess.run(
            words,
            cwd=settings.BASE_DIR,
            capture_output=True,
            text=True,
            check=True,
            timeout=10,
            stdin=subprocess.DEVNULL,
        )
    except (OSError, subprocess.SubprocessError):
        return ""
    return done.stdout.strip()


@cache
def machine() -> str:
    """Return the architecture of this machine and a digest of its name."""
    return f"{platform.machine()} {hashlib.sha256(platform.node().encode()).hexdigest()[:12]}"


def provenance(worker: str = COMMAND) -> Provenance:
    """Return the provenance of what is played in this process. worker: the name of its node"""
    packages = {name: version(name) for name in ("numpy", "numba")}
    return {
        "release": release(),
        "revision": revision(),
        "python": platform.python_version(),
        **packages,
        "machine": machine(),
        "worker": worker.partition("@")[0],
    }


def summed(chunks: Iterable[tuple[Mapping[str, Any] | None, int]]) -> list[Provenance]:
    """Return each different provenance with its number of games, in a lasting order. chunks: (provenance, games)"""
    games: dict[tuple[tuple[str, Any], ...], int] = {}
    for how, played in chunks:
        if how:
            key = tuple(sorted(how.items()))
            games[key] = games.get(key, 0) + played
    return [{**dict(key), "games": played} for key, played in sorted(games.items())]
