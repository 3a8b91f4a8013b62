"""Play a batch of games, by workers or in this process, and say what came of it."""

from argparse import ArgumentParser
from typing import Any

from simulator import rulesets
from simulator.batches import dispatch
from simulator.batches import service as batches
from simulator.batches.requests import DEFAULTS, check_request
from simulator.engine.players.wording import HINT
from simulator.management.command_line import SimulatorCommand, as_json, exit_statuses, prepare_database
from simulator.management.watch import see_done
from simulator.models import Batch


class Command(SimulatorCommand):
    help = __doc__

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("ruleset", help="slug, slug@number, hash, or the first 8 or more digits of a hash")
        parser.add_argument("--games", default=DEFAULTS["games"], help="how many games (default %(default)s)")
        parser.add_argument("--seed", default=DEFAULTS["seed"], help="where chance begins (default %(default)s)")
        parser.add_argument("--players", default=DEFAULTS["players"], help=HINT)
        parser.add_argument("--cap", default=DEFAULTS["cap"], help="turns after which a game is left unfinished")
        parser.add_argument("--until", default=DEFAULTS["until"], help="game, or round for the first round only")
        parser.add_argument(
            "--set", action="append", default=[], metavar="KEY=VALUE", help="change the ruleset; repeatable"
        )
        parser.add_argument("--inline", action="store_true", help="play in this process, without broker and workers")
        parser.add_argument("--json", action="store_true", help="print one JSON document")

    def handle(self, **options: Any) -> None:
        wanted = {key: options[key] for key in ("games", "seed", "players", "cap", "until")}
        inline = options["inline"]
        with exit_statuses():
            request = check_request(options["ruleset"], changes=rulesets.parse_changes(options["set"]), **wanted)
            prepare_database(self.stderr)
            if not inline and not Batch.objects.filter(id=request.id, state=Batch.State.DONE).exists():
                dispatch.require_broker()
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
