"""Write everything this site holds into a folder: the database, users and histories with it, releases, uploaded files.

The site may go on meanwhile. The folder is for its owner only, and holds no SECRET_KEY: keep that beside it, elsewhere.
"""

import time
from argparse import ArgumentParser
from dataclasses import asdict
from pathlib import Path
from typing import Any

from django.db import DatabaseError

from catalogue.backups import BackupProblem, NotEmpty, write_backup
from simulator.management.command_line import SimulatorCommand, add_common_arguments, exit_statuses


class Command(SimulatorCommand):
    help = __doc__

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("place", type=Path, metavar="FOLDER", help="a new folder, or where to make one")
        add_common_arguments(parser, "--json")

    def handle(self, **options: Any) -> None:
        begun = time.perf_counter()
        with exit_statuses((NotEmpty,), (BackupProblem, DatabaseError, OSError), "Nothing was written."):
            backup = write_backup(options["place"].absolute())
        seconds = round(time.perf_counter() - begun, 1)
        contents = f"the database and {len(backup.releases)} releases, {backup.bytes:,} bytes"
        words = f"{backup.folder}: {contents}, {seconds} s\nsha256 {backup.digest}"
        answer = {**asdict(backup), "folder": str(backup.folder), "seconds": seconds}
        self.print_answer(answer, lambda _: words, options["json"])
