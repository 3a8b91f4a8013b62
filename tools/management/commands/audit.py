"""List the licences of all installed packages by the project's policy (`tools/licences.toml`), and known advisories.

0: every licence is allowed and no advisory known. 1: something is wrong, or the advisories could not be had.
"""

import json
import re
import subprocess
import sys
import tomllib
from argparse import ArgumentParser
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from functools import cache
from importlib.metadata import Distribution, distributions
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from django.conf import settings

from simulator.management.command_line import CommandFailed, SimulatorCommand, add_common_arguments

POLICY = Path(settings.BASE_DIR) / "tools" / "licences.toml"
PATIENCE = 300  # seconds
COMMAND = (sys.executable, "-m", "pip_audit", "--format", "json", "--progress-spinner", "off")


class AdvisoriesUnavailable(Exception):
    """The advisories could not be retrieved, which is no sign that there are none."""


@dataclass(frozen=True, slots=True)
class Licensed:
    """A package. licence: an SPDX expression, or what the package states instead; exception: why it may be used"""

    name: str
    version: str
    licence: str
    is_allowed: bool
    exception: str = ""


@dataclass(frozen=True, slots=True)
class Advisory:
    """A known fault of a package. mended_in: versions without it"""

    name: str
    version: str
    number: str
    mended_in: tuple[str, ...]


class Command(SimulatorCommand):
    help = __doc__

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--licences-only", action="store_true", help="ask nobody for advisories")
        add_common_arguments(parser, "--json")

    def handle(self, **options: Any) -> None:
        found = list(installed())
        wrong = [
            f"{package.name} {package.version} is licensed {package.licence}"
            for package in found
            if not package.is_allowed
        ]
        known: list[Advisory] = []
        asked = "not asked for"
        if not options["licences_only"]:
            try:
                known = advisories()
                asked = f"{len(known)} known"
            except AdvisoriesUnavailable as error:
                asked = f"could not be had: {error}"
                wrong.append(f"advisories {asked}. Nobody knows whether a package has a known hole")
        for advisory in known:
            mended = f"mended in {' and '.join(advisory.mended_in)}" if advisory.mended_in else "not mended yet"
            wrong.append(f"{advisory.name} {advisory.version} has {advisory.number}, {mended}")
        document = {
            "licences": [asdict(package) for package in found],
            "advisories": [asdict(advisory) for advisory in known],
            "asked": asked,
        }
        self.print_answer(document, _as_text, options["json"])
        if wrong:
            raise CommandFailed("\n".join(wrong))


def _as_text(document: dict[str, Any]) -> str:
    lines = [
        f"{package['name']:32} {package['version']:14} {package['licence']}{_why(package)}"
        for package in document["licences"]
    ]
    return "\n".join([*lines, f"{len(lines)} packages. Advisories: {document['asked']}."])


def _why(licensed: dict[str, Any]) -> str:
    return f" (allowed: {licensed['exception']})" if licensed["exception"] else ""


@cache
def policy() -> dict[str, Any]:
    return tomllib.loads(POLICY.read_text(encoding="utf-8"))


def installed() -> Iterator[Licensed]:
    """Yield every package of this environment, by name."""
    found = {canonical(package.name): package for package in distributions()}
    for name in sorted(found):
        licence, exception = licence_of(found[name]), policy()["exceptions"].get(name, "")
        yield Licensed(name, found[name].version, licence, bool(exception) or is_allowed(licence), exception)


def canonical(name: str) -> str:
    """Return the name of a package as the package index compares names (PEP 503)."""
    return re.sub(r"[-_.]+", "-", name).lower()


def licence_of(package: Distribution) -> str:
    """Return the licence in the metadata, else "unknown". Of several classifiers each has to be allowed."""
    metadata = package.metadata
    if expressions := metadata.get_all("License-Expression"):
        return str(expressions[0])
    classifiers = [
        line.rpartition(" :: ")[2] for line in metadata.get_all("Classifier") or () if line[:9] == "License :"
    ]
    texts = metadata.get_all("License") or [""]
    names = classifiers or [line.strip() for line in texts[0].splitlines()[:1]]
    return " AND ".join(policy()["words"].get(word, word) for word in names) or "unknown"


def is_allowed(licence: str) -> bool:
    """Return whether all parts of some alternative are allowed. Brackets are not understood, and so not allowed."""
    alternatives = (alternative.split(" AND ") for alternative in licence.split(" OR "))
    return any(all(part.strip() in policy()["allowed"] for part in parts) for parts in alternatives)


def advisories(command: tuple[str, ...] = COMMAND) -> list[Advisory]:
    """Return the known advisories, which pip-audit requests of the package index; raises AdvisoriesUnavailable."""
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
