"""What the two databases do differently: reading as of one moment, emptying, and the numbers that rows get."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from django.core.management.color import no_style
from django.db import connection, transaction

from catalogue.backups.tables import BackupTable


@contextmanager
def one_moment() -> Iterator[None]:
    """Whatever is read within is as it was at one moment, and nobody who writes meanwhile is kept from it."""
    if connection.vendor == "postgresql":
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
            yield
        return
    with connection.cursor() as cursor:
        cursor.execute("BEGIN DEFERRED")  # a transaction of Django's own would begin by keeping writers out
        try:
            yield
        finally:
            cursor.execute("ROLLBACK")


def has_tables() -> bool:
    return bool(connection.introspection.table_names())


def empty(tables: Sequence[BackupTable]) -> None:
    """Within a transaction: every row is gone, or none."""
    with connection.cursor() as cursor:
        for statement in connection.ops.sql_flush(no_style(), [table.name for table in tables]):
            cursor.execute(statement)


def last_number(table: BackupTable) -> int | None:
    """The highest number a row of the table ever got by itself, so that none is given twice; None if it gives none."""
    key = table.model._meta.pk
    if key.get_internal_type() not in ("AutoField", "BigAutoField", "SmallAutoField"):
        return None
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            cursor.execute("SELECT seq FROM sqlite_sequence WHERE name = %s", [table.name])
        else:
            cursor.execute(f"SELECT last_value FROM {_sequence(table)} WHERE is_called")
        row = cursor.fetchone()
    return int(row[0]) if row else 0


def set_last_number(table: BackupTable, number: int) -> None:
    """The next row without a number gets the one after it."""
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            cursor.execute("DELETE FROM sqlite_sequence WHERE name = %s", [table.name])
            cursor.execute("INSERT INTO sqlite_sequence (name, seq) VALUES (%s, %s)", [table.name, number])
        else:
            cursor.execute(f"SELECT setval('{_sequence(table)}', %s, %s)", [max(number, 1), number > 0])


def _sequence(table: BackupTable) -> str:
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_get_serial_sequence(%s, %s)", [f'"{table.name}"', table.model._meta.pk.column])
        return str(cursor.fetchone()[0])
