"""The house in figures: how much code there is, in pieces of what size, how well typed, and how its imports run."""

import ast
import io
import statistics
import tokenize
import tomllib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fnmatch import fnmatch
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from tests.proofs.house_imports import backward_imports, circles, imports_of, outside_layers, packages
from tests.proofs.house_trees import Trees
from tests.proofs.running import Figures, Unproved

PROGRAMS = ("catalogue", "simulator")
# The engine's front door, a feature of its own, is counted apart: this package and the modules it alone brought.
FRONT_DOOR = ("simulator/engine/__init__.py",)
AIMED_AT = 32_500  # lines of code: what rebuilding was to bring the features of that day down to, and did not quite
LONGEST_MODULE = 400

Function = ast.FunctionDef | ast.AsyncFunctionDef
WITH_DOCSTRING = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
NO_CODE = {
    tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER,
}  # fmt: skip


@dataclass(frozen=True)
class Module:
    """A file of Python. path: from the root of its tree."""

    path: str
    source: str

    @property
    def name(self) -> str:
        return self.path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")

    @property
    def is_package(self) -> bool:
        return self.path.endswith("__init__.py")

    @cached_property
    def syntax(self) -> ast.Module:
        return ast.parse(self.source)

    @property
    def length(self) -> int:
        """Lines of the file, with all that is no code."""
        return len(self.source.splitlines())

    @property
    def functions(self) -> list[Function]:
        """With methods and functions within functions."""
        return [node for node in ast.walk(self.syntax) if isinstance(node, Function)]


def modules_of(root: Path) -> list[Module]:
    """Those of the catalogue and the simulator, without migrations."""
    paths = (path.relative_to(root) for program in PROGRAMS for path in (root / program).rglob("*.py"))
    return [
        Module(path.as_posix(), (root / path).read_text(encoding="utf-8"))
        for path in sorted(paths)
        if "migrations" not in path.parts
    ]


def code_lines(module: Module) -> int:
    """Lines with code: no blank lines, comments and docstrings. A text over several lines is code on each of them."""
    with_code: set[int] = set()
    for token in tokenize.generate_tokens(io.StringIO(module.source).readline):
        if token.type not in NO_CODE:
            with_code.update(range(token.start[0], token.end[0] + 1))
    return len(with_code - set(_docstring_lines(module.syntax)))


def _docstring_lines(syntax: ast.Module) -> Iterator[int]:
    for node in ast.walk(syntax):
        if isinstance(node, WITH_DOCSTRING) and ast.get_docstring(node, clean=False) is not None:
            docstring = node.body[0]
            yield from range(docstring.lineno, (docstring.end_lineno or docstring.lineno) + 1)


def is_fully_typed(function: Function, is_method: bool) -> bool:
    """Whether the return and all parameters are annotated; the first of a method that is not static needs nothing."""
    parameters = function.args
    positional = [*parameters.posonlyargs, *parameters.args]
    is_static = any(isinstance(one, ast.Name) and one.id == "staticmethod" for one in function.decorator_list)
    if is_method and not is_static:
        positional = positional[1:]
    extra = [one for one in (parameters.vararg, parameters.kwarg) if one]
    return all(one.annotation for one in (*positional, *parameters.kwonlyargs, *extra)) and function.returns is not None


def methods_of(syntax: ast.Module) -> set[ast.AST]:
    """The functions that stand in the body of a class."""
    return {
        statement
        for node in ast.walk(syntax)
        if isinstance(node, ast.ClassDef)
        for statement in _statements(node.body)
        if isinstance(statement, Function)
    }


def _statements(body: Iterable[ast.stmt]) -> Iterator[ast.stmt]:
    """Those of a body, and of its branches: a method may be defined under a condition."""
    for statement in body:
        yield statement
        if isinstance(statement, ast.If):
            yield from _statements([*statement.body, *statement.orelse])


def kernels_of(settings: dict[str, Any]) -> list[str]:
    """Patterns of the modules whose types are left to numba: those in which the linter asks for no annotations."""
    ignored = settings["tool"]["ruff"]["lint"]["per-file-ignores"]
    return [
        expanded
        for pattern, rules in ignored.items()
        if "ANN" in rules and pattern.startswith(PROGRAMS)
        for expanded in _expanded(pattern)
    ]


def _expanded(pattern: str) -> list[str]:
    """`{a,b}.py` as `a.py` and `b.py`."""
    before, brace, rest = pattern.partition("{")
    choices, _, after = rest.partition("}")
    return [f"{before}{choice}{after}" for choice in choices.split(",")] if brace else [pattern]


def measured(root: Path) -> Figures:
    """All figures of one tree."""
    settings = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))
    modules = modules_of(root)
    return {
        **_sizes(modules),
        **_typed(modules, kernels_of(settings)),
        **_imports(modules, settings["tool"]["importlinter"]["contracts"]),
    }


def _sizes(modules: list[Module]) -> Figures:
    lines = {module.path: code_lines(module) for module in modules}
    longest = max(modules, key=lambda module: module.length)
    functions = [
        (function.end_lineno or function.lineno) - function.lineno + 1
        for module in modules
        for function in module.functions
    ]
    return {
        "modules": len(modules),
        "lines_of_code": sum(lines.values()),
        "lines_of_code_without_front_door": sum(lines.values()) - sum(lines.get(path, 0) for path in FRONT_DOOR),
        "median_module": statistics.median(module.length for module in modules if module.length),
        "largest_module": {"path": longest.path, "lines": longest.length},
        "functions": len(functions),
        "ninety_fifth_percentile_of_functions": int(np.percentile(functions, 95, method="inverted_cdf")),
    }


def _typed(modules: list[Module], kernels: list[str]) -> Figures:
    untyped: list[str] = []
    counted = compiled = 0
    for module in modules:
        if any(fnmatch(module.path, pattern) for pattern in kernels):
            compiled += len(module.functions)
            continue
        methods = methods_of(module.syntax)
        counted += len(module.functions)
        untyped += [
            f"{module.path}:{function.lineno} {function.name}"
            for function in module.functions
            if not is_fully_typed(function, function in methods)
        ]
    share = round(1 - len(untyped) / counted, 4) if counted else None
    return {"typed_share": share, "functions_not_typed": untyped, "functions_of_kernels": compiled}


def _imports(modules: list[Module], contracts: list[dict[str, Any]]) -> Figures:
    imports = imports_of(modules)
    between_packages = packages(imports)
    of_modules, of_packages = circles(imports), circles(between_packages)
    return {
        "modules_in_circles": sum(map(len, of_modules)),
        "circles_of_modules": of_modules,
        "packages": len(between_packages),
        "packages_in_circles": sum(map(len, of_packages)),
        "circles_of_packages": of_packages,
        "backward_imports": backward_imports(imports, contracts),
        "outside_layers": outside_layers(imports, contracts),
    }


def shortfalls(figures: Figures) -> list[str]:
    """What a tree's figures must be and are not, in words."""
    largest, found = figures["largest_module"], []
    if largest["lines"] > LONGEST_MODULE:
        found.append(f"{largest['path']} has {largest['lines']} lines, more than {LONGEST_MODULE}")
    numbers = {
        "modules in circles": figures["modules_in_circles"],
        "packages in circles": figures["packages_in_circles"],
        "backward imports": len(figures["backward_imports"]),
        "packages outside all layers": len(figures["outside_layers"]),
    }
    return found + [f"{name}: {number}, not 0" for name, number in numbers.items() if number]


def figures(trees: Trees) -> Figures:
    """Both trees measured; raises Unproved with all that falls short in the one there is now."""
    both = {name: measured(trees.root(name)) for name in ("before", "now")}
    if missed := shortfalls(both["now"]):
        raise Unproved("; ".join(missed), both)
    return both


def lines(trees: Trees) -> Figures:
    """Lines of code of the same features before and after rebuilding, and what was aimed at; printed, not demanded.

    What was built since is no part of it: more features are more lines.
    """
    counted = {name: measured(trees.root(name))["lines_of_code_without_front_door"] for name in ("before", "now")}
    return {**counted, "aimed_at": AIMED_AT, "reached": counted["now"] < AIMED_AT}
