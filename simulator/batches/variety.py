"""How many games of a batch are different, by all that is counted of them.

Whoever thinks draws lots between moves of equal value only, so that two of them may play few games again and again. The
interval of a share then tells how well what just these players do is known, and nothing of how others would fare.
Games whose rows are equal need not be equal move by move, but those whose rows differ are different.
"""

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from simulator.batches.rows import Rows

VARIETY = "variety"  # in a summary
FEW = 50  # different games: with fewer independent ones a share would not be known to 14 points


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


def played_again(summary: Mapping[str, Any] | None) -> str:
    """ "the same 2 games again and again", where less than half of the games and fewer than FEW are different; else
    empty, as where it is not known."""
    found = (summary or {}).get(VARIETY)
    if not found or found["different"] >= min(FEW, found["games"] / 2):
        return ""
    return f"the same {_games(found['different'])} again and again"


def _games(number: int) -> str:
    return "game" if number == 1 else f"{number} games"
