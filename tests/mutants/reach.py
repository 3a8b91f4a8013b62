"""Which tests come by a fault: the statements that are to have one say which test executes them.

A test that does not execute a statement cannot notice that it is faulty, unless what the statement came to is kept for
later tests. So those that do are tried first; then those that share a class or a module with them; what is left is put
before all tests at once (`trials`), so that the answer is the one that running everything for every fault would give.
A fault in a statement that nothing ever executed needs no run.

`coverage` with a context for each test says the same, but it traces every line of everything, numba imports it into
every process where it is installed, and processes that tests start would each have to be told of it. What is executed
while modules are imported has the tests that come by any function of its file. Compiled functions can say nothing, and
what reaches machine code must stay as it is, or all of it would be compiled again: the tests of the family are taken
for theirs. Templates and JSON files have no faults.
"""

import ast
import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from simulator.engine.kernel_cache import ENGINE, compiled_files
from tests.databases import FILLING
from tests.mutants.faults import Fault, name_within
from tests.mutants.probe import COLLECTING
from tests.mutants.tree import Tree

PATIENCE = 7200  # seconds of processor time
MET = Path("var") / "met.txt"
COMPILED = {path.relative_to(ENGINE.parents[1]).as_posix() for path in compiled_files()}
# Beginnings of the paths of compiled files -> the tests of them, before those of every family: where these notice, less
# has to be compiled again.
TESTS_OF_COMPILED = {
    "simulator/engine/bits.py": ("tests/engine/test_bits.py",),
    "simulator/engine/kernel_cache.py": ("tests/engine/test_kernel_cache.py",),
    "simulator/engine/randomness": ("tests/engine/test_randomness.py", "tests/engine/race/test_throws.py"),
    "simulator/engine/families/points/": ("tests/engine/points/",),
    "simulator/engine/families/race/": ("tests/engine/race/",),
    "simulator/engine/families/sowing/": ("tests/engine/test_hand_worked", "tests/engine/test_rounds_by_hand.py"),
    "simulator/engine/players/": ("tests/engine/players/",),
    "simulator/engine/solving/": ("tests/engine/test_solving.py", "tests/engine/test_advancing.py"),
}
TESTS_OF_EVERY_FAMILY = ("tests/engine/test_conformance.py", "tests/engine/test_golden.py", "tests/engine/test_bits.py")


@dataclass(frozen=True)
class Reach:
    """asked: what pytest was asked to run; tests: seconds of processor time of each that passes without a fault;
    failed: those that do not pass in the copy at all; met: file:function, and file:line of the statement of each fault
    that could be probed -> tests that execute it, FILLING and COLLECTING, if it is executed then
    """

    asked: list[str]
    tests: dict[str, float]
    failed: list[str]
    met: dict[str, list[str]]

    def near(self, fault: Fault) -> list[str]:
        """The tests that come by a fault, the nearest first: by its statement, else by its function, else by any
        function of its file.

        Tests of a class or module share what the first of them brought about, a page or a world; so all tests beside
        one that comes by may notice too, and follow after those that do. Of equals the quickest is first.
        """
        named: tuple[str, ...] = ()
        if fault.path in COMPILED:
            named = next((some for start, some in TESTS_OF_COMPILED.items() if fault.path.startswith(start)), ())
            found = {test for test in self.tests if test.startswith((*named, *TESTS_OF_EVERY_FAMILY))}
        elif self._executing(fault) and COLLECTING not in self._executing(fault):
            found = self._executing(fault)
        else:
            whole = (some for name, some in self.met.items() if name.startswith(f"{fault.path}:"))
            found = set(self.met.get(f"{fault.path}:{fault.function}") or (test for some in whole for test in some))
        found &= self.tests.keys()
        rooms = [{test.rpartition("::")[0] for test in found}, {test.partition("::")[0] for test in found}]

        def distance(test: str) -> int:
            nearer = (test in found, test.rpartition("::")[0] in rooms[0], test.partition("::")[0] in rooms[1])
            return nearer.index(True) if any(nearer) else len(nearer)

        near = {test: distance(test) for test in self.tests if distance(test) < 3}
        return sorted(near, key=lambda test: (near[test], not test.startswith(named), self.tests[test], test))

    def _executing(self, fault: Fault) -> set[str]:
        return set(self.met.get(statement_of(fault), ()))

    def is_executed(self, fault: Fault) -> bool:
        """Whether any test can come by it, as far as is known."""
        return self.met.get(statement_of(fault)) != []

    def fills_databases(self, fault: Fault) -> bool:
        """Whether the databases that tests begin with may be others with the fault."""
        if statement_of(fault) in self.met:
            return FILLING in self._executing(fault)
        return fault.path in COMPILED or any(
            FILLING in tests
            for name, tests in self.met.items()
            if name.startswith(f"{fault.path}:{fault.function}" if fault.function else f"{fault.path}:")
        )

    def save(self, file: Path) -> None:
        file.write_text(json.dumps(vars(self)), encoding="utf-8")

    @classmethod
    def load(cls, file: Path) -> "Reach":
        return cls(**json.loads(file.read_text(encoding="utf-8")))


def statement_of(fault: Fault) -> str:
    return f"{fault.path}:{fault.lines[0]}"


def reached(tree: Tree, faults: Sequence[Fault], asked: list[str]) -> Reach:
    """One run of these tests in the copy, statements and functions probed where there are faults to come."""
    paths = {fault.path for fault in faults} - COMPILED
    plain = {path: (tree.root / path).read_bytes() for path in paths}
    met: dict[str, set[str]] = defaultdict(set)
    (tree.root / MET).unlink(missing_ok=True)
    try:
        for path, source in plain.items():
            lines = {fault.lines[0] for fault in faults if fault.path == path}
            written, probed_lines = probed(path, source.decode(), lines)
            (tree.root / path).write_text(written, encoding="utf-8")
            met |= {f"{path}:{line}": set() for line in probed_lines}
        run = tree.pytest(*tree.together, tests=asked, patience=PATIENCE, keeps_bytecode=True, fills_databases=False)
    finally:
        for path, source in plain.items():
            (tree.root / path).write_bytes(source)
    if not run.seconds:
        raise RuntimeError(f"no test was run: see {tree.root / 'var' / 'last_run.txt'}")
    file = tree.root / MET
    for line in file.read_text(encoding="utf-8").splitlines() if file.exists() else ():
        name, _, test = line.partition("\t")
        met[name].add(test)
    passed = {test: seconds for test, seconds in run.seconds.items() if test not in run.failed}
    return Reach(asked, passed, run.failed, {name: sorted(tests) for name, tests in met.items()})


def probed(path: str, source: str, faulty: Iterable[int] = ()) -> tuple[str, list[int]]:
    """The file with a line at the beginning of each function, behind its docstring, and before each statement that
    begins on a faulty line, and which of these could have one: none could that are executed on import.
    """
    lines, tree = source.split("\n"), ast.parse(source)
    starts = {line: _start(tree, line, lines) for line in faulty}
    before = [(start, str(line)) for line, start in starts.items() if start]
    for number, name in sorted([*_beginnings(tree, "", lines), *before], reverse=True):
        line = lines[number - 1]
        call = f'__import__("tests.mutants.probe", fromlist=["met"]).met("{path}:{name}")'
        lines.insert(number - 1, line[: len(line) - len(line.lstrip())] + call)
    return "\n".join(lines), [line for line, start in starts.items() if start]


def _start(node: ast.AST, line: int, lines: list[str], within: bool = False, found: int = 0) -> int:
    """The line before which another statement is executed whenever one on `line` is; 0 if there is none.

    That of the innermost statement around it that has a line of its own, in a function: an `elif` has none.
    """
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.stmt):
            first = min(one.lineno for one in (child, *getattr(child, "decorator_list", ())))
            if first <= line <= (child.end_lineno or first):
                before, text = lines[first - 1][: child.col_offset], lines[first - 1].lstrip()
                if within and not before.strip() and not text.startswith("elif"):
                    found = first
                is_function = isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef)
                return _start(child, line, lines, within or is_function, found)
        elif isinstance(child, ast.ExceptHandler | ast.match_case):
            found = _start(child, line, lines, within, found)
    return found


def _beginnings(node: ast.AST, within: str, lines: list[str]) -> Iterator[tuple[int, str]]:
    """(line of the first statement, name) of every function below a node, but those written in one line."""
    for child in ast.iter_child_nodes(node):
        name = name_within(within, child)
        if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef):
            has_docstring = ast.get_docstring(child, clean=False) is not None
            for first in child.body[has_docstring:][:1]:
                number = min(one.lineno for one in (first, *getattr(first, "decorator_list", ())))
                if not lines[number - 1][: first.col_offset].strip():
                    yield number, name
        yield from _beginnings(child, name, lines)
