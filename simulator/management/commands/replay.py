"""Tell one game of a batch turn by turn, with the parameters of the ruleset that fired. The referee plays it."""

from argparse import ArgumentParser
from typing import Any

from simulator import rulesets
from simulator.batch_requests import DEFAULTS, MOST_GAMES, BatchRequest, check_request
from simulator.commands import SimulatorCommand, as_json, exit_statuses
from simulator.engine.replay import as_document, as_text, replay
from simulator.whole_numbers import whole_number


class Command(SimulatorCommand):
    help = __doc__

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("ruleset", help="slug, slug@number, hash, or the first 8 or more digits of a hash")
        parser.add_argument("--seed", default=DEFAULTS["seed"], help="seed of the batch (default %(default)s)")
        parser.add_argument("--game", default=0, help="number of the game, from 0 (default %(default)s)")
        parser.add_argument("--cap", default=DEFAULTS["cap"], help="turns after which the game is left unfinished")
        parser.add_argument("--until", default=DEFAULTS["until"], help="game, or round for the first round only")
        parser.add_argument(
            "--set", action="append", default=[], metavar="KEY=VALUE", help="change the ruleset; repeatable"
        )
        parser.add_argument("--json", action="store_true", help="print one JSON document")

    def handle(self, **options: Any) -> None:
        with exit_statuses():
            changes = rulesets.parse_changes(options["set"])
            wanted = {key: options[key] for key in ("seed", "cap", "until")}
            request = check_request(options["ruleset"], changes=changes, **wanted)
            game = whole_number("game", options["game"], 0, MOST_GAMES - 1)
        told = replay(request.ruleset, request.seed, game, request.cap, request.until)
        if options["json"]:
            self.stdout.write(as_json({**_asked(options["ruleset"], request, game), **as_document(told)}))
            return
        self.stdout.write(f"Game {game} of seed {request.seed}, {options['ruleset']} ({request.ruleset.hash[:8]})")
        self.stdout.write("\n".join(as_text(told)))


def _asked(name: str, request: BatchRequest, game: int) -> dict[str, Any]:
    return {
        "ruleset": name,
        "ruleset_hash": request.ruleset.hash,
        "engine_version": f"{request.ruleset.family} {request.family_version}",
        "players": ",".join(request.players),
        "seed": request.seed,
        "game": game,
        "cap": request.cap,
        "until": request.until,
    }
