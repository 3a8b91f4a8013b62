"""Play a batch of games, by workers or in this process, and say what came of it."""

from argparse import ArgumentParser
from typing import Any

from simulator import rulesets
from simulator.batches import requests, service
from simulator.management.command_line import OF_A_BATCH, SimulatorCommand, add_common_arguments, play_requests


class Command(SimulatorCommand):
    help = __doc__

    def add_arguments(self, parser: ArgumentParser) -> None:
        add_common_arguments(parser, "ruleset", *OF_A_BATCH, "--traffic", "--set", "--inline", "--json")

    def handle(self, **options: Any) -> None:
        terms = {key: options[key] for key in (*requests.DEFAULTS, "traffic")}
        request = requests.check_request(options["ruleset"], changes=rulesets.parse_changes(options["set"]), **terms)
        [batch] = play_requests([request], options["inline"], self.stderr)
        self.print_answer(service.batch_answer(batch, options["ruleset"]), _as_text, options["json"])


def _as_text(answer: dict[str, Any]) -> str:
    lines = [
        f"batch {answer['batch']}, {answer['games']:,} games of {answer['ruleset']}, digest {answer['digest'][:16]}…"
    ]
    if "consent" in answer:
        lines.append(f"The players: {answer['consent']}.")
    for section in answer["summary"]["sections"]:
        lines.append(f"\n{section['title']}")
        lines.extend(f"  {row['title']}: {row['text']}" for row in section["rows"])
    return "\n".join(lines)
