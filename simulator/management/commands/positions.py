"""Count the different positions after exactly 1, 2, … turns from the start, and how many of them ended the game."""

from argparse import ArgumentParser
from typing import Any

from simulator.engine.ruleset import Ruleset
from simulator.management.command_line import SimulatorCommand, add_common_arguments, named_ruleset
from simulator.problems import WrongRequest, whole_number

MOST_TURNS = 1_000


class Command(SimulatorCommand):
    help = __doc__

    def add_arguments(self, parser: ArgumentParser) -> None:
        add_common_arguments(parser, "ruleset", "--set", "--json")
        parser.add_argument("--turns", required=True, help="how many turns to walk")

    def handle(self, **options: Any) -> None:
        turns = whole_number("turns", options["turns"], 1, MOST_TURNS)
        name, ruleset = named_ruleset(options)
        self.print_answer({"ruleset": name, "turns": _counted(ruleset, turns)}, _as_text, options["json"])


def _counted(ruleset: Ruleset, turns: int) -> list[dict[str, int]]:
    from simulator.engine.playout import ThrowsDecide, TooManyPositions, count_positions  # brings the compiled engine

    try:
        return [
            {"turn": count.turn, "positions": count.positions, "ended": count.ended}
            for count in count_positions(ruleset, turns)
        ]
    except ThrowsDecide as error:
        raise WrongRequest.of("ruleset", str(error)) from error
    except TooManyPositions as error:
        raise WrongRequest.of("turns", str(error), error.turn - 1) from error


def _as_text(answer: dict[str, Any]) -> str:
    lines = [f"different positions of {answer['ruleset']}", "turn  positions  of them ended"]
    lines += [f"{row['turn']:4}  {row['positions']:9,}  {row['ended']:13,}" for row in answer["turns"]]
    return "\n".join(lines)
