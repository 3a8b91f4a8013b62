"""The perfect player of solved rulesets: it keeps the value of every position.

It is asked for replies only, and plays no batches. A worker makes the table of the ruleset anew (see `perfect_player`),
so that only those are offered whose table is soon made and small enough to keep, or stands on the disk; or it searches
where a search found a win.
"""

from typing import Any

from simulator.engine.ruleset import Ruleset
from simulator.strength.solution_tables import has_table
from simulator.strength.solutions import SolutionView, solution_of

PERFECT = "perfect"
MOST_SECONDS, MOST_BYTES = 2.0, 2**26  # of a table that somebody waits for
MOST_SEARCH_SECONDS = 60.0  # of the search that found a win: the turns after the first take much less
OPENED_SECONDS = 0.1  # about what a table on the disk takes to be opened and looked up

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
    if kept.document["method"] != "retrograde":
        return OPENED_SECONDS if has_table(ruleset) else None
    return seconds if seconds <= MOST_SECONDS and kept.document["table_bytes"] <= MOST_BYTES else None


def promise(document: dict[str, Any]) -> str:
    """What can be said of the perfect player by this solution."""
    return PROMISES.get(document["method"], "never errs (this game is solved)")
