"""The servers of the demo: broker, worker node and site, started in this order and stopped in the opposite one.

Each is started again when it stops by itself: a few times, and never without a message. Their memory is measured
against what a small machine has; a compiler takes much and soon ends, which is why it is a process of its own beside
the worker's children, and is none of them. A signal to end only raises a flag, which the demo looks at between its
steps: an exception out of a signal handler may come up inside a finaliser, where Python drops it, and the Ctrl-C
would be lost.
"""

import contextlib
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from types import FrameType, TracebackType
from typing import Self

from celery import current_app
from django.conf import settings

from simulator import servers
from simulator.batches.dispatch import broker_note
from simulator.engine import compilation
from simulator.servers import Server

MOST_RESTARTS, WITHIN_SECONDS = 3, 600.0


class PartLost(Exception):
    """A server stopped by itself too often to be started once more."""


@dataclass
class Part:
    """start: starts it where it was before, so that the others find it; raises RuntimeError if it does not come up

    patience: seconds it gets to end by itself; restarts: when it was started again
    """

    name: str
    start: Callable[[], Server]
    patience: float
    server: Server = field(init=False)
    restarts: list[float] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.server = self.start()

    def stop(self) -> None:
        self.server.stop(self.patience)

    def watch(self, say: Callable[[str], None]) -> None:
        """Start it again if it is dead, and say so; raises PartLost if that was too often of late."""
        if self.server.is_running:
            return
        died = f"The {self.name} stopped by itself ({_exit_in_words(self.server.process.returncode)})"
        lately = sum(time.monotonic() - moment < WITHIN_SECONDS for moment in self.restarts)
        if lately >= MOST_RESTARTS:
            raise PartLost(f"{died}, after it was started again {lately} times:\n{self.server.last_lines()}")
        self.server.stop(patience=0)  # whatever it left behind holds its port
        self.restarts.append(time.monotonic())
        try:
            self.server = self.start()
        except RuntimeError as error:
            say(f"{died}, and did not come up again: {error}")
        else:
            say(f"{died} and was started again ({lately + 1} of at most {MOST_RESTARTS} times); see {self.server.log}")


def _exit_in_words(status: int | None) -> str:
    return f"signal {-status}" if status is not None and status < 0 else f"status {status}"


WORKER_CHILDREN = 2
SITE_THREADS = 64  # requests that are answered at once; whoever sends or reads slowly holds none
SITE_CONNECTIONS = 500  # below the files that a system usually lets a process hold
SITE_WORKER = "catalogue.config.buffering.BufferingWorker"
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
            stack.enter_context(_broker_note(place.url))
            environment = {**ENVIRONMENT, "REDIS_URL": place.url, "SECRET_KEY": settings.SECRET_KEY}
        run("worker", partial(Server.start, "worker", _worker_command(), logs / "worker.log", environment), patience=10)
        run("site", partial(Server.start, "site", site_command(port), logs / "site.log", environment), patience=5)
        yield Services(parts, f"http://127.0.0.1:{port}")


@contextlib.contextmanager
def _broker_note(url: str) -> Iterator[None]:
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
    """The command that serves the site on the loopback address."""
    options = f"--bind 127.0.0.1:{port} --workers 1 --threads {SITE_THREADS} --limit-request-line {LONGEST_LINE}"
    options += f" --keep-alive {KEPT_SECONDS} --worker-class {SITE_WORKER} --worker-connections {SITE_CONNECTIONS}"
    application = "catalogue.config.wsgi:application"
    return [sys.executable, "-m", "gunicorn", application, *options.split(), "--log-level", "warning"]


MOST_WEB_MB = 250
MOST_WORKER_MB = 400
PROC = Path("/proc")
COMPILER = compilation.__name__


@dataclass(frozen=True, slots=True)
class Process:
    """megabytes: the most it has ever held, where the system says so, else what it holds now"""

    pid: int
    group: int
    megabytes: int
    command: str

    @property
    def compiles(self) -> bool:
        return COMPILER in self.command


def group(leader: int) -> list[Process]:
    """The processes of a server's group, its leader first, with their resident memory."""
    processes = _from_proc() if (PROC / "self" / "stat").exists() else _from_ps()
    return sorted((process for process in processes if process.group == leader), key=lambda one: one.pid)


def _from_proc() -> list[Process]:
    processes = []
    for folder in PROC.glob("[0-9]*"):
        try:
            status = (folder / "stat").read_text().rpartition(")")[2].split()
            held = _most_held((folder / "status").read_text())
            command = (folder / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
        except (OSError, IndexError):  # it ended while we looked
            continue
        processes.append(Process(int(folder.name), int(status[2]), held, command))
    return processes


def _most_held(status: str) -> int:
    lines = dict(line.split(":", 1) for line in status.splitlines() if ":" in line)
    return int(lines.get("VmHWM", "0 kB").split()[0]) // 1024


def _from_ps() -> list[Process]:
    processes = subprocess.run(["ps", "-A", "-o", "pid=,pgid=,rss=,args="], capture_output=True, text=True, check=True)
    rows = (line.split(None, 3) for line in processes.stdout.splitlines())
    return [Process(int(pid), int(pgid), int(kilobytes) // 1024, command) for pid, pgid, kilobytes, command in rows]


SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
STEP_SECONDS = 0.1


class Interrupted(Exception):
    """The demo was interrupted."""


class Interruption:
    """While it is entered, signals are noted; further ones change nothing."""

    def __init__(self) -> None:
        self.requested = False

    def __enter__(self) -> Self:
        self._before = {one: signal.signal(one, self._note) for one in SIGNALS}
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for one, handler in self._before.items():
            signal.signal(one, handler)

    def _note(self, number: int, frame: FrameType | None) -> None:
        self.requested = True

    def check(self) -> None:
        """Raises Interrupted after a signal."""
        if self.requested:
            raise Interrupted

    def pause(self, seconds: float) -> None:
        """Sleep until the time is over. Raises Interrupted at a signal."""
        until = time.monotonic() + seconds
        self.check()
        while time.monotonic() < until:
            time.sleep(STEP_SECONDS)
            self.check()
