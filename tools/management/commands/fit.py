"""Fit the weights by which players judge a position whose end they do not see, from games of a family's rulesets.

Every shipped ruleset plays games between players of one name; what is fitted for each kind of game goes into
simulator/engine/weights, with how it was found. Players who think play differently then: PLAYERS_VERSION rises.
"""

import json
import shlex
from argparse import ArgumentParser
from datetime import date
from typing import Any

from simulator.engine.family import FAMILY_NAMES
from simulator.engine.weights import fitted, path
from simulator.management.command_line import ProgressLine, SimulatorCommand, add_common_arguments

PLAYER, GAMES = "uct:20/20", 200
LINE = "{kind}: log loss {plain:.4f} by the plain evaluation, {fitted:.4f} fitted ({positions:,} positions)"


class Command(SimulatorCommand):
    help = __doc__

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("family", choices=FAMILY_NAMES)
        parser.add_argument("--kind", help="only this kind of game")
        parser.add_argument(
            "--only", default="", help="features, with commas between them; plain: the plain weights stay"
        )
        parser.add_argument(
            "--players", action="append", help=f"a line of players, repeatable ({PLAYER} if none is given)"
        )
        parser.add_argument("--games", type=int, default=GAMES, help="of every ruleset (default %(default)s)")
        parser.add_argument("--times", type=int, default=1, help="multiply all weights (default %(default)s)")
        add_common_arguments(parser, "--seed", "--json")

    def handle(self, **options: Any) -> None:
        from tools.fitting import (
            fit,  # brings the compiled engine
            kinds,
        )

        family_name, document = options["family"], dict(fitted(options["family"]))
        only = [name for name in options["only"].split(",") if name]
        lines, line = options["players"] or [PLAYER], ProgressLine(self.stderr)
        chosen = {kind: names for kind, names in kinds(family_name).items() if options["kind"] in (None, kind)}
        for done, (kind, names) in enumerate(chosen.items()):
            line.show(kind, 100 * done // len(chosen))
            found = fit(family_name, names, only, lines, int(options["games"]), int(options["seed"]), options["times"])
            document[kind] = {
                "fitted": date.today().isoformat(),
                "by": "manage.py " + shlex.join(["fit", family_name, *_typed({**options, "kind": kind})]),
                "rulesets": names,
                "positions": found.positions,
                "log_loss": found.log_loss,
                "weights": found.weights,
            }
        line.end()
        path(family_name).write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")
        self.print_answer(document, as_text, options["json"])


def _typed(options: dict[str, Any]) -> list[str]:
    """The options with which one kind is fitted so again."""
    only = ["--only", options["only"]] if options["only"] else []
    players = [word for line in options["players"] or [PLAYER] for word in ("--players", line)]
    return [
        "--kind",
        options["kind"],
        *only,
        *players,
        "--games",
        str(options["games"]),
        "--seed",
        str(options["seed"]),
    ]


def as_text(document: dict[str, Any]) -> str:
    """The document for people."""
    fits = ((kind, found) for kind, found in document.items() if "log_loss" in found)
    return "\n".join(LINE.format(kind=kind, positions=found["positions"], **found["log_loss"]) for kind, found in fits)
