"""Of how many kinds the games of a batch are: those of one kind are equal in all that is counted of them.

Whoever thinks draws lots between moves of equal value only, so that two of them may play few kinds of games. The
interval of a share then tells how well what just these players do is known, and nothing of how others would fare.
Games of one kind need not be equal move by move: of forty that club players of Niranchy play no two are, and all are of
one kind. Of random players it therefore says nothing.
"""

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from simulator.batches.rows import Rows

VARIETY = "variety"  # in a summary
FEW = 50  # kinds: of fewer independent games a share would not be known to 14 points


def variety(rows: Iterable[Rows]) -> dict[str, int]:
    """`{"games", "different"}`; empty if there are no rows. rows: int32[games, measures], part after part"""
    parts = [_hashes(part) for part in rows]
    if not parts:
        return {}
    hashes = np.concatenate(parts)
    return {"games": len(hashes), "different": len(np.unique(hashes))}


def _hashes(rows: Rows) -> np.ndarray:
    """int64[games]: of two rows that differ they are the same once in 2 to the power of 64."""
    whole = np.ascontiguousarray(rows).view(f"V{rows.shape[1] * rows.itemsize}").ravel()
    return np.fromiter(map(hash, whole.tolist()), np.int64, len(whole))


def few_kinds(summary: Mapping[str, Any] | None, players: str) -> str:
    """ "2 kinds of games", where they are fewer than FEW and than half of the games; else empty, as where it is not
    known, and where a seat is played at random."""
    found = (summary or {}).get(VARIETY)
    if not found or "random" in players.split(",") or found["different"] >= min(FEW, found["games"] / 2):
        return ""
    return "one kind of game" if found["different"] == 1 else f"{found['different']} kinds of games"
