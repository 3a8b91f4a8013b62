"""Rules that the words tell and that are not played here, by what is missing for them, the most wanted first."""

from argparse import ArgumentParser
from dataclasses import asdict
from typing import Any

from catalogue.models.playability import WantedFeature, answers_without_ruleset, wishes
from simulator.management.command_line import PlainCommand, add_common_arguments, as_json


class Command(PlainCommand):
    help = __doc__

    def add_arguments(self, parser: ArgumentParser) -> None:
        add_common_arguments(parser, "--json")

    def handle(self, *args: Any, **options: Any) -> None:
        found, unnamed = wishes(), answers_without_ruleset()
        if options["json"]:
            listed = [{**_counted(one), "rules": [asdict(rule) for rule in one.rules]} for one in found]
            answers = [{"answer": str(answer), "text": answer.text} for answer in unnamed]
            self.stdout.write(as_json({"wishes": listed, "answers_without_ruleset": answers}))
            return
        for one in found:
            counts = _counted(one)
            self.stdout.write(
                f"{one.tag}: games {counts['games']}, readings {counts['readings']}, rules {len(one.rules)}"
            )
            self.stdout.writelines(f"  {rule.key}: {rule.rule}" for rule in one.rules)
        self.stdout.write(f"Besides, {len(unnamed)} answers to open questions can be given by no ruleset.")


def _counted(one: WantedFeature) -> dict[str, Any]:
    return {"wish": one.tag, "games": one.games, "readings": one.readings}
