"""The proofs of a large catalogue; their figures as one JSON document.

    python -m tests.proofs.large_catalogue [NAME…]

load: 100,000 records on PostgreSQL, read over HTTP as in production; half of the answers of each type of page come
within 150 ms and 95 of 100 within 400 ms. dump and memory: how long the import of the portal's dump takes, how much
memory, how quick the pages are then. map: however many places, marks stay few and none is lost.

Without names all of them. Exit status 1 if a proof failed. The machine should have nothing else to do.
"""

import json
import statistics
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from http.client import HTTPConnection
from pathlib import Path
from random import Random
from typing import Any
from urllib.parse import quote

from tests.proofs.operation_servers import Installation, on_postgresql
from tests.proofs.running import Figures, demand, run

RECORDS, ROUNDS, READERS = 100_000, 30, 2
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
    folder = machine.folder / "load"
    folder.mkdir()
    with on_postgresql(folder) as (one, _):
        seconds = one.python("-c", FILL.format(records=records)).split()
        chosen = json.loads(one.python("-c", ADDRESSES))
        port = one.start_site()
        times, wrong = asked(port, chosen, rounds)
        words = dict.fromkeys(json.loads(one.python("-c", WORDS.format(number=NEW_WORDS))))
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
    _demand_quick(figures, MEDIAN, NINETY_FIFTH)
    return figures


def _demand_quick(figures: Figures, median: float, ninety_fifth: float) -> None:
    slow = [
        name
        for name, one in figures["milliseconds"].items()
        if one["median"] > median or one["ninety_fifth"] > ninety_fifth
    ]
    demand(not slow, f"slower than they may be: {', '.join(slow)}", figures)


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


DUMPED_RECORDS, MOST_SECONDS = 20_000, 120
LARGE_MB, MOST_MB = 100, 500
PAGE_ROUNDS, MOST_MILLISECONDS = 10, 300
IMPORT = """
import io, json, resource, sys
import django; django.setup()
from django.core.management import call_command
printed = io.StringIO()
call_command("import_portal_dump", *sys.argv[1:], "--json", stdout=printed)
print(json.dumps([json.loads(printed.getvalue()), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024]))
"""


def dump(machine: Any, records: int = DUMPED_RECORDS) -> Figures:
    """A dump of so many records, imported twice; the second time nothing changes. Then one reader asks for pages."""
    from tests.catalogue.portal_dumps import write_large

    one, file = _with_tables(machine.folder / "dump"), machine.folder / "portal.sql"
    figures: Figures = {"records": records, "megabytes": round(write_large(file, records) / 2**20, 1)}
    for time_ in ("first", "second"):
        begun = time.perf_counter()
        report, peak = _import(one, file)
        figures[time_] = {
            "seconds": round(time.perf_counter() - begun, 1),
            "peak_megabytes": peak,
            "new": len(report["created"]),
            "unchanged": len(report["unchanged"]),
            "rows_written": sum(report["written"].values()),
        }
    first, second = figures["first"], figures["second"]
    demand((first["new"], second["unchanged"]) == (records, records), "not every record was imported once", figures)
    demand(second["rows_written"] == 0, "the second import wrote something", figures)
    slow = max(first["seconds"], second["seconds"])
    demand(slow < MOST_SECONDS, f"an import took {slow} s; it may take {MOST_SECONDS}", figures)
    try:
        times, wrong = asked(one.start_site(), json.loads(one.python("-c", ADDRESSES)), PAGE_ROUNDS, readers=1)
    finally:
        one.stop()
    figures["milliseconds"] = {name: percentiles(measured) for name, measured in times.items()}
    demand(not wrong, f"not every answer was a page: {wrong}", figures)
    _demand_quick(figures, MOST_MILLISECONDS, MOST_MILLISECONDS)
    return figures


def memory(machine: Any, megabytes: int = LARGE_MB) -> Figures:
    """The most memory that the import of a dump of that size holds, where its records are new and where all differ."""
    from tests.catalogue.portal_dumps import write_large

    one = _with_tables(machine.folder / "memory")
    large, small = one.folder / "large.sql", one.folder / "small.sql"
    records = megabytes * 2**20 // 20_000
    size = write_large(large, records, words=1_600)
    write_large(small, records, words=20)
    report, new_peak = _import(one, large, "--dry-run")
    figures: Figures = {"megabytes": round(size / 2**20, 1), "records_new": len(report["created"])}
    _import(one, small)
    report, differing_peak = _import(one, large, "--dry-run")
    figures |= {"records_differing": len(report["differing"]), "peak_megabytes": [new_peak, differing_peak]}
    demand(size >= 0.9 * megabytes * 2**20, "the dump is not as large as it has to be", figures)
    demand(figures["records_new"] == figures["records_differing"] == records, "not every record was looked at", figures)
    demand(max(new_peak, differing_peak) < MOST_MB, f"the most memory held may be {MOST_MB} MB", figures)
    return figures


def _with_tables(folder: Path) -> Installation:
    folder.mkdir()
    one = Installation(folder, f"sqlite:///{folder / 'db.sqlite3'}")
    one.manage("migrate", "--verbosity", "0", "--skip-checks")
    return one


def _import(one: Installation, file: Path, *words: str) -> tuple[dict[str, Any], int]:
    """The report, and the most memory held, in megabytes."""
    report, megabytes = json.loads(one.python("-c", IMPORT, str(file), *words))
    return report, megabytes


PLACES = (2_000, 20_000)
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
        places = [PlacedRecords(f"p{i}", f"P {i}", RECORDS // number, *degrees) for i, degrees in enumerate(at)]
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
        most = max(zoom["most_marks"] for zoom in zooms.values())
        demand(most <= figures["most_marks_possible"], f"{most} marks in one view", figures)
    demand(figures["outlines_bytes"] <= LARGEST_FILE, "the outlines are too large", figures)
    return figures


PROOFS: dict[str, Callable[[Any], Figures]] = {"load": load, "dump": dump, "memory": memory, "map": world_map}

if __name__ == "__main__":
    sys.exit(run(PROOFS, sys.argv[1:]))
