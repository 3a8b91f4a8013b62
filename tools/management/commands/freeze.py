"""manage.py freeze FOLDER: a copy of the catalogue that a web server alone can serve, or that is read from a folder."""

import datetime
from argparse import ArgumentParser
from dataclasses import asdict
from pathlib import Path
from typing import Any

from catalogue.citations.items import release
from catalogue.dataset.folder import NotADataset
from simulator.management import command_line
from tools.frozen.checking import dead_links
from tools.frozen.copying import Copying


class Command(command_line.SimulatorCommand):
    help = __doc__

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("folder", type=Path, metavar="FOLDER", help="where to; it must not be there yet")
        parser.add_argument("--site", default="", help="the address of the catalogue itself: https://games.example.org")
        parser.add_argument("--base", help="where the copy is served: /games/ (default: links are relative)")
        parser.add_argument("--date", type=datetime.date.fromisoformat, help="of the copy (default: of the release)")
        command_line.add_common_arguments(parser, "--json")

    def handle(self, **options: Any) -> None:
        folder: Path = options["folder"]
        line = command_line.ProgressLine(self.stderr)
        moment = datetime.datetime.combine(options["date"] or release().date, datetime.time(12), datetime.UTC)
        with command_line.exit_statuses((NotADataset,), (OSError, RuntimeError)):
            made = Copying(
                folder, moment, site=options["site"].rstrip("/"), base=options["base"], notify=line.show
            ).make()
            line.end()
            if dead := dead_links(folder, options["base"]):
                raise command_line.CommandFailed("links that lead nowhere:\n  " + "\n  ".join(dead[:40]))
        words = f"{folder}: {made.pages:,} pages, {made.files:,} files of {made.bytes:,} bytes"
        self.print_answer(asdict(made), lambda _: words, options["json"])
