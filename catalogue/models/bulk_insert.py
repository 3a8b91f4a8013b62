"""Many rows into one table, given as plain values: a few statements, each written once for all of its rows.

`bulk_create` asks each field of each row how it is to be written, which takes several times what the database takes.
It stays the way where rows have to learn their primary keys.
"""

from collections.abc import Iterable, Sequence
from itertools import chain, islice
from typing import Any

from django.db import connection
from django.db.models import CharField, ForeignKey, IntegerField, Model, TextField

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
    """Every column without a default of the database's own has to be named.

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
