"""Proofs take too long for every day; that each of them can begin is seen every day."""

import importlib
import pkgutil

import pytest

from tests import proofs


@pytest.mark.parametrize("name", sorted(one.name for one in pkgutil.iter_modules(proofs.__path__)))
def test_all_that_a_proof_imports_is_there(name: str) -> None:
    importlib.import_module(f"tests.proofs.{name}")
