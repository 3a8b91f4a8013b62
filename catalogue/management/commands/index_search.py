"""`manage.py index_search`: the index of the search, made anew from everything the catalogue holds."""

from argparse import ArgumentParser
from dataclasses import asdict
from typing import Any

from catalogue.search.documents import SEARCHED
from catalogue.search.indexing import rebuild
from simulator.management.command_line import PlainCommand, add_common_arguments, as_json


class Command(PlainCommand):
    help = "Make the index of the search anew. What is changed on the site is followed without this."

    def add_arguments(self, parser: ArgumentParser) -> None:
        add_common_arguments(parser, "--json")

    def handle(self, *args: Any, **options: Any) -> None:
        indexed = rebuild()
        counts = ", ".join(f"{number:,} {SEARCHED[kind].words[1]}" for kind, number in indexed.entries.items())
        words = f"indexed: {counts}; {indexed.terms:,} different words"
        self.stdout.write(as_json(asdict(indexed)) if options["json"] else words)
