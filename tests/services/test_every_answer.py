"""Every kind of answer as it leaves the server: gunicorn as the demo starts it, kept connections, nothing between.

What is too long or too short by a byte would show the next reader of the connection somebody else's answer.
"""

import contextlib
import json
import shutil
import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from catalogue.demo.servers import site_command
from simulator.servers import Server, free_port
from tests.every_address import status_of
from tests.services.connections import Answer, Connection, WrongAnswer
from tests.services.machine import Machine, children_of, wait_for

pytestmark = pytest.mark.services

BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8"
LINKED = "application/ld+json"
ACCEPTED = (BROWSER, f"{LINKED};q=0.9, text/html;q=0.5")
ACCEPTED_OF_THE_API = ("*/*", BROWSER, "application/json", "text/csv", "image/png")
ONLY_FOR_WORKERS = ("numba", "llvmlite", "matplotlib", "scipy")  # each brings libraries of machine code
BETWEEN = "/robots.txt"  # asked for after every answer


@dataclass(frozen=True, slots=True)
class Site:
    port: int
    addresses: dict[str, str]
    cookie: str
    database: Path
    process: int  # the one that watches those that answer

    def connection(self) -> Connection:
        return Connection("127.0.0.1", self.port)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory, shipped_database: Path) -> Iterator[Site]:
    machine = Machine(tmp_path_factory.mktemp("site"), "")
    shutil.copy(shipped_database, machine.folder / "db.sqlite3")
    world = machine.python("-m", "tests.every_address")
    port, environment = (
        free_port(),
        {**machine.environment, "API_REQUESTS_PER_MINUTE": "0", "API_REQUESTS_PER_HOUR": "0"},
    )
    server = Server.start("site", site_command(port), machine.folder / "site.log", environment)
    try:
        wait_for(lambda: listens(port) or not server.is_running, "the site listens")
        assert server.is_running, server.last_lines()
        yield Site(port, world["addresses"], world["cookie"], machine.folder / "db.sqlite3", server.process.pid)
    finally:
        server.stop(patience=5)


def listens(port: int) -> bool:
    try:
        Connection("127.0.0.1", port).socket.close()
    except OSError:
        return False
    return True


@pytest.mark.thorough
def test_every_answer_is_as_long_as_it_says(site: Site) -> None:
    """HEAD promises what GET sends, in the form that is asked for. What only workers need is loaded for no answer."""
    wrong = []
    with Asking(site) as client:
        for place, (route, address) in enumerate(site.addresses.items()):
            for accepted in accepted_by(route, address, place):
                wrong += client.mistakes(route, address, accepted)
    assert not wrong, "\n".join(wrong)
    maps = Path("/proc/self/maps")
    if maps.exists():
        loaded = "".join(Path(f"/proc/{pid}/maps").read_text() for pid in (site.process, *children_of(site.process)))
        assert "/_sqlite3" in loaded  # a library that is loaded is seen
        assert not [package for package in ONLY_FOR_WORKERS if f"/{package}/" in loaded]


def accepted_by(route: str, address: str, place: int) -> tuple[str, ...]:
    """What is accepted, by turns: the forms of the API are made in one place, and linked data is cut out of a page."""
    if address.startswith("/api/"):
        return (ACCEPTED_OF_THE_API[place % len(ACCEPTED_OF_THE_API)],)
    return (BROWSER,) if route.startswith("admin:") else (LINKED, ACCEPTED[place % len(ACCEPTED)])


class Asking:
    """One connection for everything; after a mistake a new one."""

    def __init__(self, site: Site) -> None:
        self.site = site
        self.connection = site.connection()
        self.between = self.connection.ask(BETWEEN).body

    def __enter__(self) -> "Asking":
        return self

    def __exit__(self, *_: object) -> None:
        self.connection.__exit__(None, None, None)

    def mistakes(self, route: str, address: str, accepted: str) -> Iterator[str]:
        answers: list[Answer] = []
        for method in ("GET", "HEAD"):
            try:
                answers.append(self._answer(address, method, accepted))
            except (WrongAnswer, OSError) as error:
                yield f"{method} {address} as {accepted}: {error}"
                self.connection.__exit__(None, None, None)
                self.connection = self.site.connection()
        if len(answers) == 2:
            yield from (f"{address} as {accepted}: {words}" for words in differences(route, address, *answers))

    def _answer(self, address: str, method: str, accepted: str) -> Answer:
        """The answer, after which the same connection has given the right answer to something else."""
        is_inside = address.startswith("/admin/") and not address.endswith("/login/")
        cookie = {"Cookie": self.site.cookie} if is_inside else {}
        answer = self.connection.ask(address, method, Accept=accepted, **cookie)
        after = self.connection.ask(BETWEEN)
        if (after.status, after.body) != (200, self.between):
            raise WrongAnswer(f"the next answer is {after}")
        return answer


def differences(route: str, address: str, got: Answer, head: Answer) -> Iterator[str]:
    expected = status_of(route, as_editor=address.startswith("/admin/"))
    if got.status not in (expected, 406) or (got.status == 406 and not address.startswith("/api/")):
        yield f"answered {got.status} and not {expected}"
    if head.status != got.status:
        yield f"HEAD is answered {head.status} and GET {got.status}"
    if (
        route == "metrics"
        or got.status >= 400
        or (route.startswith("v1:") and "text/html" in got.headers["content-type"])
    ):
        return  # figures of requests change with each; refusals, and pages of the API, name the method
    promised = head.headers.get("content-length")
    if promised is not None and int(promised) != len(got.body):
        yield f"HEAD promises {promised} bytes, and GET sends {len(got.body)}"
    if head.headers.get("content-type") != got.headers.get("content-type"):
        yield f"HEAD promises {head.headers.get('content-type')} and GET sends {got.headers.get('content-type')}"
    if LINKED in got.headers.get("content-type", "") and not isinstance(json.loads(got.body), dict):
        yield "no linked data"


@pytest.mark.thorough
def test_a_refusal_leaves_the_connection_as_it_should_be(site: Site) -> None:
    """Another host, a body that nobody reads, a page that is sent something."""
    with site.connection() as connection:
        for status, path, wishes in (
            (400, "/games/", {"Host": "evil.example"}),
            (400, "/api/v1/games/", {"Host": "evil.example"}),
            (405, "/games/", {"method": "POST", "body": b"a=b"}),
        ):
            answer = connection.ask(path, **wishes)
            assert answer.status == status, (path, wishes.get("method"))
            assert b"Traceback" not in answer.body
            assert connection.ask(BETWEEN).status == 200
        # Said before any of the body has come.
        assert connection.ask("/compare/", "POST", Content_Length="3000000").status == 413


@pytest.mark.thorough
def test_writes_beside_a_long_one_are_answered_503(
    site: Site,
) -> None:
    """The site waits 20 seconds for its turn, so the test does."""
    token = "a" * 32
    form = f"csrfmiddlewaretoken={token}&games=2&seed=1&players=random&cap=9&until=game".encode()
    sent = {"Content_Type": "application/x-www-form-urlencoded", "Cookie": f"{site.cookie}; csrftoken={token}"}
    writes = (
        ("/rulesets/daramuti-parker/play/", form, sent),
        ("/api/v1/batches/", b'{"ruleset": "daramuti-parker", "games": 3}', {"Content_Type": "application/json"}),
        ("/admin/catalogue/place/add/", form, sent),
    )
    with (
        contextlib.closing(sqlite3.connect(site.database, isolation_level=None)) as long,
        contextlib.ExitStack() as all,
    ):
        long.execute("BEGIN IMMEDIATE")
        waiting = [all.enter_context(Connection("127.0.0.1", site.port)) for _ in writes]
        for connection, (path, body, wishes) in zip(waiting, writes, strict=True):
            connection.send(path, "POST", body, **wishes)
        with site.connection() as reading:
            assert reading.ask("/games/").status == 200
        for connection, (path, *_) in zip(waiting, writes, strict=True):
            answer = connection.answer()
            assert (answer.status, answer.headers.get("retry-after")) == (503, "10"), path
            assert connection.ask(BETWEEN).status == 200
        long.execute("ROLLBACK")
        path, body, wishes = writes[1]
        assert waiting[1].ask(path, "POST", body, **wishes).status in (200, 201)
