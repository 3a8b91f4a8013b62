"""The first twenty findings, computed again by the notebook that ships, from the rows of the games.

    python -m tests.proofs.findings [--at ADDRESS]

The edition that ships is loaded into a database of its own and served; --at asks a site that runs instead. The notebook
counts rows that the API sends, plays the cells of studies again by the engine, and has the statistics from SciPy and
its own formulas. Every figure and limit has to be the published one, and every cell of a study has to have its share.
Due when the edition, the players or the statistics of findings change. Some minutes.
"""

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

import nbformat

from simulator.servers import Server, free_port
from tests.proofs.running import Figures, Proofs, demand, outcome, prove
from tests.services.machine import ROOT, wait_for

NOTEBOOK = ROOT / "examples" / "the-first-twenty-findings.ipynb"
FINDING = re.compile(r"^ ?\d+ .+\n   published (.+), again (.+): (same|NOT THE SAME); (.+)$", re.MULTILINE)
CELLS = re.compile(r"(\d+) cells, (\d+) with that share, (\d+) with that hash")


def computed_again(address: str) -> str:
    """What the notebook prints of the catalogue at an address."""
    cells = nbformat.read(NOTEBOOK, as_version=4).cells
    code = "\n".join(cell.source for cell in cells if cell.cell_type == "code")
    done = subprocess.run(
        [sys.executable, "-c", f"import sys; sys.path.insert(0, {str(ROOT)!r})\n{code}"],
        env={**os.environ, "CATALOGUE": address}, capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-3000:]
    return done.stdout


def again(address: str, number: int = 20) -> Figures:
    """All of so many findings are computed again and come out the same; raises Unproved."""
    printed = computed_again(address)
    found = FINDING.findall(printed)
    cells = [tuple(map(int, match)) for match in CELLS.findall(printed)]
    figures = {
        "findings": len(found),
        "same": sum(verdict == "same" for *_, verdict, _ in found),
        "studies": len(cells),
        "cells": sum(number for number, *_ in cells),
        "cells with their share": sum(shares for _, shares, _ in cells),
        "cells with their hash": sum(hashes for *_, hashes in cells),
        "table": printed.splitlines(),
    }
    demand(figures["findings"] == number, f"{figures['findings']} findings", figures)
    demand(figures["same"] == number, "a finding comes out otherwise", figures)
    demand(figures["cells with their share"] == figures["cells"], "a cell comes out otherwise", figures)
    return figures


def served(machine: Any) -> Figures:
    """The same, of the machine's catalogue."""
    port = free_port()
    address = f"http://127.0.0.1:{port}"
    command = [sys.executable, str(ROOT / "manage.py"), "runserver", "--noreload", f"127.0.0.1:{port}"]
    server = Server.start("site", command, machine.folder / "site.log", machine.environment)
    try:
        wait_for(lambda: _answers(address) or not server.is_running, "the site answers")
        return again(address)
    finally:
        server.stop(patience=0)


def _answers(address: str) -> bool:
    try:
        with urllib.request.urlopen(f"{address}/api/v1/games/?page_size=1") as answer:
            return bool(answer.status)
    except urllib.error.URLError:
        return False


def main(words: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.proofs.findings", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--at", default="", help="a site that runs")
    address = parser.parse_args(words).at
    if address:
        answer = outcome(again, address)
    else:
        proofs: Proofs = {"findings": served}
        with tempfile.TemporaryDirectory(prefix="proof-") as folder:
            answer = prove(proofs, ["findings"], Path(folder))["findings"]
    print(json.dumps(answer, indent=1, ensure_ascii=False))  # noqa: T201
    return 0 if answer["holds"] else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
