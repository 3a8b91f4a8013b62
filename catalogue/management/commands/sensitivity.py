"""Vary the open questions of a game together, and say which of them matters for the games."""

from argparse import ArgumentParser
from collections.abc import Sequence
from typing import Any

from catalogue.analyses.studies import STUDIES
from catalogue.analyses.study_plans import Plan, plan
from catalogue.models import Study
from simulator.batches import dispatch
from simulator.batches.levels import line_in_words
from simulator.batches.service import request_all
from simulator.engine.ruleset import Problem
from simulator.management import command_line
from simulator.problems import WrongRequest


class Command(command_line.SimulatorCommand):
    help = __doc__

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("game", help="the game's slug, for example puhulmutu")
        command_line.add_common_arguments(parser, "--games", help="games of each combination (default %(default)s)")
        command_line.add_common_arguments(parser, "--seed", help="from which all other seeds are derived")
        parser.add_argument("--base", default="", help="the ruleset that holds otherwise (default: the first reading)")
        command_line.add_common_arguments(parser, "--players", "--cap", "--until")
        parser.add_argument(
            "--questions", default="", help="slugs of the questions to vary, with commas (default: all)"
        )
        parser.add_argument(
            "--weights", nargs="*", default=[], metavar="QUESTION:ANSWER=W", help="weights of answers, 1 unless given"
        )
        command_line.add_common_arguments(parser, "--inline", "--json")

    def handle(self, **options: Any) -> None:
        wanted = {key: options[key] for key in ("games", "seed", "players", "cap", "until")}
        chosen = [slug for slug in options["questions"].split(",") if slug]
        with command_line.exit_statuses():
            command_line.prepare_database(self.stderr)
            weights = parsed_weights(options["weights"])
            planned = plan(options["game"], base=options["base"], questions=chosen, weights=weights, **wanted)
            study = STUDIES.kept(planned.id) or self._run(planned, options["inline"])
        self.print_answer(study.document, lambda _: as_text(study), options["json"])

    def _run(self, planned: Plan, inline: bool) -> Study:
        if not inline:
            dispatch.require_broker()
        command_line.play_to_end(request_all(planned.requests, announce=not inline), inline, self.stderr)
        return STUDIES.concluded(planned)


def parsed_weights(words: Sequence[str]) -> dict[tuple[str, str], float]:
    """`["singles:off=2"]` as `{("singles", "off"): 2.0}`; raises WrongRequest."""
    found, wrong = {}, []
    for word in words:
        name, _, number = word.partition("=")
        question, _, answer = name.partition(":")
        try:
            weight = float(number)
        except ValueError:
            weight = -1.0
        if not answer or not 0 <= weight <= MOST_WEIGHT:
            message = f"a weight is written QUESTION:ANSWER=NUMBER, from 0 to {MOST_WEIGHT:,}, not {word!r}"
            wrong.append(Problem("weights", message))
        found[question, answer] = weight
    if wrong:
        raise WrongRequest(wrong)
    return found


MOST_WEIGHT = 1_000_000


def as_text(study: Study) -> str:
    found = study.document
    lines = [
        f"study {study.id}: {len(found['questions'])} questions of {found['game']}, {found['combinations']:,} of "
        f"{found['size']:,} combinations, {len(found['cells'])} rulesets, {found['games']:,} games each",
        f"Players: {line_in_words(found['players'])}",
    ]
    for outcome in found["outcomes"]:
        lines += ["", outcome["title"], f"  {outcome['text']}"]
        if outcome["told"]:
            lines += [f"  {row['first']['text']:>24}  {row['title']}" for row in outcome["questions"]]
    return "\n".join(lines)
