"""Whether every page of the demo says what it said before.

In both trees the demo fills a database of its own and ends; then the site alone answers the same addresses.
"""

import contextlib
import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from http.client import HTTPConnection
from pathlib import Path
from urllib.parse import urljoin, urlsplit

from tests.proofs.house_text import Answer, Words, difference, lines_of
from tests.proofs.house_trees import Trees
from tests.proofs.running import Figures, demand

WORDS = Path(__file__).parent / "house_words.json"
HOST = "testserver"  # whatever the port: addresses on the pages name it
START_SECONDS, PATIENCE = 60, 120
MOST_REDIRECTS = 5
MOST_SHOWN = 30

# Runs the demo, however long it takes, and writes down the addresses that it looks at in the end.
DEMO = """
import json, pathlib, sys
import django
django.setup()
from django.core.management import call_command
from catalogue.demo import pages
from catalogue.management.commands import demo
demo.CHECK_SECONDS = 3600
expectations = pages.expectations
def noted(batches):
    found = list(dict.fromkeys(expectations(batches)))
    pathlib.Path(sys.argv[1]).write_text(json.dumps([one.path for one in found]))
    return found
pages.expectations = noted
call_command("demo", check=True, port=sys.argv[2])
"""


@dataclass
class Look:
    """What one tree's site said. paths: those that its own demo looks at; problem: what the demo itself found wrong."""

    paths: list[str]
    problem: str
    answers: dict[str, Answer] = field(default_factory=dict)

    def save(self, file: Path) -> None:
        answers = {path: asdict(answer) for path, answer in self.answers.items()}
        document = {"paths": self.paths, "problem": self.problem, "answers": answers}
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(json.dumps(document, ensure_ascii=False), encoding="utf-8")

    @classmethod
    def load(cls, file: Path) -> "Look":
        document = json.loads(file.read_text(encoding="utf-8"))
        answers = {path: Answer(**answer) for path, answer in document["answers"].items()}
        return cls(document["paths"], document["problem"], answers)


def pages(trees: Trees) -> Figures:
    """Every page that the earlier demo looks at, in both trees; raises Unproved if one says something else."""
    begun = time.monotonic()
    before = _look_before(trees)
    now = look_at(trees, "now", before.paths)
    words = [Words(*entry) for entry in json.loads(WORDS.read_text(encoding="utf-8"))]
    equal, by_words = 0, []
    different: dict[str, list[str]] = {}
    for path in before.paths:
        one, other = before.answers[path], now.answers[path]
        if one.is_same(other) or (lines := lines_of(one)) == (other_lines := lines_of(other)):
            equal += 1
        elif found := difference(lines, other_lines, words):
            different[path] = found
        else:
            by_words.append(path)
    figures: Figures = {
        "pages": len(before.paths),
        "equal": equal,
        "equal_but_for_listed_words": by_words,
        "listed_words_not_met": [one.before for one in words if not one.met],
        "different": len(different),
        "first_differences": dict(list(different.items())[:MOST_SHOWN]),
        "redirected": {path: at for path in before.paths if (at := now.answers[path].at) != before.answers[path].at},
        "not_looked_at_any_more": sorted({*before.paths} - {*now.paths}),
        "looked_at_in_addition": sorted({*now.paths} - {*before.paths}),
        "problems_of_the_demos": {"before": before.problem, "now": now.problem},
        "minutes": round((time.monotonic() - begun) / 60, 1),
    }
    demand(not different, f"{len(different)} of {len(before.paths)} pages say something else", figures)
    return figures


def _look_before(trees: Trees) -> Look:
    """Of the earlier tree; taken from where it is kept, if it was looked at already."""
    file = trees.keep / f"pages-{trees.revision}.json" if trees.keep else None
    if file and file.exists():
        return Look.load(file)
    look = look_at(trees, "before")
    if file:
        look.save(file)
    return look


def look_at(trees: Trees, name: str, paths: list[str] | None = None) -> Look:
    """Fill a database by that tree's demo, then fetch those paths from its site, or those that the demo looks at."""
    environment, begun = trees.environment(name), _today()
    listed = Path(environment["VAR_DIR"]) / "paths.json"
    problem = ""
    try:
        trees.python(name, "-c", DEMO, str(listed), str(_free_port()))
    except AssertionError as error:
        if not listed.exists():
            raise
        problem = str(error)
    look = Look(json.loads(listed.read_text()), problem)
    with _site(trees.root(name), environment) as port:
        look.answers = {path: _fetched(port, path, begun) for path in paths or look.paths}
    return look


def _fetched(port: int, path: str, begun: str) -> Answer:
    """The answer to a path, of where it leads to if it is redirected."""
    at = path
    for _ in range(MOST_REDIRECTS):
        with contextlib.closing(HTTPConnection("127.0.0.1", port, timeout=PATIENCE)) as connection:
            connection.request("GET", at, headers={"Host": HOST})
            answer = connection.getresponse()
            text = answer.read().decode("utf-8")
        if not 300 <= answer.status < 400:
            break
        target = urlsplit(urljoin(at, answer.headers["Location"]))
        at = target._replace(scheme="", netloc="").geturl()
    return Answer(answer.status, answer.headers.get_content_type(), text, at, sorted({begun, _today()}))


def _today() -> str:
    return datetime.now(UTC).date().isoformat()


@contextlib.contextmanager
def _site(tree: Path, environment: dict[str, str]) -> Iterator[int]:
    """The port of the site of that tree, started as the demo starts it, without broker and workers."""
    port, log = _free_port(), Path(environment["VAR_DIR"]) / "site-alone.log"
    words = ("--bind", f"127.0.0.1:{port}", "--workers", "1", "--threads", "4", "--limit-request-line", "8190")
    unlimited = {"API_REQUESTS_PER_MINUTE": "0", "API_REQUESTS_PER_HOUR": "0"}
    with log.open("wb") as out:
        process = subprocess.Popen(
            [sys.executable, "-m", "gunicorn", "catalogue.config.wsgi:application", *words],
            cwd=tree, env={**environment, **unlimited}, stdout=out, stderr=out, start_new_session=True,
        )  # fmt: skip
    try:
        deadline = time.monotonic() + START_SECONDS
        while not _listens(port):
            assert process.poll() is None, log.read_text()[-2000:]
            assert time.monotonic() < deadline, f"the site did not answer after {START_SECONDS} s"
            time.sleep(0.1)
        yield port
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGTERM)
        process.wait()


def _listens(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
