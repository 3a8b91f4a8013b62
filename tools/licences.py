"""The licences of the installed packages, by the project's policy (`licences.toml`), and their known advisories.

Advisories come from the package index, which `pip-audit` asks.
"""

import json
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib.metadata import Distribution, distributions
from importlib.util import find_spec
from pathlib import Path
from typing import Any

POLICY = Path(__file__).with_suffix(".toml")
PATIENCE = 300  # seconds
COMMAND = (sys.executable, "-m", "pip_audit", "--format", "json", "--progress-spinner", "off")


@dataclass(frozen=True, slots=True)
class Licensed:
    """licence: an SPDX expression, or what the package says where that is none; exception: why it may be used"""

    name: str
    version: str
    licence: str
    is_allowed: bool
    exception: str = ""


@cache
def policy() -> dict[str, Any]:
    return tomllib.loads(POLICY.read_text(encoding="utf-8"))


def installed() -> Iterator[Licensed]:
    """Every package of this environment, by name."""
    found = {canonical(package.name): package for package in distributions()}
    for name in sorted(found):
        licence, exception = licence_of(found[name]), policy()["exceptions"].get(name, "")
        yield Licensed(name, found[name].version, licence, bool(exception) or is_allowed(licence), exception)


def canonical(name: str) -> str:
    """Return the name of a package as the package index compares names (PEP 503)."""
    return re.sub(r"[-_.]+", "-", name).lower()


def licence_of(package: Distribution) -> str:
    """What its metadata say; "unknown" if they say nothing. Of several classifiers each has to be allowed."""
    metadata = package.metadata
    if expressions := metadata.get_all("License-Expression"):
        return str(expressions[0])
    classifiers = [
        line.rpartition(" :: ")[2] for line in metadata.get_all("Classifier") or () if line[:9] == "License :"
    ]
    texts = metadata.get_all("License") or [""]
    said = classifiers or [line.strip() for line in texts[0].splitlines()[:1]]
    return " AND ".join(policy()["words"].get(word, word) for word in said) or "unknown"


def is_allowed(licence: str) -> bool:
    """One of the alternatives, with all of its parts. Brackets are not understood, and so not allowed."""
    alternatives = (alternative.split(" AND ") for alternative in licence.split(" OR "))
    return any(all(part.strip() in policy()["allowed"] for part in parts) for parts in alternatives)


class AdvisoriesUnavailable(Exception):
    """Nobody could be asked. That is no sign that nothing is wrong."""


@dataclass(frozen=True, slots=True)
class Advisory:
    """mended_in: versions in which it is"""

    name: str
    version: str
    number: str
    mended_in: tuple[str, ...]


def advisories(command: tuple[str, ...] = COMMAND) -> list[Advisory]:
    """Raises NotToBeHad with the reason."""
    if command == COMMAND and find_spec("pip_audit") is None:
        raise AdvisoriesUnavailable("pip-audit is not installed: `make audit` installs it")
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE)
        document = json.loads(done.stdout)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise AdvisoriesUnavailable(str(error)) from error
    except ValueError:
        lines = done.stderr.strip().splitlines()
        raise AdvisoriesUnavailable(
            lines[-1][:300] if lines else f"pip-audit ended with status {done.returncode}"
        ) from None
    skipped = [package["name"] for package in document["dependencies"] if "skip_reason" in package]
    if len(skipped) == len(document["dependencies"]):
        raise AdvisoriesUnavailable("the package index knows none of the packages")
    return [
        Advisory(one["name"], one["version"], wrong["id"], tuple(wrong["fix_versions"]))
        for one in document["dependencies"]
        for wrong in one.get("vulns", ())
    ]
