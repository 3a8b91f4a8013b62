"""Asking a site over kept connections, byte for byte as it is written, and looking at every byte that comes back."""

import select
import socket
import time
from dataclasses import dataclass
from http.client import HTTPException, HTTPResponse
from typing import Any

LONGEST = 60.0  # seconds that an answer may take before it counts as none


@dataclass(frozen=True, slots=True)
class HttpRequest:
    """A request as it goes over the wire. body: None for no body at all, else its length is said with it"""

    method: str
    target: bytes
    headers: tuple[tuple[bytes, bytes], ...] = ()
    body: bytes | None = None

    def wire(self) -> bytes:
        lines = [self.method.encode("latin-1") + b" " + self.target + b" HTTP/1.1", b"Host: localhost"]
        lines += [name + b": " + value for name, value in self.headers]
        if self.body is not None:
            lines.append(b"Content-Length: %d" % len(self.body))
        return b"\r\n".join(lines) + b"\r\n\r\n" + (self.body or b"")

    def __str__(self) -> str:
        body = "" if self.body is None else f" with {self.body[:1500]!r}"
        return f"{self.method} {self.target.decode('latin-1')[:1500]} {list(self.headers)}{body}"


@dataclass(frozen=True, slots=True)
class Answer:
    """status: 0 if none came. wrong: what is wrong with the answer as such, whatever it says"""

    status: int
    headers: dict[str, str]
    body: bytes
    seconds: float
    wrong: str = ""

    @property
    def media_type(self) -> str:
        return self.headers.get("content-type", "").partition(";")[0]


class Caller:
    """One client, which keeps its connection and its cookies."""

    def __init__(self, port: int, host: str = "127.0.0.1") -> None:
        self.address = (host, port)
        self.socket: socket.socket | None = None
        self.cookies: dict[str, str] = {}

    def ask(self, asked: HttpRequest) -> Answer:
        """The answer. A connection that the site closed while nobody asked is opened again, once."""
        for attempt in range(2):
            fresh = self.socket is None
            begun = time.perf_counter()
            try:
                return self._ask(asked, begun)
            except (OSError, HTTPException) as error:
                self.close()
                if fresh or attempt:
                    seconds = time.perf_counter() - begun
                    return Answer(0, {}, b"", seconds, f"no answer: {type(error).__name__}: {error}")
        raise AssertionError("unreachable")

    def get(self, target: str, **headers: str) -> Answer:
        named = tuple((name.replace("_", "-").encode(), value.encode()) for name, value in headers.items())
        return self.ask(HttpRequest("GET", target.encode(), named))

    def close(self) -> None:
        if self.socket is not None:
            self.socket.close()
        self.socket = None

    def _ask(self, asked: HttpRequest, begun: float) -> Answer:
        if self.socket is None:
            self.socket = socket.create_connection(self.address, timeout=LONGEST)
        self.socket.sendall(self._with_cookies(asked).wire())
        response = HTTPResponse(self.socket, method=asked.method)
        response.begin()
        body = response.read()
        seconds = time.perf_counter() - begun
        headers = {name.lower(): value for name, value in response.getheaders()}
        for cookie in response.headers.get_all("Set-Cookie", ()):
            name, _, value = cookie.partition(";")[0].partition("=")
            self.cookies[name] = value
        wrong = ""
        if response.will_close:
            self.close()
        elif select.select([self.socket], [], [], 0)[0] and self.socket.recv(1, socket.MSG_PEEK):
            wrong = "more bytes came than the answer has"
            self.close()
        return Answer(response.status, headers, body, seconds, wrong)

    def _with_cookies(self, asked: HttpRequest) -> HttpRequest:
        if not self.cookies or any(name.lower() == b"cookie" for name, _ in asked.headers):
            return asked
        sent = "; ".join(f"{name}={value}" for name, value in self.cookies.items()).encode("latin-1")
        return HttpRequest(asked.method, asked.target, (*asked.headers, (b"Cookie", sent)), asked.body)

    def __enter__(self) -> "Caller":
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()
