"""The proofs that no file and no document that somebody offers breaks what reads it.

A million of them together: documents of rulesets and what visitors change in them, and tests of claims; then pages and
dumps of the portal read, and a part of these, and datasets, imported into a database that is empty again after each.
Each is either
taken, or refused by the exception that says why; anything else is a crash. An input is a function of kind, seed and
number (`made`), so that any failure can be had again.
"""

import io
import json
import random
import resource
import time
import traceback
from collections import Counter
from collections.abc import Callable
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

from tests.proofs.running import Figures, demand, side_by_side

RULES = {"documents": 400_000, "changes": 160_000, "claims": 380_000}
FILES = {"pages": 46_000, "dumps": 10_000, "pages_imported": 2_000, "dumps_imported": 2_000, "datasets": 1_000}
BLOCKS = 4  # of each kind
PLAYED = 40  # plies of a ruleset that was taken
MOST_MEGABYTES, SLOWEST = 500, 10.0


def hostile_rules(folder: Path, scale: Any) -> Figures:
    """Documents of rulesets, changes of them, and tests of claims."""
    return _offered(RULES, scale)


def hostile_files(folder: Path, scale: Any) -> Figures:
    """Pages and dumps of the portal, and datasets."""
    return _offered(FILES, scale)


def _offered(numbers: dict[str, int], scale: Any) -> Figures:
    """How many of each kind were taken and refused, the slowest of each, and the memory they took."""
    inputs = scale.inputs or sum(numbers.values())
    blocks = []
    for kind, whole in numbers.items():
        number = -(-inputs * whole // sum(numbers.values()))
        edges = [number * place // BLOCKS for place in range(BLOCKS + 1)]
        blocks += [(kind, scale.seed, first, beyond) for first, beyond in pairwise(edges)]
    found = side_by_side(_block, blocks)
    kinds = {kind: _together(kind, [said for block, said in found.items() if block[0] == kind]) for kind in numbers}
    figures: Figures = {
        "seed": scale.seed,
        "inputs": sum(one["inputs"] for one in kinds.values()),
        "kinds": kinds,
        "most_megabytes": max(said["megabytes"] for said in found.values()),
    }
    crashes = [crash for one in kinds.values() for crash in one["crashes"]]
    demand(not crashes, "an input was neither taken nor refused", figures)
    demand(figures["inputs"] >= inputs, "fewer inputs than were to be made", figures)
    demand(all(one["taken"] and one["refused"] for one in kinds.values()), "of a kind all went one way", figures)
    demand(all(one["slowest"] < SLOWEST for one in kinds.values()), f"an input took more than {SLOWEST} s", figures)
    demand(figures["most_megabytes"] < MOST_MEGABYTES, f"more than {MOST_MEGABYTES} MB were held", figures)
    return figures


def _together(kind: str, parts: list[Figures]) -> Figures:
    seconds = sum(part["seconds"] for part in parts)
    inputs = sum(part["inputs"] for part in parts)
    return {
        "inputs": inputs,
        "taken": sum(part["taken"] for part in parts),
        "refused": sum(part["refused"] for part in parts),
        "a_second": round(inputs / max(seconds, 1e-3)),
        "slowest": max(part["slowest"] for part in parts),
        "crashes": [crash for part in parts for crash in part["crashes"]][:10],
    }


def _block(block: tuple[str, int, int, int]) -> Figures:
    kind, seed, first, beyond = block
    make, take = _kind(kind)
    said, crashes, slowest = Counter[str](taken=0, refused=0), [], 0.0
    begun = time.perf_counter()
    for number in range(first, beyond):
        offered = make(random.Random(f"{kind} {seed} {number}"))
        started = time.perf_counter()
        try:
            said["taken" if take(offered) else "refused"] += 1
        except Exception:
            crashes.append(
                f"{kind}, seed {seed}, number {number}: {traceback.format_exc()[-1500:]} {repr(offered)[:600]}"
            )
        slowest = max(slowest, time.perf_counter() - started)
    return {
        **said,
        "inputs": beyond - first,
        "crashes": crashes[:10],
        "slowest": round(slowest, 2),
        "seconds": round(time.perf_counter() - begun, 1),
        "megabytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024,
    }


def made(kind: str, seed: int, number: int) -> Any:
    """That input again, as a crash names it."""
    return _kind(kind)[0](random.Random(f"{kind} {seed} {number}"))


@cache
def _kind(kind: str) -> tuple[Callable[[random.Random], Any], Callable[[Any], bool]]:
    """How inputs of a kind are made, and who takes them: True if it was taken, False if it was refused."""
    from tests.proofs.operation import prepare

    prepare()
    from tests.proofs.operation_kinds import KINDS

    return KINDS[kind]()


def as_json(document: Any) -> io.BytesIO:
    return io.BytesIO(json.dumps(document).encode())
