"""One revision for one change: a row is written together with its links, and recorded once, with the reason."""

from collections.abc import Callable
from typing import Any


def write_recorded(row: Any, write: Callable[[], object], reason: str) -> None:
    """`write` saves the row and what it is linked to; its history then holds one revision more, of all of that.

    Without this a row with links would leave a revision for itself and one for each change of its links.
    """
    made = row.pk is None
    row.skip_history_when_saving = True
    try:
        write()
    finally:
        del row.skip_history_when_saving
    row._change_reason = reason
    row.save()
    if made:
        row.history.filter(pk=row.history.latest().pk).update(history_type="+")
