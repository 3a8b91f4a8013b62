"""Throw away what is only a cache and has had its time; what somebody may cite stays. For a timer, once a day."""

import datetime
from argparse import ArgumentParser
from dataclasses import asdict
from typing import Any

from catalogue.management.commands.expire import expire
from simulator.management.command_line import SimulatorCommand, add_common_arguments
from simulator.problems import whole_number

KEPT_DAYS, MOST_DAYS = 90, 3650


class Command(SimulatorCommand):
    help = __doc__

    def add_arguments(self, parser: ArgumentParser) -> None:
        about = "how long games told, replies of players and files are kept (default %(default)s)"
        parser.add_argument("--days", default=KEPT_DAYS, help=about)
        parser.add_argument("--dry-run", action="store_true", help="say how many there are, and throw nothing away")
        add_common_arguments(parser, "--json")

    def handle(self, **options: Any) -> None:
        age = datetime.timedelta(days=whole_number("days", options["days"], 1, MOST_DAYS))
        found = [asdict(one) for one in expire(age, options["dry_run"])]
        self.print_answer(found, lambda rows: "\n".join(map("{number:>9,}  {what}".format_map, rows)), options["json"])
