"""`manage.py import_portal FILE…`: the portal's evidence pages into the catalogue."""

import json
from argparse import ArgumentParser
from dataclasses import asdict
from pathlib import Path
from typing import Any

from catalogue.portal.page_import import fixture_rows, gather_records, import_pages, read_files
from catalogue.portal.record_pages import NoPortalPage
from catalogue.portal.reports import PageReport
from simulator.management.command_line import CommandFailed, PlainCommand, add_common_arguments, as_json, exit_statuses


class Command(PlainCommand):
    help = (
        "Import evidence pages of the Ludii portal, saved as text or as HTML. Records already there are never changed."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("files", nargs="+", type=Path, metavar="FILE")
        add_common_arguments(parser, "--json")
        parser.add_argument(
            "--write-fixtures",
            type=Path,
            metavar="FOLDER",
            help="write sources.json and evidence.json there instead of importing; the database is not looked at",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        with exit_statuses(refused=(NoPortalPage, OSError), outcome="Nothing was written."):
            pages = read_files(options["files"])
        if options["write_fixtures"]:
            report = PageReport()
            records = gather_records(pages, report)
        else:
            report = import_pages(pages)
        self._print(report, options["json"])
        if options["write_fixtures"] and not report.problems and not report.differences:
            self._write(fixture_rows(records), options["write_fixtures"])
        elif options["write_fixtures"]:
            raise CommandFailed("The pages do not agree, so no fixtures were written.")
        if report.problems:
            raise CommandFailed(f"{len(report.problems)} problem(s), named above.")

    def _write(self, files: dict[str, Any], folder: Path) -> None:
        for name, rows in files.items():
            text = json.dumps(rows, ensure_ascii=False, indent=1)
            (folder / name).write_text(text + "\n", encoding="utf-8")
            self.stderr.write(f"{folder / name}: {len(rows)} rows")

    def _print(self, report: PageReport, in_json: bool) -> None:
        for remark in report.problems:
            self.stderr.write(f"{remark}")
        if in_json:
            self.stdout.write(as_json(asdict(report)))
            return
        for doubt in report.doubts:
            self.stdout.write(f"in doubt: {doubt}")
        for difference in report.differences:
            self.stdout.write(f"{difference}")
        if report.created or report.unchanged or report.differing:
            counts = (len(report.created), len(report.unchanged), len(report.differing))
            self.stdout.write("records: {} new, {} unchanged, {} with differences".format(*counts))
