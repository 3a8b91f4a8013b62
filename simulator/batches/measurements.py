"""The figures of a summary as rows that can be asked for together."""

from collections.abc import Iterator, Mapping
from typing import Any

from simulator.models import Measurement

FIGURE = ("title", "unit", "value", "low", "high", "n")


def keep_measurements(batch_id: str, summary: Mapping[str, Any]) -> None:
    """In place of those that stood there."""
    Measurement.objects.filter(batch=batch_id).delete()
    Measurement.objects.bulk_create(Measurement(batch_id=batch_id, **columns) for columns in measurements_of(summary))


def measurements_of(summary: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """The columns of each."""
    censored = summary["counts"]["unfinished"] / summary["games"]
    rows = (row for section in summary["sections"] for row in section["rows"])
    for place, row in enumerate(rows):
        yield {"place": place, "measure": row["key"], "censored": censored, **{name: row[name] for name in FIGURE}}
