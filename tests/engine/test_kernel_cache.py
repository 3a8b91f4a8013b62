"""The digests that name the folders of compiled kernels rest on all that reaches machine code, and on nothing else."""

import ast
import json
import shutil
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any

import pytest
from numba.core.dispatcher import Dispatcher
from numba.core.extending import _Intrinsic

from simulator.engine import kernel_cache, kernels, schemas
from simulator.engine.family import FAMILY_NAMES

ENGINE = kernel_cache.ENGINE
FILES = kernel_cache.compiled_files()
LOOPS = [path for path in FILES if path == kernel_cache.LOOPS or path.stem == "dispatch" or "solving" in path.parts]
# What makes machine code, or keeps it, and is in none.
OF_KEEPING = {ENGINE / "kernel_cache.py"}
# (what the listed modules import only for plain Python beside compiled functions, the modules that do)
OF_PYTHON_ONLY = {
    ("__init__", "contract"),  # of weights: the scale stands in the frame of a search
    ("__init__", "kernel_cache"),  # of schemas
    ("__init__", "rules"),  # of schemas: the numbers that follow from one are in the digest themselves
    ("__init__", "measures"),  # of weights
    ("__init__", "names"),
    ("__init__", "position"),  # of boards
    ("board", "position"),  # the board of a sowing game in the referee's position
    ("compiling", "contract"),
    ("family", "measures"),
    ("figures", "traffic"),  # tables of a board are made in Python
    ("family", "names"),
    ("kernels", "memory"),
    ("referee_playout", "position"),
    ("ruleset", "names"),
    ("tables", "position"),
    ("tables", "rules"),  # how many columns a table has follows from the schema, whose numbers are in the digest
    ("tracks", "traffic"),
    ("way", "traffic"),
    ("traffic", "traffic"),
    ("tracks", "measures"),  # of boards: which features mean something on one
}
# In a copy of the engine: the folders of every module's functions, and of the copies of loops for every family.
FOLDERS = """
import json
from simulator.engine import kernel_cache
contracts = sorted(kernel_cache.ENGINE.glob("families/*/kernel/contract.py"))
plain = [kernel_cache.folder_name(file) for file in kernel_cache.compiled_files()]
copies = [kernel_cache.folder_name(kernel_cache.LOOPS, kernel_cache.COMPILED, contract) for contract in contracts]
print(json.dumps([plain, copies]))
"""


def module_of(path: Path) -> str:
    return ".".join(path.relative_to(ENGINE).with_suffix("").parts)


@cache
def imported(path: Path) -> dict[str, Path]:
    """name -> the engine's file in which it is defined, or which it is, of what a module imports."""
    found = {}
    for node in ast.walk(ast.parse(path.read_text())):
        assert not (isinstance(node, ast.Import) and "simulator" in node.names[0].name), path
        if isinstance(node, ast.ImportFrom) and str(node.module).startswith("simulator.engine"):
            for name in node.names:
                spec = find_spec(str(node.module))
                if str(spec.origin).endswith("__init__.py"):
                    spec = find_spec(f"{node.module}.{name.name}") or spec
                found[name.asname or name.name] = Path(str(spec.origin))
    return found


def names_in(code: CodeType) -> Iterator[str]:
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from names_in(constant)


def compiled_functions() -> dict[Path, list[Any]]:
    """file -> the Python of its compiled functions and intrinsics, and of loops that are compiled as copies."""
    for name in FAMILY_NAMES:
        kernels.kernel(name)
    for module in ("players.search", "solving.solved", *map(module_of, FILES)):
        import_module(f"simulator.engine.{module}")
    found: dict[Path, list[Any]] = {}
    for name, module in list(sys.modules.items()):
        if name.startswith("simulator.engine") and (path := Path(str(module.__file__))):
            for value in vars(module).values():
                function = getattr(value, "py_func", None) or getattr(value, "_defn", None)
                if path in LOOPS and isinstance(value, FunctionType):
                    function = value
                elif not isinstance(value, Dispatcher | _Intrinsic):
                    continue
                if function and function.__module__ == name:
                    found.setdefault(path, []).append(function)
    return found


@pytest.fixture(scope="module")
def used() -> dict[Path, set[Path]]:
    """file with compiled functions -> the engine's files whose globals they use, itself among them."""
    return {
        path: {path}.union(
            imported(path)[name]
            for function in functions
            for name in names_in(function.__code__)
            if name in imported(path)
        )
        for path, functions in compiled_functions().items()
    }


def test_a_digest_covers_all_modules_whose_globals_are_used(used: dict[Path, set[Path]]):
    assert len(used) > 30
    for path, files in used.items():
        assert files <= {*kernel_cache.reached(path)}, path


def test_no_module_is_in_a_digest_for_nothing(used: dict[Path, set[Path]]):
    assert {*FILES} - set().union(*used.values()) == OF_KEEPING


def test_what_listed_modules_import_beside_is_for_python_only():
    beside = set()
    for path in FILES:
        found = {*imported(path).values()}
        assert found & {*FILES} <= {*kernel_cache.reached(path)}
        beside |= {(file.stem, path.stem) for file in found - {*FILES}}
    assert beside == OF_PYTHON_ONLY


def test_the_numbers_of_a_schema_are_in_the_digest(monkeypatch: pytest.MonkeyPatch):
    """Another sentence changes no machine code; another parameter or word gives other numbers."""
    path = ENGINE / "schemas" / "race.json"
    contract = kernel_cache.contract_of("race")
    assert {path, ENGINE / "families" / "race" / "measures.py"} <= {*kernel_cache.reached(contract)}
    assert path not in kernel_cache.reached(kernel_cache.contract_of("points"))
    before, published = kernel_cache._content.__wrapped__(path), schemas.schema("race")
    for changed, is_same in (({"x-words": {}}, True), ({"enum": ["off", "landing"]}, False)):
        properties = {**published["properties"], "sends_back": {**published["properties"]["sends_back"], **changed}}
        monkeypatch.setattr(schemas, "schema", lambda name, found=properties: {"properties": found})
        schemas.constants.cache_clear()
        assert (kernel_cache._content.__wrapped__(path) == before) == is_same
    schemas.constants.cache_clear()


def test_copies_of_loops_depend_on_the_rules_of_their_family():
    for name in FAMILY_NAMES:
        contract = kernel_cache.contract_of(name)
        copy = kernels.kernel(name).play_games
        folder = kernel_cache.folder_name(kernel_cache.LOOPS, kernel_cache.COMPILED, contract)
        assert Path(copy._cache.cache_path).name == folder
        assert {*kernel_cache.reached(contract)} >= {*(ENGINE / "families" / name / "kernel").glob("turns.py")}


@pytest.mark.by_turns
@pytest.mark.parametrize(
    ("edited", "families", "others"),
    [
        ("families/race/kernel/throws.py", {"race"}, False),
        ("families/sowing/position.py", {"sowing"}, False),
        ("players/kernel/uct.py", set(), True),
        ("family.py", set(), False),
        ("families/race/kernel/compiling.py", set(), False),
        ("randomness_kernel.py", {*FAMILY_NAMES}, True),
    ],
)
def test_an_edit_renames_only_the_machine_code_it_reaches(
    tmp_path: Path, edited: str, families: set[str], others: bool
):
    copy = tmp_path / "simulator" / "engine"
    shutil.copytree(ENGINE, copy, ignore=shutil.ignore_patterns("__pycache__"))
    before = folders_of(tmp_path)
    with (copy / edited).open("a") as file:
        file.write("# another line\n")
    now = folders_of(tmp_path)
    changed = {path for path, name in before.items() if now[path] != name}
    assert {path.split("/")[1] for path in changed if path.startswith("families/")} == families
    assert any(not path.startswith("families/") for path in changed) == others
    assert (edited in before) == (edited in changed)


def folders_of(root: Path) -> dict[str, str]:
    """file -> its folder, of a copy of the engine; `families/<family>/loops` for the copies of loops."""
    done = subprocess.run([sys.executable, "-c", FOLDERS], cwd=root, capture_output=True, text=True, check=True)
    plain, copies = json.loads(done.stdout)
    found = {module_of(path): path for path in FILES}
    names = {str(found[name.rpartition("-")[0]].relative_to(ENGINE)): name for name in plain}
    return names | {f"families/{name}/loops": one for name, one in zip(sorted(FAMILY_NAMES), copies, strict=True)}


def test_where_kernels_are_kept(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("KERNEL_CACHE_DIR", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert kernel_cache.home() == ENGINE.parents[1] / "var" / "kernels"
    monkeypatch.setattr(kernel_cache, "ENGINE", tmp_path / "site-packages" / "simulator" / "engine")
    assert kernel_cache.home() == tmp_path / "traditional-games" / "kernels"
    monkeypatch.setenv("KERNEL_CACHE_DIR", str(tmp_path / "elsewhere"))
    assert kernel_cache.home() == tmp_path / "elsewhere"
