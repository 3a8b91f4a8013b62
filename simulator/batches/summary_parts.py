"""What the summary of a batch holds beside its figures: games worth a look, and of how many kinds its games are.

Both are taken from the rows when the batch is closed. The figures and these are also kept as measurements, a row each,
so that one question can be asked of all batches.

Games of one kind are equal in all that is counted of them. Players that search draw lots between moves of equal value
only, so that two of them may play few kinds of games. The interval of a share then tells how well what just these
players do is known, and nothing of how others would fare. Games of one kind need not be equal move by move: of forty
that club players of Niranchy play no two are, and all are of one kind. For random players it therefore says nothing.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from simulator.batches.rows import Rows
from simulator.engine.ends import ENDLESS, UNFINISHED
from simulator.models import Measurement

FIGURE = ("title", "unit", "value", "low", "high", "n")
# How often positions came back, in the first games of a batch: `n` says in how many. After all other figures.
REPETITION = "repetition"  # in a summary
LONGEST = "longest_repetition"
OF_REPETITION = {
    "position_again": "A position came again",
    "threefold": "Would have ended by threefold repetition",
    LONGEST: "Longest repetition of a position",
}
DIFFERENT = "different_games"  # by all that is counted of them
BEHIND = {DIFFERENT, *OF_REPETITION}  # stand behind the figures, in places that others do not know
KEY = "games_to_look_at"
TITLES = {
    "representative": "A representative game: of median length",
    "shortest": "The shortest game",
    "longest": "The longest game that ended",
    "endless": "A game that became endless",
    "unfinished": "A game that the cap stopped",
}
VARIETY = "variety"  # in a summary
FEW = 50  # kinds: of fewer independent games a share would not be known to 14 points


def keep_measurements(batch_id: str, summary: Mapping[str, Any]) -> None:
    """Replace the measurements of a batch by those of this summary."""
    Measurement.objects.filter(batch=batch_id).delete()
    Measurement.objects.bulk_create(Measurement(batch_id=batch_id, **columns) for columns in measurements_of(summary))


def measurements_of(summary: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield the columns of each measurement of a summary."""
    censored = summary["counts"]["unfinished"] / summary["games"]
    rows = [row for section in summary["sections"] for row in section["rows"]]
    behind = [*_of_variety(summary.get(VARIETY, {})), *_of_repetition(summary.get(REPETITION, {}))]
    for place, row in enumerate([*rows, *behind]):
        yield {"place": place, "measure": row["key"], "censored": censored, **{name: row[name] for name in FIGURE}}


def _of_repetition(found: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield the rows of repetition, as `replayed.repetition` gives it; nothing where nothing was looked at."""
    for row in found.get("rows", ()):
        yield {**row, "title": OF_REPETITION[row["key"]]}
    if found:
        longest = {"unit": "times", "value": found["longest"], "low": None, "high": None, "n": found["games"]}
        yield {"key": LONGEST, "title": OF_REPETITION[LONGEST], **longest}


def _of_variety(found: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield the row of variety, as `variety` gives it; nothing where no rows are kept."""
    if found:
        counted = {"unit": "games", "value": found["different"], "low": None, "high": None, "n": found["games"]}
        yield {"key": DIFFERENT, "title": "Games that differ in what is counted", **counted}


def notable_games(names: Sequence[str], rows: Iterable[Rows]) -> dict[str, dict[str, int]]:
    """`{"representative": {"game", "turns"}, …}`, a key of TITLES each; empty if there are no rows.

    names: of the columns; rows: of all games in order, part after part

    Length is compared among games that were not stopped by the cap; of an even number of them the lower median is
    taken, so that some game has it. Of equal games the one of the lowest number is named.
    """
    parts = [part[:, [names.index("turns"), names.index("end")]] for part in rows]
    if not parts:
        return {}
    turns, ends = np.concatenate(parts).T
    ended = np.sort(turns[ends != UNFINISHED])
    wanted: dict[str, Any] = {"endless": ends == ENDLESS, "unfinished": ends == UNFINISHED}
    if len(ended):
        lengths = {"representative": ended[(len(ended) - 1) // 2], "shortest": ended[0], "longest": ended[-1]}
        wanted = {key: (turns == length) & (ends != UNFINISHED) for key, length in lengths.items()} | wanted
    first = {key: int(np.argmax(found)) for key, found in wanted.items() if found.any()}
    return {key: {"game": game, "turns": int(turns[game])} for key, game in first.items()}


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
