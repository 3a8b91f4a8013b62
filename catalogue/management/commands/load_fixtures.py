"""`manage.py load_fixtures`: the shipped records, readings and rulesets into the database, as often as one likes."""

import json
from argparse import ArgumentParser
from dataclasses import asdict
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.db import transaction

from catalogue.importers.loading import Loaded, RowProblem, load_rows

# In the order in which they name each other.
FILES = ("places", "games", "sources", "evidence", "game_names", "uncertainty", "notes", "readings")


class Command(BaseCommand):
    help = "Load the shipped fixtures. Rows that an editor has changed are reported and left alone."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--json", action="store_true", help="print one JSON document")
        parser.add_argument(
            "--folder", type=Path, default=settings.BASE_DIR / "fixtures", help="where the fixtures are"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        # Imported here: only this command needs the simulator's side.
        from simulator.rulesets import load_ruleset_files

        folder: Path = options["folder"]
        loaded = Loaded()
        reading = folder
        try:
            with transaction.atomic():
                for reading in (folder / f"{name}.json" for name in FILES):
                    load_rows(json.loads(reading.read_text(encoding="utf-8")), loaded, bring_up_to_date=True)
                reading = folder / "rulesets"
                rulesets = load_ruleset_files(reading)
        except OSError as problem:
            message = f"{problem.filename} cannot be read: {problem.strerror}. Nothing was loaded."
            raise CommandError(message, returncode=2) from problem
        except (RowProblem, ValueError) as problem:
            raise CommandError(f"{reading}: {problem}. Nothing was loaded.", returncode=1) from problem
        if options["json"]:
            self.stdout.write(json.dumps({**asdict(loaded), "rulesets": rulesets}, ensure_ascii=False))
            return
        for one in loaded.differences:
            self.stdout.write(f"{one.model} {one.key}: {one.field} was changed here and is left as it is")
        self.stdout.write(
            f"rows: {loaded.created} new, {loaded.updated} brought up to date, {loaded.unchanged} unchanged; "
            f"rulesets: {rulesets}"
        )
