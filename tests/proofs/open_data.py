"""The proofs of open data: the portal's dump in, a dataset out; their figures as one JSON document.

    python -m tests.proofs.open_data [NAME…]

dump and memory: how long the import takes, how much memory, how quick the pages are then. dataset: the shipped
catalogue with batches, written, loaded and written again, to the last byte. fuzz_…: broken input for ten minutes.

Without names all of them. Exit status 1 if a proof failed. The machine should have nothing else to do.
"""

import hashlib
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.proofs import open_data_fuzz
from tests.proofs.running import Figures, demand, run
from tests.proofs.search_api import ADDRESSES, asked, percentiles, run_apart, site
from tests.services.machine import ROOT, Machine

GAMES = 2_000
PLAY = """
import json
from django.conf import settings
from simulator.batches.service import request_batch
from simulator.batches.playing import play_waiting_chunk
for wanted in json.loads((settings.BASE_DIR / "fixtures" / "demo_batches.json").read_text()):
    request_batch(**{{**wanted, "games": {games}, "origin": "demo", "announce": False}})
while play_waiting_chunk():
    pass
from simulator.models import Batch
print(Batch.objects.filter(state=Batch.State.DONE).count())
"""


def dataset(machine: Any, games: int = GAMES) -> Figures:
    """Files, bytes and seconds of each step; raises Unproved if a byte differs or a batch lost a figure."""
    begun = time.perf_counter()
    played = int(_run(machine, PLAY.format(games=games)))
    figures: Figures = {"batches_played": played, "played_in_seconds": round(time.perf_counter() - begun, 1)}
    with tempfile.TemporaryDirectory(prefix="proof-dataset-") as named:
        folder = Path(named)
        figures["written"] = _timed(machine, "export_dataset", str(folder / "one"), "--json")
        other = Machine(folder / "other", machine.broker)
        other.manage("migrate", "--verbosity", "0")
        figures["loaded"] = _timed(other, "load_dataset", str(folder / "one"), "--json")
        figures["written_again"] = _timed(other, "export_dataset", str(folder / "two"), "--json")
        digests = [_digests(folder / name) for name in ("one", "two")]
        figures["bytes_of_files"] = sum(path.stat().st_size for path in (folder / "one").rglob("*") if path.is_file())
        figures["files"] = len(digests[0])
        figures["different"] = sorted(name for name, _ in digests[0].items() ^ digests[1].items())
        asked = "from simulator.models import *; print(Batch.objects.count(), Plot.objects.count())"
        figures["batches_and_plots"] = [_run(one, asked).split() for one in (machine, other)]
    demand(not figures["different"], "a byte differs", figures)
    first, second = figures["batches_and_plots"]
    demand(first == second and int(first[0]) > 0, "a batch or a plot is missing", figures)
    return figures


def _timed(machine: Any, *words: str) -> Figures:
    begun = time.perf_counter()
    report = json.loads(machine.manage(*words).stdout)
    return {"seconds": round(time.perf_counter() - begun, 1), "rows": sum(report["rows"].values())}


def _digests(place: Path) -> dict[str, str]:
    files = (path for path in place.rglob("*") if path.is_file())
    return {path.relative_to(place).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest() for path in files}


def _run(machine: Any, code: str) -> str:
    environment = {**os.environ, **machine.environment, "DJANGO_SETTINGS_MODULE": "catalogue.config.settings"}
    done = subprocess.run(
        [sys.executable, "-c", f"import django; django.setup()\n{code}"],
        cwd=ROOT, env=environment, capture_output=True, text=True, check=True,
    )  # fmt: skip
    return done.stdout


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


PROOFS: dict[str, Callable[[Any], Figures]] = {
    "dump": dump,
    "memory": memory,
    "dataset": dataset,
    **open_data_fuzz.PROOFS,
}

if __name__ == "__main__":
    sys.exit(run(PROOFS, sys.argv[1:]))
