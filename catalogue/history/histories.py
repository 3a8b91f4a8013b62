"""Histories by the names that readers use: revisions, and when, by whom and why a row was deleted.

One change of a row and its links is written and recorded once, with its reason, and read as one revision. What differs
is found by comparing each record of the history with the one before it of the same row. A row that was deleted keeps
its history under the key it had, and so does a row that was given another key. Authors are named: they signed the
change knowing that readers see it.
"""

import datetime
import json
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any

from django.db import models
from django.db.models.signals import post_delete
from django.urls import ResolverMatch, get_script_prefix
from simple_history.models import HistoricalRecords
from simple_history.signals import pre_create_historical_record

from catalogue.models import Anchor, Answer, DeletedRow, Evidence, Game, Observation, Picture, Place, Question, Source
from catalogue.models.evidence import TEXTS
from catalogue.models.fields import insert
from catalogue.models.lookup import KIND_OF, KINDS, NamedKind, key_of
from catalogue.models.pictures import Rights
from catalogue.texts.anchors import digest_of
from catalogue.texts.formatting import capitalised
from catalogue.texts.words import WordRun, changed_words, in_short
from catalogue.web.routes import ROUTES

WITHOUT_HISTORY = (Game, Source, Place)  # cited as others are: that they were deleted is written down
LOADED = "Loaded from the shipped fixtures"  # the reason of a revision that no person wrote
OF_LOADING = "Loaded from "  # with which the reasons of all of them begin


def edited(history: "models.QuerySet[Any]") -> "models.QuerySet[Any]":
    """Return the revisions that somebody wrote; the others have the time at which this installation was loaded."""
    return history.exclude(history_change_reason__startswith=OF_LOADING)


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


def _note_deletions(instance: Any, using: str, **signal: Any) -> None:
    """Keep who deleted a row of a kind without a history; the request says who it is, as for other rows."""
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
        post_delete.connect(_note_deletions, sender=model, dispatch_uid=f"deletion of a {model.__name__}")


def texts_of_anchors(anchors: Iterable[Anchor]) -> dict[tuple[int, str, str], str]:
    """Return the texts that these anchors were set in, by record, name of the text and digest: one query. One that the
    history does not keep is missing."""
    wanted = {(anchor.evidence_id, anchor.field, anchor.text_sha256) for anchor in anchors}
    found: dict[tuple[int, str, str], str] = {}
    if wanted:
        revisions: Any = Evidence.history.filter(id__in={record for record, _, _ in wanted}).order_by()
        for record, *texts in revisions.values_list("id", *TEXTS.values()).iterator():
            for name, text in zip(TEXTS, texts, strict=True):
                if (key := (record, name, digest_of(text))) in wanted:
                    found[key] = text
    return found


def record_many(rows: Sequence[Any], reason: str, *, update: bool) -> None:
    """Write one revision each for saved rows of a model, with the rows that they are linked to."""
    if not rows:
        return
    history: Any = type(rows[0]).history
    revisions = history.bulk_history_create(rows, update=update, default_change_reason=reason)
    of_row = {row.pk: revision for row, revision in zip(rows, revisions, strict=True)}
    for field in history.model._history_m2m_fields:
        between, own = field.remote_field.through, field.m2m_column_name()
        columns = [column.attname for column in between._meta.concrete_fields]
        kept: Any = getattr(history.model, field.name).model
        links = between.objects.filter(**{f"{own}__in": of_row}).values_list(own, *columns)
        insert(kept, ["history_id", *columns], ((of_row[row].pk, *values) for row, *values in links))


TOGETHER = datetime.timedelta(seconds=10)  # what one person changes for one reason within this time is one revision
Label = tuple[str, bool]  # what a field is called, and whether it is a text
ACTIONS = {"+": "recorded for the first time", "~": "changed", "-": "deleted"}


@dataclass(frozen=True, slots=True)
class ChangedField:
    """A changed field. pieces: a text word by word; before, after: any other value, empty if there was none

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
    """The author of a recorded change, and the reason."""
    reason = record.history_change_reason or ""
    return written_by(record.history_user, reason), reason


def written_by(user: Any, reason: str) -> str:
    """Return the editor's name, or the program that wrote a revision without an editor."""
    if user is not None:
        return str(user.get_full_name() or user.get_username())
    return "the fixtures" if reason == LOADED else "a command of the catalogue"


def events(tracked: Iterable[Tracked]) -> list[Event]:
    """Return the events of records, the newest first. It takes at most two queries for each model."""
    found = [event for place, one in enumerate(tracked) for event in _events(place, one)]
    return sorted(found, key=lambda event: (event.record.history_date, event.record.history_id), reverse=True)


def grouped(found: Iterable[Event]) -> list[list[Event]]:
    """Events in revisions: what one person did for one reason at one time, no row twice."""
    revisions: list[list[Event]] = []
    for event in found:
        last = revisions[-1] if revisions else []
        same = last and last[0].signed == event.signed and event.row not in {earlier.row for earlier in last}
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
    """Return the rows that each revision of a row was linked to by a field with many values."""
    name, found = field.m2m_reverse_field_name(), defaultdict(list)
    for link in getattr(model, field.name).model.objects.filter(history__in=records).select_related(name):
        found[link.history_id].append(str(getattr(link, name)))
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


OF_AN_ANCHOR = frozenset({"key", "clause", "answer", "claim", "reading", "position"})


HISTORIES = {name: KINDS[name] for name in ("record", "reading", "clause", "question", "claim", "note")}
ANCHORED = ("reading", "clause", "claim")  # kinds to which a link of an anchor leads that is called so


@dataclass(frozen=True, slots=True)
class Named:
    """The row of a kind and key, None if it is no longer there, and the numbers of all rows that had that key."""

    row: Any | None
    numbers: frozenset[int]


def address_of(row: models.Model) -> str:
    """The address of a row's history."""
    return f"{get_script_prefix()}history/{KIND_OF[type(row)].name}/{key_of(row)}/"


def named(kind: NamedKind, key: str) -> Named | None:
    """Find the row that has or had this name; None if none ever had."""
    *before, last = key.split("/", len(kind.columns) - 1)
    if len(before) != len(kind.columns) - 1:
        return None
    narrowed: dict[str, Any] = {kind.columns[-1]: last}
    if before:
        parent, column = kind.model._meta.get_field(kind.link).related_model, kind.columns[0].partition("__")[2]
        narrowed[f"{kind.link}__in"] = _numbers(parent, {column: before[0]})
    numbers = _numbers(kind.model, narrowed)
    rows = {row.pk: row for row in kind.model.objects.filter(pk__in=numbers).select_related(*filter(None, [kind.link]))}
    row = next((other for other in rows.values() if key_of(other) == key), None)
    if row is not None:  # others that once had this key have one of their own now
        numbers -= rows.keys() - {row.pk}
    elif rows:
        row = next(iter(rows.values()))
    return Named(row, frozenset(numbers)) if numbers else None


def keys(kind: NamedKind) -> list[str]:
    """The keys of all rows that there are; what was deleted is found by its key alone."""
    return ["/".join(key) for key in kind.model.objects.values_list(*kind.columns)]


def tracked(kind: NamedKind, numbers: Iterable[int]) -> list[Tracked]:
    """The row's own records, and those of what belongs to it: its answers, and its anchors."""
    numbers = list(numbers)
    found = [Tracked(kind.model.history.filter(id__in=numbers), lambda _: kind.name.capitalize(), frozenset())]
    anchors = None
    if kind.model is Evidence:
        shown = Picture.history.exclude(rights=Rights.EDITORS_ONLY).filter(evidence_id__in=numbers)
        found.append(Tracked(shown, lambda one: f"Picture {one.number}", frozenset({"evidence"})))
        seen = Observation.history.filter(evidence_id__in=numbers)
        found.append(Tracked(seen, lambda one: f"Observation {one.number}", frozenset({"evidence"})))
    if kind.model is Question:
        answers = Answer.history.filter(question_id__in=numbers)
        found.append(Tracked(answers, lambda one: f"Answer {one.slug}", frozenset({"question"})))
        anchors = Anchor.history.filter(answer_id__in=answers.values("id"))
    elif kind.name in ANCHORED:
        anchors = Anchor.history.filter(**{f"{kind.name}_id__in": numbers})
    if anchors is not None:
        found.append(Tracked(anchors, _anchor_title, OF_AN_ANCHOR))
    return found


def _anchor_title(anchor: Any) -> str:
    owner = anchor.key.rsplit("/", 2)
    of = f" of answer {owner[0].rsplit('/', 1)[-1]}" if anchor.answer_id else ""
    return f"Words{of}, {anchor.get_stance_display()}: {owner[-1].replace('-', ' ')}"


def _numbers(model: Any, narrowed: dict[str, Any]) -> set[int]:
    """The numbers of all rows, gone ones as well, of which this was ever so."""
    found = set(model.objects.filter(**narrowed).values_list("pk", flat=True))
    if hasattr(model, "history"):
        found |= set(model.history.filter(**narrowed).order_by().values_list("id", flat=True))
    return found


SUBJECTS = {"evidence": "record", "rulesets": "reading"}  # what addresses call these kinds


@dataclass(frozen=True, slots=True)
class Deletion:
    """history: the address of what is known of it; empty if its kind has none of its own"""

    kind: NamedKind
    key: str
    date: datetime.datetime
    author: str
    reason: str
    history: str


def deletion_at(match: ResolverMatch | None) -> Deletion | None:
    """The deletion of what an address names, if it was deleted."""
    route = ROUTES.get(match.view_name) if match else None
    if match is None or route is None or not route.identifies:
        return None
    called = route.identifies.format_map({name: str(value) for name, value in match.kwargs.items()})
    return next(filter(None, (deletion_of(*candidate) for candidate in _candidates(called.rstrip("/")))), None)


def _candidates(identifier: str) -> Iterator[tuple[NamedKind, str]]:
    """Return the kinds that a name may mean: the one that it begins with, or all that have such keys."""
    first, _, rest = identifier.partition("/")
    if kind := KINDS.get(SUBJECTS.get(first, first)):
        yield kind, rest
    else:
        yield from ((kind, identifier) for kind in KINDS.values())


def deletion_of(kind: NamedKind, key: str) -> Deletion | None:
    """Return the revision that deleted a row; None if it exists, never did, or is of a kind without histories."""
    if kind.model in WITHOUT_HISTORY:
        return _noted_deletion(kind, key)
    if not hasattr(kind.model, "history") or not kind.may_be(key):
        return None
    found = named(kind, key)
    if found is None or found.row is not None:
        return None
    ended = kind.model.history.filter(id__in=found.numbers, history_type="-").select_related("history_user")
    last: Any = ended.order_by("history_date", "history_id").last()
    if last is None:
        return None
    author, reason = signed(last)
    history = f"{get_script_prefix()}history/{kind.name}/{key}/" if kind.name in HISTORIES else ""
    return Deletion(kind, key, last.history_date, author, reason, history)


def _noted_deletion(kind: NamedKind, key: str) -> Deletion | None:
    last = DeletedRow.objects.filter(kind=kind.name, key=key).select_related("author").order_by("date", "id").last()
    if last is None or kind.model.objects.filter(**kind.where(key)).exists():
        return None
    return Deletion(kind, key, last.date, written_by(last.author, last.reason), last.reason, "")
