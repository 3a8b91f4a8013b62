"""The shipped apparatus into the database: as any rows, and what is shipped no longer is taken away."""

from collections.abc import Iterable
from typing import Any

from catalogue.history.recording import LOADED
from catalogue.loading.load_rows import Loaded, load_rows
from catalogue.loading.natural_keys import Key, found, key_of, model_of
from catalogue.loading.rows import Row
from catalogue.models import LoadedRow

# In the order in which they name each other.
ORDER = ("catalogue.clause", "catalogue.question", "catalogue.answer", "catalogue.claim", "catalogue.anchor")
GONE = "No longer among the shipped fixtures"


def sync(rows: Iterable[Row], loaded: Loaded) -> None:
    """Adds to `loaded`; raises RowProblem. The caller holds the transaction."""
    every = list(rows)
    planned = {name: [row for row in every if row["model"] == name] for name in ORDER}
    for name in reversed(ORDER):
        _take_away(name, {key_of(row) for row in planned[name]})
    for name in ORDER:
        load_rows(planned[name], loaded, bring_up_to_date=True)


def _take_away(name: str, wanted: set[Key]) -> None:
    """Rows that an earlier load wrote, this one does not know, and nobody has touched since."""
    model: Any = model_of(name)
    gone = {tuple(mark.natural_key.split(" ")): mark for mark in LoadedRow.objects.filter(model=name)}
    for key, row in found(model, set(gone) - wanted).items():
        if row.history.latest().history_change_reason == LOADED:
            row._change_reason = GONE
            row.delete()
            gone[key].delete()
