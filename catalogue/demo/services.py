"""The three servers of the demo: broker, worker node, site. Started in this order and stopped in the opposite one."""

import contextlib
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from celery import current_app
from django.conf import settings

from simulator.batches.dispatch import broker_note
from simulator.workers import embedded_broker
from simulator.workers.servers import Server

WORKER_CHILDREN = 2
SITE_THREADS = 4
LONGEST_LINE = 8190  # of a request: the address of a game holds all its moves


@dataclass(frozen=True, slots=True)
class Services:
    worker: Server
    site: Server
    address: str

    def dead(self) -> list[Server]:
        return [server for server in (self.worker, self.site) if not server.is_running]


@contextlib.contextmanager
def running_services(port: int) -> Iterator[Services]:
    """All three, stopped at the end whatever happens."""
    logs = Path(settings.VAR_DIR) / "logs"
    with contextlib.ExitStack() as stack:
        environment = stack.enter_context(_broker(logs / "broker.log"))
        worker = Server.start("worker", _worker_command(), logs / "worker.log", environment)
        stack.callback(worker.stop, patience=10)
        site = Server.start("site", site_command(port), logs / "site.log", environment)
        stack.callback(site.stop, patience=5)
        yield Services(worker, site, f"http://127.0.0.1:{port}")


@contextlib.contextmanager
def _broker(log: Path) -> Iterator[dict[str, str]]:
    """The environment that leads to the broker: REDIS_URL's, or one of our own that other terminals can find."""
    # The worker's children would otherwise load every page of the site to check it.
    environment = {"CELERY_SKIP_CHECKS": "1", "PYTHONUNBUFFERED": "1"}
    if settings.REDIS_URL:
        yield environment
        return
    note = broker_note()
    with embedded_broker.running_broker(log) as broker:
        note.touch(mode=0o600)
        note.write_text(broker.url)
        current_app.conf.broker_url = broker.url
        try:
            yield {**environment, "REDIS_URL": broker.url, "SECRET_KEY": settings.SECRET_KEY}
        finally:
            note.unlink(missing_ok=True)


def _worker_command() -> list[str]:
    options = ["--concurrency", str(WORKER_CHILDREN), "--loglevel", "INFO", "--without-gossip", "--without-mingle"]
    return [sys.executable, "-m", "celery", "-A", "catalogue.config.celery", "worker", *options]


def site_command(port: int) -> list[str]:
    """What serves the site on the loopback address."""
    options = f"--bind 127.0.0.1:{port} --workers 1 --threads {SITE_THREADS} --limit-request-line {LONGEST_LINE}"
    application = "catalogue.config.wsgi:application"
    return [sys.executable, "-m", "gunicorn", application, *options.split(), "--log-level", "warning"]
