"""The proofs that nothing that somebody offers breaks what reads it: no file, no document, and nothing that is sent.

A million of them together: documents of rulesets and what visitors change in them, and tests of claims; pages and dumps
of the portal read, and a part of these, and datasets, imported into a database that is empty again after each; and what
visitors, editors and operators send (`operation_sent`). Each is either taken, or refused by words that say what was
wrong; anything else is a crash. An input is a function of kind, seed and number (`made`), so that any failure can be
had again. Its seconds are those of the processor, so that a busy machine changes no verdict.
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

RULES = {"documents": 170_000, "changes": 70_000, "claims": 160_000}
FILES = {"pages": 46_000, "dumps": 10_000, "pages_imported": 2_000, "dumps_imported": 2_000, "datasets": 1_000}
SENT = {
    "filters": 60_000, "bodies": 160_000, "searches": 100_000, "forms": 10_000, "addresses": 160_000,
    "arguments": 60_000, "requests": 6_000,
}  # fmt: skip
BLOCKS = 4  # of each kind
PLAYED = 40  # plies of a ruleset that was taken
MOST_MEGABYTES, SLOWEST = 500, 2.0


def hostile_rules(folder: Path, scale: Any) -> Figures:
    """Documents of rulesets, changes of them, and tests of claims."""
    return _offered(RULES, scale)


def hostile_files(folder: Path, scale: Any) -> Figures:
    """Pages and dumps of the portal, and datasets."""
    return _offered(FILES, scale)


def hostile_sent(folder: Path, scale: Any) -> Figures:
    """Filters, bodies, searches, forms, addresses, words of commands, and whole requests, without a server."""
    return _offered(SENT, scale)


def _offered(numbers: dict[str, int], scale: Any) -> Figures:
    """How many of each kind were taken and refused, the slowest of each, and the memory they took."""
    inputs = scale.inputs or sum(numbers.values())
    blocks: list[tuple[str, int, int, int]] = []
    for kind, whole in numbers.items():
        number = -(-inputs * whole // sum(numbers.values()))
        edges = [number * place // BLOCKS for place in range(BLOCKS + 1)]
        own = [(kind, scale.seed, first, beyond) for first, beyond in pairwise(edges)]
        blocks += own if scale.block is None else [own[scale.block - 1]]
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
    demand(scale.block is not None or figures["inputs"] >= inputs, "fewer inputs than were to be made", figures)
    demand(all(one["taken"] and one["refused"] for one in kinds.values()), "of a kind all went one way", figures)
    demand(
        all(one["slowest"] < SLOWEST for one in kinds.values()),
        f"an input took more than {SLOWEST} s of processor",
        figures,
    )
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
        "slowest_number": max((part["slowest"], part["slowest_number"]) for part in parts)[1],
        "crashes": [crash for part in parts for crash in part["crashes"]][:10],
    }


def _block(block: tuple[str, int, int, int]) -> Figures:
    kind, seed, first, beyond = block
    make, take = _kind(kind)
    said, crashes, slowest = Counter[str](taken=0, refused=0), [], (0.0, 0)
    begun = time.perf_counter()
    for number in range(first, beyond):
        offered = make(random.Random(f"{kind} {seed} {number}"))
        started = time.process_time()  # a second of this process, whatever else the machine does
        try:
            said["taken" if take(offered) else "refused"] += 1
        except Exception:
            crashes.append(
                f"{kind}, seed {seed}, number {number}: {traceback.format_exc()[-1500:]} {repr(offered)[:600]}"
            )
        slowest = max(slowest, (time.process_time() - started, number))
    return {
        **said,
        "inputs": beyond - first,
        "crashes": crashes[:10],
        "slowest": round(slowest[0], 2),
        "slowest_number": slowest[1],
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
    from tests.proofs import operation_kinds, operation_sent

    return (operation_kinds.KINDS | operation_sent.KINDS)[kind]()


def as_json(document: Any) -> io.BytesIO:
    return io.BytesIO(json.dumps(document).encode())
