"""The digest that names the folder of compiled kernels rests on everything that reaches machine code."""

import ast
import sys
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import pytest
from numba.core.dispatcher import Dispatcher
from numba.core.extending import _Intrinsic

from simulator.engine import kernel_cache, kernels
from simulator.engine.family import FAMILY_NAMES

ENGINE = kernel_cache.ENGINE
# What kernels import only to lay a ruleset out as an array: nothing of it is in machine code.
OF_PYTHON_ONLY = {"bitboards", "boards", "parameters", "parts", "schemas"}


def files() -> set[Path]:
    return set(kernel_cache.compiled_files())


def test_every_module_with_a_compiled_function_is_in_the_digest():
    for name in FAMILY_NAMES:
        kernels.kernel(name)
    import_module("simulator.engine.players.search")
    import_module("simulator.engine.solving.search")
    for path in (ENGINE / "solving" / "kernel").glob("[a-z]*.py"):
        import_module(f"simulator.engine.solving.kernel.{path.stem}")
    found = set()
    for name, module in list(sys.modules.items()):
        if name.startswith("simulator.engine"):
            own = [value for value in vars(module).values() if getattr(value, "__module__", None) == name]
            if any(isinstance(value, Dispatcher | _Intrinsic) for value in own):
                found.add(Path(str(module.__file__)))
    assert len(found) > 30
    assert found <= files()


@pytest.mark.parametrize("path", [path for path in kernel_cache.compiled_files() if path.parent.name == "kernel"])
def test_what_a_kernel_imports_is_in_the_digest(path):
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom) and str(node.module).startswith("simulator.engine"):
            for module in (str(node.module), *(f"{node.module}.{one.name}" for one in node.names)):
                try:
                    spec = find_spec(module)
                except ModuleNotFoundError:  # a name in a module
                    continue
                if spec is None or str(spec.origin).endswith("__init__.py"):
                    continue
                if not OF_PYTHON_ONLY & set(module.split(".")):
                    assert Path(str(spec.origin)) in files(), module
