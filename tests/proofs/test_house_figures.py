"""The counters of the proof of the house, on modules small enough to count by hand."""

import ast
from pathlib import Path

import pytest

from tests.proofs.house_figures import (
    Module,
    code_lines,
    is_fully_typed,
    kernels_of,
    lines,
    measured,
    methods_of,
    shortfalls,
)
from tests.proofs.house_trees import Trees

# Code stands in 11 lines: import, class, x, def, return, text =, its three lines of text, its end, call.
COUNTED = '''"""A docstring
over two lines."""

import os  # a comment beside code

# a comment alone


class One:
    """Another."""

    x = 1

    def two(self):
        """A third,

        with a blank line."""
        return self.x


text = (
    """no docstring

but text"""
)
"neither is this, which comes after a statement"
'''

FUNCTIONS = """
class One:
    def method(self, a: int) -> int: ...
    @classmethod
    def of_class(cls, *rest: int, **more: int) -> int: ...
    @staticmethod
    def static(a) -> int: ...
    def untyped_return(self): ...
    if True:
        def under_condition(self) -> None: ...

def alone(self) -> int: ...
def keyword(*, a) -> int: ...
def starred(*a) -> int: ...
async def whole(a: int, /, b: int = 1, *, c: int) -> int:
    def within(): ...
"""

SETTINGS = """
[tool.ruff.lint.per-file-ignores]
"tests/**" = ["ANN"]
"simulator/engine/kernel/*" = ["ANN", "SIM"]
"simulator/{bits,loops}.py" = ["ANN"]
"simulator/engine/drawing.py" = ["N"]

[[tool.importlinter.contracts]]
type = "layers"
layers = ["catalogue.pages", "catalogue.models", "simulator.engine"]
"""

TREE = {
    "pyproject.toml": SETTINGS,
    "catalogue/__init__.py": "",
    "catalogue/pages.py": "from catalogue import models\n\n\ndef page(a: int) -> int:\n    return a\n",
    "catalogue/models.py": "import simulator.engine.kernel.moves\n",
    "catalogue/migrations/0001_initial.py": "import catalogue.pages\nx = 1\n",
    "simulator/__init__.py": "",
    "simulator/engine/__init__.py": "FRONT = 1\nDOOR = 2\n",
    "simulator/engine/kernel/__init__.py": "",
    "simulator/engine/kernel/moves.py": "def move(a):\n    return a\n",
}

CIRCLES = ("modules in circles: 2, not 0", "packages in circles: 2, not 0")
BACKWARD = "backward imports: 1, not 0"


def written(folder: Path, files: dict[str, str]) -> Path:
    for path, source in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(source)
    return folder


def typed(source: str) -> dict[str, bool]:
    syntax = ast.parse(source)
    methods = methods_of(syntax)
    functions = (node for node in ast.walk(syntax) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef))
    return {function.name: is_fully_typed(function, function in methods) for function in functions}


def test_lines_of_code_are_those_with_neither_blanks_nor_comments_nor_docstrings():
    assert code_lines(Module("one.py", COUNTED)) == 11


def test_a_line_of_code_more_is_one_more_and_a_comment_is_none():
    assert code_lines(Module("one.py", COUNTED + "x = 1\n")) == 12
    assert code_lines(Module("one.py", COUNTED + "# x = 1\n\n")) == 11


def test_all_parameters_but_the_first_of_a_method_and_the_return_are_annotated():
    assert typed(FUNCTIONS) == {
        "method": True, "of_class": True, "static": False, "untyped_return": False, "under_condition": True,
        "alone": False, "keyword": False, "starred": False, "whole": True, "within": False,
    }  # fmt: skip


def test_kernels_are_where_the_linter_asks_for_no_annotations():
    ignored = {"tests/**": ["ANN"], "simulator/k/*": ["ANN"], "simulator/{a,b}.py": ["ANN"], "catalogue/c.py": ["N"]}
    settings = {"tool": {"ruff": {"lint": {"per-file-ignores": ignored}}}}
    assert kernels_of(settings) == ["simulator/k/*", "simulator/a.py", "simulator/b.py"]


def test_figures_of_a_small_tree(tmp_path):
    assert measured(written(tmp_path, TREE)) == {
        "modules": 7,
        "lines_of_code": 8,
        "lines_of_code_without_front_door": 6,
        "median_module": 2,  # of 5, 1, 2 and 2 lines: those with nothing in them are no measure of size
        "largest_module": {"path": "catalogue/pages.py", "lines": 5},
        "functions": 2,
        "ninety_fifth_percentile_of_functions": 2,
        "typed_share": 1.0,
        "functions_not_typed": [],
        "functions_of_kernels": 1,
        "modules_in_circles": 0,
        "circles_of_modules": [],
        "packages": 6,
        "packages_in_circles": 0,
        "circles_of_packages": [],
        "backward_imports": [],
        "outside_layers": [],
    }


def test_a_small_tree_falls_short_of_nothing(tmp_path):
    assert shortfalls(measured(written(tmp_path, TREE))) == []


@pytest.mark.parametrize(
    ("path", "source", "missed"),
    [
        ("catalogue/models.py", "def late():\n    from catalogue import pages\n", [*CIRCLES, BACKWARD]),
        ("simulator/engine/kernel/moves.py", "import catalogue.models\n", [*CIRCLES, BACKWARD]),
        ("simulator/engine/__init__.py", "from catalogue import pages\n", [BACKWARD]),
        ("catalogue/forms.py", "", ["packages outside all layers: 1, not 0"]),
        ("catalogue/pages.py", "\n" * 401, ["catalogue/pages.py has 401 lines, more than 400"]),
    ],
)
def test_what_a_tree_falls_short_of_is_named(tmp_path, path, source, missed):
    assert shortfalls(measured(written(tmp_path, {**TREE, path: source}))) == missed


@pytest.mark.slow
def test_lines_are_printed_beside_what_was_aimed_at(tmp_path):
    written(tmp_path / "before", {**TREE, "catalogue/pages.py": "x = 1\n" * 32_497})
    written(tmp_path / "now", TREE)
    trees = Trees(tmp_path, "none")
    assert lines(trees) == {"before": 32_500, "now": 6, "aimed_at": 32_500, "reached": True}
    written(tmp_path / "now", {**TREE, "catalogue/pages.py": "x = 1\n" * 32_497})
    assert lines(trees)["reached"] is False


def test_what_is_not_typed_is_named(tmp_path):
    changed = {**TREE, "catalogue/pages.py": "def page(a):\n    return a\n\n\ndef b() -> None: ...\n"}
    figures = measured(written(tmp_path, changed))
    assert figures["typed_share"] == 0.5
    assert figures["functions_not_typed"] == ["catalogue/pages.py:1 page"]
