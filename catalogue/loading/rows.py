"""Rows by natural key, as Django's fixtures write them: the one form in which everything is loaded.

Rows are found by their keys, hundreds with one query, made into instances, and written many at a time. A row that
differs from what is offered is reported field by field. It is brought up to date only when the caller asks for that and
the row still is what the last load wrote, which `LoadedRow` remembers. Rows that keep a history get one revision for
each time they are written.
"""

import dataclasses
import hashlib
import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from itertools import chain
from typing import Any, cast

from django.apps import apps
from django.core.exceptions import FieldDoesNotExist, ValidationError
from django.core.serializers.json import DjangoJSONEncoder
from django.db import IntegrityError, models, transaction
from django.utils import timezone
from django.utils.text import slugify

from catalogue.history.histories import LOADED, record_many
from catalogue.models import Evidence, LoadedRow
from catalogue.models.fields import DatedModel, NaturalKeyModel, insert, insert_all
from catalogue.texts.words import same

Row = dict[str, Any]


def row(model: str, **fields: Any) -> Row:
    return {"model": f"catalogue.{model}", "fields": fields}


def slug_of(name: str) -> str:
    return slugify(name)[:100] or "-".join(f"{ord(letter):x}" for letter in name if letter.isalnum())[:100]


Key = tuple[str, ...]


def label(model: Any) -> str:
    name: str = model._meta.label_lower
    return name


NATURAL_KEYS = {
    label(model): model.key_fields
    for model in sorted(apps.get_app_config("catalogue").get_models(), key=label)
    if issubclass(model, NaturalKeyModel)
}


def key_of(row: Row) -> Key:
    """The natural key of a fixture's row; raises KeyError if the row lacks a part of it."""
    return tuple(part for name in NATURAL_KEYS[row["model"]] for part in _flat(row["fields"][name]))


def key_of_instance(instance: Any) -> Key:
    """The natural key of an instance; what it needs of other rows should have been fetched with the instance."""
    return tuple(map(str, instance.natural_key()))


def row_name(model: str, key: Key) -> str:
    """The name of a row in messages."""
    return f"{model.split('.')[1]} {' '.join(key)}"


def model_of(name: str) -> type[models.Model]:
    return apps.get_model(name)


def existing_rows(model: type[models.Model], keys: Iterable[Key]) -> dict[Key, Any]:
    """Rows of these keys with the rows they point to: two queries, and one for each many-to-many field."""
    many = (field.name for field in linked_to_many(model))
    return _found(model, keys, lambda rows: rows.select_related(*_links(model)).prefetch_related(*many))


def existing_keys(model: Any, keys: Iterable[Key]) -> dict[Key, Any]:
    """Rows of these keys with nothing but their keys, as needed of rows that are pointed to: one query."""
    return _found(model, keys, lambda rows: rows.select_related(*model.key_links()).only(*model.key_lookups()))


def _found(model: Any, keys: Iterable[Key], fetched: Callable[[Any], Iterable[Any]]) -> dict[Key, Any]:
    wanted = set(keys)
    if not wanted:
        return {}
    firsts = {key[0] for key in wanted}
    rows = fetched(model._default_manager.filter(**{f"{next(model.key_lookups())}__in": firsts}))
    every = {key_of_instance(row): row for row in rows}
    return {key: row for key, row in every.items() if key in wanted}


@cache
def plain_fields(model: type[models.Model]) -> tuple[Any, ...]:
    """The columns that are neither the primary key nor a pointer, nor say when the row was written."""
    fields = (field for field in model._meta.concrete_fields if not field.primary_key and not field.is_relation)
    return tuple(field for field in fields if not getattr(field, "auto_now", False))


@cache
def linked_to_one(model: type[models.Model]) -> tuple[Any, ...]:
    """The columns that point to rows with natural keys; what points to a person is in no fixture."""
    links = (field for field in model._meta.concrete_fields if isinstance(field, models.ForeignKey))
    return tuple(field for field in links if issubclass(cast(Any, field.related_model), NaturalKeyModel))


@cache
def linked_to_many(model: Any) -> tuple[Any, ...]:
    """The fields a row may name: those whose table in between has no columns of its own."""
    return tuple(field for field in model._meta.many_to_many if field.remote_field.through._meta.auto_created)


def _flat(value: Any) -> Iterator[str]:
    return (str(part) for part in (value if isinstance(value, list) else [value]))


def _links(model: type[models.Model]) -> Iterator[str]:
    """Yield the links of a model, and those within the keys that they lead to."""
    for field in linked_to_one(model):
        yield field.name
        yield from (f"{field.name}__{path}" for path in field.related_model.key_links())


Targets = dict[str, dict[Key, Any]]  # field -> natural key -> the row in the database that it stands for


class RowProblem(ValueError):
    """A row cannot be stored; the message names the row and what is wrong with it."""


@dataclass(slots=True)
class Built:
    """An instance to be written, and the rows its many-to-many fields shall hold."""

    instance: Any
    many: dict[str, list[Any]]


def targets_of(model: type[models.Model], rows: list[Row]) -> Targets:
    """Return the rows that others point to, as far as they are in the database."""
    targets: Targets = {}
    for field in (*linked_to_one(model), *linked_to_many(model)):
        values = [value for row in rows if (value := row["fields"].get(field.name))]
        keys = chain.from_iterable(values) if field.many_to_many else values
        targets[field.name] = existing_keys(field.related_model, (tuple(map(str, key)) for key in keys))
    return targets


def built(row: Row, instance: Any, targets: Targets) -> Built:
    """The instance with what the row says; fields it does not name keep what they hold. Raises RowProblem."""
    model: type[models.Model] = type(instance)
    one, many = {field.name for field in linked_to_one(model)}, {}
    collections = {field.name for field in linked_to_many(model)}
    name = row_name(row["model"], key_of(row))
    try:
        for key, value in row["fields"].items():
            if key in collections:
                many[key] = [_target(name, key, each, targets) for each in value]
            elif key in one:
                setattr(instance, key, _target(name, key, value, targets) if value else None)
            else:
                model._meta.get_field(key)
                setattr(instance, key, value)
        instance.clean_fields(exclude=one)
        if isinstance(instance, Evidence):
            instance.clean()
            instance.set_years()
    except FieldDoesNotExist as problem:
        raise RowProblem(f"{name}: {problem}") from problem
    except ValidationError as problem:
        wrong = "; ".join(f"{name}: {' '.join(messages)}" for name, messages in problem.message_dict.items())
        raise RowProblem(f"{name}: {wrong}") from problem
    return Built(instance, many)


def _target(name: str, key: str, value: Any, targets: Targets) -> Any:
    target = targets[key].get(tuple(map(str, value)))
    if target is None:
        raise RowProblem(f"{name}: {key}: there is no {' '.join(map(str, value))}")
    return target


def write(model: type[models.Model], made: list[Built], changed: list[Built], reason: str) -> None:
    """Raises RowProblem, naming the row, if the database refuses one; then none is written."""
    try:
        with transaction.atomic():
            _write_all(model, made, changed, reason)
    except IntegrityError:
        # One of them is refused by the database; it does not say which.
        for row in (*made, *changed):
            try:
                with transaction.atomic():
                    _write_all(model, *(([row], []) if row in made else ([], [row])), reason)
            except IntegrityError as problem:
                raise RowProblem(f"{row_name(label(model), key_of_instance(row.instance))}: {problem}") from problem


def _write_all(model: type[models.Model], made: list[Built], changed: list[Built], reason: str) -> None:
    for row in made:
        row.instance.pk = None
    manager: Any = model._default_manager
    if made and not linked_to_many(model) and not hasattr(model, "history"):
        insert_all([row.instance for row in made])
    else:
        manager.bulk_create([row.instance for row in made])
    if changed:
        names = [field.name for field in (*plain_fields(model), *linked_to_one(model))]
        if issubclass(model, DatedModel):
            names.append("changed")
            for row in changed:
                row.instance.changed = timezone.now()
        manager.bulk_update([row.instance for row in changed], names)
    for link in linked_to_many(model):
        _link(link, made, changed)
    if hasattr(model, "history"):
        for written, update in ((made, False), (changed, True)):
            record_many([row.instance for row in written], reason, update=update)


def _link(link: Any, made: list[Built], changed: list[Built]) -> None:
    """The rows in between, of a many-to-many field."""
    between = link.remote_field.through
    own = link.m2m_field_name()
    relinked = [row for row in changed if link.name in row.many]
    if relinked:
        between.objects.filter(**{f"{own}__in": [row.instance for row in relinked]}).delete()
    pairs = ((row.instance.pk, target.pk) for row in (*made, *relinked) for target in row.many.get(link.name, ()))
    insert(between, [link.m2m_column_name(), link.m2m_reverse_name()], pairs)


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
    """The numbers of rows that were created, updated or unchanged, and the differences that were left alone."""

    created: int = 0
    updated: int = 0
    unchanged: int = 0
    differences: list[StoredDifference] = dataclasses.field(default_factory=list)


def load_rows(
    rows: Iterable[Row], loaded: Loaded, *, bring_up_to_date: bool, reason: str = LOADED, overwrite: bool = False
) -> None:
    """Adds to `loaded`. Raises RowProblem if a row cannot be stored; the caller holds the transaction.

    rows:   each after those it points to
    bring_up_to_date: rows that are as the last such load wrote them; what it wrote is remembered
    reason: what the history of a written row says of it
    overwrite: rows that differ are written, whoever wrote them last: an editor says so
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
            elif overwrite or (bring_up_to_date and marks.get(key) == _digest(current)):
                changed.append(built(row, stored[key], targets))
            else:
                loaded.differences.extend(differences)
        if made or changed:
            write(model, made, changed, reason)
            loaded.created += len(made)
            loaded.updated += len(changed)
        if bring_up_to_date:
            _mark(model, [*seen, *(_mark_of(row) for row in (*made, *changed))], marks)


def load_missing(rows: Iterable[Row], loaded: Loaded) -> None:
    """Make the rows that are not there; those that are stay as they are, unread."""
    for model, some in _together(rows):
        stored = existing_keys(model, (key_of(row) for row in some))
        load_rows((row for row in some if key_of(row) not in stored), loaded, bring_up_to_date=False)


def _together(rows: Iterable[Row]) -> Iterator[tuple[type[models.Model], list[Row]]]:
    """Group rows that can be written at once: of one model, each key once, none pointing to another of them.

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
    own = (field.name for field in linked_to_one(model) if field.related_model is model)
    return any(row["fields"].get(name) and tuple(row["fields"][name]) in keys for name in own)


def _differences(model: type[models.Model], row: Row, current: Row) -> list[StoredDifference]:
    key = " ".join(key_of(row))
    unordered = {field.name for field in linked_to_many(model)}
    return [
        StoredDifference(model._meta.model_name or "", key, name, current[name], value)
        for name, value in row["fields"].items()
        if not is_as_stored(model, name, current[name], sorted(value) if name in unordered else value)
    ]


def is_as_stored(model: type[models.Model], name: str, stored: Any, value: Any) -> bool:
    """The same but for white space, except in the text of a clause: a blank line parts the rule from the remark."""
    is_parted = model._meta.model_name == "clause" and name == "text"
    return bool(stored == value) if is_parted else same(stored, value)


def _fields(instance: Any, many: dict[str, list[Any]] | None = None) -> Row:
    """The row's fields as a fixture would hold them; `many` is what its many-to-many fields shall hold, if known."""
    model: type[models.Model] = type(instance)
    fields: Row = {field.name: field.value_from_object(instance) for field in plain_fields(model)}
    for field in linked_to_one(model):
        target = getattr(instance, field.name)
        fields[field.name] = None if target is None else list(key_of_instance(target))
    for field in linked_to_many(model):
        held = (many or {}).get(field.name)
        targets = getattr(instance, field.name).all() if held is None else held
        fields[field.name] = sorted(list(key_of_instance(target)) for target in targets)
    plain: Row = json.loads(json.dumps(fields, cls=DjangoJSONEncoder))
    return plain


def _digest(fields: Row) -> str:
    """The digest of what the fields hold, without empty ones: a new column of the catalogue changes no digest."""
    held = {name: value for name, value in fields.items() if value}
    return hashlib.sha256(json.dumps(held, sort_keys=True).encode()).hexdigest()


def _mark_of(one: Built) -> tuple[Key, str]:
    return key_of_instance(one.instance), _digest(_fields(one.instance, one.many))


def _marks(model: type[models.Model], stored: Iterable[Key]) -> dict[Key, str]:
    """Return the digests of what the last load wrote into the rows."""
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
