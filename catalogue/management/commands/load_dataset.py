"""Load a dataset into an empty database, migrated: afterwards it holds the same catalogue.

0: loaded. 1: something in the dataset is wrong, and nothing was loaded. 2: there is no dataset, or the database is not
empty.
"""

import time
from argparse import ArgumentParser
from dataclasses import asdict
from pathlib import Path
from typing import Any

from catalogue.dataset.folder import DatasetProblem, NotADataset
from catalogue.dataset.loading import load
from simulator.management.command_line import ProgressLine, SimulatorCommand, add_common_arguments, exit_statuses


class Command(SimulatorCommand):
    help = __doc__

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("folder", type=Path, metavar="DIR", help="a dataset that export_dataset wrote")
        parser.add_argument("--undrawn", action="store_true", help="leave the plots of batches to the workers")
        add_common_arguments(parser, "--json")

    def handle(self, **options: Any) -> None:
        begun = time.perf_counter()
        with exit_statuses((NotADataset,), (DatasetProblem, OSError), "Nothing was loaded."):
            line = ProgressLine(self.stderr)
            filled = load(options["folder"], line.show, drawn=not options["undrawn"])
            line.end()
        seconds = round(time.perf_counter() - begun, 1)
        rows = sum(filled.rows.values())
        words = f"version {filled.version}: {rows:,} rows, {filled.rows['batches']:,} batches, {seconds} s"
        self.print_answer({**asdict(filled), "seconds": seconds}, lambda _: words, options["json"])
