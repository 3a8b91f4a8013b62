"""Play a batch of games, by workers or in this process, and say what came of it."""

from argparse import ArgumentParser
from typing import Any

from simulator import rulesets
from simulator.batches import service as batches
from simulator.batches.requests import check_request
from simulator.management.command_line import (
    OF_A_BATCH,
    SimulatorCommand,
    add_common_arguments,
    as_json,
    exit_statuses,
    prepare_database,
)
from simulator.management.watch import require_broker_for, see_done


class Command(SimulatorCommand):
    help = __doc__

    def add_arguments(self, parser: ArgumentParser) -> None:
        add_common_arguments(parser, "ruleset", *OF_A_BATCH, "--set", "--inline", "--json")

    def handle(self, **options: Any) -> None:
        wanted = {key: options[key] for key in ("games", "seed", "players", "cap", "until")}
        inline = options["inline"]
        with exit_statuses():
            request = check_request(options["ruleset"], changes=rulesets.parse_changes(options["set"]), **wanted)
            prepare_database(self.stderr)
            if not inline:
                require_broker_for([request.id])
            batch = batches.request_batch(request.ruleset, announce=not inline, **wanted)
            see_done([batch], inline, self.stderr)
            answer = batches.answer(batch, name=options["ruleset"])
        self.stdout.write(as_json(answer) if options["json"] else _as_text(answer))


def _as_text(answer: dict[str, Any]) -> str:
    lines = [
        f"batch {answer['batch']}, {answer['games']:,} games of {answer['ruleset']}, digest {answer['digest'][:16]}…"
    ]
    for section in answer["summary"]["sections"]:
        lines.append(f"\n{section['title']}")
        lines.extend(f"  {row['title']}: {row['text']}" for row in section["rows"])
    return "\n".join(lines)
