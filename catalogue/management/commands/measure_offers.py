"""`manage.py measure_offers`: how often a right rule is among those that the workshop offers for words, by games that
the ranking has never seen."""

from argparse import ArgumentParser
from dataclasses import asdict
from typing import Any

from catalogue.workshop.learning import ALL, NO_KIN, NONE, OWN, Folds, Measured, measured
from catalogue.workshop.ranking import WEIGHTS, examples
from simulator.management.command_line import CommandFailed, SimulatorCommand, add_common_arguments

KNOWN = {
    ALL: "words of all other games are known",
    OWN: "words of all other games are known, and its own so far",
    NO_KIN: "words of games of another kind are known",
    NONE: "no words are known, only the schema",
}


class Command(SimulatorCommand):
    help = "Measure the rules that are offered for words, leaving out one game after the other."

    def add_arguments(self, parser: ArgumentParser) -> None:
        add_common_arguments(parser, "--json")

    def handle(self, **options: Any) -> None:
        try:
            folds = Folds(examples())
            found = [measured(folds, known) for known in KNOWN]
        except ValueError as problem:
            raise CommandFailed(str(problem)) from problem
        answer = {"measured": [asdict(one) for one in found], "weights": folds.weights(), "ship": WEIGHTS}
        self.print_answer(answer, lambda _: "\n".join([*map(_in_words, found), _weights(folds)]), options["json"])


def _in_words(one: Measured) -> str:
    among = ", ".join(f"{share:.1%} among {place}" for place, share in one.among.items())
    families = "; ".join(f"{kind} {share:.1%} of {number}" for kind, (number, share) in one.by_family.items())
    return (
        f"{KNOWN[one.known]}: {one.selections} selections, {one.candidates:.0f} candidates each: {among}. "
        f"Among five by family: {families}. The value among three: {one.values:.1%}."
    )


def _weights(folds: Folds) -> str:
    return f"Weights, learnt of all games: {', '.join(f'{weight:.1f}' for weight in folds.weights())}."
