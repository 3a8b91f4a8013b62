"""Proofs take too long for every day; that each of them can begin is seen every day."""

import importlib
import pkgutil
import re
from pathlib import Path

from tests import proofs

NAMES = sorted(module.name for module in pkgutil.iter_modules(proofs.__path__))
OF_THE_PROJECT = re.compile(r"^from ((?:catalogue|simulator|tools|tests)[\w.]*) import ([\w, ]+)$", re.MULTILINE)
ALSO_OF_EARLIER_TREES = "speed_measured"


def test_all_that_a_proof_imports_is_there() -> None:
    for name in NAMES:
        importlib.import_module(f"tests.proofs.{name}")


def test_all_that_its_scripts_import_is_there() -> None:
    """Scripts for other processes are texts, which neither linter nor type checker reads."""
    for name in [name for name in NAMES if name != ALSO_OF_EARLIER_TREES]:
        text = (Path(__file__).parent / f"{name}.py").read_text(encoding="utf-8")
        for module, names in OF_THE_PROJECT.findall(text):
            found = importlib.import_module(module)
            for imported in names.split(", "):
                if not hasattr(found, imported):
                    importlib.import_module(f"{module}.{imported}")
