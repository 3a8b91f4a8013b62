"""What rows are made of: texts that are not ours to change, natural keys, and many rows written by few statements.

Anchors point into verbatim texts by code point, so the same words must always be the same string: NFC, with line
breaks as one character (a browser's form sends two). Rows are named by words that last, in fixtures and addresses,
never by the numbers of a database. `bulk_create` asks each field of each row how it is to be written, which takes
several times what the database takes; it stays the way where rows have to learn their primary keys.
"""

import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice
from typing import Any, ClassVar, TypeVar

from django.db import connection, models
from django.db.models import CharField, ForeignKey, IntegerField, Model, TextField
from django.db.models.functions import Now

ModelT = TypeVar("ModelT", bound="NaturalKeyModel")


class NaturalKeyManager(models.Manager[ModelT]):
    def get_by_natural_key(self, *key: Any) -> ModelT:
        return self.get(**dict(zip(self.model.key_lookups(), key, strict=True)))


class NaturalKeyModel(models.Model):
    """A row that is named by its `key_fields`; one that points to another such row stands for that row's whole key."""

    key_fields: ClassVar[tuple[str, ...]] = ("slug",)

    objects = NaturalKeyManager()

    class Meta:
        abstract = True

    def natural_key(self) -> tuple[Any, ...]:
        """The key in one tuple: for an answer the slugs of its game, of its question and its own."""
        parts: list[Any] = []
        for name in self.key_fields:
            part = getattr(self, name)
            parts += part.natural_key() if isinstance(part, NaturalKeyModel) else [part]
        return tuple(parts)

    @classmethod
    def key_lookups(cls) -> Iterator[str]:
        """The lookups that lead to the parts of the key."""
        for name in cls.key_fields:
            target: Any = cls._meta.get_field(name).related_model
            yield from (f"{name}__{path}" for path in target.key_lookups()) if target else (name,)

    @classmethod
    def key_links(cls) -> Iterator[str]:
        """The lookups of the rows that parts of the key come from."""
        for name in cls.key_fields:
            target: Any = cls._meta.get_field(name).related_model
            if target:
                yield from (name, *(f"{name}__{path}" for path in target.key_links()))


def verbatim(text: str) -> str:
    return unicodedata.normalize("NFC", text.replace("\r\n", "\n").replace("\r", "\n"))


class DatedModel(models.Model):
    """A row that keeps no history, but knows when it was last written, for those who ask what has changed."""

    changed = models.DateTimeField(auto_now=True, db_default=Now())

    class Meta:
        abstract = True


class VerbatimTextField(models.TextField):
    def to_python(self, value: Any) -> Any:
        value = super().to_python(value)
        return verbatim(value) if isinstance(value, str) else value

    def pre_save(self, model_instance: models.Model, add: bool) -> Any:
        value = self.to_python(getattr(model_instance, self.attname))
        setattr(model_instance, self.attname, value)
        return value


VALUES_AT_ONCE = 10_000  # SQLite takes 32,766 in a statement
# What these hold a database takes as it is; others, such as dates, decimals and JSON, prepare it.
AS_THEY_ARE = (CharField, TextField, IntegerField, ForeignKey)


def insert(
    model: type[Model],
    columns: Sequence[str],
    rows: Iterable[Sequence[Any]],
    *,
    ignore_conflicts: bool = False,
    same: Sequence[str] = (),
) -> None:
    """Insert rows by one statement; every column without a default of the database's own has to be named.

    columns: as the table names them; a field that points to a row ends in _id
    rows:    values in the order of the columns
    same:    columns of a unique constraint: a row that has the same there is overwritten

    Raises KeyError for a column that the table has not, IntegrityError if a constraint refuses a row.
    """
    of_column = {field.column: field for field in model._meta.concrete_fields}
    fields = [of_column[name] for name in columns]
    prepared = [place for place, field in enumerate(fields) if not isinstance(field, AS_THEY_ARE)]
    at_once = VALUES_AT_ONCE // len(columns)
    rest = iter(rows)
    with connection.cursor() as cursor:
        while some := list(islice(rest, at_once)):
            if prepared:
                some = [_prepared(fields, prepared, row) for row in some]
            statement = _statement(model, columns, len(some), ignore_conflicts, same)
            cursor.execute(statement, list(chain.from_iterable(some)))


def insert_all(instances: Sequence[Model]) -> None:
    """Instances of one model, as `bulk_create` would write them, but that they do not learn their primary keys."""
    fields = [field for field in instances[0]._meta.concrete_fields if not field.primary_key]
    rows = ([field.pre_save(instance, add=True) for field in fields] for instance in instances)
    insert(type(instances[0]), [field.attname for field in fields], rows)


def _prepared(fields: Sequence[Any], places: Sequence[int], row: Sequence[Any]) -> list[Any]:
    values = list(row)
    for place in places:
        values[place] = fields[place].get_db_prep_save(values[place], connection)
    return values


def _statement(model: type[Model], columns: Sequence[str], rows: int, ignore: bool, same: Sequence[str]) -> str:
    quote = connection.ops.quote_name
    names = [quote(name) for name in columns]
    row = f"({', '.join(['%s'] * len(columns))})"
    conflict = "ON CONFLICT DO NOTHING" if ignore else ""
    if same:
        renewed = ", ".join(f"{quote(name)} = EXCLUDED.{quote(name)}" for name in columns if name not in same)
        conflict = f"ON CONFLICT ({', '.join(map(quote, same))}) DO UPDATE SET {renewed}"
    table = quote(model._meta.db_table)
    return f"INSERT INTO {table} ({', '.join(names)}) VALUES {', '.join([row] * rows)} {conflict}".strip()
