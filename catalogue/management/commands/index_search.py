"""`manage.py index_search`: the index of the search, made anew from everything the catalogue holds."""

import json
from argparse import ArgumentParser
from dataclasses import asdict
from typing import Any

from django.core.management.base import BaseCommand

from catalogue.search.documents import SEARCHED
from catalogue.search.indexing import rebuild


class Command(BaseCommand):
    help = "Make the index of the search anew. What is changed on the site is followed without this."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--json", action="store_true", help="print one JSON document")

    def handle(self, *args: Any, **options: Any) -> None:
        indexed = rebuild()
        if options["json"]:
            self.stdout.write(json.dumps(asdict(indexed)))
            return
        told = ", ".join(f"{number:,} {SEARCHED[kind].words[1]}" for kind, number in indexed.entries.items())
        self.stdout.write(f"indexed: {told}; {indexed.terms:,} different words")
