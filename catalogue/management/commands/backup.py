"""Write everything this site holds into one file: every row, users and histories with them, and the releases.

The site may go on meanwhile. The file is for its owner only, and holds no SECRET_KEY: keep that beside it, elsewhere.
"""

import time
from argparse import ArgumentParser
from dataclasses import asdict
from pathlib import Path
from typing import Any

from django.db import DatabaseError

from catalogue.backups.problems import BackupProblem, NotEmpty
from catalogue.backups.writing import write_backup
from simulator.management.command_line import SimulatorCommand, add_common_arguments, as_json, exit_statuses


class Command(SimulatorCommand):
    help = __doc__

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("place", type=Path, metavar="FILE|DIR", help="a new file, or where to make one")
        add_common_arguments(parser, "--json")

    def handle(self, **options: Any) -> None:
        begun = time.perf_counter()
        with exit_statuses((NotEmpty,), (BackupProblem, DatabaseError, OSError), "Nothing was written."):
            made = write_backup(options["place"].absolute())
        seconds = round(time.perf_counter() - begun, 1)
        if options["json"]:
            self.stdout.write(as_json({**asdict(made), "file": str(made.file), "seconds": seconds}))
            return
        rows = f"{sum(made.rows.values()):,} rows in {len(made.rows)} tables, {len(made.releases)} releases"
        self.stdout.write(f"{made.file}: {rows}, {made.bytes:,} bytes, {seconds} s\nsha256 {made.digest}")
