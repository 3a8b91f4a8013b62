"""The proof of rights: everybody against every view, endpoint and action of the editors, address by address."""

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

from tests.proofs.running import Figures, demand
from tests.services.machine import ROOT

TESTS = ("tests/catalogue/test_rights.py",)


def matrix(folder: Path, scale: Any) -> Figures:
    """The tests of the matrix, thorough ones too."""
    words = ("-m", "pytest", "-q", "-p", "no:cacheprovider", "-o", "addopts=", *TESTS)
    environment = {**os.environ, "VAR_DIR": str(folder)}
    environment.pop("DATABASE_URL", None)
    done = subprocess.run(
        [sys.executable, *words], cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )
    passed = re.search(r"(\d+) passed", done.stdout)
    figures: Figures = {"passed": int(passed[1]) if passed else 0, "told": done.stdout[-2_000:]}
    demand(done.returncode == 0 and figures["passed"] > 0, "the matrix of rights does not hold", figures)
    return figures
