"""What the pages of a filled catalogue cost: processor time, requests a second, the cold start, and memory.

    make bench-pages                     (python -m tests.proofs.page_costs [--tree FOLDER] [--requests N] [--json])

The site is started as the demo starts it, one process with the demo's threads, on the database that the settings name:
first with pages that are rendered for every visitor (KEEP_PAGES=False), then with pages that are kept. `unchanged` is
what it costs to tell a reader that what he has is still right. FOLDER may hold another revision, to be measured beside
this one in the same hour. Everything depends on the machine, so nothing is demanded.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
PAGES = {
    "home": "/",
    "evidence": "/evidence/DLP.Evidence.784/",
    "game": "/games/puhulmutu/",
    "ruleset": "/rulesets/puhulmutu-parker/",
    "findings": "/findings/",
    "comparison": "",
    "batch": "",
    "search": "/search/?q=seeds",
    "rulesets": "/rulesets/",
    "records": "/evidence/",
    "map": "/map/",
    "API evidence": "/api/v1/evidence/",
}
TICKS = os.sysconf("SC_CLK_TCK")
ROUNDS, READERS, THREADS, SECONDS = 10, 8, 64, 10.0
HEADERS = {"Accept": "text/html,application/json;q=0.9,*/*;q=0.8", "Accept-Encoding": "gzip"}


class Site:
    """gunicorn on a port of its own, which answers from the tree at `root`."""

    def __init__(self, root: Path, port: int, keeps: bool) -> None:
        self.base = f"http://127.0.0.1:{port}"
        options = f"--bind 127.0.0.1:{port} --workers 1 --threads {THREADS} --keep-alive 75 --log-level warning"
        command = [sys.executable, "-m", "gunicorn", "catalogue.config.wsgi:application", *options.split()]
        limits = {"API_REQUESTS_PER_MINUTE": "0", "API_REQUESTS_PER_HOUR": "0", "KEEP_PAGES": str(keeps)}
        self.started = time.monotonic()
        self.process = subprocess.Popen(command, cwd=root, env={**os.environ, **limits, "PYTHONPATH": str(root)})

    def __enter__(self) -> "Site":
        return self

    def __exit__(self, *_: object) -> None:
        self.process.terminate()
        self.process.wait(30)

    def ask(self, address: str, etag: str = "") -> tuple[int, float, dict[str, str], int]:
        """(status, seconds, headers, bytes sent)"""
        headers = HEADERS | ({"If-None-Match": etag} if etag else {})
        request = urllib.request.Request(self.base + address, headers=headers)
        begun = time.perf_counter()
        try:
            with urllib.request.urlopen(request, timeout=120) as answer:
                body, status, sent = answer.read(), answer.status, dict(answer.headers)
        except urllib.error.HTTPError as error:
            body, status, sent = error.read(), error.code, dict(error.headers)
        return status, time.perf_counter() - begun, sent, len(body)

    def processes(self) -> list[int]:
        found = subprocess.run(["pgrep", "-P", str(self.process.pid)], capture_output=True, text=True, check=False)
        return [self.process.pid, *map(int, found.stdout.split())]

    def processor(self) -> float:
        """Seconds of processor time since the start."""
        ticks = 0
        for pid in self.processes():
            fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
            ticks += int(fields[11]) + int(fields[12])
        return ticks / TICKS

    def megabytes(self) -> int:
        """What the process that answers holds now."""
        status = Path(f"/proc/{self.processes()[-1]}/status").read_text()
        lines = dict(line.split(":", 1) for line in status.splitlines() if ":" in line)
        return int(lines["VmRSS"].split()[0]) // 1024


def cold_start(site: Site) -> dict[str, float]:
    """Seconds from the command until /livez and until the first page were answered, and their processor time."""
    while True:
        try:
            site.ask("/livez")
            break
        except OSError:
            time.sleep(0.05)
    lives = time.monotonic() - site.started
    _, first, _, _ = site.ask("/")
    return {
        "livez s": round(lives, 2),
        "home s": round(time.monotonic() - site.started, 2),
        "home request s": round(first, 2),
        "CPU s": round(site.processor(), 2),
        "MB": site.megabytes(),
    }


def costs(site: Site, pages: dict[str, str], prefix: str) -> dict[str, dict[str, float]]:
    """By page: milliseconds of processor of an answer, and of one to a reader who has it."""
    rows = {}
    for name, address in pages.items():
        etag = site.ask(address)[2].get("ETag", "")
        rows[name] = {
            prefix: _milliseconds(site, partial(site.ask, address)),
            f"{prefix} unchanged": _milliseconds(site, partial(site.ask, address, etag)),
            f"{prefix} status": site.ask(address, etag)[0],
        }
    return rows


def _milliseconds(site: Site, ask: Callable[[], Any]) -> float:
    before = site.processor()
    for _ in range(ROUNDS):
        ask()
    return round(1000 * (site.processor() - before) / ROUNDS, 1)


def readers(site: Site, pages: dict[str, str]) -> dict[str, float]:
    """Eight readers at once, each going through the pages in turn."""
    addresses = list(pages.values())
    until = time.monotonic() + SECONDS

    def read(first: int) -> list[float]:
        times, number = [], first
        while time.monotonic() < until:
            times.append(site.ask(addresses[number % len(addresses)])[1])
            number += 1
        return times

    with ThreadPoolExecutor(READERS) as pool:
        times = sorted(seconds for some in pool.map(read, range(READERS)) for seconds in some)
    return {
        "requests/s": round(len(times) / SECONDS, 1),
        "p50 ms": round(1000 * statistics.median(times)),
        "p95 ms": round(1000 * times[int(0.95 * len(times))]),
    }


def measured(root: Path, port: int, requests: int) -> dict[str, Any]:
    figures: dict[str, Any] = {"tree": str(root), "load": round(os.getloadavg()[0], 1)}
    rows: dict[str, dict[str, float]] = {}
    for keeps, prefix in ((False, "rendered"), (True, "kept")):
        with Site(root, port + keeps, keeps) as site:
            figures[f"cold start, {prefix}"] = cold_start(site)
            pages = PAGES | {name: _newest(site, name) for name in ("comparison", "batch")}
            for name, row in costs(site, pages, prefix).items():
                rows.setdefault(name, {}).update(row)
            figures[f"eight readers, {prefix}"] = readers(site, pages)
            for number in range(requests):
                site.ask(list(pages.values())[number % len(pages)])
            figures[f"MB after, {prefix}"] = site.megabytes()
    with Site(root, port + 2, True) as site:
        figures["cold start, kept before"] = cold_start(site)
    return figures | {"pages": rows}


def _newest(site: Site, name: str) -> str:
    folder = {"comparison": "comparisons", "batch": "batches"}[name]
    with urllib.request.urlopen(f"{site.base}/api/v1/{folder}/", timeout=120) as answer:
        return f"/{folder}/{json.load(answer)['results'][0]['id']}/"


def as_text(figures: dict[str, Any]) -> str:
    lines = [f"{name}: {value}" for name, value in figures.items() if name != "pages"]
    columns = list(next(iter(figures["pages"].values())))
    lines += [f"{'processor ms':14}" + "".join(f"{column:>20}" for column in columns)]
    for name, row in figures["pages"].items():
        lines.append(f"{name:14}" + "".join(f"{row[column]:>20}" for column in columns))
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tree", type=Path, action="append", help="folder of a revision; may be given several times")
    parser.add_argument("--port", type=int, default=8765)
    parser.add_argument("--requests", type=int, default=1000, help="before the memory is looked at")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    found = [measured(tree.resolve(), options.port, options.requests) for tree in options.tree or [ROOT]]
    sys.stdout.write((json.dumps(found, indent=1) if options.json else "\n\n".join(map(as_text, found))) + "\n")


if __name__ == "__main__":
    main()
