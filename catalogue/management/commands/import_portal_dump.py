"""`manage.py import_portal_dump FILE`: the portal's whole database, as it publishes it, into the catalogue."""

import json
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from catalogue.portal.dump.importing import import_dump
from catalogue.portal.dump.statements import NoDump
from catalogue.portal.reports import DumpReport
from simulator.management.command_line import (
    CommandFailed,
    PlainCommand,
    WrongUsage,
    add_common_arguments,
    exit_statuses,
)

MOST_PRINTED = 40  # doubts and differences of each kind on the terminal; the report has all of them


class Command(PlainCommand):
    help = (
        "Import the SQL dump of the Ludii portal's database (as text, .gz or .zip). It is read as data and never "
        "executed. What is there already is compared and never changed; a second import changes nothing."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path, metavar="FILE")
        parser.add_argument("--dry-run", action="store_true", help="say what would happen; write nothing")
        add_common_arguments(parser, "--json", help="print the report as one JSON document")
        parser.add_argument("--report", type=Path, metavar="REPORT", help="write the whole report there, as JSON")

    def handle(self, *args: Any, **options: Any) -> None:
        file: Path = options["file"]
        if options["report"]:
            self._check_report(options["report"], file)
        try:
            with exit_statuses(refused=(OSError,), outcome="Nothing was written."):
                report = import_dump(file, dry_run=options["dry_run"], notify=self._progress)
        except NoDump as problem:
            raise WrongUsage(f"{file}: {problem}. Nothing was written.") from problem
        except KeyboardInterrupt:
            raise CommandFailed("Interrupted. Nothing was written.") from None
        document = json.dumps(report.document(), ensure_ascii=False)
        if options["report"]:
            options["report"].write_text(document + "\n", encoding="utf-8")
        if options["json"]:
            self.stdout.write(document)
        else:
            self._print(report)

    def _check_report(self, report: Path, file: Path) -> None:
        """Before anything is done: an import whose report is lost would have to be undone."""
        if report.is_dir() or not report.parent.is_dir() or (report.exists() and report.samefile(file)):
            raise WrongUsage(f"The report cannot be written to {report}. Nothing was done.")

    def _progress(self, message: str) -> None:
        self.stderr.write(f"{message} …")

    def _print(self, report: DumpReport) -> None:
        for doubt in report.doubts[:MOST_PRINTED]:
            self.stdout.write(f"in doubt: {doubt}")
        self._print_rest(report.remarks.number, "doubts")
        for difference in report.differences[:MOST_PRINTED]:
            self.stdout.write(f"{difference}")
        self._print_rest(len(report.differences), "differences")
        for what, number in sorted(report.left_alone.items()):
            self.stdout.write(f"left alone: {number:,} × {what}")
        parts = (report.created, report.unchanged, report.differing, report.left_out)
        counts = "records: {:,} new, {:,} unchanged, {:,} with differences, {:,} left out"
        self.stdout.write(counts.format(*map(len, parts)))
        rows = ", ".join(f"{table} {number:,}" for table, number in report.written.items() if number)
        if report.dry_run:
            self.stdout.write(f"A dry run: nothing was written. Rows that an import would write: {rows or 'none'}.")
        else:
            self.stdout.write(f"Rows written: {rows}." if rows else "Nothing was changed: all of it was there before.")

    def _print_rest(self, number: int, what: str) -> None:
        if number > MOST_PRINTED:
            self.stdout.write(f"… and {number - MOST_PRINTED:,} {what} more; --report FILE has them")
