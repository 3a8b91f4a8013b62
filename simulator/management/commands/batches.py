"""List the batches, cancel one, run a cancelled or failed one again, draw its plots anew, or throw one away."""

from argparse import ArgumentParser
from typing import Any

from simulator.batches.service import batch_line, named_batch, purge_batch, requeue_batch, stop_batch
from simulator.management.command_line import SimulatorCommand, add_common_arguments, prepare_database
from simulator.models import Batch


class Command(SimulatorCommand):
    help = __doc__

    def add_arguments(self, parser: ArgumentParser) -> None:
        actions = parser.add_subparsers(dest="action", required=True, metavar="list|cancel|requeue|redraw|purge")
        lister = actions.add_parser("list", help="every batch, the latest first")
        lister.add_argument("--state", choices=Batch.State.values, help="only those in this state")
        add_common_arguments(lister, "--json")
        for name, what in (("cancel", "stop it"), ("requeue", "run it on"), ("purge", "throw it away")):
            action = actions.add_parser(name, help=what)
            action.add_argument("batch", nargs="+", help="id of a batch, or an unambiguous beginning of it")
        again = "compute figures and plots again from what is kept"
        redrawing = actions.add_parser("redraw", help=f"{again}: of the named batches, else of all that are done")
        redrawing.add_argument("batch", nargs="*", help="id of a batch, or an unambiguous beginning of it")

    def handle(self, **options: Any) -> None:
        prepare_database(self.stderr)
        if options["action"] == "list":
            self._list(options["state"], options["json"])
            return
        for batch in [named_batch(name) for name in options["batch"]] or _all_done():
            self.stdout.write(f"{batch} {ACTIONS[options['action']](batch)}")

    def _list(self, state: str | None, in_json: bool) -> None:
        batches = Batch.objects.select_related("ruleset").prefetch_related("ruleset__versions")
        if state:
            batches = batches.filter(state=state)
        self.print_answer([batch_line(batch) for batch in batches], _as_text, in_json)


def _as_text(rows: list[dict[str, Any]]) -> str:
    line = "{batch}  {state:9}  {games_done:>11,} of {games:>11,}  {ruleset}"
    return "\n".join(line.format(**row) for row in rows)


def _all_done() -> list[Batch]:
    """Return every batch that is done; only `redraw` needs no name."""
    return list(Batch.objects.filter(state=Batch.State.DONE).select_related("ruleset").order_by("created"))


def _cancel(batch: Batch) -> str:
    return "cancelled" if stop_batch(batch) else f"was not running: it is {batch.state}"


def _requeue(batch: Batch) -> str:
    requeue_batch(batch)
    return "runs on"


def _purge(batch: Batch) -> str:
    purge_batch(batch)
    return "thrown away"


def _redraw(batch: Batch) -> str:
    from simulator.batches import finalize  # here, because only this action draws

    if batch.state != Batch.State.DONE:
        return f"has nothing to draw: it is {batch.state}"
    finalize.redraw(batch)
    return "drawn anew"


ACTIONS = {"cancel": _cancel, "requeue": _requeue, "redraw": _redraw, "purge": _purge}
