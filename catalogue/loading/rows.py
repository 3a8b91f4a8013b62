"""Rows by natural key, as Django's fixtures write them: the one form in which everything is loaded.

Rows are found by their keys, hundreds with one query, made into instances, and written many at a time.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from itertools import chain
from typing import Any

from django.apps import apps
from django.core.exceptions import FieldDoesNotExist, ValidationError
from django.db import IntegrityError, models, transaction
from django.utils.text import slugify

from catalogue.history.revisions import record_many
from catalogue.models import Evidence
from catalogue.models.bulk_insert import insert, insert_all
from catalogue.models.fields import NaturalKeyModel

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
    """The columns that are neither the primary key nor a pointer."""
    return tuple(field for field in model._meta.concrete_fields if not field.primary_key and not field.is_relation)


@cache
def linked_to_one(model: type[models.Model]) -> tuple[Any, ...]:
    return tuple(field for field in model._meta.concrete_fields if isinstance(field, models.ForeignKey))


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


Targets = dict[str, dict[Key, Any]]  # field -> natural key -> the row in the database that it stands for


class RowProblem(ValueError):
    """A row cannot be stored; the message names the row and what is wrong with it."""


@dataclass(slots=True)
class Built:
    """An instance to be written, and the rows its many-to-many fields shall hold."""

    instance: Any
    many: dict[str, list[Any]]


def targets_of(model: type[models.Model], rows: list[Row]) -> Targets:
    """What the rows point to, as far as it is in the database."""
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
        for one in (*made, *changed):
            try:
                with transaction.atomic():
                    _write_all(model, *(([one], []) if one in made else ([], [one])), reason)
            except IntegrityError as problem:
                raise RowProblem(f"{row_name(label(model), key_of_instance(one.instance))}: {problem}") from problem


def _write_all(model: type[models.Model], made: list[Built], changed: list[Built], reason: str) -> None:
    for one in made:
        one.instance.pk = None
    manager: Any = model._default_manager
    if made and not linked_to_many(model) and not hasattr(model, "history"):
        insert_all([one.instance for one in made])
    else:
        manager.bulk_create([one.instance for one in made])
    if changed:
        names = [field.name for field in (*plain_fields(model), *linked_to_one(model))]
        manager.bulk_update([one.instance for one in changed], names)
    for link in linked_to_many(model):
        _link(link, made, changed)
    if hasattr(model, "history"):
        for written, update in ((made, False), (changed, True)):
            record_many([one.instance for one in written], reason, update=update)


def _link(link: Any, made: list[Built], changed: list[Built]) -> None:
    """The rows in between, of a many-to-many field."""
    between = link.remote_field.through
    own = link.m2m_field_name()
    relinked = [one for one in changed if link.name in one.many]
    if relinked:
        between.objects.filter(**{f"{own}__in": [one.instance for one in relinked]}).delete()
    pairs = ((one.instance.pk, target.pk) for one in (*made, *relinked) for target in one.many.get(link.name, ()))
    insert(between, [link.m2m_column_name(), link.m2m_reverse_name()], pairs)
