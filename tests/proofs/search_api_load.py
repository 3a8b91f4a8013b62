"""The proof of speed: 100,000 records on PostgreSQL, asked for over HTTP by a load program.

The site runs as in production, by gunicorn, with a real PostgreSQL and a real broker; two readers ask for every
address in turn, again and again. Half of the answers of each type of page must come within 150 ms and 95 of 100 within
400 ms.

What takes long is kept while the index is the same, so that a word is looked for a second time more quickly. How long
searches take for words that nobody has asked for yet, common ones and rare ones alike, is told beside the bounds.
"""

import json
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from http.client import HTTPConnection
from pathlib import Path
from typing import Any
from urllib.parse import quote

from tests.proofs.running import Figures, Unproved, demand
from tests.services.postgresql import running_postgresql

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
    from simulator.workers.servers import Server, free_port

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
