"""The proofs of operation: nothing that a stranger sends and no death of a server costs a game, a page or a digest.

    python -m tests.proofs.operation [PART…] [--seconds N] [--inputs N] [--seed N] [--block N]

Without parts all of them, one after another. Seconds and inputs shorten a part so that it can be tried quickly. Exit
status 1 if a part did not hold. The machine should have nothing else to do.
"""

import argparse
import os
import signal
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from pathlib import Path

from tests.proofs.operation_servers import UNBOUNDED
from tests.proofs.running import Figures, outcome, report
from tests.services.machine import ROOT

# Part → module with a function of that name.
PARTS = {
    "readers": "operation_readers",
    "versions": "operation_versions",
    "soak": "operation_soak",
    "hostile_api": "operation_hostile",
    "hostile_addresses": "operation_hostile",
    "hostile_forms": "operation_hostile",
    "hostile_editing": "operation_hostile",
    "hostile_rules": "operation_inputs",
    "hostile_files": "operation_inputs",
    "hostile_sent": "operation_inputs",
}


@dataclass(frozen=True, slots=True)
class Scale:
    """How long a part goes on, where that can be chosen; None for as long as the proof demands.

    block: the only quarter of hostile inputs that is tried, from 1, so that a part can be had in pieces
    """

    seconds: float | None
    inputs: int | None
    seed: int
    block: int | None = None


Part = Callable[[Path, Scale], Figures]


def main(words: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.proofs.operation")
    parser.add_argument("parts", nargs="*", metavar="PART", help=", ".join(PARTS))
    parser.add_argument("--seconds", type=float)
    parser.add_argument("--inputs", type=int)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--block", type=int, choices=(1, 2, 3, 4), help="a quarter of each kind of hostile input")
    asked = parser.parse_args(words)
    if unknown := set(asked.parts) - set(PARTS):
        parser.error(f"no part is called {unknown.pop()!r}; there are {', '.join(PARTS)}")
    scale = Scale(asked.seconds, asked.inputs, asked.seed, asked.block)
    answers = {}
    for name in asked.parts or PARTS:
        print(f"{name} …", file=sys.stderr, flush=True)  # noqa: T201
        with tempfile.TemporaryDirectory(prefix="operation-", ignore_cleanup_errors=True) as folder:
            answers[name] = outcome(partial(_run, name, Path(folder)), scale)
    return report(answers)


def _run(name: str, folder: Path, scale: Scale) -> Figures:
    part: Part = getattr(import_module(f"tests.proofs.{PARTS[name]}"), name)
    return part(folder, scale)


def prepare() -> None:
    """This process asks the engine and the settings, and no database."""
    os.environ.setdefault("KERNEL_CACHE_DIR", str(ROOT / "var" / "kernels"))
    os.environ |= {"DJANGO_SETTINGS_MODULE": "catalogue.config.settings", "DATABASE_URL": "sqlite://:memory:"}
    os.environ |= UNBOUNDED
    import django

    django.setup()


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(1))  # its servers end with it
    prepare()
    sys.exit(main(sys.argv[1:]))
