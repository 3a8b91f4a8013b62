"""What a sweep over the formations of an advancing herd found, as the JSON document of a solution."""

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from simulator.engine.ruleset import Ruleset
from simulator.engine.solving.advancing import Advanced, formations, solve_advancing
from simulator.engine.solving.document import common, cost, line_document, names_of

SWEEP = "sweep"


def swept(
    ruleset: Ruleset, progress: Callable[[int], None] = lambda done: None, folder: Path | None = None
) -> tuple[dict[str, Any], Advanced]:
    """(the document with time and memory, the table); see `solve_advancing`."""
    begun = time.perf_counter()
    solved = solve_advancing(ruleset, progress, folder)
    return {**swept_document(solved), **cost(time.perf_counter() - begun)}, solved


def swept_document(solved: Advanced) -> dict[str, Any]:
    """What the sweep found: no plies, and positions that no play leads to are counted with the others."""
    start = solved.game.start()
    free = solved.game.ruleset
    return {
        "method": SWEEP,
        **common(solved.ruleset),
        "start": {"mover": solved.game.mover(start), **solved.value(start).as_document()},
        "first_moves": _first_moves(solved, start),
        "line": line_document(free, [], solved.line()),
        "positions": {"formations": formations(solved.ruleset), "running": int(solved.counts[:, 0].sum())},
        "counts": [_counts(solved, mover) for mover in (0, 1)],
        "table_bytes": sum(part.nbytes for part in solved.table),
    }


def _first_moves(solved: Advanced, start: np.ndarray) -> list[dict[str, Any]]:
    values = solved.move_values(start)
    names = names_of(solved.game.ruleset, [], list(values))
    children = [child for _, child in solved.game.children(start)]
    return [
        {"move": move, "name": name, **value.as_document(), "replies": _replies(solved, child, value.score(1))}
        for (move, value), name, child in zip(values.items(), names, children, strict=True)
    ]


def _replies(solved: Advanced, position: np.ndarray, score: int) -> dict[str, int]:
    """How many moves there are next, and how many of them keep the value. score: of the position for the herd"""
    if solved.game.contract.outcome(solved.game.rules, position)[0] >= 0:
        return {"all": 0, "keeping": 0}
    seat, found = solved.game.mover(position), solved.move_values(position).values()
    own = score if seat == 1 else -score
    return {"all": len(found), "keeping": sum(value.score(seat) == own for value in found)}


def _counts(solved: Advanced, mover: int) -> dict[str, int]:
    running, first, second = solved.counts[mover].tolist()
    values = {"first_wins": first, "second_wins": second, "draw": 0, "endless": running - first - second}
    return {"mover": mover, "all": running, "lost": (second, first)[mover], **values}
