"""Many planned rows into the database at once: a few queries a model, however many rows.

What is missing is made. What differs is brought up to date only if the row still is what the last load wrote; what an
editor has changed is reported and left alone. What was loaded once and is planned no longer is taken away, unless it
has been changed.
"""

import hashlib
import json
from collections.abc import Iterable
from typing import Any

from django.apps import apps
from django.core.exceptions import ValidationError
from django.db import models

from catalogue.importers.apparatus import Key, Planned
from catalogue.importers.loading import REASON, Loaded, RowProblem, StoredDifference
from catalogue.models import LoadedRow

# In the order in which they name each other; rows of the last ones may be taken away.
ORDER = ("Clause", "Question", "Answer", "Claim", "Anchor")
REMOVABLE = ("Anchor", "Answer", "Question", "Claim", "Clause")


def sync(rows: Iterable[Planned], loaded: Loaded) -> None:
    """Adds to `loaded`; raises RowProblem. The caller holds the transaction."""
    every = list(rows)
    planned = {name: [row for row in every if row.model == name] for name in ORDER}
    for name in REMOVABLE:
        _take_away(name, {row.key for row in planned[name]})
    for name in ORDER:
        _Table(name).write(planned[name], loaded)


class _Table:
    """One model's rows, with the keys of those they point to."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.model: type[models.Model] = apps.get_model("catalogue", name)
        self.stored = {tuple(row.natural_key()): row for row in _with_links(self.model)}
        self.digests = dict(LoadedRow.objects.filter(model=_marked(name)).values_list("natural_key", "digest"))

    def write(self, rows: list[Planned], loaded: Loaded) -> None:
        targets = {link: _keys(self.model, link) for link in {link for row in rows for link in row.links}}
        made, changed, marks = [], [], []
        for row in rows:
            fields = {**row.fields, **{link: _target(row, link, targets) for link in row.links}}
            stored = self.stored.get(row.key)
            digest = _digest(row.fields, row.links)
            if stored is None:
                made.append(self._checked(row, self.model(**fields)))
                marks.append((row.key, digest))
                loaded.created += 1
                continue
            current = {name: getattr(stored, name) for name in row.fields}
            links = {link: _key_of(getattr(stored, link)) for link in row.links}
            if _digest(current, links) == digest:
                loaded.unchanged += 1
                marks.append((row.key, digest))
            elif self.digests.get("/".join(row.key), _digest(current, links)) == _digest(current, links):
                for name, value in fields.items():
                    setattr(stored, name, value)
                changed.append(self._checked(row, stored))
                marks.append((row.key, digest))
                loaded.updated += 1
            else:
                loaded.differences.extend(
                    StoredDifference(self.name.lower(), "/".join(row.key), name, current[name], row.fields[name])
                    for name in row.fields
                    if current[name] != row.fields[name]
                )
        self._save(made, changed, [name for row in rows[:1] for name in (*row.fields, *row.links)], marks)

    def _checked(self, row: Planned, instance: models.Model) -> models.Model:
        try:
            instance.clean_fields(exclude=row.links)
        except ValidationError as problem:
            wrong = "; ".join(f"{name}: {' '.join(messages)}" for name, messages in problem.message_dict.items())
            raise RowProblem(f"{self.name.lower()} {'/'.join(row.key)}: {wrong}") from problem
        return instance

    def _save(
        self, made: list[models.Model], changed: list[models.Model], names: list[str], marks: list[tuple[Key, str]]
    ) -> None:
        manager: Any = self.model._default_manager
        history: Any = self.model.history  # type: ignore[attr-defined]
        if made:
            history.bulk_history_create(manager.bulk_create(made), default_change_reason=REASON)
        if changed:
            owners = ["clause", "answer", "claim", "reading"] if self.name == "Anchor" else []
            manager.bulk_update(changed, sorted({*names, *owners}))
            history.bulk_history_create(changed, update=True, default_change_reason=REASON)
        LoadedRow.objects.bulk_create(
            [
                LoadedRow(model=_marked(self.name), natural_key="/".join(key), digest=digest)
                for key, digest in marks
                if self.digests.get("/".join(key)) != digest
            ],
            update_conflicts=True,
            unique_fields=["model", "natural_key"],
            update_fields=["digest"],
        )


def _with_links(model: type[models.Model]) -> "models.QuerySet[Any]":
    """All rows with what their natural keys and links need."""
    links = [one.name for one in model._meta.get_fields() if isinstance(one, models.ForeignKey)]
    deep = {"Answer": ["question__game"], "Anchor": ["clause__reading", "answer__question__game", "claim__game"]}
    return model._default_manager.select_related(*links, *deep.get(model.__name__, []))


def _keys(model: type[models.Model], link: str) -> dict[Key, models.Model]:
    target = model._meta.get_field(link).related_model
    assert isinstance(target, type)
    return {tuple(row.natural_key()): row for row in _with_links(target)}


def _target(row: Planned, link: str, targets: dict[str, dict[Key, models.Model]]) -> models.Model | None:
    key = row.links[link]
    if key is None:
        return None
    if key not in targets[link]:
        raise RowProblem(f"{row.model.lower()} {'/'.join(row.key)}: there is no {link} {'/'.join(key)}")
    return targets[link][key]


def _key_of(target: Any) -> Key | None:
    return None if target is None else tuple(target.natural_key())


def _digest(fields: dict[str, Any], links: dict[str, Any]) -> str:
    whole = {**fields, **{name: list(key) if key else None for name, key in links.items()}}
    return hashlib.sha256(json.dumps(whole, sort_keys=True).encode()).hexdigest()


def _take_away(name: str, wanted: set[Key]) -> None:
    """Rows that an earlier load wrote, this one does not know, and nobody has touched since."""
    model: Any = apps.get_model("catalogue", name)
    for mark in LoadedRow.objects.filter(model=_marked(name)):
        key = (mark.natural_key,) if name == "Anchor" else tuple(mark.natural_key.split("/"))
        if key in wanted:
            continue
        row = _with_links(model).filter(pk__in=_pks(model, key)).first()
        if row is not None and row.history.latest().history_change_reason == REASON:
            row._change_reason = "No longer among the shipped fixtures"
            row.delete()
            mark.delete()


def _pks(model: Any, key: Key) -> list[int]:
    try:
        return [model._default_manager.get_by_natural_key(*key).pk]
    except model.DoesNotExist:
        return []


def _marked(name: str) -> str:
    """What `LoadedRow` calls the rows of a model."""
    return f"catalogue.{name.lower()}"
