"""A machine to test on: a folder, real worker processes, a real broker, and the commands a person would type."""

import contextlib
import json
import os
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from django.conf import settings

from simulator.servers import Server

ROOT = Path(__file__).resolve().parent.parent.parent
PATIENCE = 1200  # seconds: the engine may have to be compiled first, on a machine that is busy


class Machine:
    """broker: its address; lease and recovery: seconds, few so that a test need not wait for what a person would.

    A lease must outlast what a busy machine takes to load the engine, or a chunk is taken for abandoned.
    """

    application = "catalogue.config.celery"  # whose workers are started

    def __init__(self, folder: Path, broker: str, lease: int = 10, recovery: int = 1) -> None:
        self.folder = folder
        self.broker = broker
        self.environment = {
            **os.environ,
            "VAR_DIR": str(folder),
            "KERNEL_CACHE_DIR": str(settings.KERNEL_CACHE_DIR),
            "REDIS_URL": broker,
            "SECRET_KEY": "of-this-test-only-" * 3,
            "CHUNK_LEASE_SECONDS": str(lease),
            "RECOVERY_SECONDS": str(recovery),
            "CELERY_SKIP_CHECKS": "1",
            "DATABASE_URL": f"sqlite:///{folder / 'db.sqlite3'}",
        }

    def manage(self, *words: str, status: int = 0) -> subprocess.CompletedProcess[str]:
        """Run a command to its end; it must exit with that status."""
        done = subprocess.run(
            [sys.executable, "manage.py", *words], cwd=ROOT, env=self.environment, capture_output=True, text=True
        )
        assert done.returncode == status, (
            f"{words} exited {done.returncode}: {done.stdout[-2000:]}{done.stderr[-4000:]}"
        )
        return done

    def python(self, *words: str) -> Any:
        """What Python prints last, run with those words on this machine's catalogue: a JSON document."""
        environment = {**self.environment, "DJANGO_SETTINGS_MODULE": "catalogue.config.settings"}
        done = subprocess.run([sys.executable, *words], cwd=ROOT, env=environment, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr[-3000:]
        return json.loads(done.stdout.splitlines()[-1])

    def simulate(self, *words: str) -> dict:
        return json.loads(self.manage("simulate", *words, "--json").stdout)

    def start(self, *words: str) -> subprocess.Popen[str]:
        """Run a command beside the test."""
        return subprocess.Popen(
            [sys.executable, "manage.py", *words],
            cwd=ROOT,
            env=self.environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    @contextlib.contextmanager
    def worker(self, children: int = 1, name: str = "one") -> Iterator[Server]:
        """A worker node that is ready, and killed at the end: what a test was about has been asserted by then."""
        command = [
            sys.executable,
            "-m",
            "celery",
            "-A",
            self.application,
            "worker",
            "--hostname",
            f"{name}@%h",
        ]
        options = ["--concurrency", str(children), "--loglevel", "INFO", "--without-gossip", "--without-mingle"]
        log = self.folder / f"{name}.log"
        log.unlink(missing_ok=True)
        server = Server.start("worker", [*command, *options], log, self.environment)
        try:
            wait_for(lambda: "ready." in server.log.read_text() or not server.is_running, "the worker is ready")
            assert server.is_running, server.last_lines()
            yield server
        finally:
            server.stop(patience=0)

    def query(self, sql: str, *values: object) -> list[tuple]:
        with contextlib.closing(sqlite3.connect(self.folder / "db.sqlite3", timeout=120)) as connection:
            found = connection.execute(sql, values).fetchall()
            connection.commit()
            return found

    def count(self, sql: str, *values: object) -> int:
        return self.query(sql, *values)[0][0]


def wait_for(condition: Callable[[], object], what: str, seconds: float = 300) -> None:
    """Wait until it holds; where each core has several processes that run, a second counts as little as it is worth."""
    begun = before = time.monotonic()
    left, cores = seconds, os.cpu_count() or 1
    while not condition():
        assert left > 0, f"waited {time.monotonic() - begun:.0f} s in vain until {what}"
        time.sleep(0.05)
        now = time.monotonic()
        left -= (now - before) * min(1.0, cores / max(os.getloadavg()[0], 1.0))
        before = now


def children_of(pid: int) -> list[int]:
    found = []
    for status in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            if int(status.read_text().rpartition(")")[2].split()[1]) == pid:
                found.append(int(status.parent.name))
    return found


def descendants_of(pid: int) -> dict[int, str]:
    """Every process that this one has started, and they, with their command lines."""
    found = {}
    for child in children_of(pid):
        with contextlib.suppress(OSError):
            found[child] = Path(f"/proc/{child}/cmdline").read_bytes().replace(b"\0", b" ").decode()
        found |= descendants_of(child)
    return found


def alive(pid: int) -> bool:
    return Path(f"/proc/{pid}").exists()
