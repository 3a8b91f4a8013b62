"""One revision for one change: a row is written together with its links, and recorded once, with the reason."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from django.db.models.signals import post_delete
from simple_history.models import HistoricalRecords
from simple_history.signals import pre_create_historical_record

from catalogue.models import DeletedRow, Game, Place, Source
from catalogue.models.bulk_insert import insert
from catalogue.models.lookup import KIND_OF, key_of

WITHOUT_HISTORY = (Game, Source, Place)  # cited as others are: that they were deleted is written down
LOADED = "Loaded from the shipped fixtures"  # the reason of a revision that no person wrote


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


_deleted_for: ContextVar[str] = ContextVar("deleted_for", default="")


@contextmanager
def deleted_for(reason: str) -> Iterator[None]:
    """Whatever is deleted within, and what goes with it, is recorded with this reason unless it has one of its own."""
    before = _deleted_for.set(reason)
    try:
        yield
    finally:
        _deleted_for.reset(before)


def _give_reason(history_instance: Any, **signal: Any) -> None:
    if history_instance.history_type == "-" and not history_instance.history_change_reason:
        history_instance.history_change_reason = _deleted_for.get() or None


def _write_down(instance: Any, using: str, **signal: Any) -> None:
    """Who deletes is known where the history of other rows knows it: of requests."""
    user = getattr(getattr(HistoricalRecords.context, "request", None), "user", None)
    DeletedRow.objects.using(using).create(
        kind=KIND_OF[type(instance)].name,
        key=key_of(instance),
        author=user if user is not None and user.is_authenticated else None,
        reason=_deleted_for.get(),
    )


def connect() -> None:
    pre_create_historical_record.connect(_give_reason, dispatch_uid="reason of a deletion")
    for model in WITHOUT_HISTORY:
        post_delete.connect(_write_down, sender=model, dispatch_uid=f"deletion of a {model.__name__}")


def record_many(rows: Sequence[Any], reason: str, *, update: bool) -> None:
    """One revision each for rows of one model that are written already, with what they are linked to."""
    if not rows:
        return
    history: Any = type(rows[0]).history
    revisions = history.bulk_history_create(rows, update=update, default_change_reason=reason)
    of_row = {row.pk: revision for row, revision in zip(rows, revisions, strict=True)}
    for field in history.model._history_m2m_fields:
        between, own = field.remote_field.through, field.m2m_column_name()
        columns = [one.attname for one in between._meta.concrete_fields]
        kept: Any = getattr(history.model, field.name).model
        links = between.objects.filter(**{f"{own}__in": of_row}).values_list(own, *columns)
        insert(kept, ["history_id", *columns], ((of_row[row].pk, *values) for row, *values in links))
