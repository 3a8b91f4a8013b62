"""Running proofs one after another on a machine of their own, and printing their figures as one JSON document."""

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import ProcessPoolExecutor, as_completed
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from tests.services.machine import ROOT, Machine

PROCESSES = 2
Figures = dict[str, Any]
Proofs = Mapping[str, Callable[[Any], Figures]]


class Unproved(AssertionError):
    """A figure is not what it has to be. figures: all of the proof's figures."""

    def __init__(self, message: str, figures: Figures) -> None:
        self.figures = figures
        super().__init__(message)


def demand(condition: bool, message: str, figures: Figures) -> None:
    if not condition:
        raise Unproved(message, figures)


def side_by_side(work: Callable[[Any], Any], items: Iterable[Any]) -> dict[Any, Any]:
    """What comes of each item, worked out in two processes of their own; each is told as it is done."""
    items = list(items)
    with ProcessPoolExecutor(PROCESSES, mp_context=get_context("spawn")) as pool:
        running = {pool.submit(work, item): item for item in items}
        found = {}
        for done in as_completed(running):
            found[running[done]] = done.result()
            print(f"  {running[done]}: {done.result()}", file=sys.stderr, flush=True)  # noqa: T201
    return {item: found[item] for item in items}


def prove(proofs: Proofs, names: list[str], folder: Path) -> dict[str, Figures]:
    """Each proof's figures and whether it holds, on a machine of its own in that folder."""
    os.environ.setdefault("KERNEL_CACHE_DIR", str(ROOT / "var" / "kernels"))  # compiled once, for all proofs
    os.environ |= {
        "VAR_DIR": str(folder),
        "DATABASE_URL": f"sqlite:///{folder / 'db.sqlite3'}",
        "DJANGO_SETTINGS_MODULE": "catalogue.config.settings",
    }
    import django

    django.setup()
    from simulator import servers

    answers: dict[str, Figures] = {}
    with servers.running_broker(folder / "broker.log") as broker:
        machine = Machine(folder, broker.url, lease=30, recovery=5)
        machine.manage("migrate", "--verbosity", "0")
        machine.manage("load_fixtures")
        for name in names:
            print(f"{name} …", file=sys.stderr, flush=True)  # noqa: T201
            answers[name] = outcome(proofs[name], machine)
    return answers


def outcome(proof: Callable[[Any], Figures], machine: Any) -> Figures:
    """A proof's figures, whether it holds, if not why, and how many seconds it took."""
    begun = time.perf_counter()
    try:
        answer: Figures = {"holds": True, "figures": proof(machine)}
    except Unproved as error:
        answer = {"holds": False, "why": str(error), "figures": error.figures}
    except (AssertionError, subprocess.SubprocessError) as error:
        answer = {"holds": False, "why": str(error)}
    return {**answer, "seconds": round(time.perf_counter() - begun, 1)}


def run(proofs: Proofs, names: list[str]) -> int:
    """Run the proofs of those names, or all; the exit status."""
    unknown = [name for name in names if name not in proofs]
    if unknown:
        print(f"no proof is called {unknown[0]!r}; there are {', '.join(proofs)}", file=sys.stderr)  # noqa: T201
        return 2
    with tempfile.TemporaryDirectory(prefix="proof-") as folder:
        return report(prove(proofs, names or list(proofs), Path(folder)))


def report(answers: Mapping[str, Figures]) -> int:
    """Print what the proofs came to; the exit status."""
    print(json.dumps(answers, indent=2, ensure_ascii=False))  # noqa: T201
    return 0 if all(answer["holds"] for answer in answers.values()) else 1
