"""The tables of a dataset and their columns, read off the models: a new model with a natural key is a new table.

Rows are known by their natural keys instead of numbers. What points to a row of a longer key takes a column for each of
its parts: an anchor's `clause_reading` and `clause_slug` are the `reading` and the `slug` of a clause.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import chain
from typing import Any

from django.db import connection, models
from django.db.models.functions import Collate

from catalogue.dataset.shipped import ONLY, shipped_rows
from catalogue.loading.natural_keys import NATURAL_KEYS, label, linked_to_many, model_of

KEYS: dict[str, tuple[str, ...]] = {
    **NATURAL_KEYS,
    "catalogue.verdict": ("claim", "number"),
    "simulator.batch": ("id",),
    "simulator.measurement": ("batch", "place"),
    "simulator.ruleset": ("hash",),
    "simulator.rulesetversion": ("slug", "number"),
}
# Columns that keep the name they had in the first releases, which is the portal's.
PORTAL_NAMES = {"catalogue.evidence.quotation": "content", "catalogue.evidence.paraphrase": "rules"}
TYPES: tuple[tuple[type[Any], str], ...] = (
    (models.BooleanField, "boolean"),
    (models.IntegerField, "integer"),
    (models.DecimalField, "number"),
    (models.FloatField, "number"),
    (models.DateTimeField, "datetime"),
    (models.DateField, "date"),
)


@dataclass(frozen=True, slots=True)
class DatasetColumn:
    """path: the lookup that leads to it. of: the field of the model that it is, or is a part of. field: that field, or
    the one at the end of the path. may_be_null: whether the row may leave it out."""

    name: str
    path: str
    type: str
    of: str
    field: Any
    may_be_null: bool


@dataclass(frozen=True, slots=True)
class Pointer:
    """Columns that together name a row of another table, or of the same one."""

    columns: tuple[str, ...]
    table: str
    keys: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class DatasetTable:
    """One file. link: the field of `model` whose rows in between it holds; then `between` is their model."""

    name: str
    model: type[models.Model]
    columns: tuple[DatasetColumn, ...]
    key: tuple[str, ...]
    pointers: tuple[Pointer, ...]
    link: str = ""
    between: Any = None

    @property
    def file(self) -> str:
        return f"{self.name}.csv"

    def column(self, name: str) -> DatasetColumn:
        return next(column for column in self.columns if column.name == name)

    def query(self) -> Any:
        """Of the rows that are for everybody."""
        return shipped_rows(self.between or self.model)

    def rows(self) -> Iterator[tuple[Any, ...]]:
        """In the order of their keys, by code points and on every database the same; read as they are asked for."""
        keys = [self.column(name) for name in self.key]
        order = [_by_code_points(one.path) if one.type == "string" else models.F(one.path) for one in keys]
        rows = self.query().order_by(*order).values_list(*(one.path for one in self.columns))
        yield from rows.iterator(chunk_size=1_000)


@cache
def tables() -> tuple[DatasetTable, ...]:
    """Each after those it points to."""
    every = []
    for name in _in_order():
        model = model_of(name)
        every.append(_table(model))
        every += [_link(model, field) for field in linked_to_many(model) if label(field.related_model) in KEYS]
    return tuple(every)


def _in_order() -> Iterator[str]:
    done: set[str] = set()

    def after(name: str) -> Iterator[str]:
        if name in done:
            return
        done.add(name)
        model: Any = model_of(name)
        for field in (*_fields(model), *linked_to_many(model)):
            if field.is_relation and label(field.related_model) in KEYS:
                yield from after(label(field.related_model))
        yield name

    for name in KEYS:
        yield from after(name)


def _table(model: type[models.Model]) -> DatasetTable:
    key = KEYS[label(model)]
    fields = sorted(_fields(model), key=lambda one: key.index(one.name) if one.name in key else len(key))
    columns, pointers = _columns(fields)
    own = tuple(one.name for one in columns if one.of in key)
    return DatasetTable(table_name(model), model, columns, own, pointers)


def _link(model: type[models.Model], field: Any) -> DatasetTable:
    between = field.remote_field.through
    names = (field.m2m_field_name(), field.m2m_reverse_field_name())
    columns, pointers = _columns([between._meta.get_field(name) for name in names])
    key = tuple(one.name for one in columns)
    return DatasetTable(f"{table_name(model)}_{field.name}", model, columns, key, pointers, field.name, between)


def _columns(fields: list[Any]) -> tuple[tuple[DatasetColumn, ...], tuple[Pointer, ...]]:
    parts = {field: tuple(_parts(field, field.name, field.name, field.name)) for field in fields}
    pointers = (_pointer(columns, field.related_model) for field, columns in parts.items() if field.is_relation)
    return tuple(chain.from_iterable(parts.values())), tuple(pointers)


def _parts(field: Any, name: str, path: str, of: str) -> Iterator[DatasetColumn]:
    """One column, or one for each part of the key of the row that is pointed to."""
    if not field.is_relation:
        column = PORTAL_NAMES.get(f"{label(field.model)}.{name}", name)
        yield DatasetColumn(column, path, type_of(field), of, field, field.null)
        return
    target = field.related_model
    parts = [part for one in KEYS[label(target)] for part in _parts(target._meta.get_field(one), one, one, of)]
    for part in parts:
        own_name = name if len(parts) == 1 else f"{name}_{part.name}"
        end = field if len(parts) == 1 else part.field
        yield DatasetColumn(own_name, f"{path}__{part.path}", part.type, of, end, field.null)


def _pointer(parts: tuple[DatasetColumn, ...], target: type[models.Model]) -> Pointer:
    theirs = (part.name for one in KEYS[label(target)] for part in _parts(target._meta.get_field(one), one, one, one))
    return Pointer(tuple(one.name for one in parts), table_name(target), tuple(theirs))


def _fields(model: Any) -> list[Any]:
    """Those that a dataset holds: no numbers of rows, no times of writing, nothing that points to a person."""
    name = label(model)
    if name in ONLY:
        return [model._meta.get_field(one) for one in ONLY[name]]
    return [
        one
        for one in model._meta.concrete_fields
        if (not one.primary_key or one.name in KEYS[name])
        and not isinstance(one, models.DateTimeField)
        and (not one.is_relation or label(one.related_model) in KEYS)
    ]


def table_name(model: Any) -> str:
    return str(model._meta.verbose_name_plural).replace(" ", "_").lower()


def type_of(field: Any) -> str:
    """In the words of Frictionless' table schema."""
    if isinstance(field, models.JSONField):
        return "array" if field.default is list else "object"
    return next((name for kind, name in TYPES if isinstance(field, kind)), "string")


def _by_code_points(path: str) -> Collate:
    return Collate(models.F(path), "C" if connection.vendor == "postgresql" else "BINARY")
