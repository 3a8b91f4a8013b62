"""The proof that the site answers as its OpenAPI document says: schemathesis asks it, with every check on.

    python -m tests.proofs.schema

What it leaves out stands in `schemathesis.toml`. The seed is printed, so that every case can be asked again.
"""

import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from tests.proofs.operation_servers import Installation
from tests.proofs.running import Figures, demand, run

FEWEST_CASES, CASES_OF_AN_OPERATION, SEED = 5_000, 60, 7
LONGEST = 3_600  # seconds
PLAYED = ("daramuti-parker", "--games", "20000", "--seed", "1", "--cap", "2000", "--inline")


def schema(machine: Any) -> Figures:
    """How many cases were asked; raises Unproved if one was answered otherwise than is described."""
    machine.simulate(*PLAYED)
    environment = machine.environment
    one = Installation(machine.folder, environment["DATABASE_URL"], REDIS_URL=environment["REDIS_URL"])
    try:
        status, report, said = _asked(f"http://127.0.0.1:{one.start_site()}")
    finally:
        one.stop()
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


def _asked(address: str) -> tuple[int, dict[str, Any], str]:
    """The exit status, the report and what was said."""
    program = Path(sys.executable).with_name("schemathesis")
    options = ["--checks", "all", "--seed", str(SEED), "--max-examples", str(CASES_OF_AN_OPERATION)]
    config = ["--config-file", str(Path(__file__).with_name("schemathesis.toml"))]
    with tempfile.TemporaryDirectory() as folder:
        kept = Path(folder) / "report.json"
        report = ["--continue-on-failure", "--report", "json", "--report-json-path", str(kept)]
        words = [str(program), *config, "run", f"{address}/api/schema/", *options, *report]
        done = subprocess.run(words, cwd=folder, capture_output=True, text=True, timeout=LONGEST)
        return done.returncode, json.loads(kept.read_text()) if kept.exists() else {}, done.stdout + done.stderr


if __name__ == "__main__":
    sys.exit(run({"schema": schema}, sys.argv[1:]))
