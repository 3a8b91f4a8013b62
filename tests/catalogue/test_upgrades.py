"""The database of this code still serves the code of every release that upgrades are promised from.

While an upgrade goes on, sites and workers of both releases write to one database: a table that the older one writes
has to keep its columns, and may get none that must be filled, nor a rule that the older one does not know.
"""

import sqlite3
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from django.db import connection
from django.db.migrations.loader import MigrationLoader
from django.db.models import Model

from tests import choice
from tests.databases import NOBODY
from tests.services.machine import Machine

pytestmark = pytest.mark.django_db
# Release -> the last migrations it has.
RELEASES = {"0.2.0": [("catalogue", "0002_search_lookup"), ("simulator", "0001_initial")]}
# table.column -> the release that has stopped using it: only the one after may remove it.
GIVEN_UP: dict[str, str] = {}


@cache
def models_of(release: str) -> list[type[Model]]:
    """Of ours, as that release knows them."""
    every = MigrationLoader(None).project_state(RELEASES[release]).apps.get_models(include_auto_created=True)
    return [one for one in every if one._meta.app_label in ("catalogue", "simulator")]


def hindrances(release: str) -> list[str]:
    """What the code of that release would stumble over, one by one."""
    ours = models_of(release)
    tables = set(connection.introspection.table_names())
    found = [f"{our._meta.db_table} is gone" for our in ours if our._meta.db_table not in tables]
    for model in ours:
        if model._meta.db_table in tables:
            found += _of_table(model, _written(model._meta.db_table))
    return [one for one in found if one.partition(" ")[0] not in GIVEN_UP]


def _written(table: str) -> tuple[str, ...]:
    """The statements that made a table as it is now, and its indexes."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT sql FROM sqlite_master WHERE tbl_name = %s AND sql IS NOT NULL ORDER BY sql", [table])
        return tuple(sql for (sql,) in cursor.fetchall())


@cache
def _of_table(model: type[Model], written: tuple[str, ...]) -> list[str]:
    """written: two tables that were made by the same statements are the same"""
    with connection.cursor() as cursor:
        return [*_of_columns(cursor, model), *_of_rules(cursor, model)]


def _of_columns(cursor, model) -> Iterator[str]:
    table, known = model._meta.db_table, {field.column: field for field in model._meta.concrete_fields}
    now = {one.name: one for one in connection.introspection.get_table_description(cursor, table)}
    for name in sorted(known.keys() - now.keys()):
        yield f"{table}.{name} is gone"
    for name, column in sorted(now.items()):
        if name not in known and not column.null_ok and column.default is None and not name.endswith("_lookup"):
            yield f"{table}.{name} has to be filled"
        if name in known and known[name].null and not column.null_ok:
            yield f"{table}.{name} has to be filled now"
    for name, field in known.items():
        if name in now and field.max_length and (now[name].display_size or field.max_length) < field.max_length:
            yield f"{table}.{name} is shorter"


def _of_rules(cursor, model) -> Iterator[str]:
    """Unique columns and checks; those that SQLite names by itself are of the types of columns."""
    if model._meta.auto_created:
        return
    columns = {field.column for field in model._meta.concrete_fields}
    unique = {field.column for field in model._meta.concrete_fields if field.unique}
    known = {rule.name for rule in model._meta.constraints}
    for name, rule in connection.introspection.get_constraints(cursor, model._meta.db_table).items():
        own = set(rule["columns"] or ())
        is_strict = (rule["unique"] and not rule["primary_key"]) or rule["check"]
        is_known = name in known or name.startswith("__unnamed_constraint") or own <= unique
        if is_strict and own & columns and not is_known:
            yield f"{model._meta.db_table} has the new rule {name}"


@pytest.mark.thorough
@pytest.mark.parametrize("release", RELEASES)
def test_an_earlier_release_can_write_into_this_database(release: str) -> None:
    assert hindrances(release) == []


@pytest.mark.parametrize(
    ("change", "found"),
    [
        ("ALTER TABLE simulator_chunk DROP COLUMN error", ["simulator_chunk.error is gone"]),
        (
            "ALTER TABLE simulator_plot RENAME COLUMN caption TO words",
            ["simulator_plot.caption is gone", "simulator_plot.words has to be filled"],
        ),
        ("DROP TABLE simulator_gamerecord", ["simulator_gamerecord is gone"]),
        (
            "CREATE UNIQUE INDEX one_game ON simulator_chunk (batch_id, first_game)",
            ["simulator_chunk has the new rule one_game"],
        ),
        ("ALTER TABLE simulator_chunk ADD COLUMN machine text", []),
        ("ALTER TABLE simulator_chunk ADD COLUMN machine text NOT NULL DEFAULT ''", []),
    ],
)
@pytest.mark.by_turns
def test_what_the_earlier_code_would_stumble_over_is_found(change: str, found: list[str]) -> None:
    with connection.cursor() as cursor:
        cursor.execute(change)
    assert hindrances("0.2.0") == found


@pytest.mark.thorough
def test_tables_of_the_tests_are_those_of_the_migrations(tmp_path: Path, empty_database: Path) -> None:
    """But for the order of the columns. Where all tests run, their tables were made by the migrations."""
    words = "from tests.databases import make_tables; make_tables()"
    if not choice.ALL:
        words = "from django.core.management import call_command; call_command('migrate', verbosity=0)"
    machine = Machine(tmp_path, NOBODY)
    machine.manage("shell", "--verbosity", "0", "-c", words)
    migrated, at_once = (dict(_described(file)) for file in (empty_database, tmp_path / "db.sqlite3"))
    assert ("table", "catalogue_evidence") in migrated
    assert ("trigger", "catalogue_searchlookup_made") in migrated
    assert at_once == migrated


def _described(file: Path) -> Iterator[tuple[tuple[str, str], Any]]:
    """The columns, keys and indexes of every table, how many rows it has, and the other statements that made it."""
    with sqlite3.connect(file) as connection:
        for kind, name, sql in connection.execute("SELECT type, name, sql FROM sqlite_master").fetchall():
            if kind != "table":
                yield (kind, name), sql
            elif name != "sqlite_sequence":  # of rows that were deleted as well
                queries = (
                    'SELECT name, type, "notnull", dflt_value, pk FROM pragma_table_info(?)',
                    'SELECT "table", "from", "to", on_update, on_delete FROM pragma_foreign_key_list(?)',
                    'SELECT a."unique", a.origin, a.partial, group_concat(b.name) FROM pragma_index_list(?) a, '
                    "pragma_index_info(a.name) b GROUP BY a.name",
                )
                parts = [sorted(connection.execute(query, [name]).fetchall(), key=str) for query in queries]
                (rows,) = connection.execute(f'SELECT count(*) FROM "{name}"').fetchone()
                yield (kind, name), (parts, sql.count("CHECK"), rows)
