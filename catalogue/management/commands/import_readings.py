"""`manage.py import_readings FOLDER`: readings from files that `export_readings` or a draft wrote."""

from argparse import ArgumentParser
from dataclasses import asdict
from pathlib import Path
from typing import Any

from catalogue.loading.exchange import load_files
from catalogue.search.indexing import index_changed
from simulator.management.command_line import CommandFailed, SimulatorCommand, add_common_arguments


class Command(SimulatorCommand):
    help = "Load readings from files of fixtures. What is here already and differs is left as it is, and told of."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("folder", type=Path)
        add_common_arguments(parser, "--json")

    def handle(self, **options: Any) -> None:
        try:
            loaded = load_files(options["folder"])
        except (OSError, ValueError) as problem:
            raise CommandFailed(f"{problem}. Nothing was loaded.") from problem
        index_changed()
        self.print_answer(asdict(loaded), _in_words, options["json"])


def _in_words(loaded: dict[str, Any]) -> str:
    told = "{model} {key}: {field} is another here, and is left as it is".format_map
    lines = [told(one) for one in loaded["differences"]]
    return "\n".join([*lines, f"rows: {loaded['created']} new, {loaded['unchanged']} unchanged"])
