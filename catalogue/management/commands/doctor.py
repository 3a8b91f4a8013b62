"""Explain what is wrong with this installation, if anything: 0 if all is well, 1 if not."""

from argparse import ArgumentParser
from dataclasses import asdict
from typing import Any

from catalogue.demo.installation import conditions
from simulator.management.command_line import CommandFailed, PlainCommand, add_common_arguments, as_json


class Command(PlainCommand):
    help = __doc__
    requires_system_checks = []  # a broken installation is what it is for

    def add_arguments(self, parser: ArgumentParser) -> None:
        add_common_arguments(parser, "--json")

    def handle(self, **options: Any) -> None:
        found = []
        for condition in conditions():
            found.append(condition)
            if not options["json"]:
                state = "PROBLEM" if not condition.is_well else "WARNING" if condition.remedy else "ok     "
                self.stdout.write(f"{state}  {condition.name}: {condition.found}")
                if condition.remedy:
                    self.stdout.write(f"         {condition.remedy}")
        if options["json"]:
            self.stdout.write(as_json([asdict(condition) for condition in found]))
        wrong = [condition.name for condition in found if not condition.is_well]
        if wrong:
            raise CommandFailed(f"something is wrong with: {', '.join(wrong)}")
