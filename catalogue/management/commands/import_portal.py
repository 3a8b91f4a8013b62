"""`manage.py import_portal FILE…`: the portal's evidence pages into the catalogue."""

import json
from argparse import ArgumentParser
from dataclasses import asdict
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from catalogue.portal.page_import import ImportReport, fixture_rows, gather_records, import_pages, read_files
from catalogue.portal.page_text import NoPortalPage

FAILED, WRONG_REQUEST = 1, 2


class Command(BaseCommand):
    help = (
        "Import evidence pages of the Ludii portal, saved as text or as HTML. Records already there are never changed."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("files", nargs="+", type=Path, metavar="FILE")
        parser.add_argument("--json", action="store_true", help="print one JSON document")
        parser.add_argument(
            "--write-fixtures",
            type=Path,
            metavar="FOLDER",
            help="write sources.json and evidence.json there instead of importing; the database is not looked at",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            pages = read_files(options["files"])
        except NoPortalPage as problem:
            raise CommandError(f"{problem}. Nothing was written.", returncode=WRONG_REQUEST) from problem
        except OSError as problem:
            message = f"{problem.filename} cannot be read: {problem.strerror}. Nothing was written."
            raise CommandError(message, returncode=WRONG_REQUEST) from problem
        if options["write_fixtures"]:
            report = ImportReport()
            records = [sighting.record for sighting in gather_records(pages, report)]
        else:
            report = import_pages(pages)
        self._tell(report, options["json"])
        if options["write_fixtures"] and not report.problems and not report.differences:
            self._write(fixture_rows(records), options["write_fixtures"])
        elif options["write_fixtures"]:
            raise CommandError("The pages do not agree, so no fixtures were written.", returncode=FAILED)
        if report.problems:
            raise CommandError(f"{len(report.problems)} problem(s), named above.", returncode=FAILED)

    def _write(self, files: dict[str, Any], folder: Path) -> None:
        for name, rows in files.items():
            text = json.dumps(rows, ensure_ascii=False, indent=1)
            (folder / name).write_text(text + "\n", encoding="utf-8")
            self.stderr.write(f"{folder / name}: {len(rows)} rows")

    def _tell(self, report: ImportReport, as_json: bool) -> None:
        for remark in report.problems:
            self.stderr.write(f"{remark}")
        if as_json:
            self.stdout.write(json.dumps(asdict(report), ensure_ascii=False))
            return
        for doubt in report.doubts:
            self.stdout.write(f"in doubt: {doubt}")
        for one in report.differences:
            self.stdout.write(f"{one.identifier}: {one.field} differs and was left as it is")
            self.stdout.write(f"  {one.kept_from}: {_short(one.kept)}\n  {one.offered_by}: {_short(one.offered)}")
        if report.created or report.unchanged or report.differing:
            counts = (len(report.created), len(report.unchanged), len(report.differing))
            self.stdout.write("records: {} new, {} unchanged, {} with differences".format(*counts))


def _short(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 200 else f"{text[:200]}… ({len(text)} characters)"
