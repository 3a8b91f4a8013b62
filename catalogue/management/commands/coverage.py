"""How much of each record's words carries a rule, and which rules rest on no words."""

from argparse import ArgumentParser
from typing import Any

from catalogue.evidence.apparatus import coverage_of
from catalogue.management.named_rows import named_records
from catalogue.models import Evidence
from simulator.management.command_line import PlainCommand, add_common_arguments, as_json


class Command(PlainCommand):
    help = __doc__

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("records", nargs="*", metavar="RECORD", help="for example DLP.Evidence.1386; default: all")
        add_common_arguments(parser, "--json")

    def handle(self, *args: Any, **options: Any) -> None:
        records = named_records(Evidence.objects.shown().select_related("game"), options["records"])
        found = coverage_of(records)
        if options["json"]:
            self.stdout.write(as_json({"records": found}))
        else:
            self.stdout.writelines(map(_line, found))


def _line(one: dict[str, Any]) -> str:
    shares = [
        f"{name} {100 * one[name]['share']:.0f} % of {one[name]['words']} words"
        for name in ("quotation", "paraphrase")
        if one[name]["words"]
    ]
    without = len(one["clauses_without_words"])
    return f"{one['record']} ({one['game']}): {', '.join(shares)}; {without} of {one['clauses']} clauses without words"
