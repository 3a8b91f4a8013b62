"""Which faults are tried: a sample of every layer, by a seed."""

import random
from collections import defaultdict
from collections.abc import Set
from pathlib import Path

from tests.mutants.faults import Fault, faults, is_a_change

PROGRAMS = ("catalogue", "simulator")
DEEP = ("simulator/engine", "simulator/engine/families")  # of these each folder is a layer of its own


def layer_of(path: str) -> str:
    """The folder that a file counts to: `catalogue/pages`, `simulator/engine/families/race`."""
    depth = 2 + sum(path.startswith(f"{folder}/") for folder in DEEP)
    return "/".join(path.split("/")[:-1][:depth])


def drawn(root: Path, size: int, seed: int) -> list[Fault]:
    """So many faults of the programmes below a folder, each on a line of its own; every layer has its share of lines.

    Of a layer's lines, in an order that the seed gives, every so-many-th is taken, and one of its faults by lot: a
    line that can be wrong in many ways counts as much as any other. No fault is taken twice.
    """
    lot = random.Random(seed)
    lines: list[list[Fault]] = []
    for layer in _lines_by_layer(root).values():
        lines += lot.sample(layer, len(layer))
    step = len(lines) / size
    start = lot.random() * step
    found: list[Fault] = []
    for number in range(size):
        found.append(_one_of(root, lines[int(start + number * step) :], lot, {fault.name for fault in found}))
    return found


def _one_of(root: Path, lines: list[list[Fault]], lot: random.Random, taken: Set[str]) -> Fault:
    """Of the first of these lines that has a fault which compiles, changes the code and is not taken."""
    for line in lines:
        for fault in lot.sample(line, len(line)):
            if fault.name not in taken and is_a_change((root / fault.path).read_bytes(), fault):
                return fault
    raise ValueError("no line is left that can be wrong")


def _lines_by_layer(root: Path) -> dict[str, list[list[Fault]]]:
    layers: dict[str, list[list[Fault]]] = defaultdict(list)
    for path in sorted(place for name in PROGRAMS for place in (root / name).rglob("*.py")):
        name = path.relative_to(root).as_posix()
        if "migrations" in path.parts:
            continue
        lines: dict[int, list[Fault]] = defaultdict(list)
        for fault in faults(name, path.read_text(encoding="utf-8")):
            lines[fault.lines[0]].append(fault)
        layers[layer_of(name)] += lines.values()
    return dict(sorted(layers.items()))
