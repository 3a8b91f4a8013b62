"""Proofs take too long for every day; that each of them can begin is seen every day."""

import importlib
import pkgutil
import re
from pathlib import Path

import pytest

from tests import proofs

NAMES = sorted(module.name for module in pkgutil.iter_modules(proofs.__path__))
OF_THE_PROJECT = re.compile(r"^from ((?:catalogue|simulator|tools|tests)[\w.]*) import ([\w, ]+)$", re.MULTILINE)
ALSO_OF_EARLIER_TREES = "speed_measured"


@pytest.mark.parametrize("name", NAMES)
def test_all_that_a_proof_imports_is_there(name: str) -> None:
    importlib.import_module(f"tests.proofs.{name}")


@pytest.mark.parametrize("name", [name for name in NAMES if name != ALSO_OF_EARLIER_TREES])
def test_all_that_its_scripts_import_is_there(name: str) -> None:
    """Scripts for other processes are texts, which neither linter nor type checker reads."""
    text = (Path(__file__).parent / f"{name}.py").read_text(encoding="utf-8")
    for module, names in OF_THE_PROJECT.findall(text):
        found = importlib.import_module(module)
        for imported in names.split(", "):
            if not hasattr(found, imported):
                importlib.import_module(f"{module}.{imported}")
