"""`manage.py export_readings FOLDER`: readings, with their rulesets and what they rest on, as the files that ship."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from catalogue.loading.exchange import write_files
from catalogue.models import Game
from simulator.engine.ruleset import nearest
from simulator.management.command_line import CommandFailed, SimulatorCommand, add_common_arguments, exit_statuses


class Command(SimulatorCommand):
    help = "Write readings as files of fixtures: readings.json, apparatus/<game>.json, rulesets/<slug>.json."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("folder", type=Path)
        parser.add_argument("games", nargs="*", help="slugs of games (default: all that records tell of)")
        add_common_arguments(parser, "--json")

    def handle(self, **options: Any) -> None:
        games = Game.objects.filter(readings__isnull=False).distinct().order_by("slug")
        known = {game.slug: game for game in games}
        for slug in options["games"]:
            if slug not in known:
                raise CommandFailed(f"no game with readings is called {slug!r}; nearest: {nearest(slug, known)!r}")
        wanted = [known[slug] for slug in options["games"]] or [game for game in games if not game.is_reference]
        with exit_statuses(refused=(OSError,), outcome="Not everything was written."):
            number = write_files(options["folder"], wanted)
        self.print_answer({"files": number}, "{files} files".format_map, options["json"])
