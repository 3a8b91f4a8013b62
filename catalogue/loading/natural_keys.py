"""Rows found by their natural keys, hundreds with one query.

A natural key is written flat, as a tuple of texts: an answer's is its game, its question and its own slug. A row of a
fixture points to another by a list of the same texts.
"""

from collections.abc import Callable, Iterable, Iterator
from functools import cache
from typing import Any

from django.apps import apps
from django.db import models

from catalogue.loading.rows import Row
from catalogue.models.fields import NaturalKeyModel

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
    """Raises KeyError if the row lacks a part of its key."""
    return tuple(part for name in NATURAL_KEYS[row["model"]] for part in _flat(row["fields"][name]))


def key_of_instance(instance: Any) -> Key:
    """Of a row of the database; what its key needs of other rows should have been fetched with it."""
    return tuple(map(str, instance.natural_key()))


def named(model: str, key: Key) -> str:
    """As a message names a row."""
    return f"{model.split('.')[1]} {' '.join(key)}"


def model_of(name: str) -> type[models.Model]:
    return apps.get_model(name)


def found(model: type[models.Model], keys: Iterable[Key]) -> dict[Key, Any]:
    """Those rows that are in the database, with what they point to: two queries and one for each many-to-many field."""
    many = (field.name for field in linked_to_many(model))
    return _found(model, keys, lambda rows: rows.select_related(*_links(model)).prefetch_related(*many))


def found_keys(model: Any, keys: Iterable[Key]) -> dict[Key, Any]:
    """Those rows that are in the database, with their keys alone, as rows that are only pointed to: one query."""
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
    """The columns that are neither the primary key nor a pointer."""
    return tuple(one for one in model._meta.concrete_fields if not one.primary_key and not one.is_relation)


@cache
def linked_to_one(model: type[models.Model]) -> tuple[Any, ...]:
    return tuple(one for one in model._meta.concrete_fields if isinstance(one, models.ForeignKey))


@cache
def linked_to_many(model: Any) -> tuple[Any, ...]:
    """The fields a row may name: those whose table in between has no columns of its own."""
    return tuple(one for one in model._meta.many_to_many if one.remote_field.through._meta.auto_created)


def _flat(value: Any) -> Iterator[str]:
    return (str(part) for part in (value if isinstance(value, list) else [value]))


def _links(model: type[models.Model]) -> Iterator[str]:
    """Everything a row points to, and what the keys of that need."""
    for field in linked_to_one(model):
        yield field.name
        yield from (f"{field.name}__{path}" for path in field.related_model.key_links())
