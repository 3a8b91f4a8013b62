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
        wrong = [f"{one.name} {one.version} is licensed {one.licence}" for one in found if not one.is_allowed]
        known: list[licences.Advisory] = []
        asked = "not asked for"
        if not options["licences_only"]:
            try:
                known = licences.advisories()
                asked = f"{len(known)} known"
            except licences.AdvisoriesUnavailable as error:
                asked = f"could not be had: {error}"
                wrong.append(f"advisories {asked}. Nobody knows whether a package has a known hole")
        wrong += [f"{one.name} {one.version} has {one.number}{_mended(one)}" for one in known]
        document = {
            "licences": [asdict(one) for one in found],
            "advisories": [asdict(one) for one in known],
            "asked": asked,
        }
        self.print_answer(document, _as_text, options["json"])
        if wrong:
            raise CommandFailed("\n".join(wrong))


def _mended(advisory: licences.Advisory) -> str:
    return f", mended in {' and '.join(advisory.mended_in)}" if advisory.mended_in else ", not mended yet"


def _as_text(document: dict[str, Any]) -> str:
    lines = [f"{one['name']:32} {one['version']:14} {one['licence']}{_why(one)}" for one in document["licences"]]
    return "\n".join([*lines, f"{len(lines)} packages. Advisories: {document['asked']}."])


def _why(licensed: dict[str, Any]) -> str:
    return f" (allowed: {licensed['exception']})" if licensed["exception"] else ""
