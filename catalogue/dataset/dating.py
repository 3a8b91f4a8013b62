"""The day a dataset is of, taken from the data: the clock would give the same data other bytes tomorrow.

It is the newest of the days the tables name (of versions, batches, withdrawals) and of those on which somebody changed
a row that keeps a history. A catalogue that was loaded from a dataset remembers the day of that one, so that it is
given back with the same date.
"""

import datetime
import re
from typing import Any

from django.db.models import Max

from catalogue.dataset.tables import tables
from catalogue.history.recording import LOADED

LOADED_FROM = "Loaded from the dataset of "
_DAY = re.compile(rf"{LOADED_FROM}([0-9]{{4}}-[0-9]{{2}}-[0-9]{{2}})")


def newest_day() -> datetime.date | None:
    """None if nothing in the data has a date."""
    days = set()
    for table in tables():
        if table.link:
            continue
        for column in table.columns:
            if column.type in ("date", "datetime"):
                days.add(_day(table.query().aggregate(last=Max(column.path))["last"]))
        days.update(_of_history(table.model))
    return max((day for day in days if day), default=None)


def _of_history(model: Any) -> set[datetime.date | None]:
    if not hasattr(model, "history"):
        return set()
    loaded = model.history.filter(history_change_reason__startswith=LOADED_FROM)
    reason = loaded.aggregate(last=Max("history_change_reason"))["last"] or ""
    match = _DAY.match(reason)
    others = model.history.exclude(history_change_reason__startswith=LOADED_FROM).exclude(history_change_reason=LOADED)
    changed = others.aggregate(last=Max("history_date"))["last"]
    return {_day(changed), datetime.date.fromisoformat(match[1]) if match else None}


def _day(value: datetime.date | None) -> datetime.date | None:
    return value.astimezone(datetime.UTC).date() if isinstance(value, datetime.datetime) else value
