"""Play a batch again in this process and compare its digest with the stored one: 0 if equal, 1 if not."""

from argparse import ArgumentParser
from typing import Any

from simulator.batches import requests, service, versions
from simulator.management.command_line import CommandFailed, ProgressLine, SimulatorCommand, add_common_arguments
from simulator.models import Batch
from simulator.problems import WrongRequest


class Command(SimulatorCommand):
    help = __doc__

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("batch", help="id of a batch, or an unambiguous beginning of it")
        add_common_arguments(parser, "--json")

    def handle(self, **options: Any) -> None:
        batch = service.named_batch(options["batch"])
        _check_reproducible(batch)
        digest = self._digest(batch)
        same = digest == batch.digest
        answer = {"batch": batch.id, "stored": batch.digest, "reproduced": digest, "same": same}
        words = "reproduced: the same digest" if same else "not reproduced: the digests differ"
        self.print_answer(answer, lambda _: f"{batch} {words} ({digest[:16]}…)", options["json"])
        if not same:
            raise CommandFailed(f"batch {batch} has digest {batch.digest}, and its games played again have {digest}")

    def _digest(self, batch: Batch) -> str:
        from simulator.batches import playing

        line = ProgressLine(self.stderr)

        def report(played: int) -> None:
            percent = 100 * played // batch.games
            line.show(f"{played:,} of {batch.games:,} games ({percent} %)", percent)

        digest, _ = playing.replay_digest(requests.request_of_batch(batch), report)
        line.end()
        return digest


def _check_reproducible(batch: Batch) -> None:
    if batch.state != Batch.State.DONE:
        raise WrongRequest.of("batch", f"batch {batch} is {batch.state}: there is no digest to compare with yet")
    if not versions.is_of_this_engine(batch):
        message = (
            f"batch {batch} was played by version {batch.family_version} of the {batch.ruleset.family} engine, and "
            "another version is installed here; CHANGELOG.md names the release that has it"
        )
        raise WrongRequest.of("batch", message)
