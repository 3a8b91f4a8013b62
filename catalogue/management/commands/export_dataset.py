"""Write the whole catalogue as a dataset: a table for each sort of thing, described, checksummed and citable.

The same data are the same bytes: the date is that of the newest change in the data unless one is given.
"""

import datetime
from argparse import ArgumentParser
from dataclasses import asdict
from pathlib import Path
from typing import Any

from catalogue.dataset.exporting import ExportedDataset, export
from catalogue.dataset.folder import DatasetProblem, NotADataset
from catalogue.dataset.parquet import write_parquet
from simulator.management import command_line


class Command(command_line.SimulatorCommand):
    help = __doc__

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("folder", type=Path, metavar="DIR", help="where to; it must not be there yet")
        parser.add_argument("--date", metavar="YYYY-MM-DD", help="the day of the release; its version is made from it")
        parser.add_argument("--previous", type=Path, metavar="DIR", help="the release before, to list what changed")
        parser.add_argument("--parquet", type=Path, metavar="DIR", help="the tables as Parquet too (needs pyarrow)")
        parser.add_argument("--replace", action="store_true", help="write over DIR if it is a dataset")
        command_line.add_common_arguments(parser, "--json")

    def handle(self, **options: Any) -> None:
        day, previous, replace = _date(options["date"]), options["previous"], options["replace"]
        with command_line.exit_statuses((NotADataset,), (DatasetProblem, OSError), "Nothing was written."):
            line = command_line.ProgressLine(self.stderr)
            place = options["folder"].absolute()
            exported = export(place, date=day, previous=previous, replace=replace, notify=line.show)
            if options["parquet"]:
                line.show("Parquet …")
                write_parquet(place, options["parquet"])
            line.end()
        self.print_answer(asdict(exported), lambda _: _in_words(exported, options["folder"]), options["json"])


def _date(typed: str | None) -> datetime.date | None:
    if typed is None:
        return None
    try:
        return datetime.datetime.strptime(typed, "%Y-%m-%d").date()
    except ValueError as problem:
        raise command_line.WrongUsage(f"--date is written like 2026-11-21, not {typed!r}") from problem


def _in_words(exported: ExportedDataset, folder: Path) -> str:
    rows = sum(exported.rows.values())
    return (
        f"{folder}: version {exported.version}, {rows:,} rows in {len(exported.rows)} tables, "
        f"{exported.files:,} files of {exported.bytes:,} bytes"
    )
