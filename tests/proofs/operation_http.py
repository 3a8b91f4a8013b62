"""A site seen from outside: bytes over kept connections, what its links offer, and what a browser runs.

Requests are sent byte for byte as they are written, and every byte that comes back is looked at. The crawl gathers
addresses of every shape, and forms as a browser would send them. In a browser it is seen whether a script of somebody's
runs where what was sent is shown.
"""

import json
import re
import select
import socket
import time
from collections import Counter, deque
from collections.abc import Iterable
from dataclasses import dataclass, field
from html.parser import HTMLParser
from http.client import HTTPException, HTTPResponse
from typing import Any
from urllib.parse import parse_qsl, urldefrag, urljoin, urlsplit

from selenium.common.exceptions import UnexpectedAlertPresentException, WebDriverException

from tests.browser.browsing import BROWSER, browser

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


BASE = "http://localhost/"
OF_A_SHAPE = 6  # addresses that differ in names and values only; more of them show nothing new
LEFT = r"^/(static|admin/logout|admin/auth|admin/password_change|admin/jsi18n)/|/delete/|\.zip$"
IN_JSON = re.compile(rb'"http://localhost(/[^"\\]*)"')


@dataclass(frozen=True, slots=True)
class Form:
    """method: in capitals. fields: what a browser would send of it untouched; choices: other values that it offers"""

    page: str
    action: str
    method: str
    fields: tuple[tuple[str, str], ...]
    choices: dict[str, tuple[str, ...]] = field(hash=False, default_factory=dict)


@dataclass(slots=True)
class Offer:
    addresses: list[str] = field(default_factory=list)
    forms: list[Form] = field(default_factory=list)

    @property
    def names(self) -> list[str]:
        """Every name of a parameter that some address or form has."""
        queries = (parse_qsl(urlsplit(address).query, keep_blank_values=True) for address in self.addresses)
        found = {name for query in queries for name, _ in query}
        return sorted(found | {name for form in self.forms for name, _ in form.fields})


def crawl(caller: Caller, starts: tuple[str, ...], most: int, leaving: str = "^$") -> Offer:
    """So many addresses at most, breadth first, a few of each shape; none of a path that `leaving` finds."""
    left = re.compile(f"{LEFT}|{leaving}")
    offer, waiting = Offer(), deque(starts)
    seen, shapes, forms = set(starts), Counter[str](), set[Any]()
    while waiting and len(offer.addresses) < most:
        address = waiting.popleft()
        answer = caller.get(address)
        if answer.status != 200:
            assert 0 < answer.status < 500, f"{address} is answered with {answer.status}"
            continue
        offer.addresses.append(address)
        links = [match.decode() for match in IN_JSON.findall(answer.body)] if "json" in answer.media_type else []
        if answer.media_type == "text/html":
            page = _Page(address)
            page.feed(answer.body.decode())
            links = page.links
            for form in page.forms:
                kind = (_shape(form.action), tuple(sorted({name for name, _ in form.fields})))
                if kind not in forms and not left.search(urlsplit(form.action).path):
                    forms.add(kind)
                    offer.forms.append(form)
        for link in links:
            shape = _shape(link)
            if link not in seen and shapes[shape] < OF_A_SHAPE and not left.search(urlsplit(link).path):
                seen.add(link)
                shapes[shape] += 1
                waiting.append(link)
    return offer


def _shape(address: str) -> str:
    """`/games/x/?page=2` and `/games/y/?page=3` are of one."""
    parts = urlsplit(address)
    first, *others = parts.path.strip("/").split("/")
    kept = [first, *(part if first in ("api", "admin") and place < 3 else "*" for place, part in enumerate(others))]
    ending = parts.path.rpartition(".")[2] if "." in parts.path[-6:] else ""
    return "/".join(kept) + ending + "?" + "&".join(sorted({name for name, _ in parse_qsl(parts.query)}))


class _Page(HTMLParser):
    """The links and forms of a page; a form's controls are inside it."""

    def __init__(self, address: str) -> None:
        super().__init__()
        self.address = address
        self.links: list[str] = []
        self.forms: list[Form] = []
        self._form: dict[str, str] | None = None
        self._fields: list[tuple[str, str]] = []
        self._choices: dict[str, list[str]] = {}
        self._select = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        has = {name: value or "" for name, value in attrs}
        if tag in ("a", "link") and has.get("href"):
            link = self._here(has["href"])
            if link:
                self.links.append(link)
        elif tag == "form":
            self._form, self._fields, self._choices = has, [], {}
        elif tag in ("input", "textarea", "button") and has.get("name"):
            self._choices.setdefault(has["name"], []).append(has.get("value", ""))
            if has.get("type") not in ("radio", "checkbox") or "checked" in has:
                self._fields.append((has["name"], has.get("value", "")))
        elif tag == "select":
            self._select = has.get("name", "")
            self._fields.append((self._select, ""))
        elif tag == "option" and self._select:
            self._choices.setdefault(self._select, []).append(has.get("value", ""))
            if "selected" in has or self._fields[-1] == (self._select, ""):
                self._fields[-1] = (self._select, has.get("value", ""))

    def handle_endtag(self, tag: str) -> None:
        if tag == "select":
            self._select = ""
        if tag == "form" and self._form is not None:
            action = self._here(self._form.get("action", "")) or self.address
            choices = {name: tuple(values) for name, values in self._choices.items()}
            method = self._form.get("method", "get").upper()
            self.forms.append(Form(self.address, action, method, tuple(self._fields), choices))
            self._form = None

    def _here(self, link: str) -> str:
        """An address of this site without its host; empty for another one."""
        try:
            whole = urldefrag(urljoin(BASE + self.address.lstrip("/"), link)).url
        except ValueError:
            return ""
        return "/" + whole.removeprefix(BASE) if whole.startswith(BASE) else ""


MARK = "hostile"
# Every mark of ours calls a function of this name, which would leave a trace.
TRACE = (
    "window.ran = []; window.hostile = () => window.ran.push('hostile'); window.alert = (text) => window.ran.push(text)"
)


def ran(site: str, targets: Iterable[str], cookies: dict[str, str]) -> dict[str, Any]:
    """How many pages were opened, and on which of them something ran or was stopped only by the policy."""
    said: dict[str, Any] = {"browser": bool(BROWSER), "opened": 0, "ran": [], "stopped": []}
    if not BROWSER:
        return said
    with browser() as driver:
        driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": TRACE})
        driver.get(f"{site}/robots.txt")
        for name, value in cookies.items():
            driver.add_cookie({"name": name, "value": value})
        for target in targets:
            try:
                driver.get(f"{site}{target}")
                found = driver.execute_script("return window.ran || []")
            except UnexpectedAlertPresentException as error:
                found = [str(error)[:200]]
            except WebDriverException:
                continue  # no page: a file, or an address that a browser does not take
            said["opened"] += 1
            if found:
                said["ran"].append([target[:300], json.dumps(found)[:300]])
            messages = [entry["message"] for entry in driver.get_log("browser")]
            said["stopped"] += [
                [target[:300], message[:300]] for message in messages if "Content Security Policy" in message
            ]
    return said
