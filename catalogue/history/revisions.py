"""What was changed in rows, when, by whom and why: the records of their history as revisions a reader can follow.

One change of an editor, or one load of the fixtures, can touch a row and several that belong to it; each such change
is one revision. What differs is found by comparing each record with the one before it of the same row.
"""

import datetime
import json
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from django.db import models

from catalogue.history.recording import LOADED as LOADED
from catalogue.texts.formatting import capitalised
from catalogue.texts.word_differences import WordRun, changed_words, in_short

TOGETHER = datetime.timedelta(seconds=10)  # what one person changes for one reason within this time is one revision
Label = tuple[str, bool]  # what a field is called, and whether it is a text
ACTIONS = {"+": "recorded for the first time", "~": "changed", "-": "deleted"}


@dataclass(frozen=True, slots=True)
class ChangedField:
    """One field. `pieces`: a text word by word; `before` and `after`: any other value, empty if there was none.

    Of a row that was made or deleted `after` is all that is given: what the field held.
    """

    label: str
    before: str = ""
    after: str = ""
    pieces: tuple[WordRun, ...] = ()


@dataclass(frozen=True, slots=True)
class ChangedRow:
    """One row of a revision. A row that was made or deleted is given with everything it held."""

    title: str
    action: str
    whole: bool
    fields: tuple[ChangedField, ...]


@dataclass(frozen=True, slots=True)
class Revision:
    date: datetime.datetime
    author: str
    reason: str
    rows: tuple[ChangedRow, ...]


@dataclass(frozen=True, slots=True)
class Tracked:
    """The records of some rows of one model. `title` names a row; `hidden` are fields that say nothing to a reader."""

    records: "models.QuerySet[Any]"
    title: Callable[[Any], str]
    hidden: frozenset[str]


@dataclass(frozen=True, slots=True)
class Event:
    """A record of a row, with the one before it. `place`: that of its model; the row itself is before its parts."""

    place: int
    tracked: Tracked
    record: Any
    before: Any | None

    @property
    def row(self) -> tuple[type[models.Model], int]:
        return type(self.record), self.record.id

    @property
    def signed(self) -> tuple[str, str]:
        return signed(self.record)


def signed(record: Any) -> tuple[str, str]:
    """Who made a change that is recorded, and why."""
    reason = record.history_change_reason or ""
    return written_by(record.history_user, reason), reason


def written_by(user: Any, reason: str) -> str:
    """By name; without one it was no person."""
    if user is not None:
        return str(user.get_full_name() or user.get_username())
    return "the fixtures" if reason == LOADED else "a command of the catalogue"


def events(tracked: Iterable[Tracked]) -> list[Event]:
    """Every record, the newest first. Two queries at most for each model, however many records."""
    found = [event for place, one in enumerate(tracked) for event in _events(place, one)]
    return sorted(found, key=lambda event: (event.record.history_date, event.record.history_id), reverse=True)


def grouped(found: Iterable[Event]) -> list[list[Event]]:
    """Events in revisions: what one person did for one reason at one time, no row twice."""
    revisions: list[list[Event]] = []
    for event in found:
        last = revisions[-1] if revisions else []
        same = last and last[0].signed == event.signed and event.row not in {one.row for one in last}
        if same and last[0].record.history_date - event.record.history_date <= TOGETHER:
            last.append(event)
        else:
            revisions.append([event])
    return revisions


def revision(of_one: list[Event]) -> Revision:
    author, reason = of_one[0].signed
    in_order = sorted(of_one, key=lambda one: (one.place, one.tracked.title(one.record)))
    rows = tuple(_changed_row(event) for event in in_order)
    return Revision(of_one[0].record.history_date, author, reason, rows)


def _events(place: int, tracked: Tracked) -> Iterator[Event]:
    model = tracked.records.model
    links = [field.name for field in model.tracked_fields if isinstance(field, models.ForeignKey)]
    records = list(tracked.records.select_related("history_user", *links).order_by("history_date", "history_id"))
    linked = {field: _linked(model, field, records) for field in model._history_m2m_fields}
    before: dict[int, Any] = {}
    for record in records:
        record.linked = {field: found[record.history_id] for field, found in linked.items()}
        yield Event(place, tracked, record, before.get(record.id))
        before[record.id] = record


def _linked(model: Any, field: Any, records: list[Any]) -> defaultdict[int, list[str]]:
    """What each record of a row was linked to by a field with many values."""
    name, found = field.m2m_reverse_field_name(), defaultdict(list)
    for one in getattr(model, field.name).model.objects.filter(history__in=records).select_related(name):
        found[one.history_id].append(str(getattr(one, name)))
    return found


def _changed_row(event: Event) -> ChangedRow:
    record, before = event.record, event.before
    now = _values(event.tracked, record)
    whole = record.history_type != "~" or before is None
    if whole or before is None:
        fields = [ChangedField(label, after=value) for (label, _), value in now.items() if value]
    else:
        then = _values(event.tracked, before)
        fields = [_changed(label, then[label], value) for label, value in now.items() if then[label] != value]
    return ChangedRow(event.tracked.title(record), ACTIONS[record.history_type], whole, tuple(fields))


def _changed(label: Label, before: str, after: str) -> ChangedField:
    name, is_text = label
    if is_text:
        return ChangedField(name, pieces=tuple(in_short(changed_words(before, after))))
    return ChangedField(name, before, after)


def _values(tracked: Tracked, record: Any) -> dict[Label, str]:
    """The value in words of every field that a reader is shown."""
    values = {}
    for field in record.tracked_fields:
        if field.name not in tracked.hidden and field.editable and not field.primary_key:
            label = str(field.verbose_name)
            values[capitalised(label), isinstance(field, models.TextField)] = _in_words(field, record)
    for field, linked in record.linked.items():
        values[str(field.verbose_name).capitalize(), False] = ", ".join(sorted(linked))
    return values


def _in_words(field: Any, record: Any) -> str:
    value = getattr(record, field.attname)
    if value is None or value == "":
        return ""
    if isinstance(field, models.ForeignKey):
        target = getattr(record, field.name)
        return f"a deleted row, number {value}" if target is None else str(target)
    if isinstance(field, models.JSONField):
        return json.dumps(value, ensure_ascii=False)
    return str(dict(field.flatchoices).get(value, value))
