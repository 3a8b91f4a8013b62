"""By what games were played: the release and revision of the code, its compiler, the machine, the worker.

Kept with every finished chunk, and with the batch when it closes. A machine is known by a digest of its name: who
publishes a dataset need not publish what its machines are called.
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

COMMAND = "command"  # instead of a worker's name
Provenance = dict[str, Any]


@cache
def release() -> str:
    """The version of this code, as `pyproject.toml` names it."""
    project = tomllib.loads((Path(settings.BASE_DIR) / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return str(project["version"])


@cache
def revision() -> str:
    """The commit that is checked out, with "-dirty" behind it if files differ; empty where there is no git."""
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
    """Its architecture, and a digest of its name."""
    return f"{platform.machine()} {hashlib.sha256(platform.node().encode()).hexdigest()[:12]}"


def provenance(worker: str = COMMAND) -> Provenance:
    """Of what is played in this process. worker: the name of its node"""
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
    """Each different provenance with the number of games it played, in a lasting order. chunks: (provenance, games)"""
    games: dict[tuple[tuple[str, Any], ...], int] = {}
    for found, played in chunks:
        if found:
            key = tuple(sorted(found.items()))
            games[key] = games.get(key, 0) + played
    return [{**dict(key), "games": played} for key, played in sorted(games.items())]
