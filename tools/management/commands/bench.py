"""Measure random play and tree search on one core, beside OpenSpiel and plain C where they have it."""

from argparse import ArgumentParser
from typing import Any

from simulator import rulesets
from simulator.engine import shipped
from simulator.engine.ruleset import Ruleset
from simulator.management.command_line import SimulatorCommand, add_common_arguments
from simulator.problems import whole_number
from tools import yardsticks

MOST_SECONDS = 3_600
YARDSTICKS = {"openspiel": "OpenSpiel", "c": "C"}


class Command(SimulatorCommand):
    help = __doc__

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("ruleset", nargs="*", help="names or hashes of rulesets; none means all that are shipped")
        parser.add_argument("--seconds", default=2, help="how long each is measured (default %(default)s)")
        add_common_arguments(parser, "--json")

    def handle(self, **options: Any) -> None:
        seconds = whole_number("seconds", options["seconds"], 1, MOST_SECONDS)
        wanted = {name: rulesets.find(name) for name in options["ruleset"] or shipped.rulesets()}
        self.print_answer(_measure(wanted, seconds), _as_text, options["json"])


def _measure(wanted: dict[str, Ruleset], seconds: int) -> dict[str, Any]:
    from tools import benchmark  # brings the compiled engine

    return {
        "players": "random",
        "cap": benchmark.CAP,
        "openspiel": "measured in the same run" if yardsticks.is_installed() else "not installed",
        "c": "measured in the same run" if yardsticks.compiler() else "no compiler (cc, or CC)",
        "rulesets": benchmark.measure(wanted, seconds),
    }


def _as_text(answer: dict[str, Any]) -> str:
    lines = [f"{'ruleset':<26}{'turns/s':>12}{'plies/s':>12}{'games/s':>10}"]
    for row in answer["rulesets"]:
        line = f"{row['ruleset']:<26}{row['turns_per_second']:>12,}{row['plies_per_second']:>12,}"
        line += f"{row['games_per_second']:>10,}"
        for key, name in YARDSTICKS.items():
            if theirs := row.get(key):
                line += f"   {name} {theirs['game']}: {theirs['games_per_second']:,} games/s, ratio {theirs['ratio']}"
        lines.append(line)
        if search := row.get("search"):
            line = f"{'':<26}{search['player']}: {search['iterations_per_second']:,} iterations/s"
            theirs = search["openspiel_iterations_per_second"]
            lines.append(f"{line}   OpenSpiel MCTS: {theirs:,} iterations/s, ratio {search['ratio']}")
    return "\n".join([*lines, *(f"{name}: {answer[key]}" for key, name in YARDSTICKS.items())])
