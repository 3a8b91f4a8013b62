"""Which module imports which: circles, and imports that point up against the layers.

Every import statement counts, wherever it stands: one within a function or for types only ties two modules as well.
"""

import ast
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any, Protocol

import numpy as np
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

Imports = Mapping[str, set[str]]  # name → the names it imports; every name is a key


class Source(Protocol):
    """A module whose imports can be read."""

    @property
    def name(self) -> str: ...
    @property
    def is_package(self) -> bool: ...
    @property
    def syntax(self) -> ast.Module: ...


def imports_of(modules: Iterable[Source]) -> dict[str, set[str]]:
    """Each module with those among them that it imports."""
    modules = list(modules)
    names = {module.name for module in modules}
    return {
        module.name: {found for name in _imported(module) if (found := _nearest(name, names))} - {module.name}
        for module in modules
    }


def _imported(module: Source) -> Iterator[str]:
    """Full names of all that a module imports, be they modules or what is in them."""
    for node in ast.walk(module.syntax):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            parts = module.name.split(".") if node.level else []
            above = parts[: len(parts) - node.level + module.is_package]
            start = [*above, *([node.module] if node.module else [])]
            yield from (".".join([*start, alias.name]) for alias in node.names)


def _nearest(name: str, names: Collection[str]) -> str:
    """The module of that name, else the one that holds it; empty if it is none of ours."""
    while name and name not in names:
        name = name.rpartition(".")[0]
    return name


def package_of(module: str) -> str:
    """The package that a module belongs to: one step below the program, within the engine one step below that."""
    parts = module.split(".")
    return ".".join(parts[: 3 if parts[:2] == ["simulator", "engine"] else 2])


def packages(imports: Imports) -> dict[str, set[str]]:
    """The imports between packages."""
    found: dict[str, set[str]] = {package_of(name): set() for name in imports}
    for name, targets in imports.items():
        found[package_of(name)] |= {package_of(target) for target in targets} - {package_of(name)}
    return found


def circles(imports: Imports) -> list[list[str]]:
    """The strongly connected components of more than one name, each in the order of the alphabet."""
    names = sorted(imports)
    number = {name: index for index, name in enumerate(names)}
    edges = [(number[name], number[target]) for name in names for target in imports[name]]
    rows, columns = np.array(edges, dtype=np.int32).reshape(-1, 2).T
    graph = coo_array((np.ones(len(edges), dtype=np.int8), (rows, columns)), shape=(len(names),) * 2)
    _, labels = connected_components(graph, directed=True, connection="strong")
    members = defaultdict(list)
    for name, label in zip(names, labels, strict=True):
        members[label].append(name)
    return [component for component in members.values() if len(component) > 1]


def backward_imports(imports: Imports, contracts: Iterable[Mapping[str, Any]]) -> list[str]:
    """Ways from a layer to one above it, or beside it where layers must not know each other, as `module → module`.

    A way may lead over modules that are in no layer. Imports that a contract leaves out of account count all the same.
    """
    found: dict[str, None] = {}
    for layers in _layerings(contracts):
        place = {name: layer for name in imports if (layer := _layer_of(name, layers))}
        for name, (height, own, _) in place.items():
            for target in _reached(name, imports, place):
                other_height, other, may_know = place[target]
                if other_height > height or (other_height == height and other != own and not may_know):
                    found[f"{name} → {target}"] = None
    return list(found)


def outside_layers(imports: Imports, contracts: Iterable[Mapping[str, Any]]) -> list[str]:
    """Packages with a module that is in no layer, so that no contract holds it; programs themselves need none."""
    every = [layer for layers in _layerings(contracts) for layer in layers]
    outside = {package_of(name) for name in imports if "." in name and not _layer_of(name, every)}
    return sorted(outside)


Layer = tuple[int, str, bool]  # height (the lowest is 0), name, whether those of one height may import each other


def _layerings(contracts: Iterable[Mapping[str, Any]]) -> Iterator[list[Layer]]:
    """The layers of every contract about layers, once for each of its containers."""
    for contract in contracts:
        if contract["type"] == "layers":
            for container in contract.get("containers", [""]):
                yield list(_layers(contract["layers"], f"{container}." if container else ""))


def _layers(lines: list[str], prefix: str) -> Iterator[Layer]:
    """`a | b`: two of one height that must not import each other; `a : b`: that may; `(a)`: that need not be there."""
    for height, line in enumerate(reversed(lines)):
        may_know = ":" in line
        for name in line.replace("|", ":").split(":"):
            yield height, prefix + name.strip().strip("()").strip(), may_know


def _layer_of(module: str, layers: Iterable[Layer]) -> Layer | None:
    """The layer that a module is in, the innermost if there are several."""
    containing = [layer for layer in layers if f"{module}.".startswith(f"{layer[1]}.")]
    return max(containing, key=lambda layer: len(layer[1]), default=None)


def _reached(start: str, imports: Imports, place: Collection[str]) -> list[str]:
    """The modules in layers that a module imports, itself or by way of modules that are in none."""
    reached, waiting = {start}, [start]
    while waiting:
        for target in imports[waiting.pop()] - reached:
            reached.add(target)
            if target not in place:
                waiting.append(target)
    return sorted((reached - {start}).intersection(place))
