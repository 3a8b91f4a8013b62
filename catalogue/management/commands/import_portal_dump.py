"""`manage.py import_portal_dump FILE`: the portal's whole database, as it publishes it, into the catalogue."""

import json
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from catalogue.portal.dump.importing import import_dump
from catalogue.portal.dump.limits import NoDump
from catalogue.portal.dump.report import DumpReport

FAILED, WRONG_REQUEST = 1, 2
TOLD = 40  # doubts and differences of each kind on the terminal; the report has all of them


class Command(BaseCommand):
    help = (
        "Import the SQL dump of the Ludii portal's database (as text, .gz or .zip). It is read as data and never "
        "executed. What is there already is compared and never changed; a second import changes nothing."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path, metavar="FILE")
        parser.add_argument("--dry-run", action="store_true", help="say what would happen; write nothing")
        parser.add_argument("--json", action="store_true", help="print the report as one JSON document")
        parser.add_argument("--report", type=Path, metavar="REPORT", help="write the whole report there, as JSON")

    def handle(self, *args: Any, **options: Any) -> None:
        file: Path = options["file"]
        if options["report"]:
            self._check_report(options["report"], file)
        try:
            report = import_dump(file, dry_run=options["dry_run"], tell=self._progress)
        except NoDump as problem:
            raise CommandError(f"{file}: {problem}. Nothing was written.", returncode=WRONG_REQUEST) from problem
        except OSError as problem:
            message = f"{problem.filename or file} cannot be read: {problem.strerror}. Nothing was written."
            raise CommandError(message, returncode=WRONG_REQUEST) from problem
        except KeyboardInterrupt:
            raise CommandError("Interrupted. Nothing was written.", returncode=FAILED) from None
        document = json.dumps(report.document(), ensure_ascii=False)
        if options["report"]:
            options["report"].write_text(document + "\n", encoding="utf-8")
        if options["json"]:
            self.stdout.write(document)
        else:
            self._tell(report)

    def _check_report(self, report: Path, file: Path) -> None:
        """Before anything is done: an import whose report is lost would have to be undone."""
        if report.is_dir() or not report.parent.is_dir() or (report.exists() and report.samefile(file)):
            raise CommandError(f"The report cannot be written to {report}. Nothing was done.", returncode=WRONG_REQUEST)

    def _progress(self, message: str) -> None:
        self.stderr.write(f"{message} …")

    def _tell(self, report: DumpReport) -> None:
        for doubt in report.doubts[:TOLD]:
            self.stdout.write(f"in doubt: {doubt}")
        self._tell_of_more(report.remarks.number, "doubts")
        for one in report.differences[:TOLD]:
            self.stdout.write(f"{one.identifier}: {one.field} differs and was left as it is")
            self.stdout.write(f"  {one.kept_from}: {_short(one.kept)}\n  {one.offered_by}: {_short(one.offered)}")
        self._tell_of_more(len(report.differences), "differences")
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

    def _tell_of_more(self, number: int, what: str) -> None:
        if number > TOLD:
            self.stdout.write(f"… and {number - TOLD:,} {what} more; --report FILE has them")


def _short(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 200 else f"{text[:200]}… ({len(text)} characters)"
