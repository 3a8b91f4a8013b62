"""Messages to the workers: through a real broker, and to something that listens but is none."""

import contextlib
import socket
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.services.machine import Machine

pytestmark = pytest.mark.services

NOTIFY = """
import json
import django
django.setup()
from simulator.batches import dispatch
print(json.dumps([dispatch.notify_of_chunks(3), dispatch.notify_of_chunks(400), dispatch.messages_waiting()]))
"""
ONCE = """
import json
import django
django.setup()
from simulator.batches import dispatch
print(json.dumps(dispatch.notify_of_close("0123456789abcdef")))
"""


@pytest.mark.by_turns
def test_as_many_messages_wait_as_chunks_but_never_many(machine: Machine) -> None:
    assert machine.python("-c", NOTIFY) == [True, True, 3 + 16]


@pytest.mark.thorough
def test_a_broker_that_hangs_up_is_not_asked_again_and_again(tmp_path: Path) -> None:
    """A visitor waits meanwhile. One call of redis-py connects twice; with retries it would be four times."""
    with hanging_up() as (port, calls):
        assert Machine(tmp_path, f"redis://127.0.0.1:{port}/0").python("-c", ONCE) is False
        assert 1 <= len(calls) <= 2


@contextlib.contextmanager
def hanging_up() -> Iterator[tuple[int, list[object]]]:
    """The port of a server that closes every connection, and the addresses that they came from."""
    calls: list[object] = []
    with socket.create_server(("127.0.0.1", 0)) as server:

        def answer() -> None:
            with contextlib.suppress(OSError):
                while True:
                    connection, address = server.accept()
                    calls.append(address)
                    connection.close()

        threading.Thread(target=answer, daemon=True).start()
        yield server.getsockname()[1], calls
