"""Restore a backup into an empty database, of either kind: all of it, or nothing. Stop the site and the workers first.

A database without tables gets them. 0: restored. 1: something is wrong with the file. 2: something is here already.
"""

import time
from argparse import ArgumentParser
from dataclasses import asdict
from pathlib import Path
from typing import Any

from django.db import DatabaseError

from catalogue.backups.problems import BackupProblem, NotEmpty
from catalogue.backups.restoring import look_at, restore
from simulator.management.command_line import SimulatorCommand, add_common_arguments, as_json, exit_statuses


class Command(SimulatorCommand):
    help = __doc__

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path, metavar="FILE", help="a backup that `manage.py backup` wrote")
        parser.add_argument("--check", action="store_true", help="look whether it could be restored, and stop there")
        parser.add_argument("--replace", action="store_true", help="lose what the database and the releases hold now")
        add_common_arguments(parser, "--json")

    def handle(self, **options: Any) -> None:
        begun = time.perf_counter()
        with exit_statuses((NotEmpty,), (BackupProblem, DatabaseError, OSError), "Nothing was restored."):
            if options["check"]:
                contents = look_at(options["file"])
            else:
                notify = lambda words: self.stderr.write(f"{words} …")  # noqa: E731
                contents = restore(options["file"], replace=options["replace"], notify=notify)
        seconds = round(time.perf_counter() - begun, 1)
        if options["json"]:
            self.stdout.write(as_json({**asdict(contents), "seconds": seconds}))
            return
        rows = f"{sum(contents.rows.values()):,} rows in {len(contents.rows)} tables, {len(contents.releases)} releases"
        done = "is whole" if options["check"] else "is restored"
        self.stdout.write(f"The backup of {contents.created} by version {contents.version} {done}: {rows}, {seconds} s")
