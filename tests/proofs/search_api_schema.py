"""The proof that the API does what its OpenAPI document says: schemathesis asks a running server, every check on.

The site runs by gunicorn as in production, with the shipped catalogue and a batch that was played. What the checks may
take for an answer is written in `schemathesis.toml`. The seed is told, so that every case can be had again.
"""

import json
import subprocess
import sys
import tempfile
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests.proofs.running import Figures, demand
from tests.services.machine import ROOT, wait_for

FEWEST_CASES, CASES_OF_AN_OPERATION, SEED = 5_000, 60, 7
LONGEST = 3_600  # seconds
UNLIMITED = {"API_REQUESTS_PER_MINUTE": "0", "API_REQUESTS_PER_HOUR": "0"}
PLAYED = ("daramuti-parker", "--games", "20000", "--seed", "1", "--cap", "2000", "--inline")


def schema(machine: Any) -> Figures:
    """How many cases were asked; raises Unproved if one was answered otherwise than is described."""
    machine.simulate(*PLAYED)
    with site(machine, UNLIMITED) as address, tempfile.TemporaryDirectory() as folder:
        status, report, said = _asked(address, Path(folder))
    cases = report.get("test_cases", {})
    figures: Figures = {
        "schemathesis": report.get("schemathesis_version"),
        "seed": SEED,
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
    options = ["--checks", "all", "--seed", str(SEED), "--max-examples", str(CASES_OF_AN_OPERATION)]
    kept = folder / "report.json"
    report = ["--continue-on-failure", "--report", "json", "--report-json-path", str(kept)]
    config = ["--config-file", str(ROOT / "tests" / "proofs" / "schemathesis.toml")]
    words = [str(program), *config, "run", f"{address}/api/schema/", *options, *report]
    done = subprocess.run(words, cwd=folder, capture_output=True, text=True, timeout=LONGEST)
    return done.returncode, json.loads(kept.read_text()) if kept.exists() else {}, done.stdout + done.stderr


@contextmanager
def site(machine: Any, more: dict[str, str]) -> Iterator[str]:
    """The address of the site, served by gunicorn."""
    from simulator.workers.servers import Server, free_port

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
