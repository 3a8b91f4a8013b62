"""The figures of a summary as rows that can be asked for together."""

from collections.abc import Iterator, Mapping
from typing import Any

from simulator.batches.variety import VARIETY
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


def keep_measurements(batch_id: str, summary: Mapping[str, Any]) -> None:
    """In place of those that stood there."""
    Measurement.objects.filter(batch=batch_id).delete()
    Measurement.objects.bulk_create(Measurement(batch_id=batch_id, **columns) for columns in measurements_of(summary))


def measurements_of(summary: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """The columns of each."""
    censored = summary["counts"]["unfinished"] / summary["games"]
    rows = [row for section in summary["sections"] for row in section["rows"]]
    behind = [*_of_variety(summary.get(VARIETY, {})), *_of_repetition(summary.get(REPETITION, {}))]
    for place, row in enumerate([*rows, *behind]):
        yield {"place": place, "measure": row["key"], "censored": censored, **{name: row[name] for name in FIGURE}}


def _of_repetition(found: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """What was found, as `repetition.repetition` gives it; nothing where nothing was looked at."""
    for row in found.get("rows", ()):
        yield {**row, "title": OF_REPETITION[row["key"]]}
    if found:
        longest = {"unit": "times", "value": found["longest"], "low": None, "high": None, "n": found["games"]}
        yield {"key": LONGEST, "title": OF_REPETITION[LONGEST], **longest}


def _of_variety(found: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """What was counted, as `variety.variety` gives it; nothing where no rows are kept."""
    if found:
        counted = {"unit": "games", "value": found["different"], "low": None, "high": None, "n": found["games"]}
        yield {"key": DIFFERENT, "title": "Games that differ in what is counted", **counted}
