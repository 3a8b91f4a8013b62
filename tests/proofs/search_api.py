"""The proofs of search, map and API; their figures as one JSON document.

    python -m tests.proofs.search_api [NAME…]

search: the same lists, counts and snippets on both databases, of made-up records. map: however many places, marks stay
few and none is lost. load: 100,000 records on PostgreSQL, asked for over HTTP by gunicorn, as in production; half of
the answers of each type of page come within 150 ms and 95 of 100 within 400 ms. hostile: bad filters, cursors, orders,
fields, forms and headers (`tests.api.hostile`) get a clear refusal. schema: schemathesis holds a running site to its
OpenAPI document, every check on (`schemathesis.toml`). Seeds are printed, so that every case can be had again.

Without names all of them. Exit status 1 if a proof failed. The machine should have nothing else to do.
"""

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from http.client import HTTPConnection
from pathlib import Path
from random import Random
from typing import Any
from urllib.parse import quote

from tests.proofs.running import Figures, Unproved, demand, run
from tests.services.machine import ROOT, Machine, wait_for
from tests.services.postgresql import running_postgresql

REQUESTS, HOSTILE_SEED = 4_000, 20_261_121


def hostile(machine: Any) -> Figures:
    """How many were answered how; raises Unproved for a failure, or a refusal that says nothing."""
    from django.conf import settings as site
    from django.test import Client
    from hypothesis import HealthCheck, given, seed, settings

    from tests.api.hostile import requests, sent, wrong

    site.API_REQUESTS_PER_MINUTE = site.API_REQUESTS_PER_HOUR = 0
    client, statuses, failures = Client(raise_request_exception=False), Counter[int](), list[str]()

    @seed(HOSTILE_SEED)
    @settings(max_examples=REQUESTS, deadline=None, database=None, suppress_health_check=list(HealthCheck))
    @given(requests)
    def ask(request: Any) -> None:
        response = sent(client, request)
        statuses[response.status_code] += 1
        if found := wrong(response):
            failures.append(f"{request!r}: {found}"[:500])

    ask()
    figures: Figures = {
        "seed": HOSTILE_SEED,
        "requests": statuses.total(),
        "statuses": {str(status): number for status, number in sorted(statuses.items())},
        "failures": failures[:10],
    }
    demand(not failures, "a hostile request was not clearly refused", figures)
    demand(statuses.total() >= REQUESTS, "fewer requests than were to be made", figures)
    return figures


PLACES = (2_000, 20_000)
MAPPED_RECORDS = 100_000
VIEWS = 40
LARGEST_FILE = 300_000  # bytes
WORLD = Path(__file__).resolve().parents[2] / "catalogue/static/catalogue/world.svg"


def world_map(_: Any) -> Figures:
    """Most marks and milliseconds of views at every zoom, for so many places of 100,000 records."""
    from catalogue.geography.map import CELLS, HEIGHT, MOST_ZOOM, WIDTH, PlacedRecords, View, clustered, seen_in

    chance = Random(11)
    figures: Figures = {"outlines_bytes": WORLD.stat().st_size, "most_marks_possible": CELLS * (CELLS // 2 + 1)}
    for number in PLACES:
        at = [(chance.uniform(-55, 72), chance.uniform(-180, 180)) for _ in range(number)]
        places = [PlacedRecords(f"p{i}", f"P {i}", MAPPED_RECORDS // number, *degrees) for i, degrees in enumerate(at)]
        zooms: dict[str, dict[str, float]] = {}
        for z in range(MOST_ZOOM + 1):
            marks, milliseconds = 0, 0.0
            for _view in range(VIEWS):
                view = View(z, chance.randrange(WIDTH), chance.randrange(round(HEIGHT)))
                begun = time.perf_counter()
                seen = seen_in(view, places)
                drawn = clustered(seen, view)
                milliseconds = max(milliseconds, 1000 * (time.perf_counter() - begun))
                marks = max(marks, len(drawn))
                lost = sum(place.records for place in seen) - sum(mark.records for mark in drawn)
                demand(not lost, f"{lost} records are in no mark of {view}", figures)
            zooms[f"zoom {z}"] = {"most_marks": marks, "milliseconds": round(milliseconds, 1)}
        figures[f"{number} places"] = zooms
        most = max(one["most_marks"] for one in zooms.values())
        demand(most <= figures["most_marks_possible"], f"{most} marks in one view", figures)
    demand(figures["outlines_bytes"] <= LARGEST_FILE, "the outlines are too large", figures)
    return figures


FEWEST_CASES, CASES_OF_AN_OPERATION, SCHEMA_SEED = 5_000, 60, 7
LONGEST = 3_600  # seconds
UNLIMITED = {"API_REQUESTS_PER_MINUTE": "0", "API_REQUESTS_PER_HOUR": "0"}
PLAYED = ("daramuti-parker", "--games", "20000", "--seed", "1", "--cap", "2000", "--inline")


def schema(machine: Any) -> Figures:
    """How many cases were asked; raises Unproved if one was answered otherwise than is described."""
    machine.simulate(*PLAYED)
    with served(machine, UNLIMITED) as address, tempfile.TemporaryDirectory() as folder:
        status, report, said = _asked(address, Path(folder))
    cases = report.get("test_cases", {})
    figures: Figures = {
        "schemathesis": report.get("schemathesis_version"),
        "seed": SCHEMA_SEED,
        "operations": report.get("operations", {}).get("tested"),
        "phases": {name: phase["status"] for name, phase in report.get("phases", {}).items()},
        "cases": cases.get("generated"),
        "failures": cases.get("unique_failures"),
        "errors": cases.get("errored"),
    }
    demand(status == 0, f"a case failed: {said[-4000:]}", figures)
    demand(not cases["unique_failures"] and not cases["errored"], "a case failed", figures)
    demand(cases["generated"] >= FEWEST_CASES, f"fewer than {FEWEST_CASES} cases were asked", figures)
    return figures


def _asked(address: str, folder: Path) -> tuple[int, dict[str, Any], str]:
    """The exit status, the report and what was said."""
    program = Path(sys.executable).with_name("schemathesis")
    options = ["--checks", "all", "--seed", str(SCHEMA_SEED), "--max-examples", str(CASES_OF_AN_OPERATION)]
    kept = folder / "report.json"
    report = ["--continue-on-failure", "--report", "json", "--report-json-path", str(kept)]
    config = ["--config-file", str(ROOT / "tests" / "proofs" / "schemathesis.toml")]
    words = [str(program), *config, "run", f"{address}/api/schema/", *options, *report]
    done = subprocess.run(words, cwd=folder, capture_output=True, text=True, timeout=LONGEST)
    return done.returncode, json.loads(kept.read_text()) if kept.exists() else {}, done.stdout + done.stderr


@contextmanager
def served(machine: Any, more: dict[str, str]) -> Iterator[str]:
    """The address of the site, served by gunicorn."""
    from simulator.servers import Server, free_port

    port = free_port()
    words = ["-m", "gunicorn", "catalogue.config.wsgi", "--bind", f"127.0.0.1:{port}", "--workers", "2"]
    environment = {**machine.environment, **more}
    server = Server.start("site", [sys.executable, *words], Path(machine.folder) / "site.log", environment)
    address = f"http://127.0.0.1:{port}"
    try:
        wait_for(lambda: _answers(address), "the site answers")
        yield address
    finally:
        server.stop(patience=5)


def _answers(address: str) -> bool:
    try:
        with urllib.request.urlopen(f"{address}/api/v1/", timeout=60) as answer:
            return bool(answer.status == 200)
    except (urllib.error.URLError, OSError):
        return False


SEARCHED_RECORDS = 3_000
FILL_FOR_SEARCH = """
import django; django.setup()
from catalogue.search.indexing import rebuild
from tests.synthetic_catalogue import fill
fill({records}); rebuild()
"""
SUITE = ("-m", "tests.catalogue.search_suite")


def search(machine: Any, records: int = SEARCHED_RECORDS) -> Figures:
    """How many searches of the suite were compared, and how many things they found; raises Unproved at a difference."""
    with running_postgresql() as server, tempfile.TemporaryDirectory() as folder:
        here = Machine(Path(folder), machine.broker).environment | {
            "DJANGO_SETTINGS_MODULE": "catalogue.config.settings"
        }
        answers = []
        for environment in (here, {**here, "DATABASE_URL": server.get_uri()}):
            run_apart(environment, "manage.py", "migrate", "--verbosity", "0", "--skip-checks")
            run_apart(environment, "manage.py", "load_fixtures")
            run_apart(environment, "-c", FILL_FOR_SEARCH.format(records=records))
            answers.append(json.loads(run_apart(environment, *SUITE)))
    differing = [one["asked"] for one, other in zip(*answers, strict=True) if one != other]
    figures: Figures = {
        "records": records,
        "searches": len(answers[0]),
        "finds": sum(one["count"] for one in answers[0]),
        "differing": differing,
    }
    demand(not differing, "the two databases do not find the same", figures)
    return figures


RECORDS, ROUNDS, READERS, PROCESSES = 100_000, 30, 2, 2
MEDIAN, NINETY_FIFTH = 150.0, 400.0  # milliseconds
FILL = """
import django; django.setup()
import time
from django.db import connection
from catalogue.search.indexing import rebuild
from tests.synthetic_catalogue import fill
begun = time.perf_counter(); fill({records}); print(round(time.perf_counter() - begun, 1))
begun = time.perf_counter(); rebuild(); print(round(time.perf_counter() - begun, 1))
connection.cursor().execute("VACUUM ANALYZE")
"""
ADDRESSES = """
import django; django.setup()
import json
from tests.pages_of_a_large_catalogue import addresses
print(json.dumps(addresses()))
"""
WORDS = """
import django; django.setup()
import json
from catalogue.models import SearchTerm
words = list(SearchTerm.objects.order_by("-entries", "form").values_list("form", flat=True))
print(json.dumps([words[min(len(words) - 1, int(len(words) ** (k / {number})))] for k in range({number})]))
"""
NEW_WORDS = 200  # their ranks by frequency in equal steps of the logarithm
FIRST_TIME = "search, words not asked for before"


def load(machine: Any, records: int = RECORDS, rounds: int = ROUNDS) -> Figures:
    """Milliseconds of each type of page; raises Unproved if one is slower than it may be, or an answer is not 200."""
    with running_postgresql() as server:
        unlimited = {"API_REQUESTS_PER_MINUTE": "0", "API_REQUESTS_PER_HOUR": "0"}
        environment = {**machine.environment, **unlimited, "DATABASE_URL": server.get_uri()}
        run_apart(environment, "manage.py", "migrate", "--verbosity", "0", "--skip-checks")
        run_apart(environment, "manage.py", "load_fixtures")
        seconds = run_apart(environment, "-c", FILL.format(records=records)).split()
        chosen = json.loads(run_apart(environment, "-c", ADDRESSES))
        with site(environment) as port:
            times, wrong = asked(port, chosen, rounds)
            words = dict.fromkeys(json.loads(run_apart(environment, "-c", WORDS.format(number=NEW_WORDS))))
            first, wrong_too = asked(port, {FIRST_TIME: [f"/search/?q={quote(word)}" for word in words]}, 0)
    wrong |= wrong_too
    figures: Figures = {
        "records": records,
        "filled_in_seconds": float(seconds[0]),
        "indexed_in_seconds": float(seconds[1]),
        "answers": sum(map(len, times.values())),
        "milliseconds": {name: percentiles(measured) for name, measured in times.items()},
        "milliseconds_of_new_words": percentiles(first[FIRST_TIME]),
        "wrong": wrong,
    }
    demand(not wrong, "not every answer was a page", figures)
    slow = [
        name
        for name, one in figures["milliseconds"].items()
        if one["median"] > MEDIAN or one["ninety_fifth"] > NINETY_FIFTH
    ]
    demand(not slow, f"slower than they may be: {', '.join(slow)}", figures)
    return figures


def asked(
    port: int, chosen: dict[str, list[str]], rounds: int, readers: int = READERS
) -> tuple[dict[str, list[float]], dict[str, int]]:
    """Type of page → milliseconds, and addresses that were not answered with 200.

    rounds: that every reader asks for everything, after one to warm up; 0: the readers share all addresses out, once
    """
    times: dict[str, list[float]] = {name: [] for name in chosen}
    wrong: dict[str, int] = {}

    def read(reader: int) -> None:
        connection = HTTPConnection("127.0.0.1", port, timeout=60)
        for turn in range(rounds + 1):
            for name, some in chosen.items():
                for address in some if rounds else some[reader::readers]:
                    begun = time.perf_counter()
                    connection.request("GET", address)
                    answer = connection.getresponse()
                    answer.read()
                    if turn or not rounds:  # the first round warms up
                        times[name].append(1000 * (time.perf_counter() - begun))
                    if answer.status != 200:
                        wrong[address] = answer.status

    with ThreadPoolExecutor(readers) as together:
        list(together.map(read, range(readers)))
    return times, wrong


def percentiles(measured: list[float]) -> dict[str, float]:
    parts = statistics.quantiles(measured, n=20, method="inclusive")
    return {"median": round(parts[9], 1), "ninety_fifth": round(parts[18], 1), "most": round(max(measured), 1)}


@contextmanager
def site(environment: dict[str, str]) -> Iterator[int]:
    from simulator.servers import Server, free_port

    port = free_port()
    words = ["-m", "gunicorn", "catalogue.config.wsgi", "--bind", f"127.0.0.1:{port}", "--workers", str(PROCESSES)]
    log = Path(environment["VAR_DIR"]) / "site.log"
    server = Server.start("site", [sys.executable, *words, "--threads", "2"], log, environment)
    try:
        for _ in range(600):
            try:
                connection = HTTPConnection("127.0.0.1", port, timeout=60)
                connection.request("GET", "/about/")
                connection.getresponse().read()
                break
            except ConnectionError:
                time.sleep(0.1)
        yield port
    finally:
        server.stop(patience=5)


def run_apart(environment: dict[str, str], *words: str) -> str:
    """What Python said that was run with those words; raises Unproved if it failed."""
    done = subprocess.run([sys.executable, *words], env={**os.environ, **environment}, capture_output=True, text=True)
    if done.returncode:
        raise Unproved(f"{words} exited {done.returncode}", {"said": done.stderr[-2000:]})
    return done.stdout


PROOFS: dict[str, Callable[[Any], Figures]] = {
    "search": search,
    "map": world_map,
    "load": load,
    "hostile": hostile,
    "schema": schema,
}

if __name__ == "__main__":
    sys.exit(run(PROOFS, sys.argv[1:]))
