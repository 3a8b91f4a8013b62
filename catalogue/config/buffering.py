"""A worker of gunicorn that gives no thread to somebody who sends or reads slowly.

A thread of the framework's own worker waits for each part of a request, and until each part of an answer is taken:
eighty requests that are sent by half hold all threads of the site (https://docs.gunicorn.org/en/latest/deploy.html says
so, and asks for a proxy that buffers). Here the loop that accepts connections does the waiting. A thread is given a
request that has arrived as a whole, and what a reader does not take at once is kept for him, in a file where it is
long. Where there are too many connections, the one that has waited longest gives way.
"""

import errno
import re
import selectors
import socket
import tempfile
import time
from functools import partial
from http import HTTPStatus
from typing import Any

from gunicorn.workers.gthread import STOP_KEEPALIVE_LINGER, TConn, ThreadWorker  # type: ignore[import-untyped]

BLOCK = 1 << 16  # bytes
LONGEST_HEAD = 1 << 16  # a longer one goes to the parser as it is, which says what of it is too long
LONGEST_BODY = 2 << 20  # as in deploy/nginx: client_max_body_size
LONGEST_UPLOAD = 11 << 20  # of the forms with a picture; the site refuses those of whoever may not send one
UPLOAD = re.compile(rb"POST /workshop/records/[^ ?]*pictures/new/[ ?]")
MOST_ARRIVED = 64 << 20  # of all requests that are on their way to a process
MOST_KEPT = 256 << 20  # of all answers that readers of a process have not taken
IN_MEMORY = 1 << 18  # of an answer; what is more goes into a file
REQUEST_SECONDS, BYTES_A_SECOND = 15.0, 20_000  # for the head, and what a body must come with besides
ANSWER_SECONDS = 30.0  # for a reader to take anything more
PATIENCE = 0.1  # seconds that a thread waits for the reader of one answer
GOODBYE_SECONDS = 2.0  # in which what is still sent is read, so that the reader gets the end of the answer
END_OF_HEAD = b"\r\n\r\n"
LENGTH = re.compile(rb"(?im)^content-length[ \t]*:[ \t]*(\d{1,15})[ \t]*\r?$")
CHUNKED = re.compile(rb"(?im)^transfer-encoding[ \t]*:")
EXPECTS = re.compile(rb"(?im)^expect[ \t]*:[ \t]*100-continue")
CONTINUE = b"HTTP/1.1 100 Continue\r\n\r\n"


class Waiting(Exception):
    """The request has not arrived as a whole."""


class CannotWait(Exception):
    """The request is answered by a status and nothing else."""

    def __init__(self, status: HTTPStatus) -> None:
        self.status = status
        super().__init__(status.phrase)


def bytes_wanted(arrived: bytes | bytearray) -> int:
    """Return how long the request is that begins with these bytes.

    Raises Waiting before its head is there, CannotWait for what is never waited for.
    """
    end = arrived.find(END_OF_HEAD)
    if end < 0:
        if len(arrived) > LONGEST_HEAD:
            return len(arrived)
        raise Waiting
    head = bytes(arrived[: end + 2])
    if CHUNKED.search(head):
        raise CannotWait(HTTPStatus.LENGTH_REQUIRED)  # the framework would read no body of such a request
    found = LENGTH.search(head)
    length = int(found[1]) if found else 0
    if length > (LONGEST_UPLOAD if UPLOAD.match(head) else LONGEST_BODY):
        raise CannotWait(HTTPStatus.REQUEST_ENTITY_TOO_LARGE)
    return end + len(END_OF_HEAD) + length


class BufferedSocket:
    """A connection as a thread sees it: reading gives what has arrived, and writing never waits for long."""

    kept_by_all = 0  # bytes; a sum that is out by a little does no harm

    def __init__(self, connection: socket.socket) -> None:
        connection.setblocking(False)
        self.connection = connection
        self.arrived = bytearray()
        self.patience = PATIENCE
        self.answer: Any = None  # a file of what is kept; taken, written: places in it
        self.taken = self.written = 0

    def __getattr__(self, name: str) -> Any:
        return getattr(self.connection, name)

    def setblocking(self, flag: bool) -> None:
        """Nothing here blocks, whatever the worker wants."""

    def settimeout(self, seconds: float | None) -> None:
        """Likewise."""

    def recv(self, size: int, flags: int = 0) -> bytes:
        if not self.arrived:
            raise ConnectionResetError(errno.ECONNRESET, "more was announced than has come")
        part = bytes(self.arrived[:size])
        del self.arrived[:size]
        return part

    def receive(self) -> bool:
        """Take what has come, in the loop; returns whether the sender is still there."""
        try:
            part = self.connection.recv(BLOCK)
        except BlockingIOError:
            return True
        except OSError:
            return False
        self.arrived += part
        return bool(part)

    def send(self, data: bytes) -> int:
        """Pass over "100 Continue", which the loop has said."""
        return len(data)

    def sendall(self, data: bytes, flags: int = 0) -> None:
        left = memoryview(data)
        while left and not self.is_kept:
            try:
                left = left[self.connection.send(left) :]
            except BlockingIOError:
                if not self._can_go_on():
                    break
        if left:
            self._keep(left)

    def sendfile(self, file: Any, offset: int = 0, count: int | None = None) -> int:
        file.seek(offset)
        left = count if count is not None else LONGEST_BODY << 20
        while left and (part := file.read(min(BLOCK, left))):
            self.sendall(part)
            left -= len(part)
        return int(file.tell()) - offset

    @property
    def is_kept(self) -> bool:
        """Whether something waits for the reader."""
        return self.taken < self.written

    def _can_go_on(self) -> bool:
        begun = time.monotonic()
        with selectors.DefaultSelector() as selector:
            selector.register(self.connection, selectors.EVENT_WRITE)
            found = selector.select(max(0.0, self.patience))
        self.patience -= time.monotonic() - begun
        return bool(found)

    def _keep(self, data: memoryview) -> None:
        """Raises OSError where readers have left too much already."""
        if BufferedSocket.kept_by_all + len(data) > MOST_KEPT:
            raise ConnectionResetError(errno.ECONNRESET, "too much waits for slow readers")
        if self.answer is None:
            self.answer = tempfile.SpooledTemporaryFile(max_size=IN_MEMORY)  # noqa: SIM115 (closed by `forget`)
        self.answer.seek(self.written)
        self.answer.write(data)
        self.written += len(data)
        BufferedSocket.kept_by_all += len(data)

    def send_kept(self) -> bool:
        """Send what the reader takes now, in the loop; returns False where he is gone."""
        self.answer.seek(self.taken)
        try:
            self.taken += self.connection.send(self.answer.read(BLOCK))
        except BlockingIOError:
            return True
        except OSError:
            return False
        if not self.is_kept:
            self.forget()
        return True

    def forget(self) -> None:
        """Forget the answer, and be as patient with the next one."""
        BufferedSocket.kept_by_all -= self.written
        self.taken = self.written = 0
        self.patience = PATIENCE
        if self.answer is not None:
            self.answer.close()
            self.answer = None

    def close(self) -> None:
        self.forget()
        self.connection.close()


class BufferingWorker(ThreadWorker):
    """waiting: what the loop waits for, by connection, the longest first; its deadline, and what happens then"""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.waiting: dict[TConn, float] = {}

    def accept(self, listener: socket.socket) -> None:
        try:
            connection, address = listener.accept()
        except OSError as error:
            if error.errno in (errno.EMFILE, errno.ENFILE) and self.waiting:
                self._drop(next(iter(self.waiting)))
            elif error.errno not in (errno.EAGAIN, errno.ECONNABORTED):
                raise
            return
        self.nr_conns += 1
        conn = TConn(self.cfg, BufferedSocket(connection), address, listener.getsockname())
        conn.data_ready, conn.continues = True, False
        self._expect(conn)
        while self.nr_conns >= self.worker_connections and self.waiting:
            self._drop(next(iter(self.waiting)))

    def on_client_socket_readable(self, conn: TConn, client: Any) -> None:
        """The next request of a kept connection begins."""
        self.poller.unregister(client)
        self.keepalived_conns.remove(conn)
        self._expect(conn)

    def _expect(self, conn: TConn) -> None:
        """Wait for a request, of which something may have arrived."""
        conn.continues = False
        self._wait(conn, selectors.EVENT_READ, self._on_request, REQUEST_SECONDS)
        if conn.sock.arrived:
            self._look_at(conn)

    def _wait(self, conn: TConn, events: int, callback: Any, seconds: float) -> None:
        def when_ready(client: Any) -> None:
            if conn in self.waiting:  # and has not given way at this turn of the loop
                callback(conn)

        self.poller.register(conn.sock, events, when_ready)
        self.waiting[conn] = time.monotonic() + seconds

    def _wait_no_more(self, conn: TConn) -> None:
        self.poller.unregister(conn.sock)
        del self.waiting[conn]

    def _drop(self, conn: TConn) -> None:
        self._wait_no_more(conn)
        self.nr_conns -= 1
        conn.close()

    def _on_request(self, conn: TConn) -> None:
        if conn.sock.receive():
            self._look_at(conn)
        else:
            self._drop(conn)

    def _look_at(self, conn: TConn) -> None:
        """Give a thread the request if it has arrived, else go on waiting."""
        arrived = conn.sock.arrived
        try:
            wanted = bytes_wanted(arrived)
        except Waiting:
            return
        except CannotWait as problem:
            self._refuse(conn, problem.status)
            return
        if len(arrived) >= wanted:
            self._wait_no_more(conn)
            self.enqueue_req(conn)
        elif not conn.continues:  # the head is there, and its body begins
            conn.continues = True
            self.waiting[conn] += wanted / BYTES_A_SECOND
            if EXPECTS.search(bytes(arrived[: arrived.find(END_OF_HEAD) + 2])):
                conn.sock.sendall(CONTINUE)
        self._bound_what_arrives()

    def _bound_what_arrives(self) -> None:
        if sum(len(conn.sock.arrived) for conn in self.waiting) > MOST_ARRIVED:
            self._drop(max(self.waiting, key=lambda conn: len(conn.sock.arrived)))

    def _refuse(self, conn: TConn, status: HTTPStatus) -> None:
        self._wait_no_more(conn)
        words = f"{status.value} {status.phrase}"
        head = f"HTTP/1.1 {words}\r\nContent-Type: text/plain\r\nContent-Length: {len(words) + 1}\r\nConnection: close"
        conn.sock.sendall(f"{head}\r\n\r\n{words}\n".encode())
        self._say_goodbye(conn)

    def finish_request(self, conn: TConn, fs: Any) -> None:
        """Wait until the reader has taken the answer, if he has not; see `_answered`."""
        try:
            goes_on = bool(fs.result()) if not fs.cancelled() else False
        except Exception:
            self.nr_conns -= 1
            conn.close()
            return
        if conn.sock.is_kept:
            self._wait(conn, selectors.EVENT_WRITE, partial(self._on_reader, goes_on), ANSWER_SECONDS)
        else:
            self._answered(conn, goes_on)

    def _on_reader(self, goes_on: bool, conn: TConn) -> None:
        if not conn.sock.send_kept():
            self._drop(conn)
        elif conn.sock.is_kept:
            self.waiting[conn] = time.monotonic() + ANSWER_SECONDS
        else:
            self._wait_no_more(conn)
            self._answered(conn, goes_on)

    def _answered(self, conn: TConn, goes_on: bool) -> None:
        conn.sock.forget()
        if not goes_on:
            self._say_goodbye(conn)
            return
        if begun := conn.parser.unreader.take_buffered():
            conn.sock.arrived[:0] = begun
        if conn.sock.arrived:
            self._expect(conn)
            return
        conn.set_timeout()
        if not self.alive:
            conn.timeout = min(conn.timeout, time.monotonic() + STOP_KEEPALIVE_LINGER)
        self.keepalived_conns.append(conn)
        self.poller.register(conn.sock, selectors.EVENT_READ, partial(self.on_client_socket_readable, conn))

    def _say_goodbye(self, conn: TConn) -> None:
        """Close it once the reader has: what nobody reads makes the system take back what was sent (RFC 9112, 9.6)."""
        try:
            conn.sock.shutdown(socket.SHUT_WR)
        except OSError:
            self.nr_conns -= 1
            conn.close()
            return
        self._wait(conn, selectors.EVENT_READ, self._on_goodbye, GOODBYE_SECONDS)

    def _on_goodbye(self, conn: TConn) -> None:
        is_there = conn.sock.receive()
        conn.sock.arrived.clear()
        if not is_there:
            self._drop(conn)

    def murder_pending(self) -> None:
        """Close what has waited too long, and say so to a sender who has begun; called at each turn of the loop."""
        super().murder_pending()
        now = time.monotonic()
        for conn, deadline in list(self.waiting.items()):
            is_idle = not self.alive and not conn.sock.arrived and not conn.sock.is_kept
            if deadline < now and conn.sock.arrived and not conn.sock.is_kept:
                self._refuse(conn, HTTPStatus.REQUEST_TIMEOUT)
            elif deadline < now or is_idle:
                self._drop(conn)
