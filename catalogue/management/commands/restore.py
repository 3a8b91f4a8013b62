"""Restore a backup into an empty database of the same kind: all of it, or nothing. Stop the site and the workers first.

What an older version backed up is then migrated. 0: restored. 1: the backup cannot be restored. 2: something is here
already.
"""

import time
from argparse import ArgumentParser
from dataclasses import asdict
from pathlib import Path
from typing import Any

from django.core.management import call_command
from django.db import DatabaseError

from catalogue.backups import BackupProblem, NotEmpty, check_backup, restore_backup
from simulator.management.command_line import SimulatorCommand, add_common_arguments, exit_statuses


class Command(SimulatorCommand):
    help = __doc__

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("folder", type=Path, metavar="FOLDER", help="a backup that `manage.py backup` wrote")
        parser.add_argument("--check", action="store_true", help="look whether it could be restored, and stop there")
        parser.add_argument("--replace", action="store_true", help="lose what the database and the releases hold now")
        add_common_arguments(parser, "--json")

    def handle(self, **options: Any) -> None:
        begun = time.perf_counter()
        folder = options["folder"].absolute()
        with exit_statuses((NotEmpty,), (BackupProblem, DatabaseError, OSError), "Nothing was restored."):
            backup = check_backup(folder) if options["check"] else restore_backup(folder, replace=options["replace"])
        if not options["check"]:
            self.stderr.write("bringing the database up to date …")
            call_command("migrate", verbosity=0, interactive=False)
        seconds = round(time.perf_counter() - begun, 1)
        done = "is whole" if options["check"] else "is restored"
        contents = f"the database and {len(backup.releases)} releases"
        words = f"The backup of {backup.created} by version {backup.version} {done}: {contents}, {seconds} s"
        answer = {**asdict(backup), "folder": str(backup.folder), "seconds": seconds}
        self.print_answer(answer, lambda _: words, options["json"])
