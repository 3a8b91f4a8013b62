"""The whole service on loopback, each part a real process that can be killed: database, broker, workers, site."""

import contextlib
import http.client
import os
import re
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psycopg

from simulator.servers import Server, free_port, server_program
from tests.services.machine import ROOT, children_of, wait_for
from tests.services.postgresql import running_postgresql

# The framework imports these wherever they are; nothing that requirements.txt names brings them, only what tests need.
ONLY_FOR_TESTS = ("requests", "pydantic")
PATIENCE = 900  # seconds: the engine may have to be compiled first
UNBOUNDED = {
    "API_REQUESTS_PER_MINUTE": "0",
    "API_REQUESTS_PER_HOUR": "0",
    "VISITOR_WORK_PER_HOUR": str(10**15),
    "VISITOR_WORK_QUEUED": str(10**17),
    "SUGGESTIONS_PER_HOUR": str(10**6),
    "ALL_SUGGESTIONS_PER_HOUR": str(10**6),
}


class Installation:
    """One catalogue, loaded: a folder, a database, and the servers that were started.

    code: the root of the checkout whose commands and servers are run
    """

    def __init__(self, folder: Path, database: str, code: Path = ROOT, **more: str) -> None:
        self.folder, self.code = folder, code
        self.servers: dict[str, Server] = {}
        self.broker_port, self.site_port = free_port(), free_port()
        self.environment = {
            **os.environ,
            "VAR_DIR": str(folder),
            "DATABASE_URL": database,
            "REDIS_URL": f"redis://127.0.0.1:{self.broker_port}/0",
            "SECRET_KEY": "a-key-of-this-proof-alone-that-is-long-enough-for-every-check",
            "DJANGO_SETTINGS_MODULE": "catalogue.config.settings",
            "PYTHONPATH": str(code),
            "CELERY_SKIP_CHECKS": "1",
            **UNBOUNDED,
            **more,
        }

    def manage(self, *words: str) -> str:
        """What a command prints; it must succeed."""
        return self.python("manage.py", *words)

    def python(self, *words: str) -> str:
        done = subprocess.run(
            [sys.executable, *words], cwd=self.code, env=self.environment, capture_output=True, text=True
        )
        assert done.returncode == 0, f"{words} exited {done.returncode}: {done.stdout[-2000:]}{done.stderr[-4000:]}"
        return done.stdout

    def load(self) -> None:
        """Tables and the shipped catalogue."""
        self.manage("migrate", "--verbosity", "0", "--skip-checks")
        self.manage("load_fixtures")

    def log(self, name: str) -> str:
        return (self.folder / f"{name}.log").read_text(errors="replace")

    def tracebacks(self, name: str) -> dict[str, int]:
        """The last line of each traceback in a server's log, and how often it stands there."""
        # The log of the site indents all that follows the first line of an error.
        pattern = r"^([ \t]*)Traceback \(most recent call last\):\n(?:\1[ \t].*\n|[ \t]*\n)*\1(\S.*)$"
        found = re.findall(pattern, self.log(name), re.MULTILINE)
        return dict(Counter(line[:200] for _, line in found))

    def _start(self, name: str, *words: str) -> Server:
        # In that checkout: gunicorn puts the folder it is started in before all others.
        there = ("env", "-C", str(self.code), *words)
        server = Server.start(name, there, self.folder / f"{name}.log", {**self.environment, "PWD": str(self.code)})
        self.servers[name] = server
        return server

    def start_broker(self) -> None:
        """At the same address as before, and empty."""
        options = f"--port {self.broker_port} --bind 127.0.0.1 --appendonly no --daemonize no".split()
        self._start("broker", server_program(), *options, "--save", "")
        wait_for(self._broker_answers, "the broker answers")

    def _broker_answers(self) -> bool:
        import redis

        with redis.Redis(port=self.broker_port) as client, contextlib.suppress(redis.RedisError):
            return bool(client.ping())
        return False

    def start_worker(self, name: str, children: int = 2, wait: bool = True) -> None:
        options = f"--concurrency {children} --hostname {name}@%h --loglevel INFO --without-gossip --without-mingle"
        celery = ("-P", "-m", "celery", "-A", "catalogue.config.celery")
        before = len(self.log(name)) if (self.folder / f"{name}.log").exists() else 0
        server = self._start(name, sys.executable, *celery, "worker", *options.split())
        if wait:
            wait_for(lambda: "ready." in self.log(name)[before:] or not server.is_running, "it is ready", PATIENCE)
            assert server.is_running, server.last_lines()

    def start_site(self, processes: int = 2, threads: int = 64, name: str = "site") -> int:
        """The port on which it answers."""
        port = self.site_port if name == "site" else free_port()
        shipping = self.folder / "as-shipped"
        shipping.mkdir(exist_ok=True)
        missing = f"import sys\nsys.modules.update(dict.fromkeys({ONLY_FOR_TESTS}))\n"
        (shipping / "sitecustomize.py").write_text(missing)
        shipped = self.code / "deploy" / "gunicorn.conf.py"
        as_shipped = f"--config {shipped}" if shipped.exists() else ""
        options = f"{as_shipped} --bind 127.0.0.1:{port} --workers {processes} --threads {threads}"
        more = "--limit-request-line 8190 --keep-alive 75 --log-level warning"
        gunicorn = ("-P", "-m", "gunicorn", "catalogue.config.wsgi:application")
        paths = f"PYTHONPATH={shipping}{os.pathsep}{self.code}"
        server = self._start(name, "env", paths, sys.executable, *gunicorn, *options.split(), *more.split())
        wait_for(lambda: answers(port) or not server.is_running, "the site answers")
        assert server.is_running, server.last_lines()
        return port

    def kill_node(self, name: str) -> None:
        """A worker node outright, with its children."""
        server = self.servers[name]
        with contextlib.suppress(ProcessLookupError):
            os.killpg(server.process.pid, signal.SIGKILL)
        server.process.wait()

    def kill_child(self, name: str, which: int) -> bool:
        """One of a node's children; False if it has none at the moment."""
        found = sorted(children_of(self.servers[name].process.pid))
        with contextlib.suppress(ProcessLookupError):
            if found:
                os.kill(found[which % len(found)], signal.SIGKILL)
        return bool(found)

    def stop(self) -> None:
        for server in reversed(self.servers.values()):
            server.stop(patience=3)
        self.servers.clear()


def answers(port: int) -> bool:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    try:
        connection.request("GET", "/about/")
        return connection.getresponse().status == 200
    except OSError:
        return False
    finally:
        connection.close()


def kill_postgresql(server: Any) -> None:
    """The server outright: what it had not written is lost with it, and its children end."""
    with contextlib.suppress(ProcessLookupError):
        os.kill(server.get_pid(), signal.SIGKILL)


def start_postgresql(server: Any) -> None:
    """Again, on what it left behind. It may refuse while the last of its children still ends."""
    failures = (subprocess.CalledProcessError, subprocess.TimeoutExpired, ValueError, AssertionError, psycopg.Error)
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        with contextlib.suppress(*failures):
            server.ensure_postgres_running()
            psycopg.connect(server.get_uri()).close()
            return
        time.sleep(0.5)
    raise AssertionError("PostgreSQL does not start again")


@contextlib.contextmanager
def on_postgresql(folder: Path, **more: str) -> Iterator[tuple[Installation, Any]]:
    """An installation with the shipped catalogue, and its PostgreSQL server; the broker runs."""
    with running_postgresql() as server:
        one = Installation(folder, server.get_uri(), **more)
        try:
            one.start_broker()
            one.load()
            yield one, server
        finally:
            one.stop()
