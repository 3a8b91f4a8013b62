"""Whoever sends or reads slowly holds no thread of the site, though nothing stands before it: over real sockets."""

import contextlib
import socket
import time
from collections.abc import Iterator
from unittest import mock

import pytest
from gunicorn.config import Config

from catalogue.config import buffering
from catalogue.config.buffering import BufferingWorker, CannotWait, Waiting, bytes_wanted
from catalogue.demo.servers import site_command
from simulator.servers import Server, free_port
from tests.services.connections import Connection
from tests.services.machine import wait_for

pytestmark = pytest.mark.services
LONG = 3 << 20  # bytes, more than the system keeps of a connection
THREADS = 4
HALF_A_HEAD = b"GET /livez HTTP/1.1\r\nHost: x\r\nX-Slow: "
HALF_A_BODY = b"POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\nhalf"
LONG_ANSWER = b"GET /long HTTP/1.1\r\nHost: x\r\n\r\n"
WANTED = 2.0  # seconds until somebody else is answered


# What is served here: whatever was sent, or a long answer in parts.
APPLICATION = f"""
def answers(environ, start):
    body = environ["wsgi.input"].read()
    parts = [bytes(1 << 16)] * ({LONG} >> 16) if environ["PATH_INFO"] == "/long" else [body or b"well"]
    start("200 OK", [("Content-Type", "text/plain"), ("Content-Length", str(sum(map(len, parts))))])
    return parts
"""


@pytest.fixture(scope="module")
def port(tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    """The demo's own command, with few threads and the application above in place of the site."""
    folder, port = tmp_path_factory.mktemp("slow"), free_port()
    (folder / "served_slowly.py").write_text(APPLICATION, encoding="utf-8")
    command = site_command(port)
    command[command.index("catalogue.config.wsgi:application")] = "served_slowly:answers"
    command[command.index("--threads") + 1] = str(THREADS)
    server = Server.start("site", command, folder / "site.log", {"PYTHONPATH": str(folder)})
    try:
        wait_for(lambda: is_well(port) or not server.is_running, "the server answers")
        assert server.is_running, server.last_lines()
        yield port
    finally:
        server.stop(patience=1)


def is_well(port: int) -> bool:
    with contextlib.suppress(OSError), Connection("127.0.0.1", port, seconds=WANTED) as connection:
        return connection.ask("/livez").body == b"well"
    return False


@pytest.mark.parametrize(
    ("sent", "number"), [(HALF_A_HEAD, 80), (HALF_A_BODY, 70), (LONG_ANSWER, 80), (b"", 80)],
    ids=["half a head", "half a body", "reads nothing", "says nothing"],
)  # fmt: skip
def test_who_is_slow_holds_nobody_up(port: int, sent: bytes, number: int) -> None:
    with contextlib.ExitStack() as stack:
        slow = [stack.enter_context(socket.create_connection(("127.0.0.1", port))) for _ in range(number)]
        for one in slow:
            one.sendall(sent)
        begun = time.monotonic()
        assert is_well(port)
        for one in slow[:3]:  # and whoever goes on is answered
            if sent == HALF_A_BODY:
                one.sendall(b"x" * 996)
                said = iter(lambda one=one: one.recv(1 << 16), b"")
                assert any(part.endswith(b"half" + b"x" * 996) for part in said)
            elif sent == LONG_ANSWER:
                one.settimeout(WANTED)
                assert sum(len(one.recv(1 << 16)) for _ in range(20)) > 20
        assert time.monotonic() - begun < WANTED


def test_what_comes_in_parts_or_at_once_is_answered_in_turn(port: int) -> None:
    with socket.create_connection(("127.0.0.1", port), timeout=WANTED) as one:
        one.sendall(HALF_A_HEAD)
        time.sleep(0.05)
        one.sendall(b"ok\r\n\r\n" + HALF_A_BODY[:-4] + b"y" * 500)
        time.sleep(0.05)
        one.sendall(b"y" * 500 + LONG_ANSWER + HALF_A_HEAD + b"\r\nConnection: close\r\n\r\n")
        whole = b"".join(iter(lambda: one.recv(1 << 16), b""))
    heads = [part.rpartition(b"HTTP/1.1 200 OK")[0] for part in whole.split(b"Content-Length: ")]
    assert len(heads) == 5
    assert whole.count(b"\0") == LONG
    assert whole.count(b"y" * 1000) == 1
    assert whole.endswith(b"well")


@pytest.mark.parametrize(
    ("sent", "status"),
    [
        (b"POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n5", b"411"),
        (b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 2097153\r\n\r\nx", b"413"),
        (b"GET /" + b"x" * 70_000, b"414"),
        (b"GET / HTTP/1.1\r\nHost: x\r\nContent-Length: x\r\n\r\n", b"400"),
        (b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nExpect: 100-continue\r\n\r\n", b"100"),
    ],
)
def test_what_cannot_be_waited_for_is_said_at_once(port: int, sent: bytes, status: bytes) -> None:
    with socket.create_connection(("127.0.0.1", port), timeout=WANTED) as one:
        one.sendall(sent)
        assert one.recv(1 << 16).split()[1] == status


def test_how_much_of_a_request_is_waited_for() -> None:
    for arrived in (b"", b"GET / HTTP/1.1\r\n", b"GET / HTTP/1.1\r\nContent-Length: 5\r\n"):
        with pytest.raises(Waiting):
            bytes_wanted(arrived)
    head = b"POST / HTTP/1.1\r\nX-Content-Length: 9\r\ncontent-LENGTH :  5 \r\n\r\n"
    assert bytes_wanted(head) == bytes_wanted(head + b"12345GET / HTTP/1.1\r\n\r\n") == len(head) + 5
    for line, status in ((b"Transfer-Encoding: x", 411), (b"Content-Length: 999999999999", 413)):
        with pytest.raises(CannotWait) as refused:
            bytes_wanted(b"GET / HTTP/1.1\r\n" + line + b"\r\n\r\n")
        assert refused.value.status == status


def test_who_waits_longest_gives_way_and_time_runs_out() -> None:
    """The loop itself, with connections of its own and no threads."""
    config = Config()
    config.set("worker_connections", 4)
    worker = BufferingWorker(1, 1, [], None, 1, config, None)
    worker.poller = buffering.selectors.DefaultSelector()
    with contextlib.ExitStack() as stack:
        listener = stack.enter_context(socket.create_server(("127.0.0.1", 0)))
        listener.setblocking(False)
        clients = []
        for _ in range(6):
            clients.append(stack.enter_context(socket.create_connection(listener.getsockname(), timeout=WANTED)))
            clients[-1].sendall(HALF_A_HEAD)
            worker.accept(listener)
        assert (worker.nr_conns, len(worker.waiting)) == (3, 3)
        assert [conn.client for conn in worker.waiting] == [client.getsockname() for client in clients[3:]]
        worker.wait_for_and_dispatch_events(0.1)
        with mock.patch.object(buffering.time, "monotonic", return_value=time.monotonic() + 16):
            worker.murder_pending()
        assert [client.recv(12) for client in clients[3:]] == [b"HTTP/1.1 408"] * 3
        for client in clients:
            client.close()
        worker.wait_for_and_dispatch_events(0.1)
        assert (worker.nr_conns, len(worker.waiting)) == (0, 0)
    worker.poller.close()
    worker.tmp.close()
