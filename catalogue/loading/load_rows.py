"""Rows into the database, by natural key: what is missing is made, what has been changed by hand is left alone.

A row that differs from what is offered is reported field by field. It is brought up to date only when the caller asks
for that and the row still is what the last load wrote, which `LoadedRow` remembers. Rows that keep a history get one
revision for each time they are written. A few queries serve some hundreds of rows.
"""

import hashlib
import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from django.core.serializers.json import DjangoJSONEncoder
from django.db import models

from catalogue.history.revisions import LOADED
from catalogue.loading.rows import (
    Built,
    Key,
    Row,
    built,
    existing_keys,
    existing_rows,
    key_of,
    key_of_instance,
    label,
    linked_to_many,
    linked_to_one,
    model_of,
    plain_fields,
    targets_of,
    write,
)
from catalogue.models import LoadedRow
from catalogue.texts.word_differences import same

AT_ONCE = 500  # rows; SQLite takes some thousand parameters a query


@dataclass(frozen=True, slots=True)
class StoredDifference:
    model: str
    key: str
    field: str
    stored: Any
    offered: Any


@dataclass(slots=True)
class Loaded:
    """How many rows were made, brought up to date or found as offered, and where the database says something else."""

    created: int = 0
    updated: int = 0
    unchanged: int = 0
    differences: list[StoredDifference] = field(default_factory=list)


def load_rows(rows: Iterable[Row], loaded: Loaded, *, bring_up_to_date: bool, reason: str = LOADED) -> None:
    """Adds to `loaded`. Raises RowProblem if a row cannot be stored; the caller holds the transaction.

    rows:   each after those it points to
    bring_up_to_date: rows that are as the last such load wrote them; what it wrote is remembered
    reason: what the history of a written row says of it
    """
    for model, some in _together(rows):
        stored = existing_rows(model, (key_of(row) for row in some))
        targets = targets_of(model, some)
        marks = _marks(model, stored) if bring_up_to_date else {}
        made, changed, seen = [], [], []
        for row in some:
            key = key_of(row)
            if key not in stored:
                made.append(built(row, model(), targets))
                continue
            current = _fields(stored[key])
            differences = _differences(model, row, current)
            if not differences:
                loaded.unchanged += 1
                if bring_up_to_date:
                    seen.append((key, _digest(current)))
            elif bring_up_to_date and marks.get(key) == _digest(current):
                changed.append(built(row, stored[key], targets))
            else:
                loaded.differences.extend(differences)
        if made or changed:
            write(model, made, changed, reason)
            loaded.created += len(made)
            loaded.updated += len(changed)
        if bring_up_to_date:
            _mark(model, [*seen, *(_mark_of(one) for one in (*made, *changed))], marks)


def load_missing(rows: Iterable[Row], loaded: Loaded) -> None:
    """Make the rows that are not there; those that are stay as they are, unread."""
    for model, some in _together(rows):
        stored = existing_keys(model, (key_of(row) for row in some))
        load_rows((row for row in some if key_of(row) not in stored), loaded, bring_up_to_date=False)


def _together(rows: Iterable[Row]) -> Iterator[tuple[type[models.Model], list[Row]]]:
    """Rows that can be written at once: of one model, each key once, none pointing to another of them.

    The models come in the order of their first rows: a row may point to rows of its own model that stand before it, and
    to any rows of models that began before its own.
    """
    of_model: dict[str, list[Row]] = {}
    for row in rows:
        of_model.setdefault(row["model"], []).append(row)
    for name, every in of_model.items():
        some: list[Row] = []
        keys: set[Key] = set()
        for row in every:
            if len(some) == AT_ONCE or key_of(row) in keys or _points_into(row, keys):
                yield model_of(name), some
                some, keys = [], set()
            some.append(row)
            keys.add(key_of(row))
        yield model_of(name), some


def _points_into(row: Row, keys: set[Key]) -> bool:
    model = model_of(row["model"])
    own = (one.name for one in linked_to_one(model) if one.related_model is model)
    return any(row["fields"].get(name) and tuple(row["fields"][name]) in keys for name in own)


def _differences(model: type[models.Model], row: Row, current: Row) -> list[StoredDifference]:
    key = " ".join(key_of(row))
    unordered = {one.name for one in linked_to_many(model)}
    return [
        StoredDifference(model._meta.model_name or "", key, name, current[name], value)
        for name, value in row["fields"].items()
        if not same(current[name], sorted(value) if name in unordered else value)
    ]


def _fields(instance: Any, many: dict[str, list[Any]] | None = None) -> Row:
    """The row's fields as a fixture would hold them; `many` is what its many-to-many fields shall hold, if known."""
    model: type[models.Model] = type(instance)
    fields: Row = {one.name: one.value_from_object(instance) for one in plain_fields(model)}
    for one in linked_to_one(model):
        target = getattr(instance, one.name)
        fields[one.name] = None if target is None else list(key_of_instance(target))
    for one in linked_to_many(model):
        held = (many or {}).get(one.name)
        targets = getattr(instance, one.name).all() if held is None else held
        fields[one.name] = sorted(list(key_of_instance(target)) for target in targets)
    plain: Row = json.loads(json.dumps(fields, cls=DjangoJSONEncoder))
    return plain


def _digest(fields: Row) -> str:
    """The digest of what the fields hold, without empty ones: a new column of the catalogue changes no digest."""
    held = {name: value for name, value in fields.items() if value}
    return hashlib.sha256(json.dumps(held, sort_keys=True).encode()).hexdigest()


def _mark_of(one: Built) -> tuple[Key, str]:
    return key_of_instance(one.instance), _digest(_fields(one.instance, one.many))


def _marks(model: type[models.Model], stored: Iterable[Key]) -> dict[Key, str]:
    """What the last load wrote into the rows."""
    texts = {" ".join(key): key for key in stored}
    marks = LoadedRow.objects.filter(model=label(model), natural_key__in=texts)
    return {texts[key]: digest for key, digest in marks.values_list("natural_key", "digest")}


def _mark(model: type[models.Model], written: list[tuple[Key, str]], marks: dict[Key, str]) -> None:
    LoadedRow.objects.bulk_create(
        [
            LoadedRow(model=label(model), natural_key=" ".join(key), digest=digest)
            for key, digest in written
            if marks.get(key) != digest
        ],
        update_conflicts=True,
        unique_fields=["model", "natural_key"],
        update_fields=["digest"],
    )
