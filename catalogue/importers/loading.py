"""Rows into the database, by natural key: what is missing is made, what has been changed by hand is left alone.

A row that differs from what is offered is reported field by field. It is brought up to date only when the caller asks
for that and the row still is what the last load wrote, which `LoadedRow` remembers. Rows that keep a history get one
revision for each time they are written.
"""

import hashlib
import json
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from django.apps import apps
from django.core import serializers
from django.core.exceptions import FieldDoesNotExist, ValidationError
from django.core.serializers.base import DeserializationError
from django.db import models

from catalogue.history.recording import write_recorded
from catalogue.importers.rows import Row
from catalogue.importers.sightings import same
from catalogue.models import LoadedRow

REASON = "Loaded from the shipped fixtures"
NATURAL_KEYS = {
    "catalogue.game": ("slug",),
    "catalogue.gamename": ("game", "name"),
    "catalogue.place": ("slug",),
    "catalogue.source": ("key",),
    "catalogue.evidence": ("identifier",),
    "catalogue.citation": ("evidence", "source"),
    "catalogue.uncertaintyfactor": ("slug",),
    "catalogue.evidenceuncertainty": ("evidence", "factor"),
    "catalogue.editorsnote": ("evidence", "slug"),
    "catalogue.reading": ("slug",),
}


class RowProblem(ValueError):
    """A row cannot be stored; the message names the row and what is wrong with it."""


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


def load_rows(rows: Iterable[Row], loaded: Loaded, *, bring_up_to_date: bool, reason: str = REASON) -> None:
    """Adds to `loaded`. Raises RowProblem at the first row that cannot be stored; the caller holds the transaction.

    reason: what the history of a written row says of it
    """
    for row in rows:
        stored = stored_as(row)
        if stored is None:
            _save(row, reason)
            loaded.created += 1
            continue
        current = _fields(stored)
        differences = _differences(row, current)
        if not differences:
            loaded.unchanged += 1
        elif bring_up_to_date and _is_as_loaded(row, current):
            # Fields the row does not name keep what they hold.
            _save({"model": row["model"], "fields": {**current, **row["fields"]}}, reason)
            loaded.updated += 1
        else:
            loaded.differences.extend(differences)


def load_missing(rows: Iterable[Row], loaded: Loaded) -> None:
    """Make the rows that are not there; those that are stay as they are, unread."""
    load_rows((row for row in rows if stored_as(row) is None), loaded, bring_up_to_date=False)


def stored_as(row: Row) -> models.Model | None:
    """The object in the database with the row's natural key."""
    model = apps.get_model(row["model"])
    try:
        found: models.Model = model._default_manager.get_by_natural_key(*_natural_key(row))
    except model.DoesNotExist:
        return None
    return found


def _natural_key(row: Row) -> list[str]:
    values = (row["fields"][name] for name in NATURAL_KEYS[row["model"]])
    return [str(value[0] if isinstance(value, list) else value) for value in values]


def _named(row: Row) -> str:
    return f"{row['model'].split('.')[1]} {' '.join(_natural_key(row))}"


def _differences(row: Row, current: Row) -> list[StoredDifference]:
    key = " ".join(_natural_key(row))
    return [
        StoredDifference(row["model"].split(".")[1], key, name, current[name], value)
        for name, value in row["fields"].items()
        if not same(current[name], _in_one_order(value))
    ]


def _is_as_loaded(row: Row, current: Row) -> bool:
    """Nobody has touched the row since a load wrote it."""
    key = " ".join(_natural_key(row))
    return LoadedRow.objects.filter(model=row["model"], natural_key=key, digest=_digest(current)).exists()


def _save(row: Row, reason: str) -> None:
    try:
        (offered,) = serializers.deserialize("python", [row])
        offered.object.clean_fields()
        offered.object.clean()
    except (DeserializationError, FieldDoesNotExist) as problem:
        raise RowProblem(f"{_named(row)}: {problem}") from problem
    except ValidationError as problem:
        wrong = "; ".join(f"{name}: {' '.join(messages)}" for name, messages in problem.message_dict.items())
        raise RowProblem(f"{_named(row)}: {wrong}") from problem
    if hasattr(offered.object, "history"):
        write_recorded(offered.object, offered.save, reason)
    else:
        offered.save()
    digest = _digest(_fields(offered.object))
    LoadedRow.objects.bulk_create(
        [LoadedRow(model=row["model"], natural_key=" ".join(_natural_key(row)), digest=digest)],
        update_conflicts=True,
        unique_fields=["model", "natural_key"],
        update_fields=["digest"],
    )


def _fields(instance: models.Model) -> Row:
    """The row's fields as a fixture would hold them."""
    text = serializers.serialize("json", [instance], use_natural_foreign_keys=True, use_natural_primary_keys=False)
    fields: Row = json.loads(text)[0]["fields"]
    return {name: _in_one_order(value) for name, value in fields.items()}


def _in_one_order(value: Any) -> Any:
    return sorted(value) if isinstance(value, list) else value


def _digest(fields: Row) -> str:
    return hashlib.sha256(json.dumps(fields, sort_keys=True).encode()).hexdigest()
