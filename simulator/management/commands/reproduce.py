"""Play a batch again in this process and compare its digest with the stored one: 0 if equal, 1 if not."""

from argparse import ArgumentParser
from typing import Any

from simulator.batches import requests
from simulator.batches import service as batches
from simulator.engine.ruleset import Problem
from simulator.management.command_line import (
    Failed,
    ProgressLine,
    SimulatorCommand,
    add_common_arguments,
    as_json,
    exit_statuses,
)
from simulator.models import Batch
from simulator.problems import WrongRequest


class Command(SimulatorCommand):
    help = __doc__

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("batch", help="id of a batch, or an unambiguous beginning of it")
        add_common_arguments(parser, "--json")

    def handle(self, **options: Any) -> None:
        with exit_statuses():
            batch = batches.named_batch(options["batch"])
            _refuse_what_cannot_be(batch)
            digest = self._digest(batch)
        same = digest == batch.digest
        answer = {"batch": batch.id, "stored": batch.digest, "reproduced": digest, "same": same}
        words = "reproduced: the same digest" if same else "not reproduced: the digests differ"
        self.stdout.write(as_json(answer) if options["json"] else f"{batch} {words} ({digest[:16]}…)")
        if not same:
            raise Failed(f"batch {batch} has digest {batch.digest}, and its games played again have {digest}")

    def _digest(self, batch: Batch) -> str:
        from simulator.batches import playing

        line = ProgressLine(self.stderr)

        def told(played: int) -> None:
            percent = 100 * played // batch.games
            line.show(f"{played:,} of {batch.games:,} games ({percent} %)", percent)

        digest, _ = playing.replay_digest(requests.of_batch(batch), told)
        line.end()
        return digest


def _refuse_what_cannot_be(batch: Batch) -> None:
    if batch.state != Batch.State.DONE:
        raise WrongRequest(
            [Problem("batch", f"batch {batch} is {batch.state}: there is no digest to compare with yet")]
        )
    if not batches.is_of_this_engine(batch):
        message = (
            f"batch {batch} was played by version {batch.family_version} of the {batch.ruleset.family} engine, and "
            "another version is installed here; CHANGELOG.md names the release that has it"
        )
        raise WrongRequest([Problem("batch", message)])
