"""Tell one game turn by turn, with the parameters of the ruleset that fired. The referee plays it.

What random players choose the referee draws itself; what others choose is listed by the compiled engine first.
"""

from argparse import ArgumentParser
from typing import Any

from simulator import rulesets
from simulator.batches.requests import DEFAULTS, MOST_CAP, MOST_GAMES, BatchRequest, check_request, request_of_batch
from simulator.batches.service import named_batch
from simulator.batches.versions import is_of_this_engine
from simulator.engine import narration
from simulator.engine.players.names import KINDS, RANDOM
from simulator.engine.replay import Replay, as_document, as_text, replay
from simulator.engine.ruleset import Problem
from simulator.management.command_line import SimulatorCommand, add_common_arguments
from simulator.problems import WrongRequest, whole_number
from simulator.replays import facts_of_game, game_number

TERMS = {
    "seed": "seed of the batch",
    "players": "a player for every seat, or one for all",
    "cap": "turns after which it is left unfinished",
    "until": "game, or round for the first",
}


class Command(SimulatorCommand):
    help = __doc__

    def add_arguments(self, parser: ArgumentParser) -> None:
        add_common_arguments(parser, "ruleset", nargs="?")
        parser.add_argument(
            "--batch", help="id of a batch, or its beginning, instead of ruleset, seed, players, cap, until"
        )
        parser.add_argument("--game", default=0, help="number of the game, from 0 (default %(default)s)")
        for name, meaning in TERMS.items():
            parser.add_argument(f"--{name}", help=f"{meaning} (default {DEFAULTS[name]})")
        add_common_arguments(parser, "--set", "--json")

    def handle(self, **options: Any) -> None:
        name, request, game = _of_batch(options) if options["batch"] else _of_ruleset(options)
        whole = replay_game(request, game)
        document = {**facts_of_game(request, name, request.ruleset.hash, game), **as_document(whole)}
        heading = f"Game {game} of seed {request.seed}, {name} ({request.ruleset.hash[:8]})"
        reading = narration.reading(request.ruleset)
        self.print_answer(document, lambda _: "\n".join([heading, "", reading, "", *as_text(whole)]), options["json"])


def _of_ruleset(options: dict[str, Any]) -> tuple[str, BatchRequest, int]:
    if not options["ruleset"]:
        raise WrongRequest.of("ruleset", "a ruleset or --batch must be named")
    changes = rulesets.parse_changes(options["set"])
    terms = {key: options[key] for key in TERMS if options[key] is not None}
    request = check_request(options["ruleset"], changes=changes, **terms)
    return options["ruleset"], request, whole_number("game", options["game"], 0, MOST_GAMES - 1)


def _of_batch(options: dict[str, Any]) -> tuple[str, BatchRequest, int]:
    twice = [key for key in ("ruleset", "set", *TERMS) if options[key]]
    if twice:
        message = "a batch says that itself; leave it out, or leave out --batch"
        raise WrongRequest(Problem(key, message) for key in twice)
    batch = named_batch(options["batch"])
    if not is_of_this_engine(batch):
        message = f"was played by version {batch.family_version} of the engine, not by the one installed here"
        raise WrongRequest.of("batch", message)
    return batch.ruleset.versioned_name, request_of_batch(batch), game_number(batch, options["game"])


def replay_game(request: BatchRequest, game: int) -> Replay:
    """Replay a whole game."""
    if set(request.players) == {KINDS[RANDOM]}:
        return replay(request.ruleset, request.seed, game, request.cap, request.until)
    from simulator.replays import replay_listed  # brings the compiled engine

    return replay_listed(request, game, MOST_CAP)[1]
