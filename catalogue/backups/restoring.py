"""A backup restored: all of its rows in one transaction, then the releases, then the migrations that came since.

What can be wrong is looked for before anything is touched: the file is verified, and the releases are unpacked beside
their place. After the transaction they only get their names.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.contrib.contenttypes.models import ContentType
from django.contrib.sessions.models import Session
from django.core.exceptions import ValidationError
from django.core.management import call_command
from django.db import DatabaseError, connection, transaction
from django.db.migrations.executor import MigrationExecutor

from catalogue.backups.archive import Archive, opened
from catalogue.backups.cells import values
from catalogue.backups.database import empty, has_tables, set_last_number
from catalogue.backups.problems import BackupProblem, NotEmpty
from catalogue.backups.releases import unpacked_releases
from catalogue.backups.tables import BackupTable, Node, applied, checked, ends_of, tables_after

MOST_ROWS, MOST_BYTES = 500, 4_000_000  # that are written together
# What `migrate` writes by itself: a database that holds nothing else is empty.
WRITTEN_BY_MIGRATE = ("contenttypes.contenttype", "auth.permission", "auth.group", "auth.group_permissions")
Notify = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Restored:
    """created: when the backup was made, by which version. rows: table → rows."""

    created: str
    version: str
    digest: str
    rows: dict[str, int]
    releases: list[str]


def look_at(file: Path) -> Restored:
    """What is in the backup; raises BackupProblem unless it is whole and this version can restore it."""
    with opened(file) as archive:
        _tables(archive)
        return _told(archive)


def restore(file: Path, *, replace: bool = False, notify: Notify = lambda text: None) -> Restored:
    """replace: instead of what the database and the folder of releases hold now

    Raises BackupProblem if the file cannot be restored here, NotEmpty if something is here already; neither the rows
    nor the releases have changed then.
    """
    notify("verifying the backup")
    with opened(file) as archive:
        tables = _tables(archive)
        with unpacked_releases(archive, replace) as releases:
            _prepare_tables([(app, name) for app, name in archive.contents["migrations"]], notify)
            with transaction.atomic():
                if not replace:
                    _check_empty([table for table, _ in tables])
                _write_rows(archive, tables, notify)
            releases.put_in_place()
        notify("bringing the database up to date")
        call_command("migrate", verbosity=0, interactive=False)
        return _told(archive)


def _told(archive: Archive) -> Restored:
    contents = archive.contents
    rows = {one["table"]: one["rows"] for one in contents["tables"]}
    return Restored(contents["created"], contents["version"], archive.digest, rows, contents["releases"])


def _tables(archive: Archive) -> list[tuple[BackupTable, dict[str, Any]]]:
    """The tables with what the list says of them, which must be what their migrations say."""
    nodes = checked([(app, name) for app, name in archive.contents["migrations"]], "the backup")
    known = {table.label: table for table in tables_after(nodes)}
    listed = {one["table"]: one for one in archive.contents["tables"]}
    for label in sorted(known.keys() ^ listed.keys()):
        raise BackupProblem(f"the backup and its migrations disagree about the table {label}")
    for label, table in known.items():
        if listed[label]["columns"] != [field.attname for field in table.fields]:
            raise BackupProblem(f"the backup and its migrations disagree about the columns of {label}")
    return [(known[label], listed[label]) for label in sorted(known)]


def _prepare_tables(nodes: list[Node], notify: Notify) -> None:
    """Bring the database as far as the backup's was; one that has gone further cannot go back."""
    here = set(applied()) if has_tables() else set()
    if further := sorted(here - set(nodes)):
        app, name = further[0]
        message = f"the database has been through {app}.{name}, the backup has not: restore it into a new database"
        raise NotEmpty(f"{message} without tables, which is then brought up to date")
    if here != set(nodes):
        notify("making the tables")
        MigrationExecutor(connection).migrate(ends_of(nodes))


def _check_empty(tables: list[BackupTable]) -> None:
    for table in tables:
        if table.label not in WRITTEN_BY_MIGRATE and (number := table.model._base_manager.count()):
            message = f"the database is not empty: it has {number:,} rows of {table.label}. Restore into a new one"
            raise NotEmpty(f"{message} (DATABASE_URL says which), or say --replace to lose what is there")


def _write_rows(archive: Archive, tables: list[tuple[BackupTable, dict[str, Any]]], notify: Notify) -> None:
    empty([table for table, _ in tables])
    Session.objects.all().delete()  # they are of those who were users here
    for table, listed in tables:
        notify(f"{table.label}: {listed['rows']:,} rows")
        try:
            for some in _in_parts(archive.lines(listed["file"]), table):
                _insert(table, some)
        except (DatabaseError, ValueError, ValidationError) as error:
            raise BackupProblem(f"a row of {table.label} cannot be restored: {error}") from error
        if listed["last"] is not None:
            set_last_number(table, listed["last"])
    ContentType.objects.clear_cache()
    try:
        connection.check_constraints([table.name for table, _ in tables])
    except DatabaseError as error:
        raise BackupProblem(f"the rows of the backup do not fit each other: {error}") from error
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")  # so that the database knows how it is best asked


def _in_parts(lines: Iterator[bytes], table: BackupTable) -> Iterator[list[list[Any]]]:
    part: list[list[Any]] = []
    size = 0
    for text in lines:
        part.append(values(text, table.fields))
        size += len(text)
        if len(part) == MOST_ROWS or size > MOST_BYTES:
            yield part
            part, size = [], 0
    if part:
        yield part


def _insert(table: BackupTable, rows: list[list[Any]]) -> None:
    quote = connection.ops.quote_name
    columns = ", ".join(quote(field.column) for field in table.fields)
    places = ", ".join(["%s"] * len(table.fields))
    with connection.cursor() as cursor:
        cursor.executemany(f"INSERT INTO {quote(table.name)} ({columns}) VALUES ({places})", rows)
