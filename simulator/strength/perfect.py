"""The perfect player of solved rulesets: it keeps the value of every position.

It is asked for replies only, and plays no batches. A worker makes the table of the ruleset anew (see `perfect_player`),
so that only those are offered whose table is soon made and small enough to keep, or stands on the disk; or it searches
where a search found a win.
"""

from dataclasses import dataclass
from typing import Any

from simulator.engine.ruleset import Ruleset
from simulator.strength.solution_tables import has_table
from simulator.strength.solutions import SolutionView, solution_of

PERFECT = "perfect"
MOST_SECONDS, MOST_BYTES = 2.0, 2**26  # of a table that somebody waits for
MOST_SEARCH_SECONDS = 60.0  # of the search that found a win: the turns after the first take much less
OPENED_SECONDS = 0.1  # about what a table on the disk takes to be opened and looked up

KEPT_METHODS = ("sweep", "value_iteration")  # whose tables are too large to be made while somebody waits

PROMISES = {
    "search": "misses no win that is as short as the one that was proved",
    "value_iteration": "makes the most of every throw (the chances are known)",
}


def seconds_to_solve(ruleset: Ruleset) -> float | None:
    """What the table of a ruleset takes to make; None where nobody plays it perfectly.

    One query; none for games with lots or of more than two.
    """
    return table_seconds(ruleset, solution_of(ruleset, ruleset.hash))


def table_seconds(ruleset: Ruleset, kept: SolutionView | None) -> float | None:
    """The same by the solution that is kept."""
    if kept is None or kept.document is None or kept.is_outdated:
        return None
    seconds = float(kept.document["seconds"])
    if kept.document["method"] == "search":
        return MOST_SECONDS if seconds <= MOST_SEARCH_SECONDS else None
    if kept.document["method"] in KEPT_METHODS:
        return OPENED_SECONDS if has_table(ruleset) else None
    return seconds if seconds <= MOST_SECONDS and kept.document["table_bytes"] <= MOST_BYTES else None


@dataclass(frozen=True, slots=True)
class WantingTable:
    """A table that is not kept here, for want of which nobody plays a solved ruleset perfectly.

    command:       makes it and leaves it on the disk, and says beforehand what it takes
    seconds, peak_bytes: what solving took where it was done; table_bytes: the most that the table takes on the disk
    """

    command: str
    seconds: float
    peak_bytes: int
    table_bytes: int


def wanting_table(ruleset: Ruleset, name: str, kept: SolutionView | None) -> WantingTable | None:
    """The table that a perfect player would look up; None if there is one, or if there is none to be kept.

    name: of the ruleset, for the command; kept: its solution
    """
    if kept is None or kept.document is None or kept.is_outdated:
        return None
    if kept.document["method"] not in KEPT_METHODS or has_table(ruleset):
        return None
    took = {key: kept.document[key] for key in ("seconds", "peak_bytes", "table_bytes")}
    return WantingTable(f"manage.py solve {name} --keep-table", **took)


def promise(document: dict[str, Any]) -> str:
    """What can be said of the perfect player by this solution."""
    return PROMISES.get(document["method"], "never errs (this game is solved)")
