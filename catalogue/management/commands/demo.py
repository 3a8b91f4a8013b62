"""Show everything on this machine: a broker, a worker node, the site, and the figures as they are computed.

Ctrl-C stops it all. With --check it waits until every figure is there, looks at the main pages, and exits 0 or 1.
"""

import time
from argparse import ArgumentParser
from collections.abc import Iterator
from typing import Any

from django.db import OperationalError, connections
from django.db.models import Count, Q, Sum

from catalogue.dataset.shipped import offer_a_release
from catalogue.demo import content, servers
from catalogue.demo.servers import Interrupted, Interruption, PartLost, Services, running_services
from simulator.management.command_line import CommandFailed, PlainCommand, ProgressLine, WrongUsage, database_away
from simulator.models import Batch, Chunk
from simulator.servers import NoBrokerProgram, free_port

POLL_SECONDS = 0.5
CHECK_SECONDS = 900
PORT = 8000


class Command(PlainCommand):
    help = __doc__
    restarted = ""  # what died meanwhile and was started again, in words

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--check", action="store_true", help="wait for every figure, look at the pages, then stop")
        parser.add_argument(
            "--port", help=f"port of the site; if none is named, {PORT}, or another one where that is taken"
        )

    def handle(self, **options: Any) -> None:
        port = self._port(options["port"])
        started = time.monotonic()
        try:
            with Interruption() as self.interruption:
                self._run(port, options["check"], started)
        except Interrupted:
            self.stdout.write(f"Everything is stopped.{self.restarted}")
            if options["check"]:
                raise CommandFailed("the check was interrupted") from None
        except (NoBrokerProgram, PartLost) as error:
            raise CommandFailed(str(error)) from error
        except OperationalError as error:
            raise CommandFailed(database_away(error)) from error

    def _port(self, named: str | None) -> int:
        """Return the port of the site. Who names one wants that one; raises WrongUsage and CommandFailed."""
        if named is not None and (not named.isdecimal() or not 1024 <= int(named) <= 65535):
            raise WrongUsage(f"port: must be a whole number from 1024 to 65535, not {named!r}")
        wanted = PORT if named is None else int(named)
        free = free_port(wanted)
        if free != wanted and named is not None:
            raise CommandFailed(f"port {wanted} is taken by another program; {free} is free: --port {free}")
        if free != wanted:
            self.stdout.write(f"Port {wanted} is taken by another program, so the site takes {free}.")
        return free

    def _run(self, port: int, check: bool, started: float) -> None:
        self.stdout.write("Preparing the database and the records …")
        content.prepare()
        password = content.new_editor()
        self.interruption.check()
        with running_services(port) as services:
            self.stdout.write(f"The catalogue is at {services.address}/ (Ctrl-C stops it).")
            if password:
                self.stdout.write(
                    f"Editor's account: {content.EDITOR}, password {password} (shown this once), at /admin/."
                )
            chosen = content.request_demo_batches(announce=True)
            most = CHECK_SECONDS if check else None
            seconds, number = self._follow(chosen, services, started, most)
            self.stdout.write(f"All {number} batches that stand beside the records are there after {seconds:.0f} s.")
            self._find(chosen, services, started, most)
            if check:
                self._look(chosen, services)
                return
            self.stdout.write("Everything is computed. The catalogue stays open until Ctrl-C.")
            if version := offer_a_release():
                self.stdout.write(f"The dataset is at {services.address}/data/{version}/.")
            with content.running(self.stdout.write) as look:
                while True:
                    self._watch(services)
                    look()
                    self.interruption.pause(POLL_SECONDS)

    def _find(self, chosen: list[Batch], services: Services, started: float, most: float | None) -> None:
        """Compare the readings, test the claims, and study the sensitivity of one game, where the edition did not."""
        requested = content.request_findings(chosen)
        self._follow(requested.batches, services, started, most)
        summary = content.conclude(requested)
        while content.waiting(requested):
            self._wait(services, started, most, "the comparisons were not computed")
        self.stdout.write(f"After {time.monotonic() - started:.0f} s: {summary}")

    def _follow(self, chosen: list[Batch], services: Services, started: float, most: float | None) -> tuple[float, int]:
        """Show the progress until none of the batches is running; raises Failed if that cannot be waited for.

        Returns (seconds until all were done, how many they are). Nothing is shown where all were done before.
        """
        line = ProgressLine(self.stdout)
        ids = list({batch.id for batch in chosen})  # two names may mean the same content
        waited = False
        while True:
            seconds = time.monotonic() - started
            text, percent, running = _progress(ids)
            if running or waited:
                line.show(f"{text}, {seconds:.0f} s", percent)
            if not running:
                break
            waited = True
            self._wait(services, started, most, "the demo batches were not done")
        line.end()
        return seconds, len(ids)

    def _wait(self, services: Services, started: float, most: float | None, missing: str) -> None:
        """A moment; raises PartLost if a server is dead for good, Failed if `most` seconds are over."""
        self._watch(services)
        if most and time.monotonic() - started > most:
            raise CommandFailed(f"{missing} after {most:.0f} s")
        connections.close_all()
        self.interruption.pause(POLL_SECONDS)

    def _watch(self, services: Services) -> None:
        """Start again what died. Batches go on from their rows; workers are told of them anew."""
        services.watch(lambda words: self.stderr.write(f"\n{words}"))
        self.restarted = services.restarted()

    def _look(self, chosen: list[Batch], services: Services) -> None:
        ids = [batch.id for batch in chosen]
        found = Batch.objects.filter(id__in=ids).select_related("ruleset")
        batches = list(found.prefetch_related("ruleset__versions", "plots"))
        problems = [f"batch {batch} is {batch.state}" for batch in batches if batch.state != Batch.State.DONE]
        expectations = list(dict.fromkeys(content.expectations(batches)))
        wrong = []
        for expectation in expectations:
            self.interruption.check()
            if problem := content.problem_of(services.address, expectation):
                wrong.append(f"{expectation.path}: {problem}")
        self.stdout.write(f"{len(expectations)} pages looked at, {len(expectations) - len(wrong)} as they should be.")
        problems += wrong
        for name, process, most in _processes(services):
            held = f"{name}: {process.megabytes} MB" + (f" of at most {most} MB" if most else "")
            self.stdout.write(held)
            if most and process.megabytes > most:
                problems.append(held)
        if problems:
            raise CommandFailed("the demo is not as it should be:\n  " + "\n  ".join(problems))
        self.stdout.write("The demo is as it should be.")


def _progress(ids: list[str]) -> tuple[str, int, int]:
    """(words, percent, batches still running or being drawn)"""
    state = Batch.objects.filter(id__in=ids).aggregate(
        games=Sum("games"),
        running=Count("id", filter=Q(state=Batch.State.RUNNING)),
        done=Count("id", filter=Q(state=Batch.State.DONE)),
    )
    running = state["running"] + Batch.objects.filter(id__in=ids, state=Batch.State.DONE, plots=None).count()
    chunks = Chunk.objects.filter(batch__in=ids)
    played = chunks.filter(state=Chunk.State.DONE).aggregate(games=Sum("games"))["games"] or 0
    if not played and not chunks.exclude(state=Chunk.State.QUEUED).exists():
        return "Loading the game engine (compiling it the first time takes some minutes)", 0, running
    percent = 100 * played // state["games"]
    words = f"{percent} % of {state['games']:,} games played, {state['done']} of {len(ids)} batches done"
    return words, percent, running


def _processes(services: Services) -> Iterator[tuple[str, servers.Process, int | None]]:
    """(name, process, most megabytes): every child of the worker, and every process of the site, has its bound."""
    parent, *children = servers.group(services.worker.process.pid)
    yield "worker", parent, None
    for child in children:
        yield ("compiler", child, None) if child.compiles else ("worker's child", child, servers.MOST_WORKER_MB)
    for process in servers.group(services.site.process.pid):
        yield "site", process, servers.MOST_WEB_MB
