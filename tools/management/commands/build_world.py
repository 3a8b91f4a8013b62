"""Draws the outlines of the map, and writes those of each country.

They come from the `countries-50m.json` of the npm package `world-atlas`. Its file is fetched once by hand (`npm pack
world-atlas@2.0.2`, then unpack it); what is made of it is kept, so that no installation needs it again.
"""

import json
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand

from catalogue.geography.queries import FILE, written
from simulator.management.command_line import WrongUsage
from tools.world import drawing, lines_of, rings_of_countries

WORLD = settings.BASE_DIR / "catalogue/static/catalogue/world.svg"
SOURCE = (
    "Made with Natural Earth (naturalearthdata.com), version 4.1.0, countries 1:50 million, which is in the public "
    "domain; taken from the npm package world-atlas 2.0.2 by Michael Bostock (ISC licence). Simplified, cut at the "
    "date line and projected (Equal Earth; Šavrič, Patterson and Jenny 2019) by catalogue/geography/world.py."
)
SIMPLIFIED = " Simplified by tools/world.py; hundredths of a degree."
OF_COUNTRIES = SOURCE.partition(" Simplified")[0] + SIMPLIFIED


class Command(BaseCommand):
    help = __doc__

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("topology", type=Path, help="countries-50m.json of world-atlas 2.0.2")
        parser.add_argument("--to", type=Path, default=WORLD, help="where to write the drawing; default: %(default)s")
        parser.add_argument("--countries", type=Path, default=FILE, help="where the countries; default: %(default)s")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            topology = json.loads(options["topology"].read_text())
            drawn = drawing(topology, SOURCE)
            countries = written(OF_COUNTRIES, rings_of_countries(topology, lines_of(topology)))
        except (OSError, ValueError, KeyError, TypeError) as problem:
            raise WrongUsage(f"Refused: {options['topology']} is no such file: {problem}") from problem
        for path, content in ((options["to"], drawn), (options["countries"], countries)):
            path.write_text(content, encoding="utf-8")
            self.stdout.write(f"{path}: {len(content.encode()):,} bytes")
