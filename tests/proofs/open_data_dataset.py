"""The proof of the dataset: the shipped catalogue with batches, written, loaded and written again, to the last byte."""

import hashlib
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from tests.proofs.running import Figures, demand
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


PROOFS = {"dataset": dataset}


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
