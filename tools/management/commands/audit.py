"""List the licences of all installed packages, and what is publicly known to be wrong with them.

0: every licence is allowed and no advisory known. 1: something is wrong, or the advisories could not be had.
"""

from argparse import ArgumentParser
from dataclasses import asdict
from typing import Any

from simulator.management.command_line import CommandFailed, SimulatorCommand, add_common_arguments
from tools import licences


class Command(SimulatorCommand):
    help = __doc__

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--licences-only", action="store_true", help="ask nobody for advisories")
        add_common_arguments(parser, "--json")

    def handle(self, **options: Any) -> None:
        found = list(licences.installed())
        wrong = [
            f"{package.name} {package.version} is licensed {package.licence}"
            for package in found
            if not package.is_allowed
        ]
        known: list[licences.Advisory] = []
        asked = "not asked for"
        if not options["licences_only"]:
            try:
                known = licences.advisories()
                asked = f"{len(known)} known"
            except licences.AdvisoriesUnavailable as error:
                asked = f"could not be had: {error}"
                wrong.append(f"advisories {asked}. Nobody knows whether a package has a known hole")
        wrong += [f"{advisory.name} {advisory.version} has {advisory.number}{_mended(advisory)}" for advisory in known]
        document = {
            "licences": [asdict(package) for package in found],
            "advisories": [asdict(advisory) for advisory in known],
            "asked": asked,
        }
        self.print_answer(document, _as_text, options["json"])
        if wrong:
            raise CommandFailed("\n".join(wrong))


def _mended(advisory: licences.Advisory) -> str:
    return f", mended in {' and '.join(advisory.mended_in)}" if advisory.mended_in else ", not mended yet"


def _as_text(document: dict[str, Any]) -> str:
    lines = [
        f"{package['name']:32} {package['version']:14} {package['licence']}{_why(package)}"
        for package in document["licences"]
    ]
    return "\n".join([*lines, f"{len(lines)} packages. Advisories: {document['asked']}."])


def _why(licensed: dict[str, Any]) -> str:
    return f" (allowed: {licensed['exception']})" if licensed["exception"] else ""
