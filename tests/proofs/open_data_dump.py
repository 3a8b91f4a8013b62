"""The proofs of the import of the portal's dump: how long it takes, how much memory, how quick the pages are then."""

import json
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from tests.proofs.running import Figures, demand
from tests.proofs.search_api_load import ADDRESSES, asked, percentiles, run_apart, site

RECORDS, MOST_SECONDS = 20_000, 120
LARGE_MB, MOST_MB = 100, 500
PAGE_ROUNDS, MOST_MILLISECONDS = 10, 300
PEAK = """
import json, resource, runpy, sys
sys.argv = ["manage.py", *sys.argv[1:]]
try:
    runpy.run_path("manage.py", run_name="__main__")
finally:
    print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, file=sys.stderr)
"""


def dump(machine: Any, records: int = RECORDS) -> Figures:
    """A dump of so many records, imported twice; the second time nothing changes."""
    from tests.catalogue.portal_dumps import write_large

    file = machine.folder / "portal.sql"
    figures: Figures = {"records": records, "megabytes": round(write_large(file, records) / 2**20, 1)}
    for time_ in ("first", "second"):
        begun = time.perf_counter()
        report, peak = _import(machine, file)
        figures[time_] = {
            "seconds": round(time.perf_counter() - begun, 1),
            "peak_megabytes": peak,
            "new": len(report["created"]),
            "unchanged": len(report["unchanged"]),
            "rows_written": sum(report["written"].values()),
        }
    file.unlink()
    first, second = figures["first"], figures["second"]
    demand((first["new"], second["unchanged"]) == (records, records), "not every record was imported once", figures)
    demand(second["rows_written"] == 0, "the second import wrote something", figures)
    slow = max(first["seconds"], second["seconds"])
    demand(slow < MOST_SECONDS, f"an import took {slow} s; it may take {MOST_SECONDS}", figures)
    figures["milliseconds"] = _pages(machine)
    slowest = {
        name: measured
        for name, measured in figures["milliseconds"].items()
        if measured["ninety_fifth"] > MOST_MILLISECONDS
    }
    demand(not slowest, f"slower than {MOST_MILLISECONDS} ms: {', '.join(slowest)}", figures)
    return figures


def _pages(machine: Any) -> Figures:
    """Milliseconds of every type of page and answer, for one reader; the catalogue is as large as the dump made it."""
    environment = {**machine.environment, "API_REQUESTS_PER_MINUTE": "0", "API_REQUESTS_PER_HOUR": "0"}
    chosen = json.loads(run_apart(environment, "-c", ADDRESSES))
    with site(environment) as port:
        times, wrong = asked(port, chosen, PAGE_ROUNDS, readers=1)
    figures = {name: percentiles(measured) for name, measured in times.items()}
    demand(not wrong, f"not every answer was a page: {wrong}", figures)
    return figures


def memory(machine: Any, megabytes: int = LARGE_MB) -> Figures:
    """The most memory that the import of a dump of that size holds, where its records are new and where all differ."""
    from tests.catalogue.portal_dumps import write_large
    from tests.services.machine import Machine

    folder = machine.folder / "memory"
    folder.mkdir()
    other = Machine(folder, machine.broker)
    other.manage("migrate", "--verbosity", "0", "--skip-checks")
    large, small = folder / "large.sql", folder / "small.sql"
    records = megabytes * 2**20 // 20_000
    size = write_large(large, records, words=1_600)
    write_large(small, records, words=20)
    report, new_peak = _import(other, large, "--dry-run")
    figures: Figures = {"megabytes": round(size / 2**20, 1), "records_new": len(report["created"])}
    _import(other, small)
    report, differing_peak = _import(other, large, "--dry-run")
    figures |= {"records_differing": len(report["differing"]), "peak_megabytes": [new_peak, differing_peak]}
    demand(size >= 0.9 * megabytes * 2**20, "the dump is not as large as it has to be", figures)
    demand(figures["records_new"] == figures["records_differing"] == records, "not every record was looked at", figures)
    demand(max(new_peak, differing_peak) < MOST_MB, f"the most memory held may be {MOST_MB} MB", figures)
    return figures


def _import(machine: Any, file: Path, *words: str) -> tuple[dict[str, Any], int]:
    """The report, and the most memory held, in megabytes."""
    done = subprocess.run(
        [sys.executable, "-c", PEAK, "import_portal_dump", str(file), "--json", *words],
        env=machine.environment,
        capture_output=True,
        text=True,
        check=True,
    )
    return json.loads(done.stdout), int(done.stderr.split()[-1]) // 1024


PROOFS = {"dump": dump, "memory": memory}
