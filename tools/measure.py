"""The size of the project and the cost of its tests, now and at an earlier commit: `make measure`.

    python -m tools.measure [BASE]              print the table; BASE is the commit before modules were merged
    python -m tools.measure --run NAME COMMAND  run a command, and keep what it cost in var/measured/NAME.json

Lines of code are those that are neither blank, nor comments, nor docstrings. Migrations are left out. An import counts
with all of its lines. A commit that this clone does not have is left out of the table.
"""

import ast
import io
import json
import resource
import subprocess
import sys
import tarfile
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from statistics import median

ROOT = Path(__file__).resolve().parents[1]
MEASURED = ROOT / "var" / "measured"
BASE = "b1d8c23"
SOURCE, TESTS = ("catalogue", "simulator", "tools"), ("tests",)
SMALL = 40  # lines of a module
# What the commands took at BASE, measured once on a busy machine of two cores.
COSTS_OF_BASE = {"test": {"processor": 1323.0, "wall": 1617.0}}
COSTS = (
    ("processor seconds of `make test`", "test", "processor"),
    ("processor seconds of `make test-all`", "test-all", "processor"),
    ("wall seconds of `.ci/run`", "ci", "wall"),
)
NAMED = ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True, slots=True)
class Module:
    """One file, in lines. imports: names of modules and of what may be modules"""

    lines: int
    code: int
    import_lines: int
    comments: int
    imports: frozenset[str]


def read_module(text: str) -> Module:
    tree, lines = ast.parse(text), text.splitlines()
    statements = [node for node in ast.walk(tree) if isinstance(node, ast.Import | ast.ImportFrom)]
    docstrings = {line for node in ast.walk(tree) if isinstance(node, NAMED) for line in _lines(_docstring(node))}
    blank = {number for number, line in enumerate(lines, 1) if not line.strip()}
    comments = {number for number, line in enumerate(lines, 1) if line.strip().startswith("#")} - docstrings
    return Module(
        lines=len(lines),
        code=len(lines) - len(blank | comments | docstrings),
        import_lines=len({line for statement in statements for line in _lines(statement)}),
        comments=len(comments),
        imports=frozenset(name for statement in statements for name in _imported(statement)),
    )


def _docstring(node: NAMED) -> ast.stmt | None:
    match node.body[:1]:
        case [ast.Expr(value=ast.Constant(value=str())) as first]:
            return first
    return None


def _lines(node: ast.stmt | None) -> range:
    return range(node.lineno, (node.end_lineno or node.lineno) + 1) if node else range(0)


def _imported(statement: ast.Import | ast.ImportFrom) -> Iterator[str]:
    for alias in statement.names:
        if isinstance(statement, ast.Import):
            yield alias.name
        elif statement.module:
            yield from (statement.module, f"{statement.module}.{alias.name}")


def table(files: Mapping[str, str]) -> dict[str, str]:
    """Return what is counted → the figure. files: path below the root → text, of all Python files"""
    source, tests = ({path: read_module(files[path]) for path in _paths(files, rooms)} for rooms in (SOURCE, TESTS))
    sizes = [module.lines for module in source.values() if module.lines]
    code = sum(module.code for module in source.values())
    return {
        "source, lines of code": f"{code:,}",
        "source, modules": f"{len(sizes):,}",
        "median module, lines": f"{median(sizes):.0f}",
        "largest module, lines": f"{max(sizes)}",
        f"modules under {SMALL} lines": f"{sum(size < SMALL for size in sizes)}",
        "modules with exactly one importer": f"{_imported_once(source)}",
        "imports, share of code": f"{100 * sum(module.import_lines for module in source.values()) / code:.1f} %",
        "comment lines, per line of code": f"{100 * sum(module.comments for module in source.values()) / code:.1f} %",
        "tests, lines of code": f"{sum(module.code for module in tests.values()):,}",
    }


def _paths(files: Iterable[str], rooms: tuple[str, ...]) -> list[str]:
    return sorted(path for path in files if path.split("/")[0] in rooms and "/migrations/" not in path)


def _imported_once(source: Mapping[str, Module]) -> int:
    importers = Counter(name for module in source.values() for name in module.imports)
    names = (path.removesuffix(".py").replace("/", ".") for path in source if not path.endswith("__init__.py"))
    return sum(importers[name] == 1 for name in names)


def files_here(root: Path = ROOT) -> dict[str, str]:
    rooms = (root / room for room in (*SOURCE, *TESTS))
    return {path.relative_to(root).as_posix(): path.read_text("utf-8") for room in rooms for path in room.rglob("*.py")}


def files_at(commit: str, root: Path = ROOT) -> dict[str, str] | None:
    """Return the Python files of a commit; None if the clone does not have it."""
    archive = subprocess.run(["git", "archive", commit], cwd=root, capture_output=True)
    if archive.returncode:
        return None
    with tarfile.open(fileobj=io.BytesIO(archive.stdout)) as tar:
        members = [member for member in tar if member.isfile() and member.name.endswith(".py")]
        return {member.name: content.read().decode() for member in members if (content := tar.extractfile(member))}


def run(name: str, command: list[str], folder: Path = MEASURED) -> int:
    """Run a command, and keep its seconds and those of all processes that it waited for; its exit status."""
    begun = time.monotonic()
    status = subprocess.call(command)
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    keep(name, folder, processor=used.ru_utime + used.ru_stime, wall=time.monotonic() - begun, status=status)
    return status


def keep(name: str, folder: Path = MEASURED, **figures: float) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    document = {"at": time.strftime("%Y-%m-%d %H:%M"), **{key: round(value, 1) for key, value in figures.items()}}
    (folder / f"{name}.json").write_text(json.dumps(document) + "\n", encoding="utf-8")


def costs(folder: Path = MEASURED) -> dict[str, str]:
    """Return what the commands cost when they last ran here."""
    kept = {name: folder / f"{name}.json" for _, name, _ in COSTS}
    found = {name: json.loads(path.read_text(encoding="utf-8")) for name, path in kept.items() if path.exists()}
    return {title: _seconds(found.get(name, {}), unit) for title, name, unit in COSTS}


def _seconds(figures: Mapping[str, float], unit: str) -> str:
    if unit not in figures:
        return "not measured"
    return f"{figures[unit]:,.0f}{' (failed)' if figures.get('status') else ''}"


def main(words: list[str]) -> int:
    if words[:1] == ["--run"]:
        return run(words[1], words[2:])
    if words[:1] == ["--wall"]:  # NAME SECONDS, of a command that has measured itself
        keep(words[1], wall=float(words[2]))
        return 0
    base = words[0] if words else BASE
    now, before = table(files_here()) | costs(), files_at(base)
    columns = {"now": now}
    if before:
        earlier = {title: _seconds(COSTS_OF_BASE.get(name, {}), unit) for title, name, unit in COSTS if base == BASE}
        columns = {base: table(before) | earlier, **columns}
    width = max(map(len, now))
    print(" " * width, *(f"{title:>14}" for title in columns))
    for figure in now:
        print(f"{figure:{width}}", *(f"{column.get(figure, ''):>14}" for column in columns.values()))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
