"""Rows of fixtures made into instances, and many instances written with a few queries.

What `save` does for one instance is done here for all of them: links, and one revision each in the history.
"""

from dataclasses import dataclass
from itertools import chain
from typing import Any

from django.core.exceptions import FieldDoesNotExist, ValidationError
from django.db import IntegrityError, models, transaction

from catalogue.history.recording import record_many
from catalogue.loading.natural_keys import (
    Key,
    found_keys,
    key_of,
    key_of_instance,
    label,
    linked_to_many,
    linked_to_one,
    named,
    plain_fields,
)
from catalogue.loading.rows import Row
from catalogue.models import Evidence
from catalogue.models.bulk_insert import insert, insert_all

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
        targets[field.name] = found_keys(field.related_model, (tuple(map(str, key)) for key in keys))
    return targets


def built(row: Row, instance: Any, targets: Targets) -> Built:
    """The instance with what the row says; fields it does not name keep what they hold. Raises RowProblem."""
    model: type[models.Model] = type(instance)
    one, many = {field.name for field in linked_to_one(model)}, {}
    collections = {field.name for field in linked_to_many(model)}
    name = named(row["model"], key_of(row))
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
                raise RowProblem(f"{named(label(model), key_of_instance(one.instance))}: {problem}") from problem


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
