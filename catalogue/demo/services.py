"""The three servers of the demo: broker, worker node, site. Started in this order and stopped in the opposite one."""

import contextlib
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from celery import current_app
from django.conf import settings

from catalogue.demo.parts import Part
from simulator.batches.dispatch import broker_note
from simulator.workers import servers
from simulator.workers.servers import Server

WORKER_CHILDREN = 2
SITE_THREADS = 64  # each slow reader holds one, and costs little else
KEPT_SECONDS = 75  # an idle connection, which then holds no thread
LONGEST_LINE = 8190  # of a request: the address of a game holds all its moves
# The worker's children would otherwise load every page of the site to check it.
ENVIRONMENT = {"CELERY_SKIP_CHECKS": "1", "PYTHONUNBUFFERED": "1"}


@dataclass(frozen=True, slots=True)
class Services:
    """parts: in the order in which they are started"""

    parts: list[Part]
    address: str

    @property
    def worker(self) -> Server:
        return self.parts[-2].server

    @property
    def site(self) -> Server:
        return self.parts[-1].server

    def watch(self, say: Callable[[str], None]) -> None:
        """Start again what is dead; raises PartLost for what dies too often. What was lost with it is in the rows."""
        for part in self.parts:
            part.watch(say)

    def restarted(self) -> str:
        """A sentence on what was started again; "" if nothing was."""
        died = ", ".join(f"the {part.name} ({len(part.restarts)} ×)" for part in self.parts if part.restarts)
        return f" Meanwhile had to be started again: {died}." if died else ""


@contextlib.contextmanager
def running_services(port: int) -> Iterator[Services]:
    """All three, stopped at the end whatever happens."""
    logs = Path(settings.VAR_DIR) / "logs"
    parts: list[Part] = []
    with contextlib.ExitStack() as stack:

        def run(name: str, start: Callable[[], Server], patience: float) -> None:
            parts.append(Part(name, start, patience))
            stack.callback(parts[-1].stop)

        environment = ENVIRONMENT
        if not settings.REDIS_URL:
            place = servers.free_place()
            run("broker", lambda: servers.start(logs / "broker.log", place).server, patience=3)
            stack.enter_context(_noted(place.url))
            environment = {**ENVIRONMENT, "REDIS_URL": place.url, "SECRET_KEY": settings.SECRET_KEY}
        run("worker", partial(Server.start, "worker", _worker_command(), logs / "worker.log", environment), patience=10)
        run("site", partial(Server.start, "site", site_command(port), logs / "site.log", environment), patience=5)
        yield Services(parts, f"http://127.0.0.1:{port}")


@contextlib.contextmanager
def _noted(url: str) -> Iterator[None]:
    """Other terminals find our broker by a note."""
    note = broker_note()
    note.touch(mode=0o600)
    note.write_text(url)
    current_app.conf.broker_url = url
    try:
        yield
    finally:
        note.unlink(missing_ok=True)


def _worker_command() -> list[str]:
    options = ["--concurrency", str(WORKER_CHILDREN), "--loglevel", "INFO", "--without-gossip", "--without-mingle"]
    return [sys.executable, "-m", "celery", "-A", "catalogue.config.celery", "worker", *options]


def site_command(port: int) -> list[str]:
    """What serves the site on the loopback address."""
    options = f"--bind 127.0.0.1:{port} --workers 1 --threads {SITE_THREADS} --limit-request-line {LONGEST_LINE}"
    options += f" --keep-alive {KEPT_SECONDS}"
    application = "catalogue.config.wsgi:application"
    return [sys.executable, "-m", "gunicorn", application, *options.split(), "--log-level", "warning"]
