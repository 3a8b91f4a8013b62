"""Tell one game turn by turn, with the parameters of the ruleset that fired. The referee plays it.

What random players choose the referee draws itself; what others choose is listed by the compiled engine first.
"""

from argparse import ArgumentParser
from typing import Any

from simulator import rulesets
from simulator.batches import requests
from simulator.batches import service as batches
from simulator.batches.requests import DEFAULTS, MOST_CAP, MOST_GAMES, BatchRequest, check_request
from simulator.engine.players.names import KINDS, RANDOM
from simulator.engine.replay import Replay, as_document, as_text, replay
from simulator.engine.ruleset import Problem
from simulator.management.command_line import SimulatorCommand, add_common_arguments, as_json, exit_statuses
from simulator.problems import WrongRequest
from simulator.replays.service import game_number
from simulator.whole_numbers import whole_number

OF_A_REQUEST = ("seed", "players", "cap", "until")


class Command(SimulatorCommand):
    help = __doc__

    def add_arguments(self, parser: ArgumentParser) -> None:
        add_common_arguments(parser, "ruleset", nargs="?")
        parser.add_argument(
            "--batch", help="id of a batch, or its beginning, instead of ruleset, seed, players, cap, until"
        )
        parser.add_argument("--game", default=0, help="number of the game, from 0 (default %(default)s)")
        usual = "(default {})"
        parser.add_argument("--seed", help=f"seed of the batch {usual.format(DEFAULTS['seed'])}")
        parser.add_argument(
            "--players", help=f"a player for every seat, or one for all {usual.format(DEFAULTS['players'])}"
        )
        parser.add_argument("--cap", help=f"turns after which it is left unfinished {usual.format(DEFAULTS['cap'])}")
        parser.add_argument("--until", help=f"game, or round for the first {usual.format(DEFAULTS['until'])}")
        add_common_arguments(parser, "--set", "--json")

    def handle(self, **options: Any) -> None:
        with exit_statuses():
            name, request, game = _of_batch(options) if options["batch"] else _of_ruleset(options)
        told = played(request, game)
        if options["json"]:
            self.stdout.write(as_json({**_asked(name, request, game), **as_document(told)}))
            return
        self.stdout.write(f"Game {game} of seed {request.seed}, {name} ({request.ruleset.hash[:8]})")
        self.stdout.write("\n".join(as_text(told)))


def _of_ruleset(options: dict[str, Any]) -> tuple[str, BatchRequest, int]:
    if not options["ruleset"]:
        raise WrongRequest([Problem("ruleset", "a ruleset or --batch must be named")])
    changes = rulesets.parse_changes(options["set"])
    wanted = {key: options[key] for key in OF_A_REQUEST if options[key] is not None}
    request = check_request(options["ruleset"], changes=changes, **wanted)
    return options["ruleset"], request, whole_number("game", options["game"], 0, MOST_GAMES - 1)


def _of_batch(options: dict[str, Any]) -> tuple[str, BatchRequest, int]:
    twice = [key for key in ("ruleset", "set", *OF_A_REQUEST) if options[key]]
    if twice:
        raise WrongRequest(
            Problem(key, "a batch says that itself; leave it out, or leave out --batch") for key in twice
        )
    batch = batches.named_batch(options["batch"])
    if not batches.is_of_this_engine(batch):
        message = f"was played by version {batch.family_version} of the engine, not by the one installed here"
        raise WrongRequest([Problem("batch", message)])
    return batches.name_of(batch), requests.of_batch(batch), game_number(batch, options["game"])


def played(request: BatchRequest, game: int) -> Replay:
    """The whole game, told."""
    if set(request.players) == {KINDS[RANDOM]}:
        return replay(request.ruleset, request.seed, game, request.cap, request.until)
    from simulator.replays.move_lists import listed  # brings the compiled engine

    return listed(request, game, MOST_CAP)[1]


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
