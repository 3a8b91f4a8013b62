"""HTTP as it stands on the wire: one kept connection, and answers read strictly by what they say of themselves."""

import re
import socket
from dataclasses import dataclass
from http import HTTPStatus
from types import TracebackType
from typing import Self

from tests.services.machine import PATIENCE

STATUS_LINE = re.compile(rb"HTTP/1\.1 (\d{3}) ([A-Za-z' -]+)\r\n")
HEADER = re.compile(rb"([A-Za-z0-9-]+): ([\t\x20-\x7e]*)\r\n")


class WrongAnswer(AssertionError):
    """What came is no answer, or is not as long as it says."""


@dataclass(frozen=True, slots=True)
class Answer:
    """headers: names in small letters"""

    status: int
    headers: dict[str, str]
    body: bytes
    is_last: bool  # the server closes the connection after it


class Connection:
    """seconds: how long the next byte may take"""

    def __init__(self, host: str, port: int, seconds: float = PATIENCE) -> None:
        self.name = f"{host}:{port}"
        self.socket = socket.create_connection((host, port), timeout=seconds)
        self.file = self.socket.makefile("rb")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.file.close()
        self.socket.close()

    def ask(self, path: str, method: str = "GET", body: bytes = b"", **headers: str) -> Answer:
        """headers: their names with underscores"""
        self.send(path, method, body, **headers)
        return self.answer(method)

    def send(self, path: str, method: str = "GET", body: bytes = b"", **headers: str) -> None:
        given = {"Host": self.name, **{name.replace("_", "-"): value for name, value in headers.items()}}
        if body:
            given["Content-Length"] = str(len(body))
        lines = [f"{method} {path} HTTP/1.1", *(f"{name}: {value}" for name, value in given.items()), "", ""]
        self.socket.sendall("\r\n".join(lines).encode("latin-1") + body)

    def answer(self, method: str = "GET") -> Answer:
        """Raises WrongAnswer."""
        status = self._status()
        headers = dict(iter(self._header, None))
        is_last = headers.get("connection", "").lower() == "close"
        if method == "HEAD" or status in (HTTPStatus.NO_CONTENT, HTTPStatus.NOT_MODIFIED):
            body = b""
        elif "transfer-encoding" in headers:
            body = b"".join(iter(self._chunk, b""))
        elif "content-length" in headers:
            body = self._exactly(int(headers["content-length"]))
        elif is_last:
            body = self.file.read()
        else:
            raise WrongAnswer(f"nothing says how long the answer is: {headers}")
        return Answer(status, headers, body, is_last)

    def _status(self) -> int:
        line = self._line()
        found = STATUS_LINE.fullmatch(line)
        if not found or HTTPStatus(int(found[1])).phrase != found[2].decode():
            raise WrongAnswer(f"no status line: {line[:200]!r}")
        return int(found[1])

    def _header(self) -> tuple[str, str] | None:
        line = self._line()
        if line == b"\r\n":
            return None
        found = HEADER.fullmatch(line)
        if not found:
            raise WrongAnswer(f"no header: {line[:200]!r}")
        return found[1].decode().lower(), found[2].decode()

    def _chunk(self) -> bytes:
        chunk = self._exactly(int(self._line(), 16))
        if self._line() != b"\r\n":
            raise WrongAnswer("a chunk is not as long as it says")
        return chunk

    def _line(self) -> bytes:
        try:
            return self.file.readline()
        except TimeoutError:
            raise WrongAnswer("the answer does not come, or not to its end") from None

    def _exactly(self, number: int) -> bytes:
        try:
            found = self.file.read(number)
        except TimeoutError:
            raise WrongAnswer(f"{number} bytes were promised, and fewer came") from None
        if len(found) != number:
            raise WrongAnswer(f"{number} bytes were promised, and {len(found)} came")
        return found
