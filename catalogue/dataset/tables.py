"""The tables of a dataset: which rows and columns are for everybody, and how values are cells of CSV.

The tables are read off the models: a new model with a natural key is a new table. A record that was withdrawn stays,
with its identifier, the day and the reason, so that its address goes on saying so; its texts, and what was said of
these, are left out. Of the batches only those that come with the catalogue are held: visitors asked for the others.
A value is written in one way only, whatever the database.
"""

import datetime
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from functools import cache
from itertools import chain
from typing import Any, NamedTuple

from django.db import connection, models
from django.db.models import Q
from django.db.models.functions import Collate

from catalogue.loading.rows import NATURAL_KEYS, label, linked_to_many, model_of
from catalogue.models.pictures import Rights
from simulator.models import Batch, RulesetVersion

# Where not all columns are for everybody, those that are.
ONLY: dict[str, tuple[str, ...]] = {
    "simulator.batch": (
        "id", "ruleset", "family_version", "row_version", "players", "seed", "games", "cap", "until", "rows_kept",
        "counts_traffic", "digest", "tally_digest", "provenance", "created", "closed",
    ),
    "simulator.measurement": ("batch", "place", "measure", "title", "unit", "value", "low", "high", "n", "censored"),
    "simulator.ruleset": ("hash", "family", "document"),
    "simulator.rulesetversion": ("slug", "number", "ruleset", "parent", "date"),
}  # fmt: skip
WITHHELD = ("rules", "reference", "content", "other_fields", "board")  # of a record that was withdrawn
_SHIPPED_BATCH = {"state": Batch.State.DONE, "origin": Batch.Origin.DEMO}
_OF_SHOWN_RECORDS = Q(evidence__withdrawn_on=None)
ROWS: dict[str, Q] = {
    "catalogue.anchor": _OF_SHOWN_RECORDS,
    "catalogue.citation": _OF_SHOWN_RECORDS,
    "catalogue.editorsnote": _OF_SHOWN_RECORDS,
    "catalogue.evidenceuncertainty": _OF_SHOWN_RECORDS,
    "catalogue.observation": _OF_SHOWN_RECORDS,
    "catalogue.picture": _OF_SHOWN_RECORDS & ~Q(rights=Rights.EDITORS_ONLY),
    "catalogue.term": _OF_SHOWN_RECORDS,
    "simulator.batch": Q(**_SHIPPED_BATCH),
    "simulator.measurement": Q(**{f"batch__{name}": value for name, value in _SHIPPED_BATCH.items()}),
}
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
QUOTED = re.compile(r'[",\r\n]')
WHOLE = re.compile(r"-?[0-9]{1,19}")
IN_UTC = re.compile(r".*Z", re.DOTALL)
PLAIN_NUMBER = re.compile(r"-?[0-9]{1,40}(\.[0-9]{1,40})?(e[+-]?[0-9]{1,3})?")


def shipped_batches() -> Any:
    return Batch.objects.filter(**_SHIPPED_BATCH)


def shipped_rows(model: Any) -> Any:
    rows = model._default_manager.filter(ROWS.get(label(model), Q()))
    if label(model) == "simulator.ruleset":
        named, played = RulesetVersion.objects.values("ruleset"), shipped_batches().values("ruleset")
        return rows.filter(Q(pk__in=named) | Q(pk__in=played))
    return rows


def without_withheld(row: dict[str, Any]) -> dict[str, Any]:
    """A record's row without what is withheld; any other as it is."""
    if row.get("withdrawn_on"):
        return {**row, **{name: {} if name in ("other_fields", "board") else "" for name in WITHHELD if name in row}}
    return row


@dataclass(frozen=True, slots=True)
class DatasetColumn:
    """A column of a table.

    path: the lookup that leads to it; may_be_null: whether a row may leave it out
    of: the field of the model that the column is, or is a part of; field: that field, or the one at the end of the path
    """

    name: str
    path: str
    type: str
    of: str
    field: Any
    may_be_null: bool

    @property
    def may_be_empty(self) -> bool:
        return bool(self.may_be_null or self.field.blank or self.field.empty_strings_allowed)

    @property
    def choices(self) -> list[tuple[Any, Any]]:
        """(value, words) of each value it can have; empty where it can have any."""
        return [] if self.field.is_relation else self.field.flatchoices


@dataclass(frozen=True, slots=True)
class Pointer:
    """Columns that together name a row of another table, or of the same one."""

    columns: tuple[str, ...]
    table: str
    keys: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class DatasetTable:
    """One file. link: the field of `model` whose rows in between the file holds; then `between` is their model."""

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
        """The rows that are for everybody."""
        return shipped_rows(self.between or self.model)

    def rows(self) -> Iterator[tuple[Any, ...]]:
        """The rows in the order of their keys, by code points on every database; they are read as they are needed."""
        keys = [self.column(name) for name in self.key]
        order = [_by_code_points(key.path) if key.type == "string" else models.F(key.path) for key in keys]
        rows = self.query().order_by(*order).values_list(*(column.path for column in self.columns))
        yield from rows.iterator(chunk_size=1_000)


@cache
def tables() -> tuple[DatasetTable, ...]:
    """All tables, each after those that it points to."""
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
    own = tuple(column.name for column in columns if column.of in key)
    return DatasetTable(table_name(model), model, columns, own, pointers)


def _link(model: type[models.Model], field: Any) -> DatasetTable:
    between = field.remote_field.through
    names = (field.m2m_field_name(), field.m2m_reverse_field_name())
    columns, pointers = _columns([between._meta.get_field(name) for name in names])
    key = tuple(column.name for column in columns)
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
    parts = [part for key in KEYS[label(target)] for part in _parts(target._meta.get_field(key), key, key, of)]
    for part in parts:
        own_name = name if len(parts) == 1 else f"{name}_{part.name}"
        end = field if len(parts) == 1 else part.field
        yield DatasetColumn(own_name, f"{path}__{part.path}", part.type, of, end, field.null)


def _pointer(parts: tuple[DatasetColumn, ...], target: type[models.Model]) -> Pointer:
    theirs = (part.name for key in KEYS[label(target)] for part in _parts(target._meta.get_field(key), key, key, key))
    return Pointer(tuple(one.name for one in parts), table_name(target), tuple(theirs))


def _fields(model: Any) -> list[Any]:
    """The fields that a dataset holds: no numbers of rows, no times of writing, nothing that points to a person."""
    name = label(model)
    if name in ONLY:
        return [model._meta.get_field(one) for one in ONLY[name]]
    return [
        field
        for field in model._meta.concrete_fields
        if (not field.primary_key or field.name in KEYS[name])
        and not isinstance(field, models.DateTimeField)
        and (not field.is_relation or label(field.related_model) in KEYS)
    ]


def table_name(model: Any) -> str:
    return str(model._meta.verbose_name_plural).replace(" ", "_").lower()


def type_of(field: Any) -> str:
    """The type of a column, as Frictionless' table schema calls it."""
    if isinstance(field, models.JSONField):
        return "array" if field.default is list else "object"
    return next((name for name, cell in CELLS.items() if isinstance(field, cell.fields)), "string")


def _by_code_points(path: str) -> Collate:
    return Collate(models.F(path), "C" if connection.vendor == "postgresql" else "BINARY")


def line(cells: Iterable[str]) -> str:
    """One line of CSV. Python's own writer leaves a carriage return unquoted where lines end in LF."""
    return ",".join('"{}"'.format(cell.replace('"', '""')) if QUOTED.search(cell) else cell for cell in cells) + "\n"


def text_of(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, datetime.datetime):
        return value.astimezone(datetime.UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")
    if isinstance(value, datetime.date):
        return value.isoformat()
    if isinstance(value, dict | list):
        return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return str(value)


def value_of(text: str, column: DatasetColumn) -> Any:
    """The value of a cell; raises ValueError, saying what was expected."""
    if column.type == "string":
        return text if text or not column.may_be_null else None
    cell = CELLS[column.type]
    if text == "":
        if column.may_be_null:
            return None
        if column.type in ("object", "array"):
            return column.field.get_default()
        raise ValueError(f"is empty, and must be {cell.expected}")
    try:
        return cell.read(text)
    except (ValueError, KeyError, InvalidOperation, RecursionError) as problem:
        raise ValueError(f"must be {cell.expected}, not {shortened(text)!r}") from problem


def sort_value(text: str, column: DatasetColumn) -> tuple[int, str]:
    """The key by which a cell is sorted: numbers as numbers, texts by code points."""
    return (int(text), "") if column.type == "integer" and WHOLE.fullmatch(text) else (0, text)


def shortened(text: str, most: int = 80) -> str:
    return text if len(text) <= most else f"{text[:most]}…"


def _matched(text: str, pattern: re.Pattern[str]) -> str:
    if not pattern.fullmatch(text):
        raise ValueError(text)
    return text


def _json(text: str, kind: type) -> Any:
    value = json.loads(text)
    if "\\u" in text:
        json.dumps(value, ensure_ascii=False).encode()  # half a character cannot be written, here or elsewhere
    if not isinstance(value, kind):
        raise ValueError(text)
    return value


class CellType(NamedTuple):
    """The cells of a type. fields: of models that are written so; expected: what a cell must be, in words"""

    fields: tuple[type[Any], ...]
    expected: str
    read: Callable[[str], Any]


# By the names of types in Frictionless' table schema; all other columns are of the type "string".
CELLS: Mapping[str, CellType] = {
    "boolean": CellType((models.BooleanField,), "true or false", {"true": True, "false": False}.__getitem__),
    "integer": CellType((models.IntegerField,), "a whole number", lambda text: int(_matched(text, WHOLE))),
    "number": CellType(
        (models.DecimalField, models.FloatField),
        "a number such as 7.5",
        lambda text: Decimal(_matched(text, PLAIN_NUMBER)),
    ),
    "datetime": CellType(
        (models.DateTimeField,),
        "a moment such as 2026-11-21T09:30:00.000000Z",
        lambda text: datetime.datetime.fromisoformat(_matched(text, IN_UTC)),
    ),
    "date": CellType((models.DateField,), "a date such as 2026-11-21", datetime.date.fromisoformat),
    "object": CellType((), "an object in JSON", lambda text: _json(text, dict)),
    "array": CellType((), "a list in JSON", lambda text: _json(text, list)),
}
