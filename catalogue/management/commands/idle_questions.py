"""Play every open question under each of its answers, reading by reading, and write down which never change a game.

Answers that give the same games, number by number, are not told apart there; the question's page says so. Of games with
rounds the first rounds are played as well: what changes none of them is left out of studies of first rounds. Run it
again after a change of rules, answers or engine: until then what it found is shown as out of date.
"""

import json
import os
import re
from argparse import ArgumentParser
from collections import Counter
from pathlib import Path
from typing import Any

from catalogue.evidence.questions import FILE, IDLE, STATES, state_of
from catalogue.management.named_rows import named_games
from catalogue.models import Game
from simulator.batches.requests import BOUNDS, DEFAULTS
from simulator.management import command_line
from simulator.models import Batch
from simulator.problems import whole_number

DEFAULT_GAMES = 2_000
FINDING = re.compile(r'\{[^{}]*"asked"[^{}]*\}')  # one a line: so a change is read in a difference of files


class Command(command_line.SimulatorCommand):
    help = __doc__

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("game", nargs="*", help="slugs of games, the others as they were; without any, all games")
        command_line.add_common_arguments(parser, "--games", default=DEFAULT_GAMES)
        command_line.add_common_arguments(parser, "--seed", "--players", "--cap", "--json")
        parser.add_argument("--to", type=Path, default=FILE, help="the file (default %(default)s)")

    def handle(self, **options: Any) -> None:
        from catalogue.analyses.idle_questions import findings_of, plays_rounds  # brings the compiled engine

        target: Path = options["to"]
        with command_line.exit_statuses():
            command_line.prepare_database(self.stderr)
            numbers = {key: whole_number(key, options[key], *BOUNDS[key]) for key in ("games", "seed", "cap")}
            terms = {**DEFAULTS, **numbers, "players": options["players"]}
            known = Game.objects.filter(questions__isnull=False).distinct().order_by("slug")
            games = named_games({game.slug: game for game in known}, options["game"], "game with questions")
            file = json.loads(target.read_text(encoding="utf-8")) if target.exists() else {}
            kept, rounds = file.get("found", {}), file.get("first_rounds", {})
            line = command_line.ProgressLine(self.stderr)
            for number, game in enumerate(games, start=1):
                line.show(f"{number} of {len(games)}: {game.slug}", 100 * number // len(games))
                kept[game.slug] = findings_of(game, terms)
                if plays_rounds(game):
                    rounds[game.slug] = findings_of(game, {**terms, "until": Batch.Until.ROUND})
                _write(target, kept, rounds)
            line.end()
        found = {game.slug: kept[game.slug] for game in games}
        first = {game.slug: rounds[game.slug] for game in games if game.slug in rounds}
        self.print_answer({"found": found, "first_rounds": first}, _in_words, options["json"])


def _write(target: Path, kept: dict[str, Any], rounds: dict[str, Any]) -> None:
    fresh = target.with_suffix(".new")
    document = {"found": dict(sorted(kept.items())), "first_rounds": dict(sorted(rounds.items()))}
    spread = json.dumps({"by": "manage.py idle_questions", **document}, indent=1)
    text = FINDING.sub(lambda found: json.dumps(json.loads(found[0])), spread)
    fresh.write_text(text + "\n", encoding="utf-8")
    os.replace(fresh, target)


def _in_words(document: dict[str, Any]) -> str:
    """Say for each game which questions are idle, and how many are not."""
    lines = []
    of_rounds = [(f"{game}, first rounds", kept) for game, kept in document["first_rounds"].items()]
    for game, kept in [*document["found"].items(), *of_rounds]:
        states = {
            (question, reading): state_of(found)
            for question, readings in kept["questions"].items()
            for reading, found in readings.items()
        }
        counts = Counter(states.values())
        summary = ", ".join(f"{counts[state]} {state.replace('_', ' ')}" for state in STATES if counts[state])
        lines += [
            f"{game}: {summary}",
            *(f"  idle: {' in '.join(key)}" for key, state in states.items() if state == IDLE),
        ]
    return "\n".join(lines)
